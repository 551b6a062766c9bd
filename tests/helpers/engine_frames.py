"""Events as a frame of each engine, and the engines themselves, started once."""

import atexit
import os
import sqlite3
import warnings
from contextlib import ExitStack, contextmanager
from datetime import date, datetime, timedelta
from functools import cache
from itertools import count
from socket import socket
from unittest.mock import patch

import numpy as np
import polars as pl
from hypothesis import HealthCheck

from actalike import EventLog
from actalike.counting.engines.ibis import quiet_ibis
from actalike.counting.engines.open import quoted
from tests.helpers.examples import examples
from tests.helpers.postgres_server import Server, running_postgres
from tests.helpers.requirements import need_java, need_postgres
from tests.helpers.spark_cluster import QUICK_JAVA

IBIS = ["ibis-postgres", "ibis-duckdb", "ibis-sqlite"]
ENGINES = [
    "polars",
    "polars-lazy",
    "polars-spilled",
    "pandas",
    "pandas-arrow",
    "pyarrow",
    "duckdb",
    "duckdb-table",
    "spark",
    "spark-connect",
    *IBIS,
]
REMOTE = ("duckdb", "duckdb-table", "spark", "spark-connect", *IBIS)


def make_frame(engine, events: pl.DataFrame):
    """The events in an engine's own kind of frame."""
    return _MAKERS[engine](events)


@cache
def _duckdb():
    import duckdb

    return duckdb.connect(config={"threads": 2})


def _table(events):
    connection = _duckdb()
    connection.register("given", events.to_arrow())
    connection.execute("CREATE OR REPLACE TABLE events AS SELECT * FROM given")
    return connection.table("events")


def _builder():
    need_java()
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")  # where a cluster's executors find it, when Java runs on
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.session.timeZone": "UTC",
        "spark.driver.memory": "1g",
        "spark.driver.extraJavaOptions": QUICK_JAVA,
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.codegen.wholeStage": "false",  # so little is counted that compiling the query never pays
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    }
    builder = SparkSession.builder
    for key, value in settings.items():
        builder = builder.config(key, value)
    return builder


@cache
def _connect_port():
    """A port that is free, where the running session serves Spark Connect: one Java serves both."""
    with socket() as free:
        free.bind(("localhost", 0))
        return free.getsockname()[1]


@cache
def _spark():
    served = {
        "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
        "spark.connect.grpc.binding.port": _connect_port(),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PySpark's own, about itself
        session = _builder().master("local[2]").config(map=served).getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        return session


@contextmanager
def stopped_spark():
    """Let a command start Spark itself, and stop it. Java goes on running in this process: starting it takes longer than all else."""
    if _spark.cache_info().currsize:
        _spark().stop()
    _spark.cache_clear()
    _connect_port.cache_clear()
    with patch.dict(os.environ, JDK_JAVA_OPTIONS=QUICK_JAVA, SPARK_LOCAL_IP="127.0.0.1"):
        yield


def running_session():
    """The session that all tests with Spark share."""
    return _spark()


@contextmanager
def running_spark(session=None):
    """Let commands count with a session that runs already, which they cannot stop."""
    session = session or _spark()
    with patch.object(type(session), "stop", lambda self: None):
        yield


@contextmanager
def spark_on(master):
    """A session on a cluster whose executors have no Python, in place of the one on this machine, which the next test starts again."""
    with stopped_spark(), patch.dict(os.environ, PYSPARK_PYTHON="no/python"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = _builder().master(master).config("spark.executor.memory", "600m").getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        try:
            yield session
        finally:
            session.stop()


def spark_connect_address():
    """Where another process finds the running session: Connect and classic Spark do not share a process."""
    _spark()
    return f"sc://localhost:{_connect_port()}"


@cache
def _spark_connect():
    """Connect to the session that the environment names, in ``SPARK_REMOTE``."""
    from pyspark.sql import SparkSession

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return SparkSession.builder.getOrCreate()


def _in_spark(session, events):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return session.createDataFrame(events.to_arrow())


@cache
def postgres() -> Server:
    """A PostgreSQL of this process, which ends with it."""
    closing = ExitStack()
    atexit.register(closing.close)
    return closing.enter_context(running_postgres(need_postgres()))


@cache
def _postgres_connection():
    import ibis

    connection = ibis.connect(postgres().url)
    atexit.register(connection.disconnect)  # before the server ends
    return connection


_numbers = count()
_POSTGRES_KINDS = {
    pl.String: "text",
    pl.Int64: "bigint",
    pl.Int16: "smallint",
    pl.Float64: "double precision",
    pl.Date: "date",
    pl.Boolean: "boolean",
}
_SQLITE_KINDS = {
    pl.String: "TEXT",
    pl.Int64: "INTEGER",
    pl.Int16: "SMALLINT",
    pl.Float64: "REAL",
    pl.Date: "DATE",
    pl.Boolean: "BOOLEAN",
}


def _in_postgres(events):
    connection = _postgres_connection()
    table = f"events{next(_numbers)}"
    kinds = [_POSTGRES_KINDS.get(kind) or ("timestamptz" if kind.time_zone else "timestamp") for kind in events.dtypes]
    columns = ", ".join(f"{quoted(name)} {kind}" for name, kind in zip(events.columns, kinds, strict=True))
    with connection.con.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {table} ({columns})")
        with cursor.copy(f"COPY {table} FROM STDIN") as copy:
            for row in events.iter_rows():
                copy.write_row(row)
    return connection.table(table)


@cache
def _ibis_duckdb():
    import duckdb
    import ibis

    return ibis.duckdb.from_connection(duckdb.connect(config={"threads": 2}))


def _in_ibis_duckdb(events):
    connection = _ibis_duckdb()
    table = f"events{next(_numbers)}"
    connection.con.register("given", events.to_arrow())
    connection.con.execute(f"CREATE TABLE {table} AS SELECT * FROM given")
    with quiet_ibis():
        return connection.table(table)


@cache
def _sqlite():
    import ibis

    connection = sqlite3.connect(":memory:")
    atexit.register(connection.close)
    return ibis.sqlite.from_connection(connection)


def _in_sqlite(events):
    connection = _sqlite()
    table = f"events{next(_numbers)}"
    kinds = [_SQLITE_KINDS.get(kind, "TIMESTAMP") for kind in events.dtypes]
    columns = ", ".join(f"{quoted(name)} {kind}" for name, kind in zip(events.columns, kinds, strict=True))
    connection.con.execute(f"CREATE TABLE {table} ({columns})")
    rows = [[value.isoformat(" ") if isinstance(value, datetime) else str(value) if isinstance(value, date) else value for value in row]
            for row in events.iter_rows()]  # fmt: skip
    connection.con.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(kinds))})", rows)
    return connection.table(table)


