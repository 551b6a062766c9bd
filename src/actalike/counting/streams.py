"""Count the windows of events while they arrive; the counts of all events so far are available at any moment.

An event settles one window: the one that ends with it. That is the window of the event ``right`` places earlier in the case. So
later events need only the last ``window - 1`` activities of a case, its *tail*. The windows of the last ``right`` events are
unsettled: they have PAD to the right if the case ends now.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import wraps
from pathlib import Path
from threading import RLock
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from actalike.counting.stream_events import Clock, Event, Late, cases_to_close, event_texts, event_times, record_columns
from actalike.counting.stream_file import StreamState, checked_offsets, read_stream, write_stream
from actalike.counting.windows import PAD, WindowCounts, check_counts, check_window, contexts_first
from actalike.errors import ActalikeError, LogError
from actalike.log import check_characters
from actalike.support.arrays import count_rows
from actalike.support.saved import StoredFile

Symbols = tuple[str | None, ...]  # of a window or a tail; None is PAD

_SPARE = 1024  # open cases for which there is always room

P = ParamSpec("P")
T = TypeVar("T")


class OpenCase(NamedTuple):
    """Describe an open case. ``last_activity`` is None for windows of 1, ``last_time`` where no timestamps are given."""

    case: str
    n_events: int
    last_activity: str | None
    last_time: np.datetime64 | None


def for_one_thread(method: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], T]:
    """Let a method raise an error, and change nothing, while another thread is in such a method of the same object."""

    @wraps(method)
    def run(self: Any, /, *arguments: P.args, **options: P.kwargs) -> T:
        if not self._lock.acquire(blocking=False):
            raise ActalikeError(
                f"This {type(self).__name__} is being used by another thread: have one for each thread, or hold a lock of your "
                "own while you call it. Nothing was changed by this call."
            )
        try:
            return method(self, *arguments, **options)
        finally:
            self._lock.release()

    return run


class StreamCounter:
    """Count the windows of events that arrive in batches, while cases are interleaved and still open.

    ``counts()`` always equals what :func:`actalike.count_windows` returns for a log of all events added so far: an open case is
    counted as if it ended now. The memory grows with the open cases and the distinct windows, not with the events.

    Events of a case must come in their order. If they may come late, give ``lateness`` and add timestamps: events are held back
    for so long, and counted in the order of their timestamps. One that comes later still is an error; with ``late="skip"`` it is
    left out and counted in ``n_late``. With ``idle``, cases without events for longer are closed. Both are a timedelta or
    seconds; the time is that of the timestamps.

    A counter is for one thread at a time. If a change is interrupted (Ctrl-C, the end of memory), the next call is an error:
    restore a checkpoint.

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

    def __init__(self, window: int, *, lateness: Any = None, idle: Any = None, late: Late = "error") -> None:
        self._window = check_window(window)
        self._left = (self._window - 1) // 2
        self._right = self._window - 1 - self._left
        self._clock = Clock.given(lateness, idle, late)
        self._offsets: dict[str, Any] = {}
        self._lock = RLock()
        self._whole = True  # False during a change, and after one that was interrupted
        self._n_events = self._revision = 0
        self._labels: dict[str, str] = {}  # each activity once, whatever strings the events bring
        self._tails: dict[str, Symbols] = {}  # of the open cases, padded on the left
        self._lengths: Counter[str] = Counter()  # events of the open cases
        self._room = _SPARE  # open cases for which the two hold memory
        self._settled: Counter[Symbols] = Counter()

    @property
    def window(self) -> int:
        """Return the number of symbols in a window."""
        return self._window

    @property
    def n_events(self) -> int:
        """Return the number of events added so far, including those of closed cases, forgotten, held back and late ones.

        After a restart, skip this many events of the source.
        """
        return self._n_events

    @property
    def puts_in_order(self) -> bool:
        """Return whether events have timestamps: whether lateness or idle was given."""
        return self._clock is not None

    @property
    def n_late(self) -> int:
        """Return the number of events that came too late and were left out."""
        return 0 if self._clock is None else self._clock.n_late

    @property
    def open_cases(self) -> int:
        """Return the number of cases that have events and are not closed."""
        return len(self._tails.keys() | self._held_cases())

    @property
    def revision(self) -> int:
        """Return how often events were added, cases closed or counts forgotten; by this, users see that the counts changed."""
        return self._revision

    @property
    def offsets(self) -> dict[str, Any]:
        """Return the offsets that were saved, or loaded, with the state last."""
        return deepcopy(self._offsets)

    @for_one_thread
    def add(self, cases: Any, activities: Any, timestamps: Any = None) -> None:
        """Add events: the case and the activity of each, and with ``lateness`` or ``idle`` the timestamp.

        They are lists, numpy arrays, or columns of Polars, pandas or pyarrow, of equal length. Activities are strings; cases are
        strings or integers, and 7 means the case "7". Timestamps are datetimes (UTC if they have no zone), ISO 8601 strings, or
        seconds since 1970. An event of a closed case starts a new case. If there is an error, no event is added.
        """
        self._check_whole()
        ids, labels = event_texts(cases, activities)
        check_characters(case for case in ids if case not in self._tails)
        check_characters(label for label in labels if label not in self._labels)
        if (self._clock is None) != (timestamps is None):
            raise LogError(
                "Timestamps are of use only to a counter with lateness= or idle=, such as StreamCounter(5, lateness=60)."
                if self._clock is None
                else "This counter puts events into the order of their timestamps: give them as the third argument."
            )
        times = None if self._clock is None else event_times(timestamps, len(ids))
        self._whole = False
        if self._clock is None or times is None:
            self._count(ids, labels)
        else:
            try:
                released = self._clock.arrive(times, ids, labels)
            except LogError:  # some are late; nothing has changed
                self._whole = True
                raise
            self._use(self._clock, released)
            self._remove(self._clock.idle_cases())
        self._n_events += len(ids)
        self._revision += 1
        self._whole = True

    def add_records(
        self, records: Iterable[Mapping[str, Any]], case: str = "case", activity: str = "activity", timestamp: str = "timestamp"
    ) -> None:
        """Add events that come as records (dicts), such as parsed JSON; the other arguments name the keys.

        >>> counter = StreamCounter(3, lateness=60)
        >>> counter.add_records([{"case": 7, "activity": "Pay", "timestamp": "2024-02-29T12:00:05Z", "amount": 12.5}])
        >>> counter.add_records([{"case": 7, "activity": "Check", "timestamp": "2024-02-29T12:00:00Z"}])
        >>> counter.counts().activities[counter.counts().windows[0][1]]  # of the first event, which came last
        'Check'
        """
        names = [case, activity] if self._clock is None else [case, activity, timestamp]
        self.add(*record_columns(records, names))

    @for_one_thread
    def close(self, cases: Any) -> None:
        """Close a case, or several cases. Their windows stay counted; nothing else of them is kept.

        >>> counter = StreamCounter(3)
        >>> counter.add([1, 2, 1], ["a", "a", "b"])
        >>> counter.close([1, 2])
        >>> counter.open_cases, counter.counts().n_events
        (0, 3)
        """
        self._check_whole()
        ids = cases_to_close(cases)
        held = self._held_cases()
        unknown = [case for case in ids if case not in self._tails and case not in held]
        if unknown:
            raise LogError(f"{len(unknown):,} of the cases to close are not open, such as {min(unknown)!r}. None was closed.")
        self._whole = False
        if self._clock is not None:
            self._use(self._clock, self._clock.release(ids))
            for case in ids:
                del self._clock.last[case]
        self._remove(ids)
        self._revision += 1
        self._whole = True

    @for_one_thread
    def list_open_cases(self) -> list[OpenCase]:
        """Return the open cases in the order of their names.

        >>> counter = StreamCounter(3)
        >>> counter.add([2, 1, 2], ["a", "a", "b"])
        >>> counter.list_open_cases()[1]
        OpenCase(case='2', n_events=2, last_activity='b', last_time=None)
        """
        counter = self._without_held()
        times = {} if counter._clock is None else counter._clock.last
        return [
            OpenCase(case, counter._lengths[case], tail[-1] if tail else None, _moment(times.get(case)))
            for case, tail in sorted(counter._tails.items())
        ]

    @for_one_thread
    def counts(self) -> WindowCounts:
        """Return the window counts of all events so far, without the forgotten ones; open cases count as if they ended now."""
        counter = self._without_held()
        table = counter._settled.copy()
        for tail in counter._tails.values():
            table.update(counter._unsettled(tail))
        if not table:
            raise LogError("No events are counted, so there is nothing to compare: add some first.")
        labels = sorted(counter._labels)
        return WindowCounts(labels, *counter._arrays(labels, table))

    @for_one_thread
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
        self._check_whole()
        check_counts(counts)
        if counts.window != self.window:
            raise ActalikeError(
                f"Windows of {self.window} are counted here, and the table to forget has windows of {counts.window}. "
                "Nothing was forgotten."
            )
        remedy = "forget only what was counted of whole cases that are closed. Nothing was forgotten."
        unknown = [label for label in counts.activities if label not in self._labels]
        if unknown:
            raise ActalikeError(f"The table to forget has the activity {unknown[0]!r}, which is not there: {remedy}")
        remaining = self._settled.copy()
        remaining.subtract(_table(counts.activities, counts.windows, counts.counts))
        missing = sum(number < 0 for number in remaining.values())
        if missing:
            raise ActalikeError(f"The table to forget has {missing:,} windows more often than they are there: {remedy}")
        remaining = +remaining
        tails = self._tails.values()
        occurs = {window[self._left] for window in remaining}.union(*(tail[self._left :] for tail in tails))
        only_neighbours = set().union(*remaining, *tails) - occurs - {None}
        if only_neighbours:
            raise ActalikeError(
                f"The table to forget has all events of {min(filter(None, only_neighbours))!r}, which is still a neighbour of "
                f"others: {remedy}"
            )
        self._whole = False
        self._labels = {label: label for label in self._labels if label in occurs}
        self._settled = remaining
        self._revision += 1
        self._whole = True

    @for_one_thread
    def save(self, path: str | Path, offsets: Mapping[str, Any] | None = None) -> None:
        """Write a checkpoint, a file that :func:`actalike.load` reads; see docs/file_formats.md.

        ``offsets`` is a small dict of JSON values that is stored with the state, whole or not at all, such as
        ``{"orders-0": 4711}``: where to go on reading. The counter that is loaded has it as ``offsets``.
        The bytes depend on what was added, closed and forgotten, but not on the batches.
        """
        checked = checked_offsets(offsets)
        write_stream(self.state()._replace(offsets=checked), path)
        self._offsets = checked

    @for_one_thread
    def state(self) -> StreamState:
        """Return all that the stream remembers: the settled windows, and the tails of the open cases, sorted by name."""
        self._check_whole()
        labels, cases = sorted(self._labels), sorted(self._tails)
        tails = _codes(labels, [self._tails[case] for case in cases], self._window - 1)
        lengths = np.array([self._lengths[case] for case in cases], dtype=np.int64)
        windows, counts = self._arrays(labels, self._settled)
        return StreamState(labels, windows, counts, cases, tails, lengths, self._n_events, deepcopy(self._clock), self.offsets)

    @classmethod
    def from_state(cls, state: StreamState) -> "StreamCounter":
        """Return a counter that goes on from a state."""
        counter = cls(state.windows.shape[1])
        counter._labels = {label: label for label in state.activities}
        counter._settled = _table(state.activities, state.windows, state.counts)
        counter._tails = dict(zip(state.cases, _symbols(state.activities, state.tails), strict=True))
        counter._lengths = Counter(dict(zip(state.cases, state.lengths.tolist(), strict=True)))
        counter._room, counter._n_events = max(_SPARE, len(state.cases)), state.n_events
        counter._clock, counter._offsets = deepcopy(state.clock), deepcopy(state.offsets)
        return counter

    @classmethod
    def from_file(cls, file: StoredFile) -> "StreamCounter":
        """Return the counter of a stored state, or raise an error if the state contradicts itself."""
        return cls.from_state(read_stream(file))

    def __reduce__(self) -> tuple[Any, ...]:
        return StreamCounter.from_state, (self.state(),)  # for copies, too

    def __repr__(self) -> str:
        late = f", {self.n_late:,} late" if self.n_late else ""
        return (
            f"StreamCounter(window={self.window}, {self.n_events:,} events{late}, {self.open_cases:,} open cases, "
            f"{len(self._labels):,} activities)"
        )

    def _check_whole(self) -> None:
        """Raise an error after a change that was interrupted."""
        if not self._whole:
            raise ActalikeError(
                "This StreamCounter was interrupted during a change, so its counts may be wrong: restore the checkpoint, by "
                "actalike.load(...), and go on reading from its n_events or offsets."
            )

    def _held_cases(self) -> set[str]:
        return set() if self._clock is None else {event.case for event in self._clock.held}

    def _count(self, cases: Sequence[str], activities: Sequence[str]) -> None:
        """Count events: the window that each settles, and the tail that it leaves."""
        tails, known, left = self._tails, self._labels, self._left
        new_case = (None,) * (self._window - 1)
        windows = []
        for case, activity in zip(cases, activities, strict=True):
            window = (*tails.get(case, new_case), known.setdefault(activity, activity))
            tails[case] = window[1:]
            if window[left] is not None:
                windows.append(window)
        self._settled.update(windows)  # a list at a time: in C
        self._lengths.update(cases)
        self._room = max(self._room, len(tails))

    def _use(self, clock: Clock, events: Sequence[Event]) -> None:
        """Count events in this order. A case that was idle for too long is closed before its next event, which begins another."""
        for event in events:
            if clock.use(event):
                self._remove([event.case])
            self._count([event.case], [event.activity])

    def _remove(self, cases: Iterable[str]) -> None:
        """Close cases, which are open."""
        for case in cases:
            self._settled.update(self._unsettled(self._tails.pop(case)))
            del self._lengths[case]
        if self._room > max(_SPARE, 8 * len(self._tails)):  # a dictionary keeps the memory of deleted entries
            self._tails, self._lengths, self._room = dict(self._tails), Counter(self._lengths), len(self._tails)

    def _unsettled(self, tail: Symbols) -> Iterator[Symbols]:
        """Yield the unsettled windows of a case as if it ended now."""
        line = tail + (None,) * self._right
        for start in range(self._right):
            if line[start + self._left] is not None:
                yield line[start : start + self._window]

    def _without_held(self) -> "StreamCounter":
        """Return this counter, or a copy that holds no event back."""
        self._check_whole()
        if self._clock is None or not self._clock.held:
            return self
        other = deepcopy(self)
        assert other._clock is not None
        other._use(other._clock, other._clock.release())
        return other

    def _arrays(self, labels: Sequence[str], table: Mapping[Symbols, int]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return windows by the positions of their labels, and their counts, in the order of WindowCounts."""
        windows = _codes(labels, table, self._window)
        counts = np.fromiter(table.values(), np.int64, len(table))
        if not len(counts):
            return windows, counts
        rows, sums = count_rows(contexts_first(list(windows.T)), len(labels) + 1, counts)
        return windows[rows], sums


def _codes(labels: Sequence[str], lines: Iterable[Symbols], width: int) -> NDArray[np.int32]:
    """Return the positions of symbols among the labels, a row for each line."""
    place: dict[str | None, int] = {None: PAD, **{label: i for i, label in enumerate(labels)}}
    flat = np.fromiter((place[symbol] for line in lines for symbol in line), np.int32)
    return flat.reshape(-1, width) if width else np.zeros((sum(1 for _ in lines), 0), dtype=np.int32)


def _symbols(labels: Sequence[str], codes: NDArray[np.int32]) -> Iterator[Symbols]:
    """Yield rows of positions as symbols."""
    symbols = [*labels, None]  # PAD = -1 takes the last
    return (tuple(symbols[code] for code in row) for row in codes.tolist())


def _table(labels: Sequence[str], windows: NDArray[np.int32], counts: NDArray[np.int64]) -> Counter[Symbols]:
    return Counter(dict(zip(_symbols(labels, windows), counts.tolist(), strict=True)))


def _moment(time: int | None) -> np.datetime64 | None:
    return None if time is None else np.datetime64(time, "ns")
