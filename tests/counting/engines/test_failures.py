"""What engines raise is an error of ours, with a remedy; the engine's own is its cause."""

import threading

import polars as pl
import pytest

import actalike
from actalike import EngineError, LogError, count_windows
from actalike.counting.engines.errors import engine_errors
from tests.helpers.engine_frames import running_session
from tests.helpers.interrupts import spark_is_busy, wait_until

COLUMNS = {"case": "case", "activity": "activity", "order": "at"}
EVENTS = pl.DataFrame({"case": [1, 1], "activity": ["a", "b"], "at": [1, 2]})
MANY = "SELECT (i * 7919) % 300000 AS \"case\", 'a' || (i % 40) AS activity, i AS at FROM range({}) r(i)"


def closed(connection, folder):
    events = connection.sql(MANY.format(9))
    connection.close()
    return events


def dropped(connection, folder):
    connection.execute(f"CREATE TABLE events AS {MANY.format(9)}")
    events = connection.table("events")
    connection.execute("DROP TABLE events")
    return events


def deleted(connection, folder):
    EVENTS.write_parquet(folder / "events.parquet")
    events = connection.read_parquet(str(folder / "events.parquet"))
    (folder / "events.parquet").unlink()
    return events


def no_numbers(connection, folder):
    return connection.sql("SELECT 1 AS \"case\", 'a' AS activity, ('x' || i)::INT AS at FROM range(9) r(i)")


def too_many(connection, folder):
    connection.execute("SET memory_limit = '20MB'; SET temp_directory = ''")
    return connection.sql(f"{MANY.format(3_000_000)} ORDER BY hash(i)")  # that it has to hold


def cancelled(connection, folder):
    timer = threading.Timer(0.3, connection.interrupt)
    timer.daemon = True
    timer.start()
    return connection.sql(MANY.format(10**12))


@pytest.mark.parametrize(
    ("make_events", "said"),
    [
        (closed, "DuckDB"),
        (dropped, "events"),
        (deleted, "events.parquet"),
        (no_numbers, "x0"),
        (too_many, "--memory"),
        (cancelled, "DuckDB"),
    ],
)
def test_an_error_of_duckdb_has_a_remedy(make_events, said, tmp_path):
    import duckdb

    with pytest.raises(EngineError, match=said) as caught:
        count_windows(make_events(duckdb.connect(), tmp_path), 9, **COLUMNS)
    assert isinstance(caught.value.__cause__, duckdb.Error | OSError)  # rows come through Arrow, and so do errors between them


@pytest.mark.parametrize(
    ("events", "said"),
    [
        (lambda: pl.scan_parquet("nowhere.parquet"), ".*nowhere.parquet"),
        (lambda: EVENTS.lazy().select("time"), '.*"time"'),
        (lambda: EVENTS.lazy().with_columns(at=pl.col("activity").cast(pl.Int64)), ".*conversion"),
    ],
)
def test_an_error_of_a_lazy_frame_is_one_of_ours(events, said):
    with pytest.raises(LogError, match=f"^the LazyFrame:? {said}") as caught:
        count_windows(events(), 3, **COLUMNS)
    assert caught.value.__cause__ is not None


def test_errors_of_spark_have_remedies(tmp_path):
    spark = running_session()
    EVENTS.write_parquet(tmp_path / "events.parquet")
    events = spark.read.parquet(str(tmp_path / "events.parquet"))
    (tmp_path / "events.parquet").unlink()
    with pytest.raises(EngineError, match="Spark") as caught:
        count_windows(events, 3, **COLUMNS)
    assert type(caught.value.__cause__).__module__.startswith(("py4j", "pyspark"))
    words = spark.createDataFrame([(1, "a", "x")], "case int, activity string, at string")
    with pytest.raises(EngineError, match="Spark"):
        count_windows(words.selectExpr("case", "activity", "int(at) AS at"), 3, **COLUMNS)


def test_a_job_of_spark_that_somebody_cancels_is_an_error():
    spark = running_session()

    def cancel():
        wait_until(spark_is_busy)
        spark.sparkContext.cancelAllJobs()

    watcher = threading.Thread(target=cancel)
    watcher.start()
    with pytest.raises(EngineError, match="cancel"):
        count_windows(spark.range(10**12).selectExpr("id % 9 AS case", "'a' AS activity", "id AS at"), 3, **COLUMNS)
    watcher.join()
    assert count_windows(spark.createDataFrame([(1, "a", 1)], "case int, activity string, at int"), 3, **COLUMNS).n_events == 1


def test_a_mistake_of_the_program_stays_what_it_is():
    with pytest.raises(ZeroDivisionError), engine_errors("the events", "DuckDB"):
        raise ZeroDivisionError


def test_an_error_of_ours_stays_what_it_is():
    with pytest.raises(actalike.UnknownMethodError), engine_errors("the events", "DuckDB"):
        actalike.embed(actalike.EventLog.from_traces([["a"]]), "none")


def test_ctrl_c_is_found_below_other_errors():
    def give_up():
        try:
            raise KeyboardInterrupt
        finally:
            raise OSError("the job was cancelled")  # as PySpark does

    with pytest.raises(KeyboardInterrupt), engine_errors("the events", "Spark"):
        give_up()
