from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import pytest

from actalike import ActalikeError, Attribute, EventLog, LogError
from actalike.log import Reading
from actalike.two_logs.log_drift import divide_at, divide_by, two_sides


def dated(days, lengths, texts=None):
    """A log of a's, with the day of January of each event (None: no timestamp), and an attribute."""
    moments = np.array(["NaT" if day is None else f"2024-01-{day:02}" for day in days], dtype="datetime64[us]")
    offsets = np.append(0, np.cumsum(lengths))
    attributes = {} if texts is None else {"office": Attribute.from_texts(texts)}
    ids = [str(i) for i in range(len(lengths))]
    return EventLog(["a"], [0] * len(days), offsets, ids, moments, attributes=attributes)


@pytest.mark.parametrize(
    ("sources", "shown"),
    [
        (("x/one.csv", "y/two.csv"), ("one.csv", "two.csv")),
        (("x/log.csv", "y/log.csv"), ("x/log.csv", "y/log.csv")),
        (("the frame", "x/log.csv"), ("the frame", "log.csv")),
        (("the frame", "the frame"), None),
        ((None, "x/log.csv"), None),
    ],
)
def test_two_logs_are_told_apart_by_their_files(sources, shown):
    logs = [
        EventLog(["a"], [0], [0, 1], ["1"], reading=None if source is None else Reading(source, "case", "activity"))
        for source in sources
    ]
    assert two_sides(*logs).sources == shown


def test_a_case_begins_with_its_earliest_timestamp_and_cases_without_any_are_left_out():
    log = dated([9, 2, 5, 6, None, None, 5], [2, 2, 1, 2])
    sides = divide_at(log, "2024-01-05")
    assert (sides.before.case_ids, sides.after.case_ids, sides.left_out) == (["0"], ["1", "3"], 1)
    assert sides.names == ("before 2024-01-05 UTC", "from 2024-01-05 UTC on")
    assert sides.before.timestamps.tolist() == [datetime(2024, 1, 9), datetime(2024, 1, 2)]


@pytest.mark.parametrize(
    "at",
    [
        "2024-01-05",
        " 2024-01-05T00:00 ",
        "2024-01-05T02:00+02:00",
        date(2024, 1, 5),
        datetime(2024, 1, 5),
        datetime(2024, 1, 5, tzinfo=UTC),
        datetime(2024, 1, 5, 1, tzinfo=timezone(timedelta(hours=1))),
        np.datetime64("2024-01-05"),
    ],
)
def test_a_date_can_be_given_in_any_usual_way(at):
    sides = divide_at(dated([4, 5], [1, 1]), at)
    assert (sides.before.case_ids, sides.names[0]) == (["0"], "before 2024-01-05 UTC")


@pytest.mark.parametrize("at", ["5.1.2024", "", "2024-13-01", 20240105, 1.5, ["2024-01-05"], np.datetime64("NaT", "us")])
def test_what_is_no_date_is_an_error(at):
    with pytest.raises(ActalikeError, match="2018-01-31"):
        divide_at(dated([4, 5], [1, 1]), at)


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+14:00", datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-12)))])
def test_a_date_that_utc_cannot_say_is_an_error(at):
    with pytest.raises(ActalikeError, match="years"):
        divide_at(dated([4, 5], [1, 1]), at)


@pytest.mark.parametrize(("at", "where"), [("2024-01-04", "at or after 2024-01-04"), ("2024-02-01", "before 2024-02-01")])
def test_a_date_that_divides_nothing_is_an_error_that_says_when_cases_begin(at, where):
    with pytest.raises(LogError, match=where):
        divide_at(dated([4, 5], [1, 1]), at)


@pytest.mark.parametrize("log", [EventLog.from_traces([["a"], ["b"]]), dated([None, None], [1, 1])])
def test_a_log_without_timestamps_cannot_be_divided_at_a_date(log):
    with pytest.raises(LogError, match="no timestamps"):
        divide_at(log, "2024-01-01")


def test_the_value_of_a_case_is_that_of_its_events_and_cases_without_any_are_left_out():
    sides = divide_by(dated([1, 1, 1, 1], [2, 1, 1], ["south", None, "north", None]), "office")
    assert (sides.before.case_ids, sides.after.case_ids, sides.left_out) == (["1"], ["0"], 1)
    assert (sides.names, sides.by) == (("north", "south"), "office")
    assert sides.after.attributes["office"].texts() == ["south", None]


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["A", "B", "B", "C"], "values"),
        (["A", "A", "A", "A"], "value"),
        (["A", "B", "A", "A"], "office"),
    ],
)
def test_an_attribute_that_does_not_divide_the_cases_in_two_is_an_error(texts, words):
    with pytest.raises(LogError, match=words):
        divide_by(dated([1, 1, 1, 1], [2, 1, 1], texts), "office")


def test_a_misspelt_attribute_is_an_error_with_a_suggestion():
    with pytest.raises(LogError, match="mean 'office'"):
        divide_by(dated([1, 1], [1, 1], ["A", "B"]), "ofice")
