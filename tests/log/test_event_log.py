import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from actalike import Attribute, EventLog, LogError
from tests.helpers.strategies import traces


@given(traces())
def test_traces_come_back_as_they_were_given(given_traces):
    log = EventLog.from_traces(given_traces)
    assert log.traces() == given_traces
    assert log.n_cases == len(given_traces)
    assert log.n_events == sum(map(len, given_traces))
    assert log.activities == sorted({label for trace in given_traces for label in trace})


@given(traces())
def test_variants_are_the_distinct_traces_with_their_numbers_of_cases(given_traces):
    log = EventLog.from_traces(given_traces)
    codes, offsets, weights = log.variants
    found = [tuple(log.activities[c] for c in codes[s:e]) for s, e in itertools.pairwise(offsets)]
    counted = Counter(map(tuple, given_traces))
    assert found == list(counted)  # in the order of their first case
    assert weights.tolist() == list(counted.values())


def test_statistics_of_an_inventoried_log(real_log):
    assert real_log("Helpdesk").statistics() == pytest.approx(
        {
            "cases": 4580, "events": 21348, "activities": 14, "variants": 226, "variants_per_case": 226 / 4580,
            "min_length": 2, "mean_length": 21348 / 4580, "max_length": 15,
        }
    )  # fmt: skip


@pytest.mark.parametrize("nothing", [[], [[]], [[], []]])
def test_an_empty_log_is_an_error(nothing):
    with pytest.raises(LogError, match="empty"):
        EventLog.from_traces(nothing)


def test_a_text_is_not_a_trace():
    with pytest.raises(LogError, match="list of labels"):
        EventLog.from_traces(["abc"])
    with pytest.raises(LogError, match="Case 1 has a label that is not a text: 3"):
        EventLog.from_traces([["a", 3]])


def test_relabelling_merges_activities_of_the_same_name():
    log = EventLog.from_traces([["b1", "a", "b2"]]).relabel(lambda label: label[0])
    assert log.traces() == [["b", "a", "b"]]
    assert log.activities == ["a", "b"]


@pytest.mark.parametrize(
    ("codes", "offsets", "ids", "times"),
    [
        ([0, 1, 1], [0, 1], ["1"], None),
        ([0], [0, 1], [], None),
        ([0], [1, 1], ["1"], None),
        ([0, 1], [0, 2, 1, 2], ["1", "2", "3"], None),
        ([0, 1], [0, 2], ["1"], np.array(["2024-01-01"], dtype="datetime64[us]")),
    ],
)
def test_parts_that_do_not_fit_are_errors(codes, offsets, ids, times):
    with pytest.raises(LogError):
        EventLog(["a", "b"], codes, offsets, ids, times)


def test_half_a_character_is_no_label():
    with pytest.raises(LogError, match="half a character"):
        EventLog.from_traces([["\ud800"]])


def test_logs_with_other_attributes_are_not_equal():
    log = EventLog.from_traces([["a", "b"]])
    parts = (log.activities, log.codes, log.offsets, log.case_ids)
    known = EventLog(*parts, attributes={"user": Attribute.from_texts(["Sue", None])})
    assert log.attributes == log.people() == {}
    assert known == EventLog(*parts, attributes={"user": Attribute(["x", "Sue"], np.array([1, -1]))})
    assert known != log
    assert known != EventLog(*parts, attributes={"User": Attribute.from_texts(["Sue", None])})
    assert known != EventLog(*parts, attributes={"user": Attribute.from_texts([None, "Sue"])})
    with pytest.raises(ValueError, match="read-only"):
        known.attributes["user"].codes[0] = 0


def test_a_notebook_names_the_attributes():
    log = EventLog(["a"], [0], [0, 1], ["1"], attributes={"<user>": Attribute.from_texts(["Sue"])})
    assert "&lt;user&gt; (1 value)" in log._repr_html_()
    assert "attributes" not in EventLog.from_traces([["a"]])._repr_html_()


def test_two_columns_of_a_frame_cannot_have_one_name():
    log = EventLog.from_traces([["a", "b"]])
    timed = EventLog(["a"], [0], [0, 1], ["1"], np.array(["2024-02-29"], dtype="datetime64[us]"), names={"a": "Check"})
    for refused in (
        lambda: log.to_frame("polars", case="x", activity="x"),
        lambda: timed.to_frame(case="x", timestamp="x"),
        lambda: timed.to_frame(activity="timestamp"),
        lambda: timed.to_frame(case="second name"),
    ):
        with pytest.raises(LogError, match="name"):
            refused()
    assert log.to_frame(case="timestamp").columns == ["timestamp", "activity"]
