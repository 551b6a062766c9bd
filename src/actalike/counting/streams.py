"""Count the windows of events while they arrive; the counts of all events so far are available at any moment.

An event settles one window, the one that ends with it: that of the event ``right`` positions earlier in the case. So later
events need only the last ``window - 1`` activities of a case, its *tail*. The windows of the last ``right`` events are
unsettled: they have PAD to the right if the case ends now.

Each open case has a *slot*, a row of the arrays of tails and numbers of events. ``add`` looks up the slots and the codes of the
activities, in one call of ``itemgetter`` for a whole batch; windows are settled when many events wait, or when somebody asks.
"""

import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import wraps
from itertools import count, islice
from operator import itemgetter
from pathlib import Path
from struct import pack
from threading import RLock
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from actalike.counting.stream_events import WRITTEN, Clock, Event, Late, cases_to_close, event_texts, event_times, record_columns
from actalike.counting.stream_file import StreamState, checked_offsets, read_stream, write_stream
from actalike.counting.windows import PAD, WindowCounts, check_counts, check_window, contexts_first
from actalike.errors import ActalikeError, LogError
from actalike.log import check_characters
from actalike.support.arrays import count_rows, sort_with_places
from actalike.support.saved import StoredFile
from actalike.support.text import counted

Table = tuple[NDArray[np.int32], NDArray[np.int64]]  # windows side by side (row i has symbol i of each), and their counts

_BLOCK = 1 << 16  # as many waiting events are processed, and as many distinct windows added: limits the memory
_SYMBOLS_PER_EVENT = 16  # so many windows of 16 symbols are processed at a time; of larger ones fewer
_RESERVE = 256  # slots that are made at a time
_LISTS = (list, tuple)
_SPARE = 1024  # rows that stay allocated when few cases are open

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
            raise _in_use(self)
        try:
            return method(self, *arguments, **options)
        finally:
            self._lock.release()

    return run


