"""Keep the last activities of each case that is still open, as many as the coming windows need, and its number of events.

An event settles one window: the one that ends with it. That is the window of the event ``right`` places earlier in the case. So
later events need only the last ``window - 1`` activities of a case, its *tail*. The windows of the last ``right`` events are
unsettled: they have PAD to the right if the case ends now.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from actalike.counting.window_counts import PAD
from actalike.support.row_deduplication import sort_with_places

Columns = NDArray[np.int32]  # windows side by side: row i has symbol i of each

_SPARE = 1024  # rows that stay allocated when few cases are open


class OpenCases:
    """Hold the tails of open cases, one row per case, padded with PAD on the left, and the number of events of each.

    >>> cases = OpenCases(window=3)
    >>> cases.open(["x", "y"])
    >>> cases.follow(cases.rows(["x", "y", "x"]), np.array([0, 5, 1])).T.tolist()  # x begins with 0, 1 and y with 5
    [[-1, 0, 1]]
    >>> cases.tails.tolist()
    [[0, 1], [-1, 5]]
    >>> cases.lengths.tolist()
    [2, 1]
    >>> [columns.T.tolist() for columns in cases.unsettled(cases.rows(["x", "y"]))]
    [[[0, 1, -1], [-1, 5, -1]]]
    """

    def __init__(self, window: int) -> None:
        self.window = window
        self.left = (window - 1) // 2
        self.ids: list[str] = []
        self._row: dict[str, int] = {}
        self._tails = np.empty((0, window - 1), dtype=np.int32)  # with spare rows at the end
        self._lengths = np.empty(0, dtype=np.int64)  # with as many

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def tails(self) -> NDArray[np.int32]:
        """Return the tails in the order of ``ids``."""
        return self._tails[: len(self)]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Return the number of events of each case in the order of ``ids``."""
        return self._lengths[: len(self)]

    def unknown(self, ids: Sequence[str]) -> list[str]:
        """Return those of the given cases that are not open, sorted."""
        return sorted(set(ids).difference(self._row))

    def rows(self, ids: Sequence[str]) -> NDArray[np.int64]:
        """Return the rows of the given cases, which must be open."""
        return np.fromiter(map(self._row.__getitem__, ids), np.int64, len(ids))

    def open(self, ids: Sequence[str]) -> None:
        """Add cases that are not open yet."""
        start, end = len(self), len(self) + len(ids)
        if end > len(self._tails):  # at least double the rows, so that each row is copied only a few times in the long run
            self._reserve(max(end, 2 * start))
        self._tails[start:end] = PAD
        self._lengths[start:end] = 0
        self._row.update(zip(ids, range(start, end), strict=True))
        self.ids.extend(ids)

    def close(self, ids: Sequence[str]) -> None:
        """Remove cases that are open; the last rows move into the freed rows."""
        closed = self.rows(ids)
        n = len(self) - len(ids)
        stays = np.ones(len(self), dtype=bool)
        stays[closed] = False
        moved = n + np.flatnonzero(stays[n:])
        holes = closed[closed < n]
        self._tails[holes], self._lengths[holes] = self._tails[moved], self._lengths[moved]
        for hole, row in zip(holes.tolist(), moved.tolist(), strict=True):
            self.ids[hole] = self.ids[row]
            self._row[self.ids[row]] = hole
        for case in ids:
            del self._row[case]
        del self.ids[n:]
        if len(self._tails) > max(_SPARE, 4 * n):
            self._reserve(2 * n)
            self._row = dict(self._row)  # a dictionary keeps the memory of deleted entries; a copy does not

    def follow(self, rows: NDArray[np.int64], codes: NDArray[np.int32]) -> Columns:
        """Append events, given by the rows of their cases and their activities, and return the windows that they settle."""
        depth = self.window - 1
        order, first = sort_with_places(rows)
        starts = np.flatnonzero(first)
        touched = rows[order[starts]]
        # one line for all touched cases: the tail of each, then its new events
        place = np.arange(len(rows)) + np.cumsum(first) * depth
        line = np.empty(len(rows) + len(starts) * depth, dtype=np.int32)
        line[place] = codes[order]
        line[(place[starts] - depth)[:, None] + np.arange(depth)] = self._tails[touched]
        columns = line[place + np.arange(-depth, 1)[:, None]]
        ends = np.append(starts[1:], len(rows))
        self._tails[touched] = columns[1:, ends - 1].T
        self._lengths[touched] += ends - starts
        return columns[:, columns[self.left] != PAD]

    def unsettled(self, rows: NDArray[np.int64]) -> Iterator[Columns]:
        """Yield the unsettled windows of some cases as if these ended now: those with 1 PAD to the right, then 2, and so on."""
        for beyond in range(1, self.window - self.left):
            columns = np.full((self.window, len(rows)), PAD, dtype=np.int32)
            columns[:-beyond] = self._tails[rows, beyond - 1 :].T
            yield columns[:, columns[self.left] != PAD]

    def recode(self, codes: NDArray[np.int32]) -> None:
        """Replace each activity a by ``codes[a]``; the last entry is for PAD."""
        self.tails[:] = codes[self.tails]

    def _reserve(self, rows: int) -> None:
        """Move the open cases into arrays of this many rows."""
        tails, lengths = self.tails, self.lengths
        self._tails, self._lengths = np.empty((rows, self.window - 1), dtype=np.int32), np.empty(rows, dtype=np.int64)
        self._tails[: len(tails)], self._lengths[: len(lengths)] = tails, lengths
