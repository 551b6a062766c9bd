import numpy as np
import pytest

from actalike.benchmark.labels.contract import GROUPERS, MethodGrouper, check_result, register
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods import make_method

LOG = EventLog.from_traces([["a", "b", "c"], ["a", "x", "c"]] * 20)


class Plain:
    def fit(self, log):
        self.scores_, self.groups_ = np.eye(len(log.activities)), [("a", "b")]
        return self


def test_a_grouper_needs_only_fit():
    register("plain", Plain)
    assert "plain" in GROUPERS.names()
    grouper = GROUPERS.make("plain").fit(LOG)
    assert (grouper.name, grouper.reads_labels, grouper.needs, grouper.is_probability) == ("plain", False, (), False)
    check_result(grouper, LOG)


def test_what_cannot_be_a_grouper_is_refused():
    with pytest.raises(ActalikeError, match="lower-case"):
        register("My grouper", Plain)
    with pytest.raises(ActalikeError, match="callable"):
        register("mine", 7)
    register("mine", object)
    with pytest.raises(ActalikeError, match="has no fit"):
        GROUPERS.make("mine")


@pytest.mark.parametrize(
    ("scores", "groups", "is_probability", "reason"),
    [
        (np.eye(3), [], False, "must be 4 x 4"),
        (np.full((4, 4), np.nan), [], False, "finite"),
        (np.triu(np.ones((4, 4))), [], False, "not symmetric"),
        (2 * np.eye(4), [], True, "not probabilities"),
        (None, ["ab"], False, "lists of labels"),
        (None, [("a", "z")], False, "lists of labels"),
    ],
)
def test_what_breaks_the_contract_is_refused(scores, groups, is_probability, reason):
    grouper = Plain()
    grouper.scores_, grouper.groups_, grouper.is_probability = scores, groups, is_probability
    with pytest.raises(ActalikeError, match=reason):
        check_result(grouper, LOG)


def test_a_method_takes_part_by_its_similarities():
    grouper = MethodGrouper(make_method("kin-w5")).fit(LOG)
    assert grouper.groups_ == [("b", "x")]
    assert grouper.scores_[1, 3] == pytest.approx(1.0)
    check_result(grouper, LOG)


def test_a_method_with_scores_of_its_own_has_no_groups():
    grouper = MethodGrouper(make_method("substitution-w3")).fit(LOG)
    assert grouper.groups_ is None
    check_result(grouper, LOG)


def test_a_method_with_other_activities_is_refused():
    class Wrong:
        name, reads_labels, needs = "wrong", False, ()

        def fit(self, log):
            self.embedding_ = make_method("one-hot").fit(EventLog.from_traces([["q"]])).embedding_
            return self

    with pytest.raises(ActalikeError, match="not those of the log"):
        MethodGrouper(Wrong()).fit(LOG)
