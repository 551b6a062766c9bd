"""The contexts that two activities have in common: the evidence behind a similarity, as plain counts."""

from typing import NamedTuple

import numpy as np

from actalike.counting import WindowCounts
from actalike.errors import UnknownActivityError, did_you_mean
from actalike.matrices import ContextName, activity_context


class CommonContext(NamedTuple):
    """A context in words, and how often each of the two activities occurs in it."""

    context: str
    count_a: int
    count_b: int


def common_contexts(
    table: WindowCounts, a: str, b: str, context: ContextName = "sequence", topn: int | None = 10
) -> list[CommonContext]:
    """The contexts in which both activities occur, those that are frequent for both first.

    >>> from actalike import EventLog, count_windows
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["x", "b", "y"]])
    >>> common_contexts(count_windows(log, 3), "a", "b")
    [CommonContext(context='x → ● → y', count_a=1, count_b=2)]
    """
    for label in (a, b):
        if label not in table.activities:
            raise UnknownActivityError(f"No activity is called {label!r}.{did_you_mean(label, table.activities)}")
    matrix = activity_context(table, context)
    first, second = (matrix.counts[[table.activities.index(label)]].toarray()[0] for label in (a, b))
    both = np.flatnonzero((first > 0) & (second > 0))
    order = np.lexsort((-(first + second)[both], -np.minimum(first, second)[both]))[:topn]
    return [CommonContext(matrix.contexts.text(c), int(first[c]), int(second[c])) for c in both[order].tolist()]
