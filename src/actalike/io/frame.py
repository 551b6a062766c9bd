"""The one table of events: every reader fills it; here it is checked, sorted, encoded, and becomes an EventLog.

Readers of tables call :func:`events_from_columns` with the requested columns, whatever their types. Readers of other formats
build :class:`Events` themselves. :func:`assemble` does the rest.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from numbers import Integral
from typing import Any, Literal, NamedTuple
from uuid import UUID

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.errors import ActalikeError, LogError, shortened
from actalike.io.columns import Columns, UnusedColumns, WantedAttributes, choose_names, describe, unnamed, worth_a_look
from actalike.io.files import DEFAULT_MAX_BYTES, Progress
from actalike.io.timestamps import (
    EPOCH_LAYOUTS,
    FIRST_TIME,
    LAST_TIME,
    NO_TIME,
    TimestampFormat,
    check_layouts,
    layout_advice,
    parse_series,
)
from actalike.log import Attribute, EventLog, Flattening, Reading, names_people
from actalike.support.frames import FrameKind
from actalike.support.memory import require_memory

Lifecycle = Literal["ignore", "complete", "append"]
Order = Literal["file", "time"]
Missing = Literal["error", "skip", "label"]
Cases = Literal["joined", "separate"]

NO_ACTIVITY = "(no activity)"  # the label of events without one, if they are to be kept
ATTRIBUTE = "attribute:"  # before the name of an attribute, as a column of the frame

_BYTES_A_VALUE = 400  # of memory for a distinct value of an attribute beside its characters, with what sorting takes (measured)
_EXACT_FLOATS = 2**53  # floats below it that are whole are exact integers
_UNITS = {"ns": 1, "us": 1000, "ms": 1_000_000, "days": 86_400_000_000_000}  # in nanoseconds
_NO_TEXTS = (pl.Binary, pl.Object, pl.Time, pl.Duration)  # the text of a time of day has no fractions of seconds


@dataclass(frozen=True)
class ReadOptions:
    """Hold the checked options of :func:`actalike.read_log`; each reader uses those that apply to it."""

    case: str | None = None
    activity: str | None = None
    timestamp: str | None = None  # '' leaves timestamps out
    transition: str | None = None
    lifecycle: Lifecycle = "ignore"
    order: Order | None = None
    missing: Missing = "error"
    separator: str | None = None
    encoding: str | None = None
    timestamp_format: TimestampFormat = None
    skip: int = 0  # rows above the names of the columns
    skip_last: int = 0
    sheet: str | None = None
    max_bytes: int = DEFAULT_MAX_BYTES
    progress: Progress | None = None
    attributes: WantedAttributes = None
    name: str | None = None
    cases: Cases | None = None
    object_type: str | None = None

    def __post_init__(self) -> None:
        """Raise an error if an option has an unknown value, before anything is read."""
        if self.lifecycle not in ("ignore", "complete", "append"):
            raise ActalikeError(f"lifecycle={self.lifecycle!r} is not one of 'ignore', 'complete', 'append'.")
        if self.order not in (None, "file", "time"):
            raise ActalikeError(f"order={self.order!r} is neither 'file' nor 'time' (--order).")
        if self.missing not in ("error", "skip", "label"):
            raise ActalikeError(f"missing={self.missing!r} is not one of 'error', 'skip', 'label' (--missing).")
        if isinstance(self.attributes, str):
            if self.attributes != "people":
                raise ActalikeError(f"attributes={self.attributes!r} must be a list of names, or 'people'.")
        elif not all(isinstance(name, str) and name for name in self.attributes or ()):
            wanted = shortened(repr(self.attributes))
            raise ActalikeError(f"attributes={wanted} must hold names: strings that are not empty.")
        for role, name in {**self.columns, "name": self.name}.items():
            if name is not None and not isinstance(name, str):
                raise ActalikeError(f"{role}={shortened(repr(name))} must be the name of a column, a string.")
        check_layouts(self.timestamp_format)
        for name in ("skip", "skip_last"):
            number = getattr(self, name)
            if isinstance(number, bool) or not isinstance(number, int) or number < 0:
                raise ActalikeError(f"{name}={number!r} (--{name.replace('_', '-')}) must be an integer >= 0.")

    @property
    def columns(self) -> dict[str, str | None]:
        """Return the columns named by the user, by role."""
        return {"case": self.case, "activity": self.activity, "timestamp": self.timestamp, "transition": self.transition}

    @property
    def needs_transition(self) -> bool:
        """Return whether the lifecycle transitions are read."""
        return self.lifecycle != "ignore"

    def wants(self, attribute: str) -> bool:
        """Return whether an attribute was requested."""
        return names_people(attribute) if self.attributes == "people" else attribute in (self.attributes or ())


@dataclass
class Events:
    """Hold the events of a source, one row each, in the order of the source, and how the source was understood.

    The columns of the frame: ``case`` (the id; or, with ``case_ids``, the position among them: two cases of XES may share a name,
    and some have no events), ``activity``, and if present ``time`` (Datetime in microseconds, UTC without a zone), ``nanos`` (the
    nanoseconds beyond microseconds), ``transition``, ``name`` (the second name), ``attribute:NAME``. Ids, labels and values are
    String, Categorical or Enum. Missing values are null.
    """

    source: str
    frame: pl.DataFrame
    columns: Columns  # where the events were read from
    place: Callable[[int], str] = lambda event: f"row {event + 1:,}"  # describes the position of an event in the source
    case_ids: Sequence[str] = ()
    unused: UnusedColumns | None = None
    unnamed_cases: int = 0  # cases without a name in the source: their ids are their numbers
    second_name: str | None = None  # the column of the second names
    n_bytes: int = 0  # of the file, unpacked
    files: tuple[str, ...] = ()  # the files the log was combined from, if any
    other_files: tuple[str, ...] = ()  # in the same folder, not read
    flattening: Flattening | None = None  # of an object-centric log
    joined: Cases | None = None  # how equal case ids in several files are treated
    frame_kind: FrameKind = "polars"  # of the frame they come from

    @property
    def has_times(self) -> bool:
        """Return whether the events have timestamps."""
        return "time" in self.frame.columns

    @property
    def default_order(self) -> Order:
        """Return the order of events in columns: by time if they have timestamps, otherwise that of the rows."""
        return "time" if self.has_times else "file"


def columns_to_read(columns: Columns, options: ReadOptions, attributes: Iterable[str] = ()) -> list[str]:
    """Return the names of the columns that are read, each once."""
    transition = columns.transition if options.needs_transition else None
    wanted = (columns.case, columns.activity, columns.timestamp, transition, *attributes)
    return [name for name in dict.fromkeys(wanted) if name is not None]


def unused_columns(
    present: Iterable[str], columns: Columns, options: ReadOptions, first_rows: Callable[[list[str]], pl.DataFrame]
) -> UnusedColumns | None:
    """Return the first rows of the columns that are not read, to see what they hold."""
    read = columns_to_read(columns, options)
    names = worth_a_look([name for name in present if name not in read], columns.transition)
    return UnusedColumns(first_rows(names), columns.timestamp is None and options.timestamp is None) if names else None


def events_from_columns(
    source: str,
    frame: pl.DataFrame,
    columns: Columns,
    options: ReadOptions,
    attributes: Sequence[str] = (),
    unused: UnusedColumns | None = None,
    rows_before: int = 0,
    **facts: Any,
) -> Events:
    """Return the rows of a table, or of a later part of it, as events. ``facts`` are further fields of :class:`Events`.

    >>> table = pl.DataFrame({"Order": [7, 7], "Step": ["Check", "Pay"], "At": ["2024-01-01 10:00", "2024-01-01 11:00"]})
    >>> events_from_columns("orders.csv", table, Columns("Order", "Step", "At", None), ReadOptions()).frame.row(0)
    ('7', 'Check', datetime.datetime(2024, 1, 1, 10, 0), 0)
    """
    if frame.is_empty():
        raise LogError(f"{source} is empty: it has column names but no rows.")
    events = event_columns(source, frame, columns, options, attributes, rows_before)
    return Events(source, events, columns, lambda event: f"row {rows_before + event + 1:,}", unused=unused, **facts)


def event_columns(
    source: str,
    frame: pl.DataFrame,
    columns: Columns,
    options: ReadOptions,
    attributes: Sequence[str] = (),
    rows_before: int = 0,
) -> pl.DataFrame:
    """Return the columns of a table, or of a block of it, as those of events. Those of several blocks can be concatenated.

    An attribute that cannot be written as strings is left out if "people" were requested, and an error otherwise.
    """
    roles = [
        label_column(frame[columns.case], source).alias("case"),
        label_column(frame[columns.activity], source).alias("activity"),
    ]
    if columns.timestamp is not None:
        roles += time_columns(frame[columns.timestamp], source, check_layouts(options.timestamp_format), rows_before)
    if columns.transition is not None and options.needs_transition:
        roles.append(label_column(frame[columns.transition], source).alias("transition"))
    for name in attributes:
        is_required = options.attributes != "people" or name == options.name
        with suppress(*([] if is_required else [LogError])):
            roles.append(attribute_column(frame[name], source, rows_before).alias(ATTRIBUTE + name))
    return pl.DataFrame(roles)


def label_column(column: pl.Series, source: str) -> pl.Series:
    """Return a column of labels or ids as strings, the same whatever the library; categories stay categories.

    They may be strings, integers, booleans, dates and decimals. Other types have no unambiguous form as a string.

    >>> label_column(pl.Series([True, None]), "log").to_list(), label_column(pl.Series([7]), "log").to_list()
    (['true', None], ['7'])
    """
    kind = column.dtype
    if is_text(kind):
        return column
    if kind == pl.Object:
        return _of_objects(column, source)
    if kind.is_integer() or kind in (pl.Boolean, pl.Decimal, pl.Null) or (kind == pl.Date and not outside_years(column).any()):
        return column.cast(pl.String)
    raise LogError(
        f"{source}: the column {column.name!r} is of type {kind}, which cannot be a label: convert it to strings or integers."
    )


def attribute_column(column: pl.Series, source: str, rows_before: int = 0) -> pl.Series:
    """Return a column as strings, null where a value is missing; some types cannot be written so.

    Integers are written without a fraction, also in columns of floats, in which pandas keeps integers with gaps. NaN is a
    missing value. Timestamps are in UTC, to the microsecond.

    >>> attribute_column(pl.Series([17.0, 0.5, None, float("nan")]), "log").to_list()
    ['17', '0.5', None, None]
    """
    kind = column.dtype
    if is_text(kind):
        return column
    if kind == pl.Object:
        return _of_objects(column, source, is_attribute=True)
    if kind.is_float():
        return pl.Series(column.name, list(map(float_text, column.to_list())), dtype=pl.String)
    if (isinstance(kind, pl.Datetime) or kind == pl.Date) and (outside := outside_years(column)).any():
        raise LogError(
            f"{source}, row {rows_before + int(outside.argmax()) + 1:,}: the value of the column {column.name!r} is outside the "
            "years 1 to 9999 in UTC. Correct it, or leave the attribute out; nothing was read."
        )
    if not (kind.is_nested() or kind in _NO_TEXTS):
        with suppress(pl.exceptions.PolarsError, pl.exceptions.PanicException):
            if isinstance(kind, pl.Datetime):
                column = column.dt.replace_time_zone(None) if kind.time_zone is None else column.dt.convert_time_zone("UTC")
                return column.dt.strftime("%Y-%m-%dT%H:%M:%S%.6f+00:00")
            return column.cast(pl.String)
    raise LogError(
        f"{source}: the column {column.name!r} is of type {kind}, whose values cannot be attributes: convert it to strings, or "
        "give another column or none; nothing was read."
    )


def is_text(kind: pl.DataType) -> bool:
    """Return whether a column of this type holds strings, as they are or as categories."""
    return kind == pl.String or isinstance(kind, pl.Categorical | pl.Enum)


def float_text(value: float | None) -> str | None:
    """Return a number as a string, without a fraction if it is whole; None for a missing one or NaN.

    >>> float_text(17.0), float_text(0.5), float_text(float("nan"))
    ('17', '0.5', None)
    """
    if value is None or value != value:
        return None
    return str(int(value)) if abs(value) < _EXACT_FLOATS and value == int(value) else repr(value)


def _of_objects(column: pl.Series, source: str, is_attribute: bool = False) -> pl.Series:
    """Return a column of Python objects as strings."""
    try:
        return object_texts(column.to_list(), column.name, source, is_attribute)
    except (ValueError, OverflowError, TypeError) as error:  # an unpaired surrogate, too many digits, pandas.NA
        if isinstance(error, LogError):
            raise
        raise LogError(f"{source}: the column {column.name!r} cannot be read ({error}): convert it; nothing was read.") from None


def object_texts(values: Iterable[Any], name: str, source: str, is_attribute: bool = False) -> pl.Series:
    """Return Python objects as strings, null for None; two different values with the same string are an error.

    Labels and ids may be strings, integers, booleans, dates, decimals and UUIDs; attributes also floats and times.

    >>> object_texts(["a", 7, True, None, date(2024, 2, 29)], "x", "log").to_list()
    ['a', '7', 'true', None, '2024-02-29']
    """
    known: dict[str, Any] = {}
    texts: list[str | None] = []
    for value in values:
        text = _object_text(value, is_attribute)
        if text is None and value is not None and value == value:
            raise LogError(
                f"{source}: the column {name!r} holds {shortened(repr(value))}, of type {type(value).__name__}, which cannot be "
                f"{'an attribute' if is_attribute else 'a label'}: convert it to strings or integers; nothing was read."
            )
        texts.append(text)
        if text is not None:
            for each in (text, str(value)) if isinstance(value, bool | np.bool_) else (text,):
                other = known.setdefault(each, value)
                if other is not value and isinstance(other, str) != isinstance(value, str):
                    raise LogError(
                        f"{source}: the column {name!r} holds both {other!r} and {value!r}, which would become the same "
                        "label: convert the column to strings; nothing was read."
                    )
    return pl.Series(name, texts, dtype=pl.String)


def _object_text(value: Any, is_attribute: bool) -> str | None:
    """Return an object as a string; None if its type cannot be written as one, or if it is a missing value."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, UUID) or (isinstance(value, Decimal) and value.is_finite()):
        return str(value)
    if isinstance(value, datetime):
        return in_utc(value).isoformat(timespec="microseconds") if is_attribute and value == value else None
    if isinstance(value, date):
        return value.isoformat()
    return float_text(float(value)) if is_attribute and isinstance(value, float | np.floating) else None


