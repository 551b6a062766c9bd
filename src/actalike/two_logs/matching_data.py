"""Define what a matching of two logs consists of: pairs, labels without a partner, splits, reasons."""

from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from actalike.log import EventLog

SideName = Literal["a", "b"]


class MatchedPair(NamedTuple):
    """Hold two activities that are likely the same step, and how likely."""

    a: str
    b: str
    probability: float


class Unmatched(NamedTuple):
    """Hold an activity without a partner, and how likely it is that it has none."""

    activity: str
    probability: float


class Split(NamedTuple):
    """Hold an activity of one log (``side``) whose step is split into several labels in the other log (``parts``)."""

    activity: str
    side: SideName
    parts: tuple[str, ...]
    probability: float


class MatchReason(NamedTuple):
    """Hold one term of a score: the neighbours at an offset that are taken for the same step (None: outside the case).

    The offset 0 stands for anywhere in the same case, and -4 and 4 for up to four events before and after. At offset 0,
    ``seldom`` says that both activities are in fewer cases with these neighbours than usual, which they have in common too.
    """

    share: float
    offset: int
    neighbour_a: str | None
    neighbour_b: str | None
    seldom: bool = False


class MatchingData(Protocol):
    """Describe what tables, words and cards need of a matching; :class:`actalike.Matching` has it."""

    log_a: EventLog
    log_b: EventLog
    activities_a: list[str]
    activities_b: list[str]
    known: dict[str, str]
    apart: frozenset[tuple[str, str]]
    use_labels: bool
    pairs: list[MatchedPair]
    unmatched_a: list[Unmatched]
    unmatched_b: list[Unmatched]
    splits: list[Split]

    def probabilities(self) -> NDArray[np.float64]:
        """Return how likely each pair is the same step."""

    def explain(self, a: str, b: str, topn: int = 10) -> list[MatchReason]:
        """Return the largest terms of the score of a pair."""
