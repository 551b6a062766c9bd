"""Count the contexts that two activities have in common (whole windows), and those that differ (direct neighbours).

For the direct neighbours that the members of a group share, see :mod:`actalike.labels.shared_neighbours`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from actalike.counting import WindowCounts
from actalike.errors import UnknownActivityError, did_you_mean
from actalike.matrices import ContextName, ShareKind, activity_context, context_text


@dataclass(frozen=True)
class CommonContext:
    """Hold a context of two activities, and how often each of them occurs in it.

    ``kind``, ``symbols`` and ``place`` are those of :class:`actalike.Share`; a symbol is None outside the case.

    >>> CommonContext("between", ("x", None), 1, count_a=1, count_b=2).context
    'x → ● → (end)'
    """

    kind: ShareKind
    symbols: tuple[str | None, ...]
    place: int
    count_a: int
    count_b: int

    @property
    def context(self) -> str:
        """Return the context as text."""
        return context_text(self.kind, self.symbols, self.place)

    def as_dict(self) -> dict[str, Any]:
        """Return the context as text and the two counts, for JSON."""
        return {"context": self.context, "count_a": self.count_a, "count_b": self.count_b}


def common_contexts(
    table: WindowCounts, a: str, b: str, context: ContextName = "sequence", topn: int | None = 10
) -> list[CommonContext]:
    """Return the contexts in which both activities occur, those that are frequent for both first.

    >>> from actalike import EventLog, count_windows
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["x", "b", "y"]])
    >>> common_contexts(count_windows(log, 3), "a", "b")
    [CommonContext(kind='between', symbols=('x', 'y'), place=1, count_a=1, count_b=2)]
    """
    rows = _positions(table, a, b)
    matrix = activity_context(table, context)
    counts_a, counts_b = (matrix.counts[[row]].toarray()[0] for row in rows)
    common = np.flatnonzero((counts_a > 0) & (counts_b > 0))
    order = np.lexsort((-(counts_a + counts_b)[common], -np.minimum(counts_a, counts_b)[common]))[:topn]
    contexts = []
    for column in common[order].tolist():
        codes, place = matrix.contexts.column(column)
        symbols = tuple(None if code < 0 else table.activities[code] for code in codes)
        contexts.append(CommonContext(matrix.contexts.share_kind, symbols, place, int(counts_a[column]), int(counts_b[column])))
    return contexts


def differing_contexts(table: WindowCounts, a: str, b: str, topn: int | None = 5) -> list[CommonContext]:
    """Return the direct neighbours that one activity has more often than the other, the largest difference first.

    The difference is that between the share of a's events with the neighbour and the share of b's. The neighbours before and
    those after are compared separately.

    >>> from actalike import EventLog, count_windows
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["z", "b", "y"]])
    >>> contexts = differing_contexts(count_windows(log, 3), "a", "b")
    >>> [(differing.context, differing.count_a, differing.count_b) for differing in contexts]
    [('x → ●', 1, 1), ('z → ●', 0, 1)]
    """
    rows = _positions(table, a, b)
    table, n = table.marginal(3), len(table.activities)
    contexts: list[tuple[tuple[float, int, int], CommonContext]] = []
    for column, place in ((0, -1), (2, 1)):
        neighbours = table.windows[:, column].astype(np.int64) % (n + 1)  # PAD becomes n
        counts_a, counts_b = (_counted(table, row, neighbours, n) for row in rows)
        difference = np.abs(counts_a / counts_a.sum() - counts_b / counts_b.sum()).round(12)
        for code in np.flatnonzero(difference).tolist():
            count_a, count_b = int(counts_a[code]), int(counts_b[code])
            symbol = table.activities[code] if code < n else None
            order = (-float(difference[code]), -(count_a + count_b), len(contexts))
            contexts.append((order, CommonContext("beside", (symbol,), place, count_a, count_b)))
    return [context for _, context in sorted(contexts, key=lambda one: one[0])][:topn]


def _counted(table: WindowCounts, row: int, neighbours: NDArray[np.int64], n: int) -> NDArray[np.float64]:
    """Return how often an activity has each neighbour; the last one stands for the outside of the case."""
    of_row = table.focal == row
    return np.bincount(neighbours[of_row], weights=table.counts[of_row], minlength=n + 1).astype(np.float64)


def _positions(table: WindowCounts, *labels: str) -> list[int]:
    for label in labels:
        if label not in table.activities:
            raise UnknownActivityError(f"No activity is called {label!r}.{did_you_mean(label, table.activities)}")
    return [table.activities.index(label) for label in labels]
