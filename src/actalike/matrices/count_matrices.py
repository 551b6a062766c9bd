"""The two count matrices: activity x context and activity x activity. Sparse, and without a loop over cells."""

from collections.abc import Callable
from functools import wraps
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array

from actalike.counting import WindowCounts
from actalike.matrices.contexts import ANY, Contexts
from actalike.support.row_deduplication import group_rows, sum_groups

ContextName = Literal["sequence", "multiset"]


class CountMatrix(NamedTuple):
    """Counts with what their rows and columns number *in the log*: the marginals that PMI compares with."""

    counts: csr_array
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    total: int
    contexts: Contexts


def _made_once(make: Callable[[WindowCounts, ContextName], CountMatrix]) -> Callable[[WindowCounts, ContextName], CountMatrix]:
    """Keep a matrix with the table that it is made from."""

    @wraps(make)
    def look_up(table: WindowCounts, context: ContextName) -> CountMatrix:
        key = (make.__name__, context)
        if key not in table.derived:
            table.derived[key] = make(table, context)
        return table.derived[key]

    return look_up


@_made_once
def activity_context(table: WindowCounts, context: ContextName) -> CountMatrix:
    """AC(a, c): the number of windows with focal activity ``a`` and context ``c``.

    A sequence context is the neighbours left and right in order; a multiset context the same symbols, order and side
    forgotten. PAD counts as a symbol in both.

    >>> from actalike import EventLog, count_windows
    >>> matrix = activity_context(count_windows(EventLog.from_traces([["a", "b"], ["a", "a"]]), 3), "multiset")
    >>> [matrix.contexts.text(column) for column in range(2)], matrix.counts.toarray().tolist()
    (['{(outside), a}', '{(outside), b}'], [[2, 1], [1, 0]])
    """
    neighbours = [table.windows[:, i] for i in range(table.window) if i != table.left]
    n_activities, n_windows = len(table.activities), len(table.counts)
    if context == "sequence":  # the windows of one context follow each other: that is a matrix, stored by columns
        sample = _context_starts(neighbours, n_windows)
        bounds = np.append(sample, n_windows)
        counts = csr_array(csc_array((table.counts, table.focal, bounds), shape=(n_activities, len(sample))))
    else:
        neighbours = list(np.sort(np.array(neighbours).reshape(-1, n_windows), axis=0))
        sample, column = group_rows(neighbours or [table.focal * 0], n_activities + 1)
        counts = csr_array((table.counts, (table.focal, column)), shape=(n_activities, len(sample)))
    of_context = sum_groups(counts.data, counts.indices, len(sample))
    codes = np.array([symbols[sample] for symbols in neighbours], dtype=np.int32).reshape(-1, len(sample)).T
    contexts = Contexts(context, codes, table.activities, table.left)
    return CountMatrix(counts, table.activity_counts, of_context, table.n_events, contexts)


def _context_starts(neighbours: list[NDArray[np.int32]], n_windows: int) -> NDArray[np.int64]:
    """The first window of each sequence context."""
    is_new = np.zeros(n_windows, dtype=bool)
    is_new[0] = True
    for symbols in neighbours:
        is_new[1:] |= symbols[1:] != symbols[:-1]
    return np.flatnonzero(is_new)


@_made_once
def activity_activity(table: WindowCounts, context: ContextName) -> CountMatrix:
    """AA(a, b): the sum of AC(a, c) + AC(b, c) over the contexts ``c`` that both have; AA = X Bᵀ + B Xᵀ with B = (X > 0).

    Symmetric, with AA(a, a) = 2 n(a).

    >>> from actalike import EventLog, count_windows
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "a", "y"], ["x", "b", "y"]])
    >>> activity_activity(count_windows(log, 3), "sequence").counts.toarray().tolist()
    [[4, 3, 0, 0], [3, 2, 0, 0], [0, 0, 6, 0], [0, 0, 0, 6]]
    """
    ac = activity_context(table, context)
    x = ac.counts
    b = csr_array((np.ones_like(x.data), x.indices, x.indptr), shape=x.shape)
    half = csr_array(x @ b.T)
    counts = csr_array(half + half.T)
    counts.sort_indices()
    each = np.arange(len(table.activities), dtype=np.int32)[:, np.newaxis]
    contexts = Contexts("activity", each, table.activities)
    return CountMatrix(counts, ac.rows, ac.rows, ac.total, contexts)


def activity_position(table: WindowCounts) -> CountMatrix:
    """AP(a, (o, x)): the number of windows with focal activity ``a`` and neighbour ``x`` (an activity or PAD) at offset ``o``.

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
    n_symbols = len(table.activities) + 1
    places = [column for column in range(table.window) if column != table.left]
    columns = [table.windows[:, place].astype(np.int64) + 1 + i * n_symbols for i, place in enumerate(places)]
    row = np.tile(table.focal, len(places))
    column = np.concatenate(columns) if places else np.zeros(0, dtype=np.int64)
    seen, column = np.unique(column, return_inverse=True)
    counts = csr_array((np.tile(table.counts, len(places)), (row, column)), shape=(n_symbols - 1, len(seen)))
    codes = np.full((len(seen), len(places)), ANY, dtype=np.int32)
    codes[np.arange(len(seen)), seen // n_symbols] = seen % n_symbols - 1
    contexts = Contexts("position", codes, table.activities, table.left)
    of_column = sum_groups(counts.data, counts.indices, len(seen))
    return CountMatrix(counts, table.activity_counts, of_column, table.n_events, contexts)
