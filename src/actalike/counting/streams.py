"""StreamCounter: window counts of events that still arrive; at any moment, those of all events so far."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.counting.open_cases import Columns, OpenCases
from actalike.counting.stream_file import StreamState, read_stream, write_stream
from actalike.counting.window_counts import PAD, WindowCounts, check_counts, check_window, contexts_first
from actalike.errors import ActalikeError, LogError
from actalike.log import check_characters
from actalike.support.container import StoredFile
from actalike.support.row_deduplication import count_rows

Table = tuple[Columns, NDArray[np.int64]]  # windows, and how often each

_BLOCK = 1 << 16  # events taken in at a time, and windows that may wait to be counted: bounds the memory


class StreamCounter:
    """Counts the windows of events that come in any batches, the cases interleaved and still open.

    ``counts()`` is always what :func:`actalike.count_windows` gives for a log of all events added so far: an open case is counted
    as if it ended now. The memory grows with the open cases and the distinct windows, not with the events.

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
        self._codes: dict[str, int] = {}  # of each activity
        self._open = OpenCases(self._window)
        self._settled: Table = np.empty((self._window, 0), dtype=np.int32), np.empty(0, dtype=np.int64)
        self._waiting: list[Columns] = []  # settled windows that are counted when they are many
        self._n_waiting = 0

    @property
    def window(self) -> int:
        """Number of symbols in a window."""
        return self._window

    @property
    def n_events(self) -> int:
        """Number of events added so far, those of closed cases and forgotten ones included: where to go on after a restart."""
        return self._n_events

    @property
    def open_cases(self) -> int:
        """Number of cases that have events and are not closed."""
        return len(self._open)

    def add(self, cases: Any, activities: Any) -> None:
        """Take in events, those of a case in their order: the case of each, and its activity.

        Both are lists, numpy arrays, or columns of Polars, pandas or pyarrow, equally long. Activities are texts; cases are texts
        or whole numbers, and 7 is the case "7". An event of a closed case begins a new case. On an error, nothing is taken.
        """
        ids, labels = _texts(cases, "cases", numbers=True), _texts(activities, "activities", numbers=False)
        if len(ids) != len(labels):
            raise LogError(
                f"{len(ids):,} cases and {len(labels):,} activities do not make events: give one of each for every event."
            )
        new_ids, new_labels = self._open.unknown(ids), sorted(set(labels).difference(self._codes))
        check_characters([*new_ids, *new_labels])
        self._codes |= {label: code for code, label in enumerate(new_labels, len(self._codes))}
        self._open.open(new_ids)
        rows = self._open.rows(ids)
        codes = np.fromiter(map(self._codes.__getitem__, labels), np.int32, len(labels))
        for start in range(0, len(ids), _BLOCK):
            self._settle(self._open.follow(rows[start : start + _BLOCK], codes[start : start + _BLOCK]))
        self._n_events += len(ids)

    def close(self, cases: Any) -> None:
        """End a case, or several. Their windows stay counted; nothing else is kept of them.

        >>> counter = StreamCounter(3)
        >>> counter.add([1, 2, 1], ["a", "a", "b"])
        >>> counter.close([1, 2])
        >>> counter.open_cases, counter.counts().n_events
        (0, 3)
        """
        several = [cases] if isinstance(cases, str | int | np.integer) else cases
        ids = sorted(set(_texts(several, "cases", numbers=True)))
        unknown = self._open.unknown(ids)
        if unknown:
            raise LogError(f"{len(unknown):,} of the cases to close are not open, such as {unknown[0]!r}. None was closed.")
        for columns in self._open.unsettled(self._open.rows(ids)):
            self._settle(columns)
        self._open.close(ids)

    def counts(self) -> WindowCounts:
        """The windows of all events so far, open cases as if they ended now, less what was forgotten."""
        self._tidy()
        unsettled = self._open.unsettled(np.arange(self.open_cases))
        columns, counts = self._count([self._settled, *(self._count([_once(each)]) for each in unsettled)])
        if not len(counts):
            raise LogError("No events are counted, so there is nothing to compare: add some first.")
        return WindowCounts(list(self._codes), columns.T, counts)

    def forget(self, counts: WindowCounts) -> None:
        """Take an old period out of the count: the windows of cases that are closed.

        An activity of which nothing is left is gone. On an error, nothing is forgotten.

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
        rest = self._count([self._settled, (old, -counts.counts)])
        missing = int((rest[1] < 0).sum())
        if missing:
            raise ActalikeError(f"The table to forget has {missing:,} windows more often than they are there: {remedy}")
        left = (self.window - 1) // 2
        happens, used = (np.zeros(len(self._codes) + 1, dtype=bool) for _ in range(2))  # PAD = -1 is the last entry
        happens[rest[0][left]] = happens[self._open.tails[:, left:]] = happens[PAD] = True
        used[rest[0]] = used[self._open.tails] = True
        labels = list(self._codes)
        if (used & ~happens).any():
            bereft = labels[int((used & ~happens).argmax())]
            raise ActalikeError(
                f"The table to forget has all events of {bereft!r}, which is still a neighbour of others: {remedy}"
            )
        self._settled = rest
        self._recode([label for label, there in zip(labels, happens.tolist(), strict=False) if there])

    def save(self, path: str | Path) -> None:
        """Write the state to a file that :func:`actalike.load` reads; see docs/file_formats.md.

        The bytes depend on what was added, closed and forgotten, and not on the batches.
        """
        self._tidy()
        columns, counts = self._settled
        write_stream(StreamState(list(self._codes), columns.T, counts, self._open.ids, self._open.tails, self.n_events), path)

    @classmethod
    def from_file(cls, file: StoredFile) -> "StreamCounter":
        """Check a stored state and take it over."""
        state = read_stream(file)
        counter = cls(state.windows.shape[1])
        counter._n_events = state.n_events
        counter._codes = {label: code for code, label in enumerate(state.activities)}
        counter._settled = state.windows.T, state.counts
        counter._open.open(state.cases)
        counter._open.tails[:] = state.tails
        return counter

    def __repr__(self) -> str:
        return (
            f"StreamCounter(window={self.window}, {self.n_events:,} events, {self.open_cases:,} open cases, "
            f"{len(self._codes):,} activities)"
        )

    def _settle(self, columns: Columns) -> None:
        """Count windows that no event will change. They wait until they are as many as the table: then counting is cheap."""
        if not columns.size:
            return
        self._waiting.append(columns)
        self._n_waiting += columns.shape[1]
        if self._n_waiting > max(_BLOCK, len(self._settled[1])):
            self._count_waiting()

    def _count_waiting(self) -> None:
        self._settled = self._count([self._settled, _once(np.concatenate(self._waiting, axis=1))])
        self._waiting, self._n_waiting = [], 0

    def _tidy(self) -> None:
        """Count all that is settled, over the sorted alphabet."""
        if self._waiting:
            self._count_waiting()
        labels = sorted(self._codes)
        if labels != list(self._codes):
            self._recode(labels)

    def _recode(self, labels: Sequence[str]) -> None:
        """Number the activities in the order of ``labels``, which has all that occur; nothing may be waiting."""
        codes = {label: code for code, label in enumerate(labels)}
        recoding = _recoding(self._codes, codes)
        columns, counts = self._settled
        self._codes = codes
        self._settled = self._count([(recoding[columns], counts)])
        self._open.recode(recoding)

    def _count(self, tables: Sequence[Table]) -> Table:
        """One table of several: distinct windows, in the order of WindowCounts, with sums other than 0."""
        columns, counts = np.concatenate([each[0] for each in tables], axis=1), np.concatenate([each[1] for each in tables])
        if not len(counts):
            return columns, counts
        samples, sums = count_rows(contexts_first(list(columns)), len(self._codes) + 1, counts)
        return columns[:, samples[sums != 0]], sums[sums != 0]


def _once(columns: Columns) -> Table:
    return columns, np.ones(columns.shape[1], dtype=np.int64)


def _recoding(labels: Iterable[str], codes: dict[str, int]) -> NDArray[np.int32]:
    """The code of each label, PAD where it has none; last, for PAD itself."""
    return np.array([*(codes.get(label, PAD) for label in labels), PAD], dtype=np.int32)


def _texts(values: Any, role: str, numbers: bool) -> list[str]:
    """A column of events as a list of texts; ``numbers``: whole numbers are allowed too."""
    if isinstance(values, np.ndarray):
        values = values.tolist()
    if isinstance(values, list | tuple):
        listed = list(values)
        if set(map(type, listed)) <= {str}:
            return listed
        missing = sum(value is None or (isinstance(value, float) and value != value) for value in listed)
    else:
        import narwhals.stable.v2 as nw  # here: lists and arrays need none of it

        if hasattr(values, "__arrow_c_array__"):  # an array of pyarrow, which narwhals does not know
            values = pl.Series(values)
        try:
            column = nw.from_native(values, series_only=True)
        except TypeError:
            raise LogError(
                f"The {role} come in a list, a numpy array, or a column of Polars, pandas or pyarrow, and not in one "
                f"{type(values).__name__}. Nothing was taken."
            ) from None
        missing, listed = int(column.is_null().sum()), column.to_list()
    if missing:
        raise LogError(f"{missing:,} of {len(listed):,} {role} are missing: mend them or leave them out. Nothing was taken.")
    for value in listed:
        if not isinstance(value, str) and not (numbers and isinstance(value, int | np.integer) and not isinstance(value, bool)):
            kinds = "texts or whole numbers" if numbers else "texts"
            raise LogError(f"Among the {role} is {value!r}, of type {type(value).__name__}: give {kinds}. Nothing was taken.")
    return [value if isinstance(value, str) else str(value) for value in listed]
