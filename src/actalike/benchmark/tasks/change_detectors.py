"""Those who take part in the benchmark of change points: a *change detector*, which says when a process changed.

A change detector has ``fit(log)``, which returns itself and leaves ``changes_``: the numbers of the last cases before each
change. The cases of the log are in the order of their first events; it has timestamps if the file had some.
"""

import itertools
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.participants import ParticipantRegistry
from actalike.benchmark.scoring import Floats
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.support.extras import Extra
from actalike.two_logs import change_points


class ChangeDetector(Protocol):
    """Say after which cases a process changed."""

    name: str
    needs: Sequence[Extra]  # the extras that it needs; default: none
    changes_: Sequence[int]

    def fit(self, log: EventLog) -> Self:
        """Look at a log, set ``changes_``, and return self."""
        ...


CHANGE_DETECTORS: ParticipantRegistry[ChangeDetector] = ParticipantRegistry(
    "change detector", "fit(log), which must return itself and leave changes_", {"needs": ()}
)


def checked_changes(changes: Any, n_cases: int) -> list[int]:
    """Return what a detector left, in order; numbers that are not cases of the log are an error."""
    array = np.asarray(changes)
    if array.ndim != 1 or (len(array) and (array.dtype.kind not in "iu" or array.min() < 0 or array.max() >= n_cases)):
        raise ActalikeError(f"its changes_ must be numbers of cases, 0 to {n_cases - 1:,}")
    return sorted({int(one) for one in array})


class Found:
    """Take the changes of ``change_points``."""

    name = "change-points"

    def fit(self, log: EventLog) -> Self:
        """Look for changes."""
        self.changes_ = [point.case for point in change_points(log).points]
        return self


class Hellinger:
    """Split where directly-follows shares differ most, if beyond 99 permutations by a factor of 1.2; and again in both parts."""

    name = "hellinger"

    def fit(self, log: EventLog) -> Self:
        """Search the whole log and, if it changes, both parts."""
        self._counts, self._rng = pair_counts(log.traces()), np.random.default_rng(0)
        self.changes_: list[int] = []
        self._search(0, log.n_cases)
        return self

    def _search(self, low: int, high: int) -> None:
        if high - low < 200:
            return
        rows = self._counts[low:high]
        rows = rows[:, rows.any(axis=0)]
        largest, split = self._best(rows)
        for _ in range(99):
            if 1.2 * self._best(rows[self._rng.permutation(len(rows))])[0] >= largest:
                return
        self.changes_.append(low + split - 1)
        self._search(low, low + split)
        self._search(low + split, high)

    def _best(self, rows: NDArray[np.float32]) -> tuple[float, int]:
        splits = np.arange(100, len(rows) - 100 + 1, 10)
        left = np.cumsum(rows, axis=0)[splits - 1]
        distance = splits * (len(rows) - splits) / len(rows) * hellinger(left, rows.sum(axis=0) - left)
        return float(distance.max()), int(splits[int(np.argmax(distance))])


class Windows:
    """Compare adjacent windows of 100 cases: a change is where their distance peaks above its mean and three deviations."""

    name = "windows"
    width = 100

    def fit(self, log: EventLog) -> Self:
        """Compare all windows."""
        counts = pair_counts(log.traces())
        sums = np.concatenate([np.zeros((1, counts.shape[1])), np.cumsum(counts, axis=0)])
        splits = np.arange(self.width, log.n_cases - self.width + 1)
        found: list[int] = []
        if len(splits):
            distance = hellinger(sums[splits] - sums[splits - self.width], sums[splits + self.width] - sums[splits])
            bound = distance.mean() + 3 * distance.std()
            for place in np.argsort(-distance).tolist():
                if distance[place] > bound and all(abs(place - other) >= self.width for other in found):
                    found.append(place)
        self.changes_ = [int(splits[place]) - 1 for place in found]
        return self


def pair_counts(traces: list[list[str]]) -> NDArray[np.float32]:
    """Return how often each directly-follows pair, with start and end, is in each case (row)."""
    pairs = [list(itertools.pairwise([None, *trace, None])) for trace in traces]
    place = {pair: i for i, pair in enumerate(dict.fromkeys(itertools.chain.from_iterable(pairs)))}
    counts = np.zeros((len(traces), len(place)), dtype=np.float32)
    for row, some in zip(counts, pairs, strict=True):
        np.add.at(row, [place[pair] for pair in some], 1)
    return counts


def hellinger(left: NDArray[Any], right: NDArray[Any]) -> Floats:
    """Return twice the squared Hellinger distance of the shares in each row."""
    shares_of = [side / side.sum(axis=1, keepdims=True) for side in (left, right)]
    distance: Floats = np.square(np.sqrt(shares_of[0]) - np.sqrt(shares_of[1])).sum(axis=1)
    return distance


@dataclass
class RelationInvariance:
    """Take the ends of long runs of cases with, or without, a relation, near ones as one: as Zheng, Wen and Wang (2017)."""

    distance: int
    radius: int

    def fit(self, log: EventLog) -> Self:
        """Collect the ends of runs, and their centres."""
        n, traces, having = log.n_cases, log.traces(), defaultdict(set)
        for case, trace in enumerate(traces):
            for i, a in enumerate(trace):
                for b in set(trace[i + 1 :]):
                    having["weak", a, b].add(case)
            for a, b in itertools.pairwise(trace):
                having["direct", a, b].add(case)
        candidates: set[int] = set()
        for cases in having.values():
            row = np.zeros(n, dtype=bool)
            row[list(cases)] = True
            bounds = [0, *(np.flatnonzero(row[1:] != row[:-1]) + 1).tolist(), n]
            for start, end in itertools.pairwise(bounds):
                if end - start >= self.distance:
                    candidates |= {start, end}
        found: list[float] = [0, n]
        for group in sorted(self._near_ones(sorted(candidates - {0, n})), key=len, reverse=True):
            centre = float(np.mean(group))
            if min(abs(centre - other) for other in found) >= self.distance:
                found.append(centre)
        self.changes_ = [round(one) - 1 for one in found if 0 < one < n]
        return self

    def _near_ones(self, ordered: list[int]) -> list[list[int]]:
        groups: list[list[int]] = []
        for one in ordered:
            if groups and one - groups[-1][-1] <= self.radius:
                groups[-1].append(one)
            else:
                groups.append([one])
        return groups


class BlindGuess:
    """Guess without a look at any event: after half of the cases or, where there are 2,000 or more, after each thousand."""

    name = "blind-guess"

    def fit(self, log: EventLog) -> Self:
        """Guess."""
        n = log.n_cases
        self.changes_ = [max(n // 2 - 1, 0)] if n < 2000 else list(range(999, n - 500, 1000))
        return self


for _detector in (Found, Hellinger, Windows, BlindGuess):
    CHANGE_DETECTORS.register(_detector.name, _detector)
for _distance, _radius in itertools.product((50, 100, 200), (10, 50, 100)):
    CHANGE_DETECTORS.register(f"rinv-{_distance}-{_radius}", partial(RelationInvariance, _distance, _radius))
