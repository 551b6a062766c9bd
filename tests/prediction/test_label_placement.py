"""New labels are placed among old ones: weights by their definition, and what is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from actalike import Embedding, EventLog, embed
from actalike.prediction import label_placement
from actalike.prediction.label_placement import RIDGE, SURE_ENOUGH, blend_weights, centred_cosines, place_labels
from actalike.prediction.label_readings import read_labels

tables = st.integers(3, 6).flatmap(
    lambda n: arrays(np.float64, (n, 4), elements=st.floats(-3, 3).map(lambda x: round(x, 2)), fill=st.nothing())
)


def naive_cosines(table, known):
    centred = [row - sum(table[:known]) / known for row in table]
    lengths = [np.sqrt(row @ row) for row in centred]
    return [
        [x @ y / (a * b) if a > 1e-3 and b > 1e-3 else 0.0 for y, b in zip(centred, lengths, strict=True)]
        for x, a in zip(centred, lengths, strict=True)
    ]


@given(tables)
def test_cosines_are_those_of_vectors_less_the_mean_of_the_known_ones(table):
    found = centred_cosines(table, len(table) - 1)
    expected = np.array(naive_cosines(table, len(table) - 1))
    is_clear = expected != 0  # a vector that nearly equals the mean is 0 in one and not in the other
    assert found[is_clear] == pytest.approx(expected[is_clear], abs=1e-5)


@given(tables, st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_weights_sum_to_1_and_no_others_that_do_come_nearer(table, randomness):
    labels = [f"l{i}" for i in range(len(table))]
    old, new = labels[:-1], labels[-1:]
    (weights,) = blend_weights(Embedding(labels, table), old, new)
    assert weights.sum() == pytest.approx(1)
    cosines = centred_cosines(table, len(old))
    among, to_new = cosines[:-1, :-1] + RIDGE * np.eye(len(old)), cosines[-1, :-1]

    def distance(w):
        return w @ among @ w - 2 * w @ to_new

    for _ in range(20):
        change = np.array([randomness.uniform(-1, 1) for _ in old])
        assert distance(weights) <= distance(weights + change - change.mean()) + 1e-9


def test_an_old_label_without_a_vector_has_no_weight():
    embedding = Embedding(["a", "b", "new"], np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.1]]))
    weights = blend_weights(embedding, ["a", "b", "gone"], ["new"])
    assert weights[0, 2] == 0
    assert weights[0, 0] > weights[0, 1]


def change(n_new, rare=()):
    past = EventLog.from_traces([["ask", "check", "pay"], ["ask", "refuse"]] * 30)
    now = EventLog.from_traces([["ask", "check", "transfer"], ["ask", "refuse"]] * n_new + [["ask", label] for label in rare])
    return past, now


def test_a_sure_label_counts_as_the_one_that_it_is_read_as():
    past, now = change(20)
    placements = place_labels(past, now)
    (reading,) = read_labels(past, now)
    assert reading.probability > SURE_ENOUGH
    (label,) = placements.placed
    assert label == ("transfer", 20, "pay", reading.probability, (("pay", 1.0),))
    assert placements.weights.tolist() == [[float(name == "pay") for name in past.activities]]
    assert placements.refused == ()


def test_a_label_in_one_case_is_refused():
    past, now = change(20, rare=["once", "twice", "twice"])
    placements = place_labels(past, now)
    assert [(label.label, label.cases) for label in placements.refused] == [("once", 1)]
    assert {label.label for label in placements.placed} == {"transfer", "twice"}
    assert len(placements.weights) == 2


def test_an_unsure_label_is_placed_by_kin_between_the_nearest_ones():
    past = EventLog.from_traces([["a", "b", "c"], ["a", "d", "e"], ["f", "d", "c"]] * 10)
    now = EventLog.from_traces([["c", "new", "f"], ["e", "new", "new"], ["a", "b", "c"], ["a", "d", "e"], ["f", "d", "c"]] * 4)
    placements = place_labels(past, now)
    (label,) = placements.placed
    assert label.probability < SURE_ENOUGH
    assert label.read_as is None
    joint = embed(EventLog.from_traces(past.traces() + now.traces()), "kin-w5")
    assert placements.weights == pytest.approx(blend_weights(joint, past.activities, ["new"]))
    largest = sorted(zip(placements.weights[0], past.activities, strict=True), reverse=True)[:3]
    assert label.nearest == tuple((name, pytest.approx(weight)) for weight, name in largest if weight > 0)


def test_very_many_rare_labels_are_compared_as_one_and_all_refused(monkeypatch):
    monkeypatch.setattr(label_placement, "_MANY_RARE", 5)
    past, now = change(20, rare=[f"id {i}" for i in range(20)])
    placements = place_labels(past, now)
    assert len(placements.refused) == 20
    assert [(label.label, label.read_as) for label in placements.placed] == [("transfer", "pay")]


def test_labels_that_are_known_otherwise_are_not_placed():
    past, now = change(20)
    assert place_labels(past, now, ["transfer"]).placed == ()
