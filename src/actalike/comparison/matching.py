"""Match the activities of two logs: which activity of one is which of the other, without trusting labels."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from actalike.comparison.cross_kin import CrossKin, Floats, balanced, cross_kin
from actalike.errors import UnknownActivityError
from actalike.io import as_log
from actalike.log import EventLog

_PARTNER_AT_LEAST = 0.5  # the probability from which on a pair is proposed


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
    side: Literal["a", "b"]
    parts: tuple[str, ...]
    probability: float


class MatchReason(NamedTuple):
    """Hold one term of a score: the neighbours at an offset that are taken for the same step (None: outside the case)."""

    share: float
    offset: int
    neighbour_a: str | None
    neighbour_b: str | None


class Matching:
    """Hold which activities of two logs are the same step. See :func:`match`."""

    def __init__(self, log_a: EventLog, log_b: EventLog, known: Mapping[str, str], kin: CrossKin, probabilities: Floats) -> None:
        self.activities_a, self.activities_b = list(log_a.activities), list(log_b.activities)
        self.known = dict(known)
        self._kin = kin
        self._probabilities = probabilities
        rows, columns = linear_sum_assignment(probabilities, maximize=True)
        pairs = [
            MatchedPair(self.activities_a[i], self.activities_b[j], float(probabilities[i, j]))
            for i, j in zip(rows, columns, strict=True)
            if probabilities[i, j] >= _PARTNER_AT_LEAST
        ]
        self.pairs = sorted(pairs, key=lambda pair: (pair.a not in self.known, -pair.probability, pair.a))
        with_partner_a, with_partner_b = {pair.a for pair in self.pairs}, {pair.b for pair in self.pairs}
        self.unmatched_a = _unmatched(self.activities_a, with_partner_a, probabilities)
        self.unmatched_b = _unmatched(self.activities_b, with_partner_b, probabilities.T)
        self.splits: list[Split] = []

    def scores(self) -> Floats:
        """Return the score of each pair: a row for each activity of a, a column for each of b."""
        return self._kin.scores

    def probabilities(self) -> Floats:
        """Return how likely each pair is the same step."""
        return self._probabilities

    def candidates(self, a: str, topn: int = 5) -> list[MatchedPair]:
        """Return the most likely partners of an activity of a."""
        row = self._probabilities[_code(self.activities_a, a)]
        best = np.argsort(-row, kind="stable")[:topn]
        return [MatchedPair(a, self.activities_b[j], float(row[j])) for j in best]

    def explain(self, a: str, b: str, topn: int = 10) -> list[MatchReason]:
        """Return the largest terms of the score of a pair, by offset and pair of neighbours."""
        i, j = _code(self.activities_a, a), _code(self.activities_b, b)
        reasons, total = [], 0.0
        labels_a, labels_b = [*self.activities_a, None], [*self.activities_b, None]
        for x, y in zip(self._kin.around_a, self._kin.around_b, strict=True):
            terms = x.weight * np.outer(x.row(i), y.row(j)) * self._kin.alike
            total += terms.sum()
            largest = np.argsort(-terms, axis=None, kind="stable")[:topn]
            for u, v in zip(*np.unravel_index(largest, terms.shape), strict=True):
                reasons.append(MatchReason(float(terms[u, v]), x.offset, labels_a[u], labels_b[v]))
        reasons.sort(key=lambda reason: -reason.share)
        return [reason._replace(share=reason.share / total) for reason in reasons[:topn]]

    def mapping(self) -> dict[str, str]:
        """Return the label of a for each matched label of b, to relabel b into a's language."""
        return {pair.b: pair.a for pair in self.pairs}


def match(log_a: Any, log_b: Any, known: Mapping[str, str] | None = None, use_labels: bool = False) -> Matching:
    """Match the activities of two logs by the company they keep; labels are not looked at unless ``use_labels``.

    ``known`` are pairs that are certain: the label of b by the label of a.

    >>> a = EventLog.from_traces([["order", "pack", "send"], ["order", "cancel"]] * 9)
    >>> b = EventLog.from_traces([["1", "2", "3"], ["1", "4"]] * 9)
    >>> [pair[:2] for pair in match(a, b).pairs]
    [('cancel', '4'), ('order', '1'), ('pack', '2'), ('send', '3')]
    """
    log_a, log_b = as_log(log_a, "match"), as_log(log_b, "match")
    known = dict(known or {})
    codes = np.array([(_code(log_a.activities, a), _code(log_b.activities, b)) for a, b in known.items()], dtype=np.int64)
    kin = cross_kin(log_a, log_b, codes.reshape(-1, 2))
    weights = balanced(kin.scores**4)
    probabilities: NDArray[np.float64] = np.minimum(weights / weights.sum(axis=1, keepdims=True), 1.0)
    probabilities[codes.reshape(-1, 2)[:, 0], codes.reshape(-1, 2)[:, 1]] = 1
    return Matching(log_a, log_b, known, kin, probabilities)


def _unmatched(activities: list[str], with_partner: set[str], probabilities: Floats) -> list[Unmatched]:
    none = np.clip(1 - probabilities.sum(axis=1), 0, 1)
    rest = [Unmatched(label, float(none[i])) for i, label in enumerate(activities) if label not in with_partner]
    return sorted(rest, key=lambda unmatched: (-unmatched.probability, unmatched.activity))


def _code(activities: list[str], label: str) -> int:
    try:
        return activities.index(label)
    except ValueError:
        raise UnknownActivityError(f"There is no activity {label!r} in the log.") from None
