import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog, count_windows, embed, make_method, method_names
from actalike.benchmark.tasks.intrinsic import METRICS, make_log, make_recipes, scores
from tests.helpers import naive_benchmark as naive
from tests.helpers.examples import examples

EXAMPLE = np.array(
    [
        [0, 5, 5, 2, 2, 8, 7, 7],
        [5, 0, 1, 3, 4, 3, 2, 3],
        [5, 1, 0, 4, 3, 3, 3, 2],
        [2, 3, 4, 0, 1, 6, 5, 6],
        [2, 4, 3, 1, 0, 6, 6, 5],
        [8, 3, 3, 6, 6, 0, 1, 1],
        [7, 2, 3, 5, 6, 1, 0, 2],
        [7, 3, 2, 6, 5, 1, 2, 0],
    ]
)
CLASSES = np.array([0, 0, 0, 1, 1, -1, -1, -1])


def test_the_worked_example_of_the_paper():
    found = scores(EXAMPLE, CLASSES)
    assert found[: len(METRICS)] == pytest.approx((1 - 7 / 24, 5 / 6, 2 / 3, (8 / 15 + 1) / 2))
    assert found.I_tri == pytest.approx(0.7667, abs=5e-5)
    assert scores(EXAMPLE, CLASSES, "authors", w=3)[: len(METRICS)] == pytest.approx((1 - 7 / 24, 0.8, 0.4, (8 / 15 + 1) / 2))


@st.composite
def judged(draw):
    """Symmetric distances with many ties, and classes."""
    n = draw(st.integers(1, 6))
    values = draw(st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.5]), min_size=n * n, max_size=n * n))
    distances = np.array(values).reshape(n, n)
    distances = np.maximum(distances, distances.T)
    np.fill_diagonal(distances, 0)
    classes = draw(st.lists(st.sampled_from([-1, 0, 1, 7]), min_size=n, max_size=n).filter(lambda c: max(c) >= 0))
    return distances, np.array(classes)


@pytest.mark.parametrize("averaging", ["paper", "authors"])
@examples(100)
@given(case=judged(), w=st.integers(2, 5))
def test_the_metrics_are_as_defined_over_all_orders_of_ties(averaging, case, w):
    distances, classes = case
    expected = naive.scores(distances.tolist(), classes.tolist(), averaging, w)
    found = scores(distances, classes, averaging, w)
    assert found[: len(METRICS)] == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert found.singletons == sum((classes == c).sum() == 1 for c in set(classes.tolist()) - {-1})


def test_classes_of_one_are_left_out_and_counted():
    found = scores(EXAMPLE, np.array([0, 0, 0, 1, 1, 2, -1, -1]))
    assert found.singletons == 1
    assert found[: len(METRICS)] == pytest.approx(
        scores(EXAMPLE, CLASSES)[: len(METRICS)]
    )  # each class has as many outside as before
    nothing = scores(EXAMPLE, np.array([0, 1, 2, -1, -1, -1, -1, -1]))
    assert all(math.isnan(value) for value in nothing[: len(METRICS)])
    assert nothing.singletons == 3


def test_equal_distances_are_worth_nothing():
    assert scores(1.0 - np.eye(4), np.array([0, 0, -1, -1]))[: len(METRICS)] == pytest.approx((0, 1 / 3, 1 / 3, 0))
    nothing = scores(np.zeros((3, 3)), np.array([0, 0, -1]))
    assert nothing.I_comp == 0
    assert nothing.all_equal
    assert not scores(EXAMPLE, CLASSES).all_equal


def test_distances_that_differ_by_rounding_are_ties():
    distances = np.array([[0, 0.3, 0.1 + 0.2], [0.3, 0, 0.3], [0.1 + 0.2, 0.3, 0]])
    assert distances[0, 1] != distances[0, 2]
    assert scores(distances, np.array([0, -1, 0]))[1:4] == (0.5, 0.5, 0.0)


def test_what_cannot_be_judged_is_an_error():
    with pytest.raises(ActalikeError, match="classes"):
        scores(EXAMPLE, np.array([0, 0]))
    with pytest.raises(ActalikeError, match="has a class"):
        scores(EXAMPLE, np.full(8, -1))
    for bad in (np.nan, np.inf):
        with pytest.raises(ActalikeError, match="infinite"):
            scores(np.full((8, 8), bad), CLASSES)
    with pytest.raises(ActalikeError, match="integers"):
        scores(EXAMPLE, list("aabbcdef"))
    with pytest.raises(ActalikeError, match="authors"):
        scores(EXAMPLE, CLASSES, "mine")
    with pytest.raises(ActalikeError, match="needs w"):
        scores(EXAMPLE, CLASSES, "authors")


# The authors' means for BPIC13_open_problems: so few activities that every subset is drawn and nothing is left to chance.
STORED = {
    "aa-multiset-raw-w3": (0.643995, 0.669213, 0.682407, 0.682106),
    "aa-sequence-pmi-w3": (0.770349, 0.775694, 0.787963, 0.831721),
    "aa-sequence-ppmi-w9": (0.580993, 0.489815, 0.537963, 0.621763),
    "ac-multiset-pmi-w5": (0.234867, 0.491204, 0.541435, 0.65978),
    "ac-sequence-raw-w9": (0.561352, 0.895139, 0.873611, 0.9226),
    "ac-sequence-ppmi-w3": (0.385268, 0.444907, 0.543981, 0.670035),
}


def test_the_authors_stored_results_come_out_where_chance_has_no_part(real_log):
    log = real_log("BPIC13_open_problems")
    cells = {name: [] for name in STORED}
    for r in (1, 2, 3):
        for w in (2, 3, 4, 5):
            samples = {name: [] for name in STORED}
            for recipe in make_recipes(log, r, w, 5, seed=11, mode="authors"):
                truth = make_log(log, recipe)
                counts = count_windows(truth.log, 9)
                for name in STORED:
                    samples[name].append(scores(embed(counts, name).distances(), truth.classes, "authors", w)[: len(METRICS)])
            for name in STORED:
                cells[name].append(np.mean(samples[name], axis=0))
    for name, stored in STORED.items():
        assert np.mean(cells[name], axis=0) == pytest.approx(stored, abs=1e-6)


def test_there_are_four_metrics_and_all_count_methods_can_be_judged(real_log):
    log = EventLog.from_traces(real_log("BPIC13_open_problems").traces()[:100])
    truth = make_log(log, make_recipes(log, 2, 2, 1, 0, "paper", log.digest)[0])
    for name in method_names():
        if (
            make_method(name).takes != "counts" or name == "label-text"
        ):  # they take seconds, and leave an Embedding like any other
            continue
        found = scores(embed(truth.log, name).distances(), truth.classes)
        assert all(0 <= value <= 1 for value in found[: len(METRICS)])
