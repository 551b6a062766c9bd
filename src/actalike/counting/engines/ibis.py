"""Open tables of databases by their address, with Ibis, and read their events; nothing is written.

PostgreSQL finds variants itself (:mod:`actalike.counting.engines.sql`), in one read-only transaction, which also shows the events
as they were when it began. Of other databases the rows are fetched batch by batch, and their variants found here. DuckDB and
SQLite: the file is opened read-only, and its views reach nothing outside it. Other databases are opened as Ibis does: use an
account that can only read.
"""

import os
import sqlite3
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

import narwhals.stable.v2 as nw
import polars as pl

from actalike.counting.engines.columns import EventColumns, Ties
from actalike.counting.engines.errors import first_line
from actalike.counting.engines.frames import (
    Coding,
    cases_of_events,
    chosen_columns,
    duckdb_batches,
    numbered_cases,
    variants_of_batches,
)
from actalike.counting.engines.open import (
    OpenedEvents,
    check_database,
    choose_table,
    find_table,
    quoted,
    reaches_outside,
    shut_off,
    spill_folder,
)
from actalike.counting.engines.sql import Dialect, Session, cases_of_sql, sql_queries, variants_of_sql
from actalike.errors import ActalikeError, EngineError, LogError, MissingExtraError, did_you_mean
from actalike.io import parse_series
from actalike.log import Variants
from actalike.support.extras import Extra

IBIS = Extra("ibis", "ibis")
_DUCKDB = Extra("ibis", "duckdb")
_PSYCOPG = Extra("ibis", "psycopg")

_FILES = ("duckdb", "sqlite")  # databases that are a file of this machine
_SCHEMES = {"postgresql": "postgres"}
_EXAMPLE = "postgres://user@host:5432/database"
_SECONDS_TO_CONNECT = 20  # to a server
_STEPS = 100_000  # of SQLite's machine between two looks at whether Ctrl-C was pressed
_ROWS = 1 << 17  # of a batch

_POSTGRES_TABLES = """
SELECT n.nspname, c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
ORDER BY 1, 2
"""


class DatabaseUrl(NamedTuple):
    """Hold an address: the ``url`` as given, the ``kind`` of database, ``shown`` for messages, and its secrets."""

    url: str
    kind: str
    shown: str
    secrets: tuple[str, ...]

    @property
    def path(self) -> Path | None:
        """Return the file of a database of this machine, None for a server."""
        if self.kind not in _FILES:
            return None
        parts = urlsplit(self.url)
        return Path(unquote(parts.netloc + parts.path))

    def hide(self, text: str) -> str:
        """Return a message, such as a driver's, with three stars for each secret."""
        for secret in sorted(self.secrets, key=len, reverse=True):  # one may be a part of another
            text = text.replace(secret, "***")
        return text


def read_url(url: str) -> DatabaseUrl:
    """Parse an address. What is shown of it has neither the password nor the options after the question mark.

    >>> read_url("postgres://me:secret@db.example/shop?sslmode=require").shown
    'postgres://me@db.example/shop'

    A password with a slash would be parsed as something else and shown, so nothing of such an address is shown:

    >>> read_url("postgres://me:se/cret@db.example/shop")
    Traceback (most recent call last):
    actalike.errors.ActalikeError: The address of the database (--url) is not like postgres://user@host:5432/database. Write
    special characters of a user or password as percent codes, such as %40 for @ and %2F for /; it is not shown here, because it
    may hold a password.
    """
    try:
        parts = urlsplit(url)
        is_clear = bool(parts.scheme and url[len(parts.scheme) :].startswith("://")) and (parts.port is None or parts.port > 0)
    except ValueError:
        is_clear = False
    if (
        not is_clear
        or parts.fragment
        or "@" in parts.path + parts.query
        or parts.netloc.count("@") > 1
        or not (parts.netloc or parts.path.strip("/"))
    ):
        raise ActalikeError(
            f"The address of the database (--url) is not like {_EXAMPLE}. Write special characters of a user or password as "
            "percent codes, such as %40 for @ and %2F for /; it is not shown here, because it may hold a password."
        )
    kind = _SCHEMES.get(parts.scheme, parts.scheme)
    if kind in _FILES and ("@" in parts.netloc or parts.query):
        raise ActalikeError(f"The address of a file (--url) is {kind}:///folder/file, with no user and no options after it.")
    return DatabaseUrl(url, kind, _shown(parts), _secrets(parts))


