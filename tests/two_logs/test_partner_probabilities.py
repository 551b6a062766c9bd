import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog
from actalike.two_logs.cross_kin import agreements, cross_kin
from actalike.two_logs.partner_probabilities import (
    PAIR_FIGURES,
    PARTNER_FIGURES,
    find_candidates,
    logistic,
    partner_figures,
    partner_probabilities,
    shipped_weights,
)
from tests.helpers import naive_matching
from tests.helpers.examples import examples
from tests.helpers.strategies import traces

NOTHING = np.empty((0, 2), dtype=np.int64)
some_traces = traces(st.sampled_from("abcdefgh"), max_cases=6, max_length=9)


def candidates_of(kin):
    return find_candidates(kin, agreements(kin.company_a, kin.company_b, kin.rounds.assigned))


def seconded_share(kin, a, b):
    """The share of events whose activity has the same partner in both views: the mean of both logs."""
    seconded = [
        pair for pair, is_seconded in zip(zip(*kin.rounds.assigned, strict=True), kin.seconded, strict=True) if is_seconded
    ]
    of_a = sum(a.activity_counts[i] for i, _ in seconded) / a.n_events
    return (of_a + sum(b.activity_counts[j] for _, j in seconded) / b.n_events) / 2


@examples(8)
@given(some_traces, some_traces)
def test_the_figures_of_pairs_are_those_of_the_definition(cases_a, cases_b):
    a, b = EventLog.from_traces(cases_a), EventLog.from_traces(cases_b)
    kin = cross_kin(a, b, NOTHING)
    logs = naive_matching.Logs(cases_a, cases_b)
    scores = {(x, y): kin.rounds.scores[i, j] for i, x in enumerate(a.activities) for j, y in enumerate(b.activities)}
    profile = naive_matching.profile_likeness(cases_a, cases_b, 0.6, 0.0)
    assigned = list(zip(*kin.rounds.assigned, strict=True))
    labels = [(a.activities[i], b.activities[j]) for i, j in assigned]
    agreement, clear = logs.agreements(labels), naive_matching.clear_pairs(scores, labels)
    candidates = candidates_of(kin)
    for i, j, row in zip(candidates.rows, candidates.columns, candidates.figures, strict=True):
        x, y = pair = a.activities[i], b.activities[j]
        figures = dict(zip(PAIR_FIGURES, row, strict=True))
        assert figures["agreement"] == pytest.approx(naive_matching.closeness(agreement[pair]))
        assert figures["log_agreement"] == pytest.approx(naive_matching.closeness(kin.rounds.agreement))
        cases = min(sum(x in case for case in cases_a), sum(y in case for case in cases_b))
        assert figures["cases"] == pytest.approx(naive_matching.logarithm(cases))
        assert figures["lead"] == pytest.approx(naive_matching.lead(scores, x, y), abs=1e-9)
        assert figures["profile"] == pytest.approx(max(profile[pair], -4), abs=1e-9)
        assert figures["frequency"] == pytest.approx(max(kin.frequencies[i, j], -6))
        assert figures["share"] == pytest.approx(naive_matching.logit(naive_matching.score_share(scores, x, y)))
        assert figures["assigned"] == (pair in clear)
        assert figures["seconded"] == (pair in clear and kin.seconded[assigned.index((i, j))])
        assert figures["all_seconded"] == pytest.approx(seconded_share(kin, a, b))
        smaller = min(sum(map(bool, cases_a)), sum(map(bool, cases_b)))
        assert figures["log_cases"] == pytest.approx(naive_matching.logarithm(smaller))
        assert figures["labels"] == pytest.approx(np.log(min(len(a.activities), len(b.activities))))
        for name in PAIR_FIGURES:
            if name.endswith("_x_labels"):
                assert figures[name] == pytest.approx(figures[name.removesuffix("_x_labels")] * figures["labels"])


@examples(6)
@given(some_traces, some_traces)
def test_the_best_five_of_each_activity_and_the_assigned_pairs_are_candidates(cases_a, cases_b):
    kin = cross_kin(EventLog.from_traces(cases_a), EventLog.from_traces(cases_b), NOTHING)
    candidates, scores = candidates_of(kin), np.maximum(kin.rounds.scores, 1e-12)
    pairs = set(zip(candidates.rows.tolist(), candidates.columns.tolist(), strict=True))
    assert pairs >= set(zip(*(codes.tolist() for codes in kin.rounds.assigned), strict=True))
    for i, row in enumerate(scores):
        assert all((i, j) in pairs for j, score in enumerate(row) if (row >= score).sum() <= 5)
        assert sum(p == i for p, _ in pairs) >= min(5, len(row))
    for j, column in enumerate(scores.T):
        assert all((i, j) in pairs for i, score in enumerate(column) if (column >= score).sum() <= 5)


