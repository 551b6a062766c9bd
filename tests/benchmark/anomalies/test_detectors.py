"""Who takes part in the benchmark of anomalies, and what they say."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import Attribute, EventLog, odd
from actalike.benchmark import register
from actalike.benchmark.logs import find_logs
from actalike.benchmark.tasks.anomaly_logs import published_figures, read_with_attributes
from actalike.benchmark.tasks.anomaly_scores import judge
from actalike.benchmark.tasks.counting_detectors import (
    Bag,
    BagForest,
    Likelihood,
    Links,
    LinksAll,
    LinksCaseOut,
    Naive,
    Sides,
    Steps,
    Trigram,
    Waits,
    WordVectors,
    value_surprises,
)
from actalike.benchmark.tasks.detectors import DETECTORS, Answer, Detector, Odd, OddActivities
from actalike.benchmark.tasks.network_detector import Network
from actalike.benchmark.tasks.planted_anomalies import BPAD, plant
from actalike.errors import ActalikeError
from tests.helpers.naive_anomalies import (
    naive_bags,
    naive_likelihood,
    naive_links,
    naive_trigrams,
    naive_value_surprises,
    naive_variant_scores,
    naive_waits,
)
from tests.helpers.strategies import logs, logs_with_attributes

LOG = EventLog.from_traces([["a", "b"], ["a"]])


class Plain:
    def fit(self, log):
        self.case_scores_ = np.zeros(log.n_cases)
        return self


def test_a_detector_needs_only_fit_and_scores_of_cases():
    register("detector", "plain", Plain)
    detector = DETECTORS.make("plain").fit(LOG)
    assert isinstance(detector, Detector)
    answer = Answer(detector, LOG)
    assert (answer.events, answer.cells, answer.gives_reasons, detector.needs) == (None, None, False, ())


def test_an_event_is_as_odd_as_its_oddest_cell_unless_the_detector_says_otherwise():
    detector = Plain().fit(LOG)
    detector.cell_scores_ = [[1], [3], [2]]
    assert Answer(detector, LOG).events.tolist() == [1, 3, 2]
    detector.event_scores_ = [0, 1, 0]
    assert Answer(detector, LOG).events.tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("attribute", "value", "reason"),
    [
        ("case_scores_", [1, 2, 3], "case_scores_"),
        ("case_scores_", [1, np.nan], "case_scores_"),
        ("case_scores_", [1, 1j], "case_scores_"),
        ("case_scores_", ["1", "2"], "case_scores_"),
        ("event_scores_", [1], "event_scores_"),
        ("end_scores_", [1, 2, 3], "end_scores_"),
        ("cell_scores_", np.zeros((3, 2)), "cell_scores_"),
    ],
)
def test_what_breaks_the_contract_is_refused(attribute, value, reason):
    detector = Plain().fit(LOG)
    setattr(detector, attribute, value)
    with pytest.raises(ActalikeError, match=reason):
        Answer(detector, LOG)


def test_reasons_are_one_for_each_case():
    detector = Plain().fit(LOG)
    detector.reasons = lambda cases: ["no idea"] * len(cases)
    with pytest.raises(ActalikeError, match="OddEvent"):
        Answer(detector, LOG).reasons([0])


def test_scores_and_reasons_are_those_of_odd(order_log):
    log = plant(order_log, "orders", "bpad-10").log
    oddities = odd(log)
    answer = Answer(Odd().fit(log), log)
    assert np.array_equal(answer.cases, oddities.case_scores())
    assert np.array_equal(answer.events, oddities.event_scores())
    assert np.array_equal(answer.cells, oddities.cell_scores())
    assert answer.reasons([3, 5]) == [next(iter(oddities.explain(case)), None) for case in ("4", "6")]


def test_columns_of_attributes_that_odd_ignores_are_zero(order_log):
    ids = Attribute.from_texts([f"n{i}" for i in range(order_log.n_events)])
    attributes = {"id": ids, "user": order_log.attributes["user"]}
    log = EventLog(order_log.activities, order_log.codes, order_log.offsets, order_log.case_ids, attributes=attributes)
    oddities = odd(log)
    cells = Answer(Odd().fit(log), log).cells
    assert oddities.attributes == ("user",)
    assert not cells[:, 1].any()
    assert np.array_equal(cells[:, [0, 2]], oddities.cell_scores())


def test_without_attributes_only_activities_are_odd(order_log):
    answer = Answer(OddActivities().fit(order_log), order_log)
    assert answer.cells.shape == (order_log.n_events, 2)
    assert not answer.cells[:, 1].any()
    assert np.array_equal(answer.cases, odd(order_log, []).case_scores())


@given(logs())
def test_a_case_is_as_odd_as_its_variant_is_rare(log):
    assert Naive().fit(log).case_scores_.tolist() == pytest.approx(naive_variant_scores(log.traces()))


@given(logs(), logs())
def test_what_is_learned_from_a_reference_is_counted_there_alone(log, reference):
    scored, counted = log.traces(), reference.traces()
    assert Naive().fit(log, reference).case_scores_.tolist() == pytest.approx(naive_variant_scores(scored, counted))
    links = [max(case) for case in naive_links(scored, False, counted)]
    assert Links().fit(log, reference).case_scores_.tolist() == pytest.approx(links)
    trigrams = naive_trigrams(scored, counted)
    fitted = Trigram().fit(log, reference)
    assert fitted.cell_scores_[:, 0].tolist() == pytest.approx([one for case in trigrams for one in case[:-1]])
    assert fitted.end_scores_.tolist() == pytest.approx([case[-1] for case in trigrams])
    assert fitted.case_scores_.tolist() == pytest.approx([max(case) for case in trigrams])


@given(logs())
def test_trigrams_are_those_of_the_definition(log):
    assert Trigram().fit(log).case_scores_.tolist() == pytest.approx([max(case) for case in naive_trigrams(log.traces())])


@given(logs_with_attributes(), logs_with_attributes())
def test_values_of_a_log_and_of_its_reference_have_the_same_codes(log, reference):
    sides = Sides.of(log, reference)
    assert sides.log.traces() == [*reference.traces(), *log.traces()]
    for name, attribute in sides.log.attributes.items():
        before = reference.attributes[name].texts() if name in reference.attributes else [None] * reference.n_events
        assert attribute.texts() == [*before, *log.attributes[name].texts()]
    for detector in (Likelihood, LinksCaseOut):
        assert detector().fit(log, reference).cell_scores_.shape == (log.n_events, 1 + len(log.attributes))


@given(logs_with_attributes(), logs_with_attributes())
def test_a_bag_is_as_odd_as_the_tenth_nearest_is_far(log, reference):
    assert Bag().fit(log).case_scores_.tolist() == pytest.approx(naive_bags(log.traces()), abs=1e-6)
    expected = naive_bags(log.traces(), reference.traces())
    assert Bag().fit(log, reference).case_scores_.tolist() == pytest.approx(expected, abs=1e-6)


@given(
    st.lists(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 10**6)), min_size=1, max_size=5), min_size=1, max_size=5)
)
def test_a_wait_is_as_odd_as_it_is_far_from_the_usual_one(cases):
    offsets = np.cumsum([0, *map(len, cases)])
    times = np.array([seconds * 10**6 for case in cases for _, seconds in case], dtype="datetime64[us]")
    codes = [int(activity == "b") for case in cases for activity, _ in case]
    log = EventLog(["a", "b"], codes, offsets, [""] * len(cases), times)
    assert Waits().fit(log).event_scores_.tolist() == pytest.approx(naive_waits(cases))


def test_without_times_no_wait_is_odd():
    assert not Waits().fit(LOG).case_scores_.any()


@given(logs_with_attributes())
def test_cells_and_cases_are_those_of_the_definition(log):
    columns = [log.codes.tolist(), *(attribute.codes.tolist() for attribute in log.attributes.values())]
    rows = list(zip(*columns, strict=True))
    bounds = log.offsets.tolist()
    cases = [rows[start:end] for start, end in itertools.pairwise(bounds)]
    cells = naive_likelihood(cases)
    fitted = Likelihood().fit(log)
    place = 0
    expected = []
    for number, case in enumerate(cases):
        part = cells[place : place + len(case) + 1]
        place += len(case) + 1
        expected += part[:-1]
        assert fitted.end_scores_[number] == pytest.approx(part[-1][0])
        assert fitted.case_scores_[number] == pytest.approx(max(max(cell) for cell in part))
    assert fitted.cell_scores_ == pytest.approx(np.array(expected))


def test_simple_methods_come_near_their_published_figures_on_a_real_log(log_file):
    """Two of the published methods, under the same protocol: one copy of each rate, so chance moves the figures a little."""
    name = "Env_Permit"
    log = read_with_attributes(find_logs([log_file(name)], lambda entry: True), name)
    copies = [plant(log, name, task) for task in BPAD]
    for detector, published in ((Naive, "Naive"), (Likelihood, "Likelihood")):
        judged = [judge(Answer(detector().fit(copy.log), copy.log), copy).figures for copy in copies]
        for column, value in published_figures()[name, published].items():
            assert np.mean([figures[column] for figures in judged]) == pytest.approx(value, abs=0.025), (published, column)


VECTOR = EventLog.from_traces([["a", "b", "c"]] * 3 + [["a", "c"]])


def test_links_have_the_values_of_the_test_vector():
    steps = Steps.of(Sides.of(VECTOR, None))
    plain, out = (links().surprises(steps).round(4).tolist() for links in (Links, LinksCaseOut))
    assert plain[:4] == [0.5754, 0.8957, 0.8957, 0.5754]
    assert plain[-3:] == [0.5754, 2.7726, 0.5754]
    assert out[:4] == [0.7133, 1.1632, 1.1632, 0.7133]
    assert out[-3:] == [0.7133, 4.6052, 0.7133]


@given(logs_with_attributes(), st.booleans())
def test_links_are_those_of_the_definition(log, case_out):
    steps = Steps.of(Sides.of(log, None))
    naive = naive_links(log.traces(), case_out)
    surprises = (LinksCaseOut if case_out else Links)().surprises(steps)
    assert surprises.tolist() == pytest.approx([one for case in naive for one in case])
    assert steps.is_end.tolist() == [i == len(case) - 1 for case in naive for i in range(len(case))]


@given(logs_with_attributes())
def test_values_are_scored_by_the_definition_and_a_case_by_its_oddest_cell(log):
    bounds = log.offsets.tolist()
    for name, attribute in log.attributes.items():
        events = list(zip(log.codes.tolist(), attribute.codes.tolist(), strict=True))
        cases = [events[start:end] for start, end in itertools.pairwise(bounds)]
        assert value_surprises(Sides.of(log, None), name).tolist() == pytest.approx(naive_value_surprises(cases))
    activities, every = Links().fit(log), LinksAll().fit(log)
    assert activities.cell_scores_.shape == every.cell_scores_.shape == (log.n_events, 1 + len(log.attributes))
    assert not activities.cell_scores_[:, 1:].any()
    assert np.array_equal(activities.cell_scores_[:, 0], every.cell_scores_[:, 0])
    for number, (start, end) in enumerate(itertools.pairwise(bounds)):
        links = max(naive_links(log.traces(), False)[number])
        assert activities.case_scores_[number] == pytest.approx(links)
        assert every.case_scores_[number] == pytest.approx(max(links, every.cell_scores_[start:end, 1:].max(initial=0)))


def test_a_case_that_is_left_out_does_not_vouch_for_itself():
    scores = LinksCaseOut().fit(VECTOR).case_scores_
    assert scores.argmax() == 3
    assert scores[3] == pytest.approx(4.6052, abs=1e-4)


def test_a_strange_bag_is_the_oddest_and_the_order_of_events_does_not_matter():
    pytest.importorskip("sklearn")
    log = EventLog.from_traces([["a", "b", "c"]] * 40 + [["a", "c", "b"]] * 20 + [["z", "z", "a"]])
    one, same = (BagForest().fit(log).case_scores_ for _ in range(2))
    assert np.array_equal(one, same)
    assert one.argmax() == 60
    assert one[0] == one[45]


def test_a_case_far_from_the_others_is_the_oddest():
    pytest.importorskip("gensim")
    pytest.importorskip("sklearn")
    traces = [["a", "b", "c", "d"][: 2 + i % 3] for i in range(60)] + [["z", "y", "z"]]
    one, same = (WordVectors().fit(EventLog.from_traces(traces)).case_scores_ for _ in range(2))
    assert np.array_equal(one, same)
    assert one.shape == (61,)
    assert one.argmax() == 60


def test_a_network_finds_the_step_that_it_has_not_learned():
    pytest.importorskip("torch")
    detector = Network()
    detector.steps = 40
    log = EventLog.from_traces([["a", "b", "c"]] * 30 + [["b", "c"], ["a", "c"]])
    answer = Answer(detector.fit(log, EventLog.from_traces([["a", "b", "c"]] * 20 + [["b", "c"]] * 20)), log)
    assert answer.cases.argmax() == 31
    assert answer.events[-1] > 2 * answer.events[:-1].max()
    again = Network()
    again.steps = 40
    assert np.array_equal(
        again.fit(log, EventLog.from_traces([["a", "b", "c"]] * 20 + [["b", "c"]] * 20)).case_scores_, answer.cases
    )


def test_long_cases_are_scored_with_the_state_carried_on():
    pytest.importorskip("torch")
    detector = Network()
    detector.steps = 2
    log = EventLog.from_traces([["a", "b"] * 120, ["a"]])
    fitted = Answer(detector.fit(log), log)
    assert fitted.events.shape == (241,)
    assert fitted.cases[0] == max(fitted.events[:240].max(), fitted.ends[0])


def test_probabilities_and_masks_are_checked():
    detector = Plain().fit(LOG)
    assert (Answer(detector, LOG).called, Answer(detector, LOG).alarms(0.1), Answer(detector, LOG).probabilities) == (None,) * 3
    detector.called = lambda: [True, False]
    detector.alarms = lambda rate: np.array([False, rate > 0.05])
    assert Answer(detector, LOG).called.tolist() == [True, False]
    assert Answer(detector, LOG).alarms(0.1).tolist() == [False, True]
    detector.case_probabilities_ = [0.5, 1.5]
    with pytest.raises(ActalikeError, match="case_probabilities_"):
        Answer(detector, LOG)


def test_odd_calls_the_cases_of_its_list_and_says_how_probable_they_are(order_log):
    log = plant(order_log, "orders", "known").log
    answer, found = Answer(Odd().fit(log), log), odd(log)
    assert answer.called.tolist() == found.called.tolist()
    assert {one.case_number for one in found.most(None)} <= set(np.flatnonzero(answer.called))
    assert answer.probabilities.tolist() == found.probabilities().tolist()
