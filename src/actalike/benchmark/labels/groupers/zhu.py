"""Zhu et al. 2014: two events are alike if the events before and after them are alike, computed in rounds.

An artificial event stands before and after every case and is like itself only. The idea of kin, without its weights.
"""

from typing import Self

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.labels.contrast_groups import contrast_groups
from actalike.benchmark.labels.groupers.follows import follow_cases
from actalike.log import EventLog
from actalike.support.memory_estimates import require_memory

Floats = NDArray[np.float64]
DECAY = 0.8
SMALL = 0.001  # the rounds end when no similarity moves by so much
_BLOCK = 1 << 20  # pairs of neighbours that are compared at a time: as many as fit into a processor cache


class Zhu:
    """Compare labels by their neighbours in rounds; the groups are those that stand out by contrast."""

    name = "zhu"

    def fit(self, log: EventLog) -> Self:
        """Compare all labels."""
        follows = follow_cases(log) / log.n_cases
        alone = log.activity_cases / log.n_cases
        self.scores_ = (neighbour_similarity(follows, alone) + neighbour_similarity(follows.T, alone)) / 2
        self.groups_ = contrast_groups(1 - self.scores_, log)
        return self


def neighbour_similarity(follows: Floats, alone: Floats) -> Floats:
    """Return the similarities by what comes before; given the transpose, by what comes after.

    ``follows[x, y]`` is the share of cases in which x stands directly before y, ``alone`` the share of cases with an event.
    """
    n = len(alone)
    shares = np.vstack([follows, alone]).astype(np.float32)  # single precision: half the memory, and far finer than SMALL
    source, target = np.nonzero(shares)  # the last source is the artificial event
    order = np.lexsort((source, target))
    source, target = source[order], target[order]
    require_memory(4 * len(source) ** 2, f"Comparing {len(source):,} steps with each other", "merge rare labels first")
    share = shares[source, target]
    factors = np.float32(DECAY) * (1 - np.abs(share[:, np.newaxis] - share) / (share[:, np.newaxis] + share))
    starts = np.searchsorted(target, np.arange(n))
    n_before = np.diff(np.append(starts, len(target)))
    similarity = np.zeros((n + 1, n + 1), dtype=np.float32)
    similarity[n, n] = 1.0
    step = max(1, _BLOCK // len(source))
    while True:
        to_source = np.take(similarity, source, axis=1)
        best = np.empty((len(source), n), dtype=np.float32)  # of each neighbour: its best counterpart among those of each label
        for first in range(0, len(source), step):
            part = slice(first, first + step)
            best[part] = np.maximum.reduceat(factors[part] * to_source[source[part]], starts, axis=1)
        one_way = np.add.reduceat(best, starts, axis=0) / n_before[:, np.newaxis]
        both_ways = (one_way + one_way.T) / 2
        moved = np.abs(both_ways - similarity[:n, :n]).max()
        similarity[:n, :n] = both_ways
        if moved < SMALL:
            return both_ways.astype(np.float64)