@examples(6)
@given(some_traces, some_traces, st.booleans())
def test_probabilities_are_logistic_in_the_figures_and_sum_to_one_at_most(cases_a, cases_b, is_known):
    a, b = EventLog.from_traces(cases_a), EventLog.from_traces(cases_b)
    known = np.array([[0, len(b.activities) - 1]]) if is_known else NOTHING
    kin = cross_kin(a, b, known)
    likely, candidates, weights = partner_probabilities(kin, known), candidates_of(kin), shipped_weights()
    raw = np.zeros(kin.rounds.scores.shape)
    for i, j, figures in zip(candidates.rows, candidates.columns, candidates.figures, strict=True):
        cases = min(sum(map(bool, cases_a)), sum(map(bool, cases_b)))
        raw[i, j] = min(1 / (1 + np.exp(-weights["pair"][0] - weights["pair"][1:] @ figures)), 3 * cases / (3 * cases + 1))
    if is_known:
        raw[0], raw[:, -1], raw[0, -1] = 0.0, 0.0, 1.0
    for (i, j), probability in np.ndenumerate(likely.pairs):
        assert probability == pytest.approx(raw[i, j] / max(raw[i].sum(), raw[:, j].sum(), 1.0))
    for side, none in ((0, likely.none_a), (1, likely.none_b)):
        figures = partner_figures(kin, likely.pairs, side)
        has_partner = logistic(figures @ weights["partner"][1:] + weights["partner"][0])
        expected = np.minimum(1 - has_partner, np.maximum(1 - likely.pairs.sum(axis=1 - side), 0.0))
        expected[known[:, side]] = 0.0
        assert none == pytest.approx(expected)


@examples(6)
@given(some_traces, some_traces)
def test_the_figures_of_an_activity_are_those_of_its_probabilities_and_cases(cases_a, cases_b):
    a, b = EventLog.from_traces(cases_a), EventLog.from_traces(cases_b)
    kin = cross_kin(a, b, NOTHING)
    pairs = partner_probabilities(kin, NOTHING).pairs
    for side, log in ((0, a), (1, b)):
        for own, row in enumerate(partner_figures(kin, pairs, side)):
            figures = dict(zip(PARTNER_FIGURES, row, strict=True))
            mine = pairs[own] if side == 0 else pairs[:, own]
            assert figures["best"] == pytest.approx(naive_matching.logit(max(mine)))
            assert figures["sum"] == pytest.approx(naive_matching.logit(sum(mine)))
            assert figures["cases"] == pytest.approx(naive_matching.logarithm(log.activity_cases[own]))
            for name in ("best", "sum"):
                assert figures[f"{name}_x_cases"] == pytest.approx(figures[name] * figures["cases"])


def test_label_texts_add_or_take_log_odds():
    log = EventLog.from_traces([["a", "b", "c", "d"], ["a", "c", "b", "d"], ["b", "d"]] * 4)
    kin = cross_kin(log, log, NOTHING)
    plain, unlike, equal = (
        partner_probabilities(kin, NOTHING, likeness).pairs for likeness in (None, np.zeros((4, 4)), np.eye(4))
    )
    off = ~np.eye(4, dtype=bool)
    assert (unlike[off] < plain[off]).all()
    assert (equal[off] < plain[off]).all()
    assert (np.diag(equal) > np.diag(plain)).all()


def test_an_assignment_that_chance_has_chosen_proves_nothing():
    log = EventLog.from_traces([["x", "b", "y"], ["x", "c", "y"]] * 20)  # b and c are alternatives of the same frequency
    kin = cross_kin(log, log, NOTHING)
    pairs = partner_probabilities(kin, NOTHING).pairs
    assert pairs[0, 0] == pytest.approx(pairs[0, 1])
    assert pairs[0, 0] == pytest.approx(pairs[1, 0])
    assert 0.4 < pairs[0, 0] <= 0.5
    assert pairs[2, 2] > 0.9


def test_log_odds_become_probabilities_without_overflow():
    assert logistic(np.array([-1e9, 0.0, 1e9])).tolist() == pytest.approx([0.0, 0.5, 1.0])
