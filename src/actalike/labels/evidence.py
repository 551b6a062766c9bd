"""Evidence as data: what speaks for a group of labels, and what against it.

:mod:`actalike.labels.words` puts it into English for the command line, ``report/page/words.js`` for the page; both from the same
kinds.
"""

from enum import Enum
from typing import Literal, NamedTuple


class Outside(Enum):
    """What is before the first and after the last event of a case."""

    CASE = "outside the case"


OUTSIDE = Outside.CASE
Neighbour = str | Outside | None  # an activity's label, the outside of the case, or None: any

CautionKind = Literal["too rare", "few cases", "never together", "always together", "often together"]


class SharedContext(NamedTuple):
    """Neighbours that members of a group share.

    - ``before``, ``after``: the label of the neighbour, OUTSIDE (the case begins or ends there), or None (any neighbour).
    - ``counts``: how often each member has these neighbours, in the order of the group; 0 for a member that never has.
    """

    before: Neighbour
    after: Neighbour
    counts: tuple[int, ...]


class Caution(NamedTuple):
    """A reason to look twice at a group.

    - ``too rare``, ``few cases``: ``labels`` are in too few cases to judge, or in few.
    - ``never together``: no case has two members. Synonyms rarely share a case, but neither do the outcomes of a decision, so
      this is a remark and not a warning.
    - ``always together``: every case with a member has all of them.
    - ``often together``: two members share a case ``times`` as often as two names of one step would.
    """

    kind: CautionKind
    labels: tuple[str, ...] = ()
    times: float | None = None

    @property
    def is_warning(self) -> bool:
        """Whether it speaks against the group."""
        return self.kind != "never together"
