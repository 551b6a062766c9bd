"""The event logs of pm4py are read as an XES file with the same content is."""

from datetime import UTC, datetime, timedelta, timezone

import pandas as pd
import pytest
from hypothesis import given
from pm4py.objects.log.importer.xes import importer
from pm4py.objects.log.obj import Event, EventLog, Trace

from actalike import LogError, count_windows, embed, group, read_log, same_step
from tests.helpers.examples import examples
from tests.helpers.strategies import traces


def log_of(*cases, **names):
    return EventLog([Trace([Event(event) for event in case], attributes=names) for case in cases])


@pytest.mark.parametrize("name", ["BPIC13_open_problems"])
def test_a_real_log_is_read_as_its_file(name, log_file):
    path = log_file(name)
    log = importer.apply(str(path), parameters={"show_progress_bar": False})
    for options in ({"attributes": "people"}, {"lifecycle": "append"}, {"order": "time"}):
        assert read_log(log, **options) == read_log(path, **options)
    reading, of_file = read_log(log).reading, read_log(path).reading
    assert (reading.paired, reading.transition, reading.timestamp) == (of_file.paired, of_file.transition, of_file.timestamp)
    assert group(log) == group(read_log(path, attributes="people"))
    assert embed(log)["Accepted"].tolist() == embed(read_log(path))["Accepted"].tolist()
    assert same_step(log).activities == read_log(path).activities
    assert count_windows(log, 3) == count_windows(read_log(path), 3)


@examples(15)
@given(traces())
def test_the_traces_are_those_of_the_object(cases):
    log = log_of(*[[{"concept:name": label} for label in case] for case in cases])
    read = read_log(log)
    assert read.traces() == cases
    assert read.case_ids == [str(number) for number in range(1, len(cases) + 1)]  # no trace has a name
    assert read.timestamps is None


def test_times_below_a_microsecond_order_the_events():
    times = [pd.Timestamp(2000), "1970-01-01T00:00:00.000001999", pd.Timestamp(1000, tz="Asia/Tokyo")]
    log = log_of([{"concept:name": label, "time:timestamp": time} for label, time in zip("cba", times, strict=True)])
    assert read_log(log, order="time").traces() == [["a", "b", "c"]]


def test_attributes_of_any_kind_become_texts():
    event = {
        "concept:name": {"value": 7, "children": {}},
        "x": True,
        "org:resource": "Sue",
        "at": datetime(2024, 2, 29, tzinfo=UTC),
    }
    log = read_log(log_of([event, {"concept:name": "b"}], **{"concept:name": "A 1"}), attributes=["x", "at"])
    assert log.traces() == [["7", "b"]]
    assert log.case_ids == ["A 1"]
    assert log.attributes["x"].texts() == ["true", None]
    assert log.attributes["at"].texts() == ["2024-02-29T00:00:00.000000+00:00", None]


def test_attributes_of_traces_are_those_of_their_events():
    log = log_of([{"concept:name": "a"}, {"concept:name": "b"}], **{"concept:name": "A 1", "region": "north", "user": "Sue"})
    assert read_log(log, attributes=["case:region"]).attributes["case:region"].texts() == ["north", "north"]
    assert read_log(log, attributes="people").attributes == {}
    with pytest.raises(LogError, match="case:concept:name"):
        read_log(log, attributes=["case:concept:name"])


def test_times_with_or_without_a_zone_or_as_texts():
    moments = [datetime(2024, 2, 29, 12), "2024-02-29T13:00:00+01:00", datetime(2024, 2, 29, 12, tzinfo=UTC), None]
    log = read_log(log_of([{"concept:name": "a", "time:timestamp": moment} for moment in moments]))
    assert [str(moment) for moment in log.timestamps] == ["2024-02-29T12:00:00.000000"] * 3 + ["NaT"]
    assert read_log(log_of([{"concept:name": "a", "time:timestamp": "x"}]), timestamp="").timestamps is None


LATE = datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-11)))  # in UTC, the year is 10000


def test_a_time_as_an_attribute_is_within_the_years_1_to_9999():
    with pytest.raises(LogError, match="due"):
        read_log(log_of([{"concept:name": "a", "due": LATE}]), attributes=["due"])


@pytest.mark.parametrize(
    ("cases", "message"),
    [
        ([[]], "traces"),
        ([[{"concept:name": "a"}, {"x": "b"}]], "concept:name"),
        ([[{"concept:name": 1.5}]], "which cannot be a label"),
        ([[{"concept:name": "a", "time:timestamp": 5}]], "timestamp"),
        ([[{"concept:name": "a", "time:timestamp": "x"}]], "timestamp"),
        (
            [[{"concept:name": "a", "time:timestamp": "0001-01-01T00:00:00+14:00"}]],
            "years",
        ),
        (
            [[{"concept:name": "a", "time:timestamp": LATE}]],
            "years",
        ),
    ],
)
def test_what_is_missing_or_unreadable_is_refused(cases, message):
    with pytest.raises(LogError, match=message):
        read_log(log_of(*cases))


def test_a_case_attribute_that_is_asked_for_must_be_there():
    with pytest.raises(LogError, match="number"):
        read_log(log_of([{"concept:name": "a"}]), case="case:number")
    assert read_log(log_of([{"concept:name": "a"}], number="7"), case="case:number").case_ids == ["7"]
