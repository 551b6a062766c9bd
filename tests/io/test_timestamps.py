from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.io.timestamps import NO_TIME, check_layout, parse_series, parse_series_as

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
zones = st.none() | st.integers(-14 * 60, 14 * 60).map(lambda m: timezone(timedelta(minutes=m)))
moments = st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1), timezones=zones)


def micros(moment):
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - EPOCH


@given(st.lists(st.tuples(moments, st.sampled_from(["auto", "seconds", "milliseconds", "minutes"]), st.sampled_from("T "))))
def test_iso_timestamps_are_read_as_python_reads_them(items):
    texts = [moment.isoformat(sep=sep, timespec=spec) for moment, spec, sep in items]
    expected = [micros(datetime.fromisoformat(text)) // timedelta(microseconds=1) for text in texts]
    values, wrong = parse_series(pl.Series(texts, dtype=pl.String))
    assert wrong is None
    assert values.tolist() == expected


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2024-02-29", "2024-02-29T00:00:00+00:00"),
        ("2024/02/29 10:20:30.5", "2024-02-29T10:20:30.5+00:00"),
        ("2024-02-29T10:20:30,25Z", "2024-02-29T10:20:30.25+00:00"),
        ("2024-02-29T10:20:30z", "2024-02-29T10:20:30+00:00"),
        ("2024-02-29T10:20:30+0130", "2024-02-29T08:50:30+00:00"),
        ("2024-02-29T10:20:30-05", "2024-02-29T15:20:30+00:00"),
        ("2024-02-29 10:20:30 +00:00", "2024-02-29T10:20:30+00:00"),
        ("2024-02-29T10:20:30.123456789Z", "2024-02-29T10:20:30.123456+00:00"),
    ],
)
def test_usual_variants_are_read(text, same):
    values, wrong = parse_series(pl.Series([text]))
    assert wrong is None
    assert values[0] == micros(datetime.fromisoformat(same)) // timedelta(microseconds=1)


@pytest.mark.parametrize(
    "text",
    ["", "soon", "2024-13-01", "2024-00-01", "2023-02-29", "2024-01-32", "2024-01-01T24:00", "2024-01-01T10:60", "2024-01-01T10:20:61", "0000-01-01",
     "2024-01/01", "2024-1-1", "24-01-01", "2024-01-01T", "2024-01-01T10", "2024-01-01 10:20 pm", "2024-01-01T10:20:30+25:00", "２０２４-01-01", "1704067200"],
)  # fmt: skip
def test_what_is_no_timestamp_is_found(text):
    _, wrong = parse_series(pl.Series(["2024-01-01", None, text, "2024-01-01T10:20:30Z"]))
    assert wrong == 2


def test_missing_timestamps_stay_missing():
    values, wrong = parse_series(pl.Series([None, "1970-01-01", None], dtype=pl.String))
    assert wrong is None
    assert values.tolist() == [NO_TIME, 0, NO_TIME]
    assert np.isnat(values.view("datetime64[us]")).tolist() == [True, False, True]


def test_a_given_layout_is_used():
    values, wrong = parse_series_as(pl.Series(["29.02.2024 10:20", None]), "%d.%m.%Y %H:%M")
    assert wrong is None
    assert values.view("datetime64[us]").tolist() == [datetime(2024, 2, 29, 10, 20), None]
    values, wrong = parse_series_as(pl.Series(["29.02.2024 10:20 +0200"]), "%d.%m.%Y %H:%M %z")
    assert values.view("datetime64[us]").tolist() == [datetime(2024, 2, 29, 8, 20)]
    _, wrong = parse_series_as(pl.Series(["29.02.2024 10:20", "2024-02-29"]), "%d.%m.%Y %H:%M")
    assert wrong == 1


def test_numbers_since_1970_are_seconds_or_milliseconds():
    texts = pl.Series(["1704182400", "1704182400.", "1704182400.25", "1.0000019", None, "-5", "1e9", "", "9" * 20])
    times, wrong = parse_series_as(texts, "%s")
    assert times.tolist() == [1704182400000000, 1704182400000000, 1704182400250000, 1000001, *[NO_TIME] * 5]
    assert wrong == 5
    assert parse_series_as(pl.Series(["1704182400123", "1.5", "0"]), "%Q")[0].tolist() == [1704182400123000, 1500, 0]


def naive(text):
    """The time in UTC as Python has it: there is none outside the years 1 to 9999."""
    try:
        return micros(datetime.fromisoformat(text).astimezone(UTC)) // timedelta(microseconds=1)
    except OverflowError:
        return None


edges = st.datetimes(datetime(1, 1, 1), datetime(1, 1, 2)) | st.datetimes(datetime(9999, 12, 31), datetime.max)
offsets = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(
    st.lists(
        st.builds(lambda moment, zone: moment.replace(tzinfo=zone).isoformat(timespec="microseconds"), edges, offsets), min_size=1
    )
)
@pytest.mark.parametrize("layout", [None, "%Y-%m-%dT%H:%M:%S.%f%z"])
def test_a_zone_that_leaves_the_years_1_to_9999_makes_a_timestamp_invalid(layout, texts):
    column, expected = pl.Series(texts), [naive(text) for text in texts]
    values, wrong = parse_series(column) if layout is None else parse_series_as(column, check_layout(layout))
    assert wrong == (expected.index(None) if None in expected else None)
    for value, time in zip(values.tolist(), expected, strict=True):
        assert value == time or (time is None and value != NO_TIME)


@pytest.mark.parametrize("text", ["+10000-01-01 00:00", "0000-01-01 00:00", "-0001-01-01 00:00"])
def test_a_year_outside_the_calendar_is_invalid_in_a_layout_too(text):
    assert parse_series_as(pl.Series(["2024-01-01 00:00", text]), "%Y-%m-%d %H:%M")[1] == 1
