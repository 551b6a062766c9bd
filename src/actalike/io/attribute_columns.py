"""Turn columns of any type into texts, as values of attributes: the same for the same values, whatever the library."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import polars as pl

from actalike.errors import LogError
from actalike.io.frames import date_column, dates_outside_years, label_texts, readable_column
from actalike.support.native_panics import NativePanic, catch_panics

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw  # loaded when a frame is read: files need none of it

_EXACT_FLOATS = 2**53  # floats below it that are whole are exact whole numbers
_NO_VALUES = (pl.Binary, pl.Object, pl.Time, pl.Duration)  # the text of a time of day has no fractions of seconds


def attribute_texts(column: pl.Series, source: str) -> pl.Series:
    """Return a column as texts, null where a value is missing, or raise an error if its type has no texts.

    A whole number is written without a fraction, even in a column of floats: pandas keeps whole numbers with gaps so. NaN is a
    missing value. Timestamps are in UTC, to the microsecond.

    >>> attribute_texts(pl.Series([17.0, 0.5, None, float("nan")]), "log").to_list()
    ['17', '0.5', None, None]
    >>> attribute_texts(pl.Series([True, False]), "log").to_list()
    ['true', 'false']
    """
    kind = column.dtype
    if kind == pl.String:
        return column
    if kind.is_float():
        return pl.Series(column.name, list(map(float_text, column.to_list())), dtype=pl.String)
    if (isinstance(kind, pl.Datetime) or kind == pl.Date) and (outside := dates_outside_years(column)).any():
        raise LogError(
            f"{source}, row {outside.argmax() + 1:,}: the value of the column {column.name!r} is outside the years 1 to 9999 in "
            "UTC. Correct it, or leave the attribute out; nothing was read."
        )
    if not (kind.is_nested() or kind in _NO_VALUES):
        with suppress(pl.exceptions.PolarsError, NativePanic), catch_panics():
            if isinstance(kind, pl.Datetime):
                column = column.dt.replace_time_zone(None) if kind.time_zone is None else column.dt.convert_time_zone("UTC")
                return column.dt.strftime("%Y-%m-%dT%H:%M:%S%.6f+00:00")
            return column.cast(pl.String)
    raise LogError(
        f"{source}: the column {column.name!r} is of type {kind}, whose values cannot be attributes: convert it to texts, or "
        "give another column or none; nothing was read."
    )


def take_attributes(
    frame: "nw.DataFrame[Any] | pl.DataFrame", names: Sequence[str], source: str, required: Collection[str | None]
) -> dict[str, pl.Series]:
    """Return some columns of a frame as texts; one that has no texts is left out, unless it is required."""
    columns = {}
    for name in names:
        with suppress(*([] if name in required else [LogError])):
            column = frame[name]
            readable = column if isinstance(column, pl.Series) else readable_column(column, source, _to_polars)
            columns[name] = attribute_texts(readable.alias(name), source)
    return columns


def _to_polars(column: "nw.Series[Any]", source: str) -> pl.Series:
    """Return a column of another library as a Polars column with the same values."""
    import narwhals.stable.v2 as nw

    kind = column.dtype
    if isinstance(kind, nw.Datetime):
        return date_column(column)
    if kind == nw.Date:
        return date_column(column).cast(pl.Date)
    if kind == nw.Boolean:
        return pl.Series([None if value is None else bool(value) for value in _values(column)], dtype=pl.Boolean)
    if kind.is_float():
        return pl.Series([None if value is None else float(value) for value in _values(column)], dtype=pl.Float64)
    if kind == nw.Object:
        return pl.Series([_object_text(value, column.name, source) for value in _values(column)], dtype=pl.String)
    return pl.Series(label_texts(column, source), dtype=pl.String)


def _values(column: "nw.Series[Any]") -> list[Any]:
    """Return the values of a column, None for nulls of any kind."""
    return [None if is_null else value for value, is_null in zip(column.to_list(), column.is_null().to_list(), strict=True)]


def float_text(value: float | None) -> str | None:
    """Return a number as text, without a fraction if it is whole; None for a missing one or NaN.

    >>> float_text(17.0), float_text(0.5), float_text(float("nan"))
    ('17', '0.5', None)
    """
    if value is None or value != value:
        return None
    return str(int(value)) if abs(value) < _EXACT_FLOATS and value == int(value) else repr(value)


def _object_text(value: object, name: str, source: str) -> str | None:
    """Return a value of an untyped column (pandas) as text."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return float_text(value)
    raise LogError(
        f"{source}: the column {name!r} holds values of type {type(value).__name__}, which cannot be attributes: convert it to "
        "texts, or give another column or none; nothing was read."
    )
