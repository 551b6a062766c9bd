import numpy as np
import pytest

from actalike.benchmark.anomalies.contract import Answer
from actalike.benchmark.anomalies.judging import FIGURES, judge, learnt_f
from actalike.benchmark.anomalies.planting import plant


class Oracle:
    """Know the answers."""

    def __init__(self, planted, level):
        self.case_scores_ = planted.planted_cases.astype(float)
        if level == "cell":
            self.cell_scores_ = planted.cells.astype(float)


def test_who_knows_the_answers_gets_all_of_them(order_log):
    planted = plant(order_log, "orders", "bpad-10")
    judged = judge(Answer(Oracle(planted, "cell"), planted.log), planted)
    assert set(judged.figures) <= set(FIGURES)
    for level in ("trace", "event", "cell"):
        assert (judged.figures[f"{level}_f"], judged.figures[f"{level}_ap"]) == (1.0, 1.0)
    assert judged.figures["trace_share"] == planted.planted_cases.mean()
    assert judged.figures["precision1"] == 1.0
    assert judged.figures["event_recall"] == pytest.approx(np.ceil(0.01 * len(planted.cells)) / planted.cells.any(axis=1).sum())
    kinds = {anomaly.kind for anomaly in planted.anomalies}
    assert {name for name in judged.figures if name.startswith("ap_")} == {f"ap_{kind}" for kind in kinds}
    assert judged.named is None
    assert learnt_f(Answer(Oracle(planted, "trace"), planted.log), planted, {"trace": 0.0})["trace_learnt_f"] < 1


def test_what_a_detector_does_not_say_has_no_figure(order_log):
    planted = plant(order_log, "orders", "known-skipped")
    figures = judge(Answer(Oracle(planted, "trace"), planted.log), planted).figures
    assert not {"event_ap", "cell_ap", "event_recall", "place"} & set(figures)


def test_alarms_at_the_end_of_cases_are_false(order_log):
    planted = plant(order_log, "orders", "bpad-10")
    detector = Oracle(planted, "cell")
    detector.end_scores_ = np.ones(planted.log.n_cases)
    figures = judge(Answer(detector, planted.log), planted).figures
    n, n_ends = planted.cells.sum(), planted.log.n_cases
    assert (figures["trace_ap"], figures["cell_ap"]) == (1.0, pytest.approx(n / (n + n_ends)))
    assert figures["cell_share"] == pytest.approx(planted.cells.mean())


def test_a_kind_is_judged_against_normal_cases_alone(order_log):
    planted = plant(order_log, "orders", "known")
    detector = Oracle(planted, "trace")
    detector.case_scores_[planted.cases_of("skipped")] = 0.0
    figures = judge(Answer(detector, planted.log), planted).figures
    n_normal, n = int((~planted.planted_cases).sum()), len(planted.cases_of("skipped"))
    assert figures["ap_skipped"] == pytest.approx(n / (n_normal + n)) == figures["share_skipped"]
    assert figures["ap_early"] == 1.0
