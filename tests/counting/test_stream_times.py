"""Streams of events with timestamps: events that come late, and cases that are idle."""

from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, LogError, OddStream, StreamCounter, load
from tests.helpers.event_streams import counted, cut, in_time, state
from tests.helpers.examples import examples
from tests.helpers.strategies import windows

events_with_times = st.lists(st.tuples(st.integers(0, 30), st.sampled_from("xyz"), st.sampled_from("abc")), max_size=25)
spans = st.integers(0, 12)


def add(counter, events):
    counter.add([case for _, case, _ in events], [activity for *_, activity in events], [time for time, *_ in events])


@examples(150)
@given(events_with_times, windows, spans, st.none() | spans, st.data())
def test_events_that_come_late_are_counted_in_the_order_of_time_and_idle_cases_are_closed(
    tmp_path_factory, events, window, lateness, idle, data
):
    path = tmp_path_factory.mktemp("streams") / "stream.actalike"
    counter, seen = StreamCounter(window, lateness=lateness, idle=idle, late="skip"), []
    for batch in data.draw(cut(events)):
        add(counter, batch)
        seen += batch
        if data.draw(st.booleans()):
            counter.save(path)
            counter = load(path)
        closed, opened, last, late = in_time(seen, lateness, idle)
        assert (counter.n_events, counter.n_late, counter.open_cases) == (len(seen), late, len(opened))
        listed = {case: (n, time.astype("int64") / 1e9) for case, n, _, time in counter.list_open_cases()}
        assert listed == {case: (len(activities), last[case]) for case, activities in opened.items()}
        if seen:
            assert counter.counts() == counted([*closed, *opened.values()], window)


@examples(60)
@given(events_with_times, spans, st.none() | spans, st.data())
def test_the_saved_bytes_do_not_depend_on_the_batches(tmp_path_factory, events, lateness, idle, data):
    path = tmp_path_factory.mktemp("streams") / "stream.actalike"
    saved = set()
    for batches in (data.draw(cut(events)), [events]):
        counter = StreamCounter(3, lateness=lateness, idle=idle, late="skip")
        for batch in batches:
            add(counter, batch)
        saved.add(state(counter, path))
        assert state(load(path), path) in saved
    assert len(saved) == 1


def test_a_late_event_is_an_error_that_names_it_and_nothing_is_added(tmp_path):
    counter = StreamCounter(3, lateness=timedelta(seconds=10))
    counter.add(["x", "y"], ["a", "b"], [100, 95])
    before = state(counter, tmp_path / "stream.actalike")
    with pytest.raises(LogError, match="1 of 2 events are late"):
        counter.add(["new", "late"], ["c", "d"], [200, 189])
    assert state(counter, tmp_path / "stream.actalike") == before
    counter.add(["new", "late"], ["c", "d"], [200, 190])
    assert counter.n_late == 0


def test_late_events_that_are_left_out_are_counted_and_announced():
    counter = StreamCounter(3, lateness=10, late="skip")
    counter.add(["x", "x", "x"], ["a", "b", "c"], [100, 80, 100])
    assert (counter.n_events, counter.n_late) == (3, 1)
    assert "1 late" in repr(counter)
    assert counter.counts() == counted([["a", "c"]], 3)


def test_a_case_whose_events_are_held_back_can_be_closed():
    counter = StreamCounter(3, lateness=10)
    counter.add(["x", "x", "y"], ["b", "a", "c"], [3, 1, 4])
    counter.close("x")
    assert counter.open_cases == 1
    counter.add(["x"], ["d"], [5])
    assert counter.counts() == counted([["a", "b"], ["c"], ["d"]], 3)
    with pytest.raises(LogError, match="open"):
        counter.close("z")


MOMENT = datetime(2024, 2, 29, 12, tzinfo=UTC)
TIMES = [MOMENT + timedelta(seconds=2), MOMENT, MOMENT + timedelta(seconds=1)]


