"""Witnesses of time and people, and steps that belong together: found where there are some, never by chance."""

import random
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import Attribute, EventLog, count_windows
from actalike.labels.relations import Togetherness
from actalike.labels.witnesses import Usage
from tests.helpers import naive_evidence
from tests.helpers.examples import examples
from tests.helpers.strategies import traces

DAY = np.timedelta64(1, "D")
START = np.datetime64("2024-01-01", "us")


def log_of(events, case=None):
    """A log of events (label, day, person), each a case of its own unless ``case`` says which one it is in."""
    labels, days, people = zip(*events, strict=True)
    names = sorted(set(labels))
    moments = np.array([np.datetime64("NaT", "us") if day is None else START + day * DAY for day in days], "datetime64[us]")
    offsets = np.arange(len(events) + 1) if case is None else case
    who = {"org:resource": Attribute.from_texts(people)} if any(people) else {}
    ids = [str(i) for i in range(len(offsets) - 1)]
    return EventLog(names, [names.index(label) for label in labels], offsets, ids, moments, attributes=who)


def kinds(log, a=0, b=1):
    return [witness.kind for witness in Usage(log).witnesses(a, b)]


def old_and_new(n, m, gap=0):
    return [("new", 1000 + gap + day, None) for day in range(m)] + [("old", 1000 - day, None) for day in range(1, n + 1)]


def test_a_label_that_replaces_another_is_a_witness_with_dates():
    log = log_of(old_and_new(100, 50))
    (witness,) = Usage(log).witnesses(0, 1)
    assert (witness.kind, witness.a, witness.b, witness.earlier) == ("periods", "new", "old", "old")
    assert (witness.until, witness.since) == ((START + 999 * DAY).astype("M8[D]"), (START + 1000 * DAY).astype("M8[D]"))
    (swapped,) = Usage(log).witnesses(1, 0)
    assert (swapped.earlier, swapped.until, swapped.since) == (witness.earlier, witness.until, witness.since)


def test_a_few_late_events_of_the_old_label_change_nothing():
    assert kinds(log_of([*old_and_new(100, 100), *(("old", 1090, None) for _ in range(5))])) == ["periods"]
    assert kinds(log_of([*old_and_new(100, 100), *(("old", 1090, None) for _ in range(15))])) == []


def test_labels_side_by_side_have_no_periods():
    assert kinds(log_of([(label, day, None) for day in range(200) for label in "ab"])) == []
    assert kinds(log_of([(label, 7, None) for _ in range(50) for label in "ab"])) == []  # all at one moment


@pytest.mark.parametrize(("n", "expected"), [(19, []), (20, ["periods"])])
def test_few_cases_are_no_witnesses(n, expected):
    assert kinds(log_of(old_and_new(n, 100, gap=5))) == expected


def test_cases_count_by_the_first_event_of_the_label():
    """Each case uses the old label once early and, again, late."""
    events = [event for day in range(30) for event in (("old", day, None), ("old", 5000 + day, None))]
    events += [("new", 1000 + day, None) for day in range(30)]
    log = log_of(events, case=[*range(0, 61, 2), *range(61, 91)])
    assert kinds(log) == ["periods"]


moments = st.lists(st.integers(0, 60) | st.integers(40, 100), min_size=1, max_size=60)


@examples(30)
@given(moments, moments, st.integers(0, 100))
def test_periods_are_as_defined(first, second, shift):
    first, second = first + [0] * 20, [x + shift for x in second] + [100 + shift] * 20
    others = [*range(0, 200, 3)]
    events = [("a", x, None) for x in first] + [("b", x, None) for x in second] + [("c", x, None) for x in others]
    assert kinds(log_of(events)) == ["periods"] * naive_evidence.are_used_in_turn(first, second, [*first, *second, *others])


def test_a_label_of_the_last_days_is_not_used_after_one_that_goes_on():
    events = [(label, day, None) for day in range(300) for label in ("a", "b") if label == "a" or day >= 273]
    assert kinds(log_of(events)) == []


