"""Families of labels are one step if they behave as one step."""

import random
from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, count_windows, group
from actalike.labels.patterns import (
    _behave_as_the_others,
    _coincidences,
    _Neighbours,
    alike_families,
    come_together,
    label_families,
)
from actalike.log import CoOccurrence
from tests.helpers import naive_evidence
from tests.helpers.examples import LONG, examples


def patterns(cases):
    log = EventLog.from_traces(cases)
    return [(family.pattern, len(family.members)) for family in alike_families(log, count_windows(log, 3))]


@examples(25)
@given(st.lists(st.lists(st.sampled_from(["a 1", "a 2", "b 1", "b 2", "c"]), max_size=6), min_size=1, max_size=6).filter(any))
def test_coincidences_are_those_of_all_pairs_of_events(cases):
    log = EventLog.from_traces(cases)
    families = label_families(log.activities)
    labels = {log.activities[i]: family.pattern for family in families for i in family.members}
    neighbours = _Neighbours(count_windows(log, 3), families)
    for family in families:
        members = {log.activities[i] for i in family.members}
        sides = neighbours.of(family.members)
        for side, shift in zip(sides, (-1, 1), strict=True):
            counts = naive_evidence.neighbours(cases, shift)
            own = sum(n for label in members for x, n in counts[label].items() if x in members)
            assert side.within == pytest.approx(own / sum(sum(counts[label].values()) for label in members))
        expected = naive_evidence.coincidences(cases, members, lambda x: labels.get(x, x))
        measured = [_coincidences(side) for side in sides]
        for values, value in zip(zip(*measured, strict=True), expected, strict=True):
            assert sum(values) / 2 == pytest.approx(float("nan") if value is None else value, nan_ok=True)


@examples(25)
@given(
    st.lists(st.lists(st.sampled_from(["a 1", "a 2", "a 3", "b 1", "b 2", "c"]), max_size=6), min_size=1, max_size=6).filter(any),
    st.integers(1, 5),
)
def test_outliers_are_those_of_all_pairs_of_events(cases, times):
    log = EventLog.from_traces(cases * times)
    families = label_families(log.activities)
    labels = {log.activities[i]: family.pattern for family in families for i in family.members}
    neighbours = _Neighbours(count_windows(log, 3), families)
    for family in families:
        names = [log.activities[i] for i in family.members]
        stays = _behave_as_the_others(neighbours.of(family.members))
        leave = {name for name, is_alike in zip(names, stays.tolist(), strict=True) if not is_alike}
        assert leave == naive_evidence.outliers(cases * times, set(names), lambda x: labels.get(x, x))


def test_a_member_with_nothing_in_common_leaves_the_family():
    cases = [["file", f"pay by user {i % 12}", "close"] for i in range(240)]
    for plain in (30, 1000):
        assert patterns([*cases, *[["pay by user", "z"]] * plain]) == [("pay by user #", 12)]
    assert patterns([*cases, *[["start", "pay by user 99", "decide", "end"]] * 30]) == [("pay by user #", 12)]
    assert patterns([*cases, *[["file", "pay by user 99", "decide", "end"]] * 30]) == [("pay by user #", 12)]  # one side differs
    assert patterns([*cases, *[["file", "pay by user", "close"]] * 30, ["z"]]) == [("pay by user #", 13)]


def test_few_events_prove_little():
    cases = [["file", f"pay by user {i % 12}", "close"] for i in range(240)]
    for n, size in ((4, 13), (5, 12)):
        assert patterns([*cases, *[["start", "pay by user 99", "decide", "end"]] * n]) == [("pay by user #", size)]
    assert patterns([*cases, *[["start", "pay by user 99", "decide", "end"]] * 5, ["file", "pay by user 99", "close"]]) == [
        ("pay by user #", 13)
    ]


def test_a_family_that_is_too_small_without_its_outliers_is_none():
    cases = [["file", f"pay by user {i % 9}", "close"] for i in range(180)]
    assert patterns([*cases, *[["start", "pay by user 99", "decide", "end"]] * 30]) == []


def test_four_steps_with_hundreds_of_users_are_four_groups():
    chance, users = random.Random(1), 500 if LONG else 100
    steps = ["Register by user", "Check by user", "Decide by user", "Pay by user"]
    numbers = [cycle(chance.sample(range(users), users)) for _ in steps]
    log = EventLog.from_traces(
        [[f"{step} {next(number)}" for step, number in zip(steps, numbers, strict=True)] for _ in range(5 * users)]
    )
    assert len(log.activities) == 4 * users
    groups = group(log)
    assert sorted((one.name, len(one.activities), one.relation) for one in groups) == sorted(
        (step, users, "synonyms") for step in steps
    )
    assert {one.pattern for one in groups} == {f"{step} #" for step in steps}


def test_numbered_steps_that_follow_each_other_are_no_family():
    chance = random.Random(2)
    cases = [["Bill", *(f"Reminder {i}" for i in range(chance.randrange(13))), "Pay"] for _ in range(300)]
    assert patterns(cases) == []
    assert patterns([["Bill", "Reminder 1", "Call", "Reminder 2", "Pay"]] * 50) == []