def in_utc(moment: datetime) -> datetime:
    """Return a time in UTC, or raise an error if its zone moves it out of the calendar."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def time_columns(column: pl.Series, source: str, layouts: Sequence[str] = (), rows_before: int = 0) -> list[pl.Series]:
    """Return a column of timestamps as ``time`` and ``nanos`` in UTC: whole microseconds, and the nanoseconds left over."""
    kind, name, column = column.dtype, column.name, unnamed(column)
    if isinstance(kind, pl.Datetime) or kind == pl.Date:
        outside = outside_years(column)
        if outside.any():
            raise _outside_years(source, "timestamp", name, rows_before + int(outside.argmax()))
        return _from_dates(column)
    if is_text(kind) or kind == pl.Null or (kind.is_integer() and not EPOCH_LAYOUTS.keys().isdisjoint(layouts)):
        column = column.cast(pl.String)
    else:
        raise LogError(
            f"{source}: the timestamp (column {name!r}) is of type {kind}, neither a date nor a string: "
            "convert it, name another column with timestamp=... (--timestamp), or say that integers are seconds or "
            "milliseconds since 1970 with timestamp_format='%s' or '%Q' (--timestamp-format)."
        )
    times, wrong, nanos = parse_series(column, layouts)
    if wrong is not None:
        text = shortened(str(column[wrong]))
        if times[wrong] != NO_TIME:
            raise _outside_years(source, f"timestamp {text!r}", name, rows_before + wrong)
        like = " or ".join(layouts) or "2024-02-29T12:00:00+01:00"
        advice = layout_advice(text, column, layouts)
        raise LogError(
            f"{source}, row {rows_before + wrong + 1:,}: {text!r} is not a timestamp like {like}. "
            f"{advice}; or, if the rows are in the right order already, leave timestamps out "
            "with timestamp='' (--timestamp ''). Nothing was read."
        )
    return times_of(times, nanos)


def times_of(times: NDArray[np.int64], nanos: NDArray[np.int16] | None) -> list[pl.Series]:
    """Return microseconds since 1970, NO_TIME for none, and the nanoseconds beyond them, as columns of events."""
    columns = [pl.Series("time", times.view("datetime64[us]"))]  # NO_TIME is numpy's "not a time", and becomes null
    return columns if nanos is None else [*columns, pl.Series("nanos", nanos)]


def codes_of(texts: Sequence[str], codes: NDArray[Any], name: str) -> pl.Series:
    """Return strings, given as positions in a list (-1 for a missing value), as a column of categories."""
    categories = pl.Series(name, texts, dtype=pl.Categorical(pl.Categories.random()))
    positions = pl.Series(codes)
    return categories.gather(positions.set(positions < 0, None) if len(codes) and codes.min() < 0 else positions)


def outside_years(column: pl.Series) -> NDArray[np.bool_]:
    """Return which dates or times of a column are outside the years 1 to 9999.

    >>> outside_years(pl.Series([0, 253_402_300_800_000, None]).cast(pl.Datetime("ms"))).tolist()
    [False, True, False]
    """
    numbers, nanoseconds = unnamed(column).to_physical().cast(pl.Int64).fill_null(0).to_numpy(), _unit(column)
    return (numbers < FIRST_TIME * 1000 // nanoseconds) | (numbers > LAST_TIME * 1000 // nanoseconds)


def _from_dates(column: pl.Series) -> list[pl.Series]:
    """Return dates as microseconds, and the nanoseconds beyond them; they are stored in UTC, whatever their zone."""
    numbers, nanoseconds = unnamed(column).to_physical().cast(pl.Int64), _unit(column)
    nanos = []
    if nanoseconds == 1:
        nanos = [(numbers % 1000).fill_null(0).cast(pl.Int16).alias("nanos")]
        numbers = numbers // 1000
    elif nanoseconds > 1000:
        numbers = numbers * (nanoseconds // 1000)
    return [numbers.cast(pl.Datetime("us")).alias("time"), *nanos]


def _unit(column: pl.Series) -> int:
    """Return how many nanoseconds the unit of a column of dates or times is."""
    return _UNITS[getattr(column.dtype, "time_unit", "days")]


def _outside_years(source: str, what: str, name: str, row: int) -> LogError:
    return LogError(
        f"{source}, row {row + 1:,}: the {what} (column {name!r}) is outside the years 1 to 9999 in UTC. Correct it, or "
        "leave timestamps out with timestamp='' (--timestamp ''); nothing was read."
    )


class Categories:
    """Turn the strings of blocks of events into categories shared by all blocks, which takes less memory."""

    def __init__(self) -> None:
        self._by_name: dict[str, pl.Categorical] = {}

    def of(self, events: pl.DataFrame) -> pl.DataFrame:
        """Return a block with categories for its strings. Blocks may come from several threads."""
        texts = [name for name, kind in events.schema.items() if is_text(kind)]
        new = pl.Categorical  # setdefault, because another thread may come first
        return events.with_columns(
            pl.col(name).cast(self._by_name.setdefault(name, new(pl.Categories.random()))) for name in texts
        )


class Coded(NamedTuple):
    """Hold events as integer codes, in the order of the source; labels and cases are numbered by their first event."""

    labels: list[str]
    codes: NDArray[np.int32]
    case_ids: Sequence[str]
    cases: NDArray[np.int64]
    skipped_cases: int = 0  # cases whose events were all skipped

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Return the offsets of the cases when events are sorted by case."""
        return np.concatenate([[0], np.cumsum(np.bincount(self.cases, minlength=len(self.case_ids)))])


