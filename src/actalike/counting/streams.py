"""Count the windows of events while they arrive; the counts of all events so far are available at any moment."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from actalike.counting.open_cases import Columns, OpenCases
from actalike.counting.stream_events import cases_to_close, event_texts
from actalike.counting.stream_file import StreamState, read_stream, write_stream
from actalike.counting.window_counts import PAD, WindowCounts, check_counts, check_window, contexts_first
from actalike.errors import ActalikeError, LogError
from actalike.log import check_characters
from actalike.support.container import StoredFile
from actalike.support.row_deduplication import count_rows

Table = tuple[Columns, NDArray[np.int64]]  # distinct windows and their counts

_BLOCK = 1 << 16  # events processed at a time, and windows that may wait to be counted: limits the memory


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
        self._codes: dict[str, int] = {}  # code of each activity
        self._open = OpenCases(self._window)
        self._settled: Table = np.empty((self._window, 0), dtype=np.int32), np.empty(0, dtype=np.int64)
        self._waiting: list[Columns] = []  # settled windows that are counted once there are many
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
        return len(self._open)

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
        ids, labels = event_texts(cases, activities)
        new_ids, new_labels = self._open.unknown(ids), sorted(set(labels).difference(self._codes))
        check_characters([*new_ids, *new_labels])
        self._codes |= {label: code for code, label in enumerate(new_labels, len(self._codes))}
        self._open.open(new_ids)
        rows = self._open.rows(ids)
        codes = np.fromiter(map(self._codes.__getitem__, labels), np.int32, len(labels))
        for start in range(0, len(ids), _BLOCK):
            self._settle(self._open.follow(rows[start : start + _BLOCK], codes[start : start + _BLOCK]))
        self._n_events += len(ids)
        self._revision += 1

    def close(self, cases: Any) -> None:
        """Close a case, or several cases. Their windows stay counted; nothing else of them is kept.

        >>> counter = StreamCounter(3)
        >>> counter.add([1, 2, 1], ["a", "a", "b"])
        >>> counter.close([1, 2])
        >>> counter.open_cases, counter.counts().n_events
        (0, 3)
        """
        ids = cases_to_close(cases)
        unknown = self._open.unknown(ids)
        if unknown:
            raise LogError(f"{len(unknown):,} of the cases to close are not open, such as {unknown[0]!r}. None was closed.")
        for columns in self._open.unsettled(self._open.rows(ids)):
            self._settle(columns)
        self._open.close(ids)
        self._revision += 1

    def counts(self) -> WindowCounts:
        """Return the window counts of all events so far, without the forgotten ones; open cases count as if they ended now."""
        self._tidy()
        unsettled = self._open.unsettled(np.arange(self.open_cases))
        columns, counts = self._count([self._settled, *(self._count([_once(windows)]) for windows in unsettled)])
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
        occurs[remaining[left]] = occurs[self._open.tails[:, left:]] = occurs[PAD] = True
        used[remaining] = used[self._open.tails] = True
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
        return StreamState(list(self._codes), columns.T, counts, cases.ids, cases.tails, cases.lengths, self.n_events)

    @classmethod
    def from_file(cls, file: StoredFile) -> "StreamCounter":
        """Return the counter of a stored state, or raise an error if the state contradicts itself."""
        state = read_stream(file)
        counter = cls(state.windows.shape[1])
        counter._n_events = state.n_events
        counter._codes = {label: code for code, label in enumerate(state.activities)}
        counter._settled = state.windows.T, state.counts
        counter._open.open(state.cases)
        counter._open.tails[:], counter._open.lengths[:] = state.tails, state.lengths
        return counter

    def __repr__(self) -> str:
        return (
            f"StreamCounter(window={self.window}, {self.n_events:,} events, {self.open_cases:,} open cases, "
            f"{len(self._codes):,} activities)"
        )

    def _settle(self, columns: Columns) -> None:
        """Count windows that no later event changes.

        They wait until there are as many of them as windows in the table, so that the cost per window stays small.
        """
        if not columns.size:
            return
        self._waiting.append(columns)
        self._n_waiting += columns.shape[1]
        if self._n_waiting > max(_BLOCK, len(self._settled[1])):
            self._count_waiting()

    def _count_waiting(self) -> None:
        """Add the waiting windows to the settled ones."""
        self._settled = self._count([self._settled, _once(np.concatenate(self._waiting, axis=1))])
        self._waiting, self._n_waiting = [], 0

    def _tidy(self) -> None:
        """Count the waiting windows, and number the activities in the order of their labels."""
        if self._waiting:
            self._count_waiting()
        labels = sorted(self._codes)
        if labels != list(self._codes):
            self._recode(labels)

    def _recode(self, labels: Sequence[str]) -> None:
        """Number the activities in the order of ``labels``, which holds all that occur. No window may be waiting."""
        codes = {label: code for code, label in enumerate(labels)}
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


def _once(columns: Columns) -> Table:
    """Return a table that counts each window once."""
    return columns, np.ones(columns.shape[1], dtype=np.int64)


def _recoding(labels: Iterable[str], codes: dict[str, int]) -> NDArray[np.int32]:
    """Return the code of each label, PAD if it has none, and as the last entry PAD for PAD itself."""
    return np.array([*(codes.get(label, PAD) for label in labels), PAD], dtype=np.int32)
