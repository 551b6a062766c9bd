"""A log as a frame, and back."""

import pytest
from hypothesis import given

from actalike import Attribute, EventLog, LogError, read_log
from actalike.demo.loan_desk import loan_desk
from tests.helpers.examples import examples
from tests.helpers.strategies import any_text, logs_with_attributes

KINDS = ["polars", "pandas", "pyarrow"]


@pytest.mark.parametrize("kind", KINDS)
@examples(15)
@given(log=logs_with_attributes(any_text))
def test_a_frame_is_read_as_the_same_log(kind, log):
    assert read_log(log.to_frame(kind), order="file", attributes=list(log.attributes)) == log


@pytest.mark.parametrize("kind", KINDS)
def test_a_log_that_was_read_from_a_frame_becomes_a_frame_of_that_kind(kind):
    frame = EventLog.from_traces([["a", "b"]]).to_frame(kind)
    assert type(read_log(frame).to_frame()) is type(frame)


@pytest.mark.parametrize("kind", KINDS)
def test_timestamps_come_back(kind):
    log = loan_desk(10)
    assert read_log(log.to_frame(kind), attributes="people") == log
    named = log.to_frame("polars", case="Fall", timestamp="Zeit")
    assert list(named.columns) == ["Fall", "activity", "Zeit", "org:group", "org:resource"]


@pytest.mark.parametrize("kind", KINDS)
def test_an_attribute_that_no_event_has_comes_back(kind):
    log = EventLog(["a"], [0, 0], [0, 2], ["1"], attributes={"user": Attribute.from_texts([None, None])})
    assert read_log(log.to_frame(kind), attributes=["user"]) == log


def test_what_rows_cannot_represent_is_refused():
    with pytest.raises(LogError, match="without"):
        EventLog.from_traces([["a"], []]).to_frame()
    log = EventLog(["a"], [0], [0, 1], ["1"], attributes={"activity": Attribute.from_texts(["x"])})
    with pytest.raises(LogError, match="activity"):
        log.to_frame()
    assert log.to_frame(activity="step").columns == ["case", "step", "activity"]
