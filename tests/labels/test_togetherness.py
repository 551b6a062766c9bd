"""Steps that belong together are told from names of one step, and from outcomes of one decision."""

import random
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, count_windows
from actalike.labels.relations import Togetherness
from tests.helpers.examples import examples
from tests.helpers.strategies import traces

DAY = np.timedelta64(1, "D")


def togetherness(log):
    return Togetherness(log, count_windows(log, 3))


def timed(cases, days):
    """A log whose events have the given days."""
    log = EventLog.from_traces(cases)
    moments = np.datetime64("2024-01-01", "us") + np.array([day for case in days for day in case]) * DAY
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, moments)


def naive_attraction(events, members, pairs):
    shares = [events.count(label) / sum(events.count(x) for x in members) for label in members]
    by_chance = 1 - sum(share**2 for share in shares)
    chosen = [(x, y) for x, y in pairs if x in members and y in members]
    return (sum(x != y for x, y in chosen) + 5 * by_chance) / (len(chosen) + 5) / by_chance


@examples(25)
@given(traces(st.sampled_from("abcd")), st.data())
def test_it_is_as_defined(cases, data):
    days = [[data.draw(st.integers(0, 2)) for _ in case] for case in cases]
    log = timed(cases, days)
    if len(log.activities) < 2:
        return
    members = data.draw(st.lists(st.sampled_from(log.activities), unique=True, min_size=2))
    events = [label for case in cases for label in case]
    held = [len(set(members) & set(case)) for case in cases if set(members) & set(case)]
    in_cases = min(
        naive_attraction(events, pair, [xy for case in cases for xy in combinations([x for x in case if x in pair], 2)])
        for pair in combinations(members, 2)
    )
    neighbours = naive_attraction(events, members, [pair for case in cases for pair in pairwise(case)])
    both = (zip(case, when, strict=True) for case, when in zip(cases, days, strict=True))
    at_once = [(x, y) for case in both for (x, day), (y, other) in combinations(case, 2) if day == other]
    instants = naive_attraction(events, members, at_once)
    having = {label: {i for i, case in enumerate(cases) if label in case} for label in members}
    often = all(5 * len(having[x] & having[y]) >= min(len(having[x]), len(having[y])) for x, y in combinations(members, 2))
    expected = sum(n > 1 for n in held) / len(held) >= 0.5 and often and max(in_cases, neighbours, instants) >= 1.3
    places = [log.activities.index(label) for label in members]
    assert togetherness(log).is_belonging(places) == expected
    assert togetherness(log).share(places) == sum(n > 1 for n in held) / len(held)


def blood_tests(chance, *, times):
    """Cases with two blood tests of each sample, in any order."""
    cases = []
    for _ in range(100):
        case = ["admit"]
        for _ in range(times):
            case += [*chance.sample(["crp", "leucocytes"], 2), chance.choice(["visit", "rest"])]
        cases.append(case)
    return EventLog.from_traces(cases)


@pytest.mark.parametrize("times", [1, 2, 5])
def test_steps_that_come_together_belong_together_however_often_they_are_repeated(times):
    log = blood_tests(random.Random(1), times=times)
    assert togetherness(log).is_belonging([log.activities.index("crp"), log.activities.index("leucocytes")])


@pytest.mark.parametrize("share", [0.5, 0.2])
def test_names_that_change_from_event_to_event_do_not(share):
    chance = random.Random(2)
    log = EventLog.from_traces([["b" if chance.random() < share else "a" for _ in range(8)] + ["x"] for _ in range(200)])
    assert togetherness(log).share([0, 1]) > 0.5
    assert not togetherness(log).is_belonging([0, 1])


def test_steps_at_one_instant_belong_together_although_others_come_between():
    """Five tests at one instant, listed in any order; each day of each case has them once."""
    chance = random.Random(3)
    tests = ["crp", "glucose", "leucocytes", "potassium", "sodium"]
    samples = [[chance.sample(tests, 5) for _ in range(6)] for _ in range(30)]
    log = timed(
        [[test for sample in case for test in sample] for case in samples],
        [[day for day in range(6) for _ in tests] for _ in samples],
    )
    assert togetherness(log).is_belonging([0, 2])


def test_moments_that_are_missing_say_nothing():
    chance = random.Random(2)
    cases = [[chance.choice("ab") for _ in range(8)] for _ in range(100)]
    log = EventLog.from_traces(cases)
    log = EventLog(log.activities, log.codes, log.offsets, log.case_ids, np.full(log.n_events, "NaT", "datetime64[us]"))
    assert not togetherness(log).is_belonging([0, 1])
