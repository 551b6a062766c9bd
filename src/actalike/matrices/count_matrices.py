"""Build the count matrices: activity x context, activity x activity and activity x position. All are sparse."""

from collections.abc import Callable
from functools import wraps
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array

from actalike.counting import WindowCounts
from actalike.matrices.contexts import ANY, Contexts
from actalike.support.memory_estimates import require_memory
from actalike.support.row_deduplication import group_rows, sum_groups

ContextName = Literal["sequence", "multiset"]


class CountMatrix(NamedTuple):
    """Hold counts with the marginals of their rows and columns *in the log*, which PMI compares with."""

    counts: csr_array
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    total: int
    contexts: Contexts


_BYTES_OF_CELL = 64  # of an activity x activity matrix: its two halves, their sum and the weights, each with numbers of columns
_Build = Callable[[WindowCounts, ContextName], CountMatrix]


def _cached(build: _Build) -> _Build:
    """Keep a matrix with the table from which it is built."""

    @wraps(build)
    def look_up(table: WindowCounts, context: ContextName) -> CountMatrix:
        key = (build.__name__, context)
        if key not in table.derived:
            table.derived[key] = build(table, context)
        return table.derived[key]

    return look_up


@_cached
def activity_context(table: WindowCounts, context: ContextName) -> CountMatrix:
    """Count AC(a, c), the number of windows with focal activity ``a`` and context ``c``.

    A sequence context is the neighbours to the left and right in their order. A multiset context is the same symbols without
    order and side. PAD counts as a symbol in both.

    >>> from actalike import EventLog, count_windows
    >>> matrix = activity_context(count_windows(EventLog.from_traces([["a", "b"], ["a", "a"]]), 3), "multiset")
    >>> [matrix.contexts.text(column) for column in range(2)], matrix.counts.toarray().tolist()
    (['{(outside), a}', '{(outside), b}'], [[2, 1], [1, 0]])
    """
    neighbours = [table.windows[:, i] for i in range(table.window) if i != table.left]
    n_activities, n_windows = len(table.activities), len(table.counts)
    if context == "sequence":  # windows are sorted by context, so the table already is a matrix stored by columns
        sample = _context_starts(neighbours, n_windows)
        bounds = np.append(sample, n_windows)
        counts = csr_array(csc_array((table.counts, table.focal, bounds), shape=(n_activities, len(sample))))
        context_counts = np.add.reduceat(table.counts, sample)
    else:
        neighbours = list(np.sort(np.array(neighbours).reshape(-1, n_windows), axis=0))
        sample, column = group_rows(neighbours or [table.focal * 0], n_activities + 1)
        counts = csr_array((table.counts, (table.focal, column)), shape=(n_activities, len(sample)))
        context_counts = sum_groups(table.counts, column, len(sample))
    codes = np.array([symbols.take(sample) for symbols in neighbours], dtype=np.int32).reshape(-1, len(sample)).T
    contexts = Contexts(context, codes, table.activities, table.left)
    return CountMatrix(counts, table.activity_counts, context_counts, table.n_events, contexts)


def _context_starts(neighbours: list[NDArray[np.int32]], n_windows: int) -> NDArray[np.int64]:
    """Return the index of the first window of each sequence context."""
    is_new = np.zeros(n_windows, dtype=bool)
    is_new[0] = True
    for symbols in neighbours:
        is_new[1:] |= symbols[1:] != symbols[:-1]
    return np.flatnonzero(is_new)


@_cached
def activity_activity(table: WindowCounts, context: ContextName) -> CountMatrix:
    """Compute AA(a, b), the sum of AC(a, c) + AC(b, c) over the contexts ``c`` that both activities have.

    As matrices, AA = X Bᵀ + B Xᵀ with X = AC and B = (X > 0). AA is symmetric, and AA(a, a) = 2 n(a).

    >>> from actalike import EventLog, count_windows
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "a", "y"], ["x", "b", "y"]])
    >>> activity_activity(count_windows(log, 3), "sequence").counts.toarray().tolist()
    [[4, 3, 0, 0], [3, 2, 0, 0], [0, 0, 6, 0], [0, 0, 0, 6]]
    """
    ac = activity_context(table, context)
    x = ac.counts
    b = csr_array((np.ones_like(x.data), x.indices, x.indptr), shape=x.shape)
    require_memory(
        _BYTES_OF_CELL * _most_cells(b),
        f"An activity x activity matrix of {len(table.activities):,} activities",
        "merge rare activities first (actalike relabel), or choose a method with activities x contexts, such as "
        f"ac-{context}-pmi-w{table.window}",
    )
    half = csr_array(x @ b.T)
    counts = csr_array(half + half.T)
    counts.sort_indices()
    codes = np.arange(len(table.activities), dtype=np.int32)[:, np.newaxis]
    contexts = Contexts("activity", codes, table.activities)
    return CountMatrix(counts, ac.rows, ac.rows, ac.total, contexts)


def _most_cells(seen: csr_array) -> int:
    """Return how many cells B Bᵀ has at most: in a row, one for each activity that shares a context, counted with repeats."""
    in_column = np.bincount(seen.indices, minlength=seen.shape[1])
    in_row = np.add.reduceat(np.append(in_column[seen.indices], 0), seen.indptr[:-1]) if seen.shape[0] else np.zeros(0)
    return int(np.minimum(np.where(np.diff(seen.indptr) > 0, in_row, 0), seen.shape[0]).sum())


def activity_position(table: WindowCounts) -> CountMatrix:
    """Count AP(a, (o, x)), the number of windows with focal activity ``a`` and neighbour ``x`` (or PAD) at offset ``o``.

    >>> from actalike import EventLog, count_windows
    >>> matrix = activity_position(count_windows(EventLog.from_traces([["a", "b"], ["a", "a"]]), 3))
    >>> [matrix.contexts.text(column) for column in range(5)]
    ['(start) → ●', 'a → ●', '● → (end)', '● → a', '● → b']
    >>> matrix.counts.toarray().tolist()
    [[2, 1, 1, 1, 1], [0, 1, 1, 0, 0]]
    """
    if "activity_position" not in table.derived:
        table.derived["activity_position"] = _activity_position(table)
    return table.derived["activity_position"]


def _activity_position(table: WindowCounts) -> CountMatrix:
    """Build the matrix of :func:`activity_position`."""
    n_symbols = len(table.activities) + 1
    places = [column for column in range(table.window) if column != table.left]
    columns = [table.windows[:, place].astype(np.int64) + 1 + i * n_symbols for i, place in enumerate(places)]
    row = np.tile(table.focal, len(places))
    column = np.concatenate(columns) if places else np.zeros(0, dtype=np.int64)
    distinct, column = np.unique(column, return_inverse=True)
    counts = csr_array((np.tile(table.counts, len(places)), (row, column)), shape=(n_symbols - 1, len(distinct)))
    codes = np.full((len(distinct), len(places)), ANY, dtype=np.int32)
    codes[np.arange(len(distinct)), distinct // n_symbols] = distinct % n_symbols - 1
    contexts = Contexts("position", codes, table.activities, table.left)
    column_counts = sum_groups(counts.data, counts.indices, len(distinct))
    return CountMatrix(counts, table.activity_counts, column_counts, table.n_events, contexts)
