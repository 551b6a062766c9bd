"""Keep the last activities of each case that is still open, as many as the coming windows need, and its number of events.

An event settles one window: the one that ends with it. That is the window of the event ``right`` places earlier in the case. So
later events need only the last ``window - 1`` activities of a case, its *tail*. The windows of the last ``right`` events are
unsettled: they have PAD to the right if the case ends now.
"""

from collections.abc import Sequence
from copy import copy
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.counting.numberings import Slots, are_texts, numbers_of
from actalike.counting.window_counts import PAD
from actalike.counting.window_keys import Table, count_line
from actalike.support.row_deduplication import sort_with_places

_SPARE = 1024  # rows that stay allocated when few cases are open


class Rows(NamedTuple):
    """Hold tails and numbers of events that are to be written for some slots."""

    slots: NDArray[np.int32]
    tails: NDArray[np.int32]
    lengths: NDArray[np.int64]


class OpenCases:
    """Hold the tails of open cases, one row per slot, padded with PAD on the left, and the number of events of each.

    What one can see changes only by ``write``, and by what is done to ``slots``: so whoever calls can decide when.

    >>> cases = OpenCases(window=3)
    >>> cases.slots.reserve(2)
    >>> x, y = cases.slots.numbers["x"], cases.slots.numbers["y"]
    >>> (columns, counts), rows = cases.follow(np.array([x, y, x]), np.array([0, 5, 1]), n_activities=6)  # x begins with 0, 1
    >>> columns.T.tolist(), counts.tolist()
    ([[-1, 0, 1]], [1])
    >>> cases.write(rows)
    >>> cases.tails.tolist(), cases.lengths.tolist()
    ([[0, 1], [-1, 5]], [2, 1])
    >>> columns, counts = cases.unsettled(cases.rows, n_activities=6)
    >>> columns.T.tolist(), counts.tolist()
    ([[-1, 5, -1], [0, 1, -1]], [1, 1])
    """

    def __init__(self, window: int, cases: Sequence[str] = ()) -> None:
        self.window = window
        self.left = (window - 1) // 2
        self.right = window - 1 - self.left
        by_number = bool(cases) and all(map(_is_number, cases))
        self.slots = Slots(map(int, cases) if by_number else cases, by_number)
        self._tails = np.empty((0, window - 1), dtype=np.int32)  # the rows of free slots hold PAD
        self._lengths = np.empty(0, dtype=np.int64)  # those of free slots are 0
        self._grow(len(self.slots))

    @property
    def rows(self) -> NDArray[np.int64]:
        """Return the slots of the open cases, in the order of ``slots``."""
        return np.fromiter(self.slots.numbers.values(), np.int64, len(self.slots))

    @property
    def tails(self) -> NDArray[np.int32]:
        """Return the tails of the open cases, in the order of ``slots``."""
        return self._tails[self.rows]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Return the number of events of each open case, in the order of ``slots``."""
        return self._lengths[self.rows]

    def restore(self, tails: NDArray[np.int32], lengths: NDArray[np.int64]) -> None:
        """Set what was kept of the open cases."""
        self._tails[self.rows], self._lengths[self.rows] = tails, lengths

    def named(self, cases: Sequence[str] | Sequence[int]) -> Sequence[str] | Sequence[int]:
        """Return cases, given as texts or all as whole numbers, by the names that they have, or will have, in ``slots``.

        These are whole numbers as long as only such have come, which saves making their texts. If texts come too, all become
        texts, since 7 and "7" are the same case.
        """
        if not cases or (is_number := type(cases[0]) is int) == self.slots.by_number:
            return cases
        if not self.slots:
            self.slots.by_number = is_number
            return cases
        if is_number:
            return list(map(str, cases))
        self.slots = self.slots.renamed(str)
        return cases

    def slots_of(self, cases: Sequence[str] | Sequence[int]) -> bytes:
        """Return the slots of cases, 4 bytes each. Those that are not open are opened."""
        names = self.named(cases)  # first: it may replace the slots
        return numbers_of(self.slots, names)

    def are_sound(self, since: int) -> bool:
        """Return whether all cases that were opened after the first so many have a name that a file can hold."""
        return self.slots.by_number or are_texts(self.slots.numbers, since)

    def put_back(self, cases: Sequence[str] | Sequence[int], slots: Sequence[int]) -> None:
        """Have cases that were removed in their slots again; those that were not removed stay as they are."""
        names = (case if type(case) is int else str.__str__(case) for case in cases)
        self.slots.numbers.update(zip(names, slots, strict=True))

    def follow(self, slots: NDArray[np.int32], codes: NDArray[np.int32], n_activities: int) -> tuple[Table, Rows]:
        """Return the windows that events settle, given by the slots of their cases and their activities, and rows to write."""
        self._grow(int(slots.max()) + 1)
        depth = self.window - 1
        order, first = sort_with_places(slots.astype(np.int64))
        starts = np.flatnonzero(first)
        touched = slots[order[starts]]
        # one line for all touched cases: the tail of each, then its new events
        places = np.cumsum(first, dtype=np.int64)
        places *= depth
        places += np.arange(len(slots))
        line = np.zeros(len(slots) + len(starts) * depth, dtype=np.int32)
        line[places] = codes[order] - PAD
        known = np.flatnonzero(self._lengths[touched])
        line[(places[starts[known]] - depth)[:, None] + np.arange(depth)] = self._tails[touched[known]] - PAD
        ends = np.append(starts[1:], len(slots))
        lengths = self._lengths[touched]
        lengths += ends - starts
        tails = line[(places[ends - 1] + 1 - depth)[:, None] + np.arange(depth)] + PAD
        rows = Rows(touched, tails, lengths)
        return count_line(line, places[line[places - self.right] != 0] - depth, self.window, n_activities), rows

    def unsettled(self, slots: NDArray[np.integer], n_activities: int) -> Table:
        """Return the unsettled windows of some cases as if these ended now."""
        depth, left, right = self.window - 1, self.left, self.right
        lines = np.zeros((len(slots), depth + right), dtype=np.int32)  # the tail of each, and PAD after it
        lines[:, :depth] = self._tails[slots] - PAD
        case, start = np.nonzero(lines[:, left : left + right])
        return count_line(lines.ravel(), case * (depth + right) + start, self.window, n_activities)

    def write(self, rows: Rows) -> None:
        """Write the tails and numbers of events of some slots; those that are to be released get PAD and 0."""
        self._tails[rows.slots], self._lengths[rows.slots] = rows.tails, rows.lengths

    @property
    def is_sparse(self) -> bool:
        """Return whether there is room for many more cases than are open."""
        return len(self._lengths) > max(_SPARE, 8 * len(self.slots))

    def compacted(self) -> "OpenCases":
        """Return the same cases in slots without gaps."""
        other = copy(self)
        other._tails, other._lengths = self.tails, self.lengths
        other.slots = Slots(self.slots, self.slots.by_number)  # a dictionary keeps the memory of deleted entries; a copy does not
        return other

    def recoded(self, codes: NDArray[np.int32]) -> "OpenCases":
        """Return the same cases, in the same slots, with the activity ``codes[a]`` for each a; the last entry is for PAD."""
        other = copy(self)
        other._tails = codes[self._tails]
        return other

    def _grow(self, size: int) -> None:
        """Make room for slots below ``size``."""
        n = len(self._lengths)
        if size > n:  # at least double the rows, so that each row is copied only a few times in the long run
            new = max(size, 2 * n) - n
            tails = np.full((n + new, self.window - 1), PAD, dtype=np.int32)
            tails[:n] = self._tails[:n]  # after an interruption between the two, there are more tails than lengths
            self._tails = tails
            self._lengths = np.concatenate([self._lengths, np.zeros(new, dtype=np.int64)])


def _is_number(case: str) -> bool:
    """Return whether a text is how a whole number of up to 18 digits is written."""
    return len(case) < 20 and case.lstrip("-").isdecimal() and case.isascii() and str(int(case)) == case
