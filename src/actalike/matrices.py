"""The two count matrices: activity x context and activity x activity. Sparse, and without a loop over cells."""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.contexts import Contexts
from actalike.grouping import group_rows, sum_groups
from actalike.windows import WindowCounts

ContextName = Literal["sequence", "multiset"]


class CountMatrix(NamedTuple):
    """Counts with what their rows and columns number *in the log*: the marginals that PMI compares with."""

    counts: csr_array
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    total: int
    contexts: Contexts


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
    if context == "multiset":
        neighbours = list(np.sort(np.stack(neighbours, axis=1), axis=1).T) if neighbours else []
        sample, column = _group_contexts(neighbours, table)
    else:  # the windows of one context follow each other
        is_new = np.zeros(len(table.counts), dtype=bool)
        is_new[0] = True
        for symbols in neighbours:
            is_new[1:] |= symbols[1:] != symbols[:-1]
        sample, column = np.flatnonzero(is_new), np.cumsum(is_new) - 1
    counts = csr_array((table.counts, (table.focal, column)), shape=(len(table.activities), len(sample)))
    of_context = sum_groups(table.counts, column, len(sample))
    codes = np.array([symbols[sample] for symbols in neighbours], dtype=np.int32).reshape(-1, len(sample)).T
    contexts = Contexts(context, codes, table.activities, table.left)
    return CountMatrix(counts, table.activity_counts, of_context, table.n_events, contexts)


def _group_contexts(
    neighbours: list[NDArray[np.int32]], table: WindowCounts
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    if neighbours:
        return group_rows(neighbours, len(table.activities) + 1)
    return np.zeros(1, dtype=np.int64), np.zeros(len(table.counts), dtype=np.int64)  # window 1: a single, empty context


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