def _shown(parts: SplitResult) -> str:
    user = f"{parts.username}@" if parts.username else ""
    return f"{parts.scheme}://{user}{parts.netloc.rpartition('@')[2]}{parts.path}"


def _secrets(parts: SplitResult) -> tuple[str, ...]:
    """Return the password and the values of options, as written and as meant, unless they are names that are shown anyway."""
    given = [parts.password or "", *(value for _, value in parse_qsl(parts.query))]
    public = {parts.username, parts.hostname, parts.path.strip("/"), "", *("require", "disable", "prefer", "allow")}
    return tuple({text for value in given for text in (value, unquote(value)) if text not in public})


def database_source(url: str, table: str) -> str:
    """Return what messages call a table: its name and its database, without the password.

    >>> database_source("postgres://me:secret@db.example/shop", "orders")
    'orders in postgres://me@db.example/shop'
    """
    return f"{table} in {read_url(url).shown}"


def database_file(url: str) -> Path | None:
    """Return the file that is the database at an address; None if a server has it."""
    return read_url(url).path


@contextmanager
def ibis_events(url: str, table: str, trust_views: bool = False) -> Iterator[OpenedEvents]:
    """Open a table, view or materialised view of the database at an address.

    ``table`` is its name, or that of its schema and its own with a dot between them. A view of a DuckDB database may read only
    this database, unless ``trust_views``.
    """
    address = read_url(url)
    IBIS.load(user="This engine")
    if trust_views and address.kind != "duckdb":
        raise ActalikeError("--trust-views is for DuckDB databases: views of other databases are read as they are.")
    with ExitStack() as closing, quiet_ibis():
        try:
            if address.kind == "duckdb":
                found = _duckdb_table(address, table, closing, trust_views)
            else:
                opening = {"postgres": _postgres_table, "sqlite": _sqlite_table}.get(address.kind, _other_table)
                found = opening(address, table, closing)
        except Exception as error:
            if isinstance(error, ActalikeError) or not _is_of_database(error):
                raise
            raise _unread(address, table, error) from error
        yield OpenedEvents(found)


def _postgres_table(address: DatabaseUrl, table: str, closing: ExitStack) -> Any:
    psycopg = _PSYCOPG.load(user="PostgreSQL")
    try:
        psycopg.conninfo.conninfo_to_dict(address.url)
    except psycopg.Error:
        raise ActalikeError(
            f"The address {address.shown} (--url) has an option or a character that PostgreSQL does not understand. Write "
            "special characters as percent codes; the options are those of libpq, such as ?sslmode=require."
        ) from None  # the driver's words quote parts of the password
    try:
        connection = psycopg.connect(address.url, autocommit=True, **_patience(address.url))
    except psycopg.Error as error:
        raise _unreached(address, error) from error
    closing.callback(connection.close)
    connection.read_only = True
    connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    closing.enter_context(connection.transaction())  # Ibis' own transactions become parts of this one, which stays read-only
    backend = IBIS.load("ibis.backends.postgres").Backend.from_connection(connection)
    known = connection.execute(_POSTGRES_TABLES).fetchall()
    default = connection.execute("SELECT current_schema()").fetchone()[0]
    schema, name = choose_table(address.shown, table, known, default)
    return _table(backend, schema, name)


def _duckdb_table(address: DatabaseUrl, table: str, closing: ExitStack, trust_views: bool) -> Any:
    duckdb = _DUCKDB.load(user="DuckDB")
    path = _file(address)
    check_database(str(path))
    settings = {
        "temp_directory": str(closing.enter_context(spill_folder(None))),
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": trust_views,
    }
    connection = closing.enter_context(duckdb.connect(str(path), read_only=True, config=settings))
    backend = IBIS.load("ibis.backends.duckdb").Backend.from_connection(connection)
    if not trust_views:
        shut_off(connection)
    schema, name = find_table(connection, address.shown, table)
    try:
        return _table(backend, schema, name)
    except duckdb.PermissionException as error:  # to know the columns of a view, it is opened
        raise reaches_outside(address.shown, table, first_line(error)) from error


def _patience(url: str) -> dict[str, int]:
    """Return the timeout of a connection, unless the address or the environment sets one."""
    return {} if "connect_timeout" in url or "PGCONNECT_TIMEOUT" in os.environ else {"connect_timeout": _SECONDS_TO_CONNECT}


