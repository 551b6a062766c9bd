"""Count how often one activity directly follows another, and how many cases each activity starts and ends."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.counting.window_counts import WindowCounts, check_counts
from actalike.counting.windows import count_windows
from actalike.errors import ActalikeError
from actalike.log import EventLog


class DirectlyFollows(NamedTuple):
    """Hold a directly-follows graph: activity ``second[i]`` follows ``first[i]`` directly ``counts[i]`` times.

    ``first`` and ``second`` are positions in ``activities``. The most frequent pair comes first, equally frequent ones in the
    order of their labels; only pairs that occur are listed. ``starts`` and ``ends`` hold for each activity how many cases begin
    and end with it.
    """

    activities: list[str]
    first: NDArray[np.int32]
    second: NDArray[np.int32]
    counts: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def pairs(self) -> list[tuple[str, str, int]]:
        """Return the pairs as labels, with their counts."""
        codes = zip(self.first.tolist(), self.second.tolist(), self.counts.tolist(), strict=True)
        return [(self.activities[a], self.activities[b], count) for a, b, count in codes]


def directly_follows(log: EventLog | WindowCounts) -> DirectlyFollows:
    """Return the directly-follows graph of a log, or of window counts whose windows have 2 symbols or more.

    >>> graph = directly_follows(EventLog.from_traces([["a", "b", "c"], ["a", "c"], ["a", "c"]]))
    >>> graph.pairs()
    [('a', 'c', 2), ('a', 'b', 1), ('b', 'c', 1)]
    >>> graph.starts.tolist(), graph.ends.tolist()
    ([3, 0, 0], [0, 0, 3])
    """
    if isinstance(log, EventLog):
        log = count_windows(log, 2)
    check_counts(log)
    if log.window < 2:
        raise ActalikeError("Windows of 1 symbol do not tell what follows: count again with count_windows(log, window=2).")
    table = log.marginal(2)
    n = len(table.activities)
    first, second = table.windows.T
    inside = second >= 0  # otherwise PAD, because the case ends
    ends, follows = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    ends[first[~inside]] = table.counts[~inside]
    np.add.at(follows, second[inside], table.counts[inside])
    first, second, counts = first[inside], second[inside], table.counts[inside]
    order = np.lexsort((second, first, -counts))
    starts = table.activity_counts - follows  # events that follow no other event
    return DirectlyFollows(list(table.activities), first[order], second[order], counts[order], starts, ends)
