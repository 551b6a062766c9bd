"""Timestamps are read strictly, in ISO 8601 or in the layouts that are named."""

from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import LogError, read_log
from actalike.io.timestamps import NO_TIME, check_layouts, layout_advice, likely_layouts, parse_series

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
zones = st.none() | st.integers(-14 * 60, 14 * 60).map(lambda m: timezone(timedelta(minutes=m)))
moments = st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1), timezones=zones)


def micros(moment):
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - EPOCH


@given(st.lists(st.tuples(moments, st.sampled_from(["auto", "seconds", "milliseconds", "minutes"]), st.sampled_from("T "))))
def test_iso_timestamps_are_read_as_python_reads_them(items):
    texts = [moment.isoformat(sep=sep, timespec=spec) for moment, spec, sep in items]
    expected = [micros(datetime.fromisoformat(text)) // timedelta(microseconds=1) for text in texts]
    values, wrong, _ = parse_series(pl.Series(texts, dtype=pl.String))
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
        ("2024-02-29T10:20:30.123456789987Z", "2024-02-29T10:20:30.123456+00:00"),
    ],
)
def test_usual_variants_are_read(text, same):
    values, wrong, _ = parse_series(pl.Series([text]))
    assert wrong is None
    assert values[0] == micros(datetime.fromisoformat(same)) // timedelta(microseconds=1)


@pytest.mark.parametrize(
    "text",
    ["", "soon", "2024-13-01", "2024-00-01", "2023-02-29", "2024-01-32", "2024-01-01T24:00", "2024-01-01T10:60", "2024-01-01T10:20:61", "0000-01-01",
     "2024-01/01", "2024-1-1", "24-01-01", "2024-01-01T", "2024-01-01T10", "2024-01-01 10:20 pm", "2024-01-01T10:20:30+25:00", "２０２４-01-01", "1704067200"],
)  # fmt: skip
def test_what_is_no_timestamp_is_found(text):
    _, wrong, _ = parse_series(pl.Series(["2024-01-01", None, text, "2024-01-01T10:20:30Z"]))
    assert wrong == 2


def test_missing_timestamps_stay_missing():
    values, wrong, _ = parse_series(pl.Series([None, "1970-01-01", None], dtype=pl.String))
    assert wrong is None
    assert values.tolist() == [NO_TIME, 0, NO_TIME]
    assert np.isnat(values.view("datetime64[us]")).tolist() == [True, False, True]


def test_a_given_layout_is_used():
    values, wrong, _ = parse_series(pl.Series(["29.02.2024 10:20", None]), ["%d.%m.%Y %H:%M"])
    assert wrong is None
    assert values.view("datetime64[us]").tolist() == [datetime(2024, 2, 29, 10, 20), None]
    values, wrong, _ = parse_series(pl.Series(["29.02.2024 10:20 +0200"]), ["%d.%m.%Y %H:%M %z"])
    assert values.view("datetime64[us]").tolist() == [datetime(2024, 2, 29, 8, 20)]
    _, wrong, _ = parse_series(pl.Series(["29.02.2024 10:20", "2024-02-29"]), ["%d.%m.%Y %H:%M"])
    assert wrong == 1


def test_numbers_since_1970_are_seconds_or_milliseconds():
    texts = pl.Series(["1704182400", "1704182400.", "1704182400.25", "1.0000019", None, "-5", "1e9", "", "9" * 20])
    times, wrong, _ = parse_series(texts, ["%s"])
    assert times.tolist() == [1704182400000000, 1704182400000000, 1704182400250000, 1000001, *[NO_TIME] * 5]
    assert wrong == 5
    assert parse_series(pl.Series(["1704182400123", "1.5", "0"]), ["%Q"])[0].tolist() == [1704182400123000, 1500, 0]


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
    values, wrong, _ = parse_series(column) if layout is None else parse_series(column, check_layouts(layout))
    assert wrong == (expected.index(None) if None in expected else None)
    for value, time in zip(values.tolist(), expected, strict=True):
        assert value == time or (time is None and value != NO_TIME)


@pytest.mark.parametrize("text", ["+10000-01-01 00:00", "0000-01-01 00:00", "-0001-01-01 00:00"])
def test_a_year_outside_the_calendar_is_invalid_in_a_layout_too(text):
    assert parse_series(pl.Series(["2024-01-01 00:00", text]), ["%Y-%m-%d %H:%M"])[1] == 1


@given(st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)), st.integers(0, 999), st.sampled_from(["", "+02:00"]))
def test_nanoseconds_are_read_in_any_year_with_and_without_a_layout(moment, nanos, zone):
    text = f"{moment.isoformat(timespec='microseconds')}{nanos:03}{zone}"
    layout = check_layouts("%Y-%m-%dT%H:%M:%S.%f%:z" if zone else "%Y-%m-%dT%H:%M:%S.%f")
    for values, wrong, beyond in (parse_series(pl.Series([text])), parse_series(pl.Series([text]), layout)):
        assert wrong is None
        assert values[0] == naive(text[:26] + text[29:]) if zone else micros(moment) // timedelta(microseconds=1)
        assert beyond[0] == nanos


@pytest.mark.parametrize(
    ("layout", "text"),
    [
        (None, "2016-12-31T23:59:60Z"), ("%Y-%m-%dT%H:%M:%S%z", "2016-12-31T23:59:60+0100"), ("%F %T", "1960-06-30 10:20:60"),
        ("%d.%m.%y %I:%M:%S %p", "1.7.60 11:59:60 PM"), ("%Y-%m-%d %H:%M:%S.%f", "2016-12-31 23:59:60.60"),
    ],
)  # fmt: skip
def test_a_leap_second_is_no_timestamp_with_and_without_a_layout(layout, text):
    column = pl.Series([text.replace(":60", ":59"), text.replace(":60", ":00"), None, text])
    with pytest.raises(LogError, match="row 4"):
        read_log(pl.DataFrame({"case": 1, "activity": "a", "time": column}), timestamp_format=layout, order="file")


@pytest.mark.parametrize(
    ("text", "layouts"),
    [
        ("31.12.2024 13:45", ["%d.%m.%Y %H:%M"]),
        ("31.12.2024 13:45:01,5", []),
        ("1.2.2024", ["%d.%m.%Y"]),
        ("01/02/2024 1:30 PM", ["%d/%m/%Y %I:%M %p", "%m/%d/%Y %I:%M %p"]),
        ("02/13/2024", ["%m/%d/%Y"]),
        ("31-Dec-2024 10:00:00.123", ["%d-%b-%Y %H:%M:%S.%f"]),
        ("20241231", ["%Y%m%d"]),
        ("1704067200", ["%s"]),
        ("2024-02-30", []),
        ("soon", []),
        ("", []),
    ],
)
def test_layouts_are_those_that_fit(text, layouts):
    assert likely_layouts(text) == layouts


def test_advice_names_what_is_likely():
    assert "--timestamp-format '%m/%d/%Y'" in layout_advice("02/13/2024", pl.Series(["02/13/2024"]))
    assert "several ways" in layout_advice("02/03/2024", pl.Series(["02/03/2024"]))
    assert "'%d.%m.%Y %H:%M', '%s' for seconds" in layout_advice("soon", pl.Series(["soon"]))