def can_hold(engine, log: EventLog) -> bool:
    """Whether an engine can store the labels: PostgreSQL knows no character 0."""
    return engine != "ibis-postgres" or not any("\0" in label for label in log.activities)


_MAKERS = {
    "polars": lambda events: events,
    "polars-lazy": lambda events: events.lazy(),
    "polars-spilled": lambda events: events.lazy(),  # the fixture leaves no memory for them
    "pandas": lambda events: events.to_pandas(),
    "pandas-arrow": lambda events: events.to_pandas(use_pyarrow_extension_array=True),
    "pyarrow": lambda events: events.to_arrow(),
    "duckdb": lambda events: _duckdb().from_arrow(events.to_arrow()),
    "duckdb-table": _table,
    "spark": lambda events: _in_spark(_spark(), events),
    "spark-connect": lambda events: _in_spark(_spark_connect(), events),
    "ibis-postgres": _in_postgres,
    "ibis-duckdb": _in_ibis_duckdb,
    "ibis-sqlite": _in_sqlite,
}


FEW_EXAMPLES = {"spark": 2, "spark-connect": 2, "duckdb": 10, "polars-spilled": 10, "duckdb-table": 10, **dict.fromkeys(IBIS, 4)}


NAMES = {"case": "case:concept:name", "activity": "concept:name", "order": ["time:timestamp"]}


def events_of(log: EventLog, shuffle: int | None = 0) -> pl.DataFrame:
    """A log's events as rows, by default shuffled; the time tells their order within a case, the index that in the log."""
    case = np.repeat(np.arange(log.n_cases), log.lengths)
    start = datetime(2024, 2, 29)
    frame = pl.DataFrame(
        {
            "case:concept:name": pl.Series([f"case {number}" for number in case], dtype=pl.String),
            "concept:name": pl.Series([log.activities[code] for code in log.codes], dtype=pl.String),
            "time:timestamp": [start + timedelta(microseconds=place) for place in range(log.n_events)],
            "index": np.arange(log.n_events),
        }
    )
    return frame if shuffle is None else frame.sample(fraction=1, shuffle=True, seed=shuffle)


def few_examples(engine):
    """Check so many generated logs as an engine can count in a few seconds."""
    return examples(FEW_EXAMPLES.get(engine, 30), suppress_health_check=[HealthCheck.function_scoped_fixture])
