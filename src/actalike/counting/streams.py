"""Count the windows of events while they arrive; the counts of all events so far are available at any moment."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from actalike.counting.numberings import Numbering, are_texts, numbers_of
from actalike.counting.open_cases import OpenCases
from actalike.counting.stream_events import case_keys, event_keys
from actalike.counting.stream_file import StreamState, read_stream, write_stream
from actalike.counting.window_counts import PAD, WindowCounts, check_counts, check_window, contexts_first
from actalike.counting.window_keys import Table
from actalike.errors import ActalikeError, LogError
from actalike.log import check_characters
from actalike.support.container import StoredFile
from actalike.support.row_deduplication import count_rows

_BLOCK = 1 << 16  # events that may wait to be processed, and distinct windows that may wait to be added: limits the memory
_SYMBOLS_PER_EVENT = 16  # so many windows of 16 symbols are packed at a time; of larger ones fewer


class StreamCounter:
    """Count the windows of events that arrive in batches, while cases are interleaved and still open.

    ``counts()`` always equals what :func:`actalike.count_windows` returns for a log of all events added so far: an open case is
    counted as if it ended now. The memory grows with the open cases and the distinct windows, not with the events.

    >>> import actalike
    >>> counter = StreamCounter(window=3)
    >>> counter.add(["1", "2", "1"], ["a", "a", "b"])
    >>> counter.add(["2", "1"], ["c", "c"])
    >>> counter.counts() == actalike.count_windows(actalike.EventLog.from_traces([["a", "b", "c"], ["a", "c"]]), 3)
    True
    >>> counter.close("1")
    >>> counter
    StreamCounter(window=3, 5 events, 1 open cases, 3 activities)
    """

    def __init__(self, window: int) -> None:
        check_window(window)
        self._window = int(window)
        self._n_events = 0
        self._codes = Numbering()  # code of each activity
        self._open = OpenCases(self._window)
        self._event_slots, self._event_codes = array("i"), array("i")  # of events that wait
        self._closed_slots: list[int] = []  # cases that are closed after these events
        self._settled: Table = np.empty((self._window, 0), dtype=np.int32), np.empty(0, dtype=np.int64)
        self._waiting: list[Table] = []  # settled windows that are added once there are many
        self._n_waiting = 0
        self._revision = 0

    @property
    def window(self) -> int:
        """Return the number of symbols in a window."""
        return self._window

    @property
    def n_events(self) -> int:
        """Return the number of events added so far, including those of closed cases and forgotten ones.

        After a restart, skip this many events of the source.
        """
        return self._n_events

    @property
    def open_cases(self) -> int:
        """Return the number of cases that have events and are not closed."""
        return len(self._open.slots)

    @property
    def revision(self) -> int:
        """Return how often events were added, cases closed or counts forgotten; by this, users see that the counts changed."""
        return self._revision

    def add(self, cases: Any, activities: Any) -> None:
        """Add events: the case and the activity of each. The events of a case must be in their order.

        Both are lists, numpy arrays, or columns of Polars, pandas or pyarrow, of equal length. Activities are texts; cases are
        texts or whole numbers, and 7 means the case "7". An event of a closed case starts a new case. If there is an error, no
        event is added.
        """
        if not (_may_be_texts(cases) and _may_be_texts(activities) and self._take(cases, activities)):
            ids, labels = event_keys(cases, activities)
            if not self._take(ids, labels):
                new_ids, new_labels = set(ids).difference(self._open.slots), set(labels).difference(self._codes)
                check_characters([*sorted(map(str, new_ids)), *sorted(new_labels)])
        self._revision += 1

    def close(self, cases: Any) -> None:
        """Close a case, or several cases. Their windows stay counted; nothing else of them is kept.

        >>> counter = StreamCounter(3)
        >>> counter.add([1, 2, 1], ["a", "a", "b"])
        >>> counter.close([1, 2])
        >>> counter.open_cases, counter.counts().n_events
        (0, 3)
        """
        if isinstance(cases, str):
            cases = [cases]
        closed = self._open.close(cases) if _may_be_texts(cases) else None
        if closed is None:
            ids: list[Any] = list(dict.fromkeys(self._open.named(case_keys(cases))))
            unknown = sorted(str(case) for case in ids if case not in self._open.slots.numbers)
            if unknown:
                raise LogError(f"{len(unknown):,} of the cases to close are not open, such as {unknown[0]!r}. None was closed.")
            closed = [self._open.slots.numbers.pop(case) for case in ids]
        self._closed_slots += closed
        if len(self._closed_slots) >= _BLOCK:
            self._process()
        self._revision += 1

    def counts(self) -> WindowCounts:
        """Return the window counts of all events so far, without the forgotten ones; open cases count as if they ended now."""
        self._tidy()
        rows = self._open.rows
        unsettled = (self._open.unsettled(rows[some], len(self._codes)) for some in self._pieces(len(rows)))
        columns, counts = self._count([self._settled, *unsettled])
        if not len(counts):
            raise LogError("No events are counted, so there is nothing to compare: add some first.")
        return WindowCounts(list(self._codes), columns.T, counts)

    def forget(self, counts: WindowCounts) -> None:
        """Subtract the windows of closed cases, for example those of an old period.

        An activity without any events left is removed. If there is an error, nothing is forgotten.

        >>> import actalike
        >>> counter = StreamCounter(3)
        >>> counter.add([1, 1, 2], ["a", "b", "b"])
        >>> counter.close([1, 2])
        >>> counter.forget(actalike.count_windows(actalike.EventLog.from_traces([["a", "b"]]), 3))
        >>> counter.counts().activities, counter.n_events
        (['b'], 3)
        """
        check_counts(counts)
        if counts.window != self.window:
            raise ActalikeError(
                f"Windows of {self.window} are counted here, and the table to forget has windows of {counts.window}. "
                "Nothing was forgotten."
            )
        remedy = "forget only what was counted of whole cases that are closed. Nothing was forgotten."
        unknown = [label for label in counts.activities if label not in self._codes]
        if unknown:
            raise ActalikeError(f"The table to forget has the activity {unknown[0]!r}, which is not there: {remedy}")
        self._tidy()
        old = _recoding(counts.activities, self._codes)[counts.windows.T]
        remaining, remaining_counts = self._count([self._settled, (old, -counts.counts)])
        missing = int((remaining_counts < 0).sum())
        if missing:
            raise ActalikeError(f"The table to forget has {missing:,} windows more often than they are there: {remedy}")
        left = (self.window - 1) // 2
        occurs, used = (np.zeros(len(self._codes) + 1, dtype=bool) for _ in range(2))  # PAD = -1 is the last entry
        tails = self._open.tails
        occurs[remaining[left]] = occurs[tails[:, left:]] = occurs[PAD] = True
        used[remaining] = used[tails] = True
        labels = list(self._codes)
        only_neighbour = used & ~occurs
        if only_neighbour.any():
            label = labels[int(only_neighbour.argmax())]
            raise ActalikeError(
                f"The table to forget has all events of {label!r}, which is still a neighbour of others: {remedy}"
            )
        self._settled = remaining, remaining_counts
        self._recode([label for label, is_left in zip(labels, occurs.tolist(), strict=False) if is_left])
        self._revision += 1

    def save(self, path: str | Path) -> None:
        """Write the state to a file that :func:`actalike.load` reads; see docs/file_formats.md.

        The bytes depend on what was added, closed and forgotten, but not on the batches.
        """
        write_stream(self.state(), path)

    def state(self) -> StreamState:
        """Return all that the stream remembers: the settled windows, and the tails of the open cases."""
        self._tidy()
        columns, counts = self._settled
        cases = self._open
        return StreamState(
            list(self._codes), columns.T, counts, list(map(str, cases.slots)), cases.tails, cases.lengths, self.n_events
        )

    @classmethod
    def from_file(cls, file: StoredFile) -> "StreamCounter":
        """Return the counter of a stored state, or raise an error if the state contradicts itself."""
        state = read_stream(file)
        counter = cls(state.windows.shape[1])
        counter._n_events = state.n_events
        counter._codes = Numbering(state.activities)
        counter._settled = state.windows.T, state.counts
        counter._open = OpenCases(counter.window, state.cases)
        counter._open.restore(state.tails, state.lengths)
        return counter

    def __repr__(self) -> str:
        return (
            f"StreamCounter(window={self.window}, {self.n_events:,} events, {self.open_cases:,} open cases, "
            f"{len(self._codes):,} activities)"
        )

    def _take(self, cases: Sequence[str] | Sequence[int], activities: Sequence[str]) -> bool:
        """Take events whose cases are texts, or all of them whole numbers. If anything else is among the texts, take nothing.

        Only the numbers of cases and activities are looked up here. The events are processed when there are many of them, or when
        somebody asks.
        """
        if len(cases) != len(activities):
            return False
        n_cases, n_activities = self.open_cases, len(self._codes)
        taken = False
        try:
            slots, codes = self._open.slots_of(cases), numbers_of(self._codes, activities)
            taken = self._open.are_sound(n_cases) and are_texts(self._codes.numbers, n_activities)
        except TypeError:  # something cannot be looked up, such as a list
            pass
        finally:
            if not taken:
                self._open.slots.shrink(n_cases)
                self._codes.shrink(n_activities)
        if taken:
            self._event_slots.frombytes(slots)
            self._event_codes.frombytes(codes)
            self._n_events += len(cases)
            if len(self._event_slots) >= _BLOCK:
                self._process()
        return taken

    def _process(self) -> None:
        """Process the waiting events, and settle the windows of the cases that were closed after them."""
        slots, codes, closed = (
            np.array(values, dtype=np.int32) for values in (self._event_slots, self._event_codes, self._closed_slots)
        )
        self._event_slots, self._event_codes, self._closed_slots = array("i"), array("i"), []
        for some in self._pieces(len(slots)):
            self._settle(self._open.follow(slots[some], codes[some], len(self._codes)))
        for some in self._pieces(len(closed)):
            self._settle(self._open.unsettled(closed[some], len(self._codes)))
        self._open.release(closed)

    def _pieces(self, n: int) -> Iterator[slice]:
        """Yield the slices in which so many events or cases are processed. With wide windows, they are smaller."""
        most = max(_SYMBOLS_PER_EVENT * _BLOCK // self.window, 1)
        return (slice(start, start + most) for start in range(0, n, most))

    def _settle(self, table: Table) -> None:
        """Count windows that no later event changes.

        They wait until there are as many of them as windows in the table, so that the cost per window stays small.
        """
        if len(table[1]):
            self._waiting.append(table)
            self._n_waiting += len(table[1])
            if self._n_waiting > max(_BLOCK, len(self._settled[1])):
                self._count_waiting()

    def _count_waiting(self) -> None:
        """Add the waiting windows to the settled ones."""
        self._settled = self._count([self._settled, *self._waiting])
        self._waiting, self._n_waiting = [], 0

    def _tidy(self) -> None:
        """Process all that waits, and number the activities in the order of their labels."""
        if self._event_slots or self._closed_slots:
            self._process()
        if self._waiting:
            self._count_waiting()
        labels = sorted(self._codes)
        if labels != list(self._codes):
            self._recode(labels)

    def _recode(self, labels: Sequence[str]) -> None:
        """Number the activities in the order of ``labels``, which holds all that occur. Nothing may be waiting."""
        codes = Numbering(labels)
        recoding = _recoding(self._codes, codes)
        columns, counts = self._settled
        self._codes = codes
        self._settled = self._count([(recoding[columns], counts)])
        self._open.recode(recoding)

    def _count(self, tables: Sequence[Table]) -> Table:
        """Add tables: return the distinct windows, in the order of WindowCounts, whose counts do not sum to 0."""
        columns = np.concatenate([windows for windows, _ in tables], axis=1)
        counts = np.concatenate([counts for _, counts in tables])
        if not len(counts):
            return columns, counts
        samples, sums = count_rows(contexts_first(list(columns)), len(self._codes) + 1, counts)
        return columns[:, samples[sums != 0]], sums[sums != 0]


def _may_be_texts(values: Any) -> bool:
    """Return whether these values are given in a list or a tuple, and the first of them is a text."""
    return isinstance(values, list | tuple) and (not values or type(values[0]) is str)


def _recoding(labels: Iterable[str], codes: Numbering) -> NDArray[np.int32]:
    """Return the code of each label, PAD if it has none, and as the last entry PAD for PAD itself."""
    return np.array([*(codes.numbers.get(label, PAD) for label in labels), PAD], dtype=np.int32)
