"""Who takes part in the benchmark of labels, and what they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import group, same_step
from actalike.benchmark import register
from actalike.benchmark.tasks.groupers import (
    GROUPERS,
    Contrast,
    GroupersAndMethods,
    JaroWinkler,
    Levenshtein,
    MethodGrouper,
    Praeclarus,
    PraeclarusContextual,
    SameStep,
    Spelling,
    SwiftMend,
    TfIdf,
    Trigrams,
    check_result,
    contrast_groups,
    control_flow_similarity,
    merge_all_alike,
    resource_similarity,
    time_similarity,
)
from actalike.demo.loan_desk import loan_desk
from actalike.errors import ActalikeError
from actalike.log import Attribute, CoOccurrence, EventLog
from actalike.methods import embed, make_method
from tests.helpers import naive_groupers as naive
from tests.helpers.examples import examples
from tests.helpers.strategies import logs, traces

LOG = EventLog.from_traces([["a", "b", "c"], ["a", "x", "c"]] * 20)


choose_participants = GroupersAndMethods().choose


class Plain:
    def fit(self, log):
        self.scores_, self.groups_ = np.eye(len(log.activities)), [("a", "b")]
        return self


def test_a_grouper_needs_only_fit():
    register("grouper", "plain", Plain)
    assert "plain" in GROUPERS.names()
    grouper = GROUPERS.make("plain").fit(LOG)
    assert (grouper.name, grouper.reads_labels, grouper.needs, grouper.is_probability) == ("plain", False, (), False)
    check_result(grouper, LOG)


def test_what_cannot_be_a_grouper_is_refused():
    with pytest.raises(ActalikeError, match="lower-case"):
        register("grouper", "My grouper", Plain)
    with pytest.raises(ActalikeError, match="callable"):
        register("grouper", "mine", 7)
    register("grouper", "mine", object)
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


def test_by_default_all_groupers_take_part_and_the_default_method():
    chosen = choose_participants(None)
    assert list(chosen) == [*GROUPERS.names(), "kin-w5"]
    assert {"contrast", "praeclarus", "swiftmend", "zhu", "trigrams"} <= set(chosen)


def test_names_and_wildcards_find_methods_and_groupers():
    assert list(choose_participants(["kin", "zhu"])) == ["kin-w5", "zhu"]
    assert list(choose_participants(["praeclarus*"])) == ["praeclarus", "praeclarus-contextual"]
    assert list(choose_participants(["kin-w[35]", "t*"])) == ["kin-w3", "kin-w5", "trigrams", "tf-idf"]


def test_proposals_are_the_groups_that_may_be_merged():
    log = loan_desk(200)
    fitted = SameStep().fit(log)
    assert np.array_equal(fitted.scores_, same_step(log).probabilities())
    relations = {proposal.activities: proposal.relation for proposal in group(log)}
    assert set(fitted.groups_) == {members for members, relation in relations.items() if relation in ("synonyms", "alternatives")}
    assert len(fitted.groups_) < len(relations)
    check_result(fitted, log)


@examples(30)
@given(traces(max_cases=20), st.randoms(use_true_random=False), st.sampled_from([0.2, 0.4, 0.8, 1.0]))
def test_groups_stand_out_as_defined(cases, random, boldness):
    log = EventLog.from_traces(cases * 3)
    n = len(log.activities)
    distances = np.zeros((n, n))
    rows, columns = np.triu_indices(n, 1)
    distinct = random.sample(range(1, 1000), len(rows))
    distances[rows, columns] = distances[columns, rows] = np.array(distinct) ** 2 / 1e6
    order = sorted(range(n), key=lambda i: (-log.activity_counts[i], -log.activity_cases[i], i))
    attraction = CoOccurrence(log).attraction()[np.ix_(order, order)]
    rare = [log.activity_cases[i] < 5 for i in order]
    names = [log.activities[i] for i in order]
    expected = naive.contrast(distances[np.ix_(order, order)], names, attraction, rare, boldness) if n > 2 else []
    assert contrast_groups(distances, log, boldness) == expected


def test_two_labels_have_nothing_to_stand_out_from():
    assert contrast_groups(np.zeros((2, 2)), EventLog.from_traces([["a", "b"]] * 9), 1.0) == []


def test_groups_are_those_of_kin_by_contrast():
    log = loan_desk(200)
    fitted = Contrast().fit(log)
    assert (1 - fitted.scores_ == embed(log, "kin-w5").distances()).all()
    assert fitted.groups_


@given(logs())
def test_control_flow_is_compared_as_defined(log):
    expected = naive.praeclarus(log.traces(), log.activities)
    assert control_flow_similarity(log) == pytest.approx(np.array(expected))


def test_pairs_above_the_threshold_are_reported_whatever_their_names():
    log = EventLog.from_traces([["start", "one", "end"], ["start", "two", "end"]])
    assert Praeclarus().fit(log).groups_ == [("one", "two")]
    assert PraeclarusContextual().fit(log).groups_ == []  # their names are unlike


def test_labels_with_similar_names_and_contexts_are_reported():
    log = EventLog.from_traces([["start", "check it", "end"], ["start", "check", "end"]])
    assert PraeclarusContextual().fit(log).groups_ == [("check", "check it")]


def test_resources_are_compared_as_distributions():
    people = [["a", "v"], ["a", "w"], ["b", "v"], ["b", "x"], ["c", None], ["d", "y"], ["d", "z"], ["e", None]]
    attribute = Attribute.from_texts(person for _, person in people)
    log = EventLog.from_traces([[label for label, _ in people]])
    log = EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes={"resource": attribute})
    similarity = resource_similarity(log)
    assert similarity[0, 1] == pytest.approx(1 - naive.half_distance(["v", "w"], ["v", "x"])) == 0.5
    assert similarity[0, 3] == similarity[0, 2] == 0.0
    assert np.isnan(similarity[2, 4])
    assert np.isnan(resource_similarity(EventLog.from_traces([["a", "b"]]))).all()


def test_times_are_compared_where_they_are_not_random():
    n = 400
    start = np.datetime64("2026-01-05T00:00", "us")
    days = np.arange(n) * np.timedelta64(1, "D")
    hours = {"a": 9, "b": 10, "c": 22}  # a and b in the same four hours
    times = np.concatenate([start + days + np.timedelta64(hour, "h") for hour in hours.values()])
    log = EventLog(list(hours), np.repeat([0, 1, 2], n), np.arange(0, 3 * n + 1, n), ["1", "2", "3"], times)
    similarity = time_similarity(log)
    assert similarity[0, 1] == 1.0
    assert similarity[0, 2] == 0.0
    assert np.isnan(time_similarity(EventLog.from_traces([["a"]]))).all()


@given(logs() | traces(st.sampled_from("abc"), max_cases=30).map(EventLog.from_traces))
def test_relations_are_compared_as_defined(log):
    assert SwiftMend().fit(log).scores_ == pytest.approx(np.array(naive.swiftmend(log.traces(), log.activities)))


def test_all_members_of_a_group_are_pairwise_similar():
    scores = np.array([[1, 0.9, 0.8, 0.7], [0.9, 1, 0.7, 0.2], [0.8, 0.7, 1, 0.9], [0.7, 0.2, 0.9, 1]])
    assert merge_all_alike(scores, 0.7) == [[0, 1], [2, 3]]
    assert merge_all_alike(np.ones((3, 3)), 0.7) == [[0, 1, 2]]


def test_two_names_of_a_step_are_merged():
    log = EventLog.from_traces([["start", "one", "end"], ["start", "two", "end"]] * 10)
    assert SwiftMend().fit(log).groups_ == [("one", "two")]


STRINGS_LOG = EventLog.from_traces(
    [["Pay out", "Pay uot", "pay out!", "Close the file", "Close the file (2)", "Close the file (23)"]]
)


@pytest.mark.parametrize("grouper", [Levenshtein, JaroWinkler, Trigrams, TfIdf])
def test_slips_of_one_label_are_proposed(grouper):
    fitted = grouper().fit(STRINGS_LOG)
    assert ("Pay out", "Pay uot") in fitted.groups_ or ("Pay out", "pay out!") in fitted.groups_
    assert fitted.reads_labels


def test_a_distance_of_two_is_near_enough():
    assert Levenshtein().fit(EventLog.from_traces([["a", "abc", "abcd"]])).groups_ == [("a", "abc"), ("abc", "abcd")]


def test_trigrams_are_joined_by_way_of_others():
    groups = Trigrams().fit(STRINGS_LOG).groups_
    assert ("Close the file", "Close the file (2)", "Close the file (23)") in groups


def test_a_measure_must_be_named():
    with pytest.raises(TypeError, match="abstract"):
        Spelling()