def _sqlite_table(address: DatabaseUrl, table: str, closing: ExitStack) -> Any:
    path = _file(address)
    with path.open("rb") as file:
        if file.read(16) != b"SQLite format 3\0":
            raise LogError(f"{path} is not an SQLite database; nothing was read.")
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    closing.callback(connection.close)
    connection.execute("PRAGMA trusted_schema = OFF")  # a view cannot call the functions that Ibis adds
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.set_progress_handler(lambda: 0, _STEPS)  # Python sees Ctrl-C when it is called
    known = connection.execute("SELECT schema, name FROM pragma_table_list WHERE schema = 'main'").fetchall()
    _, name = choose_table(address.shown, table, [one for one in known if not one[1].startswith("sqlite_")], "main")
    kinds = {kind.lower() for (kind,) in connection.execute("SELECT type FROM pragma_table_info(?)", [name])}
    integers = {kind: "int64" for kind in kinds if "int" in kind}  # by SQLite's own rule; Ibis does not know int(11), say
    backend = IBIS.load("ibis.backends.sqlite").Backend.from_connection(connection, type_map=integers)
    return _table(backend, "main", name)


def _other_table(address: DatabaseUrl, table: str, closing: ExitStack) -> Any:
    ibis = IBIS.load()
    known = sorted({entry.name for entry in entry_points(group="ibis.backends")})
    if address.kind not in known:
        raise ActalikeError(
            f"Ibis knows no databases of the kind {address.kind!r} (--url).{did_you_mean(address.kind, known)} It knows: "
            f"{', '.join(known)}."
        )
    try:
        backend = ibis.connect(address.url)
    except ImportError as error:
        raise MissingExtraError(
            f"Ibis lacks the packages for {address.kind}: pip install 'ibis-framework[{address.kind}]'."
        ) from error
    except Exception as error:
        raise _unreached(address, error) from None  # drivers may quote the address
    closing.callback(backend.disconnect)
    schema, _, name = table.rpartition(".")
    return backend.table(name, database=schema) if schema else backend.table(name)


def _table(backend: Any, schema: str, name: str) -> Any:
    """Return a table by its exact names: Ibis would take a dot or a quote within a name for its own."""
    operations = IBIS.load("ibis.expr.operations")
    try:
        columns = backend.get_schema(name, database=schema)
        table = operations.DatabaseTable(name, columns, backend, operations.Namespace(database=schema)).to_expr()
        nw.from_native(table).collect_schema()
    except (AttributeError, NotImplementedError, TypeError) as error:
        raise LogError(
            f"{name!r} has a column of a type that Ibis does not know ({first_line(error)}): make a view without it, and "
            "use that; nothing was read."
        ) from error
    return table


def _file(address: DatabaseUrl) -> Path:
    assert address.path is not None  # it is a database of this machine
    if not address.path.is_file():
        raise LogError(f"{address.path} cannot be read: there is no such file. An absolute path has three slashes before it.")
    return address.path


def _unreached(address: DatabaseUrl, error: Exception) -> LogError:
    """Return the error about a database that cannot be connected to."""
    reason = address.hide(" ".join(str(error).split()))[:300].rstrip(".")
    return LogError(
        f"{address.shown}: no connection ({reason}). Check the address, the user and the password (PostgreSQL also takes it from "
        "PGPASSWORD or ~/.pgpass); nothing was read."
    )


def _unread(address: DatabaseUrl, table: str, error: Exception) -> LogError:
    return LogError(f"{table} in {address.shown} cannot be opened ({address.hide(first_line(error))}); nothing was read.")


def variants_of_ibis(
    frame: "nw.LazyFrame[Any]", columns: EventColumns, ties: Ties, uses: bool = False, parts: int = 1, where: str | None = None
) -> Variants:
    """Return the variants of a table or query of Ibis."""
    table = frame.to_native()
    backend = _backend(table)
    with _asking_ibis(backend.name, columns.source):
        if backend.name == "postgres":
            psycopg = _PSYCOPG.load(user="PostgreSQL")
            try:
                return variants_of_sql(postgres_session(table, where), columns, frame.collect_schema(), ties, uses, parts)
            except psycopg.errors.UndefinedTable:  # a query with a table in memory, which only Ibis brings to the database
                pass
        return variants_of_batches(_batches(table, columns, where), columns, ties, uses, has_rows=False)


