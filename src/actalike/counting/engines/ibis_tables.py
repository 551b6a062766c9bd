"""Prepare a table of Ibis for the query: texts that are compared byte by byte, codes of labels, values that SQLite did not check.

Nothing is written to the database. PostgreSQL is given the labels within the query, because a read-only session cannot make a
temporary table; other databases get a table of Ibis in memory.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import polars as pl

from actalike.counting.engines.databases import quoted
from actalike.counting.engines.event_columns import EventColumns
from actalike.counting.engines.failures import first_line
from actalike.counting.engines.sqlite_values import check_kinds, kinds_query, time_order
from actalike.errors import ActalikeError, EngineError
from actalike.support.extras import Extra

if TYPE_CHECKING:  # to read a log, narwhals is not needed
    import narwhals.stable.v2 as nw

IBIS = Extra("ibis", "ibis")

# texts of a column may be compared without regard to case or accents; here different texts are different labels
_AS_TEXT = {
    "postgres": 'CAST({} AS TEXT) COLLATE "C"',
    "duckdb": "CAST({} AS TEXT) COLLATE C",
    "sqlite": "CAST({} AS TEXT) COLLATE BINARY",
}


def ibis_columns(frame: "nw.LazyFrame[Any]", names: dict[str, str]) -> "nw.LazyFrame[Any]":
    """Select and rename columns: ``names`` maps the new names to the old ones."""
    table = frame.to_native()
    backend = _backend(table).name
    kinds = table.schema()
    chosen = table.select(**{new: table[old] for new, old in names.items()})
    if backend not in _AS_TEXT:
        _check_comparison(table)
        return _opened(chosen)
    queries, changed = {}, {}
    for new, old in names.items():
        column, kind = quoted(new), kinds[old]
        if new in ("case", "activity") and (backend == "sqlite" or not kind.is_integer()):
            column, changed[new] = _AS_TEXT[backend].format(column), "string"
        elif backend == "postgres" and kind.is_decimal():
            column = f"NULLIF({column}, 'NaN')"  # sorts after all numbers, and would pass for one
        elif backend == "sqlite" and _is_time(kind):
            column, changed[new] = time_order(column), "string"  # texts or numbers, which check_kinds has looked at
        elif backend == "sqlite" and kind.is_floating():
            changed[new] = "decimal"  # SQLite stores no NaN, and Ibis cannot ask for any
        queries[new] = column
    view = f"events_{uuid4().hex}"
    query = ", ".join(f"{column} AS {quoted(new)}" for new, column in queries.items())
    return _opened(_queried(chosen, view, f"SELECT {query} FROM {quoted(view)}", {**chosen.schema(), **changed}))


def ibis_labels(table: Any, labels: list[str]) -> "nw.LazyFrame[Any]":
    """Return the labels and their codes as a table that the same database can join."""
    ibis = IBIS.load()
    backend = _backend(table)
    kinds = {"label": "string", "code": "int32"}
    if backend.name != "postgres":
        return _opened(ibis.memtable({"label": labels, "code": range(len(labels))}, schema=kinds))
    listed = ",".join(f"x{label.encode().hex()}" for label in labels)  # one literal, whatever the labels are
    query = (
        "SELECT convert_from(decode(substr(part, 2), 'hex'), 'UTF8') AS label, CAST(place - 1 AS INT) AS code "
        f"FROM unnest(string_to_array('{listed}', ',')) WITH ORDINALITY AS parts(part, place)"
    )
    return _opened(backend.sql(query, schema=kinds))


def with_leads(frame: "nw.LazyFrame[Any]") -> "nw.LazyFrame[Any]":
    """Return a frame that looks forward by LEAD: narwhals has Ibis write LAG by a negative number, which SQLite gets wrong."""
    operations = IBIS.load("ibis.expr.operations")
    table = frame.to_native().op()
    backward = [lag for lag in table.find(operations.Lag) if lag.offset.value < 0]
    forward = {lag: operations.Lead(lag.arg, offset=-lag.offset.value) for lag in backward}
    return _opened(table.replace(forward).to_expr())


def ibis_answer(query: "nw.LazyFrame[Any]") -> pl.DataFrame:
    """Run a query. PostgreSQL's answer comes whole: Ibis would take it by a cursor, which keeps the server from using several
    processors, and hides an error, or Ctrl-C, behind one of its own.
    """
    table = query.to_native()
    backend = _backend(table)
    if backend.name != "postgres":
        return query.collect("polars").to_native()
    backend._run_pre_execute_hooks(table)  # brings tables in memory, which a user's query may join, to the database
    with backend.con.transaction(), backend.con.cursor() as cursor:
        rows = cursor.execute(backend.compile(table)).fetchall()
    return pl.DataFrame(rows, schema=pl.Schema(table.schema().to_polars()), orient="row")


def check_ibis_values(frame: "nw.LazyFrame[Any]", columns: EventColumns) -> None:
    """Raise an error if a column of an SQLite table holds values that its type does not promise."""
    table = frame.to_native()
    if _backend(table).name != "sqlite":
        return
    names = columns.names
    times = {name for name in names if _is_time(table.schema()[name])}
    view = f"events_{uuid4().hex}"
    asked = {f"{what}{place}": "string" for place in range(len(names)) for what in ("kind", "layout", "zone")}
    kinds = _queried(table.select(names), view, kinds_query(names, times, view), asked)
    check_kinds(kinds.to_polars(), columns, times)


@contextmanager
def counting_with_ibis(frame: Any, source: str) -> Iterator[None]:
    """Let Ibis return whole answers, and turn errors of the database into ours; frames of other engines are left alone."""
    if frame.implementation.name != "IBIS":
        yield
        return
    ibis = IBIS.load()
    name = _backend(frame.to_native()).name
    limit, ibis.options.sql.default_limit = ibis.options.sql.default_limit, None  # a user's limit would leave out rows
    try:
        with quiet_ibis():
            yield
    except Exception as error:
        if isinstance(error, ActalikeError) or not is_of_database(error):
            raise
        if str(error) == "interrupted" and type(error).__module__ == "sqlite3":  # by Ctrl-C
            raise KeyboardInterrupt from None
        raise EngineError(
            f"{source}: {name} cannot count it ({first_line(error)}){remedy(error)}; nothing was counted."
        ) from error
    finally:
        ibis.options.sql.default_limit = limit


@contextmanager
def quiet_ibis() -> Iterator[None]:
    """Keep to itself what Ibis is warned of: it calls functions of DuckDB and pandas that will go in later versions."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def is_of_database(error: Exception) -> bool:
    """Return whether an error comes from Ibis or a driver, and not from a mistake of ours."""
    return not type(error).__module__.startswith(("builtins", "narwhals", "numpy", "polars")) or isinstance(
        error, UnicodeDecodeError
    )


