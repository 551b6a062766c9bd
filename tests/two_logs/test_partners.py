"""Who is whose partner: probabilities of pairs, of having none, and steps that are split."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from actalike import EventLog, match
from actalike.support.weights import probability_of
from actalike.two_logs.cross_kin import agreements, cross_kin
from actalike.two_logs.partners import (
    PAIR_FIGURES,
    PARTNER_FIGURES,
    PartnerProbabilities,
    find_candidates,
    partner_figures,
    partner_probabilities,
    shipped_weights,
    split_steps,
)
from actalike.two_logs.texts import TextEvidence
from tests.helpers import naive_matching
from tests.helpers.examples import examples
from tests.helpers.strategies import traces

NOTHING = np.empty((0, 2), dtype=np.int64)
some_traces = traces(st.sampled_from("abcdefgh"), max_cases=6, max_length=9)


def candidates_of(kin, known=NOTHING):
    return find_candidates(kin, agreements(kin.uses_a, kin.uses_b, kin.rounds.assigned), known)


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
    kin = cross_kin(a.variants, b.variants, NOTHING)
    logs = naive_matching.Logs(cases_a, cases_b)
    scores = {(x, y): kin.rounds.scores[i, j] for i, x in enumerate(a.activities) for j, y in enumerate(b.activities)}
    profile = naive_matching.profile_likeness(cases_a, cases_b, 0.6, 0.0)
    assigned = list(zip(*kin.rounds.assigned, strict=True))
    labels = [(a.activities[i], b.activities[j]) for i, j in assigned]
    agreement, clear = logs.agreements(labels), naive_matching.clear_pairs(scores, labels)
    candidates = candidates_of(kin)
    assert set(candidates.figures) == set(PAIR_FIGURES)
    for place, (i, j) in enumerate(zip(candidates.rows, candidates.columns, strict=True)):
        x, y = pair = a.activities[i], b.activities[j]
        figures = {name: values[place] for name, values in candidates.figures.items()}
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


@examples(8)
@given(some_traces, some_traces)
def test_shares_are_those_of_exchanging_partners(cases_a, cases_b):
    a, b = EventLog.from_traces(cases_a), EventLog.from_traces(cases_b)
    kin = cross_kin(a.variants, b.variants, NOTHING)
    labels = [(a.activities[i], b.activities[j]) for i, j in zip(*kin.rounds.assigned, strict=True)]
    logs = naive_matching.Logs(cases_a, cases_b)
    frequencies = {(x, y): kin.choices[i, j] for i, x in enumerate(a.activities) for j, y in enumerate(b.activities)}
    definition = naive_matching.exchange_shares(logs, labels, frequencies, logs.agreements(labels))
    candidates = candidates_of(kin)
    for i, j, share in zip(candidates.rows, candidates.columns, candidates.shares, strict=True):
        assert share == pytest.approx(definition.get((a.activities[i], b.activities[j]), 0.0), abs=1e-6)


@examples(6)
@given(some_traces, some_traces)
def test_the_best_five_of_each_activity_and_the_assigned_pairs_are_candidates(cases_a, cases_b):
    kin = cross_kin(EventLog.from_traces(cases_a).variants, EventLog.from_traces(cases_b).variants, NOTHING)
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
@example([["a"], ["a", "b", "b", "c"]], [["a", "a", "b"], ["c", "a", "a"]], False)
def test_probabilities_are_logistic_in_the_figures_and_sum_to_one_at_most(cases_a, cases_b, is_known):
    a, b = EventLog.from_traces(cases_a), EventLog.from_traces(cases_b)
    known = np.array([[0, len(b.activities) - 1]]) if is_known else NOTHING
    kin = cross_kin(a.variants, b.variants, known)
    likely, candidates, weights = partner_probabilities(kin, known), candidates_of(kin, known), shipped_weights()
    raw, stated = np.zeros((2, *kin.rounds.scores.shape))
    cases = min(sum(map(bool, cases_a)), sum(map(bool, cases_b)))
    points = weights["pair"].log_odds(candidates.figures)
    is_stated = candidates.figures["assigned"] > 0
    pairs = list(zip(candidates.rows.tolist(), candidates.columns.tolist(), strict=True))
    alone = [min(1 / (1 + np.exp(-log_odds)), 3 * cases / (3 * cases + 1)) for log_odds in points]
    whole_a = {i: p for (i, _), p, one in zip(pairs, alone, is_stated, strict=True) if one}
    whole_b = {j: p for (_, j), p, one in zip(pairs, alone, is_stated, strict=True) if one}
    for (i, j), p, share, one in zip(pairs, alone, candidates.shares, is_stated, strict=True):
        raw[i, j] = min(p, share) if one else max(p, share * min(whole_a.get(i, 1), whole_b.get(j, 1)))
    if is_known:
        raw[0], raw[:, -1], raw[0, -1] = 0.0, 0.0, 1.0
    # assigned pairs keep their probability, and the others share what is left of it
    for pair in zip(candidates.rows[is_stated], candidates.columns[is_stated], strict=True):
        stated[pair] = raw[pair]
    others = raw - stated
    for (i, j), probability in np.ndenumerate(likely.pairs):
        shares = [
            (1 - own.sum()) / rest.sum() for own, rest in ((stated[i], others[i]), (stated[:, j], others[:, j])) if rest.sum()
        ]
        assert probability == pytest.approx(stated[i, j] + others[i, j] * min([1.0, *shares]), abs=1e-8)
    for side, none in ((0, likely.none_a), (1, likely.none_b)):
        figures = partner_figures(kin, likely.pairs, agreements(kin.uses_a, kin.uses_b, kin.rounds.assigned), side)
        has_partner = probability_of(weights["partner"].log_odds(figures))
        expected = np.minimum(1 - has_partner, np.maximum(1 - likely.pairs.sum(axis=1 - side), 0.0))
        expected[known[:, side]] = 0.0
        assert none == pytest.approx(expected)


@examples(6)
@given(some_traces, some_traces)
def test_the_figures_of_an_activity_are_those_of_its_pairs_and_cases(cases_a, cases_b):
    a, b = EventLog.from_traces(cases_a), EventLog.from_traces(cases_b)
    kin = cross_kin(a.variants, b.variants, NOTHING)
    pairs, agreement = partner_probabilities(kin, NOTHING).pairs, agreements(kin.uses_a, kin.uses_b, kin.rounds.assigned)
    for side, log, other in ((0, a, b), (1, b, a)):
        figures = partner_figures(kin, pairs, agreement, side)
        assert set(figures) == set(PARTNER_FIGURES)
        for own in range(len(log.activities)):
            mine, agreeing = (cells[own] if side == 0 else cells[:, own] for cells in (pairs, agreement))
            assert figures["best"][own] == pytest.approx(naive_matching.logit(max(mine)))
            assert figures["sum"][own] == pytest.approx(naive_matching.logit(sum(mine)))
            assert figures["cases"][own] == pytest.approx(naive_matching.logarithm(log.activity_cases[own]))
            assert figures["agreement"][own] == pytest.approx(naive_matching.closeness(max(agreeing)))
            n, others = len(log.activities), len(other.activities)
            assert figures["surplus"][own] == pytest.approx((n - others) / max(n, others))


def test_label_texts_speak_for_a_pair_and_never_against_one_but_that_another_is_likelier():
    log = EventLog.from_traces([["a", "b", "c", "d"], ["a", "c", "b", "d"], ["b", "d"]] * 4)
    kin = cross_kin(log.variants, log.variants, NOTHING)
    plain, unlike, equal = (
        partner_probabilities(kin, NOTHING, texts).pairs
        for texts in (None, TextEvidence(np.empty(0), np.zeros((4, 4)), 1.0), TextEvidence(np.empty(0), 7 * np.eye(4), 1.0))
    )
    off = ~np.eye(4, dtype=bool)
    assert unlike == pytest.approx(plain)
    assert (equal[off] <= plain[off]).all()
    assert (np.diag(equal) > np.diag(plain)).all()


def test_behaviour_that_is_not_trusted_makes_no_pair_likely_and_equal_texts_do_so_alone():
    log = EventLog.from_traces([["a", "b", "c", "d"]] * 40)
    kin = cross_kin(log.variants, log.variants, NOTHING)
    texts = TextEvidence(np.empty(0), np.fliplr(7 * np.eye(4)), 0.0)
    assert (partner_probabilities(kin, NOTHING, texts).pairs > 0.5).tolist() == np.fliplr(np.eye(4)).astype(bool).tolist()


def test_an_assignment_that_chance_has_chosen_proves_nothing():
    log = EventLog.from_traces([["x", "b", "y"], ["x", "c", "y"]] * 20)  # b and c are alternatives of the same frequency
    kin = cross_kin(log.variants, log.variants, NOTHING)
    pairs = partner_probabilities(kin, NOTHING).pairs
    assert pairs[0, 0] == pytest.approx(pairs[0, 1])
    assert pairs[0, 0] == pytest.approx(pairs[1, 0])
    assert 0.4 < pairs[0, 0] <= 0.5
    assert pairs[2, 2] > 0.9


ONE = EventLog.from_traces([["in", "check", "out"]] * 40)
OTHER = EventLog.from_traces([["1", "2", "4"], ["1", "3", "4"]] * 20)  # 2 and 3 are check
AGREEMENT = np.array([[0.1, 0.9, 0.85, 0.0], [0.9, 0.1, 0.1, 0.0], [0.1, 0.1, 0.1, 0.9]])  # check, in, out; 1 to 4
ASSIGNED = {0: 1, 1: 0, 2: 3}
LIKELY = np.array([[0.0, 0.4, 0.3, 0.0], [0.8, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.8]])
SPLIT = [("check", ("2", "3"))]


def splits_of(one, other, agreement=AGREEMENT, likely=LIKELY, assigned=ASSIGNED):
    """The steps that ``other`` splits, with all their parts, the partner first."""
    probabilities = PartnerProbabilities(likely, np.zeros(len(likely)), np.zeros(likely.shape[1]), agreement)
    codes = np.array(list(assigned)), np.array(list(assigned.values()))
    found = split_steps("a", one.variants, other.variants, probabilities, codes)
    turned = PartnerProbabilities(likely.T, probabilities.none_b, probabilities.none_a, agreement.T)
    mirror = split_steps("b", one.variants, other.variants, turned, codes[::-1])
    assert [(split.side, *split[:1], *split[2:]) for split in mirror] == [("b", *split[:1], *split[2:]) for split in found]
    assert split_steps("b", other.variants, one.variants, probabilities, codes) == []
    return [(split.activity, split.parts) for split in found]


def test_the_logs_of_these_tests_have_these_labels():
    assert (ONE.activities, OTHER.activities) == (["check", "in", "out"], ["1", "2", "3", "4"])


def test_a_label_without_a_partner_that_agrees_with_an_assigned_one_is_a_further_part():
    assert splits_of(ONE, OTHER) == SPLIT


@pytest.mark.parametrize(
    "why", ["agrees too little", "agrees as well with another", "is unlikely", "has a partner", "is rare", "is in the same cases"]
)
def test_a_label_is_no_further_part_if_it(why):
    agreement, likely, assigned, other = AGREEMENT.copy(), LIKELY.copy(), dict(ASSIGNED), OTHER
    if why == "agrees too little":
        agreement[0, 2] = 0.69
    elif why == "agrees as well with another":
        agreement[1, 2], assigned[1] = 0.85, 2
    elif why == "is unlikely":
        likely[0, 2] = 0.1
    elif why == "has a partner":
        assigned[2], likely[2, 2] = 2, 0.6
    elif why == "is rare":
        other = EventLog.from_traces([["1", "2", "4"]] * 36 + [["1", "3", "4"]] * 4)
    else:
        other = EventLog.from_traces([["1", "2", "3", "4"]] * 20 + [["1", "4"]] * 20)
    assert splits_of(ONE, other, agreement, likely, assigned) == []


def test_a_label_that_was_assigned_to_an_unlikely_partner_may_be_a_part():
    assert splits_of(ONE, OTHER, assigned={0: 1, 1: 0, 2: 2}) == SPLIT


def test_parts_that_are_together_more_frequent_than_the_step_are_not_its_parts():
    one = EventLog.from_traces([["in", "check", "out"]] * 20 + [["in", "out"]] * 20)
    assert splits_of(one, OTHER) == []


def test_empty_cases_change_nothing():
    with_empty = EventLog.from_traces([*ONE.traces(), *[[]] * 60])
    assert splits_of(with_empty, OTHER) == SPLIT


def test_a_step_may_have_more_than_two_parts_and_either_log_may_split():
    other = EventLog.from_traces([["1", "2", "4"], ["1", "3", "4"], ["1", "5", "4"]] * 20)
    agreement, pairs = (np.column_stack([cells, cells[:, 2]]) for cells in (AGREEMENT, LIKELY))
    assert splits_of(ONE, other, agreement, pairs) == [("check", ("2", "3", "5"))]


def test_a_planted_split_is_found_in_both_directions():
    one = [
        ["in", "check", "pay", "out"],
        ["in", "check", "ask", "check", "out"],
        ["in", "ask", "check", "pay", "mail", "out"],
    ] * 30
    other = [[f"{x} 2" if x == "check" and i % 2 else x for x in case] for i, case in enumerate(one[:-1])]
    logs = EventLog.from_traces(one), EventLog.from_traces(other)
    matching, turned = match(*logs), match(*logs[::-1])
    for found, side in ((matching, "a"), (turned, "b")):
        (split,) = found.splits
        assert (split.activity, split.side, sorted(split.parts)) == ("check", side, ["check", "check 2"])
        assert 0.5 < split.probability < 1
    assert matching.mapping()["check 2"] == "check"
    assert "check" not in [one.activity for one in matching.unmatched_a]