def assemble(events: Events, options: ReadOptions, order: Order) -> EventLog:
    """Check the events, skip or label incomplete ones, apply the lifecycle, sort by case, and build the log."""
    if events.frame.is_empty():
        raise LogError(f"{events.source} is empty: it has no events.")
    if order == "time" and not events.has_times:
        raise LogError(
            f"{events.source} has no timestamps, so its events cannot be sorted by time: keep the file's "
            "order with order='file' (--order file)."
        )
    frame, complete, missing = without_missing(events, options, order)
    unused = describe(events.unused, events.frame["case"], events.frame["activity"])
    left = len(frame)
    if options.lifecycle == "append":
        frame = frame.with_columns(pl.col("activity").cast(pl.String) + "+" + pl.col("transition").cast(pl.String))
    coded = encode(events, frame, complete)
    if options.lifecycle == "complete":
        kept = (frame["transition"].cast(pl.String).str.to_lowercase() == "complete").to_numpy()
        if not kept.any():
            raise no_complete_event(events.source, frame["transition"].unique().to_list())
        frame = frame.filter(kept)
        coded = coded._replace(codes=coded.codes[kept], cases=coded.cases[kept])
    rows = sorted_rows(frame, coded.cases, order)
    reading = reading_of(events, options.lifecycle, order)
    if events.joined == "joined" and order == "time":
        reading = replace(reading, instants_in_files=_instants_in_files(frame[rows], coded.cases[rows]))
    facts: dict[str, Any] = {"cases": len(coded.case_ids), "skipped_cases": coded.skipped_cases, "events": len(frame)}
    facts |= {"left_out": left - len(frame), "rows_outside": options.skip + options.skip_last, **missing, **unused}
    names: dict[str, str] = {}
    if events.second_name is not None:
        names, name_facts = choose_names(coded.labels, coded.codes, _attribute(events.source, events.second_name, frame["name"]))
        facts |= {"name": events.second_name, **name_facts}
    attributes = {}
    for column in frame.columns:
        if column.startswith(ATTRIBUTE):
            name = column.removeprefix(ATTRIBUTE)
            attribute = _attribute(events.source, name, frame[column])
            attributes[name] = attribute._replace(codes=attribute.codes[rows])
    timestamps = frame["time"].to_numpy()[rows] if events.has_times else None
    return EventLog(
        coded.labels, coded.codes[rows], coded.offsets, coded.case_ids, timestamps, replace(reading, **facts), attributes, names
    )


