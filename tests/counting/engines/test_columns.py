"""Which columns of a frame say what happened, in every engine."""

from datetime import date, datetime
from decimal import Decimal

import polars as pl
import pytest

from actalike import ActalikeError, EventLog, LogError, count_windows, read_log
from actalike.counting.engines.columns import EventColumns, check_nothing_missing, reject_ties
from tests.helpers.engine_frames import NAMES, events_of, make_frame


def test_columns_of_usual_names_are_recognised_and_others_named_in_the_error(engine):
    log = EventLog.from_traces([["a", "b", "a"], ["b"]])
    frame = make_frame(engine, events_of(log))
    assert count_windows(frame, 3) == count_windows(log, 3)
    with pytest.raises(LogError, match="Step"):
        count_windows(frame, 3, activity="Step")
    with pytest.raises(LogError, match="mean 'index'"):
        count_windows(frame, 3, order=["indx"])
    with pytest.raises(LogError, match="recognised"):
        count_windows(make_frame(engine, events_of(log).drop("time:timestamp")), 3)


def test_columns_may_have_odd_names(engine):
    log = EventLog.from_traces([["a", "b", "a"], ["b"]])
    names = {"case": "case.id", "activity": 'the `step` "x"', "order": ["select", "order0"]}
    events = events_of(log).rename({"case:concept:name": "case.id", "concept:name": 'the `step` "x"', "time:timestamp": "select"})
    events = events.rename({"index": "order0"})
    assert count_windows(make_frame(engine, events), 3, **names) == count_windows(log, 3)


@pytest.mark.parametrize(("value", "kind"), [(0.5, "Float64"), (datetime(2024, 2, 29), "Datetime")])
def test_what_is_no_label_is_refused(engine, value, kind):
    events = events_of(EventLog.from_traces([["a", "b"]])).with_columns(pl.lit(value).alias("concept:name"))
    with pytest.raises(LogError, match=kind):
        count_windows(make_frame(engine, events), 3, **NAMES)


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([True, False], ["false", "true"]),
        ([date(2024, 2, 29), date(1999, 1, 1)], ["1999-01-01", "2024-02-29"]),
        ([10, 9], ["10", "9"]),
        ([Decimal("1.50"), Decimal("-2.25")], ["-2.25", "1.50"]),
    ],
)
def test_labels_are_the_texts_that_a_frame_in_memory_has(engine, values, labels):
    if engine == "ibis-sqlite" and isinstance(values[0], bool | Decimal):
        pytest.skip("SQLite stores neither")
    if engine == "ibis-postgres" and isinstance(values[0], Decimal):
        pytest.skip("these tests make no such column of PostgreSQL")
    if engine == "pandas" and isinstance(values[0], date):
        pytest.skip("pandas has no dates")
    events = pl.DataFrame({"case": [1, 2], "activity": values, "at": [1, 2]})
    assert count_windows(make_frame(engine, events), 3, order="at").activities == labels
    assert read_log(events, order="file").activities == labels


def test_texts_order_nothing(engine):
    events = events_of(EventLog.from_traces([["a", "b"]])).with_columns(pl.col("index").cast(pl.String))
    with pytest.raises(LogError, match="index"):
        count_windows(make_frame(engine, events), 3, **{**NAMES, "order": ["index"]})


@pytest.mark.parametrize("names", [{"order": 5}, {"order": [None]}, {"case": 5}, {"activity": ["a"]}])
def test_names_of_columns_are_texts(names):
    frame = events_of(EventLog.from_traces([["a", "b"]]))
    with pytest.raises(ActalikeError, match="must be names of columns"):
        count_windows(frame, 3, **{**NAMES, **names})


def test_what_is_neither_a_log_nor_a_frame_is_refused():
    with pytest.raises(ActalikeError, match="frame"):
        count_windows([["a", "b"]], 3)


COLUMNS = EventColumns("orders", "order", "step", ("at", "index"))


def test_every_column_with_missing_values_is_named():
    check_nothing_missing(COLUMNS, [0, 0, 0, 0])
    with pytest.raises(LogError, match="order"):
        check_nothing_missing(COLUMNS, [2, 0, 0, 1000])


def test_a_column_with_two_roles_is_named_once():
    assert EventColumns("orders", "order", "step", ("order", "at")).names == ["order", "step", "at"]


def test_ties_are_refused_with_the_remedy_that_there_is():
    with pytest.raises(LogError, match=" and "):
        reject_ties(COLUMNS, 7, 3, has_rows=False)
    with pytest.raises(LogError, match="ties='row'"):
        reject_ties(COLUMNS, 7, 3, has_rows=True)
