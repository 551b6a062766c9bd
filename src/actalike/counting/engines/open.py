"""Open events with an engine: files with DuckDB or Spark, a table of a DuckDB database; within limits of memory and disk.

A database may come from anybody, and a view may read any file of this machine as if it were a table. So DuckDB may not open
files, load extensions or read this program's variables, unless the user trusts the views.
"""

import glob
import os
import re
import shutil
import socket
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import polars as pl

from actalike.counting.engines.errors import engine_errors, first_line
from actalike.errors import ActalikeError, EngineError, LogError, did_you_mean
from actalike.io import KINDS, ParquetFile, log_kind, open_parquet, reject_spreadsheet
from actalike.support.extras import Extra
from actalike.support.files import new_folder_name, remove_leftovers
from actalike.support.memory import parse_size

_DUCKDB = Extra("duckdb", "duckdb")
_SPARK = Extra("spark", "pyspark")

_DATABASES = (".duckdb", ".ddb", ".db")
_MAGIC = slice(8, 12)  # of a DuckDB database
_STRINGS = (pl.String, pl.Categorical, pl.Enum)
_MOST_BYTES_AN_EVENT = 100  # of variants and what joins them (measured: all cases distinct, 20 events each)
_CONNECT_PORT = 15002  # of Spark Connect, where an address names none
_PATIENCE = 10.0  # seconds
_PROXIES = ("grpc_proxy", "https_proxy", "http_proxy")  # with one of them, Spark Connect asks the proxy


@dataclass(frozen=True)
class EngineLimits:
    """Limit an engine's memory (``"4GB"``; None for its default), and name a folder for data that does not fit into it."""

    memory: str | None = None
    spill: Path | None = None

    def bytes(self) -> int | None:
        """Return the memory limit in bytes.

        >>> EngineLimits("1.5 GB").bytes()
        1500000000
        """
        return None if self.memory is None else parse_size(self.memory, "--memory")


@contextmanager
def spill_folder(given: Path | None) -> Iterator[Path]:
    """Create a temporary folder for data that does not fit into memory, and remove it afterwards.

    Its name contains the machine and the process, so that a later run can remove the folder of a process that was killed.
    """
    if given is not None and not given.is_dir():
        raise ActalikeError(f"{given} is not a folder: --spill needs an existing folder with space for temporary files.")
    parent = Path(given or tempfile.gettempdir())
    remove_leftovers(parent)
    folder = parent / new_folder_name()
    try:
        folder.mkdir(mode=0o700)
    except OSError as error:
        raise ActalikeError(
            f"No temporary folder can be made in {parent} ({error.strerror or error}): name another with --spill, or with the "
            "environment variable TMPDIR."
        ) from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class OpenedEvents(NamedTuple):
    """Hold a frame of an engine.

    ``files`` are the Parquet files of this machine that the frame reads, and ``spill`` is the folder for what does not fit into
    memory.
    """

    frame: Any
    files: tuple[Path, ...] = ()
    spill: Path | None = None

    def most_bytes(self) -> int | None:
        """Return the most memory that the variants of files can take, if all cases differ; None if unknown."""
        return _MOST_BYTES_AN_EVENT * sum(open_parquet(file).rows for file in self.files) if self.files else None


@contextmanager
def duckdb_events(
    source: str,
    table: str | None,
    limits: EngineLimits,
    trust_views: bool = False,
) -> Iterator[OpenedEvents]:
    """Open Parquet files, or a table of a DuckDB database, with DuckDB.

    ``source`` may be a pattern for several files, or a folder. A view of a database may read only this database, unless
    ``trust_views``.
    """
    duckdb = _DUCKDB.load(user="This engine")
    memory = limits.bytes()
    if _is_database(source) != (table is not None):
        raise ActalikeError(f"{source}: a table (--table) must be named for a DuckDB database, and only for one.")
    check_source(source)
    if table is not None:
        check_database(source)
    with spill_folder(limits.spill) as spill:
        files = parquet_files(source) if table is None and "://" not in source else []
        settings = {
            "temp_directory": str(spill),
            "preserve_insertion_order": False,  # the query does not depend on the order of rows, and keeping it costs memory
            "autoinstall_known_extensions": False,  # opening a file must never load code from elsewhere
            **({} if table is None else {"autoload_known_extensions": trust_views}),
            **({} if memory is None else {"memory_limit": f"{memory}B"}),
        }
        with engine_errors(source, "DuckDB"), _kept_inside(duckdb, source, None if trust_views else table):
            connection = duckdb.connect(":memory:" if table is None else source, read_only=table is not None, config=settings)
            with connection:
                if table is not None:
                    if not trust_views:
                        shut_off(connection)
                    relation = open_table(connection, source, table)
                else:
                    # of a single file, the names of its folders are not read as columns
                    partitioned = "false" if files == [Path(source)] else "true"
                    query = f"SELECT * FROM read_parquet($files, hive_partitioning = {partitioned}, hive_types_autocast = false)"
                    relation = connection.sql(query, params={"files": [glob.escape(str(file)) for file in files] or [source]})
                yield OpenedEvents(relation, tuple(files), limits.spill)