def _in_use(what: object) -> ActalikeError:
    return ActalikeError(
        f"This {type(what).__name__} is being used by another thread: have one for each thread, or hold a lock of your own while "
        "you call it. Nothing was changed by this call."
    )


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
    StreamCounter(window=3, 5 events, 1 open case, 3 activities)
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
        self._codes = _numbered([])  # of activities
        self._slots, self._free = _slots([])  # of open cases; and those that are free, the next one last
        self._end = 0  # of all slots
        self._tails = np.empty((0, self._window - 1), dtype=np.int32)  # padded with PAD on the left; free slots hold PAD
        self._lengths = np.empty(0, dtype=np.int64)  # events of each open case; free slots have 0
        self._event_slots, self._event_codes = array("i"), array("i")  # of events that wait to be processed
        self._closed = array("i")  # slots of cases that are closed after these events
        self._settled: Table = np.empty((self._window, 0), dtype=np.int32), np.empty(0, dtype=np.int64)
        self._tables: list[Table] = []  # settled windows that are added to the others once there are many

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
        if self._clock is None or not self._clock.held:
            return len(self._slots)
        return len(self._slots) + len({event.case for event in self._clock.held if event.case not in self._slots})

    @property
    def revision(self) -> int:
        """Return how often events were added, cases closed or counts forgotten; by this, users see that the counts changed."""
        return self._revision

    @property
    def offsets(self) -> dict[str, Any]:
        """Return the offsets that were saved, or loaded, with the state last."""
        return deepcopy(self._offsets)

    def add(self, cases: Any, activities: Any, timestamps: Any = None) -> None:
        """Add events: the case and the activity of each, and with ``lateness`` or ``idle`` the timestamp.

        They are lists, numpy arrays, or columns of Polars, pandas or pyarrow, of equal length. Activities are strings; cases are
        strings or integers, and 7 means the case "7". Timestamps are datetimes (UTC if they have no zone), ISO 8601 strings, or
        seconds since 1970. An event of a closed case starts a new case. If there is an error, no event is added.
        """
        if not self._lock.acquire(False):  # for_one_thread, in a third of the time
            raise _in_use(self)
        try:
            if not self._whole or len(self._event_slots) >= _BLOCK or len(self._closed) >= _BLOCK:
                self._process()
            if self._clock is None and timestamps is None and type(cases) in _LISTS and type(activities) in _LISTS:
                ids = _written(cases)
                self._whole = False
                taken = self._take(ids, activities)
                if taken:
                    self._n_events += len(cases)
                    self._revision += 1
                self._whole = True
                if taken:
                    return
            ids, labels = event_texts(cases, activities)
            check_characters(dict.fromkeys([*ids, *labels]))
            if (self._clock is None) != (timestamps is None):
                raise LogError(
                    "Timestamps are of use only to a counter with lateness= or idle=, such as StreamCounter(5, lateness=60)."
                    if self._clock is None
                    else "This counter puts events into the order of their timestamps: give them as the third argument."
                )
            times = None if self._clock is None else event_times(timestamps, len(ids))
            self._whole = False
            if self._clock is None or times is None:
                self._take(ids, labels)
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
        finally:
            self._lock.release()

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
        try:
            ids = dict.fromkeys([cases] if type(cases) is str else cases) if type(cases) in (str, list) else None
        except TypeError:  # one of them is a list or the like
            ids = None
        if ids is None or self._clock is not None or not ids.keys() <= self._slots.keys():  # open cases are strings
            ids = dict.fromkeys(cases_to_close(cases))
            held = set() if self._clock is None else {event.case for event in self._clock.held}
            unknown = [case for case in ids if case not in self._slots and case not in held]
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
        state = self._caught_up().state()
        last: Sequence[str | None] = [None] * len(state.cases)
        if self._window > 1:
            last = [state.activities[code] for code in state.tails[:, -1].tolist()]
        times = {} if state.clock is None else state.clock.last
        return [
            OpenCase(case, n_events, activity, np.datetime64(times[case], "ns") if case in times else None)
            for case, n_events, activity in zip(state.cases, state.lengths.tolist(), last, strict=True)
        ]

    @for_one_thread
    def counts(self) -> WindowCounts:
        """Return the window counts of all events so far, without the forgotten ones; open cases count as if they ended now."""
        counter = self._caught_up()
        slots = counter._open_slots()
        unsettled = [counter._unsettled(slots[some]) for some in counter._pieces(len(slots))]
        labels, columns, counts = counter._sorted_table(unsettled)
        if not len(counts):
            raise LogError("No events are counted, so there is nothing to compare: add some first.")
        return WindowCounts(labels, columns.T, counts)

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
        check_counts(counts)
        if counts.window != self.window:
            raise ActalikeError(
                f"Windows of {self.window} are counted here, and the table to forget has windows of {counts.window}. "
                "Nothing was forgotten."
            )
        remedy = "forget only what was counted of whole cases that are closed. Nothing was forgotten."
        self._process()
        unknown = [label for label in counts.activities if label not in self._codes]
        if unknown:
            raise ActalikeError(f"The table to forget has the activity {unknown[0]!r}, which is not there: {remedy}")
        old = np.array([*(self._codes[label] for label in counts.activities), PAD], dtype=np.int32)[counts.windows.T]
        remaining, remaining_counts = self._added([self._settled, *self._tables, (old, -counts.counts)])
        missing = int((remaining_counts < 0).sum())
        if missing:
            raise ActalikeError(f"The table to forget has {missing:,} windows more often than they are there: {remedy}")
        occurs, used = (np.zeros(len(self._codes) + 1, dtype=bool) for _ in range(2))  # PAD = -1 is the last entry
        tails = self._tails[self._open_slots()]
        occurs[remaining[self._left]] = occurs[tails[:, self._left :]] = occurs[PAD] = True
        used[remaining] = used[tails] = True
        labels = list(self._codes)
        only_neighbour = used & ~occurs
        if only_neighbour.any():
            label = labels[int(only_neighbour.argmax())]
            raise ActalikeError(
                f"The table to forget has all events of {label!r}, which is still a neighbour of others: {remedy}"
            )
        self._whole = False
        recoding = np.append(np.cumsum(occurs[:-1]) - 1, PAD).astype(np.int32)
        self._codes = _numbered([label for label, is_left in zip(labels, occurs.tolist(), strict=False) if is_left])
        self._settled, self._tables = (recoding[remaining], remaining_counts), []
        self._tails = recoding[self._tails]
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
        self._process()
        labels, columns, counts = self._sorted_table([])
        cases = sorted(self._slots)
        slots = [self._slots[case] for case in cases]
        tails = self._sorted_codes(labels)[self._tails[slots]]
        return StreamState(
            labels, columns.T, counts, cases, tails, self._lengths[slots], self._n_events, deepcopy(self._clock), self.offsets
        )

    @classmethod
    def from_state(cls, state: StreamState) -> "StreamCounter":
        """Return a counter that goes on from a state."""
        counter = cls(state.windows.shape[1])
        counter._codes, counter._settled = _numbered(state.activities), (state.windows.T, state.counts)
        counter._slots, counter._free = _slots(state.cases)
        counter._end = len(state.cases)
        counter._tails, counter._lengths, counter._n_events = state.tails.copy(), state.lengths.copy(), state.n_events
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
            f"StreamCounter(window={self.window}, {counted(self.n_events, 'event')}{late}, "
            f"{counted(self.open_cases, 'open case')}, {counted(len(self._codes), 'activity', 'activities')})"
        )

    def _check_whole(self) -> None:
        """Raise an error after a change that was interrupted."""
        if not self._whole:
            raise ActalikeError(
                "This StreamCounter was interrupted during a change, so its counts may be wrong: restore the checkpoint, by "
                "actalike.load(...), and go on reading from its n_events or offsets."
            )

    def _take(self, cases: Sequence[str], activities: Sequence[str]) -> bool:
        """Take events. Unless all are strings, and equally many, take nothing and return False.

        Only names that are new are looked at: those that are known were looked at before.
        """
        n = len(cases)
        if n != len(activities):
            return False
        slots, codes = self._slots, self._codes
        n_open, n_codes = len(slots), len(codes)
        sound = False
        try:
            if n == 1:  # a third faster than the general way
                if not self._free:
                    self._reserve(1)
                slot, code = slots[cases[0]], codes[activities[0]]
                sound = (len(slots) == n_open or _are_texts(cases)) and (len(codes) == n_codes or _are_texts(activities))
            else:
                taken, labelled = self._slots_of(cases), _numbers(codes, activities)
                sound = _are_texts(_newest(slots, n_open)) and _are_texts(_newest(codes, n_codes))
        except TypeError:  # something cannot be looked up, such as a list
            pass
        if not sound:
            self._free.extend(slots.pop(name) for name in _newest(slots, n_open))
            for name in _newest(codes, n_codes):
                del codes[name]
        elif n == 1:
            self._event_slots.append(slot)
            self._event_codes.append(code)
        else:
            self._event_slots.frombytes(taken)
            self._event_codes.frombytes(labelled)
        return sound

    def _use(self, clock: Clock, events: list[Event]) -> None:
        """Count events in this order. A case that was idle for too long is closed before its next event, which begins another."""
        start = 0
        for end, event in enumerate(events):
            if clock.use(event):
                self._take(*_columns(events[start:end]))
                self._remove([event.case])
                start = end
        self._take(*_columns(events[start:]))

    def _slots_of(self, cases: Sequence[str]) -> bytes:
        """Return the slots of cases, 4 bytes each. Those that are not open are opened."""
        if len(cases) > _BLOCK:  # few free slots at a time
            return b"".join(self._slots_of(cases[start : start + _BLOCK]) for start in range(0, len(cases), _BLOCK))
        if len(self._free) < len(cases):
            self._reserve(len(cases))
        return _numbers(self._slots, cases)

    def _reserve(self, n: int) -> None:
        """Have free slots for so many cases. The lowest are given first."""
        start = self._end
        self._end += max(n, _RESERVE)
        self._free[:0] = range(self._end - 1, start - 1, -1)

    def _remove(self, cases: Iterable[str]) -> None:
        """Close cases, which are open. The slots are free again when all events that wait were processed."""
        self._closed.fromlist(list(map(self._slots.pop, cases)))

    def _caught_up(self) -> "StreamCounter":
        """Return this counter, or a copy that holds no event back."""
        self._process()
        if self._clock is None or not self._clock.held:
            return self
        other = deepcopy(self)
        assert other._clock is not None
        other._use(other._clock, other._clock.release())
        other._process()
        return other

    def _process(self) -> None:
        """Settle the windows of the waiting events, and then those of the cases that were closed after them."""
        self._check_whole()
        self._whole = False
        slots, codes, closed = (np.array(queue, dtype=np.int32) for queue in (self._event_slots, self._event_codes, self._closed))
        if len(slots):
            self._grow(int(slots.max()) + 1)
        for some in self._pieces(len(slots)):
            self._settle(self._follow(slots[some], codes[some]))
        for some in self._pieces(len(closed)):
            self._settle(self._unsettled(closed[some]))
        self._tails[closed], self._lengths[closed] = PAD, 0
        self._free.extend(closed[::-1].tolist())
        del self._event_slots[:], self._event_codes[:], self._closed[:]
        if len(self._lengths) > max(_SPARE, 8 * len(self._slots)):  # allocated for many more cases than are open
            open_slots = self._open_slots()
            self._tails, self._lengths = self._tails[open_slots], self._lengths[open_slots]
            self._slots, self._free = _slots(list(self._slots))  # a new dictionary: the old one keeps memory for deleted entries
            self._end = len(self._slots)
        self._whole = True

    def _follow(self, slots: NDArray[np.int32], codes: NDArray[np.int32]) -> Table:
        """Return the windows that events settle, and write the tails and the numbers of events of their cases."""
        depth = self._window - 1
        order, first = sort_with_places(slots.astype(np.int64))
        starts = np.flatnonzero(first)
        touched = slots[order[starts]]
        # one line for all touched cases: the tail of each, then its new events
        places = np.cumsum(first, dtype=np.int64) * depth + np.arange(len(slots))
        line = np.empty(len(slots) + len(starts) * depth, dtype=np.int32)
        line[places] = codes[order]
        line[(places[starts] - depth)[:, np.newaxis] + np.arange(depth)] = self._tails[touched]
        ends = np.append(starts[1:], len(slots))
        self._tails[touched] = line[(places[ends - 1] + 1 - depth)[:, np.newaxis] + np.arange(depth)]
        self._lengths[touched] += ends - starts
        return self._windows(line, places[line[places - self._right] != PAD] - depth)

    def _unsettled(self, slots: NDArray[np.integer[Any]]) -> Table:
        """Return the unsettled windows of some cases as if these ended now."""
        depth, left, right = self._window - 1, self._left, self._right
        lines = np.full((len(slots), depth + right), PAD, dtype=np.int32)  # the tail of each, and PAD after it
        lines[:, :depth] = self._tails[slots]
        case, start = np.nonzero(lines[:, left : left + right] != PAD)
        return self._windows(lines.ravel(), case * (depth + right) + start)

    def _windows(self, line: NDArray[np.int32], starts: NDArray[np.int64]) -> Table:
        """Count the windows that start at some positions of a sequence of symbols."""
        columns = np.empty((self._window, len(starts)), dtype=np.int32)
        for symbol, column in enumerate(columns):
            line[symbol:].take(starts, out=column, mode="clip")
        return self._added([(columns, np.ones(len(starts), dtype=np.int64))])

    def _settle(self, table: Table) -> None:
        """Keep settled windows. Once they are more than those in the table, and than a block, they are added."""
        if len(table[1]):
            self._tables.append(table)
        if sum(len(counts) for _, counts in self._tables) > max(_BLOCK, len(self._settled[1])):
            self._settled, self._tables = self._added([self._settled, *self._tables]), []

    def _added(self, tables: Sequence[Table]) -> Table:
        """Return the distinct windows of tables, in the order of WindowCounts, whose counts do not sum to 0."""
        columns = np.concatenate([columns for columns, _ in tables], axis=1)
        counts = np.concatenate([counts for _, counts in tables])
        if not len(counts):
            return columns, counts
        samples, sums = count_rows(contexts_first(list(columns)), len(self._codes) + 1, counts)
        samples, sums = samples[sums != 0], sums[sums != 0]
        return columns.take(samples, axis=1), sums

    def _sorted_table(self, unsettled: list[Table]) -> tuple[list[str], NDArray[np.int32], NDArray[np.int64]]:
        """Return the sorted labels, and all settled windows and these, as positions of labels."""
        labels = sorted(self._codes)
        recoding = self._sorted_codes(labels)
        tables = [(recoding[columns], counts) for columns, counts in (self._settled, *self._tables, *unsettled)]
        return labels, *self._added(tables)

    def _sorted_codes(self, labels: list[str]) -> NDArray[np.int32]:
        """Return the position of each activity among the sorted labels; the last entry is for PAD."""
        place = {label: i for i, label in enumerate(labels)}
        return np.array([*(place[label] for label in self._codes), PAD], dtype=np.int32)

    def _open_slots(self) -> NDArray[np.int64]:
        return np.fromiter(self._slots.values(), np.int64, len(self._slots))

    def _pieces(self, n: int) -> Iterator[slice]:
        """Yield the slices in which so many events or cases are processed. With wide windows, they are smaller."""
        size = max(_SYMBOLS_PER_EVENT * _BLOCK // self._window, 1)
        return (slice(start, start + size) for start in range(0, n, size))

    def _grow(self, size: int) -> None:
        """Allocate slots below ``size``."""
        n = len(self._lengths)
        if size > n:  # at least double the rows, so that each row is copied only a few times in the long run
            new = max(size, 2 * n) - n
            self._tails = np.concatenate([self._tails, np.full((new, self._window - 1), PAD, dtype=np.int32)])
            self._lengths = np.concatenate([self._lengths, np.zeros(new, dtype=np.int64)])


def _numbered(names: Iterable[str]) -> defaultdict[str, int]:
    """Return the numbers of names. A new name that is looked up gets the next number.

    It is not a subclass of defaultdict: Python would call ``__getitem__`` for each key, which takes more than twice the time.
    """
    numbers: defaultdict[str, int] = defaultdict(None, zip(names, count()))
    numbers.default_factory = numbers.__len__
    return numbers


def _slots(cases: Sequence[str]) -> tuple[defaultdict[str, int], list[int]]:
    """Return the slots of cases, and a list of free ones (still empty): a new case that is looked up gets the last of these."""
    free: list[int] = []
    return defaultdict(free.pop, zip(cases, count())), free  # a method of the list itself: it is called for every new case


def _numbers(numbers: defaultdict[str, int], names: Sequence[str]) -> bytes:
    """Return the numbers of names, 4 bytes each.

    One call of ``itemgetter`` and one of ``pack`` take less than half the time of a loop or of ``numpy.fromiter``.
    """
    if len(names) > 1:
        return pack(f"{len(names)}i", *itemgetter(*names)(numbers))
    return pack("i", numbers[names[0]]) if names else b""


def _written(cases: Sequence[Any]) -> Sequence[Any]:
    """Return integers as strings, and all else as it is."""
    if cases and type(cases[0]) is int and set(map(type, cases)) == {int}:
        try:
            return list(map(WRITTEN.__getitem__, cases))
        except ValueError:  # thousands of digits
            pass
    return cases


def _newest(numbers: dict[str, int], size: int) -> list[str]:
    """Return the names that came after the first ``size``, the newest first."""
    return list(islice(reversed(numbers), len(numbers) - size))


def _are_texts(names: Sequence[str]) -> bool:
    """Return whether names are strings that a file can hold."""
    if not set(map(type, names)) <= {str}:
        return False
    joined = "".join(names)
    return joined.isascii() or not re.search("[\ud800-\udfff]", joined)


def _columns(events: list[Event]) -> tuple[list[str], list[str]]:
    return [event.case for event in events], [event.activity for event in events]
