"""Open a table of a DuckDB database that may come from anybody: read-only, and without access to anything outside it.

A view is a query that its author wrote. It may read any file of this machine as if it were a table, so DuckDB is told not to open
files, load extensions or look at this program's variables, unless the user trusts the database.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from actalike.errors import LogError, did_you_mean

_MAGIC = slice(8, 12)


def check_database(source: str) -> None:
    """Raise an error if a file is not a DuckDB database, before DuckDB looks for an extension that could open it."""
    try:
        with Path(source).open("rb") as file:
            start = file.read(_MAGIC.stop)
    except OSError as error:
        raise LogError(f"{source} cannot be read: {error.strerror or error}.") from None
    if start[_MAGIC] != b"DUCK":
        kind = "an SQLite database" if start.startswith(b"SQLite") else "no DuckDB database"
        raise LogError(f"{source} is {kind}: give a DuckDB database, or store its events as Parquet; nothing was read.")


def shut_off(connection: Any) -> None:
    """Forbid a connection to reach anything outside its database, for good."""
    connection.execute("SET python_enable_replacements = false")
    connection.execute("SET enable_external_access = false; SET lock_configuration = true")


def open_table(connection: Any, source: str, table: str) -> Any:
    """Return a table or view as a relation. ``table`` is its name, or that of its schema and its own, with a dot between them."""
    schema, name = find_table(connection, source, table)
    return connection.sql(f"SELECT * FROM {quoted(schema)}.{quoted(name)}")


def find_table(connection: Any, source: str, table: str) -> tuple[str, str]:
    """Return the schema and the name of a table or view of a DuckDB database."""
    known = connection.execute(
        "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = current_database() AND NOT internal "
        "UNION ALL SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = current_database() AND NOT internal"
    ).fetchall()
    return choose_table(source, table, known, "main")


def choose_table(source: str, table: str, known: Sequence[tuple[str, str]], default: str | None) -> tuple[str, str]:
    """Return the schema and the name of the table that ``table`` stands for, of those that are ``known``.

    ``table`` is a name in the ``default`` schema, or that of any schema and a name with a dot between them. Names are compared
    regardless of case, but one that is spelled exactly so comes first.

    >>> choose_table("shop.duckdb", "sales.Orders", [("main", "orders"), ("sales", "orders")], "main")
    ('sales', 'orders')
    """
    names = {(schema, name): [name, f"{schema}.{name}"] if schema == default else [f"{schema}.{name}"] for schema, name in known}
    exact = [place for place, spellings in names.items() if table in spellings]
    alike = [place for place, spellings in names.items() if table.lower() in [spelling.lower() for spelling in spellings]]
    matches = exact or alike
    if not matches:
        shown = [spellings[0] for spellings in names.values()]
        listing = ", ".join(map(repr, shown[:20])) + (", ..." if len(shown) > 20 else "")
        raise LogError(
            f"{source} has no table {table!r}.{did_you_mean(table, shown)} Its tables and views: {listing or 'none'}. "
            "Nothing was read."
        )
    if len(matches) > 1:
        places = " and ".join(f"{name!r} in the schema {schema!r}" for schema, name in matches)
        raise LogError(f"{source}: {table!r} can be {places}: rename one; nothing was read.")
    return matches[0]


def quoted(name: str) -> str:
    """Return a name in quotes, as SQL wants it.

    >>> print(quoted('the "new" orders'))
    "the ""new"" orders"
    """
    return '"' + name.replace('"', '""') + '"'


def reaches_outside(source: str, table: str, reason: str) -> LogError:
    """Return the error about a view that reads something outside its database."""
    return LogError(
        f"{source}: {table!r} reads something outside the database ({reason}), which could be any file of this machine. If you "
        "trust whoever wrote it, allow it with --trust-views; nothing was counted."
    )