@contextmanager
def _kept_inside(duckdb: Any, source: str, table: str | None) -> Iterator[None]:
    """Explain the error of a view that tries to read something outside its database."""
    try:
        yield
    except (duckdb.PermissionException, EngineError) as error:
        refused = error.__cause__ if isinstance(error, EngineError) else error
        if table is None or not isinstance(refused, duckdb.PermissionException):
            raise
        raise reaches_outside(source, table, first_line(refused)) from refused


@contextmanager
def spark_events(
    source: str,
    master: str,
    limits: EngineLimits,
    starting: AbstractContextManager[None] | None = None,
) -> Iterator[OpenedEvents]:
    """Open Parquet files with Spark, which must be able to reach them.

    ``master`` is ``local[*]`` or the URL of a cluster. Java is started within ``starting``: it inherits standard error, to which
    Spark logs.
    """
    sql = _SPARK.load("pyspark.sql", user="This engine")
    is_local = master.startswith("local")
    if is_local:
        check_source(source)
    if not master.startswith("sc://") and shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        raise ActalikeError("Spark needs Java 17 or newer, which was not found: install it, or set JAVA_HOME.")
    check_reachable(master)
    memory = limits.bytes()
    with spill_folder(limits.spill) as spill, warnings.catch_warnings():
        files = parquet_files(source) if is_local and "://" not in source else []
        warnings.simplefilter("ignore")  # PySpark warns about versions of pandas, which is not used here
        settings = {"spark.app.name": "actalike", "spark.sql.sources.partitionColumnTypeInference.enabled": "false"}
        if memory is not None:
            settings["spark.driver.memory" if is_local else "spark.executor.memory"] = f"{memory // 2**20}m"
        if is_local:
            settings["spark.local.dir"] = str(spill)
        builder = sql.SparkSession.builder
        if master.startswith("sc://"):
            builder = builder.remote(master)
        else:
            builder = builder.master(master)
            settings |= {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
        for key, value in settings.items():
            builder = builder.config(key, value)
        with engine_errors(source, f"Spark ({master})"), ExitStack() as ending:
            with starting or nullcontext():
                session = builder.getOrCreate()
            ending.callback(session.stop)
            if files and not Path(source).is_dir():
                frame = session.read.option("basePath", escaped(_base(source, files))).parquet(*map(escaped, files))
            else:
                frame = session.read.parquet(escaped(Path(source)) if files else source)
            yield OpenedEvents(frame, tuple(files), limits.spill)


def _base(source: str, files: list[Path]) -> Path:
    """Return the folder below which names of folders are values of columns: that of a file, or the fixed part of a pattern."""
    fixed = takewhile(lambda part: not glob.has_magic(part), Path(source).parts[:-1])
    return files[0].parent if files == [Path(source)] else Path(*fixed)


def local_name(source: str) -> str:
    """Return the path that an address of a local file stands for, and a path without a slash at its end; others as they are.

    >>> local_name("FILE:///data/my%20log.parquet"), local_name("log.parquet/"), local_name("s3://bucket/log.parquet")
    ('/data/my log.parquet', 'log.parquet', 's3://bucket/log.parquet')
    """
    if re.match("file:", source, re.IGNORECASE):
        return unquote(urlsplit(source).path)
    return source if "://" in source else str(Path(source))


def _is_database(source: str) -> bool:
    """Return whether a source is a DuckDB database, by its name."""
    return source.lower().endswith(_DATABASES)


def is_pattern(source: str) -> bool:
    """Return whether a source is a pattern for several files. A file that exists is never one, whatever its name.

    >>> is_pattern("events/*.parquet"), is_pattern("events.parquet")
    (True, False)
    """
    return bool(re.search(r"[*?\[{]", source)) and not Path(source).exists()


def check_source(source: str) -> None:
    """Raise an error if a source does not exist, or is a file that no engine reads; addresses are left to the engine."""
    if "://" in source:
        return
    if not is_pattern(source) and not Path(source).exists():
        raise LogError(f"{source} cannot be read: No such file or directory.")
    reject_spreadsheet(Path(source))
    kind = KINDS.get(log_kind(source) or "")
    if kind is not None and not kind.is_counted:
        raise LogError(
            f"{source}: an engine reads Parquet, CSV or a database; leave --engine out for {kind.words}. Nothing was read."
        )
    if source.lower().endswith(".actalike"):
        raise LogError(f"{source} is not a log: it was counted or embedded already, so leave --engine out.")


def csv_files(source: str) -> list[Path] | None:
    """Return the CSV files that a source names, sorted; None if it names something else."""
    if "://" in source or Path(source).is_dir():
        return None
    if not is_pattern(source):
        return [Path(source)] if log_kind(source) == "csv" else None
    matches = matching_files(source)
    tables = [match for match in matches if log_kind(match) == "csv"]
    if not tables and log_kind(source) == "csv":
        raise LogError(f"{source}: no file matches the pattern; nothing was read.")
    if tables and len(tables) < len(matches):
        other = next(match for match in matches if match not in tables)
        raise LogError(f"{source} matches CSV files and others, such as {other}: name one kind of them; nothing was read.")
    return tables or None


def alternatives(pattern: str) -> list[str]:
    """Return a pattern with each of the alternatives in its braces, which glob does not know.

    >>> alternatives("{may,june}/*.csv")
    ['may/*.csv', 'june/*.csv']
    """
    braces = re.search(r"\{([^{}]*)\}", pattern)
    if braces is None:
        return [pattern]
    before, after = pattern[: braces.start()], pattern[braces.end() :]
    return [variant for word in braces[1].split(",") for variant in alternatives(f"{before}{word}{after}")]


def matching_files(pattern: str) -> list[Path]:
    """Return the files that match a pattern, sorted. Engines understand patterns in different ways, so they are given files."""
    matches = {match for variant in alternatives(pattern) for match in glob.glob(variant, recursive=True)}
    return sorted(path for match in matches if (path := Path(match)).is_file())


def parquet_files(source: str) -> list[Path]:
    """Return the Parquet files of this machine that a source names: a file, all files of a folder, or those of a pattern."""
    if Path(source).is_dir():
        files = sorted(path for path in Path(source).rglob("*.parquet") if path.is_file())
    else:
        files = matching_files(source) if is_pattern(source) else [Path(source)]
    if not files:
        kind = "no file matches the pattern" if is_pattern(source) else "the folder has no .parquet file"
        raise LogError(f"{source}: {kind}; nothing was read.")
    return files


def escaped(path: Path) -> str:
    """Return a path as Spark takes it literally."""
    return re.sub(r"([\\*?\[\]{}])", r"\\\1", str(path))


def check_database(source: str) -> None:
    """Raise an error if a file is not a DuckDB database, before DuckDB looks for an extension that could open it."""
    try:
        with Path(source).open("rb") as file:
            start = file.read(_MAGIC.stop)
    except OSError as error:
        raise LogError(f"{source} cannot be read: {error.strerror or error}.") from None
    if start[_MAGIC] != b"DUCK":
        kind = "an SQLite database" if start.startswith(b"SQLite") else "not a DuckDB database"
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


def check_stored(source: str, files: Sequence[Path], columns: Sequence[str]) -> int:
    """Return the number of rows that the files declare; they must agree in the types of these columns.

    A column that is also the name of a folder (``activity=x``) is an error, because engines read different ones.
    """
    opened = [open_parquet(file) for file in files]
    for file in opened:
        _check_folders(file, columns, source)
        for column in columns:
            if (file.schema.get(column) in _STRINGS) != (opened[0].schema.get(column) in _STRINGS):
                raise LogError(
                    f"{source}: the column {column!r} holds strings in one of {opened[0].path} and {file.path} and numbers in "
                    "the other. Write all files with one type, because 01 and 1 are two strings, but one number; nothing was "
                    "counted."
                )
    return sum(file.rows for file in opened)


def check_counted(source: str, stored: int, counted: int) -> None:
    """Raise an error if an engine counted another number of events than its files have rows.

    >>> check_counted("events/*.parquet", 10, 10)
    """
    if stored != counted:
        raise LogError(
            f"{source}: {counted:,} events were counted, but its Parquet files have {stored:,} rows by their footers: one of "
            "them is damaged. Get complete copies; nothing was counted."
        )


def _check_folders(file: ParquetFile, columns: Sequence[str], source: str) -> None:
    if file.path == Path(source):
        return
    for folder in file.path.parent.parts:
        column, mark, _ = folder.partition("=")
        if mark and column in columns and column in file.columns:
            raise LogError(
                f"{source}: {column!r} is a column of {file.path}, and of its folder {folder!r} too: rename "
                "one; nothing was counted."
            )


def check_reachable(master: str) -> None:
    """Raise an error unless something listens at the address of a Spark master or server; others (``yarn``) are not checked.

    >>> check_reachable("yarn")
    >>> check_reachable("spark://localhost:1")
    Traceback (most recent call last):
    actalike.errors.EngineError: Spark (spark://localhost:1) cannot be reached (Connection refused). Check that it runs, and
    its address (--master); nothing was counted.
    """
    kind = master.partition("://")[0]
    if kind not in ("spark", "sc") or (kind == "sc" and any(name in os.environ for name in _PROXIES)) or "," in master:
        return
    try:
        address = urlsplit(master.partition(";")[0])
        port = address.port or _CONNECT_PORT
        socket.create_connection((address.hostname or "", port), _PATIENCE).close()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise EngineError(
            f"Spark ({master}) cannot be reached ({reason}). Check that it runs, and its address (--master); nothing was counted."
        ) from error
