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
        ("case_scores_", [1, 2, 3], "its case_scores_ must be 2 finite real numbers, one for each case"),
        ("case_scores_", [1, np.nan], "its case_scores_ must be 2 finite real numbers"),
        ("case_scores_", [1, 1j], "its case_scores_ must be 2 finite real numbers"),
        ("case_scores_", ["1", "2"], "its case_scores_ must be 2 finite real numbers"),
        ("event_scores_", [1], "its event_scores_ must be 3 finite real numbers, one for each event"),
        ("end_scores_", [1, 2, 3], "its end_scores_ must be 2 finite real numbers, one for each case"),
        ("cell_scores_", np.zeros((3, 2)), "its cell_scores_ must be 3 x 1 finite real numbers"),
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
    with pytest.raises(ActalikeError, match="must be an OddEvent or None for each case"):
        Answer(detector, LOG).reasons([0])
