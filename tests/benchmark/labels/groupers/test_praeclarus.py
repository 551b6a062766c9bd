import numpy as np
import pytest
from hypothesis import given

from actalike.benchmark.labels.groupers.praeclarus import (
    Praeclarus,
    PraeclarusContextual,
    control_flow_similarity,
    resource_similarity,
    time_similarity,
)
from actalike.log import Attribute, EventLog
from tests.helpers import naive_groupers as naive
from tests.helpers.strategies import logs


@given(logs())
def test_control_flow_is_compared_as_defined(log):
    expected = naive.praeclarus(log.traces(), log.activities)
    assert control_flow_similarity(log) == pytest.approx(np.array(expected))


def test_pairs_above_the_threshold_are_reported_whatever_their_names():
    log = EventLog.from_traces([["start", "one", "end"], ["start", "two", "end"]])
    assert Praeclarus().fit(log).groups_ == [("one", "two")]
    assert PraeclarusContextual().fit(log).groups_ == []  # their names are unlike


def test_labels_with_similar_names_and_contexts_are_reported():
    log = EventLog.from_traces([["start", "check it", "end"], ["start", "check", "end"]])
    assert PraeclarusContextual().fit(log).groups_ == [("check", "check it")]


def test_resources_are_compared_as_distributions():
    people = [["a", "v"], ["a", "w"], ["b", "v"], ["b", "x"], ["c", None], ["d", "y"], ["d", "z"], ["e", None]]
    attribute = Attribute.from_texts(person for _, person in people)
    log = EventLog.from_traces([[label for label, _ in people]])
    log = EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes={"resource": attribute})
    similarity = resource_similarity(log)
    assert similarity[0, 1] == pytest.approx(1 - naive.half_distance(["v", "w"], ["v", "x"])) == 0.5
    assert similarity[0, 3] == similarity[0, 2] == 0.0
    assert np.isnan(similarity[2, 4])
    assert np.isnan(resource_similarity(EventLog.from_traces([["a", "b"]]))).all()


def test_times_are_compared_where_they_are_not_random():
    n = 400
    start = np.datetime64("2026-01-05T00:00", "us")
    days = np.arange(n) * np.timedelta64(1, "D")
    hours = {"a": 9, "b": 10, "c": 22}  # a and b in the same four hours
    times = np.concatenate([start + days + np.timedelta64(hour, "h") for hour in hours.values()])
    log = EventLog(list(hours), np.repeat([0, 1, 2], n), np.arange(0, 3 * n + 1, n), ["1", "2", "3"], times)
    similarity = time_similarity(log)
    assert similarity[0, 1] == 1.0
    assert similarity[0, 2] == 0.0
    assert np.isnan(time_similarity(EventLog.from_traces([["a"]]))).all()
