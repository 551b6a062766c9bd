"""Events as a frame of each engine, and the engines themselves, started once."""

import os
import warnings
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache
from socket import socket
from unittest.mock import patch

import numpy as np
import polars as pl
from hypothesis import HealthCheck

from actalike import EventLog
from tests.helpers.examples import examples
from tests.helpers.requirements import need_java
from tests.helpers.spark_cluster import QUICK_JAVA

ENGINES = ["polars", "polars-lazy", "pandas", "pandas-arrow", "pyarrow", "duckdb", "duckdb-table", "spark", "spark-connect"]
REMOTE = ("duckdb", "duckdb-table", "spark", "spark-connect")


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


_MAKERS = {
    "polars": lambda events: events,
    "polars-lazy": lambda events: events.lazy(),
    "pandas": lambda events: events.to_pandas(),
    "pandas-arrow": lambda events: events.to_pandas(use_pyarrow_extension_array=True),
    "pyarrow": lambda events: events.to_arrow(),
    "duckdb": lambda events: _duckdb().from_arrow(events.to_arrow()),
    "duckdb-table": _table,
    "spark": lambda events: _in_spark(_spark(), events),
    "spark-connect": lambda events: _in_spark(_spark_connect(), events),
}


FEW_EXAMPLES = {"spark": 2, "spark-connect": 2, "duckdb": 10, "duckdb-table": 10}


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
