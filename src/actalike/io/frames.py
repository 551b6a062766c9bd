"""Read events from columns: of frames of any library, and of the blocks of a CSV file."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.errors import LogError, shortened
from actalike.io.assemble import Events
from actalike.io.columns import Columns
from actalike.io.text_codes import AttributeCodes, Codes
from actalike.io.timestamp_layouts import layout_advice
from actalike.io.timestamps import EPOCH_LAYOUTS, FIRST_TIME, LAST_TIME, NO_TIME, check_layout, parse_series, parse_series_as
from actalike.io.unused_columns import SAMPLE_ROWS, Unread
from actalike.support.native_panics import NativePanic, catch_panics

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw  # loaded when a frame is read: files need none of it

_NO_ATTRIBUTES: Mapping[str, pl.Series] = MappingProxyType({})
_UNITS = {"ns": 1, "us": 1000, "ms": 1_000_000, "days": 86_400_000_000_000}  # in nanoseconds


class CheckedRows(NamedTuple):
    """Hold the columns of a block of rows: texts without nulls, timestamps in microseconds, others with nulls."""

    cases: pl.Series
    activities: pl.Series
    times: NDArray[np.int64] | None
    transitions: pl.Series | None
    attributes: Mapping[str, pl.Series]


class ColumnReader:
    """Collect the events of blocks of rows, one block after the other."""

    def __init__(self, source: str, columns: Columns, timestamp_format: str | None, needs_transition: bool) -> None:
        self.source = source
        self.columns = columns
        self.transition = columns.transition if needs_transition else None
        self.timestamp_format = None if timestamp_format is None else check_layout(timestamp_format)
        self.n_rows = 0
        self.unread: Unread | None = None
        self._cases, self._activities, self._transitions = Codes(), Codes(), Codes()
        self._attributes: dict[str, AttributeCodes] = {}
        self._blocks: list[tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64] | None, NDArray[np.int32] | None]] = []

    @property
    def names(self) -> list[str]:
        """Return the names of the columns that are read, each once."""
        wanted = (self.columns.case, self.columns.activity, self.columns.timestamp, self.transition)
        return [name for name in dict.fromkeys(wanted) if name is not None]

    def take(self, block: pl.DataFrame, attributes: Mapping[str, pl.Series] = _NO_ATTRIBUTES) -> None:
        """Read a block, whose columns have the names in ``columns``; ``attributes`` are further columns, as texts."""
        self.keep(self.check(block, self.n_rows, attributes))

    def check(self, block: pl.DataFrame, rows_before: int, attributes: Mapping[str, pl.Series] = _NO_ATTRIBUTES) -> CheckedRows:
        """Return the columns of a block, or raise an error. This keeps nothing, so blocks can be checked side by side."""
        columns = self.columns
        cases = self._without_nulls(block, "case", columns.case, rows_before)
        activities = self._without_nulls(block, "activity", columns.activity, rows_before)
        times = None if columns.timestamp is None else self._times(block[columns.timestamp], rows_before)
        transitions = None if self.transition is None else _texts(block[self.transition], self.source)
        return CheckedRows(cases, activities, times, transitions, attributes)

    def keep(self, rows: CheckedRows) -> None:
        """Add the events of a block; blocks come in the order of the source."""
        cases = self._cases.encode(rows.cases)
        activities = self._activities.encode(rows.activities)
        transitions = None
        if rows.transitions is not None:
            transitions = np.full(len(cases), -1, dtype=np.int32)
            transitions[rows.transitions.is_not_null().to_numpy()] = self._transitions.encode(rows.transitions.drop_nulls())
        for name, texts in rows.attributes.items():
            if name not in self._attributes:
                self._attributes[name] = AttributeCodes(self.source, name)
            self._attributes[name].add(texts)
        self._blocks.append((cases, activities, rows.times, transitions))
        self.n_rows += len(cases)

    def events(self) -> Events:
        """Return all events read so far."""
        if not self.n_rows:
            raise LogError(f"{self.source} is empty: it has column names but no rows.")
        cases, codes, times, transitions = zip(*self._blocks, strict=True)
        all_times = None if self.columns.timestamp is None else np.concatenate(times)
        return Events(
            self.source,
            list(self._activities.known),
            np.concatenate(codes),
            list(self._cases.known),
            np.concatenate(cases).astype(np.int64),
            all_times,
            list(self._transitions.known),
            None if self.transition is None else np.concatenate(transitions),
            lambda event: f"row {event + 1:,}",
            self.columns,
            self.unread,
            attributes={name: codes.attribute() for name, codes in self._attributes.items()},
        )

    def _without_nulls(self, block: pl.DataFrame, role: str, name: str, rows_before: int) -> pl.Series:
        texts = _texts(block[name], self.source)
        if texts.null_count():
            row = rows_before + int(texts.is_null().arg_true()[0]) + 1
            raise LogError(
                f"{self.source}, row {row:,}: the {role} (column {name!r}) is missing{_elsewhere(texts.null_count() - 1)}. "
                "Correct or remove what lacks it; nothing was read."
            )
        return texts

    def _times(self, column: pl.Series, rows_before: int) -> NDArray[np.int64]:
        """Return the timestamps of a column in microseconds, NO_TIME for nulls."""
        kind = column.dtype
        if isinstance(kind, pl.Datetime) or kind == pl.Date:
            return self._micros(column, rows_before)
        if kind == pl.Null:
            return np.full(len(column), NO_TIME, dtype=np.int64)
        if kind.is_integer() and self.timestamp_format in EPOCH_LAYOUTS:
            column = column.cast(pl.String)
        elif kind != pl.String:
            raise LogError(
                f"{self.source}: the timestamp (column {column.name!r}) is of type {kind}, neither a date nor a text: "
                "convert it, name another column with timestamp=... (--timestamp), or say that whole numbers are seconds or "
                "milliseconds since 1970 with timestamp_format='%s' or '%Q' (--timestamp-format)."
            )
        parse = (
            parse_series if self.timestamp_format is None else lambda texts: parse_series_as(texts, str(self.timestamp_format))
        )
        times, wrong = parse(column)
        if wrong is not None and times[wrong] != NO_TIME:
            raise self._outside_years(f"timestamp {shortened(str(column[wrong]))!r}", column.name, rows_before + wrong)
        if wrong is not None:
            text = shortened(str(column[wrong]))
            raise LogError(
                f"{self.source}, row {rows_before + wrong + 1:,}: {text!r} is not a timestamp like "
                f"{self.timestamp_format or '2024-02-29T12:00:00+01:00'}. {layout_advice(text, column)}, or leave "
                "timestamps out with timestamp='' (--timestamp ''); nothing was read."
            )
        return times

    def _micros(self, column: pl.Series, rows_before: int) -> NDArray[np.int64]:
        """Return dates as microseconds; they are stored in UTC, whatever their zone. Polars panics beyond its calendar."""
        outside = dates_outside_years(column)
        if outside.any():
            raise self._outside_years("timestamp", column.name, rows_before + int(outside.argmax()))
        numbers, nanoseconds = column.to_physical().cast(pl.Int64).fill_null(0).to_numpy(), _unit(column)
        micros = numbers * (nanoseconds // 1000) if nanoseconds >= 1000 else numbers // 1000
        return np.where(column.is_null().to_numpy(), NO_TIME, micros)

    def _outside_years(self, what: str, name: str, row: int) -> LogError:
        return LogError(
            f"{self.source}, row {row + 1:,}: the {what} (column {name!r}) is outside the years 1 to 9999 in UTC. Correct it, or "
            "leave timestamps out with timestamp='' (--timestamp ''); nothing was read."
        )


def dates_outside_years(column: pl.Series) -> NDArray[np.bool_]:
    """Return which dates or times of a column are outside the years 1 to 9999.

    >>> dates_outside_years(pl.Series([0, 253_402_300_800_000, None]).cast(pl.Datetime("ms"))).tolist()
    [False, True, False]
    """
    numbers, nanoseconds = column.to_physical().cast(pl.Int64).fill_null(0).to_numpy(), _unit(column)
    return (numbers < FIRST_TIME * 1000 // nanoseconds) | (numbers > LAST_TIME * 1000 // nanoseconds)


def _unit(column: pl.Series) -> int:
    """Return how many nanoseconds the unit of a column of dates or times is."""
    return _UNITS[getattr(column.dtype, "time_unit", "days")]


def _elsewhere(rows: int) -> str:
    """Return in how many more rows something is so."""
    return "" if not rows else f", as it is in {rows:,} more row{'s' if rows > 1 else ''}"


def _texts(column: pl.Series, source: str) -> pl.Series:
    """Return a column of labels as texts, or raise an error if its type is not one of labels."""
    kind = column.dtype
    if kind == pl.String:
        return column
    # the text of a time of day has no fractions of seconds, so two of them would be one label
    if not (kind.is_nested() or kind.is_float() or kind in (pl.Binary, pl.Object, pl.Time, pl.Duration)):
        with suppress(pl.exceptions.PolarsError, NativePanic), catch_panics():
            return column.cast(pl.String)
    raise LogError(
        f"{source}: the column {column.name!r} is of type {kind}, which cannot be a label: convert it to texts or whole numbers."
    )


_WITHOUT_ROW_ORDER = {"IBIS", "PYSPARK", "PYSPARK_CONNECT", "SQLFRAME"}  # as narwhals calls them


def to_eager(frame: object, source: str) -> "nw.DataFrame[Any]":
    """Return a frame of any library that narwhals knows as an eager narwhals frame."""
    import narwhals.stable.v2 as nw

    try:
        native = nw.from_native(frame)  # type: ignore[call-overload]
    except nw.exceptions.DuplicateError:
        raise LogError(f"{source} has two columns of the same name: rename one.") from None
    except TypeError:
        raise LogError(
            f"{source} is neither a path nor a frame (pandas, Polars, pyarrow, ...): lists of labels go to EventLog.from_traces."
        ) from None
    if isinstance(native, nw.LazyFrame) and native.implementation.name in _WITHOUT_ROW_ORDER:
        raise LogError(
            f"{source} is a table of a database or cluster, whose rows have no order: count_windows counts it where it is, or "
            "sort it and fetch it first, e.g. table.order_by('time').to_polars(). Nothing was read."
        )
    eager = compute(native, source) if isinstance(native, nw.LazyFrame) else native
    if not all(isinstance(name, str) for name in eager.columns):
        raise LogError(f"{source} has columns whose names are not texts: rename them.")
    return eager


def compute(lazy: "nw.LazyFrame[Any]", source: str) -> "nw.DataFrame[Any]":
    """Compute a lazy frame, which may be anything from anywhere: a damaged file, or a query that fails."""
    try:
        with catch_panics():
            return lazy.collect("polars")
    except Exception as error:
        raise LogError(f"{source} cannot be computed ({_first_line(error)}); nothing was read.") from error


def take_columns(frame: "nw.DataFrame[Any]", names: Sequence[str], source: str = "the frame") -> pl.DataFrame:
    """Return some columns of a frame as a Polars frame. For pandas frames, this works without pyarrow."""
    return pl.DataFrame([readable_column(frame[name], source).alias(name) for name in dict.fromkeys(names)])


def first_rows(frame: "nw.DataFrame[Any]", names: Sequence[str]) -> pl.DataFrame:
    """Return the first rows of columns that are only looked at; one of an odd type is left out."""
    first = frame.head(SAMPLE_ROWS)
    columns = []
    for name in names:
        with suppress(LogError):
            columns.append(take_columns(first, [name]))
    return pl.concat(columns, how="horizontal") if columns else pl.DataFrame()


def _to_polars(column: "nw.Series[Any]", source: str) -> pl.Series:
    """Return a column of another library as a Polars column of texts, dates or times."""
    import narwhals.stable.v2 as nw

    if isinstance(column.dtype, nw.Datetime) or column.dtype == nw.Date:
        return date_column(column)
    return pl.Series(label_texts(column, source), dtype=pl.String)


def readable_column(
    column: "nw.Series[Any]", source: str, convert: "Callable[[nw.Series[Any], str], pl.Series]" = _to_polars
) -> pl.Series:
    """Return a column as a Polars column: one of another library as ``convert`` does, or an error if that fails."""
    native = column.to_native()
    if isinstance(native, pl.Series):
        return native
    try:
        return convert(column, source)
    except LogError:
        raise
    except Exception as error:  # of pandas, pyarrow or another library, each with its own kinds
        raise LogError(
            f"{source}: the column {column.name!r} of type {column.dtype} cannot be read ({_first_line(error)}): convert it; "
            "nothing was read."
        ) from None


def date_column(column: "nw.Series[Any]") -> pl.Series:
    """Return dates and times, to the microsecond in UTC; digits beyond that are cut off."""
    import narwhals.stable.v2 as nw

    micros = np.full(len(column), NO_TIME, dtype=np.int64)
    values = column.drop_nulls()
    if getattr(column.dtype, "time_unit", None) == "ns":
        numbers = values.dt.timestamp("ns").to_numpy() // 1000
    else:
        numbers = values.cast(nw.Datetime("us", getattr(column.dtype, "time_zone", None))).dt.timestamp("us").to_numpy()
    micros[~column.is_null().to_numpy()] = numbers
    return pl.Series(micros.view("datetime64[us]"))  # NO_TIME is numpy's "not a time", and becomes null


def label_texts(column: "nw.Series[Any]", source: str) -> list[str | None]:
    """Return the labels of a column, None where there is none."""
    import narwhals.stable.v2 as nw

    values = column.drop_nulls()
    if column.dtype.is_float() and len(values) < len(column) and bool((values % 1 == 0).all()):
        missing = np.flatnonzero(column.is_null().to_numpy())
        raise LogError(
            f"{source}, row {missing[0] + 1:,}: the value of the column {column.name!r} is missing{_elsewhere(len(missing) - 1)}"
            ", and so the whole numbers of the other rows have become decimal numbers, which cannot be labels. Correct or remove "
            "what lacks it, or convert the column to Int64 or to texts; nothing was read."
        )
    if len(values) and (
        column.dtype.is_nested() or column.dtype.is_float() or column.dtype == nw.Binary or not _are_plain(values)
    ):
        raise LogError(
            f"{source}: the column {column.name!r} holds values that cannot be labels: convert it to texts or whole numbers."
        )
    texts: list[str | None] = [None] * len(column)
    present = np.flatnonzero(~column.is_null().to_numpy()).tolist()
    for i, text in zip(present, values.cast(nw.String).to_list(), strict=True):
        texts[i] = text
    return texts


def _are_plain(values: "nw.Series[Any]") -> bool:
    """Return whether an untyped column (pandas) holds only texts and whole numbers."""
    import narwhals.stable.v2 as nw

    return values.dtype != nw.Object or all(isinstance(value, str | int) for value in values.to_list())


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
