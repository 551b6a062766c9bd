"""Queries that can be watched and stopped."""

import signal
import threading
import time
from contextlib import suppress

import pytest

from actalike import count_windows
from actalike.counting.engines.errors import run_interruptible, supervise
from tests.helpers.engine_frames import running_session
from tests.helpers.interrupts import interrupt_when, spark_is_busy, wait_until

COLUMNS = {"case": "case", "activity": "activity", "order": "at"}
ENDLESS = "SELECT (i * 7919) % 300000 AS \"case\", 'a' || (i % 40) AS activity, i AS at FROM range(1000000000000) r(i)"


@pytest.fixture
def python_handles_ctrl_c():
    """As where a session was not made by the main thread: else PySpark cancels all jobs by itself."""
    running_session()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_what_runs_in_a_thread_returns_and_raises_as_if_it_did_not():
    assert run_interruptible(lambda: threading.current_thread() is threading.main_thread(), lambda: None) is False
    with pytest.raises(ZeroDivisionError):
        run_interruptible(lambda: 1 // 0, lambda: None)


def test_in_another_thread_nothing_is_started():
    found = []
    work = threading.Thread(target=lambda: found.append(run_interruptible(threading.current_thread, lambda: None) is work))
    work.start()
    work.join()
    assert found == [True]


def test_a_query_is_stopped_until_it_has_noticed():
    begun, calls, noticed = threading.Event(), [], threading.Event()

    def count():
        begun.set()
        noticed.wait(30)

    def stop():
        calls.append(threading.current_thread() is threading.main_thread())
        if len(calls) == 2:
            noticed.set()

    with pytest.raises(KeyboardInterrupt), interrupt_when(begun.is_set):
        run_interruptible(count, stop)
    assert calls == [True, True]


def test_ctrl_c_stops_duckdb_and_leaves_the_connection_and_no_file(tmp_path):
    import duckdb

    with duckdb.connect(config={"temp_directory": str(tmp_path / "spill"), "memory_limit": "200MB"}) as connection:
        started = time.monotonic()
        with pytest.raises(KeyboardInterrupt), interrupt_when(lambda: time.monotonic() > started + 0.5):
            count_windows(connection.sql(ENDLESS), 3, **COLUMNS)
        assert connection.sql("SELECT 42").fetchall() == [(42,)]
    assert not list(tmp_path.rglob("*.tmp"))


def test_ctrl_c_stops_spark_and_leaves_the_session(python_handles_ctrl_c):
    spark = running_session()
    events = spark.range(10**12).selectExpr("id % 9 AS case", "'a' AS activity", "id AS at")
    with pytest.raises(KeyboardInterrupt), interrupt_when(spark_is_busy):
        count_windows(events, 3, **COLUMNS)
    wait_until(lambda: not spark_is_busy())
    assert list(spark.sparkContext.getJobTags()) == []
    assert spark.range(3).count() == 3


def test_the_jobs_of_others_in_the_same_session_of_spark_go_on(python_handles_ctrl_c):
    spark = running_session()
    active = spark.sparkContext.statusTracker().getActiveStageIds

    def count():
        with suppress(Exception):  # it is cancelled
            spark.range(10**12).selectExpr("id % 9 AS n").distinct().count()

    other = threading.Thread(target=count)
    other.start()
    wait_until(spark_is_busy)
    with pytest.raises(KeyboardInterrupt), interrupt_when(lambda: len(active()) == 2):
        supervise(spark.range(3), count)
    assert len(active()) == 1
    assert other.is_alive()
    spark.sparkContext.cancelAllJobs()
    other.join()
