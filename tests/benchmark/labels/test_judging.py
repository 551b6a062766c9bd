from types import SimpleNamespace

import numpy as np

from actalike.benchmark.labels.judging import FIGURES, judge_classes, judge_natural, judge_planted, judge_unplanted
from actalike.benchmark.labels.natural import Synonyms
from actalike.benchmark.labels.planting import Planted, with_neutral_codes
from actalike.log import EventLog

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
