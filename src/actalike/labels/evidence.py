"""Define the evidence for and against a group of labels, as data.

:mod:`actalike.labels.words` puts it into English for the command line, ``report/page/report/words.js`` for the page.
"""

from enum import Enum
from typing import Literal, NamedTuple


class Outside(Enum):
    """Mark the place before the first event and after the last event of a case."""

    CASE = "outside the case"


OUTSIDE = Outside.CASE
Neighbour = str | Outside | None  # an activity's label; OUTSIDE; or None if any neighbour will do
THIN_CASES = 20  # in fewer cases, chance has a large part in a similarity (docs/concepts.md)

CautionKind = Literal["too rare", "few cases", "opposites", "tokens"]


class SharedNeighbours(NamedTuple):
    """Hold the direct neighbours that several members of a group share.

    - ``before``, ``after``: the label of the neighbour, OUTSIDE (the case begins or ends there), or None (any neighbour).
    - ``counts``: how often each member has these neighbours, in the order of the group; 0 for a member that never has them.
    """

    before: Neighbour
    after: Neighbour
    counts: tuple[int, ...]


class Caution(NamedTuple):
    """Hold a reason to check a group before accepting it.

    - ``too rare``: ``labels`` occur in fewer than 5 cases, too few to judge.
    - ``few cases``: ``labels`` occur in fewer than 20 cases.
    - ``opposites``: the two ``labels`` say the opposite.
    - ``tokens``: the two ``labels`` differ in one token, which may tell two steps apart; so other people or periods are no proof.
    """

    kind: CautionKind
    labels: tuple[str, ...]
