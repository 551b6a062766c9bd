"""SQLite stores any value in any column: what is no label, or does not sort by time, is refused."""

import sqlite3
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, LogError, count_windows
from tests.helpers.examples import examples

ibis = pytest.importorskip("ibis")


def table(rows, declared="TIMESTAMP", labels="TEXT"):
    connection = sqlite3.connect(":memory:")
    connection.execute(f'CREATE TABLE events ("case" {labels}, activity {labels}, at {declared})')
    connection.executemany("INSERT INTO events VALUES (?, ?, ?)", rows)
    return ibis.sqlite.from_connection(connection).table("events")


def count(frame):
    return count_windows(frame, 3, order="at")


def at(*times, declared="TIMESTAMP"):
    return table([("1", f"step {place}", time) for place, time in enumerate(times)], declared)


def steps(*places):
    return count_windows(EventLog.from_traces([[f"step {place}" for place in places]]), 3)


@examples(8)
@given(st.lists(st.integers(0, 3_000_000), min_size=2, max_size=6, unique=True), st.sampled_from([" ", "T"]))
def test_times_as_python_writes_them_sort_by_time(offsets, gap):
    """Whole seconds have no decimals."""
    times = [datetime(2024, 2, 29, 23, 59, 58) + timedelta(microseconds=offset) for offset in offsets]
    frame = at(*(time.isoformat(gap) for time in times))
    assert count(frame) == steps(*sorted(range(len(times)), key=lambda place: times[place]))


@pytest.mark.parametrize(
    "times",
    [
        ("2024-02-29 10:00:00", "2024-02-29 09:00:00"),
        ("2024-02-29 10:00", "2024-02-29 09:00"),
        ("2024-03-01", "2024-02-29"),
        ("2024-02-29T10:00:00Z", "2024-02-29T09:00:00Z"),
        ("2024-02-29 10:00:00+01:00", "2024-02-29 09:00:00+01:00"),
        ("2024-02-29 10:00:00.5+01:00", "2024-02-29 10:00:00.4+01:00"),
        (1709164800, 1709164799.5),
        ("2024-02-29 10:00:00", "2024-02-29T09:00:00"),
        ("2024-02-29 10:00:00+01:00", "2024-02-29 10:00:00+02:00"),
    ],
)
def test_times_sort_by_time(times):
    assert count(at(*times)) == steps(1, 0)


@pytest.mark.parametrize(
    "times", [("29.02.2024 10:00", "29.02.2024 11:00"), ("2024-2-9", "2024-2-8"), ("noon", "evening"), ("",)]
)
def test_times_that_are_not_iso_8601_are_rejected(times):
    with pytest.raises(LogError, match="reliably"):
        count(at(*times))


def test_one_time_with_more_or_fewer_zeros_is_a_tie():
    with pytest.raises(LogError, match="two events have the same 'at'"):
        count(at("2024-02-29 10:00:00.5", "2024-02-29 10:00:00.50"))


@pytest.mark.parametrize(("declared", "times"), [("INTEGER", (1, "x")), ("TIMESTAMP", (1, "2024-02-29")), ("REAL", (b"x",))])
def test_values_of_other_types_order_nothing(declared, times):
    with pytest.raises(LogError, match="reliably"):
        count(at(*times, declared=declared))


def test_texts_that_are_no_utf_8_are_refused():
    frame = at("2024-02-29")
    frame.get_backend().con.execute("UPDATE events SET activity = CAST(x'ff61' AS TEXT)")
    with pytest.raises(LogError, match="decode") as caught:
        count(frame)
    assert caught.value.__cause__ is not None


def test_whole_numbers_and_texts_are_one_label_as_in_a_file():
    mixed = table([(1, "a", 1), ("1", "b", 2), ("x", "a", 3)], declared="INTEGER", labels="INTEGER")
    assert count(mixed) == count_windows(EventLog.from_traces([["a", "b"], ["a"]]), 3)


def test_labels_that_a_table_compares_without_regard_to_case_are_different():
    rows = [("x", "Pay", 1), ("x", "pay", 2), ("x", "b", 3), ("X", "Pay", 4), ("X", "c", 5)]
    counts = count(table(rows, "INTEGER", "TEXT COLLATE NOCASE"))
    assert (counts.activities, counts.n_cases) == (["Pay", "b", "c", "pay"], 2)