def remedy(error: Exception) -> str:
    """Return what to do about an error of a database, as the end of a sentence; an empty text if the error says it itself."""
    state = getattr(error, "sqlstate", None) or ""
    if state == "42501":
        return ": ask the owner of the table for the right to read it (GRANT SELECT)"
    if state.startswith("53"):
        return ": the server lacks memory or disk space; count fewer events, or a smaller window"
    if state == "57014":
        return ": the server stopped the query; if nobody cancelled it, ask for a longer statement_timeout"
    if state.startswith(("08", "57")):
        return ": the connection was lost; try again"
    return ""


def _opened(table: Any) -> "nw.LazyFrame[Any]":
    import narwhals.stable.v2 as nw

    opened: nw.LazyFrame[Any] = nw.from_native(table)
    return opened


def _backend(table: Any) -> Any:
    ibis = IBIS.load()
    try:
        return table.get_backend()
    except ibis.common.exceptions.IbisError as error:
        raise ActalikeError(
            f"The table of Ibis belongs to no single database ({first_line(error)}): take one from a connection, such as "
            "ibis.connect(...).table(...)."
        ) from error


def _queried(table: Any, view: str, query: str, schema: dict[str, Any]) -> Any:
    """Return what a query in the database's own SQL finds in a table of Ibis, which the query calls ``view``."""
    ibis = IBIS.load()
    return ibis.expr.operations.SQLStringView(table.alias(view).op(), query, ibis.schema(schema)).to_expr()


def _is_time(kind: Any) -> bool:
    return kind.is_timestamp() or kind.is_date()


def _check_comparison(table: Any) -> None:
    """Raise an error if a database takes different texts for equal, so that labels would be merged without a word."""
    ibis = IBIS.load()
    for one, other in (("a", "A"), ("a", "a ")):
        backend = _backend(table)
        if bool(backend.execute(ibis.literal(one) == ibis.literal(other))):
            raise ActalikeError(
                f"{backend.name} compares texts so that {one!r} and {other!r} are equal, and labels could be merged: choose a "
                "collation of the database that compares bytes; nothing was counted."
            )
