"""Count windows in a database or on a cluster: one query runs where the events are and returns the table of distinct windows.

The query shifts activities within each case, groups and counts, with the same narwhals expressions on DuckDB and on Spark.
Activities become whole numbers before the events are sorted by case: sorting moves every event, and a number is smaller than a
label.
"""

from collections.abc import Callable
from typing import Any, TypeGuard

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.counting.engines.columns import AnyFrame, EventColumns, Ties, check_nothing_missing, refuse_ties
from actalike.errors import ActalikeError, LogError


def is_remote(frame: AnyFrame) -> TypeGuard[nw.LazyFrame[Any]]:
    """Return whether the events are in an engine (DuckDB, Spark), and not in a frame of this process."""
    engine = nw.Implementation(frame.implementation)
    if isinstance(frame, nw.DataFrame) or engine == nw.Implementation.POLARS:
        return False
    if engine not in _ENGINES:
        raise ActalikeError(f"count_windows does not support {engine.value}: it takes Polars, pandas, pyarrow, DuckDB and Spark.")
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
    take, make_table = _ENGINES[nw.Implementation(frame.implementation)]
    events = take(frame, names).with_columns(nw.col("activity").cast(nw.String))
    labels, occurrences = _activities(events, columns, keys)
    coded = events.join(make_table(frame.to_native(), labels), left_on="activity", right_on="label").select("case", "code", *keys)
    left = (window - 1) // 2
    places = [f"w{place}" for place in range(window)]
    shifted = {
        place: nw.col("code") if offset == 0 else nw.col("code").shift(-offset).over("case", order_by=keys)
        for place, offset in zip(places, range(-left, window - left), strict=True)
    }
    table = (
        coded.select(**shifted, tied=_tied(keys).cast(nw.Int64))
        .group_by(places)
        .agg(nw.len().alias("count"), nw.col("tied").sum())
        .collect("polars")
        .to_native()
    )
    if tied := int(table["tied"].sum()):
        first = coded.select("case", tied=_tied(keys)).filter(nw.col("tied")).select(nw.col("case").min())
        refuse_ties(columns, first.collect("polars").item(), tied, has_rows=False)
    counts = table["count"].to_numpy().astype(np.int64)
    symbols = [table[place].cast(pl.Int32).fill_null(-1).to_numpy() for place in places]
    if not np.array_equal(np.bincount(symbols[left], weights=counts, minlength=len(labels)), occurrences):
        raise LogError(f"{columns.source} changed while it was counted: the numbers of events differ. Count a copy.")
    return labels, symbols, counts


def _activities(events: nw.LazyFrame[Any], columns: EventColumns, keys: list[str]) -> tuple[list[str], NDArray[np.int64]]:
    """Return the sorted labels and how often each occurs. This is a first pass, which also checks for missing values."""
    kinds = events.collect_schema()
    absent = {key: nw.col(key).is_null() | nw.col(key).is_nan() if kinds[key].is_float() else nw.col(key).is_null()
              for key in ("case", *keys)}  # fmt: skip
    activities = (
        events.group_by("activity")
        .agg(nw.len().alias("events"), *(flag.cast(nw.Int64).sum().alias(key) for key, flag in absent.items()))
        .collect("polars")
        .to_native()
    )
    if not len(activities):
        raise LogError(f"{columns.source} is empty: it has no rows.")
    unnamed = int(activities.filter(pl.col("activity").is_null())["events"].sum())
    check_nothing_missing(columns, [int(activities["case"].sum()), unnamed, *(int(activities[key].sum()) for key in keys)])
    occurrences = dict(zip(activities["activity"].to_list(), activities["events"].to_list(), strict=True))
    labels = sorted(occurrences)
    return labels, np.array([occurrences[label] for label in labels], dtype=np.int64)


def _tied(keys: list[str]) -> nw.Expr:
    """Return an expression that is true if an event has the same order values as the one before it in its case."""
    return nw.all_horizontal(
        *(nw.col(key) == nw.col(key).shift(1).over("case", order_by=keys) for key in keys), ignore_nulls=False
    )


def _duckdb_columns(frame: nw.LazyFrame[Any], names: dict[str, str]) -> nw.LazyFrame[Any]:
    """Select and rename columns: ``names`` maps the new names to the old ones."""
    return frame.select(**{new: nw.col(old) for new, old in names.items()})


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
    """Return the labels and their codes as a frame of the same session, with a hint to send it to every executor."""
    kind = "smallint" if len(labels) < 2**15 else "int"
    rows = [(label, code) for code, label in enumerate(labels)]
    return nw.from_native(frame.sparkSession.createDataFrame(rows, f"label string, code {kind}").hint("broadcast"))


_ENGINES: dict[nw.Implementation, tuple[Callable[..., nw.LazyFrame[Any]], Callable[..., nw.LazyFrame[Any]]]] = {
    nw.Implementation.DUCKDB: (_duckdb_columns, _duckdb_labels),
    nw.Implementation.PYSPARK: (_spark_columns, _spark_labels),
    nw.Implementation.PYSPARK_CONNECT: (_spark_columns, _spark_labels),
}
