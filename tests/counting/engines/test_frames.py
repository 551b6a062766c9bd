"""Frames in memory, sorted and counted."""

from datetime import datetime

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, LogError, count_windows
from actalike.counting.engines import frames
from tests.helpers.engine_frames import NAMES, events_of, few_examples, make_frame
from tests.helpers.strategies import logs, windows


def test_times_a_nanosecond_apart_are_no_ties(in_memory):
    log = EventLog.from_traces([["a", "b", "c"]])
    events = events_of(log).with_columns(pl.col("index").cast(pl.Datetime("ns")).alias("time:timestamp"))
    assert count_windows(make_frame(in_memory, events), 3, **NAMES) == count_windows(log, 3)


def test_rows_settle_ties_where_there_are_rows(in_memory):
    @few_examples(in_memory)
    @given(logs(), windows)
    def check(log, window):
        events = events_of(log, None).with_columns(pl.lit(1).alias("time:timestamp"))
        frame = make_frame(in_memory, events)
        assert count_windows(frame, window, **NAMES, ties="row") == count_windows(log, window)
        assert count_windows(frame, window, **{**NAMES, "order": []}, ties="row") == count_windows(log, window)

    check()


def test_wide_numbers_order_and_odd_cases_are_refused():
    log = EventLog.from_traces([["a", "b", "c"], ["b"]])
    events = events_of(log).with_columns(pl.col("index").cast(pl.Int128) * 10**30)
    assert count_windows(events, 3, **{**NAMES, "order": ["index"]}) == count_windows(log, 3)
    timed = events.with_columns(pl.lit(datetime(2024, 2, 29)).dt.time().alias("case:concept:name"))
    with pytest.raises(LogError, match="Time"):
        count_windows(timed, 3, **NAMES)


def test_a_lazy_frame_of_a_damaged_file_is_refused(tmp_path, capfd):
    path = tmp_path / "log.parquet"
    events_of(EventLog.from_traces([["a", "b"]])).write_parquet(path)
    whole = path.read_bytes()
    lazy = pl.scan_parquet(path)
    lazy.collect_schema()
    path.write_bytes(whole[:4] + bytes(40) + whole[44:])  # the first page
    with pytest.raises(LogError, match="computed"):
        count_windows(lazy, 3, **NAMES)
    assert capfd.readouterr().err == ""


@given(st.lists(st.sampled_from(["", "a", "b", "ä", "a long case id"]), min_size=1))
def test_equal_texts_are_found_even_when_hashes_collide(texts):
    first = frames._first_equal_rows(pl.Series(texts))
    assert first.tolist() == [texts.index(text) for text in texts]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pl.Series, "hash", lambda series: pl.zeros(len(series), pl.UInt64, eager=True))
        numbers = frames._first_equal_rows(pl.Series(texts)).tolist()
    assert [numbers[i] for i in first] == numbers
    assert len(set(numbers)) == len(set(texts))


@given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-5, 5) | st.integers(-(2**42), 2**42).map(lambda n: n * 10**6)))
def test_numbers_of_any_size_are_sorted(numbers):
    numbers = [*numbers, 0]
    order = frames._sorted_by(np.array(numbers), stable=True)
    assert order.tolist() == sorted(range(len(numbers)), key=lambda i: (numbers[i], i))


TIMES = st.integers(0, 3) | st.integers(-(2**40), 2**40).map(lambda n: n * 10**6) | st.integers(-(2**63), 2**63 - 1)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5), TIMES), min_size=1))
def test_events_sorted_as_whole_numbers_are_those_sorted_by_rows(events):
    cases, codes, times = (np.array(column) for column in zip(*events, strict=True))
    order = [nw.from_native(pl.Series(times, dtype=pl.Int64), series_only=True)]
    quickly = frames.sort_events(pl.Series(cases), codes, order, "error")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frames, "_sort_whole", lambda *given: None)
        by_rows = frames.sort_events(pl.Series(cases), codes, order, "error")
    by_case = sorted(range(len(events)), key=lambda i: (events[i][0], events[i][2]))
    places = [(events[i][0], events[i][2]) for i in by_case]
    assert len(by_rows.tied) == len(quickly.tied) == len(places) - len(set(places))
    if not len(by_rows.tied):
        assert quickly.codes.tolist() == by_rows.codes.tolist() == [events[i][1] for i in by_case]
        assert quickly.offsets.tolist() == by_rows.offsets.tolist()


def test_few_bits_are_sorted_as_whole_numbers_and_many_are_not():
    numbers, codes = np.array([0, 1]), np.array([1, 0])
    assert frames._sort_whole(numbers, codes, [np.array([0, 2**50 + 1])]) is not None
    assert frames._sort_whole(numbers, codes, [np.array([0, 2**62 + 1])]) is None
    assert frames._sort_whole(numbers, codes, [np.array([0.5, 1.5])]) is None


@pytest.mark.parametrize("ties", ["error", "row"])
def test_times_that_are_further_apart_than_63_bits_are_sorted(ties):
    """In whole millions they would fit, but not before they are divided."""
    events = pl.DataFrame({"c": [1] * 3, "a": ["high", "low", "middle"], "t": [9 * 10**18, -9 * 10**18, 0]})
    counted = count_windows(events, 3, case="c", activity="a", order="t", ties=ties)
    assert counted == count_windows(EventLog.from_traces([["low", "middle", "high"]]), 3)
