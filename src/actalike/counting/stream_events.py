"""Take in the events of a stream: check cases, activities and timestamps, and put events that arrive late into order."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Any, Literal, NamedTuple

import numpy as np

from actalike.errors import ActalikeError, LogError, shortened

Late = Literal["error", "skip"]

_MOST_WRITTEN = 1 << 16
_SECOND = 1_000_000_000  # nanoseconds
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Event(NamedTuple):
    """Hold an event; ``time`` is in nanoseconds since 1970."""

    time: int
    case: str
    activity: str


class _Written(dict[int, str]):
    """Hold integers as strings: to look one up takes half the time of writing it, and its hash is known. Few are held."""

    def __missing__(self, number: int) -> str:
        if len(self) > _MOST_WRITTEN:
            self.clear()
        text = str(number)
        if abs(number) < 1 << 63:
            self[number] = text
        return text


WRITTEN = _Written()  # of whatever counter and thread: an entry is right for all


@dataclass
class Clock:
    """Hold back events until none can come before them any more, and know when each open case was used last.

    The time of a stream is that of its latest event less ``lateness``. Earlier events have all been released, in the order of
    their times; one that comes now is late. ``last`` has the time of the last released event of each open case, the oldest first.
    """

    lateness: int
    idle: int | None
    late: Late
    latest: int | None = None
    n_late: int = 0
    held: list[Event] = field(default_factory=list)
    last: dict[str, int] = field(default_factory=dict)

    @classmethod
    def given(cls, lateness: Any, idle: Any, late: Any) -> "Clock | None":
        """Return the clock for the options of a counter, None if it needs none."""
        if late not in ("error", "skip"):
            raise ActalikeError(f"late={late!r} must be 'error' or 'skip'.")
        if lateness is None and idle is None:
            if late == "skip":
                raise ActalikeError("late='skip' needs lateness=: how late events may be.")
            return None
        return cls(_span(lateness or 0, "lateness"), None if idle is None else _span(idle, "idle"), late)

    @property
    def now(self) -> int | None:
        """Return the time of the stream, None before its first event."""
        return None if self.latest is None else self.latest - self.lateness

    def arrive(self, times: Iterable[int], cases: Iterable[str], activities: Iterable[str]) -> list[Event]:
        """Take events as they arrive, and return those that are now released. Late ones are an error, or left out and counted.

        >>> clock = Clock(lateness=5, idle=None, late="skip")
        >>> [event.time for event in clock.arrive([10, 8, 20, 12, 14, 18], "abcdef", "uvwxyz")]  # 12 and 14 are late at 20 - 5
        [8, 10]
        >>> [event.time for event in clock.held], clock.n_late
        ([18, 20], 2)
        """
        latest, on_time, late = self.latest, [], []
        for event in map(Event, times, cases, activities):
            if latest is not None and event.time < latest - self.lateness:
                late.append(event)
            else:
                latest = event.time if latest is None else max(latest, event.time)
                on_time.append(event)
        if late and self.late == "error":
            raise LogError(
                f"{len(late):,} of {len(late) + len(on_time):,} events are late, the first in case {late[0].case!r} at "
                f"{_written(late[0].time)}: events may be up to {timedelta(microseconds=self.lateness / 1000)} older than the "
                f"latest ({_written(latest or 0)}). Allow more by lateness=, or leave them out by late='skip'. Nothing was added."
            )
        self.latest = latest
        self.n_late += len(late)
        self.held = sorted(self.held + on_time, key=itemgetter(0))  # equal times stay in the order of arrival
        ready = 0 if self.now is None else bisect_right(self.held, self.now, key=itemgetter(0))
        released, self.held = self.held[:ready], self.held[ready:]
        return released

    def release(self, cases: Iterable[str] | None = None) -> list[Event]:
        """Release what is held back of some cases, or of all, in the order of time."""
        some = {event.case for event in self.held} if cases is None else set(cases)
        released = [event for event in self.held if event.case in some]
        self.held = [event for event in self.held if event.case not in some]
        return released

    def use(self, event: Event) -> bool:
        """Note that a case has an event now. Return whether the case was idle for too long before, and so is another case."""
        before = self.last.pop(event.case, None)  # so that the case becomes the last of all
        self.last[event.case] = event.time
        return before is not None and self.idle is not None and event.time - before > self.idle

    def idle_cases(self) -> list[str]:
        """Remove and return the cases that have been idle for too long."""
        idle = []
        if self.idle is not None and self.now is not None:
            for case, time in self.last.items():
                if self.now - time <= self.idle:
                    break
                idle.append(case)
        for case in idle:
            del self.last[case]
        return idle


def event_texts(cases: Any, activities: Any) -> tuple[list[str], list[str]]:
    """Return the case and the activity of each event as strings, or raise an error if some are missing or of another type.

    >>> event_texts([7, "x"], np.array(["a", "b"]))
    (['7', 'x'], ['a', 'b'])
    """
    ids, labels = _texts(cases, "cases", numbers=True), _texts(activities, "activities", numbers=False)
    if len(ids) != len(labels):
        raise LogError(f"{len(ids):,} cases and {len(labels):,} activities: every event needs one of each. Nothing was added.")
    return ids, labels


def cases_to_close(cases: Any) -> list[str]:
    """Return the distinct ones of some cases as strings. A single case may be given by itself.

    >>> cases_to_close(7), cases_to_close(["x", 7, "7"])
    (['7'], ['x', '7'])
    """
    return list(dict.fromkeys(_texts([cases] if isinstance(cases, str | int | np.integer) else cases, "cases", numbers=True)))


def record_columns(records: Iterable[Any], names: Sequence[str]) -> list[list[Any]]:
    """Return the values of some keys of records (dicts), a list for each key.

    >>> record_columns([{"id": 7, "step": "a"}, {"id": 8, "step": "b", "by": "x"}], ["id", "step"])
    [[7, 8], ['a', 'b']]
    """
    columns: list[list[Any]] = [[] for _ in names]
    for number, record in enumerate(records, start=1):
        for column, name in zip(columns, names, strict=True):
            try:
                column.append(record[name])
            except (KeyError, TypeError, IndexError):
                raise LogError(
                    f"Record {number:,} has no key {name!r}: {shortened(repr(record))}. Name the keys with case=, activity= and "
                    "timestamp=. Nothing was added."
                ) from None
    return columns


def event_times(timestamps: Any, n_events: int) -> list[int]:
    """Return timestamps in nanoseconds since 1970, one for each event.

    They are datetimes (UTC if they have no zone), ISO 8601 strings, or seconds since 1970.

    >>> event_times(["1970-01-01T00:00:01Z", datetime(1970, 1, 1, 0, 0, 2), 3, 0.5], 4)
    [1000000000, 2000000000, 3000000000, 500000000]
    """
    values, missing = _listed(timestamps, "timestamps")
    _check_missing(values, missing, "timestamps")
    if len(values) != n_events:
        raise LogError(f"{n_events:,} events and {len(values):,} timestamps: every event needs one. Nothing was added.")
    times = [_nanoseconds(value) for value in values]
    if times and not -(1 << 63) <= min(times) <= max(times) < 1 << 63:
        raise LogError("A timestamp is not in the years 1678 to 2262. Nothing was added.")
    return times


def _texts(values: Any, role: str, numbers: bool) -> list[str]:
    """Return a column of events as a list of strings; integers, where they are allowed, become strings."""
    listed, missing = _listed(values, role)
    types = set(map(type, listed))
    if types <= {str}:
        return listed
    _check_missing(listed, missing, role)
    for value in () if numbers and types == {int} else listed:
        if not isinstance(value, str) and not (numbers and isinstance(value, int | np.integer) and not isinstance(value, bool)):
            allowed = "strings or integers" if numbers else "strings"
            raise LogError(
                f"Among the {role} is {shortened(repr(value))}, of type {type(value).__name__}: they must be {allowed}. "
                "Nothing was added."
            )
    try:
        if numbers and types == {int}:
            return list(map(WRITTEN.__getitem__, listed))
        return [str.__str__(value) if isinstance(value, str) else str(value) for value in listed]  # also of subclasses of str
    except ValueError as error:
        raise LogError(f"Among the {role} is an integer with too many digits: use a string. Nothing was added.") from error


def _listed(values: Any, role: str) -> tuple[list[Any], int | None]:
    """Return a column of any library as a list, and how many of its values are missing (None if unknown)."""
    if isinstance(values, list | tuple):
        return list(values), None
    if isinstance(values, np.ndarray):
        if values.ndim != 1:
            raise LogError(f"The {role} are an array of {values.ndim} dimensions: it must have 1. Nothing was added.")
        if values.dtype.kind == "M":  # as numbers, which tolist gives too, but only for nanoseconds
            return list(values.astype("datetime64[ns]")), int(np.isnat(values).sum())
        return values.tolist(), None  # what is masked becomes None
    import narwhals.stable.v2 as nw  # imported here: lists and arrays do not need it
    import polars as pl

    if hasattr(values, "__arrow_c_array__"):  # a pyarrow array, which narwhals does not support
        values = pl.Series(values)
    try:
        column = nw.from_native(values, series_only=True)
    except TypeError:
        raise LogError(
            f"The {role} must be a list, a numpy array, or a column of Polars, pandas or pyarrow, not {type(values).__name__}. "
            "Nothing was added."
        ) from None
    missing = int(column.is_null().sum())
    if isinstance(column.dtype, nw.Datetime) and not missing:
        return list(column.dt.timestamp("ns").to_numpy().astype("datetime64[ns]")), 0
    return column.to_list(), missing


def _check_missing(values: list[Any], missing: int | None, role: str) -> None:
    """Raise an error if some of the values are missing."""
    if missing is None:
        missing = sum(value is None or (isinstance(value, float) and value != value) for value in values)
    if missing:
        raise LogError(f"{missing:,} of {len(values):,} {role} are missing: fill them in or leave them out. Nothing was added.")


def _nanoseconds(value: Any) -> int:
    """Return a timestamp in nanoseconds since 1970."""
    if isinstance(value, np.datetime64) and not np.isnat(value):
        return int(value.astype("datetime64[ns]").astype(np.int64))
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise LogError(
                f"The timestamp {shortened(repr(value))} is not ISO 8601, such as 2024-02-29T12:00:00Z. Nothing was added."
            ) from None
    if isinstance(value, datetime) and value == value:  # pandas' NaT is not
        since = (value if value.tzinfo else value.replace(tzinfo=UTC)) - _EPOCH
        return since // timedelta(microseconds=1) * 1000 + getattr(value, "nanosecond", 0)
    if isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool) and np.isfinite(value):
        return int(value) * _SECOND if isinstance(value, int | np.integer) else round(float(value) * _SECOND)
    raise LogError(
        f"The timestamp {shortened(repr(value))} is of type {type(value).__name__}: give datetimes, ISO 8601 strings, or seconds "
        "since 1970. Nothing was added."
    )


def _span(value: Any, name: str) -> int:
    """Return a span of time in nanoseconds."""
    if isinstance(value, timedelta):
        value = value.total_seconds()
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1e9:
        raise ActalikeError(f"{name}={value!r} must be a timedelta or a number of seconds, 0 or more.")
    return round(value * _SECOND)


def _written(time: int) -> str:
    """Return a time as text."""
    return str(np.datetime64(time // 1000, "us"))
