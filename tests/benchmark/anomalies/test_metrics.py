import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.benchmark.anomalies.metrics import f_at, ranking_scores, recall_of_highest
from tests.helpers.naive_anomalies import naive_ranking

rankings = st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0, 2.5, 1 / 3]), st.booleans()), min_size=1, max_size=12)


@given(rankings.filter(lambda ranking: any(planted for _, planted in ranking)))
def test_figures_are_those_of_the_definition_with_ties(ranking):
    scores, planted = (list(column) for column in zip(*ranking, strict=True))
    result = ranking_scores(np.array(scores), np.array(planted))
    assert (result.f, result.ap) == pytest.approx(naive_ranking(scores, planted))
    assert result.share == np.mean(planted)
    assert f_at(np.array(scores), np.array(planted), result.threshold) == pytest.approx(result.f)


def test_scores_without_information_have_the_share_as_their_average_precision():
    planted = np.arange(100) < 25
    result = ranking_scores(np.zeros(100), planted)
    assert (result.ap, result.f) == pytest.approx((0.25, 2 * 0.25 / 1.25))


def test_nothing_planted_has_no_figures():
    result = ranking_scores(np.arange(3.0), np.zeros(3, dtype=bool))
    assert np.isnan([result.f, result.ap]).all()
    assert np.isnan(f_at(np.arange(3.0), np.zeros(3, dtype=bool), 1.0))
    assert np.isnan(recall_of_highest(np.arange(3.0), np.zeros(3, dtype=bool), 0.5))


def test_the_highest_are_rounded_up_and_ties_count_by_chance():
    planted = np.array([True, False, True, False, False])
    assert recall_of_highest(np.array([5.0, 4, 3, 2, 1]), planted, 0.01) == 0.5
    assert recall_of_highest(np.zeros(5), planted, 0.2) == pytest.approx(0.2)
