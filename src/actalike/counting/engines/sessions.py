"""Start an engine for one count and open files with it: DuckDB within a memory limit, Spark on this machine or a cluster."""

import glob
import os
import re
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from actalike.errors import ActalikeError, LogError
from actalike.io import find_columns, log_kind
from actalike.support.extras import Extra

_DUCKDB = Extra("duckdb", "duckdb")
_SPARK = Extra("spark", "pyspark")
_UNITS = {"MB": 1e6, "GB": 1e9, "TB": 1e12, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}
Labels = tuple[str | None, str | None]  # the columns of case and activity, if the user named them

_DATABASES = (".duckdb", ".ddb", ".db")


class OpenedEvents(NamedTuple):
    """Hold a frame of an engine, and a function that returns the finished share of the running query, None if unknown."""

    frame: Any
    done: Callable[[], float | None]


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
        if self.memory is None:
            return None
        match = re.fullmatch(r"(\d+(?:\.\d+)?) ?([MGT]I?B)", self.memory.strip().upper())
        if match is None or not float(match[1]):
            raise ActalikeError(f"{self.memory!r} is not an amount of memory, such as 4GB or 500MB.")
        return int(float(match[1]) * _UNITS[match[2]])


@contextmanager
def duckdb_events(source: str, table: str | None, limits: EngineLimits, labels: Labels = (None, None)) -> Iterator[OpenedEvents]:
    """Open Parquet or CSV files, or a table of a DuckDB database, with DuckDB.

    ``source`` may be a pattern for several files, or a folder of Parquet files. ``labels`` are the columns of case and activity,
    if the user named them: in a CSV file they are read as texts, even if they look like numbers.
    """
    duckdb = _DUCKDB.load(user="This engine")
    memory = limits.bytes()
    is_database = source.lower().endswith(_DATABASES)
    if is_database != (table is not None):
        raise ActalikeError(f"{source}: a table (--table) must be named for a DuckDB database, and only for one.")
    _check_exists(source)
    with _spill_folder(limits.spill) as spill:
        settings = {
            "temp_directory": str(spill),
            "preserve_insertion_order": False,  # the query does not depend on the order of rows, and keeping it costs memory
            "autoinstall_known_extensions": False,  # opening a file must never load code from elsewhere
            **({} if memory is None else {"memory_limit": f"{memory}B"}),
        }
        try:
            connection = duckdb.connect(source if is_database else ":memory:", read_only=is_database, config=settings)
            connection.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")  # for query_progress
            with connection:
                yield OpenedEvents(_relation(connection, source, table, labels), lambda: _share(connection.query_progress()))
        except duckdb.OutOfMemoryException as error:
            raise ActalikeError(
                f"{source}: DuckDB ran out of memory, or of disk space for its temporary files ({_first_line(error)}). "
                f"Allow more with --memory, or name a folder with more space with --spill (now {spill}); nothing was counted."
            ) from None
        except duckdb.Error as error:
            raise LogError(f"{source}: DuckDB cannot read it ({_first_line(error)}); nothing was counted.") from None
        except RuntimeError as error:
            if str(error) == "Query interrupted":  # DuckDB raises this on Ctrl-C
                raise KeyboardInterrupt from None
            raise


def _relation(connection: Any, source: str, table: str | None, labels: Labels) -> Any:
    if table is not None:
        return connection.table(table)
    if log_kind(source) == "csv":
        texts = _text_columns(source, connection.read_csv(source).columns, labels)
        return connection.read_csv(source, dtype=dict.fromkeys(texts, "VARCHAR"))
    pattern = f"{glob.escape(source)}/**/*.parquet" if Path(source).is_dir() else source
    query = "SELECT * FROM read_parquet($pattern, hive_partitioning = true, hive_types_autocast = false)"
    return connection.sql(query, params={"pattern": pattern})


def _text_columns(source: str, present: list[str], labels: Labels) -> list[str]:
    """Return the columns to read as texts, case and activity: 01 and 1 are two labels, but one number."""
    columns = find_columns(source, present, *labels, "", "")
    return [columns.case, columns.activity]


