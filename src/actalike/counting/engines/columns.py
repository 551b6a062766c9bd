"""Which columns of a frame say what happened: the case, the activity, and what orders the events of a case."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import narwhals.stable.v2 as nw

from actalike.errors import ActalikeError, LogError, did_you_mean
from actalike.io import find_columns

Ties = Literal["error", "row"]
AnyFrame = nw.DataFrame[Any] | nw.LazyFrame[Any]


class EventColumns(NamedTuple):
    """The names of the columns that are counted, and the source as errors call it."""

    source: str
    case: str
    activity: str
    order: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """All of them, each once."""
        return list(dict.fromkeys([self.case, self.activity, *self.order]))


def open_frame(frame: object, source: str) -> AnyFrame:
    """A frame of any library that narwhals knows."""
    try:
        found: AnyFrame = nw.from_native(frame)
    except nw.exceptions.DuplicateError:
        raise LogError(f"{source} has two columns of the same name: rename one.") from None
    except TypeError:
        raise ActalikeError(
            f"count_windows takes an EventLog or a frame (Polars, pandas, pyarrow, DuckDB, Spark), not {type(frame).__name__}: "
            "use actalike.read_log(...) or EventLog.from_traces(...) first."
        ) from None
    if not all(isinstance(name, str) for name in found.collect_schema()):
        raise LogError(f"{source} has columns whose names are no texts: rename them.")
    return found


def find_event_columns(
    frame: AnyFrame, source: str, case: str | None, activity: str | None, order: str | Sequence[str] | None, ties: Ties
) -> EventColumns:
    """Take the columns that the user names, recognise the others, and check what they hold.

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
        raise ActalikeError("case and activity are the names of columns, and order is one or a list of them.")
    schema = frame.collect_schema()
    present = list(schema)
    named = [order] if isinstance(order, str) else order
    for name in named or ():
        if name not in present:
            known = ", ".join(map(repr, present[:20])) + (", ..." if len(present) > 20 else "")
            raise LogError(
                f"{source} has no column {name!r} (given as order).{did_you_mean(name, present)} Its columns: {known}."
            )
    found = find_columns(source, present, case, activity, None if named is None else "", "")
    if named is None:
        named = [] if found.timestamp is None else [found.timestamp]
    if not named and ties == "error":
        has_rows = isinstance(frame, nw.DataFrame) or frame.implementation == nw.Implementation.POLARS
        remedy = ", or say that the rows are in order with ties='row'" if has_rows else ""
        raise LogError(f"{source}: nothing says how the events of a case are ordered. Name it: order=[...] (--order){remedy}.")
    for role, name in (("case", found.case), ("activity", found.activity)):
        kind = schema[name]
        no_text = kind.is_temporal() or kind == nw.Boolean or (role == "activity" and kind.is_decimal())  # engines differ
        if no_text or kind.is_float() or kind.is_nested() or kind == nw.Binary:
            raise LogError(f"{source}: the {role} (column {name!r}) is of type {kind}, which is no label: convert it to texts.")
    for name in named:
        if not schema[name].is_numeric() and not schema[name].is_temporal():
            raise LogError(
                f"{source}: the column {name!r} is of type {schema[name]}, which orders nothing for sure: convert it "
                "to times or numbers (as texts, 10 comes before 9)."
            )
    return EventColumns(source, found.case, found.activity, tuple(named))


def _listed(names: object) -> list[Any]:
    return list(names) if isinstance(names, Iterable) else [names]


def check_nothing_missing(columns: EventColumns, missing: Sequence[int]) -> None:
    """Refuse events without a case, an activity or a place in the order: ``missing`` counts the rows, column by column."""
    roles = ["case", "activity", *("order" for _ in columns.order)]
    names = [columns.case, columns.activity, *columns.order]
    found = [
        f"the {role} (column {name!r}) is missing in {rows:,} rows"
        for role, name, rows in zip(roles, names, missing, strict=True)
        if rows
    ]
    if found:
        raise LogError(f"{columns.source}: {', '.join(found)}. Mend or remove them; nothing was counted.")


def refuse_ties(columns: EventColumns, case: object, tied: int, has_rows: bool) -> None:
    """Events of a case at the same place in the order: nobody knows which came first, so nothing is counted."""
    order = " and ".join(map(repr, columns.order))
    remedy = ", or take the order of the rows with ties='row'" if has_rows else ""
    raise LogError(
        f"{columns.source}: in the case {str(case)!r}, and {tied:,} times in all, two events have the same {order}, so their "
        f"order is unknown. Add a column that tells them apart to order=[...] (--order), such as an event index{remedy}; "
        "nothing was counted."
    )
