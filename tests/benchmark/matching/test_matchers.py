"""Who takes part in the benchmark of matching, and what they say."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given

from actalike.benchmark import register
from actalike.benchmark.tasks import matchers
from actalike.benchmark.tasks.matchers import (
    MATCHERS,
    Answer,
    Frequency,
    JoinedKin,
    LabelText,
    Match,
    MatchLabels,
    Procrustes,
    ProcrustesAct2Vec,
    ProcrustesCounts,
    Profile,
    Trigrams,
    Zhu,
    csls,
    joined_kin,
    rotation,
    scaled,
)
from actalike.benchmark.tasks.matching_problems import halves_by_time, partner_mask, same_labels
from actalike.benchmark.tasks.matching_scores import assign, partner_scores
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods import embed
from actalike.two_logs import MatchedPair, SplitStep, Unmatched
from tests.helpers import naive_partners as naive
from tests.helpers.examples import examples, real_logs
from tests.helpers.strategies import labels, traces

A, B = EventLog.from_traces([["a", "b"]]), EventLog.from_traces([["x", "y", "z"]])


class Plain:
    def fit(self, log_a, log_b, known):
        self.scores_ = np.zeros((len(log_a.activities), len(log_b.activities)))
        return self


def test_a_matcher_needs_only_fit_and_scores():
    register("matcher", "plain", Plain)
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


FIGURES = {  # hit@1, hit@5, one-to-one, event-weighted; where scores are tied, the assignment is a matter of chance
    ("Env_Permit", "profile"): (0.48, 0.88, 0.56, 0.96),
    ("Env_Permit", "zhu"): (0.36, 0.76, 0.72, 0.98),
    ("Env_Permit", "kin-joined"): (0.28, 0.68, 0.68, 0.69),
    ("Helpdesk", "kin-joined"): (0.50, 0.83, 0.83, 1.0),
    ("BPIC20_PermitLog", "kin-joined"): (0.21, 0.39, 0.61, 0.80),
    ("Helpdesk", "profile"): (0.67, 0.84, 0.67, 1.0),
    ("Helpdesk", "zhu"): (0.33, 1.0, 0.58, 0.99),
    ("BPIC20_PermitLog", "profile"): (0.66, 1.0, 0.76, 0.95),
    ("BPIC20_PermitLog", "zhu"): (0.29, 0.87, 0.53, 0.88),
}


@pytest.mark.parametrize("name", real_logs("Env_Permit", long=("Helpdesk", "BPIC20_PermitLog")))
@pytest.mark.parametrize("method", ["profile", "zhu", "kin-joined"])
def test_baselines_have_the_figures_of_the_specification(name, method, real_log):
    first, second = halves_by_time(real_log(name))
    scores = MATCHERS.make(method).fit(first, second, {}).scores_
    partners = partner_mask(first.activities, second.activities, same_labels(first.activities, second.activities))
    queries = partners.any(axis=1)
    counts = first.activity_counts[queries]
    found = partner_scores(scores[queries], partners[queries], assign(scores)[queries], counts)
    hit1, hit5, assigned, events = FIGURES[name, method]
    assert (found.hit1, found.hit5) == pytest.approx((hit1, hit5), abs=0.0051)
    assert (found.assigned, found.events) == pytest.approx((assigned, events), abs=0.05)


LOG = EventLog.from_traces([["a", "b", "d"], ["a", "c", "d"]] * 20)


def test_what_match_says_is_taken():
    fitted = Match().fit(LOG, LOG.relabel(str.upper), {"a": "A"})
    assert fitted.scores_.shape == fitted.probabilities_.shape == (4, 4)
    assert ("a", "A") in fitted.pairs_
    assert {a for a, _ in fitted.pairs_}.isdisjoint(fitted.unmatched_a_)


def test_splits_are_pairs_too(monkeypatch):
    matched = SimpleNamespace(
        pairs=[MatchedPair("a", "A", 1.0)],
        splits=[SplitStep("b", "a", ("B", "C"), 0.9), SplitStep("D", "b", ("c", "d"), 0.9)],
        unmatched_a=[Unmatched("e", 0.9)],
        unmatched_b=[],
        scores=lambda: None,
        probabilities=lambda: None,
    )
    asked = []
    monkeypatch.setattr(matchers, "match", lambda *logs, use_labels: (asked.append(use_labels), matched)[1])
    fitted = MatchLabels().fit(LOG, LOG, {})
    assert fitted.pairs_ == [("a", "A"), ("b", "B"), ("b", "C"), ("c", "D"), ("d", "D")]
    assert (fitted.unmatched_a_, fitted.unmatched_b_, asked) == (["e"], [], [True])


LOG_A = EventLog.from_traces([["a", "b", "d"], ["a", "c", "d"]])
LOG_B = EventLog.from_traces([["1", "2", "4"], ["1", "3", "4"]])


def test_equal_logs_have_their_labels_matched():
    scores = Zhu().fit(LOG_A, LOG_B, {}).scores_
    assert scores.argmax(axis=1).tolist() == [0, 1, 1, 3]
    assert scores[1, 1] == scores[1, 2]


def test_a_known_pair_decides_for_its_neighbours_and_is_like_nothing_else():
    log_a, log_b = (EventLog.from_traces([[a, x], [b, y]]) for a, x, b, y in ("apbq", "1234"))
    scores = Zhu().fit(log_a, log_b, {"a": "1"}).scores_
    row = log_a.activities.index("p")
    assert scores[row].argmax() == log_b.activities.index("2")
    assert scores[0].tolist() == [1, 0, 0, 0]


@examples(20)
@given(traces(labels, max_cases=4, max_length=7), traces(labels, max_cases=4, max_length=7))
def test_profiles_are_compared_as_by_hand(cases_a, cases_b):
    log_a, log_b = EventLog.from_traces(cases_a), EventLog.from_traces(cases_b)
    expected = [[naive.profile(log_a.traces(), log_b.traces(), a, b) for b in log_b.activities] for a in log_a.activities]
    assert Profile().fit(log_a, log_b, {}).scores_ == pytest.approx(np.array(expected))


def test_labels_are_compared_by_their_rank_and_equally_frequent_ones_share_it():
    log_a = EventLog.from_traces([["a", "a", "a", "b", "b", "c", "c"]])
    log_b = EventLog.from_traces([["x"], ["y", "y"], ["z", "z", "z"]])
    assert Frequency().fit(log_a, log_b, {}).scores_.tolist() == [[-2, -1, 0], [-0.5, -0.5, -1.5], [-0.5, -0.5, -1.5]]


@examples(10)
@given(traces(labels, max_cases=4, max_length=6), traces(labels, max_cases=4, max_length=6))
def test_within_a_log_similarities_are_those_of_the_log_alone_and_between_logs_they_are_mutual(cases_a, cases_b):
    log_a, log_b = EventLog.from_traces(cases_a), EventLog.from_traces(cases_b)
    n, joined = len(log_a.activities), joined_kin(log_a, log_b)
    assert joined[:n, :n] == pytest.approx(1 - embed(log_a, "kin-w5").distances(), abs=1e-9)
    assert joined[n:, n:] == pytest.approx(1 - embed(log_b, "kin-w5").distances(), abs=1e-9)
    assert joined == pytest.approx(joined.T)


def test_only_the_distance_from_beginning_and_end_is_seen():
    log_a = EventLog.from_traces([["a", "b", "c", "d"]] * 50)
    scores = JoinedKin().fit(log_a, log_a.relabel(lambda label: {"a": "4", "b": "3", "c": "2", "d": "1"}[label]), {}).scores_
    assert scores.shape == (4, 4)
    assert scores.argmax(axis=1).tolist() == [3, 2, 1, 0]


POINTS = np.random.default_rng(3).normal(size=(12, 4))
TURN = np.linalg.qr(np.random.default_rng(4).normal(size=(4, 4)))[0]
LOGS = [EventLog.from_traces([[f"{side}{i:02}" for i in range(12)]]) for side in "ab"]


class Turned(Procrustes):
    dimensions = 4

    def vectors(self, log):
        return POINTS if log is LOGS[0] else POINTS @ TURN.T


def test_a_rotation_is_found_from_as_many_pairs_as_dimensions():
    found = rotation(POINTS[:5], POINTS[:5] @ TURN.T)
    assert found == pytest.approx(TURN)
    known = {f"a{i:02}": f"b{i:02}" for i in range(5)}
    assert Turned().fit(*LOGS, known).scores_.argmax(axis=1).tolist() == list(range(12))


def test_without_known_pairs_profiles_begin():
    scores = Turned().fit(*LOGS, {}).scores_
    assert scores.argmax(axis=1).tolist() == list(range(12))


def test_labels_that_are_near_to_everything_count_less():
    x, y = scaled(POINTS), scaled(POINTS[::-1])
    cosines = x @ y.T
    expected = [
        [2 * cosines[i, j] - np.mean(sorted(cosines[i])[-2:]) - np.mean(sorted(cosines[:, j])[-2:]) for j in range(12)]
        for i in range(12)
    ]
    assert csls(x, y) == pytest.approx(np.array(expected))


def test_vectors_of_counts_are_reduced():
    log = EventLog.from_traces([["a", "b", "c"], ["a", "c"]] * 5)
    assert ProcrustesCounts().fit(log, log, {}).scores_.shape == (3, 3)


def test_learned_vectors_are_learned_once_for_a_log(monkeypatch):
    calls = []

    class Embedded:
        vectors = np.eye(3)

    monkeypatch.setattr(matchers, "embed", lambda log, method: (calls.append(method), Embedded())[1])
    monkeypatch.setattr(matchers, "_LEARNED", {})
    monkeypatch.setattr(matchers, "_KEPT", 2)
    log, *others = (EventLog.from_traces([["a", "b", "c"]] * n) for n in (1, 2, 3))
    ProcrustesAct2Vec().fit(log, log, {})
    ProcrustesAct2Vec().fit(log, others[0], {"a": "a"})
    assert calls == ["act2vec-cbow-w3"] * 2
    ProcrustesAct2Vec().fit(others[0], others[1], {})
    assert len(matchers._LEARNED) == 2


LABEL_TEXT_LOG_A = EventLog.from_traces([["send invoice", "refuse"]])
LABEL_TEXT_LOG_B = EventLog.from_traces([["refused", "pay", "invoice sent"]])


def test_labels_with_the_same_letters_are_near():
    scores = Trigrams().fit(LABEL_TEXT_LOG_A, LABEL_TEXT_LOG_B, {}).scores_
    assert [LABEL_TEXT_LOG_B.activities[j] for j in scores.argmax(axis=1)] == ["refused", "invoice sent"]
    assert scores[0, LABEL_TEXT_LOG_B.activities.index("pay")] == 0


def test_meanings_are_compared_by_the_method_of_that_name(monkeypatch):
    class Embedded:
        activities = sorted([*LABEL_TEXT_LOG_A.activities, *LABEL_TEXT_LOG_B.activities])

        def distances(self):
            return np.arange(25.0).reshape(5, 5)

    monkeypatch.setattr("actalike.benchmark.tasks.matchers.embed", lambda log, method: Embedded())
    scores = LabelText().fit(LABEL_TEXT_LOG_A, LABEL_TEXT_LOG_B, {}).scores_
    i, j = Embedded.activities.index("send invoice"), Embedded.activities.index("pay")
    assert scores[1, LABEL_TEXT_LOG_B.activities.index("pay")] == pytest.approx(1 - (5 * i + j))
