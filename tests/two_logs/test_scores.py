"""The scores of all pairs, and what they are made of, are those of the definition: kin across two logs."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from actalike import EventLog, read_log
from actalike.two_logs.cross_kin import (
    FREQUENCY_WEIGHT,
    WEIGHTS,
    Uses,
    agreement,
    agreements,
    balanced,
    compare_new_labels,
    cross_kin,
    neighbour_agreements,
    neighbour_scores,
    score_terms,
    togetherness,
    unrestricted_log_scores,
)
from actalike.two_logs.texts import TextEvidence
from tests.helpers import naive_matching
from tests.helpers.examples import examples
from tests.helpers.requirements import need_logs
from tests.helpers.strategies import traces


def assert_uses_equal_definition(cases):
    log = EventLog.from_traces(cases)
    uses, symbols = Uses.of(log.variants), [*log.activities, None]
    for around in uses.around:
        definition = naive_matching.company(cases, around.offset)
        rows = np.array([[definition[a, x] for x in symbols] for a in log.activities])
        assert np.array([around.row(i) for i in range(len(log.activities))]) == pytest.approx(rows, abs=1e-12)
    definition = naive_matching.togetherness(cases)
    rows = np.array([[definition[a, x] for x in log.activities] for a in log.activities])
    assert uses.together == pytest.approx(rows, abs=1e-6)  # differences of roots, divided by their length


@examples(10)
@given(traces())
def test_neighbours_are_those_of_the_definition(cases):
    assert_uses_equal_definition(cases)


def test_the_neighbours_in_a_real_log_are_those_of_the_definition():
    assert_uses_equal_definition(read_log(need_logs() / "Helpdesk.xes.gz").traces()[:60])


@examples(8)
@given(traces())
def test_the_squares_of_each_row_sum_to_one(cases):
    uses = Uses.of(EventLog.from_traces(cases).variants)
    for around in uses.around:
        for i in range(len(uses)):
            assert (around.row(i) ** 2).sum() == pytest.approx(1.0)


def test_offsets_weigh_one_together_and_the_same_on_both_sides():
    assert sum(WEIGHTS.values()) == pytest.approx(1.0)
    assert all(WEIGHTS[offset] == WEIGHTS[-offset] for offset in WEIGHTS)


def test_up_to_four_events_away_counts_less_the_farther():
    uses = Uses.of(EventLog.from_traces([list("abcdef")] * 1000).variants)
    far = uses.around[-1]
    assert far.offset == 4
    harmonic = 1 + 1 / 2 + 1 / 3 + 1 / 4
    assert (far.row(0) ** 2)[1:5] == pytest.approx([1 / d / harmonic for d in (1, 2, 3, 4)], abs=1e-3)
    assert (far.row(5) ** 2)[-1] == pytest.approx(1.0, abs=1e-3)  # outside the case, at all four distances


def test_nobody_is_more_together_than_usual_if_all_activities_are_in_all_cases():
    together = togetherness(EventLog.from_traces([["a", "b", "c"], ["c", "a", "b", "b"]] * 3).variants)
    assert np.isfinite(together).all()
    assert together == pytest.approx(0.0, abs=1e-3)


def test_activities_of_the_same_cases_are_together():
    together = togetherness(EventLog.from_traces([["a", "b"], ["c", "d"]] * 10).variants)
    assert (together[0] > 0).tolist() == [True, True, False, False]
    assert together[0] == pytest.approx(together[2][[2, 3, 0, 1]])


NOTHING = np.empty((0, 2), dtype=np.int64)
few_traces = traces(st.sampled_from("abcd"), max_cases=5, max_length=6)


def as_array(cells, labels_a, labels_b):
    return np.array([[cells[a, b] for b in labels_b] for a in labels_a])


def assert_equals_definition(cases_a, cases_b, known, texts=None, apart=()):
    """Compare all of kin across logs; return whether there was something to compare."""
    a, b = EventLog.from_traces(cases_a), EventLog.from_traces(cases_b)
    codes = np.array([(a.activities.index(x), b.activities.index(y)) for x, y in known.items()], dtype=np.int64).reshape(-1, 2)
    logs = naive_matching.Logs(cases_a, cases_b, apart)
    if texts is None:
        definition = naive_matching.cross_kin(logs, known)
    else:
        scores = {(x, y): texts.scores[i, j] for i, x in enumerate(a.activities) for j, y in enumerate(b.activities)}
        definition = naive_matching.cross_kin(logs, known, scores, texts.trust)
    if not definition["is_clear"]:
        return False
    is_apart = np.array([[(x, y) in apart for y in b.activities] for x in a.activities])
    kin = cross_kin(a.variants, b.variants, codes, texts, is_apart)
    labels = a.activities, b.activities
    assert kin.view.together == definition["together"]
    assert kin.frequencies == pytest.approx(as_array(definition["frequencies"], *labels), abs=1e-9)
    assert kin.rounds.scores == pytest.approx(as_array(definition["scores"], *labels), abs=1e-6)
    assert kin.rounds.alike[:-1, :-1] == pytest.approx(as_array(definition["alike"], *labels), abs=1e-6)
    is_finite = np.isfinite(kin.rounds.log_scores)
    log_scores = as_array(definition["log_scores"], *labels)
    assert np.array_equal(is_finite, np.isfinite(log_scores))
    assert kin.rounds.log_scores[is_finite] == pytest.approx(log_scores[is_finite], abs=1e-6)
    assigned = [(labels[0][i], labels[1][j]) for i, j in zip(*kin.rounds.assigned, strict=True)]
    assert sorted(assigned) == sorted(definition["assigned"])
    assert kin.seconded.tolist() == [pair in definition["seconded"] for pair in assigned]
    assert kin.rounds.agreement == pytest.approx(logs.agreement(assigned))
    expected = as_array(logs.agreements(assigned), *labels)
    assert agreements(kin.uses_a, kin.uses_b, kin.rounds.assigned) == pytest.approx(expected)
    return True


@examples(8)
@given(few_traces, few_traces)
def test_scores_are_those_of_the_definition(cases_a, cases_b):
    assume(assert_equals_definition(cases_a, cases_b, {}))


@examples(5)
@given(few_traces, few_traces, st.integers(0, 2**32 - 1))
def test_scores_with_known_pairs_and_label_texts_are_those_of_the_definition(cases_a, cases_b, seed):
    chance = np.random.default_rng(seed)
    labels_a, labels_b = naive_matching.labels_of(cases_a), naive_matching.labels_of(cases_b)
    known = {labels_a[-1]: labels_b[0]} if seed % 3 else dict(zip(labels_a, labels_b, strict=False))
    texts = TextEvidence(5 * chance.random((len(labels_a), len(labels_b))), np.empty(0), chance.random())
    assume(assert_equals_definition(cases_a, cases_b, known, texts))


@examples(5)
@given(few_traces, few_traces, st.integers(0, 2**32 - 1))
def test_scores_with_pairs_that_are_apart_are_those_of_the_definition(cases_a, cases_b, seed):
    chance = np.random.default_rng(seed)
    labels_a, labels_b = naive_matching.labels_of(cases_a), naive_matching.labels_of(cases_b)
    known = {labels_a[-1]: labels_b[0]} if seed % 2 else {}
    others = [(a, b) for a in labels_a for b in labels_b if known.get(a) != b]
    apart = {pair for pair in others if chance.random() < 0.3}
    assume(assert_equals_definition(cases_a, cases_b, known, apart=apart))


def test_scores_of_real_cases_are_those_of_the_definition():
    cases = [case for case in read_log(need_logs() / "Helpdesk.xes.gz").traces()[:300] if len(set(case)) <= 6]
    rare = {label for case in cases for label in case if sum(label in other for other in cases) < 12}
    cases = [case for case in cases if not rare & set(case)]
    assert len(naive_matching.labels_of(cases)) > 3
    assert assert_equals_definition(cases[::2], cases[1::2], {})


@examples(8)
@given(few_traces, few_traces, st.integers(0, 2**32 - 1))
def test_terms_are_those_of_the_definition_and_sum_to_s(cases_a, cases_b, seed):
    a, b = EventLog.from_traces(cases_a), EventLog.from_traces(cases_b)
    kin = cross_kin(a.variants, b.variants, NOTHING)
    i, j = seed % len(a.activities), seed // 7 % len(b.activities)
    x_labels, y_labels = [*a.activities, None], [*b.activities, None]
    alike = {(x, y): kin.rounds.alike[p, q] for p, x in enumerate(a.activities) for q, y in enumerate(b.activities)}
    definition = naive_matching.Logs(cases_a, cases_b).terms(alike, kin.view.together)
    terms = dict(score_terms(kin, i, j))
    assert set(terms) == set(definition)
    for offset, of_offset in terms.items():
        for (x, y), term in np.ndenumerate(of_offset):
            expected = definition[offset][a.activities[i], b.activities[j], x_labels[x], y_labels[y]]
            assert term == pytest.approx(expected, abs=1e-9)


@examples(8)
@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_balancing_is_that_of_the_definition(n_a, n_b, seed):
    logs = np.log(np.random.default_rng(seed).random((n_a, n_b)) + 1e-6)
    cells = naive_matching.balanced(dict(np.ndenumerate(logs)), 3.0)
    assert balanced(logs, 3.0) == pytest.approx(as_array(cells, range(n_a), range(n_b)), abs=1e-9)


def test_balancing_survives_the_least_scores_and_labels_without_any_candidate():
    far = np.full((4, 9), -40.0)
    far[0, 0] = 0.0
    assert np.isfinite(balanced(far, 16.0)).all()
    far[1] = far[:, 3] = -np.inf
    weights = balanced(far, 16.0)
    assert np.isfinite(weights).all()
    assert not weights[1].any()
    assert not weights[:, 3].any()


def test_a_log_agrees_with_itself_and_with_nothing_else():
    log = EventLog.from_traces([["a", "b", "c", "d"], ["a", "c", "b", "d"], ["b", "b", "d"]] * 20)
    kin = cross_kin(log.variants, log.variants, NOTHING)
    same = (np.arange(4), np.arange(4))
    assert agreement(kin.uses_a, kin.uses_a, same) == pytest.approx(1.0)
    assert agreement(kin.uses_a, kin.uses_a, (same[0], same[1][[1, 0, 3, 2]])) < 0.8


def test_neighbours_that_count_as_nothing_give_no_score():
    log = EventLog.from_traces([["a", "b"]])
    around = cross_kin(log.variants, log.variants, NOTHING).uses_a.around
    assert not neighbour_scores(around, around, np.zeros((3, 3))).any()


@given(few_traces, few_traces)
def test_scores_of_all_pairs_are_those_of_the_last_round_before_pairs_are_excluded(cases_a, cases_b):
    assume(any(cases_a) and any(cases_b))
    log_a, log_b = EventLog.from_traces(cases_a), EventLog.from_traces(cases_b)
    kin = cross_kin(log_a.variants, log_b.variants, np.array([[0, 0]]))
    scores = unrestricted_log_scores(kin) + FREQUENCY_WEIGHT * kin.frequencies
    assert (scores - scores.max())[1:, 1:] == pytest.approx(kin.rounds.log_scores[1:, 1:])
    assert np.isfinite(scores).all()
    assert np.array_equal(neighbour_agreements(kin), agreements(kin.uses_a, kin.uses_b, kin.rounds.assigned))


PAST = EventLog.from_traces([["a", "b", "c"], ["a", "d"]] * 9)
NOW = EventLog.from_traces([["a", "x", "c"], ["a", "y", "y"]] * 5)


def test_columns_are_the_new_labels_and_rows_all_old_ones():
    new = compare_new_labels(PAST, NOW)
    assert [NOW.activities[code] for code in new.codes] == ["x", "y"]
    assert new.is_used.tolist() == [True, False, True, False]
    kin = cross_kin(PAST.variants, NOW.variants, np.array([[0, 0], [2, 1]]))
    assert np.array_equal(new.likeness, unrestricted_log_scores(kin)[:, 2:])
    assert np.array_equal(new.frequency, FREQUENCY_WEIGHT * kin.frequencies[:, 2:])
    assert np.array_equal(new.agreement, neighbour_agreements(kin)[:, 2:])


def test_without_new_labels_there_is_nothing_to_compare():
    assert compare_new_labels(PAST, EventLog.from_traces([["a", "b"]])) is None
