import numpy as np
import pytest

from actalike.benchmark.matching import register
from actalike.benchmark.matching.contract import MATCHERS, Answer
from actalike.errors import ActalikeError
from actalike.log import EventLog

A, B = EventLog.from_traces([["a", "b"]]), EventLog.from_traces([["x", "y", "z"]])


class Plain:
    def fit(self, log_a, log_b, known):
        self.scores_ = np.zeros((len(log_a.activities), len(log_b.activities)))
        return self


def test_a_matcher_needs_only_fit_and_scores():
    register("plain", Plain)
    matcher = MATCHERS.make("plain").fit(A, B, {})
    assert (matcher.name, matcher.reads_labels, matcher.needs, matcher.slow) == ("plain", False, (), False)
    answer = Answer(matcher, A, B)
    assert answer.scores.shape == (2, 3)
    assert (answer.probabilities, answer.pairs, answer.unmatched_a, answer.unmatched_b) == (None,) * 4


@pytest.mark.parametrize(
    ("attribute", "value", "reason"),
    [
        ("scores_", np.zeros((3, 2)), "finite"),
        ("scores_", np.full((2, 3), np.inf), "finite"),
        ("probabilities_", np.full((2, 3), 1.5), "not probabilities"),
        ("pairs_", [("a", "b")], "a label of the first log and one of the second"),
        ("unmatched_a_", ["x"], "unmatched_a_"),
        ("unmatched_b_", "x", "unmatched_b_"),
    ],
)
def test_what_breaks_the_contract_is_refused(attribute, value, reason):
    matcher = Plain().fit(A, B, {})
    setattr(matcher, attribute, value)
    with pytest.raises(ActalikeError, match=reason):
        Answer(matcher, A, B)
