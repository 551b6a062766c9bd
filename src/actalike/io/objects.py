"""Read objects in memory: frames of any library, and the event logs of pm4py.

Columns are converted through Arrow where the library has it; Python objects in them become strings by one list of types.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from actalike.errors import LogError
from actalike.io.columns import SAMPLE_ROWS, find_attributes, find_columns
from actalike.io.frame import (
    Events,
    ReadOptions,
    attribute_column,
    columns_to_read,
    events_from_columns,
    object_texts,
    unused_columns,
)
from actalike.io.xes import CASE_NAME, unused_id
from actalike.log import EventLog
from actalike.support.frames import FrameKind

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw  # loaded when a frame is read: files need none of it
    from narwhals.stable.v2.typing import IntoFrame

    LogLike = EventLog | IntoFrame  # what functions take as a log; also an event log of pm4py, which has no types
else:
    LogLike = Any

_PM4PY = "the EventLog of pm4py"
_KINDS: dict[str, FrameKind] = {"PANDAS": "pandas", "PYARROW": "pyarrow"}
_FETCHES = {  # tables of engines, as narwhals calls them, and how to fetch them
    "DUCKDB": "relation.order('time').pl()",
    "IBIS": "table.order_by('time').to_polars()",
    "PYSPARK": "frame.orderBy('time').toPandas()",
    "PYSPARK_CONNECT": "frame.orderBy('time').toPandas()",
    "SQLFRAME": "frame.orderBy('time').toPandas()",
}


def is_frame(source: object) -> bool:
    """Return whether something is a frame of a library that narwhals knows."""
    import narwhals.stable.v2 as nw

    try:
        nw.from_native(source)  # type: ignore[call-overload]
    except nw.exceptions.NarwhalsError:
        return True  # a frame with a fault, which reading explains
    except TypeError:
        return False
    return True


def read_frame(frame: Any, options: ReadOptions) -> Events:
    """Return the events of a frame, in the order of its rows; the second name is one of their attributes."""
    source = f"the {type(frame).__name__}"
    eager = to_eager(frame, source)
    columns = find_columns(source, eager.columns, **options.columns)
    attributes = find_attributes(source, eager.columns, columns, options.attributes, options.name)
    table = take_columns(eager, columns_to_read(columns, options), source)
    values = {}
    for name in attributes:
        is_required = options.attributes != "people" or name == options.name
        with suppress(*([] if is_required else [LogError])):
            values[name] = attribute_column(polars_column(eager[name], source, is_attribute=True), source)
    unused = unused_columns(eager.columns, columns, options, lambda names: _first_rows(eager, names, source))
    events = events_from_columns(source, table.with_columns(**values), columns, options, list(values), unused)
    return replace(events, frame_kind=_KINDS.get(eager.implementation.name, "polars"))


def how_to_fetch(table: object) -> str | None:
    """Return how to fetch the events of an engine's table (DuckDB, Ibis, Spark) into memory; None for anything else.

    >>> how_to_fetch(pl.DataFrame()), how_to_fetch("orders.csv")
    (None, None)
    """
    import narwhals.stable.v2 as nw

    try:
        return _FETCHES.get(nw.from_native(table).implementation.name)  # type: ignore[call-overload]
    except (TypeError, nw.exceptions.NarwhalsError):  # not a frame, or one with a fault, which reading explains
        return None


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
    fetch = how_to_fetch(frame)
    if fetch is not None and native.implementation != nw.Implementation.DUCKDB:  # the rows of a DuckDB relation have an order
        raise LogError(
            f"{source} is a table of a database or cluster, whose rows have no order: count_windows counts it where it is, or "
            f"sort it and fetch it first, e.g. {fetch}. Nothing was read."
        )
    eager = compute(native, source) if isinstance(native, nw.LazyFrame) else native
    if not all(isinstance(name, str) for name in eager.columns):
        raise LogError(f"{source} has columns whose names are not strings: rename them.")
    return eager


def compute(lazy: "nw.LazyFrame[Any]", source: str) -> "nw.DataFrame[Any]":
    """Compute a lazy frame, which may be anything from anywhere: a damaged file, or a query that fails."""
    try:
        return lazy.collect("polars")
    except (Exception, pl.exceptions.PanicException) as error:
        raise LogError(f"{source} cannot be computed ({_first_line(error)}); nothing was read.") from error


def take_columns(frame: "nw.DataFrame[Any]", names: Sequence[str], source: str = "the frame") -> pl.DataFrame:
    """Return some columns of a frame as a Polars frame. For pandas frames, this works without pyarrow."""
    return pl.DataFrame([polars_column(frame[name], source) for name in dict.fromkeys(names)])


def polars_column(column: "nw.Series[Any]", source: str, is_attribute: bool = False) -> pl.Series:
    """Return a column of any library as one of Polars: times in UTC, objects of Python as strings.

    An attribute may hold floats among its objects, and a label or an id may not.
    """
    import narwhals.stable.v2 as nw

    native, name = column.to_native(), column.name
    if isinstance(native, pl.Series):
        return native
    try:
        if column.implementation == nw.Implementation.PANDAS:
            return _from_pandas(native, name, source, is_attribute).alias(name)
        is_arrow = column.implementation == nw.Implementation.PYARROW
        return _from_arrow(native if is_arrow else column.to_arrow()).alias(name)
    except LogError:
        raise
    except (Exception, pl.exceptions.PanicException) as error:  # of any library, each with its own kinds
        raise LogError(
            f"{source}: the column {name!r} of type {column.dtype} cannot be read ({_first_line(error)}): convert it; "
            "nothing was read."
        ) from None


def _from_arrow(column: Any) -> pl.Series:
    """Return an array of pyarrow as a Polars column."""
    import pyarrow as pa

    kind = column.type
    if pa.types.is_dictionary(kind) and kind.value_type not in (pa.string(), pa.large_string(), pa.string_view()):
        # of other dictionaries, Polars takes some values wrongly, or panics
        chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
        kind = kind.value_type
        column = pa.chunked_array([chunk.dictionary_decode() for chunk in chunks], kind)
    if pa.types.is_timestamp(kind) and (kind.tz is not None or kind.unit == "s"):  # Polars does not know every zone
        column = column.cast(pa.timestamp("ms" if kind.unit == "s" else kind.unit, kind.tz and "UTC"))
    elif pa.types.is_date64(kind):
        column = column.cast(pa.date32())
    if getattr(kind, "extension_name", None) == "arrow.uuid":
        digits = pl.Series(column.cast(pa.binary(16))).bin.encode("hex")
        return digits.str.replace("^(.{8})(.{4})(.{4})(.{4})", "$1-$2-$3-$4-")
    return pl.Series(column)


def _from_pandas(column: Any, name: str, source: str, is_attribute: bool) -> pl.Series:
    """Return a column of pandas as a Polars column; only what is stored as Arrow needs pyarrow."""
    import pandas as pd

    kind = column.dtype
    if isinstance(kind, pd.ArrowDtype):
        import pyarrow as pa

        return _from_arrow(pa.array(column))
    if isinstance(kind, pd.CategoricalDtype):
        categories = _from_pandas(kind.categories.to_series(), name, source, is_attribute)
        codes = pl.Series(column.cat.codes.to_numpy())
        return categories.gather(codes.set(codes < 0, None))
    if isinstance(kind, pd.DatetimeTZDtype):
        column = column.dt.tz_convert(None)
    if column.dtype.kind == "M":
        column = column.dt.as_unit("ms") if column.dt.unit == "s" else column
    if isinstance(column.dtype, np.dtype) and not pd.api.types.is_object_dtype(kind):
        values = pl.Series(column.to_numpy(), nan_to_null=not is_attribute)
        if not is_attribute and values.dtype.is_float() and values.null_count() and _are_exact(values):
            return values.cast(pl.Int64)  # pandas makes floats of integers where one is missing
        return values
    if not pd.api.types.is_object_dtype(kind) and _has_pyarrow():
        return pl.Series(column)
    values = column.to_numpy(object, copy=True)
    values[column.isna().to_numpy()] = None
    holds = pd.api.types.infer_dtype(values, skipna=True)
    if holds in ("string", "boolean", "empty"):
        return pl.Series(values.tolist(), dtype={"boolean": pl.Boolean}.get(holds, pl.String))
    if holds == "decimal" and all(value is None or value.is_finite() for value in values):
        return pl.Series(values.tolist())
    return object_texts(values.tolist(), name, source, is_attribute)


def _first_rows(frame: "nw.DataFrame[Any]", names: Sequence[str], source: str) -> pl.DataFrame:
    """Return the first rows of columns that are not read, without those of an unusual type."""
    first, columns = frame.head(SAMPLE_ROWS), []
    for name in names:
        with suppress(LogError):
            columns.append(polars_column(first[name], source, is_attribute=True))
    return pl.DataFrame(columns)


def _are_exact(values: pl.Series) -> bool:
    """Return whether all floats are integers, and so small that no two integers have become one of them."""
    return bool(((values % 1 == 0) & (values.abs() < 2**53)).all())


def _has_pyarrow() -> bool:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return False
    return True


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def is_pm4py_log(source: object) -> bool:
    """Return whether something is an event log of pm4py, without importing pm4py."""
    return any(kind.__name__ == "EventLog" and kind.__module__.startswith("pm4py.") for kind in type(source).__mro__)


def read_pm4py(log: Any, options: ReadOptions) -> Events:
    """Return the events of pm4py's EventLog; attributes of traces have ``case:`` before their name, as in pm4py's frames."""
    rows = [{**{f"case:{key}": value for key, value in trace.attributes.items()}, **event} for trace in log for event in trace]
    if not rows:
        raise LogError(f"{_PM4PY} is empty: it has {len(log):,} traces but no events.")
    case = f"case:{(options.case or CASE_NAME).removeprefix('case:')}"
    present = list(dict.fromkeys([case, *(key for row in rows for key in row)]))
    columns = find_columns(_PM4PY, present, **{**options.columns, "case": case})
    attributes = find_attributes(_PM4PY, present, columns, options.attributes, options.name)

    def column(name: str, rows: Sequence[Mapping[str, Any]] = rows) -> pl.Series:
        values = [_value(row.get(name)) for row in rows]
        return _moments(name, values) if name == columns.timestamp else pl.Series(name, values, dtype=pl.Object)

    def first_rows(names: list[str]) -> pl.DataFrame:
        return pl.DataFrame([object_texts(column(name, rows[:SAMPLE_ROWS]), name, _PM4PY, is_attribute=True) for name in names])

    unused = unused_columns([columns.transition] if columns.transition else [], columns, options, first_rows)
    frame = pl.DataFrame([column(name) for name in columns_to_read(columns, options, attributes)])
    case_ids, unnamed = _case_ids(log, case.removeprefix("case:"))
    events = events_from_columns(_PM4PY, frame, columns, options, attributes, unused, case_ids=case_ids, unnamed_cases=unnamed)
    traces = np.repeat(np.arange(len(log)), [len(trace) for trace in log]).astype(np.int64)
    return replace(events, frame=events.frame.with_columns(case=traces))


def _value(value: Any) -> Any:
    """Return the value of an attribute; one with attributes of its own is a dictionary."""
    return value.get("value") if isinstance(value, dict) else value


def _case_ids(log: Any, case: str) -> tuple[list[str], int]:
    """Return the id of each trace, and how many traces have no name and are numbered, as in XES."""
    names = object_texts([_value(trace.attributes.get(case)) for trace in log], case, _PM4PY).to_list()
    if case != CASE_NAME and None in names:
        raise LogError(f"{_PM4PY}: trace {names.index(None) + 1:,} has no {case!r} (given as case); nothing was read.")
    taken = {name for name in names if name is not None}
    ids = [unused_id(number, taken) if name is None else name for number, name in enumerate(names, 1)]
    return ids, names.count(None)


def _moments(name: str, values: Sequence[Any]) -> pl.Series:
    """Return datetimes as ISO 8601, and other values as strings, which fail to parse as timestamps."""
    texts = [
        None if each is None or each != each else each.isoformat() if isinstance(each, datetime) else str(each) for each in values
    ]
    return pl.Series(name, texts, dtype=pl.String)
