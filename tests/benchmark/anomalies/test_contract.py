import numpy as np
import pytest

from actalike import EventLog
from actalike.benchmark.anomalies import Detector, register
from actalike.benchmark.anomalies.contract import DETECTORS, Answer
from actalike.errors import ActalikeError

LOG = EventLog.from_traces([["a", "b"], ["a"]])


class Plain:
    def fit(self, log):
        self.case_scores_ = np.zeros(log.n_cases)
        return self


def test_a_detector_needs_only_fit_and_scores_of_cases():
    register("plain", Plain)
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
