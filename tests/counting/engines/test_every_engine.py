"""Every engine counts the same windows: one test each, over all engines."""

import os
import random
import subprocess
import sys
from datetime import datetime
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog, LogError, count_windows, embed
from actalike.counting.engines import frames as lazy_frames
from tests.attacks import engines
from tests.counting.engines.conftest import IN_PROCESS
from tests.helpers.engine_frames import NAMES, REMOTE, can_hold, events_of, few_examples, make_frame, spark_connect_address
from tests.helpers.requirements import need_java
from tests.helpers.strategies import any_text, logs, windows

IN_ORDER = [
    engine for engine in IN_PROCESS if engine not in REMOTE
]  # their rows have an order, which settles ties unless told not to


def test_every_engine_counts_what_the_array_engine_counts(engine):
    @few_examples(engine)
    @given(logs() | logs(any_text), windows, st.integers(0, 9))
    def check(log, window, seed):
        assume(can_hold(engine, log))
        frame = make_frame(engine, events_of(log, seed))
        assert count_windows(frame, window, **NAMES) == count_windows(log, window)

    check()


def test_events_of_one_case_at_the_same_time_are_refused(engine):
    @few_examples(engine)
    @given(logs().filter(lambda log: log.lengths.max() > 1), st.integers(1, 4))
    def check(log, window):
        events = events_of(log).with_columns(pl.lit(datetime(2024, 2, 29)).alias("time:timestamp"))
        cases = {f"case {number}" for number in np.flatnonzero(log.lengths > 1)}
        tied = int((log.lengths[log.lengths > 0] - 1).sum())
        with pytest.raises(LogError, match="time:timestamp") as caught:
            count_windows(make_frame(engine, events), window, **NAMES, ties="error" if engine in IN_ORDER else None)
        assert any(f"in the case '{case}', and {tied:,} times in all" in str(caught.value) for case in cases)
        told_apart = {**NAMES, "order": ["time:timestamp", "index"]}
        assert count_windows(make_frame(engine, events), window, **told_apart) == count_windows(log, window)

    check()


@pytest.mark.parametrize(("column", "role"), [("case:concept:name", "case"), ("concept:name", "activity"), ("index", "order")])
def test_a_missing_value_is_an_error_with_the_number_of_rows(engine, column, role):
    events = events_of(EventLog.from_traces([["a", "b"], ["a", "c", "d"]]), None)
    events = events.with_columns(pl.when(pl.int_range(pl.len()) % 2 == 1).then(None).otherwise(pl.col(column)).alias(column))
    with pytest.raises(LogError, match=column):
        count_windows(make_frame(engine, events), 3, **{**NAMES, "order": ["index"]})


def test_not_a_number_orders_nothing(engine):
    events = events_of(EventLog.from_traces([["a", "b"]])).with_columns(pl.Series("index", [0.5, float("nan")]))
    with pytest.raises(LogError, match="missing"):
        count_windows(make_frame(engine, events), 3, **{**NAMES, "order": ["index"]})


def test_an_empty_frame_is_an_error(engine):
    events = events_of(EventLog.from_traces([["a"]])).clear()
    with pytest.raises(LogError, match="empty"):
        count_windows(make_frame(engine, events), 3, **NAMES)


def test_cases_and_activities_may_be_whole_numbers(engine):
    log = EventLog.from_traces([["3", "10", "3"], ["10"]])
    events = events_of(log).with_columns(
        pl.col("concept:name").cast(pl.Int64), pl.col("case:concept:name").str.slice(5).cast(pl.Int64) * 10**15 - 5
    )
    assert count_windows(make_frame(engine, events), 3, **NAMES) == count_windows(log, 3)


@pytest.mark.parametrize("kind", [pl.Date, pl.Datetime("ms"), pl.Datetime("us", "Europe/Berlin"), pl.Float64, pl.Int16])
def test_events_are_ordered_by_any_kind_of_column(engine, kind):
    log = EventLog.from_traces([["a", "b", "c", "a"], ["c", "b"]])
    events = events_of(log)
    if kind.is_numeric():
        place = pl.col("index").cast(kind)
    else:
        place = pl.lit(datetime(2024, 2, 29)) + pl.duration(days=pl.col("index"))
        place = place.dt.replace_time_zone(getattr(kind, "time_zone", None)).cast(kind)
    frame = make_frame(engine, events.select("case:concept:name", "concept:name", place.alias("time:timestamp")))
    assert count_windows(frame, 3, **NAMES) == count_windows(log, 3)


def test_a_database_has_no_order_of_rows(database):
    frame = make_frame(database, events_of(EventLog.from_traces([["a"]])))
    with pytest.raises(ActalikeError, match="row"):
        count_windows(frame, 3, **NAMES, ties="row")