@pytest.mark.parametrize(
    "timestamps",
    [
        TIMES,
        [time.replace(tzinfo=None) for time in TIMES],
        [time.astimezone(timezone(timedelta(hours=5))) for time in TIMES],
        [time.isoformat() for time in TIMES],
        [time.isoformat().replace("+00:00", "Z") for time in TIMES],
        [time.timestamp() for time in TIMES],
        [int(time.timestamp()) for time in TIMES],
        np.array([time.replace(tzinfo=None) for time in TIMES], dtype="datetime64[s]"),
        list(np.array([time.replace(tzinfo=None) for time in TIMES], dtype="datetime64[us]")),
        pl.Series(TIMES),
        pl.Series(TIMES).dt.cast_time_unit("ns"),
        pd.Series(TIMES),
        pd.to_datetime(pd.Series(TIMES)).tolist(),
        pa.array(TIMES),
    ],
)
def test_timestamps_of_any_kind_are_taken(timestamps):
    counter = StreamCounter(3, lateness=5)
    counter.add(["x"] * 3, ["c", "a", "b"], timestamps)
    assert counter.counts() == counted([["a", "b", "c"]], 3)
    assert counter.list_open_cases() == [("x", 3, "c", np.datetime64("2024-02-29T12:00:02"))]


def test_times_a_nanosecond_apart_are_told_apart():
    counter = StreamCounter(3, lateness=5)
    counter.add(["x"] * 2, ["b", "a"], np.array([1, 0], dtype="datetime64[ns]"))
    assert counter.counts() == counted([["a", "b"]], 3)


@pytest.mark.parametrize(
    ("timestamps", "cause"),
    [
        (None, "third"),
        ([1], "every event"),
        ([1, None], "missing"),
        ([1, float("nan")], "missing"),
        ([1, float("inf")], "float"),
        (np.array(["2024-02-29", "NaT"], dtype="datetime64[us]"), "missing"),
        (pd.Series([MOMENT, None]), "missing"),
        (pl.Series([MOMENT, None]), "missing"),
        ([1, "yesterday"], "ISO"),
        ([1, True], "bool"),
        ([1, [2]], "list"),
        ([1, 1 << 40], "2262"),
        ([1, datetime(2300, 1, 1)], "2262"),
        (np.zeros((2, 1)), "dimensions"),
    ],
)
def test_wrong_timestamps_are_an_error_and_nothing_is_added(tmp_path, timestamps, cause):
    counter = StreamCounter(3, lateness=5)
    before = state(counter, tmp_path / "stream.actalike")
    with pytest.raises(LogError, match=cause):
        counter.add(["x", "y"], ["a", "b"], timestamps)
    assert state(counter, tmp_path / "stream.actalike") == before


def test_timestamps_without_a_use_for_them_are_an_error():
    counter = StreamCounter(3)
    with pytest.raises(LogError, match="lateness="):
        counter.add(["x"], ["a"], [1])
    assert counter.n_events == 0


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        ({"lateness": -1}, "lateness"),
        ({"lateness": "5"}, "lateness"),
        ({"idle": float("nan")}, "idle"),
        ({"idle": True}, "idle"),
        ({"late": "drop", "lateness": 1}, "late="),
        ({"late": "skip"}, "lateness="),
    ],
)
def test_wrong_options_are_an_error(options, cause):
    with pytest.raises(ActalikeError, match=cause):
        StreamCounter(3, **options)


def test_records_have_their_timestamps_under_a_key():
    counter = StreamCounter(3, lateness=60)
    counter.add_records([{"case": 1, "activity": "b", "timestamp": "2024-02-29T12:00:05Z"}])
    counter.add_records([{"case": 1, "activity": "a", "at": "2024-02-29T12:00:00Z"}], timestamp="at")
    assert counter.counts() == counted([["a", "b"]], 3)
    with pytest.raises(LogError, match="timestamp"):
        counter.add_records([{"case": 1, "activity": "a"}])


def test_odd_events_are_scored_as_they_arrive_so_not_by_a_counter_that_holds_them_back():
    with pytest.raises(ActalikeError, match="lateness"):
        OddStream(StreamCounter(3, lateness=5))
