"""Each kind of evidence for a pair is that of its definition: profiles, frequencies, texts."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, read_log
from actalike.labels import text_similarity
from actalike.two_logs.evidence import (
    OF_NAMES,
    WRITTEN_ALIKE,
    Profiles,
    frequency_agreement,
    further_evidence,
    label_likeness,
    profile_likeness,
    profiles_of,
)
from tests.helpers import naive_matching
from tests.helpers.examples import examples
from tests.helpers.label_slips import words
from tests.helpers.requirements import need_logs
from tests.helpers.strategies import traces

WEIGHTS = [(0.6, 0.0), (0.0, 1.0), (0.3, 0.5)]


def assert_equals_definition(cases, profiles, labels):
    for i, label in enumerate(labels):
        definition = naive_matching.profile(cases, label)
        for name in Profiles._fields:
            assert getattr(profiles, name)[i].tolist() == pytest.approx(definition[name], abs=1e-12)


@examples(10)
@given(traces(max_length=20))
def test_profiles_are_those_of_the_definition(cases):
    log = EventLog.from_traces(cases)
    assert_equals_definition(cases, profiles_of(log.variants), log.activities)


@examples(8)
@given(traces(max_cases=4), traces(max_cases=4))
def test_the_likeness_of_profiles_is_that_of_the_definition(cases_a, cases_b):
    a, b = EventLog.from_traces(cases_a), EventLog.from_traces(cases_b)
    for cases, ends in WEIGHTS:
        likeness = profile_likeness(profiles_of(a.variants), profiles_of(b.variants), cases, ends)
        definition = naive_matching.profile_likeness(cases_a, cases_b, cases, ends)
        for (x, y), value in definition.items():
            assert likeness[a.activities.index(x), b.activities.index(y)] == pytest.approx(value, abs=1e-9)


def test_positions_are_counted_in_fifths_and_in_doubling_steps_from_start_and_end():
    log = EventLog.from_traces([[f"{i:03}" for i in range(200)]])
    profiles = profiles_of(log.variants)
    places = [0, 1, 2, 3, 6, 7, 39, 40, 126, 127, 199]
    assert profiles.from_start.argmax(axis=1)[places].tolist() == [0, 1, 1, 2, 2, 3, 5, 5, 6, 7, 7]
    assert profiles.fifths.argmax(axis=1)[places].tolist() == [0] * 7 + [1, 3, 3, 4]
    assert np.array_equal(profiles.from_end, profiles.from_start[::-1])


def test_likeness_by_hand():
    a = profiles_of(EventLog.from_traces([["x"], ["x", "x"]]).variants)  # 1.5 events per case, a third of them loops
    b = profiles_of(EventLog.from_traces([["y", "z"], ["y", "y"]]).variants)  # y the same; z once, at the end of half the cases
    likeness = profile_likeness(a, b, cases=1.0, ends=0.0)
    overlap_y = np.sqrt(2 / 3 * 2 / 3) + np.sqrt(1 / 3 * 1 / 3)
    overlap_z = np.sqrt(1 / 3)
    of_z = np.log(overlap_z / overlap_y) - np.log(1.002 / 0.502) - 0.5 * np.log(1.5) - 0.5 / 3
    assert likeness.tolist() == [pytest.approx([0.0, of_z])]


def test_an_activity_of_a_real_log_has_the_profile_of_the_definition():
    log = read_log(need_logs() / "Helpdesk.xes.gz")
    cases = log.traces()[:400]
    part = EventLog.from_traces(cases)
    assert_equals_definition(cases, profiles_of(part.variants), part.activities)


def agreement(a, b, certain):
    rows, columns = np.array(certain, dtype=np.int64).reshape(-1, 2).T
    return frequency_agreement(
        profiles_of(a.variants), a.activity_cases, profiles_of(b.variants), b.activity_cases, (rows, columns)
    )


@examples(12)
@given(traces(), traces(), st.data())
def test_the_agreement_is_that_of_the_definition(cases_a, cases_b, data):
    a, b = EventLog.from_traces(cases_a), EventLog.from_traces(cases_b)
    pairs = st.lists(st.tuples(st.integers(0, len(a.activities) - 1), st.integers(0, len(b.activities) - 1)), max_size=4)
    certain = data.draw(pairs)
    labels = [(a.activities[i], b.activities[j]) for i, j in certain]
    definition = naive_matching.Logs(cases_a, cases_b).frequency_agreement(labels)
    expected = np.array([[definition[x, y] for y in b.activities] for x in a.activities])
    assert agreement(a, b, certain) == pytest.approx(expected, abs=1e-9)


def log_of(shares):
    """A log of 1,000 cases, in each share of which an activity is."""
    cases = [["all", *(f"{share}" for share in shares if i < 1000 * share)] for i in range(1000)]
    return EventLog.from_traces(cases)


def test_frequencies_count_for_much_only_if_those_of_certain_pairs_agree():
    a, b = log_of([0.1, 0.2, 0.4, 0.8]), log_of([0.1, 0.2, 0.4, 0.8])
    other = log_of([0.8, 0.05, 0.9, 0.2])
    pairs = [(0, 0), (1, 1), (2, 2), (3, 3)]
    trusted, doubted = agreement(a, b, pairs)[0, 1], agreement(a, other, pairs)[0, 0]
    assert trusted < -3 < doubted < 0  # twice as frequent is much in the first pair of logs, and four times little in the second


def test_without_certain_pairs_frequencies_count_for_little():
    a = log_of([0.1, 0.8])
    assert -0.5 < agreement(a, a, []).min() < agreement(a, a, []).max() <= 0


labels = st.lists(words, min_size=1, max_size=3).map(" ".join)
vocabularies = st.lists(labels, max_size=8, unique=True)


@examples(12)
@given(vocabularies, vocabularies, st.data())
def test_it_is_the_similarity_of_all_texts_in_one_list_and_second_names_stand_for_codes(a, b, data):
    names_a, names_b = (data.draw(st.dictionaries(st.sampled_from(side), labels)) if side else {} for side in (a, b))
    expected = np.zeros((len(a), len(b)))
    of_labels = text_similarity([*a, *b])[: len(a), len(a) :]
    of_shown = text_similarity([*(names_a.get(x, x) for x in a), *(names_b.get(x, x) for x in b)])[: len(a), len(a) :]
    for i, j in itertools.product(range(len(a)), range(len(b))):
        by_name = names_a.get(a[i], a[i]) != a[i] or names_b.get(b[j], b[j]) != b[j]
        spelling = of_labels[i, j] if of_labels[i, j] >= WRITTEN_ALIKE else 0
        expected[i, j] = max(of_shown[i, j] * (OF_NAMES if by_name else 1), spelling)
    likeness = label_likeness(a, b, names_a, names_b)
    np.testing.assert_array_equal(likeness, expected)
    np.testing.assert_array_equal(label_likeness(a, b), of_labels)
    assert all(likeness[i, b.index(label)] == 1 for i, label in enumerate(a) if label in b)


def test_numbers_and_opposites_pull_it_down():
    likeness = label_likeness(["Reminder 1", "Accept the offer"], ["Reminder 2", "Decline the offer", "accept the offer"])
    assert likeness[0, 0] <= 0.5
    assert likeness[1, 1] <= 0.2
    assert likeness[1, 2] == 1


def test_codes_that_differ_are_compared_by_their_names():
    a, b = ["01_HOOFD_010", "01_HOOFD_020"], ["X_1", "X_2"]
    likeness = label_likeness(a, b, dict(zip(a, ["register request", "send letter"], strict=True)), {"X_2": "Register request"})
    assert likeness.argmax() == 1
    assert likeness[0, 1] == OF_NAMES
    assert likeness[1].max() < 0.5


def test_empty_vocabularies_have_an_empty_matrix():
    assert label_likeness([], ["a"]).shape == (0, 1)
    assert label_likeness(["a"], [], {"a": "b"}).shape == (1, 0)


def test_only_what_is_asked_for_is_further_evidence():
    a, b = (EventLog.from_traces([labels]).variants for labels in (["Pay", "Send"], ["Pay", "Dispatch"]))
    assert further_evidence(a, b, ({}, {}), use_labels=False) is None
    scores, log_odds = further_evidence(a, b, ({}, {}), use_labels=True)
    assert (scores[0].max(), log_odds[0].argmax()) == (0.0, b.activities.index("Pay"))
    assert (scores <= 0).all()
    assert log_odds.min() < 0 < log_odds.max()
