"""Each kind of evidence for a pair is that of its definition: profiles and frequencies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, read_log
from actalike.two_logs.evidence import (
    Profiles,
    frequency_agreement,
    profile_likeness,
    profiles_of,
)
from tests.helpers import naive_matching
from tests.helpers.examples import examples
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


def agreement(a, b, certain, cautious=False):
    rows, columns = np.array(certain, dtype=np.int64).reshape(-1, 2).T
    return frequency_agreement(
        profiles_of(a.variants), a.activity_cases, profiles_of(b.variants), b.activity_cases, (rows, columns), cautious=cautious
    )


@examples(12)
@given(traces(), traces(), st.data())
def test_the_agreement_is_that_of_the_definition(cases_a, cases_b, data):
    a, b = EventLog.from_traces(cases_a), EventLog.from_traces(cases_b)
    pairs = st.lists(st.tuples(st.integers(0, len(a.activities) - 1), st.integers(0, len(b.activities) - 1)), max_size=4)
    certain = data.draw(pairs)
    labels = [(a.activities[i], b.activities[j]) for i, j in certain]
    for cautious in (False, True):
        definition = naive_matching.Logs(cases_a, cases_b).frequency_agreement(labels, cautious)
        expected = np.array([[definition[x, y] for y in b.activities] for x in a.activities])
        assert agreement(a, b, certain, cautious) == pytest.approx(expected, abs=1e-9)


def log_of(shares):
    """A log of 1,000 cases, in each share of which an activity is."""
    cases = [["all", *(f"{share}" for share in shares if i < 1000 * share)] for i in range(1000)]
    return EventLog.from_traces(cases)


def test_frequencies_count_for_much_only_if_those_of_certain_pairs_agree():
    shares = [0.1, 0.2, 0.4, 0.8, *(0.3 + i / 100 for i in range(20))]
    a, b, other = log_of(shares), log_of(shares), log_of([0.8, 0.05, 0.9, 0.2, *(0.95 - i / 25 for i in range(20))])
    pairs = [(i, i) for i in range(len(shares))]
    trusted, doubted = agreement(a, b, pairs)[0, 1], agreement(a, other, pairs)[0, 0]
    assert trusted < -3 < doubted < 0  # twice as frequent is much in the first pair of logs, and four times little in the second


def test_without_certain_pairs_frequencies_count_for_little():
    a = log_of([0.1, 0.8])
    assert -0.5 < agreement(a, a, []).min() < agreement(a, a, []).max() <= 0


def test_that_a_step_is_in_all_cases_of_both_logs_does_not_tell_how_far_choices_differ():
    always = EventLog.from_traces([["in", "out", "a"]] * 500 + [["in", "out", "b"]] * 500)
    shifted = EventLog.from_traces([["in", "out", "a"]] * 300 + [["in", "out", "b"]] * 700)
    of_steps = [(always.activities.index(x), shifted.activities.index(x)) for x in ("in", "out")]
    a = always.activities.index("a"), shifted.activities.index("a")
    assert agreement(always, shifted, of_steps)[a] < -3
    assert agreement(always, shifted, of_steps, cautious=True)[a] > -0.5
