"""The figures of predictions, against a naive version and scikit-learn's."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn import metrics

from actalike.prediction.training.task import METRICS, scores

CLASSES = 5
some_pairs = st.lists(st.tuples(st.integers(0, CLASSES - 1), st.integers(0, CLASSES - 1)), min_size=1, max_size=40)


def naive(pairs):
    """Counting, pair by pair."""
    n = len(pairs)
    found = dict.fromkeys(METRICS, 0.0)
    found["accuracy"] = sum(true == told for true, told in pairs) / n
    for k in range(CLASSES):
        hits = sum(true == told == k for true, told in pairs)
        true, told = sum(true == k for true, _ in pairs), sum(told == k for _, told in pairs)
        precision, recall = hits / told if told else 0.0, hits / true if true else 0.0
        f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
        found["precision_weighted"] += precision * true / n
        found["recall_weighted"] += recall * true / n
        found["f1_weighted"] += f1 * true / n
    # Matthews' coefficient is the correlation of the two as vectors of zeros and ones
    true, told = (np.eye(CLASSES)[[pair[i] for pair in pairs]] for i in (0, 1))
    true, told = true - true.mean(axis=0), told - told.mean(axis=0)
    spread = math.sqrt((true**2).sum() * (told**2).sum())
    found["mcc"] = (true * told).sum() / spread if spread > 1e-9 else 0.0
    return found


@given(some_pairs)
@example([(2, 2)])
@example([(0, 1), (1, 1)])
def test_all_figures_are_those_of_their_definitions_and_of_scikit_learn(pairs):
    targets, predicted = np.array(pairs).T
    found = scores(targets, predicted, 0.25, CLASSES)
    assert tuple(found) == METRICS
    assert found.pop("brier") == 0.25
    expected = naive(pairs)
    theirs = metrics.precision_recall_fscore_support(targets, predicted, average="weighted", zero_division=0)
    theirs = dict(zip(("precision_weighted", "recall_weighted", "f1_weighted"), theirs, strict=False))
    theirs |= {"accuracy": metrics.accuracy_score(targets, predicted)}
    if len(set(targets) | set(predicted)) > 1:  # scikit-learn warns of a single class
        theirs["mcc"] = metrics.matthews_corrcoef(targets, predicted)
    for name, value in found.items():
        assert isinstance(value, float)
        assert value == pytest.approx(expected[name], abs=1e-12), name
        assert value == pytest.approx(theirs.get(name, value), abs=1e-12), name


@given(some_pairs, st.integers(CLASSES, 12))
def test_classes_that_never_occur_change_nothing(pairs, classes):
    targets, predicted = np.array(pairs).T
    assert scores(targets, predicted, 0.0, classes) == pytest.approx(scores(targets, predicted, 0.0, CLASSES), abs=1e-12)