def _instants_in_files(frame: pl.DataFrame, cases: NDArray[np.int64]) -> int:
    """Return how often sorted events of one case and time change from file to file: there the order is that of the files."""
    is_new = pl.any_horizontal((pl.col("^time|nanos$") != pl.col("^time|nanos$").shift()).fill_null(True))
    changes = (frame["attribute:source"].cast(pl.String) != frame["attribute:source"].cast(pl.String).shift()).fill_null(False)
    return int((changes.to_numpy() & ~frame.select(is_new).to_series().to_numpy() & (np.diff(cases, prepend=-1) == 0)).sum())


def encode(events: Events, frame: pl.DataFrame, complete: NDArray[np.bool_]) -> Coded:
    """Return the labels and cases of the complete events, which are those of ``frame``, as codes. All cases have an id.

    A case whose events are all incomplete is skipped; a case without events in the source is kept.
    """
    labels, codes = numbered(frame["activity"])
    case_ids: Sequence[str]
    if events.case_ids:
        case_ids, every = events.case_ids, events.frame["case"].cast(pl.Int64).fill_null(-1).to_numpy()
    else:
        case_ids, every = numbered(events.frame["case"])
    cases = every[complete].astype(np.int64)
    is_skipped = np.zeros(len(case_ids), dtype=bool)
    is_skipped[every[~complete & (every >= 0)]] = True
    is_skipped[cases] = False
    if not is_skipped.any():
        return Coded(labels, codes, case_ids, cases)
    kept = np.flatnonzero(~is_skipped).tolist()
    return Coded(
        labels, codes, [case_ids[case] for case in kept], cases - np.cumsum(is_skipped)[cases], len(case_ids) - len(kept)
    )


