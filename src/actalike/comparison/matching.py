"""Match the activities of two logs: which activity of one is which of the other, without trusting labels."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from actalike.comparison.cross_kin import CrossKin, Floats, cross_kin, score_terms
from actalike.comparison.known_pairs import check_known
from actalike.comparison.matching_card import matching_card, matching_summary
from actalike.comparison.matching_data import MatchedPair, MatchReason, Split, Unmatched
from actalike.comparison.matching_table import matching_frame, write_matching
from actalike.errors import UnknownActivityError
from actalike.io import as_log
from actalike.labels import translation
from actalike.log import EventLog
from actalike.support.frame_kinds import as_kind

_PARTNER_AT_LEAST = 0.5  # the probability from which on a pair is proposed


class Matching:
    """Hold which activities of two logs are the same step. See :func:`match`."""

    def __init__(self, log_a: EventLog, log_b: EventLog, known: Mapping[str, str], kin: CrossKin, probabilities: Floats) -> None:
        self.activities_a, self.activities_b = list(log_a.activities), list(log_b.activities)
        self.log_a, self.log_b = log_a, log_b
        self.known = dict(known)
        self.use_labels = False
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
        labels_a, labels_b = [*self.activities_a, None], [*self.activities_b, None]
        terms = score_terms(self._kin, i, j)
        total = sum(of_offset.sum() for _, of_offset in terms)
        reasons = [
            MatchReason(float(of_offset[x, y] / total), offset, labels_a[x], labels_b[y])
            for offset, of_offset in terms
            for x, y in zip(*_largest(of_offset, topn), strict=True)
        ]
        return sorted(reasons, key=lambda reason: -abs(reason.share))[:topn]

    def mapping(self) -> dict[str, str]:
        """Return the label of a for each matched label of b, to relabel b into a's language.

        A label without a partner keeps its name; it is marked with "(b)" if another label gets that name.
        """
        pairs = [(pair.a, pair.b) for pair in self.pairs]
        of_b = {pair.b for pair in self.pairs}
        parts = [(split.activity, part) for split in self.splits if split.side == "a" for part in split.parts if part not in of_b]
        return translation([*parts, *pairs], self.activities_b)

    def to_frame(self, kind: Literal["polars", "pandas", "pyarrow"] = "polars") -> Any:
        """Return a frame with a row for each pair, and for each label without a partner: what :meth:`to_csv` writes."""
        return as_kind(matching_frame(self), kind)

    def to_csv(self, path: str | Path) -> None:
        """Write a table to review, which relabels log b (:func:`actalike.read_mapping`) and has a column for known pairs."""
        write_matching(self, path)

    def __repr__(self) -> str:
        """Return how many labels are matched."""
        return matching_summary(self)

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        return matching_card(self)


def match(
    log_a: Any, log_b: Any, known: Mapping[str, str] | Iterable[tuple[str, str]] | None = None, use_labels: bool = False
) -> Matching:
    """Match the activities of two logs by the company they keep; labels are not looked at unless ``use_labels``.

    ``known`` are pairs that are certain: the label of b by the label of a, or a list of pairs.

    >>> a = EventLog.from_traces([["order", "pack", "send"], ["order", "cancel"]] * 9)
    >>> b = EventLog.from_traces([["1", "2", "3"], ["1", "4"]] * 9)
    >>> sorted(pair[:2] for pair in match(a, b).pairs)
    [('cancel', '4'), ('order', '1'), ('pack', '2'), ('send', '3')]
    """
    log_a, log_b = as_log(log_a, "match"), as_log(log_b, "match")
    known = check_known(known, log_a.activities, log_b.activities)
    codes = np.array([(_code(log_a.activities, a), _code(log_b.activities, b)) for a, b in known.items()], dtype=np.int64)
    kin = cross_kin(log_a, log_b, codes.reshape(-1, 2))
    weights = kin.scores**16
    probabilities: NDArray[np.float64] = np.minimum(weights / weights.sum(axis=1, keepdims=True), 1.0)
    probabilities[codes.reshape(-1, 2)[:, 0], codes.reshape(-1, 2)[:, 1]] = 1
    matching = Matching(log_a, log_b, known, kin, probabilities)
    matching.use_labels = use_labels
    return matching


def _unmatched(activities: list[str], with_partner: set[str], probabilities: Floats) -> list[Unmatched]:
    none = np.clip(1 - probabilities.sum(axis=1), 0, 1)
    rest = [Unmatched(label, float(none[i])) for i, label in enumerate(activities) if label not in with_partner]
    return sorted(rest, key=lambda unmatched: (-unmatched.probability, unmatched.activity))


def _largest(terms: Floats, topn: int) -> tuple[NDArray[np.intp], ...]:
    """Return the rows and columns of the largest terms, up or down."""
    return np.unravel_index(np.argsort(-np.abs(terms), axis=None, kind="stable")[:topn], terms.shape)


def _code(activities: list[str], label: str) -> int:
    try:
        return activities.index(label)
    except ValueError:
        raise UnknownActivityError(f"There is no activity {label!r} in the log.") from None
