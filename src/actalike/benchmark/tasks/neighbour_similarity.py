"""How often one activity directly follows another, and how alike activities are by what comes before and after them.

Zhu et al. 2014: two events are alike if the events before and after them are alike, computed in rounds. An artificial event
stands before and after every case and is like itself only. The idea of kin, without its weights. The events may be those of
one log or of two.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.log import EventLog
from actalike.support.memory import require_memory


def follow_counts(log: EventLog) -> NDArray[np.int64]:
    """Return how often each activity stands directly before each other one, in the same case.

    >>> follow_counts(EventLog.from_traces([["a", "b", "b"], ["a", "b"]])).tolist()
    [[0, 2], [0, 1]]
    """
    first, second, _ = _steps(log)
    counts = np.zeros((len(log.activities), len(log.activities)), dtype=np.int64)
    np.add.at(counts, (first, second), 1)
    return counts


def follow_cases(log: EventLog) -> NDArray[np.int64]:
    """Return in how many cases each activity stands directly before each other one.

    >>> follow_cases(EventLog.from_traces([["a", "b", "a", "b"], ["b", "b"]])).tolist()
    [[0, 1], [1, 1]]
    """
    n = len(log.activities)
    first, second, case = _steps(log)
    distinct = np.unique((case * n + first) * n + second) % (n * n)
    return np.bincount(distinct, minlength=n * n).reshape(n, n)


def _steps(log: EventLog) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return each step from an event to the next one of its case: both activities, and the case."""
    case = np.repeat(np.arange(log.n_cases), log.lengths)
    inside = case[1:] == case[:-1]
    codes = log.codes.astype(np.int64)
    return codes[:-1][inside], codes[1:][inside], case[1:][inside]


Floats = NDArray[np.float64]
Singles = NDArray[np.float32]  # single precision: half the memory, and far finer than SMALL
Numbers = NDArray[np.int64]
DECAY = 0.8
SMALL = 0.001  # the rounds end when no similarity moves by so much
_BLOCK = 1 << 20  # pairs of neighbours that are compared at a time: as many as fit into a processor cache
_NO_PAIRS = np.empty((0, 2), dtype=np.int64)


class Neighbours(NamedTuple):
    """Hold which events stand before each event, ordered by the latter; ``n``, the last source, is the artificial event.

    ``share`` is the share of cases with this step, ``starts`` where the neighbours of each event begin, ``sizes`` their number.
    """

    n: int
    source: Numbers
    share: Singles
    starts: Numbers
    sizes: Numbers


def zhu_similarity(log_a: EventLog, log_b: EventLog, known: Numbers = _NO_PAIRS) -> Floats:
    """Return how alike each activity of one log (row) and of another (column) are, by what comes before and after them.

    ``known`` are pairs of activities that are the same, by their numbers: alike all the time, and like nothing else.

    >>> log = EventLog.from_traces([["a", "b"]])
    >>> zhu_similarity(log, log).round(2).tolist()
    [[0.76, 0.6], [0.6, 0.76]]
    """
    shares = [
        (follow_cases(log) / log.n_cases, log.activity_cases / log.n_cases)
        for log in ((log_a,) if log_b is log_a else (log_a, log_b))
    ]
    before = [neighbours(follows, alone) for follows, alone in shares]
    after = [neighbours(follows.T, alone) for follows, alone in shares]
    return (neighbour_similarity(before[0], before[-1], known) + neighbour_similarity(after[0], after[-1], known)) / 2


def neighbours(follows: Floats, alone: Floats) -> Neighbours:
    """Return what comes before each event; given the transpose, what comes after.

    ``follows[x, y]`` is the share of cases in which x stands directly before y, ``alone`` the share of cases with an event.
    """
    n = len(alone)
    shares = np.vstack([follows, alone]).astype(np.float32)
    source, target = np.nonzero(shares)
    order = np.lexsort((source, target))
    source, target = source[order], target[order]
    starts = np.searchsorted(target, np.arange(n))
    return Neighbours(n, source, shares[source, target], starts, np.diff(np.append(starts, len(target))))


def neighbour_similarity(a: Neighbours, b: Neighbours, known: Numbers = _NO_PAIRS) -> Floats:
    """Return the similarities of the events of two graphs; if both are the same object, half of the work is saved."""
    require_memory(
        4 * len(a.source) * len(b.source),
        f"Comparing {len(a.source):,} steps with {len(b.source):,} others",
        "merge rare labels first",
    )
    factors = np.abs(a.share[:, np.newaxis] - b.share)
    factors /= a.share[:, np.newaxis] + b.share
    np.subtract(1, factors, out=factors)
    factors *= np.float32(DECAY)
    similarity = np.zeros((a.n + 1, b.n + 1), dtype=np.float32)
    similarity[a.n, b.n] = 1.0
    _fix(similarity, known)
    while True:
        one_way = _one_way(a, b, factors, similarity)
        other_way = one_way if a is b else _one_way(b, a, factors.T, similarity.T)
        both_ways: Singles = ((one_way + other_way.T) / 2).astype(np.float32)
        _fix(both_ways, known)
        moved = np.abs(both_ways - similarity[:-1, :-1]).max()
        similarity[:-1, :-1] = both_ways
        if moved < SMALL:
            return both_ways.astype(np.float64)


def _fix(similarity: Singles, known: Numbers) -> None:
    similarity[known[:, 0]] = 0.0
    similarity[:, known[:, 1]] = 0.0
    similarity[known[:, 0], known[:, 1]] = 1.0


def _one_way(a: Neighbours, b: Neighbours, factors: Singles, similarity: Singles) -> Singles:
    """Return for each event of a and of b the mean over the former's neighbours of the best counterpart among the latter's."""
    to_source = np.take(similarity, b.source, axis=1)
    best = np.empty((len(a.source), b.n), dtype=np.float32)
    step = max(1, _BLOCK // len(b.source))
    for first in range(0, len(a.source), step):
        part = slice(first, first + step)
        best[part] = np.maximum.reduceat(factors[part] * to_source[a.source[part]], b.starts, axis=1)
    sums: Singles = np.add.reduceat(best, a.starts, axis=0)
    sums /= a.sizes[:, np.newaxis]
    return sums
