"""Choose and check the columns of a table of events: case, activity, order, time, attributes."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple, NoReturn, get_args

import narwhals.stable.v2 as nw

from actalike.errors import ActalikeError, LogError, did_you_mean
from actalike.io import Columns as NamedColumns
from actalike.io import WantedAttributes, find_attributes, find_columns

Ties = Literal["error", "row", "activity"]
Period = Literal["day", "week", "month", "quarter", "year"]
AnyFrame = nw.DataFrame[Any] | nw.LazyFrame[Any]

PERIODS: tuple[Period, ...] = get_args(Period)


class EventColumns(NamedTuple):
    """Hold the names of the columns to read, and the name of the source for error messages.

    ``time`` is the timestamp, by which the use of labels is dated. The strata are the values of the column ``by``, or the periods
    in which cases begin.
    """

    source: str
    case: str
    activity: str
    order: tuple[str, ...]
    time: str | None = None
    attributes: tuple[str, ...] = ()
    by: str | None = None
    period: Period | None = None

    @property
    def names(self) -> list[str]:
        """Return the names of all columns, each once."""
        named = [self.case, self.activity, *self.order, self.time, *self.attributes, self.by]
        return list(dict.fromkeys(name for name in named if name is not None))


class Wanted(NamedTuple):
    """Hold the columns that a user asked for; others are recognised by their names."""

    case: str | None = None
    activity: str | None = None
    order: str | Sequence[str] | None = None
    ties: Ties | None = None  # with None rows settle them where they have an order, and elsewhere they are an error
    timestamp: str | None = None
    attributes: WantedAttributes = ()
    by: str | None = None


def open_frame(frame: object, source: str, taker: str = "count_windows") -> AnyFrame:
    """Return a frame of any library that narwhals knows as a narwhals frame."""
    try:
        opened: AnyFrame = nw.from_native(frame)
    except nw.exceptions.DuplicateError:
        raise LogError(f"{source} has two columns of the same name: rename one.") from None
    except TypeError:
        raise ActalikeError(
            f"{taker} takes an EventLog or a frame (Polars, pandas, pyarrow, DuckDB, Spark, Ibis), not "
            f"{type(frame).__name__}: use actalike.read_log(...) or EventLog.from_traces(...) first."
        ) from None
    if not all(isinstance(name, str) for name in opened.collect_schema()):
        raise LogError(f"{source} has columns whose names are not strings: rename them.")
    return opened


def find_event_columns(frame: AnyFrame, source: str, wanted: Wanted, uses: bool = False) -> EventColumns:
    """Return the columns that the user named, recognise the others by their names, and check their types.

    ``uses``: how labels are used is needed too, and so the timestamp.

    >>> import polars as pl
    >>> events = nw.from_native(pl.DataFrame({"Case ID": [7], "Activity": ["a"], "Timestamp": [1709164800]}))
    >>> find_event_columns(events, "orders.csv", Wanted())
    EventColumns(source='orders.csv', case='Case ID', activity='Activity', order=('Timestamp',), time=None, attributes=(),
    by=None, period=None)
    """
    case, activity, order, ties, timestamp, attributes, by = wanted
    if ties is not None and ties not in get_args(Ties):
        raise ActalikeError(f"ties={ties!r} is not one of 'error', 'row', 'activity'.")
    given = [name for name in (case, activity, timestamp, by) if name is not None]
    given += [] if order is None else [order] if isinstance(order, str) else _listed(order)
    if not all(isinstance(name, str) for name in given):
        raise ActalikeError("case and activity must be names of columns, and order one such name or a list of them.")
    schema = frame.collect_schema()
    present = list(schema)
    order_columns = [order] if isinstance(order, str) else order
    period = by if by in PERIODS and by not in present else None
    by_column = None if period else by
    for role, name in [*(("order", name) for name in order_columns or ()), ("by", by_column)]:
        if name is not None and name not in present:
            known = ", ".join(map(repr, present[:20])) + (", ..." if len(present) > 20 else "")
            raise LogError(
                f"{source} has no column {name!r} (given as {role}).{did_you_mean(name, present)} Its columns: {known}."
            )
    looks_for_time = timestamp is not None or order_columns is None or uses
    columns = find_columns(source, present, case, activity, timestamp if looks_for_time else "", "")
    if order_columns is None:
        order_columns = [] if columns.timestamp is None else [columns.timestamp]
    if not order_columns and ties != "row":
        has_rows = isinstance(frame, nw.DataFrame) or frame.implementation == nw.Implementation.POLARS
        remedy = ", or use the order of the rows with ties='row'" if has_rows else ""
        raise LogError(
            f"{source}: no column is recognised as the order of a case's events. Name one with order=[...] (--order){remedy}."
        )
    for role, name in (("case", columns.case), ("activity", columns.activity)):
        kind = schema[name]
        is_moment = kind.is_temporal() and kind != nw.Date
        if is_moment or kind.is_float() or kind.is_nested() or kind == nw.Binary:
            raise LogError(
                f"{source}: the {role} (column {name!r}) is of type {kind}, which cannot be a label: convert it to strings."
            )
    for name in order_columns:
        if not schema[name].is_numeric() and not schema[name].is_temporal():
            raise LogError(
                f"{source}: the column {name!r} is of type {schema[name]}, which does not order events reliably: convert it "
                "to times or numbers (as strings, 10 comes before 9)."
            )
    time = None
    if uses or period:
        times = [name for name in (columns.timestamp, *order_columns) if name is not None and _is_time(schema[name])]
        time = times[0] if times else None
        if timestamp and time != timestamp:
            raise LogError(f"{source}: the timestamp (column {timestamp!r}) is of type {schema[timestamp]}: convert it to times.")
        if period and time is None:
            raise LogError(f"{source} has no timestamps, so its cases have no {period}: name the column with timestamp=...")
    named = NamedColumns(columns.case, columns.activity, time, None)
    chosen = find_attributes(source, present, named, attributes or ()) if uses else []
    return EventColumns(source, columns.case, columns.activity, tuple(order_columns), time, tuple(chosen), by_column, period)


def check_nothing_missing(columns: EventColumns, missing: Sequence[int]) -> None:
    """Raise an error if events lack a case, an activity or a value that orders them.

    ``missing`` holds the number of rows without a value for the case, the activity and each column of the order.
    """
    roles = ["case", "activity", *("order" for _ in columns.order)]
    names = [columns.case, columns.activity, *columns.order]
    faults = [
        f"the {role} (column {name!r}) is missing in {rows:,} rows"
        for role, name, rows in zip(roles, names, missing, strict=True)
        if rows
    ]
    if faults:
        raise LogError(f"{columns.source}: {', '.join(faults)}. Correct or remove them; nothing was counted.")


def reject_ties(columns: EventColumns, case: object, tied: int, has_rows: bool) -> NoReturn:
    """Raise an error about events of one case with equal values in all columns of the order."""
    order = " and ".join(map(repr, columns.order))
    remedy = ", or take the order of the rows with ties='row'" if has_rows else ""
    raise LogError(
        f"{columns.source}: in the case {str(case)!r}, and {tied:,} times in all, two events have the same {order}, so their "
        f"order is unknown. Add a column that tells them apart to order=[...] (--order), such as an event index{remedy}, or "
        "sort them by their labels with ties='activity' (--ties activity); nothing was counted."
    )


def _is_time(kind: Any) -> bool:
    return kind == nw.Date or isinstance(kind, nw.Datetime)


def _listed(names: object) -> list[Any]:
    return list(names) if isinstance(names, Iterable) else [names]
