"""Open a table of a database by its address, with Ibis and so that nothing can be written.

PostgreSQL: one read-only transaction, which also shows the events as they were when it began. DuckDB and SQLite: the file is
opened read-only, and its views reach nothing outside it. Other databases are opened as Ibis does: use an account that can only
read.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from actalike.counting.engines.database_urls import DatabaseUrl, read_url
from actalike.counting.engines.databases import check_database, choose_table, find_table, reaches_outside, shut_off
from actalike.counting.engines.failures import first_line
from actalike.counting.engines.ibis_tables import IBIS, is_of_database, quiet_ibis, remedy
from actalike.counting.engines.sessions import OpenedEvents
from actalike.counting.engines.spill import spill_folder
from actalike.errors import ActalikeError, LogError, MissingExtraError, did_you_mean
from actalike.support.extras import Extra

_DUCKDB = Extra("ibis", "duckdb")
_PSYCOPG = Extra("ibis", "psycopg")
_SECONDS_TO_CONNECT = 20  # to a server
_STEPS = 100_000  # of SQLite's machine between two looks at whether Ctrl-C was pressed

_POSTGRES_TABLES = """
SELECT n.nspname, c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
ORDER BY 1, 2
"""


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
            if isinstance(error, ActalikeError) or not is_of_database(error):
                raise
            raise _unread(address, table, error) from error
        yield OpenedEvents(found, lambda: None)


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
    """Return after how many seconds a server that does not answer is given up, unless the address says it."""
    return {} if "connect_timeout" in url or "PGCONNECT_TIMEOUT" in os.environ else {"connect_timeout": _SECONDS_TO_CONNECT}


def _sqlite_table(address: DatabaseUrl, table: str, closing: ExitStack) -> Any:
    path = _file(address)
    with path.open("rb") as file:
        if file.read(16) != b"SQLite format 3\0":
            raise LogError(f"{path} is no SQLite database; nothing was read.")
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    closing.callback(connection.close)
    connection.execute("PRAGMA trusted_schema = OFF")  # a view cannot call the functions that Ibis adds
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.set_progress_handler(lambda: 0, _STEPS)  # Python sees Ctrl-C when it is called
    known = connection.execute("SELECT schema, name FROM pragma_table_list WHERE schema = 'main'").fetchall()
    _, name = choose_table(address.shown, table, [one for one in known if not one[1].startswith("sqlite_")], "main")
    kinds = {kind.lower() for (kind,) in connection.execute("SELECT type FROM pragma_table_info(?)", [name])}
    whole_numbers = {kind: "int64" for kind in kinds if "int" in kind}  # by SQLite's own rule; Ibis does not know int(11), say
    backend = IBIS.load("ibis.backends.sqlite").Backend.from_connection(connection, type_map=whole_numbers)
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
    import narwhals.stable.v2 as nw  # here: to read a log, it is not needed

    operations = IBIS.load("ibis.expr.operations")
    try:
        columns = backend.get_schema(name, database=schema)
        table = operations.DatabaseTable(name, columns, backend, operations.Namespace(database=schema)).to_expr()
        nw.from_native(table).collect_schema()
    except (AttributeError, NotImplementedError, TypeError) as error:
        raise LogError(
            f"{name!r} has a column of a type that Ibis does not know ({first_line(error)}): make a view without it, and "
            "give that in place of LOG; nothing was read."
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
    said = reason.lower()
    if "too many connections" in said or "connection slots" in said:
        remedy_ = "Try again later, or ask for more connections"
    elif "password" in said or "authentication" in said or "role" in said:
        remedy_ = "Check user and password (PostgreSQL also takes it from PGPASSWORD or ~/.pgpass)"
    elif "database" in said and "does not exist" in said:
        remedy_ = "Check the name of the database after the last slash"
    else:
        remedy_ = "Check host and port, and that the server runs and takes connections from here"
    return LogError(f"{address.shown}: no connection ({reason}). {remedy_}; nothing was read.")


def _unread(address: DatabaseUrl, table: str, error: Exception) -> LogError:
    said = address.hide(first_line(error))
    return LogError(f"{table} in {address.shown} cannot be opened ({said}){remedy(error)}; nothing was read.")
