"""What detectors say is scored as defined: rankings, thresholds and reasons."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import Attribute, EventLog
from actalike.benchmark.scoring import area_under_curve
from actalike.benchmark.tasks.anomaly_scores import (
    FIGURES,
    f_at,
    judge,
    judge_reasons,
    learnt_f,
    names_expected,
    names_place,
    ranking_scores,
    recall_of_highest,
)
from actalike.benchmark.tasks.detectors import Answer
from actalike.benchmark.tasks.planted_anomalies import NEW, Edit, PlantedCase, PlantedLog, plant
from actalike.oddities import Expected, OddEvent
from tests.helpers.naive_anomalies import naive_area, naive_ranking

rankings = st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0, 2.5, 1 / 3]), st.booleans()), min_size=1, max_size=12)


@given(rankings.filter(lambda ranking: any(planted for _, planted in ranking)))
def test_figures_are_those_of_the_definition_with_ties(ranking):
    scores, planted = (list(column) for column in zip(*ranking, strict=True))
    result = ranking_scores(np.array(scores), np.array(planted))
    assert (result.f, result.ap) == pytest.approx(naive_ranking(scores, planted))
    assert result.share == np.mean(planted)
    assert f_at(np.array(scores), np.array(planted), result.threshold) == pytest.approx(result.f)


@given(rankings.filter(lambda ranking: len({planted for _, planted in ranking}) == 2))
def test_the_area_under_the_curve_is_the_share_of_pairs_in_order(ranking):
    scores, planted = (list(column) for column in zip(*ranking, strict=True))
    assert area_under_curve(np.array(scores), np.array(planted)) == pytest.approx(naive_area(scores, planted))


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


CLEAN = EventLog.from_traces([["a", "b", "c", "d"]])
CLEAN.attributes["user"] = Attribute.from_texts(["Sue", "Bob", "Ann", "Tom"])


def reason(position, *expected, **more):
    values = tuple(Expected(value, 1, 0.5) for value in expected)
    return OddEvent("1", 0, position, (position,), "x", more.pop("kind", "inserted"), 1.0, None, None, 1, 2, values, **more)


def planted(kind, edit):
    anomaly = PlantedCase(0, kind, edit, hidden=False)
    return anomaly, PlantedLog(CLEAN, CLEAN, [anomaly], CLEAN.codes)


SKIPPED = ("skipped", Edit([0, 3], [(1, 0)], skipped=range(1, 3)))
EARLY = ("early", Edit([0, 2, 1, 3], [(1, 0), (3, 0)], belongs=3))
INSERTED = ("inserted", Edit([0, NEW, 1, 2, 3], [(1, 0), (1, 1)], {(1, 0): 0, (1, 1): 0}))
CUT = ("cut", Edit([0, 1], [(1, 0)], skipped=range(2, 4)))
SWAPPED = ("swapped", Edit([2, 1, 0, 3], [(0, 0), (2, 0)]))
VALUE = ("attribute", Edit([0, 1, 2, 3], [(2, 1)], {(2, 1): 0}))


@pytest.mark.parametrize(
    ("anomaly", "given", "place", "expected"),
    [
        (SKIPPED, reason(1, "x", "y", "b"), True, True),
        (SKIPPED, reason(1, missing=("c",)), True, True),
        (SKIPPED, reason(1, "x", "y", "z", "b"), True, False),
        (SKIPPED, reason(0, "b", missing=("b",)), False, False),
        (EARLY, reason(1, belongs=3), True, True),
        (EARLY, reason(1, "b"), True, True),
        (EARLY, reason(3, "c"), True, True),
        (EARLY, reason(1, "c", belongs=2), True, False),
        (EARLY, reason(2, "c"), False, False),
        (INSERTED, reason(1, "b"), True, True),
        (INSERTED, reason(1, "c"), True, False),
        (CUT, reason(2, missing=("c",)), True, True),
        (CUT, reason(1, "x"), True, False),
        (CUT, reason(0, "c"), False, False),
        (SWAPPED, reason(2, "c"), True, True),
        (SWAPPED, reason(1, "b"), False, False),
        (VALUE, reason(2, "Ann", attribute="user"), True, True),
        (VALUE, reason(2, "Bob", attribute="user"), True, False),
        (VALUE, reason(2, "Ann"), True, False),
        (VALUE, reason(1, "Bob", attribute="user"), False, False),
    ],
)
def test_place_and_expectation_are_those_of_the_planted_anomaly(anomaly, given, place, expected):
    assert (names_place(given, *planted(*anomaly)), names_expected(given, *planted(*anomaly))) == (place, expected)


def test_shares_are_over_planted_cases_and_silence_is_wrong():
    (one, log), other = planted(*SKIPPED), PlantedCase(0, "early", EARLY[1], hidden=True)
    both = PlantedLog(CLEAN, CLEAN, [one, other], log.cells)

    class Silent:
        case_scores_ = (0.0,)

        def reasons(self, cases):
            return [reason(1, "b", kind="skipped"), None]

    shares, named = judge_reasons(Answer(Silent(), CLEAN), both)
    assert (shares["place"], shares["expected"], shares["kind"]) == (0.5, 0.5, 0.5)
    assert shares["place_chance"] == (1 / 2 + 2 / 4) / 2
    assert (shares["place_visible"], shares["kind_visible"]) == (1.0, 1.0)
    assert named == {("skipped", "skipped"): 1, ("early", "none"): 1}


def test_a_kind_without_a_name_is_neither_right_nor_wrong():
    _, both = planted("reversed", SWAPPED[1])

    class Some:
        case_scores_ = (0.0,)

        def reasons(self, cases):
            return [reason(2, "c", kind="late")]

    shares, named = judge_reasons(Answer(Some(), CLEAN), both)
    assert (shares["place"], shares["place_chance"]) == (1.0, 0.5)
    assert np.isnan(shares["kind"])
    assert named == {("reversed", "late"): 1}


class Caller:
    """Call some cases odd, and one more for each percent that is promised."""

    def __init__(self, planted, cases, probabilities=None):
        self.case_scores_ = np.zeros(planted.log.n_cases)
        self.cases = cases
        if probabilities is not None:
            self.case_probabilities_ = probabilities

    def called(self):
        return np.isin(np.arange(len(self.case_scores_)), self.cases)

    def alarms(self, rate):
        normal = np.arange(2, len(self.case_scores_))
        return np.isin(np.arange(len(self.case_scores_)), normal[: round(100 * rate)])


def ten_cases():
    """Ten cases, of which the first two are planted, and the third and the fourth have a sequence of their own."""
    log = EventLog.from_traces([["x"], ["a", "x"], ["b"], ["c"], *[["a", "b"]] * 6])
    anomalies = [PlantedCase(case, "inserted", Edit([NEW], [(0, 0)]), hidden=False) for case in (0, 1)]
    return PlantedLog(log, log, anomalies, np.zeros((log.n_events, 1), dtype=bool), has_alarms=True)


def test_who_calls_cases_odd_is_judged_by_them():
    planted = ten_cases()
    figures = judge(Answer(Caller(planted, [0, 2, 9]), planted.log), planted).figures
    assert (figures["own_precision"], figures["own_recall"], figures["own_f"]) == pytest.approx((1 / 3, 1 / 2, 2 / 5))
    assert (figures["false_alarms"], figures["promised1"], figures["promised5"]) == (2 / 8, 1 / 8, 5 / 8)
    assert (figures["rare_share"], figures["rare_called"], figures["others_called"]) == (2 / 10, 1 / 2, 1 / 6)
    silent = judge(Answer(Oracle(planted, "trace"), planted.log), planted).figures
    assert not {"own_f", "false_alarms", "promised1", "ece"} & set(silent)


def test_who_calls_nothing_has_no_precision():
    planted = ten_cases()
    figures = judge(Answer(Caller(planted, []), planted.log), planted).figures
    assert (figures["own_f"], figures["own_precision"], figures["rare_called"]) == (0.0, None, 0.0)


def test_probabilities_are_compared_with_shares():
    planted = ten_cases()
    judged = judge(Answer(Caller(planted, [], np.array([0.75, 0.75, *[0.25] * 8])), planted.log), planted)
    assert judged.figures["ece"] == pytest.approx(0.25)
    assert judged.figures["ece_likely"] == pytest.approx(0.25)
    assert judged.probabilities.n.tolist() == [8, 2]


def test_of_traces_that_are_known_only_as_a_whole_cases_are_judged_by_their_mean_event_too():
    planted = ten_cases()
    of_traces = PlantedLog(planted.log, planted.log, planted.anomalies, None)
    detector = Oracle(planted, "trace")
    detector.event_scores_ = np.array([1.0, 0, 3, *[0] * 14])
    figures = judge(Answer(detector, planted.log), of_traces).figures
    assert (figures["mean_auc"], figures["mean_ap"], figures["trace_auc"]) == (1.0, 1.0, 1.0)
    assert not {"hidden", "event_ap", "place"} & set(figures)
