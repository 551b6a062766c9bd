"""Find which steps are likely to be missing between two neighbours: one or two by pairs of neighbours, more by whole runs.

With n(xy) how often ``y`` is right after ``x`` in the whole log, f(y | x) = n(xy) / n(x) its share of all that comes after ``x``,
and b(x | y) = n(xy) / n(y) the share of ``x`` of all that comes before ``y``, between the neighbours ``x`` and ``y`` are tried:

- the 6 single steps ``u`` with the largest f(u | x) b(u | y)
- the 3 pairs of steps ``u, v`` with the largest f(u | x) sqrt(f(v | u) b(u | v)) b(v | y), where ``u`` is one of the 6 labels
  that come most often after ``x``, and ``v`` one of the 6 that come most often before ``y``
- of three, of four and of five steps, the run that stands most often between ``x`` and ``y``

None is tried whose product is 0. Of equal ones, those whose labels come first in ``EventLog.activities`` are taken; of equally
frequent runs too.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from actalike.oddities.count_tables import CountTable
from actalike.oddities.distinct_cases import DistinctCases
from actalike.support.arrays import count_rows

SINGLE_STEPS = 6  # that are tried between two neighbours
DOUBLE_STEPS = 3
LONGEST_RUN = 5  # steps that are missing together
_NEXT_TO = 6  # how many of the most frequent successors and predecessors two missing steps are made of
_AT_ONCE = 1 << 21  # candidates at a time: limits the memory

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def likely_missing(cases: DistinctCases, pairs: CountTable, gaps: Ints) -> Iterator[Ints]:
    """Yield labels that are likely to be missing in each gap: arrays with one to five columns, -1 where there is none.

    ``pairs`` counts neighbours, by ``before * n_symbols + after``; so are ``gaps`` given, distinct and in rising order.
    """
    n_symbols, n_labels = cases.n_symbols, cases.n_labels
    forward = _Neighbours(pairs.keys // n_symbols, pairs.keys % n_symbols, pairs.counts, n_symbols)
    backward = _Neighbours(pairs.keys % n_symbols, pairs.keys // n_symbols, pairs.counts, n_symbols)
    before, after = np.divmod(gaps, n_symbols)
    yield from _single(forward, backward, before, after, n_labels)
    yield from _double(forward, backward, before, after, n_labels)
    for size in range(3, LONGEST_RUN + 1):
        yield _run(cases, gaps, size)


class _Neighbours:
    """Hold the neighbours of each symbol on one side, with the share of each."""

    def __init__(self, symbols: Ints, others: Ints, counts: Ints, n_symbols: int) -> None:
        order = np.lexsort((others, symbols))
        self.others = others[order]
        self.bounds = np.searchsorted(symbols[order], np.arange(n_symbols + 1))
        self._keys = symbols[order] * n_symbols + self.others
        self._n_symbols = n_symbols
        totals = np.bincount(symbols, weights=counts, minlength=n_symbols)
        self.shares = counts[order] / totals[symbols[order]]

    def share(self, symbols: Ints, others: Ints) -> Floats:
        """Return the share that each of ``others`` has among the neighbours of each of ``symbols``."""
        keys = symbols * self._n_symbols + others
        found = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[found] == keys, self.shares[found], 0.0)

    def most_frequent(self, n_labels: int) -> Ints:
        """Return the most frequent labels beside each symbol, -1 where there are fewer."""
        symbol = np.repeat(np.arange(self._n_symbols), np.diff(self.bounds))
        labels = self.others < n_labels
        return _top(symbol[labels], self.others[labels], self.shares[labels], self._n_symbols, _NEXT_TO)


def _single(forward: _Neighbours, backward: _Neighbours, before: Ints, after: Ints, n_labels: int) -> Iterator[Ints]:
    best = np.full((len(before), SINGLE_STEPS), -1)
    degrees = np.diff(forward.bounds)[before]
    running = np.append(0, np.cumsum(degrees))
    start = 0
    while start < len(before):
        end = max(int(np.searchsorted(running, running[start] + _AT_ONCE, side="right")) - 1, start + 1)
        gap = np.repeat(np.arange(start, end), degrees[start:end])
        entry = np.arange(running[start], running[end]) - running[gap] + forward.bounds[before[gap]]
        step = forward.others[entry]
        score = forward.shares[entry] * backward.share(after[gap], step)
        likely = (score > 0) & (step < n_labels)
        best[start:end] = _top(gap[likely] - start, step[likely], score[likely], end - start, SINGLE_STEPS)
        start = end
    for column in range(SINGLE_STEPS):
        yield best[:, column : column + 1]


def _double(forward: _Neighbours, backward: _Neighbours, before: Ints, after: Ints, n_labels: int) -> Iterator[Ints]:
    best = np.full((len(before), DOUBLE_STEPS), -1)
    first, second = forward.most_frequent(n_labels), backward.most_frequent(n_labels)
    at_once = _AT_ONCE // _NEXT_TO**2
    for start in range(0, len(before), at_once):
        x, y = before[start : start + at_once], after[start : start + at_once]
        gap, i, j = (index.ravel() for index in np.indices((len(x), _NEXT_TO, _NEXT_TO)))
        one, two = first[x[gap], i], second[y[gap], j]
        there = (one >= 0) & (two >= 0)
        gap, one, two = gap[there], one[there], two[there]
        between = np.sqrt(forward.share(one, two) * backward.share(two, one))
        score = forward.share(x[gap], one) * between * backward.share(y[gap], two)
        likely = score > 0
        steps = one * (n_labels + 1) + two
        best[start : start + at_once] = _top(gap[likely], steps[likely], score[likely], len(x), DOUBLE_STEPS)
    for column in range(DOUBLE_STEPS):
        step = best[:, column]
        yield np.where(step[:, None] >= 0, np.column_stack(np.divmod(step, n_labels + 1)), -1)


def _run(cases: DistinctCases, gaps: Ints, size: int) -> Ints:
    """Return the run of ``size`` labels that stands most often in each gap."""
    starts = np.concatenate([cases.first - 1, cases.places])  # of the symbol before the run
    variants = np.concatenate([np.arange(len(cases.lengths)), cases.variant_of_event])
    room = starts + size + 1 <= cases.ends[variants]
    starts, variants = starts[room], variants[room]
    key = cases.symbols[starts] * cases.n_symbols + cases.symbols[starts + size + 1]
    gap = np.minimum(np.searchsorted(gaps, key), len(gaps) - 1)
    there = gaps[gap] == key if len(gaps) else np.zeros(len(key), dtype=bool)
    gap, starts, weights = gap[there], starts[there], cases.weights[variants[there]]
    best = np.full((len(gaps), size), -1)
    if len(gap):
        columns = [gap, *(cases.symbols[starts + 1 + i] for i in range(size))]
        rows, times = count_rows(columns, max(len(gaps), cases.n_symbols) + 2, weights)
        top = _top(gap[rows], np.arange(len(rows)), times.astype(np.float64), len(gaps), 1)[:, 0]
        found = top >= 0
        best[found] = cases.symbols[starts[rows[top[found]]][:, None] + 1 + np.arange(size)]
    return best


def _top(groups: Ints, items: Ints, scores: Floats, n_groups: int, most: int) -> Ints:
    """Return the items of each group with the highest scores, the first of equal ones first, -1 where there are fewer."""
    order = np.lexsort((items, -scores, groups))
    groups, items = groups[order], items[order]
    rank = np.arange(len(groups)) - np.searchsorted(groups, groups)
    best = np.full((n_groups, most), -1)
    kept = rank < most
    best[groups[kept], rank[kept]] = items[kept]
    return best
