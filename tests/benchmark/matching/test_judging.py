import numpy as np
import pytest

from actalike.benchmark.matching.contract import Answer
from actalike.benchmark.matching.judging import FIGURES, judge
from actalike.benchmark.matching.problems import Problem
from actalike.benchmark.scoring import as_lists
from actalike.log import EventLog

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
    assert as_lists(found.proposed) == [[1.0, 6, 6]]
    assert as_lists(found.best)[-1] == [1.0, 12, 12]


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
