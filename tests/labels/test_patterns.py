"""Families of labels that differ only in a number, an id, a date or a name: one step if they behave as one step."""

import random
import time
from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, count_windows, group
from actalike.labels.patterns import (
    FEWEST_NAMES,
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

NAMES = ["alice", "bob", "carol", "dave", "eve", "frank", "gina", "hal", "ina", "jo", "kim"]


@pytest.mark.parametrize(
    ("labels", "pattern", "kind"),
    [
        (["Pay by user 17", "Pay by user 18"], "Pay by user #", "number"),
        (["Reminder2", "Reminder3"], "Reminder#", "number"),
        (["T09-1 Advice of party 1", "T09-2 Advice of party 2"], "T#-# Advice of party #", "number"),
        (["Order 104711", "Order 104712"], "Order …", "id"),
        (["Ward 3b", "Ward 4c"], "Ward #", "number"),
        (["Check_3fa9", "Check_beef", "Check_1234"], "Check_…", "id"),
        (["Run 3fa85f64-5717-4562-b3fc-2c963f66afa6", "Run 3fa85f64-5717-4562-b3fc-2c963f66afa7"], "Run …", "id"),
        (["Send_12ABCDE_2024-01-01T10:00:00.000+01:00", "Send_34XYZUV_2024-02-01T11:30:00.000+01:00"], "Send_…_…", "id"),
        (["Send_ABCDE12_2024-01-01T10:00:00", "Send_XYZUV34_2024-02-01T11:30:00"], "Send_…_…", "id"),
        (["Report of 01.02.2024", "Report of 02.02.2024"], "Report of …", "date"),
        (["2024-01-01 Report", "2024-01-02 Report"], "… Report", "date"),
        (["Call at 10:00", "Call at 11:30"], "Call at …", "date"),
        (["Mail to a@b.de", "Mail to c.d@e.com"], "Mail to …", "name"),
        ([f"Pay by user {name}" for name in NAMES], "Pay by user …", "name"),
        ([f"Ask {name} for papers" for name in NAMES], "Ask … for papers", "name"),
    ],
)
def test_a_family_has_a_pattern_and_a_kind(labels, pattern, kind):
    families = [(family.pattern, family.kind) for family in label_families(labels) if len(family.members) == len(labels)]
    assert (pattern, kind) in families


@pytest.mark.parametrize(
    "labels",
    [
        [],
        ["17", "18"],
        ["Check invoice", "Check order"],
        ["Check face", "Check beef"],
        [f"Check {name}" for name in NAMES],
        [f"Pay by user {name}" for name in NAMES[: FEWEST_NAMES - 1]],
        ["Pay 17", "Pay 17"],
        ["Pay 17", "Send 18"],
        ["", " ", "\n", "(17)"],
    ],
)
def test_no_family(labels):
    assert label_families(labels) == []


def test_the_plain_label_is_a_member():
    (family,) = label_families(["Send", "Check invoice_3fa9c2", "Check invoice"])
    assert (family.pattern, family.members, family.kind, family.plain) == ("Check invoice_…", (1, 2), "id", 2)
    (family,) = label_families(["Pay (17)", "PAY"])
    assert (family.pattern, family.members, family.kind, family.plain) == ("Pay (#)", (0, 1), "number", 1)


def test_a_word_with_a_number_is_not_left_out():
    (family,) = label_families(["craft()", "craft.stage1Done()", "craft.stage2Done()"])
    assert (family.pattern, family.members) == ("craft.stage#Done()", (1, 2))


@pytest.mark.parametrize("digits", [4, 6, 12])
def test_polluted_labels_are_found_whatever_their_own_numbers_are(digits):
    chance = random.Random(digits)
    plain = ["01_HOOFD_040", "01_HOOFD_050", "Check invoice", "T02 Check confirmation", "Assess risk (senior)"]
    polluted = {label: [f"{label}_{chance.randrange(16**digits):0{digits}x}" for _ in range(20)] for label in plain}
    labels = [*plain, *(label for those in polluted.values() for label in those)]
    families = {family.pattern: family for family in label_families(labels)}
    for label, those in polluted.items():
        family = families[f"{label}_…"]
        assert {labels[member] for member in family.members} == {label, *those}
        assert labels[family.plain] == label
        assert family.kind == "id"


parts = st.lists(st.sampled_from(["Pay", "user", "17", "3fa9", "beef", "2024-01-01", "_", " ", "T02", "a@b.de"]), max_size=5).map(
    "".join
)


@examples(50)
@given(st.lists(parts, max_size=12, unique=True), st.randoms())
def test_families_do_not_depend_on_the_order_of_labels(labels, chance):
    def by_text(labels):
        return [
            (family.pattern, {labels[member] for member in family.members}, family.kind, family.plain and labels[family.plain])
            for family in sorted(
                label_families(labels), key=lambda family: (family.pattern, sorted(labels[i] for i in family.members))
            )
        ]

    shuffled = chance.sample(labels, len(labels))
    families = label_families(labels)
    assert [family[:3] for family in by_text(labels)] == [family[:3] for family in by_text(shuffled)]
    assert families == label_families(labels)
    for family in families:
        assert len(family.members) > 1
        assert list(family.members) == sorted(set(family.members))
        assert ("#" if family.kind == "number" else "…") in family.pattern
    assert len({family.members for family in families}) == len(families)


@examples(50)
@given(st.lists(st.text(max_size=12), max_size=8))
def test_any_labels_are_taken(labels):
    label_families(labels)


def test_long_and_many_labels_take_linear_time():
    long = ["1 2 3 " * 2_000, "a" * 10_000, "a b " * 2_500, "12-" * 3_000, "a." * 5_000, "\n" * 10_000, "a+" * 5_000]
    labels = [text + str(number) for text in long for number in (1, 2)] + [f"Pay by user {number}" for number in range(2_000)]
    began = time.process_time()
    assert label_families(labels)[0].pattern == "Pay by user #"
    assert time.process_time() - began < 3


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
