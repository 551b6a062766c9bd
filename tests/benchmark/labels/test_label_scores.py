"""Rankings, probabilities and groups of labels are scored as defined."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from actalike.benchmark.scoring import add_tallies, as_lists, expected_calibration_error, from_lists, reliability
from actalike.benchmark.tasks.known_labels import Synonyms
from actalike.benchmark.tasks.label_scores import (
    FIGURES,
    brier,
    first_hits,
    group_scores,
    join_groups,
    judge_classes,
    judge_natural,
    judge_planted,
    judge_unplanted,
    partner_mask,
    ranking_scores,
    reciprocal_ranks,
    tally_nearest,
    tally_pairs,
)
from actalike.benchmark.tasks.planted_labels import Planted, with_neutral_codes
from actalike.log import EventLog
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


CALIBRATION_LABELS = list("abcd")
PARTNERS = partner_mask(CALIBRATION_LABELS, [("a", "b")])
PROBABILITIES = np.array(
    [
        [1.0, 0.9, 0.1, 0.9],
        [0.9, 1.0, 0.2, 0.0],
        [0.1, 0.2, 1.0, 0.7],
        [0.9, 0.0, 0.7, 1.0],
    ]
)


def test_only_pairs_with_a_planted_name_count():
    tally = tally_pairs(PROBABILITIES, PARTNERS)
    assert as_lists([tally]) == [[0.0, 1, 0], [0.1, 1, 0], [0.2, 1, 0], [0.9, 2, 1]]
    error, gain = brier(PROBABILITIES, PARTNERS)
    assert error == pytest.approx(np.mean([0.01, 0.01, 0.81, 0.04, 0.0]))
    assert gain == pytest.approx(1 - error / (0.2 * 0.8))


def test_of_equally_near_partners_the_mean_counts():
    assert as_lists([tally_nearest(PROBABILITIES, PARTNERS)]) == [[0.9, 2, 1.5]]


def test_tallies_are_added_and_kept_as_plain_data():
    tally = tally_pairs(PROBABILITIES, PARTNERS)
    double = add_tallies([tally, from_lists(as_lists([tally]))])
    assert as_lists([double]) == [[p, 2 * n, 2 * y] for p, n, y in as_lists([tally])]
    assert reliability(add_tallies([])) == []
    assert np.isnan(expected_calibration_error([]))
    assert as_lists([from_lists([])]) == []


LOG = EventLog.from_traces([["a", "b", "c"]] * 10)
PLANTED = Planted(LOG, (("a", "b"),), {})
SCORES = np.array([[1.0, 0.9, 0.1], [0.9, 1.0, 0.1], [0.1, 0.1, 1.0]])


def fitted(scores=SCORES, groups=(("a", "b"),), is_probability=False):
    return SimpleNamespace(scores_=scores, groups_=groups, is_probability=is_probability)


def test_scores_and_groups_are_judged_where_they_are_there():
    both = judge_planted(fitted(), PLANTED)
    assert (both.figures["nn"], both.figures["whole"], both.pairs) == (1.0, 1.0, None)
    assert set(judge_planted(fitted(groups=None), PLANTED).figures) == {"nn", "mrr", "ap"}
    assert "nn" not in judge_planted(fitted(scores=None), PLANTED).figures
    assert judge_planted(fitted(None, None), PLANTED).figures == {}


def test_only_probabilities_are_tallied():
    judged = judge_planted(fitted(is_probability=True), PLANTED)
    assert judged.pairs.probability.tolist() == [0.1, 0.9]
    assert judged.nearest.n.tolist() == [2.0]
    assert judged.figures["brier"] == np.mean([0.01, 0.01, 0.01]).round(12)


def test_what_is_proposed_where_nothing_is_planted_is_counted():
    figures = judge_unplanted(fitted(groups=[("a", "b"), ("b", "c")]), LOG).figures
    assert figures == {"proposed_groups": 1.0, "proposed_labels": 1.0, "proposed_pairs": 2.0}
    assert judge_unplanted(fitted(groups=None), LOG).figures == {}


def test_natural_synonyms_and_classes_need_scores():
    synonyms = Synonyms(np.array([[0, 1]]), np.arange(3), np.ones((3, 3), dtype=bool))
    assert judge_natural(fitted(), synonyms).figures["nn"] == 1.0
    assert judge_natural(fitted(scores=None), synonyms).figures == {}
    codes = EventLog.from_traces([["01_A_010", "01_A_020", "02_B_010", "02_B_020"]] * 10)
    scores = np.kron(np.eye(2), np.ones((2, 2)))
    coded = with_neutral_codes(codes, 0, "digest")
    by_code = scores[np.ix_(*[[codes.activities.index(coded.origin[label]) for label in coded.log.activities]] * 2)]
    assert judge_classes(fitted(by_code), coded, "subprocess").figures["ari_average"] == 1.0
    assert judge_classes(fitted(None), coded, "subprocess").figures == {}
    assert judge_classes(fitted(), with_neutral_codes(LOG, 0, "digest"), "verb").figures == {}


def test_every_figure_has_a_name_once():
    assert len(set(FIGURES)) == len(FIGURES)
