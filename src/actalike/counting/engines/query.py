"""Count windows in a database or on a cluster: one query runs where the events are and returns the table of distinct windows.

The query shifts activities within each case, groups and counts, with the same narwhals expressions on DuckDB, on Spark and, by
Ibis, on PostgreSQL and others.
Activities become whole numbers before the events are sorted by case: sorting moves every event, and a number is smaller than a
label.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NoReturn, TypeGuard

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.counting.engines.columns import AnyFrame, Ties
from actalike.counting.engines.databases import quoted
from actalike.counting.engines.event_columns import (
    EventColumns,
    check_nothing_missing,
    check_years,
    refuse_ties,
    refuse_ties_of_files,
)
from actalike.counting.engines.ibis_tables import check_ibis_values, ibis_answer, ibis_columns, ibis_labels, with_leads
from actalike.counting.engines.spilled_csv import SpilledEvents
from actalike.errors import ActalikeError, LogError


def is_remote(frame: AnyFrame) -> TypeGuard[nw.LazyFrame[Any]]:
    """Return whether the events are in an engine (DuckDB, Spark, a database of Ibis), and not in a frame of this process."""
    engine = nw.Implementation(frame.implementation)
    if isinstance(frame, nw.DataFrame) or engine == nw.Implementation.POLARS:
        return False
    if engine not in _ENGINES:
        raise ActalikeError(
            f"count_windows does not support {engine.value}: it takes Polars, pandas, pyarrow, DuckDB, Spark and Ibis."
        )
    return True


def distinct_windows(
    frame: nw.LazyFrame[Any], columns: EventColumns, ties: Ties, window: int
) -> tuple[list[str], list[NDArray[np.int32]], NDArray[np.int64]]:
    """Return the activities, the columns of the table of distinct windows (-1 is PAD), and the count of each window."""
    if ties == "row":
        raise ActalikeError(
            f"The rows of {columns.source} have no order, so ties='row' cannot be used: name an event index in order=[...]."
        )
    keys = [f"order{place}" for place in range(len(columns.order))]
    names = dict(zip(["case", "activity", *keys], [columns.case, columns.activity, *columns.order], strict=True))
    if frame.implementation == nw.Implementation.IBIS:
        check_ibis_values(frame, columns)
    take, make_table = _ENGINES[nw.Implementation(frame.implementation)]
    events = take(frame, names).with_columns(nw.col("activity").cast(nw.String))
    labels, occurrences = _activities(events, columns, keys)
    coded = events.join(make_table(frame.to_native(), labels), left_on="activity", right_on="label").select("case", "code", *keys)
    same = _same_as_before(keys, keys)

    def refuse(case: object, tied: int) -> NoReturn:
        refuse_ties(columns, case, tied, has_rows=False)

    symbols, counts = _windows_of_codes(coded, keys, same, refuse, window)
    if not np.array_equal(_occurrences(symbols, counts, len(labels)), occurrences):
        raise LogError(f"{columns.source} changed while it was counted: the numbers of events differ. Count a copy.")
    return labels, symbols, counts


def spilled_windows(
    frame: nw.LazyFrame[Any], spilled: SpilledEvents, window: int
) -> tuple[list[str], list[NDArray[np.int32]], NDArray[np.int64]]:
    """Return what :func:`distinct_windows` does, for the events of CSV files that were stored as codes.

    Events with equal keys are in the order of their rows, unless they are in different files.
    """
    order = [*spilled.keys, "row"]
    same = None
    if spilled.n_sources > 1:
        is_elsewhere = nw.col("file") != nw.col("file").shift(1).over("case", order_by=order)
        same = is_elsewhere if not spilled.keys else _same_as_before(spilled.keys, order) & is_elsewhere

    def refuse(case: object, tied: int) -> NoReturn:
        refuse_ties_of_files(spilled.columns, case, tied)

    symbols, counts = _windows_of_codes(frame, order, same, refuse, window)
    if not np.array_equal(_occurrences(symbols, counts, len(spilled.labels)), spilled.occurrences):
        raise LogError(f"{spilled.columns.source}: its temporary files changed while they were counted. Count it again.")
    labels = sorted(spilled.labels)
    places = {label: place for place, label in enumerate(labels)}
    recoded = np.array([*(places[label] for label in spilled.labels), -1], dtype=np.int32)
    return labels, [recoded[column] for column in symbols], counts  # -1 takes the last entry


def _windows_of_codes(
    coded: nw.LazyFrame[Any], order: list[str], same: nw.Expr | None, refuse: Callable[[object, int], NoReturn], window: int
) -> tuple[list[NDArray[np.int32]], NDArray[np.int64]]:
    """Return the columns of the table of distinct windows and the counts. ``same`` is true for events that must not be."""
    left = (window - 1) // 2
    places = [f"w{place}" for place in range(window)]
    columns = {
        place: nw.col("code") if offset == 0 else nw.col("code").shift(-offset).over("case", order_by=order)
        for place, offset in zip(places, range(-left, window - left), strict=True)
    }
    totals = [nw.len().alias("count")]
    if same is not None:
        columns["tied"] = _as_number(same)
        totals.append(nw.col("tied").sum())
    shifted = coded.select(**columns)
    if coded.implementation == nw.Implementation.IBIS:
        shifted = with_leads(shifted)
    table = _answer(shifted.group_by(places).agg(*totals))
    if same is not None and (tied := int(table["tied"].sum())):
        first = coded.select("case", tied=same).filter(nw.col("tied")).select(nw.col("case").min())
        refuse(_answer(first).item(), tied)
    symbols = [table[place].cast(pl.Int32).fill_null(-1).to_numpy() for place in places]
    return symbols, table["count"].to_numpy().astype(np.int64)


def _occurrences(symbols: list[NDArray[np.int32]], counts: NDArray[np.int64], n_labels: int) -> NDArray[Any]:
    """Return how often each activity is in the middle of a window."""
    return np.bincount(symbols[(len(symbols) - 1) // 2], weights=counts, minlength=n_labels)


def _activities(events: nw.LazyFrame[Any], columns: EventColumns, keys: list[str]) -> tuple[list[str], NDArray[np.int64]]:
    """Return the sorted labels and how often each occurs. This is a first pass, which also checks for missing values."""
    kinds = events.collect_schema()
    absent = {key: nw.col(key).is_null() | nw.col(key).is_nan() if kinds[key].is_float() else nw.col(key).is_null()
              for key in ("case", *keys)}  # fmt: skip
    sums = [_as_number(flag).sum().alias(key) for key, flag in absent.items()]
    outside = {f"outside_{key}": flag for key in keys if (flag := _outside_years(key, kinds[key])) is not None}
    sums += [_as_number(flag).sum().alias(name) for name, flag in outside.items()]
    activities = _answer(events.group_by("activity").agg(nw.len().alias("events"), *sums))
    if not len(activities):
        raise LogError(f"{columns.source} is empty: it has no rows.")
    unnamed = int(activities.filter(pl.col("activity").is_null())["events"].sum())
    check_nothing_missing(columns, [int(activities["case"].sum()), unnamed, *(int(activities[key].sum()) for key in keys)])
    check_years(columns, [int(activities[f"outside_{key}"].sum()) if f"outside_{key}" in outside else 0 for key in keys])
    occurrences = dict(zip(activities["activity"].to_list(), activities["events"].to_list(), strict=True))
    labels = sorted(occurrences)
    return labels, np.array([occurrences[label] for label in labels], dtype=np.int64)


def _answer(query: nw.LazyFrame[Any]) -> pl.DataFrame:
    """Run a query."""
    return ibis_answer(query) if query.implementation == nw.Implementation.IBIS else query.collect("polars").to_native()


def _as_number(flag: nw.Expr) -> nw.Expr:
    """Return 1 where a flag is true, else 0. (Not every database casts truth to numbers.)"""
    return nw.when(flag).then(nw.lit(1)).otherwise(nw.lit(0))


def _outside_years(name: str, kind: Any) -> nw.Expr | None:
    """Return which times of a column are outside the years 1 to 9999 in UTC; None if its type has no such times."""
    column = nw.col(name)
    if kind == nw.Date:
        year = column.dt.year()  # of an infinite date, which some databases know, it is null; missing dates were refused before
        return (year < 1) | (year > 9999) | year.is_null()
    if not isinstance(kind, nw.Datetime) or kind.time_unit == "ns":  # nanoseconds are no more than 300 years from 1970
        return None
    zone = None if kind.time_zone is None else UTC
    return (column < nw.lit(datetime.min.replace(tzinfo=zone))) | (column > nw.lit(datetime.max.replace(tzinfo=zone)))


def _same_as_before(keys: list[str], order: list[str]) -> nw.Expr:
    """Return an expression that is true if an event has the same keys as the one before it in its case, in this order."""
    return nw.all_horizontal(
        *(nw.col(key) == nw.col(key).shift(1).over("case", order_by=order) for key in keys), ignore_nulls=False
    )


def _duckdb_columns(frame: nw.LazyFrame[Any], names: dict[str, str]) -> nw.LazyFrame[Any]:
    """Select and rename columns: ``names`` maps the new names to the old ones.

    A table may say that its texts are compared without regard to case or accents. Here different texts are different labels, so
    texts are compared byte by byte.
    """
    relation = frame.to_native()
    texts = {name for name, kind in zip(relation.columns, relation.types, strict=True) if str(kind) == "VARCHAR"}
    chosen = [f"{quoted(old)}{' COLLATE C' if old in texts else ''} AS {quoted(new)}" for new, old in names.items()]
    return nw.from_native(relation.select(", ".join(chosen)))


def _duckdb_labels(frame: Any, labels: list[str]) -> nw.LazyFrame[Any]:
    """Return the labels and their codes as a relation of the same connection."""
    kind = "UTINYINT" if len(labels) < 256 else "INTEGER"
    rows = ", ".join(f"(decode(unhex('{label.encode().hex()}')), {code}::{kind})" for code, label in enumerate(labels))
    return nw.from_native(frame.query("events", f"SELECT * FROM (VALUES {rows}) AS labels(label, code)"))


def _spark_columns(frame: nw.LazyFrame[Any], names: dict[str, str]) -> nw.LazyFrame[Any]:
    """Select and rename columns with Spark itself, because narwhals does not quote names with dots or backticks for it."""
    quoted = {new: f"`{old.replace('`', '``')}`" for new, old in names.items()}
    return nw.from_native(frame.to_native().selectExpr(*(f"{old} AS {new}" for new, old in quoted.items())))


def _spark_labels(frame: Any, labels: list[str]) -> nw.LazyFrame[Any]:
    """Return the labels and their codes as a frame of the same session, with a hint to send it to every executor.

    A table of Arrow, because rows of Python would need a Python of the same version on every executor.
    """
    kind = pl.Int16 if len(labels) < 2**15 else pl.Int32
    table = pl.DataFrame({"label": labels, "code": np.arange(len(labels))}, schema={"label": pl.String, "code": kind}).to_arrow()
    return nw.from_native(frame.sparkSession.createDataFrame(table).hint("broadcast"))


_ENGINES: dict[nw.Implementation, tuple[Callable[..., nw.LazyFrame[Any]], Callable[..., nw.LazyFrame[Any]]]] = {
    nw.Implementation.DUCKDB: (_duckdb_columns, _duckdb_labels),
    nw.Implementation.PYSPARK: (_spark_columns, _spark_labels),
    nw.Implementation.PYSPARK_CONNECT: (_spark_columns, _spark_labels),
    nw.Implementation.IBIS: (ibis_columns, ibis_labels),
}
