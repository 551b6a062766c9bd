"""Compare how activities of two logs are used, in one vocabulary: labels that are matched count as one step."""

from collections.abc import Callable
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.log import EventLog
from actalike.two_logs.matching_data import MatchingData

Floats = NDArray[np.float64]

OFFSETS = (-1, 1, -2, 2)  # the nearest first
_ROUNDING = 12  # decimals of shares when they are ordered, so that equal ones keep the order of their labels


class SharedStep(NamedTuple):
    """Hold a step beside two activities, by its labels in both logs, and the share of their events that have it there.

    A log may have several labels of the step, or none. If both logs have none, it is the outside of the case.
    """

    offset: int
    labels_a: tuple[str, ...]
    labels_b: tuple[str, ...]
    share_a: float
    share_b: float


class Frequency(NamedTuple):
    """Hold in how many cases of its log an activity is, as a number and as a share, its events in such a case, and its place.

    ``place`` is the mean of the relative positions of its events: 0 for the first event of a case, 1 for the last.
    """

    cases: int
    share: float
    repeats: float
    place: float


class MatchedUses:
    """Hold the neighbours and frequencies of the activities of two matched logs."""

    def __init__(self, matching: MatchingData) -> None:
        self._places = (
            {label: i for i, label in enumerate(matching.activities_a)},
            {label: i for i, label in enumerate(matching.activities_b)},
        )
        numbers = _step_numbers(matching)
        steps = 1 + max(*numbers[0].values(), *numbers[1].values())
        self._labels = [_labels_of_steps(of_side, steps + 1) for of_side in numbers]  # the last one is the outside of the case
        logs = (matching.log_a, matching.log_b)
        self._shares = [_shares(log, of_side, steps) for log, of_side in zip(logs, numbers, strict=True)]
        self._frequencies = [_Frequencies(log) for log in logs]

    def shared(self, a: str, b: str, topn: int = 3) -> list[SharedStep]:
        """Return the steps that two activities have beside them, those in the largest share of the events of both first.

        >>> from actalike import EventLog, match
        >>> logs = [EventLog.from_traces([[x, y, z]] * 9) for x, y, z in ("abc", "123")]
        >>> uses = MatchedUses(match(*logs, known={"a": "1"}))
        >>> uses.shared("b", "2", 1)
        [SharedStep(offset=-1, labels_a=('a',), labels_b=('1',), share_a=1.0, share_b=1.0)]
        """
        return self._ordered(a, b, np.minimum, OFFSETS)[:topn]

    def differing(self, a: str, b: str, topn: int = 3) -> list[SharedStep]:
        """Return the steps directly beside two activities whose shares differ most."""
        return self._ordered(a, b, lambda x, y: np.abs(x - y), OFFSETS[:2])[:topn]

    def frequency(self, side: int, label: str) -> Frequency:
        """Return how frequent an activity is, and where; side 0 is log a, side 1 log b."""
        code, frequencies = self._places[side][label], self._frequencies[side]
        return Frequency(
            int(frequencies.cases[code]),
            float(frequencies.shares[code]),
            float(frequencies.repeats[code]),
            float(frequencies.places[code]),
        )

    def _ordered(self, a: str, b: str, weigh: Callable[[Floats, Floats], Floats], offsets: tuple[int, ...]) -> list[SharedStep]:
        codes = self._places[0][a], self._places[1][b]
        steps = []
        for offset in offsets:
            x, y = (_row(shares[offset], code) for shares, code in zip(self._shares, codes, strict=True))
            weights = np.round(weigh(x, y), _ROUNDING)
            for step in np.flatnonzero(weights).tolist():
                labels_a, labels_b = self._labels[0][step], self._labels[1][step]
                steps.append((float(weights[step]), SharedStep(offset, labels_a, labels_b, float(x[step]), float(y[step]))))
        return [step for _, step in sorted(steps, key=lambda weighted: -weighted[0])]


def _step_numbers(matching: MatchingData) -> tuple[dict[str, int], dict[str, int]]:
    """Return the number of each label's step, for both logs: matched labels are one step, and so are the parts of a split."""
    of_a = {pair.a: number for number, pair in enumerate(matching.pairs)}
    of_b = {pair.b: number for number, pair in enumerate(matching.pairs)}
    for split in matching.splits:
        own, other = (of_a, of_b) if split.side == "a" else (of_b, of_a)
        for part in split.parts if split.activity in own else ():
            other.setdefault(part, own[split.activity])
    numbers = count(len(matching.pairs))
    for activities, of_side in ((matching.activities_a, of_a), (matching.activities_b, of_b)):
        for label in activities:
            if label not in of_side:
                of_side[label] = next(numbers)
    return of_a, of_b


def _labels_of_steps(numbers: dict[str, int], steps: int) -> list[tuple[str, ...]]:
    labels: list[tuple[str, ...]] = [()] * steps
    for label, number in numbers.items():
        labels[number] += (label,)
    return labels


def _shares(log: EventLog, step_of: dict[str, int], steps: int) -> dict[int, csr_array]:
    """Return, for each offset, the share of each activity's events that have each step there; the outside is the last column."""
    columns = np.array([step_of[label] for label in log.activities], dtype=np.int64)
    case = np.repeat(np.arange(log.n_cases), log.lengths)
    shares = {}
    for offset in OFFSETS:
        beside = np.full(log.n_events, steps)
        here, there = (slice(offset, None), slice(None, -offset)) if offset > 0 else (slice(None, offset), slice(-offset, None))
        inside = case[here] == case[there]
        beside[there] = np.where(inside, columns[log.codes[here]], steps)
        counts = csr_array(
            (np.ones(log.n_events), (log.codes, beside)), shape=(len(log.activities), steps + 1)
        )  # equal cells are summed
        counts.sum_duplicates()
        shares[offset] = csr_array(counts.multiply(1 / log.activity_counts[:, np.newaxis]))
    return shares


def _row(matrix: csr_array, row: int) -> Floats:
    """Return a row of a sparse matrix; scipy takes ten times as long."""
    dense = np.zeros(matrix.shape[1])
    cells = slice(matrix.indptr[row], matrix.indptr[row + 1])
    dense[matrix.indices[cells]] = matrix.data[cells]
    return dense


class _Frequencies:
    """Hold the cases, events per case and mean places of all activities of a log."""

    def __init__(self, log: EventLog) -> None:
        self.cases: NDArray[np.int64] = log.activity_cases
        self.shares = self.cases / np.count_nonzero(log.lengths)
        self.repeats = log.activity_counts / self.cases
        index = np.arange(log.n_events) - np.repeat(log.offsets[:-1], log.lengths)
        relative = index / np.maximum(np.repeat(log.lengths, log.lengths) - 1, 1)
        self.places = np.bincount(log.codes, relative, len(log.activities)) / log.activity_counts