def numbered(texts: pl.Series) -> tuple[list[str], NDArray[np.int32]]:
    """Return the distinct strings of a column, in the order of their first appearance, and for each row its position, or -1.

    >>> numbered(pl.Series(["b", None, "a", "b"]))
    (['b', 'a'], array([ 0, -1,  1,  0], dtype=int32))
    """
    if texts.dtype == pl.String:
        texts = texts.cast(pl.Categorical(pl.Categories.random()))
    numbers = texts.to_physical()
    if texts.null_count() == len(texts):
        return [], np.full(len(texts), -1, dtype=np.int32)
    nothing = int(numbers.max()) + 1  # type: ignore[arg-type]
    codes = numbers.cast(pl.Int64).fill_null(nothing).to_numpy()
    first = np.full(nothing + 1, len(codes))
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # assigned in reverse, so the first row of each value stays
    first[nothing] = len(codes)
    order = np.argsort(first, kind="stable")
    used = int((first < len(codes)).sum())
    position = np.empty(nothing + 1, dtype=np.int32)
    position[order] = np.arange(nothing + 1)
    position[nothing] = -1
    return texts.gather(first[order[:used]]).cast(pl.String).to_list(), position[codes]


def sorted_rows(frame: pl.DataFrame, cases: NDArray[np.int64], order: Order) -> NDArray[np.int64]:
    """Return the rows sorted by case, and by time if that is the order; ties stay in the order of the source."""
    if order == "file":
        return np.lexsort((cases,))
    times = frame["time"].to_physical().fill_null(NO_TIME).to_numpy()
    nanos = frame["nanos"].to_numpy() if "nanos" in frame.columns else None
    return np.lexsort((times, cases) if nanos is None or not nanos.any() else (nanos, times, cases))


