"""Assignments, rankings and answers of matchers are scored as defined."""

import math
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from actalike.benchmark.scoring import as_lists
from actalike.benchmark.tasks.matchers import Answer
from actalike.benchmark.tasks.matching_problems import Problem
from actalike.benchmark.tasks.matching_scores import (
    FIGURES,
    assign,
    judge,
    no_partner_ap,
    pair_scores,
    partner_scores,
    surest_precision,
)
from actalike.log import EventLog
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


LABELS = [f"s{i}" for i in range(8)]
LOG_A = EventLog.from_traces([LABELS] * 6)
LOG_B = EventLog.from_traces([[*LABELS[:7], "new"]] * 6)  # s7 has no partner, and "new" has none
TRUE = tuple((label, label) for label in LABELS[:7])


class Said:
    def __init__(self, scores, **more):
        self.scores_ = scores
        for name, value in more.items():
            setattr(self, f"{name}_", value)


def judged(scores, known=None, true=TRUE, log_b=LOG_B, **more):
    problem = Problem(LOG_A, log_b, known or {}, true)
    return judge(Answer(Said(scores, **more), LOG_A, log_b), problem)


def truth(log_b=LOG_B):
    return np.array([[float(a == b) for b in log_b.activities] for a in LOG_A.activities])


def test_a_perfect_matcher_has_perfect_figures():
    scores = truth()
    pairs = [pair for pair in TRUE if pair[0] != "s0"]
    found = judged(
        scores, {"s0": "s0"}, probabilities=scores, pairs=[*pairs, ("s0", "s0")], unmatched_a=["s7"], unmatched_b=["new"]
    )
    assert set(found.figures) == set(FIGURES) - {"seconds", "bytes"}
    ones = ("hit1", "hit5", "mrr", "assigned", "events", "hit1_often", "none_ap", "precision", "recall", "f", "surest25")
    assert [found.figures[name] for name in ones] == [1.0] * len(ones)
    assert [found.figures[f"none_{name}"] for name in ("true", "said", "right")] == [2, 2, 2]
    assert found.figures["chance"] == pytest.approx(1 / 7)
    assert as_lists([found.proposed]) == [[1.0, 6, 6]]
    assert as_lists([found.best])[-1] == [1.0, 12, 12]


def test_both_directions_count():
    scores = truth()
    scores[LOG_A.activities.index("s7")] = 2.0  # for every label of b, s7 is the best
    figures = judged(scores).figures
    assert (figures["hit1"], figures["assigned"]) == (0.5, 1.0)


def test_known_labels_are_neither_asked_for_nor_candidates():
    scores = truth()
    scores[:, LOG_B.activities.index("s0")] = 2.0
    assert judged(scores).figures["hit1"] < judged(scores, {"s0": "s0"}).figures["hit1"] == 1


def test_without_probabilities_and_answers_there_are_no_tallies_and_the_assignment_counts():
    found = judged(truth())
    assert (found.proposed, found.best) == (None, None)
    assert "none_said" not in found.figures
    assert (found.figures["precision"], found.figures["recall"]) == (7 / 8, 1.0)


def test_few_partners_are_not_ranked():
    assert "hit1" not in judged(truth(), true=TRUE[:6]).figures


def test_a_split_label_is_no_query_and_counts_as_pairs():
    log_b = EventLog.from_traces([[*LABELS, "s7 too"]] * 6)
    true = (*((label, label) for label in LABELS), ("s7", "s7 too"))
    scores = truth(log_b)
    found = judged(scores, true=true, log_b=log_b, pairs=true).figures
    assert (found["recall"], found["hit1"]) == (1.0, 1.0)
    assert judged(scores, true=true, log_b=log_b).figures["recall"] == pytest.approx(8 / 9)


def test_rare_labels_without_a_partner_are_counted_apart():
    log_a = EventLog.from_traces([LABELS] * 6 + [[*LABELS, "rare"]])
    problem = Problem(log_a, LOG_B, {}, TRUE)
    scores = np.zeros((len(log_a.activities), len(LOG_B.activities)))
    figures = judge(Answer(Said(scores, unmatched_a=["s7", "s1"], unmatched_b=[]), log_a, LOG_B), problem).figures
    assert [figures[f"none_{name}"] for name in ("true", "said", "right")] == [3, 2, 1]
    assert [figures[f"none_{name}_often"] for name in ("true", "said", "right")] == [2, 2, 1]
