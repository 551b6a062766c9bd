"""Weights by id are the weights by label of the two ways to place new labels."""

import itertools

import numpy as np
import pytest

from actalike import EventLog
from actalike.benchmark.tasks.prediction_data import (
    Condition,
    changes_of,
    conditions_of,
    placed_weights,
    prediction_data,
    read_weights,
)
from actalike.demo.loan_desk import loan_desk
from actalike.methods import make_method
from actalike.prediction import blend_weights, place_labels

CONDITIONS = [Condition("rename", 30), Condition("outcome", 30), Condition("split", 30, 10)]


@pytest.fixture(scope="module")
def data():
    """A log with an activity that is in its test cases alone, from the third of them on."""
    traces = loan_desk(120).traces()
    return prediction_data(EventLog.from_traces([*traces[:97], *(["late", *trace] for trace in traces[97:])]))


@pytest.fixture(scope="module")
def changes(data):
    return {change.condition: change for change in changes_of(data)}


def labelled(vocabulary, part):
    return [[vocabulary[i] for i in part.ids[start:end]] for start, end in itertools.pairwise(part.offsets)]


def by_label(data, change, weights):
    """The weights as new label -> old label -> weight, for all labels of both vocabularies."""
    n = len(data.vocabulary)
    assert weights.shape == (len(change.changed.vocabulary) - n, n)
    return {
        new: dict(zip(data.vocabulary, row, strict=True)) for new, row in zip(change.changed.vocabulary[n:], weights, strict=True)
    }


def naive_logs(data, change):
    first = change.condition.first
    past = [case for part in (data.training, data.validation) for case in labelled(data.vocabulary, part)]
    return EventLog.from_traces(past), EventLog.from_traces(labelled(change.changed.vocabulary, change.changed.test)[:first])


def check(found, expected):
    """Compare with weights by label; what these do not have is 0."""
    for new, row in found.items():
        for old, weight in row.items():
            assert weight == pytest.approx(expected.get(new, {}).get(old, 0.0), abs=1e-5), (new, old)


def test_a_log_has_the_changes_of_its_conditions_with_the_cases_before_and_after(data, changes):
    assert list(changes) == list(conditions_of(data))
    assert {condition.first for condition in changes} == {None, 10}
    for condition in CONDITIONS:
        past, now = naive_logs(data, changes[condition])
        assert changes[condition].past.traces() == past.traces()
        assert changes[condition].now.traces() == now.traces()


@pytest.mark.parametrize("condition", CONDITIONS)
def test_labels_are_read_as_place_labels_reads_them(data, changes, condition):
    past, now = naive_logs(data, changes[condition])
    placements = place_labels(past, now)
    expected = {
        label.label: dict(zip(past.activities, row, strict=True))
        for label, row in zip(placements.placed, placements.weights, strict=True)
    }
    assert "late" in expected  # new to the network, but its id is an old one: the task does not change it
    found = by_label(data, changes[condition], read_weights(data, changes[condition]))
    assert set(found) & set(expected)
    check(found, expected)


@pytest.mark.parametrize("name", ["kin-w5", "one-hot"])
@pytest.mark.parametrize("condition", CONDITIONS)
def test_labels_are_placed_by_a_methods_vectors_of_all_cases_that_are_known(data, changes, condition, name):
    past, now = naive_logs(data, changes[condition])
    embedding = make_method(name).fit(EventLog.from_traces([*past.traces(), *now.traces()])).embedding_
    expected = {
        new: dict(zip(past.activities, blend_weights(embedding, past.activities, [new])[0], strict=True))
        for new in set(now.activities) - set(past.activities)
    }
    method = make_method(name)
    check(by_label(data, changes[condition], placed_weights(data, changes[condition], method)), expected)
    assert not hasattr(method, "embedding_")  # a copy is fitted


def test_a_label_that_the_first_cases_do_not_have_has_no_weights(data, changes):
    change = changes[Condition("split", 30, 10)]
    unseen = [label not in change.now.activities for label in change.changed.vocabulary[len(data.vocabulary) :]]
    assert any(unseen)
    assert not all(unseen)
    for weights in (read_weights(data, change), placed_weights(data, change, make_method("kin-w5"))):
        assert not weights[unseen].any()
        assert weights.dtype == np.float32
    assert placed_weights(data, change, make_method("kin-w5"))[~np.array(unseen)].any(axis=1).all()