def reading_of(events: Events, lifecycle: Lifecycle, order: Order) -> Reading:
    """Return how the events were understood."""
    columns = events.columns
    return Reading(
        events.source,
        columns.case,
        columns.activity,
        timestamp=columns.timestamp,
        transition=columns.transition,
        order=() if order == "file" or columns.timestamp is None else (columns.timestamp,),
        lifecycle=lifecycle,
        events=len(events.frame),
        unnamed_cases=events.unnamed_cases,
        attributes=tuple(name.removeprefix(ATTRIBUTE) for name in events.frame.columns if name.startswith(ATTRIBUTE)),
        files=events.files,
        other_files=events.other_files,
        joined_cases=events.joined,
        flattening=events.flattening,
        frame_kind=events.frame_kind,
    )


def _attribute(source: str, name: str, column: pl.Series) -> Attribute:
    """Return an attribute as codes; more distinct values than fit into memory are an error."""
    if column.dtype == pl.String:
        column = column.cast(pl.Categorical(pl.Categories.random()))
    if isinstance(column.dtype, pl.Categorical):
        distinct = column.drop_nulls().unique()
        require_values(source, name, len(distinct), int(distinct.cast(pl.String).str.len_bytes().sum()))
    return Attribute(*numbered(column))


def require_values(source: str, name: str, values: int, characters: int) -> None:
    """Raise an error if an attribute has more distinct values than fit into memory."""
    require_memory(
        values * _BYTES_A_VALUE + characters,
        f"{source}: the attribute {shortened(name)!r} has {values:,} distinct values, which",
        "give another attribute or none; nothing was read",
    )


