import numpy as np
import pytest
from hypothesis import given

from actalike import EventLog, read_log
from actalike.two_logs.activity_profiles import Profiles, profile_likeness, profiles_of
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
    assert_equals_definition(cases, profiles_of(log), log.activities)


@examples(8)
@given(traces(max_cases=4), traces(max_cases=4))
def test_the_likeness_of_profiles_is_that_of_the_definition(cases_a, cases_b):
    a, b = EventLog.from_traces(cases_a), EventLog.from_traces(cases_b)
    for cases, ends in WEIGHTS:
        likeness = profile_likeness(profiles_of(a), profiles_of(b), cases, ends)
        definition = naive_matching.profile_likeness(cases_a, cases_b, cases, ends)
        for (x, y), value in definition.items():
            assert likeness[a.activities.index(x), b.activities.index(y)] == pytest.approx(value, abs=1e-9)


def test_positions_are_counted_in_fifths_and_in_doubling_steps_from_start_and_end():
    log = EventLog.from_traces([[f"{i:03}" for i in range(200)]])
    profiles = profiles_of(log)
    places = [0, 1, 2, 3, 6, 7, 39, 40, 126, 127, 199]
    assert profiles.from_start.argmax(axis=1)[places].tolist() == [0, 1, 1, 2, 2, 3, 5, 5, 6, 7, 7]
    assert profiles.fifths.argmax(axis=1)[places].tolist() == [0] * 7 + [1, 3, 3, 4]
    assert np.array_equal(profiles.from_end, profiles.from_start[::-1])


def test_likeness_by_hand():
    a = profiles_of(EventLog.from_traces([["x"], ["x", "x"]]))  # 1.5 events per case, a third of them loops
    b = profiles_of(EventLog.from_traces([["y", "z"], ["y", "y"]]))  # y the same; z once, at the end of half the cases
    likeness = profile_likeness(a, b, cases=1.0, ends=0.0)
    overlap_y = np.sqrt(2 / 3 * 2 / 3) + np.sqrt(1 / 3 * 1 / 3)
    overlap_z = np.sqrt(1 / 3)
    of_z = np.log(overlap_z / overlap_y) - np.log(1.002 / 0.502) - 0.5 * np.log(1.5) - 0.5 / 3
    assert likeness.tolist() == [pytest.approx([0.0, of_z])]


def test_an_activity_of_a_real_log_has_the_profile_of_the_definition():
    log = read_log(need_logs() / "Helpdesk.xes.gz")
    cases = log.traces()[:400]
    part = EventLog.from_traces(cases)
    assert_equals_definition(cases, profiles_of(part), part.activities)