def test_chance_makes_no_witnesses():
    """400 pairs of labels whose moments and people are drawn by chance."""
    chance = random.Random(5)
    events = [(f"{chance.randrange(29):02}", chance.randrange(300), f"p{chance.randrange(6)}") for _ in range(29 * 30)]
    usage = Usage(log_of(events))
    assert not any(usage.witnesses(a, b) for a in range(29) for b in range(a))


def two_offices(chance, people, n=60):
    """The offices say *a* and *b*, and both do the other steps alike."""
    events = []
    for person, label in people:
        events += [(label, chance.randrange(900), person)] * n
        events += [(chance.choice(["x", "y", "z"]), chance.randrange(900), person) for _ in range(n)]
    return log_of(events)


def test_two_offices_are_witnesses():
    (witness,) = Usage(two_offices(random.Random(1), [("Ann", "a"), ("Bob", "a"), ("Cleo", "b"), ("Dan", "b")])).witnesses(0, 1)
    assert (witness.kind, witness.attribute, witness.a, witness.b) == ("people", "org:resource", "a", "b")


def test_people_who_use_both_are_no_witnesses():
    assert kinds(two_offices(random.Random(1), [("Ann", "a"), ("Ann", "b"), ("Bob", "a"), ("Bob", "b")])) == []


def test_a_clerk_and_a_manager_are_no_witnesses():
    events = [("a", day, "clerk") for day in range(60)] + [("b", day, "manager") for day in range(60)]
    events += [("x", day, "clerk") for day in range(60)] + [("y", day, "manager") for day in range(60)]
    assert kinds(log_of(events)) == []


def test_people_with_no_other_work_are_no_witnesses():
    assert kinds(log_of([("a", day, "Ann") for day in range(60)] + [("b", day, "Bob") for day in range(60)])) == []


def test_values_that_nobody_shares_are_no_witnesses():
    """Every event has an id of its own: a random assignment would not have them in common either."""
    events = [(label, day, f"{label}{day}") for day in range(60) for label in "ab"]
    assert kinds(log_of(events + [("x", day, f"{label}{day}") for day in range(60) for label in "ab"])) == []


@examples(25)
@given(st.integers(0, 2**32))
def test_people_are_as_defined(seed):
    chance = random.Random(seed)
    work = {person: chance.choices("xyz", k=chance.randrange(1, 4)) for person in "ABCD"}
    events = [("a", 0, chance.choice("AB")) for _ in range(25)] + [("b", 0, chance.choice("CD")) for _ in range(25)]
    events += [("b", 0, chance.choice("AB")) for _ in range(chance.randrange(4))]
    events += [(chance.choice(work[person]), 0, person) for person in "ABCD" for _ in range(5)]
    log = log_of(events)
    people = [(label, person) for label, _, person in events]
    counts = {label: [sum(one == (label, person) for one in people) for person in "ABCD"] for label in "ab"}
    shares = {label: [n / sum(counts[label]) for n in counts[label]] for label in "ab"}
    are_separate = sum(map(min, shares["a"], shares["b"])) <= 0.1
    expected = are_separate and round(naive_evidence.other_work(people, "a", "b"), 9) >= 0.6
    assert kinds(log) == ["people"] * expected


def test_missing_moments_and_people_say_nothing():
    events = old_and_new(40, 40)
    assert kinds(log_of([(label, None, None) for label, _, _ in events])) == []
    assert kinds(log_of([*events, *(("old", None, None) for _ in range(30)), *(("new", None, None) for _ in range(30))])) == [
        "periods"
    ]
    unknown = [("a", 0, None)] * 30 + [("b", 0, None)] * 30 + [("x", 0, "Ann")]
    assert kinds(log_of(unknown)) == []


def test_a_log_without_moments_has_no_periods():
    log = EventLog.from_traces([["a"], ["b"]] * 30)
    assert kinds(log) == []


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
