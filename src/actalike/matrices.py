"""The two count matrices: activity x context and activity x activity. Sparse, and without a loop over cells."""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.contexts import Contexts
from actalike.grouping import group_rows
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
    neighbours = np.delete(table.windows, table.left, axis=1)
    if context == "multiset":
        neighbours.sort(axis=1)
    n_activities = len(table.activities)
    if neighbours.shape[1]:
        sample, column = group_rows(list(neighbours.T), n_activities + 1)
    else:  # window 1: a single, empty context
        sample, column = np.zeros(1, dtype=np.int64), np.zeros(len(neighbours), dtype=np.int64)
    counts = csr_array((table.counts, (table.focal, column)), shape=(n_activities, len(sample)))
    counts.sum_duplicates()
    contexts = Contexts(context, neighbours[sample], table.activities, table.left)
    return CountMatrix(counts, table.activity_counts, counts.sum(axis=0), table.n_events, contexts)


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