def cases_of_ibis(
    frame: "nw.LazyFrame[Any]",
    columns: EventColumns,
    ties: Ties,
    variants: Variants,
    parts: int = 1,
    where: str | None = None,
) -> Iterator[pl.DataFrame]:
    """Yield which case of a table or query of Ibis follows which variant, part by part."""
    table = frame.to_native()
    backend = _backend(table)
    with _asking_ibis(backend.name, columns.source):
        if backend.name == "postgres":
            yield from cases_of_sql(postgres_session(table, where), columns, frame.collect_schema(), ties, variants, parts)
            return
        coding = Coding(columns, False)
        for some in cases_of_events(coding.events(_batches(table, columns, where)), coding, ties, has_rows=False):
            yield numbered_cases(some, variants, columns.source)


def _batches(table: Any, columns: EventColumns, where: str | None) -> Iterator[pl.DataFrame]:
    """Return the rows of a table of a database that does not find variants itself."""
    name = _backend(table).name
    if name == "sqlite":
        return _sqlite_batches(table, columns, where)
    if name == "duckdb":
        return _duckdb_batches(table, columns, where)
    if where is not None:
        raise ActalikeError(f"where is not for {name}: filter the table of Ibis itself, table.filter(...).")
    return _arrow_batches(table.select(columns.names))


def ibis_queries(
    frame: "nw.LazyFrame[Any]", columns: EventColumns, ties: Ties, uses: bool = True, where: str | None = None
) -> list[str]:
    """Return the queries that :func:`variants_of_ibis` sends to a database."""
    table = frame.to_native()
    if _backend(table).name == "postgres":
        return sql_queries(postgres_session(table, where), columns, frame.collect_schema(), ties, uses)
    condition = "" if where is None else f" WHERE {where}"
    return [f"SELECT {', '.join(map(quoted, columns.names))} FROM ({IBIS.load().to_sql(table)}) AS events{condition}"]


def postgres_session(table: Any, where: str | None = None) -> Session:
    """Return a session of PostgreSQL for a table or query of Ibis.

    Its answer comes whole: Ibis would take it by a cursor, which keeps the server from using several processors, and hides an
    error, or Ctrl-C, behind one of its own.
    """
    backend = _backend(table)
    events = f"({IBIS.load().to_sql(table)})"
    if where is not None:
        events = f"(SELECT * FROM {events} AS all_events WHERE {where})"

    def ask(query: str) -> pl.DataFrame:
        with backend.con.transaction(), backend.con.cursor() as cursor:
            cursor.execute(query)
            names = [column.name for column in cursor.description]
            return pl.DataFrame(cursor.fetchall(), schema=names, orient="row", infer_schema_length=None)

    return Session(_POSTGRES, events, ask, _postgres_labels)


def _postgres_labels(labels: list[str]) -> str:
    """Return a query with labels and codes: a read-only session cannot make a temporary table."""
    listed = ",".join(f"x{label.encode().hex()}" for label in labels)  # one literal, whatever the labels are
    return (
        "(SELECT convert_from(decode(substr(part, 2), 'hex'), 'UTF8') COLLATE \"C\" AS label, CAST(place - 1 AS INT) AS code "
        f"FROM unnest(string_to_array('{listed}', ',')) WITH ORDINALITY AS parts(part, place)) AS labels"
    )


def _postgres_text(name: str, kind: Any) -> str:
    text = f"TO_CHAR({name}, 'YYYY-MM-DD')" if kind == nw.Date else f"CAST({name} AS TEXT)"
    return f'{text} COLLATE "C"'  # texts of a column may be compared without regard to case or accents


def _postgres_number(name: str, kind: Any) -> str:
    if not (kind.is_decimal() or kind.is_float()):
        return name
    return f"NULLIF({name}, 'NaN')"  # sorts after all numbers, and would pass for one


_POSTGRES = Dialect(
    quote=quoted,
    text=_postgres_text,
    number=_postgres_number,
    listed="ARRAY_AGG(code ORDER BY {order})",
    sorted_codes="ARRAY_AGG(code ORDER BY code)",
    distinct="COUNT(DISTINCT ({order}))",
    part="((HASHTEXTEXTENDED(CAST({0} AS TEXT), 0) & 9223372036854775807) % {parts})",
    microseconds=lambda name, _: f"CAST(EXTRACT(EPOCH FROM {name}) * 1000000 AS BIGINT)",
)


