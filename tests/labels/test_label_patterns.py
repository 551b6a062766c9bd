"""Families of labels that differ only in a number, an id, a date or a name."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.labels.patterns import FEWEST_NAMES, label_families
from tests.helpers.examples import examples

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
