"""Choose and check the columns of a frame: the case, the activity, and those that order the events of a case."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import narwhals.stable.v2 as nw

from actalike.counting.engines.event_columns import EventColumns
from actalike.errors import ActalikeError, LogError, did_you_mean
from actalike.io import find_columns

Ties = Literal["error", "row"]
AnyFrame = nw.DataFrame[Any] | nw.LazyFrame[Any]


def open_frame(frame: object, source: str) -> AnyFrame:
    """Return a frame of any library that narwhals knows as a narwhals frame."""
    try:
        opened: AnyFrame = nw.from_native(frame)
    except nw.exceptions.DuplicateError:
        raise LogError(f"{source} has two columns of the same name: rename one.") from None
    except TypeError:
        raise ActalikeError(
            "count_windows takes an EventLog or a frame (Polars, pandas, pyarrow, DuckDB, Spark, Ibis), not "
            f"{type(frame).__name__}: use actalike.read_log(...) or EventLog.from_traces(...) first."
        ) from None
    if not all(isinstance(name, str) for name in opened.collect_schema()):
        raise LogError(f"{source} has columns whose names are not texts: rename them.")
    return opened


def find_event_columns(
    frame: AnyFrame, source: str, case: str | None, activity: str | None, order: str | Sequence[str] | None, ties: Ties
) -> EventColumns:
    """Return the columns that the user named, recognise the others by their names, and check their types.

    >>> import polars as pl
    >>> events = nw.from_native(pl.DataFrame({"Case ID": [7], "Activity": ["a"], "Timestamp": [1709164800]}))
    >>> find_event_columns(events, "orders.csv", None, None, None, "error")
    EventColumns(source='orders.csv', case='Case ID', activity='Activity', order=('Timestamp',))
    """
    if ties not in ("error", "row"):
        raise ActalikeError(f"ties={ties!r} is neither 'error' nor 'row'.")
    given = [name for name in (case, activity) if name is not None]
    given += [] if order is None else [order] if isinstance(order, str) else _listed(order)
    if not all(isinstance(name, str) for name in given):
        raise ActalikeError("case and activity must be names of columns, and order one such name or a list of them.")
    schema = frame.collect_schema()
    present = list(schema)
    order_columns = [order] if isinstance(order, str) else order
    for name in order_columns or ():
        if name not in present:
            known = ", ".join(map(repr, present[:20])) + (", ..." if len(present) > 20 else "")
            raise LogError(
                f"{source} has no column {name!r} (given as order).{did_you_mean(name, present)} Its columns: {known}."
            )
    columns = find_columns(source, present, case, activity, None if order_columns is None else "", "")
    if order_columns is None:
        order_columns = [] if columns.timestamp is None else [columns.timestamp]
    if not order_columns and ties == "error":
        has_rows = isinstance(frame, nw.DataFrame) or frame.implementation == nw.Implementation.POLARS
        remedy = ", or say that the rows are in order with ties='row'" if has_rows else ""
        raise LogError(
            f"{source}: no column is recognised as the order of a case's events. Name one with order=[...] (--order){remedy}."
        )
    for role, name in (("case", columns.case), ("activity", columns.activity)):
        kind = schema[name]
        # engines convert these types to different texts
        differs = kind.is_temporal() or kind == nw.Boolean or (role == "activity" and kind.is_decimal())
        if differs or kind.is_float() or kind.is_nested() or kind == nw.Binary:
            raise LogError(
                f"{source}: the {role} (column {name!r}) is of type {kind}, which cannot be a label: convert it to texts."
            )
    for name in order_columns:
        if not schema[name].is_numeric() and not schema[name].is_temporal():
            raise LogError(
                f"{source}: the column {name!r} is of type {schema[name]}, which does not order events reliably: convert it "
                "to times or numbers (as texts, 10 comes before 9)."
            )
    return EventColumns(source, columns.case, columns.activity, tuple(order_columns))


def _listed(names: object) -> list[Any]:
    return list(names) if isinstance(names, Iterable) else [names]