@contextmanager
def spark_events(source: str, master: str, limits: EngineLimits, labels: Labels = (None, None)) -> Iterator[OpenedEvents]:
    """Open Parquet or CSV files with Spark, which must be able to reach them.

    ``master`` is ``local[*]`` or the URL of a cluster.
    """
    sql = _SPARK.load("pyspark.sql", user="This engine")
    errors = _SPARK.load("pyspark.errors")
    is_local = master.startswith("local")
    if is_local:
        _check_exists(source)
        if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
            raise ActalikeError("Spark needs Java 17 or newer, which was not found: install it, or set JAVA_HOME.")
    memory = limits.bytes()
    with _spill_folder(limits.spill) as spill, warnings.catch_warnings():
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
        session = None
        try:
            with _stderr_to(spill / "spark.log"):
                session = builder.getOrCreate()
            frame = _spark_csv(session, source, labels) if log_kind(source) == "csv" else session.read.parquet(source)
            yield OpenedEvents(frame, (lambda: None) if master.startswith("sc://") else (lambda: _spark_share(session)))
        except errors.PySparkException as error:
            raise LogError(f"{source}: Spark ({master}) cannot count it ({_first_line(error)}); nothing was counted.") from None
        except Exception as error:
            if not type(error).__module__.startswith("py4j"):
                raise
            raise LogError(f"{source}: Spark ({master}) cannot count it ({_java_cause(error)}); nothing was counted.") from None
        finally:
            if session is not None:
                session.stop()


def _spark_csv(session: Any, source: str, labels: Labels) -> Any:
    """Open CSV files with the column types that Spark infers, but case and activity as texts; a malformed row is an error."""
    separator = "\t" if source.lower().endswith((".tsv", ".tsv.gz")) else ","
    options = {"header": True, "sep": separator, "mode": "FAILFAST"}
    schema = session.read.csv(source, inferSchema=True, **options).schema
    texts = _text_columns(source, schema.names, labels)
    kinds = {field.name: "string" if field.name in texts else field.dataType.simpleString() for field in schema}
    types = ", ".join(f"`{name.replace('`', '``')}` {kind}" for name, kind in kinds.items())
    return session.read.csv(source, schema=types, **options)


def _check_exists(source: str) -> None:
    """Raise an error if a file or folder does not exist; patterns and URLs are left to the engine."""
    if not re.search(r"[*?\[]|://", source) and not Path(source).exists():
        raise LogError(f"{source} cannot be read: No such file or directory.")


@contextmanager
def _spill_folder(given: Path | None) -> Iterator[Path]:
    """Create a temporary folder for data that does not fit into memory, and remove it afterwards."""
    if given is not None and not given.is_dir():
        raise ActalikeError(f"{given} is not a folder: --spill needs an existing folder with space for temporary files.")
    with tempfile.TemporaryDirectory(prefix="actalike-", dir=given, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@contextmanager
def _stderr_to(path: Path) -> Iterator[None]:
    """Send the standard error of processes started here to a file: Spark logs pages of text, and raises its errors too."""
    terminal = os.dup(2)
    try:
        with path.open("wb") as file:
            os.dup2(file.fileno(), 2)
        yield
    finally:
        os.dup2(terminal, 2)
        os.close(terminal)


def _share(percentage: float) -> float | None:
    return percentage / 100 if percentage >= 0 else None


def _spark_share(session: Any) -> float | None:
    """Return the share of finished tasks in the running stages, None if nothing is running."""
    tracker = session.sparkContext.statusTracker()
    stages = [info for stage in tracker.getActiveStageIds() if (info := tracker.getStageInfo(stage))]
    total = sum(info.numTasks for info in stages)
    return sum(info.numCompletedTasks for info in stages) / total if total else None


def _first_line(error: Exception) -> str:
    """Return the beginning of an error's message, because those of engines can fill pages."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines[:2])[:300].rstrip(".") if lines else type(error).__name__


def _java_cause(error: Any) -> str:
    """Return the message of a Java exception's innermost cause."""
    cause = getattr(error, "java_exception", None)
    if cause is None:
        return _first_line(error)
    while cause.getCause() is not None:
        cause = cause.getCause()
    return _first_line(Exception(cause.getMessage() or cause.toString()))
