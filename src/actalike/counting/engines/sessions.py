"""Start an engine for one count and open files with it: DuckDB within a memory limit, Spark on this machine or a cluster."""

import glob
import os
import shutil
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from actalike.counting.engines.addresses import check_reachable
from actalike.counting.engines.databases import check_database, open_table, quoted, reaches_outside, shut_off
from actalike.counting.engines.failures import engine_errors, first_line
from actalike.counting.engines.sources import check_source, csv_files, escaped, is_database, parquet_files
from actalike.counting.engines.spill import EngineLimits, spill_folder
from actalike.counting.engines.spilled_csv import CsvOptions, SpilledEvents, spill_csv
from actalike.counting.engines.supervision import duckdb_progress, spark_progress
from actalike.errors import ActalikeError, EngineError, LogError
from actalike.io import Progress, log_kind
from actalike.support.extras import Extra

_DUCKDB = Extra("duckdb", "duckdb")
_SPARK = Extra("spark", "pyspark")


class OpenedEvents(NamedTuple):
    """Hold a frame of an engine, and a function that returns the finished share of the running query, None if unknown.

    ``spilled`` says what the frame holds if its events come from CSV files; ``files`` are the Parquet files of this machine that
    it reads.
    """

    frame: Any
    done: Callable[[], float | None]
    spilled: SpilledEvents | None = None
    files: tuple[Path, ...] = ()


@contextmanager
def duckdb_events(
    source: str,
    table: str | None,
    limits: EngineLimits,
    csv: CsvOptions | None = None,
    trust_views: bool = False,
    progress: Progress | None = None,
) -> Iterator[OpenedEvents]:
    """Open Parquet or CSV files, or a table of a DuckDB database, with DuckDB.

    ``source`` may be a pattern for several files, or a folder of Parquet files. ``csv`` says how CSV files are read. A view of a
    database may read only this database, unless ``trust_views``.
    """
    duckdb = _DUCKDB.load(user="This engine")
    memory = limits.bytes()
    if is_database(source) != (table is not None):
        raise ActalikeError(f"{source}: a table (--table) must be named for a DuckDB database, and only for one.")
    check_source(source)
    if table is not None:
        check_database(source)
    with spill_folder(limits.spill) as spill:
        spilled = _spill(source, csv, spill, progress)
        files = parquet_files(source) if table is None and spilled is None and "://" not in source else []
        settings = {
            "temp_directory": str(spill),
            "preserve_insertion_order": False,  # the query does not depend on the order of rows, and keeping it costs memory
            "autoinstall_known_extensions": False,  # opening a file must never load code from elsewhere
            **({} if table is None else {"autoload_known_extensions": trust_views}),
            **({} if memory is None else {"memory_limit": f"{memory}B"}),
        }
        with engine_errors(source, "DuckDB"), _kept_inside(duckdb, source, None if trust_views else table):
            connection = duckdb.connect(":memory:" if table is None else source, read_only=table is not None, config=settings)
            connection.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")  # for query_progress
            with connection:
                if table is not None:
                    if not trust_views:
                        shut_off(connection)
                    relation = open_table(connection, source, table)
                elif spilled is not None:
                    relation = _duckdb_spilled(connection, spilled)
                else:
                    # a file that is named itself is read without what the names of its folders say
                    partitioned = "false" if files == [Path(source)] else "true"
                    query = f"SELECT * FROM read_parquet($files, hive_partitioning = {partitioned}, hive_types_autocast = false)"
                    relation = connection.sql(query, params={"files": [glob.escape(str(file)) for file in files] or [source]})
                with duckdb_progress(connection) as done:
                    yield OpenedEvents(relation, done, spilled, tuple(files))


@contextmanager
def _kept_inside(duckdb: Any, source: str, table: str | None) -> Iterator[None]:
    """Say what is wrong with a table, or view, that is kept from reading anything outside its database, and tries to."""
    try:
        yield
    except (duckdb.PermissionException, EngineError) as error:
        refused = error.__cause__ if isinstance(error, EngineError) else error
        if table is None or not isinstance(refused, duckdb.PermissionException):
            raise
        raise reaches_outside(source, table, first_line(refused)) from refused


def _spill(source: str, csv: CsvOptions | None, folder: Path, progress: Progress | None) -> SpilledEvents | None:
    """Read the CSV files that a source names, and store their events for the engine; None if it names something else."""
    files = csv_files(source)
    if files is None:
        return None
    (folder / "events").mkdir()
    return spill_csv(source, files, csv or CsvOptions(), folder / "events", progress)


def _duckdb_spilled(connection: Any, spilled: SpilledEvents) -> Any:
    kind = "UTINYINT" if len(spilled.labels) < 256 else "INTEGER"
    names = ", ".join(map(quoted, spilled.order_columns))
    query = f'SELECT "case", "code"::{kind} AS "code", {names} FROM read_parquet($files)'
    return connection.sql(query, params={"files": [glob.escape(str(file)) for file in spilled.files]})


@contextmanager
def spark_events(
    source: str,
    master: str,
    limits: EngineLimits,
    csv: CsvOptions | None = None,
    progress: Progress | None = None,
    starting: AbstractContextManager[None] | None = None,
) -> Iterator[OpenedEvents]:
    """Open Parquet files with Spark, which must be able to reach them, or CSV files of this machine.

    ``master`` is ``local[*]`` or the URL of a cluster, which does not see what is read from CSV files here. Java is started
    within ``starting``: it inherits standard error, to which Spark logs.
    """
    sql = _SPARK.load("pyspark.sql", user="This engine")
    is_local = master.startswith("local")
    if log_kind(source) == "csv" and not is_local:
        raise LogError(
            f"{source}: CSV is read on this machine, and Spark ({master}) runs elsewhere. Store the events as Parquet, or give a "
            "frame of Spark's own to actalike.count_windows; nothing was read."
        )
    if is_local:
        check_source(source)
    if not master.startswith("sc://") and shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        raise ActalikeError("Spark needs Java 17 or newer, which was not found: install it, or set JAVA_HOME.")
    check_reachable(master)
    memory = limits.bytes()
    with spill_folder(limits.spill) as spill, warnings.catch_warnings():
        spilled = _spill(source, csv, spill, progress) if is_local else None
        files = parquet_files(source) if is_local and spilled is None and "://" not in source else []
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
            if spilled is not None:
                frame = _spark_spilled(session, spilled)
            elif files and not Path(source).is_dir():
                frame = session.read.option("basePath", escaped(_base(source, files))).parquet(*map(escaped, files))
            else:
                frame = session.read.parquet(escaped(Path(source)) if files else source)
            done = ending.enter_context(spark_progress(session))
            yield OpenedEvents(frame, done, spilled, tuple(files))


def _base(source: str, files: list[Path]) -> Path:
    """Return the folder below which names of folders are values of columns: that of a file, or the fixed part of a pattern."""
    fixed = takewhile(lambda part: not glob.has_magic(part), Path(source).parts[:-1])
    return files[0].parent if files == [Path(source)] else Path(*fixed)


def _spark_spilled(session: Any, spilled: SpilledEvents) -> Any:
    kind = "smallint" if len(spilled.labels) < 2**15 else "int"
    frame = session.read.parquet(*(escaped(file) for file in spilled.files))
    return frame.selectExpr("`case`", f"CAST(code AS {kind}) AS code", *spilled.order_columns)