def test_events_that_change_while_postgres_counts_them_are_noticed():
    pytest.importorskip("ibis")
    query = "SELECT i % 3 AS c, CAST(random() * 30 AS INT) AS activity, i AS at FROM generate_series(1, 6000) r(i)"
    connection = make_frame("ibis-postgres", events_of(EventLog.from_traces([["a"]]))).get_backend()
    with pytest.raises(LogError, match="while"):
        count_windows(
            connection.sql(query, schema={"c": "int64", "activity": "int64", "at": "int64"}),
            3,
            case="c",
            activity="activity",
            order="at",
        )


def test_of_duckdb_the_events_are_read_in_one_query():
    import duckdb

    events = duckdb.sql("SELECT i % 3 AS c, (random() * 30)::INT AS activity, i AS at FROM range(6000) r(i)")
    assert count_windows(events, 3, case="c", activity="activity", order="at").n_events == 6000


def test_hundreds_of_activities_are_counted(engine):
    log = EventLog.from_traces([[f"step {number}" for number in range(400)], ["step 3", "step 399"]])
    assert count_windows(make_frame(engine, events_of(log)), 3, **NAMES) == count_windows(log, 3)


@pytest.fixture(scope="module")
def counted_here(real_log):
    """The events of a real log, the counts of the array engine, and the distances by them: the same for every engine."""

    @cache
    def count(name):
        counts = count_windows(real_log(name), 9)
        return events_of(real_log(name)), counts, embed(counts, "kin-w5").distances()

    return count


SLOW = {("spark", "BPIC15_1"), ("ibis-sqlite", "BPIC15_1")}  # 398 activities: engines that take seconds for them


@pytest.mark.parametrize(
    ("engine", "name"),
    [
        pytest.param(engine, name, marks=pytest.mark.campaign if (engine, name) in SLOW else ())
        for engine in IN_PROCESS
        for name in ("CCC19", "BPIC15_1", "BPIC13_closed_problems")
    ],
)
def test_every_engine_counts_real_logs(engine, name, counted_here, monkeypatch):
    events, expected, distances = counted_here(name)
    monkeypatch.setattr(lazy_frames, "AT_ONCE", events.estimated_size() // 8)
    monkeypatch.setattr(lazy_frames, "_BATCH", len(events) // 16)
    counts = count_windows(make_frame(engine, events), 9, **NAMES)
    assert counts == expected
    assert np.array_equal(embed(counts, "kin-w5").distances(), distances)


@pytest.mark.campaign
def test_spark_connect_counts_the_same_and_stops_at_ctrl_c():
    need_java()
    code = """
from tests.helpers.engine_frames import NAMES, events_of, make_frame
from actalike import EventLog, LogError, count_windows
log = EventLog.from_traces([["a", "b", "a.c"], ["b"], ["a.c", "b", "b"]])
frame = make_frame("spark-connect", events_of(log))
assert "connect" in type(frame).__module__, type(frame)
assert count_windows(frame, 5, **NAMES) == count_windows(log, 5)
try:
    count_windows(frame.withColumn("index", frame["index"] * 0), 3, **{**NAMES, "order": ["index"]})
except LogError as error:
    assert "their order is unknown" in str(error)

import time
from tests.helpers.interrupts import interrupt_when
started = time.monotonic()
session = frame.sparkSession
endless = session.range(10**12).selectExpr("id % 9 AS case", "'a' AS activity", "id AS at")
try:
    with interrupt_when(lambda: time.monotonic() > started + 5):
        count_windows(endless, 3, case="case", activity="activity", order="at")
except KeyboardInterrupt:
    assert session.interruptAll() == [], "it goes on at the server"
    assert session.getTags() == set()
    print("equal, stopped")
"""
    folders = [str(Path(__file__).parents[3]), *(path for path in sys.path if path)]
    result = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {folders!r}\n{code}"], capture_output=True, text=True, check=False,
        env={**os.environ, "SPARK_REMOTE": spark_connect_address()},
    )  # fmt: skip
    assert result.stdout.endswith("equal, stopped\n"), result.stderr


def test_options_of_frames_mean_nothing_for_a_log():
    with pytest.raises(ActalikeError, match="leave"):
        count_windows(EventLog.from_traces([["a"]]), 3, case="case")


@pytest.mark.campaign
def test_all_ways_of_counting_random_logs_agree(tmp_path):
    outcomes = list(islice(engines.attempts(random.Random(15), tmp_path), 3))
    assert [outcome for outcome in outcomes if outcome.verdict != "same"] == []