def test_the_codes_of_a_routine_are_no_family():
    codes = [f"01_HOOFD_{number:03}" for number in range(0, 300, 10)]
    chance = random.Random(3)
    cases = [[code for code in codes if chance.random() < 0.8] + ["End"] for _ in range(200)]
    assert patterns(cases) == []
    assert patterns([[chance.choice(codes) for _ in range(10)] + ["End"] for _ in range(200)]) == []  # nor in any order


CODES = {
    "number": [f"05_EIND_{number:03}" for number in range(10, 140, 10)],
    "number after a word": [f"Step {number}" for number in range(1, 14)],
    "number after a letter": [f"A{number}" for number in range(1, 14)],
    "id": [f"10_UOV_{number:03}{'ab'[number // 10 % 2]}" for number in range(10, 140, 10)],
}


@pytest.mark.parametrize("codes", CODES.values(), ids=CODES.keys())
@pytest.mark.parametrize("order", ["in order", "in any order"])
def test_steps_that_come_together_in_a_tenth_of_the_cases_are_not_accepted_as_one(codes, order):
    """Most cases have one of the steps, some have all of them: they share nearly all cases of the rarer one."""
    chance, cases = random.Random(5), []
    for _ in range(600):
        steps = [chance.choice(codes)] if chance.random() < 0.9 else list(codes)
        if order == "in any order":
            chance.shuffle(steps)
        cases.append(["Open", "Check", *steps, "Close", "File"])
    assert patterns(cases) == []
    assert [one.activities for one in group(EventLog.from_traces(cases)) if one.relation == "synonyms"] == []


def test_frequent_steps_that_follow_each_other_by_their_numbers_are_no_family():
    chance, codes = random.Random(6), [f"Reminder {number}" for number in range(1, 14)]
    ordered, unordered = [], []
    for _ in range(600):
        two = chance.random() < 0.1
        places = sorted(chance.sample(range(13), 2)) if two else [chance.randrange(13)]
        ordered.append(["Open", *(codes[place] for place in places), "Close"])
        unordered.append(["Open", *(codes[place] for place in chance.sample(places, len(places))), "Close"])
    assert patterns(ordered) == []
    assert patterns(unordered) == [("Reminder #", 13)]


@examples(25)
@given(st.lists(st.lists(st.sampled_from(["a 1", "a 2", "a 3", "a 4", "a 5"]), max_size=3), min_size=1, max_size=30).filter(any))
def test_steps_come_together_in_cases_and_ids_by_chance(cases):
    log = EventLog.from_traces(cases * 5)
    for family in label_families(log.activities):
        names = {log.activities[i] for i in family.members}
        assert come_together(log, CoOccurrence(log), family) == naive_evidence.come_together(cases * 5, names)


def test_dates_with_names_of_months_are_one_family():
    labels = [f"Due {day}-{month}-2020" for day in (3, 19) for month in ("Nov", "Dec", "Jan", "Oct")]
    assert patterns([["file", label, "close"] for label in labels * 5] + [["other", "thing"]] * 9) == [("Due …", 8)]


def test_numbers_with_behaviour_of_their_own_are_no_family():
    """Ten products, each with a machine of its own before it and another after it."""
    cases = [[f"{'pqrstuvwxy'[i]}", f"Make part {i}", f"{'klmnopabcd'[i]}"] for i in range(10)] * 20
    assert patterns(cases) == []


def test_all_labels_of_a_log_are_no_family():
    assert patterns([[f"Step {i % 12}", f"Step {(i + 1) % 12}"] for i in range(100)]) == []


def test_few_numbers_are_names_of_steps_but_few_ids_are_not():
    few = [["file", f"stage {i % 9}", "close"] for i in range(90)] + [["other", "thing"]] * 30
    assert patterns(few) == []
    ids = [["file", f"check {number}", "close"] for number in ("a81f3", "77b2c", "9d0e4", "c3a51", "5e8b7")] * 10
    assert patterns([*ids, *[["other", "thing"]] * 30]) == [("check …", 5)]
    assert patterns([*ids[:4], *[["other", "thing"]] * 30]) == []


def test_polluted_labels_and_the_plain_one_are_a_family():
    cases = [["file", "Check invoice", "pay"]] * 50 + [["file", f"Check invoice_{x}", "pay"] for x in ("3fa9c1", "be77d0")]
    assert patterns([*cases, *[["call", "file"], ["pay", "call"]] * 20]) == [("Check invoice_…", 3)]
    (first, *_) = group(EventLog.from_traces([*cases, *[["call", "file"], ["pay", "call"]] * 20]))
    assert (first.name, first.relation) == ("Check invoice", "synonyms")


def test_neighbours_of_a_smaller_family_do_not_count_as_those_of_a_larger_one():
    """Labels may be in two families; each is tested with its own members as its own."""
    chance = random.Random(4)
    cases = []
    for _ in range(300):
        day, number = chance.randrange(12), chance.randrange(12)
        cases.append(["open", f"scan {day} by user {number}", "close"])
    found = patterns([*cases, *[["close", "open"], ["call"]] * 30])
    assert sum(size for _, size in found) <= len({label for case in cases for label in case})
    assert found