def missing_value(source: str, place: str, role: str, column: str, events: int) -> LogError:
    """Return the error about events that lack a required value, the first of them at ``place``."""
    others = "" if events == 1 else f" and in {events - 1:,} more event{'s' if events > 2 else ''}"
    remedies = ["Add it", "leave such events out with missing='skip' (--missing skip)"]
    if role == "activity":
        remedies.append(f"call their activity {NO_ACTIVITY!r} with missing='label' (--missing label)")
    if role == "timestamp":
        remedies.append("keep the order of the file with order='file' (--order file)")
    return LogError(
        f"{source}: {place.rstrip(',')} has no {role}: {column!r} is empty here{others}. {', '.join(remedies[:-1])}, or "
        f"{remedies[-1]}; nothing was read."
    )


def no_transitions(source: str, lifecycle: Lifecycle) -> LogError:
    """Return the error about a log without lifecycle transitions, where each event must have one."""
    return LogError(
        f"{source} has no lifecycle transitions, but lifecycle={lifecycle!r} needs them: use lifecycle='ignore' (--lifecycle "
        "ignore)."
    )


def without_transition(source: str, place: str, lifecycle: Lifecycle) -> LogError:
    """Return the error about an event without a lifecycle transition, where each must have one."""
    return LogError(
        f"{source}: {place} has no lifecycle transition, but lifecycle={lifecycle!r} needs one: correct the log, or use "
        "lifecycle='ignore' (--lifecycle ignore)."
    )


