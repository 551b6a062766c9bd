import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from actalike.benchmark.labels.metrics import (
    first_hits,
    group_scores,
    join_groups,
    partner_mask,
    ranking_scores,
    reciprocal_ranks,
)
from tests.helpers import naive_label_metrics as naive
from tests.helpers.examples import examples

LABELS = list("abcdef")


@st.composite
def partitions(draw, n):
    """Disjoint groups of two or more of n numbers."""
    numbers = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    groups = [[i for i in range(n) if numbers[i] == k] for k in (1, 2)]
    return [group for group in groups if len(group) > 1]


@examples(25)
@given(st.data())
def test_rankings_are_those_of_the_definitions_in_every_order_of_ties(data):
    n = data.draw(st.integers(2, 4))
    truth = data.draw(partitions(n))
    assume(truth)
    cells = data.draw(st.lists(st.integers(0, 3), min_size=n * n, max_size=n * n))
    scores = np.array(cells, dtype=float).reshape(n, n)
    scores = np.maximum(scores, scores.T) / 3
    mask = partner_mask(LABELS[:n], [[LABELS[i] for i in group] for group in truth])
    assert ranking_scores(scores, mask) == pytest.approx(naive.ranking(scores.tolist(), truth))


@examples(50)
@given(st.data())
def test_groups_are_scored_as_defined(data):
    n = len(LABELS)
    counts = data.draw(st.lists(st.integers(1, 5), min_size=n, max_size=n))
    by_label = dict(zip(LABELS, counts, strict=True))
    truth = [[LABELS[i] for i in group] for group in data.draw(partitions(n))]
    truth = [sorted(group, key=lambda label: (-by_label[label], label)) for group in truth]
    proposed = data.draw(st.lists(st.lists(st.sampled_from(LABELS), min_size=1, max_size=4), max_size=4))
    result = group_scores(proposed, truth, LABELS, np.array(counts))
    assert tuple(result) == pytest.approx(naive.groups(proposed, truth, by_label))


def test_nothing_planted_has_no_ranking():
    assert np.isnan(ranking_scores(np.eye(3), partner_mask(["a", "b", "c"], []))).all()


def test_groups_that_overlap_are_joined_for_relabelling():
    (joined,) = join_groups([("a", "b"), ("c", "d"), ("d", "a")])
    assert sorted(joined) == ["a", "b", "c", "d"]
    pairs = group_scores([("a", "b"), ("b", "c")], [("a", "b", "c")], LABELS, np.array([5, 4, 3, 2, 1, 1]))
    assert (pairs.recall, pairs.whole, pairs.exact, pairs.restored) == (pytest.approx(2 / 3), 1.0, 1.0, 1.0)


def test_events_are_not_restored_by_a_group_that_a_stranger_names():
    scores = group_scores([("a", "b", "z")], [("a", "b")], ["a", "b", "z"], np.array([5, 3, 9]))
    assert (scores.whole, scores.exact, scores.restored) == (1.0, 0.0, 0.0)


def test_a_query_without_candidates_or_partners_has_no_value():
    row, nobody = np.array([[0.5, 0.2]]), np.zeros((1, 2), dtype=bool)
    assert np.isnan(first_hits(row, ~nobody, nobody)).all()
    assert np.isnan(reciprocal_ranks(row, nobody, ~nobody)).all()


def test_most_similarities_are_0_and_do_not_look_excellent():
    row = np.zeros((1, 100))
    partner = np.zeros((1, 100), dtype=bool)
    partner[0, 7] = True
    everyone = np.ones((1, 100), dtype=bool)
    assert first_hits(row, partner, everyone)[0] == pytest.approx(0.01)
    assert reciprocal_ranks(row, partner, everyone)[0] == pytest.approx(np.mean(1 / np.arange(1, 101)))
