"""Which columns that were not read look like time or like transitions."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import read_log
from actalike.io.unused_columns import looks_like_time, paired_share, transition_columns


@pytest.mark.parametrize(
    "value",
    [
        "2024-02-29T12:00:00+01:00", "2024-02-29", "2024/02/29 12:00", "31.12.2024 13:45", "1.2.24", "12/31/2024 1:45 PM",
        "01-Feb-2024 10:00:00", "31 Dec 2024", "Dec 31, 2024 13:45", "31.12.2024, 13:45:07", "2024-02-29 12:00:00.123456 +0100",
    ],
)  # fmt: skip
def test_dates_of_many_kinds_look_like_time(value):
    assert looks_like_time(pl.Series("x", [value, None, value]))


@pytest.mark.parametrize(
    "value", ["", "1.2", "12:45", "10.1.1.1.1", "A-12-2024", "2024", "1709164800", "Check 12/2024", "1.000,50"]
)
def test_numbers_and_texts_do_not(value):
    assert not looks_like_time(pl.Series("x", [value, "2024-02-29"]))


def test_seconds_since_1970_look_like_time_under_a_telling_name():
    assert looks_like_time(pl.Series("event_time", ["1709164800", "1709164801"]))
    assert looks_like_time(pl.Series("Zeitstempel", [1709164800000]))
    assert not looks_like_time(pl.Series("order number", [1709164800]))


def test_columns_of_other_types():
    assert looks_like_time(pl.Series("x", [0], dtype=pl.Datetime("ms")))
    assert looks_like_time(pl.Series("x", [0], dtype=pl.Date))
    assert not looks_like_time(pl.Series("x", [None, None]))
    assert not looks_like_time(pl.Series("time", [1.5]))
    assert transition_columns(pl.DataFrame({"n": [1, 2], "b": [True, False]})) == []


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.sampled_from(["start", "COMPLETE", "schedule", None]))))
def test_the_share_of_paired_events_is_that_of_the_definition(events):
    starts = [event[:2] for event in events if event[2] == "start"]
    completes = [event[:2] for event in events if event[2] == "COMPLETE"]
    pairs = sum(min(starts.count(step), completes.count(step)) for step in set(starts))
    if events:
        cases, codes, transitions = zip(*events, strict=True)
        share = paired_share(np.array(cases), np.array(codes, dtype=np.int32), pl.Series(transitions, dtype=pl.String))
        assert share == 2 * pairs / len(events)


def test_what_is_not_read_cannot_stop_the_reading():
    """A column that is not needed may hold anything: it is only looked at."""
    frame = pl.DataFrame({"case": ["1"], "activity": ["a"], "extra": [[1, 2]], "odd": [b"x"], "when": ["2024-01-01"]})
    assert read_log(frame).reading.unused_times == ("when",)
    assert read_log(frame.to_pandas()).reading.unused_times == ("when",)