def no_complete_event(source: str, transitions: Iterable[str]) -> LogError:
    """Return the error about a log without any event that ``lifecycle="complete"`` keeps."""
    return LogError(
        f"{source} has no event whose transition is 'complete': its transitions are "
        f"{', '.join(map(repr, sorted(transitions)[:10]))}. Read it with lifecycle='ignore' (--lifecycle ignore)."
    )


def without_missing(events: Events, options: ReadOptions, order: Order) -> tuple[pl.DataFrame, NDArray[np.bool_], dict[str, Any]]:
    """Return the complete events according to ``options.missing``, a mask of their rows, and facts for ``Reading``."""
    frame, columns = events.frame, events.columns
    roles = {"case": ("case", columns.case), "activity": ("activity", columns.activity)}
    if order == "time":
        roles["time"] = ("timestamp", str(columns.timestamp))
    for name, (wanted, column) in roles.items():
        if len(frame) > 1 and frame[name].null_count() == len(frame):
            raise LogError(
                f"{events.source}: no event has a value for {column!r}, the {wanted}: name another column with "
                f"{wanted}=... (--{wanted}); nothing was read."
            )
    facts: dict[str, Any] = {}
    if options.missing == "label" and (unlabelled := frame["activity"].null_count()):
        facts["labelled"] = unlabelled
        frame = frame.with_columns(pl.col("activity").cast(pl.String).fill_null(NO_ACTIVITY))
    lacking = {name: frame[name].is_null() for name in roles if frame[name].null_count()}
    if lacking and options.missing != "skip":
        first = min(lacking, key=lambda name: int(lacking[name].arg_true()[0]))
        event, role = int(lacking[first].arg_true()[0]), roles[first]
        raise missing_value(events.source, events.place(event), *role, int(lacking[first].sum()))
    kept = np.ones(len(frame), dtype=bool)
    for absent in lacking.values():
        kept &= ~absent.to_numpy()
    if lacking:
        facts["skipped"], facts["skipped_for"] = len(kept) - int(kept.sum()), tuple(roles[name][0] for name in lacking)
        if not kept.any():
            raise LogError(f"{events.source}: every event lacks its {' or '.join(facts['skipped_for'])}; nothing was read.")
    if options.lifecycle != "ignore":
        if "transition" not in frame.columns:
            raise no_transitions(events.source, options.lifecycle)
        missing = np.flatnonzero(frame["transition"].is_null().to_numpy() & kept)
        if len(missing):
            raise without_transition(events.source, events.place(int(missing[0])), options.lifecycle)
    return (frame.filter(kept) if lacking else frame), kept, facts
