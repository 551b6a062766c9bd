"""Count the contexts that two activities have in common: whole windows, for `explain` and the demo.

For the direct neighbours that the members of a group share, see :mod:`actalike.labels.shared_neighbours`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

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
    for label in (a, b):
        if label not in table.activities:
            raise UnknownActivityError(f"No activity is called {label!r}.{did_you_mean(label, table.activities)}")
    matrix = activity_context(table, context)
    counts_a, counts_b = (matrix.counts[[table.activities.index(label)]].toarray()[0] for label in (a, b))
    common = np.flatnonzero((counts_a > 0) & (counts_b > 0))
    order = np.lexsort((-(counts_a + counts_b)[common], -np.minimum(counts_a, counts_b)[common]))[:topn]
    contexts = []
    for column in common[order].tolist():
        codes, place = matrix.contexts.column(column)
        symbols = tuple(None if code < 0 else table.activities[code] for code in codes)
        contexts.append(CommonContext(matrix.contexts.share_kind, symbols, place, int(counts_a[column]), int(counts_b[column])))
    return contexts
