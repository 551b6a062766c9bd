import math
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from actalike.benchmark.matching.metrics import assign, no_partner_ap, pair_scores, partner_scores, surest_precision
from tests.helpers import naive_partners as naive
from tests.helpers.examples import examples

few_values = st.sampled_from([0.0, 0.25, 0.5, 1.0])
tables = st.tuples(st.integers(1, 4), st.integers(1, 5)).flatmap(lambda shape: arrays(np.float64, shape, elements=few_values))


@examples(25)
@given(tables, st.data())
def test_partners_are_scored_as_by_all_orders_of_ties(scores, data):
    n, m = scores.shape
    partner = data.draw(st.lists(st.integers(0, m - 1), min_size=n, max_size=n))
    counts = np.array(data.draw(st.lists(st.integers(1, 9), min_size=n, max_size=n)))
    partners = np.zeros((n, m), dtype=bool)
    partners[np.arange(n), partner] = True
    assigned = assign(scores)
    right = [int(assigned[i] == partner[i]) for i in range(n)]
    found = partner_scores(scores, partners, assigned, counts)
    for hits, top in ((found.hit1, 1), (found.hit5, 5)):
        assert hits == pytest.approx(fmean(naive.hit(row, p, top) for row, p in zip(scores.tolist(), partner, strict=True)))
    assert found.mrr == pytest.approx(
        fmean(naive.reciprocal_rank(row, p) for row, p in zip(scores.tolist(), partner, strict=True))
    )
    assert found.assigned == pytest.approx(fmean(right))
    assert found.events == pytest.approx(sum(r * c for r, c in zip(right, counts.tolist(), strict=True)) / counts.sum())


@examples(25)
@given(tables, st.integers(0, 3))
def test_an_assignment_is_one_to_one_and_no_other_has_a_larger_sum(scores, seed):
    assigned = assign(scores, seed)
    rows = np.flatnonzero(assigned >= 0)
    assert len(rows) == len(set(assigned[rows].tolist())) == min(scores.shape)
    assert scores[rows, assigned[rows]].sum() == pytest.approx(naive.best_assignment_sum(scores.tolist()))


def test_equal_scores_are_assigned_by_chance_and_not_by_order():
    found = [(assign(np.zeros((20, 20)), seed) == np.arange(20)).mean() for seed in range(20)]
    assert 0.01 < np.mean(found) < 0.12


@examples(25)
@given(st.lists(st.tuples(few_values, st.booleans()), min_size=1, max_size=5), st.sampled_from([0.1, 0.25, 0.5]))
def test_the_surest_are_taken_in_every_order_of_ties(answers, share):
    sureness, right = (list(column) for column in zip(*answers, strict=True))
    expected = naive.surest(sureness, right, math.ceil(share * len(right)))
    assert surest_precision(np.array(sureness), np.array(right), share) == pytest.approx(expected)


def test_without_anything_to_judge_there_is_no_figure():
    empty = np.empty((0, 3))
    assert math.isnan(partner_scores(empty, empty.astype(bool), np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)).hit1)
    assert math.isnan(surest_precision(np.empty(0), np.empty(0, dtype=bool), 0.5))
    assert math.isnan(no_partner_ap(np.array([0.5]), np.array([True])))


def test_labels_without_a_partner_are_told_by_how_sure_their_best_pair_is():
    assert no_partner_ap(np.array([0.9, 0.1, 0.8]), np.array([True, False, True])) == 1
    assert no_partner_ap(np.array([0.1, 0.9, 0.8]), np.array([True, False, True])) == pytest.approx(1 / 3)


def test_pairs_are_scored_as_sets():
    assert pair_scores([("a", "x"), ("a", "y"), ("b", "z")], [("a", "x"), ("a", "y")]) == pytest.approx((2 / 3, 1, 0.8))
    assert pair_scores([], [("a", "x")]) == (0, 0, 0)