def _duckdb_batches(table: Any, columns: EventColumns, where: str | None) -> Iterator[pl.DataFrame]:
    """Yield the rows of a DuckDB table. DuckDB is asked itself, because Ibis 12 cannot take batches from DuckDB 2."""
    duckdb = _DUCKDB.load(user="DuckDB")
    try:
        relation = _backend(table).con.sql(str(IBIS.load().to_sql(table)))
    except duckdb.CatalogException:  # a query with a table in memory, which only Ibis brings to the database
        yield table.to_polars()
        return
    yield from duckdb_batches(chosen_columns(relation if where is None else relation.filter(where), columns))


def _arrow_batches(table: Any) -> Iterator[pl.DataFrame]:
    with closing(table.to_pyarrow_batches(chunk_size=_ROWS)) as batches:
        for batch in batches:
            yield pl.from_arrow(batch)  # type: ignore[misc]


def _sqlite_batches(table: Any, columns: EventColumns, where: str | None) -> Iterator[pl.DataFrame]:
    """Yield the rows of an SQLite table, which stores any value in any column: labels as strings, ISO 8601 as times."""
    connection, kinds = _backend(table).con, table.schema()
    events = f"({IBIS.load().to_sql(table)})"
    if where is not None:
        events = f"(SELECT * FROM {events} WHERE {where})"
    ordering = {*columns.order, columns.time}
    chosen = [quoted(name) if name in ordering else f"CAST({quoted(name)} AS TEXT)" for name in columns.names]
    try:
        found = connection.execute(f"SELECT {', '.join(chosen)} FROM {events}")
    except sqlite3.OperationalError as error:
        if "no such table" not in str(error):
            raise
        yield from _arrow_batches(table.select(columns.names))  # a query with a table in memory, which only Ibis brings here
        return
    with closing(found) as cursor:
        while rows := cursor.fetchmany(_ROWS):
            yield pl.DataFrame(
                [
                    _sqlite_order(columns.source, name, values, kinds[name])
                    if name in ordering
                    else pl.Series(name, values, pl.String)
                    for name, values in zip(columns.names, zip(*rows, strict=True), strict=True)
                ]
            )


def _sqlite_order(source: str, name: str, values: Sequence[Any], kind: Any) -> pl.Series:
    """Return values that order events: numbers, or times in ISO 8601."""
    try:
        if not any(isinstance(value, str) for value in values):
            return pl.Series(name, values, pl.Int64 if kind.is_integer() else pl.Float64)
        texts = pl.Series(name, values, pl.String)
    except (TypeError, pl.exceptions.PolarsError) as error:
        raise LogError(
            f"{source}: the column {name!r} holds values of several types, which do not order events reliably "
            f"({first_line(error)}): convert them to times or numbers."
        ) from error
    times, wrong, _ = parse_series(texts)
    if wrong is not None:
        raise LogError(
            f"{source}: the column {name!r} holds {str(texts[wrong])!r}, which does not order events reliably: store times like "
            "2024-02-29 23:59:59, or numbers."
        )
    return pl.Series(name, times.view("datetime64[us]"))


@contextmanager
def _asking_ibis(name: str, source: str) -> Iterator[None]:
    """Let Ibis return whole answers, and turn errors of the database into ours."""
    ibis = IBIS.load()
    limit, ibis.options.sql.default_limit = ibis.options.sql.default_limit, None  # a user's limit would leave out rows
    try:
        with quiet_ibis():
            yield
    except Exception as error:
        if isinstance(error, ActalikeError) or not _is_of_database(error):
            raise
        if str(error) == "interrupted" and type(error).__module__ == "sqlite3":  # by Ctrl-C
            raise KeyboardInterrupt from None
        raise EngineError(f"{source}: {name} cannot count it ({first_line(error)}); nothing was counted.") from error
    finally:
        ibis.options.sql.default_limit = limit


@contextmanager
def quiet_ibis() -> Iterator[None]:
    """Silence warnings: Ibis calls functions of DuckDB and pandas that are deprecated."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _is_of_database(error: Exception) -> bool:
    """Return whether an error comes from Ibis or a driver, and not from a mistake of ours."""
    return not type(error).__module__.startswith(("builtins", "narwhals", "numpy", "polars")) or isinstance(
        error, UnicodeDecodeError
    )


def _backend(table: Any) -> Any:
    ibis = IBIS.load()
    try:
        return table.get_backend()
    except ibis.common.exceptions.IbisError as error:
        raise ActalikeError(
            f"The table of Ibis belongs to no single database ({first_line(error)}): take one from a connection, such as "
            "ibis.connect(...).table(...)."
        ) from error
