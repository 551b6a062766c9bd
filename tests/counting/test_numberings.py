"""The numbers of activities and the slots of open cases."""

import copy
import pickle
from struct import iter_unpack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.counting import numberings
from actalike.counting.numberings import Numbering, Slots, are_texts, numbers_of
from tests.helpers.strategies import any_text


def unpacked(numbers):
    return [number for (number,) in iter_unpack("i", numbers)]


@given(st.lists(any_text))
def test_texts_are_numbered_in_the_order_in_which_they_come(texts):
    numbering, distinct = Numbering(), list(dict.fromkeys(texts))
    assert unpacked(numbers_of(numbering, texts)) == [distinct.index(text) for text in texts]
    assert list(numbering) == distinct


def test_more_keys_than_are_looked_up_at_once_keep_their_order(monkeypatch):
    monkeypatch.setattr(numberings, "_AT_ONCE", 3)
    for table in (Numbering(), Slots()):
        assert unpacked(numbers_of(table, list("abcabdaea"))) == [0, 1, 2, 0, 1, 3, 0, 4, 0]


def test_few_cases_in_many_events_take_few_slots():
    slots = Slots()
    assert set(unpacked(numbers_of(slots, ["x", "y"] * 200_000))) == {0, 1}
    assert len(pickle.dumps(slots)) < 1_000_000


@given(st.lists(st.tuples(st.lists(st.integers(0, 9)), st.lists(st.integers(0, 9)), st.booleans()), max_size=20))
def test_two_cases_have_one_slot_only_after_it_was_released(rounds):
    slots, used = Slots(), {}  # used: which case has, or had, a slot since it was last released
    for opened, closed, releases in rounds:
        for case, slot in zip(opened, unpacked(numbers_of(slots, opened)), strict=True):
            assert used.setdefault(slot, case) == case
        gone = [slots.numbers.pop(case) for case in set(closed) & set(slots)]
        used |= dict.fromkeys(gone, "a closed case")
        if releases:
            free = [slot for slot, case in used.items() if case == "a closed case"]
            slots.release(free)
            used = {slot: case for slot, case in used.items() if slot not in free}
    assert len(set(slots.numbers.values())) == len(slots)


def test_what_is_taken_back_leaves_the_slots_as_they_were():
    slots = Slots(["x"])
    slots.reserve(3)
    before = pickle.dumps(slots)
    assert unpacked(numbers_of(slots, ["y", "x", "z"])) == [1, 0, 2]
    slots.shrink(1)
    assert pickle.dumps(slots) == before


@pytest.mark.parametrize("again", [copy.deepcopy, lambda slots: pickle.loads(pickle.dumps(slots))])
def test_a_copy_gives_slots_of_its_own(again):
    slots = Slots(["x"])
    slots.reserve(2)
    other = again(slots)
    assert (*(slots.numbers[case] for case in "yz"), *(other.numbers[case] for case in "ab")) == (1, 2, 1, 2)
    assert (list(slots), list(other)) == (["x", "y", "z"], ["x", "a", "b"])


def test_the_numbers_of_a_table_are_looked_up_without_numbering_anything():
    numbering = Numbering(["b", "a"])
    assert numbering.of(["a", "c", "b"]).tolist() == [1, -1, 0, -1]
    assert list(numbering) == ["b", "a"]


def test_names_may_change_and_the_slots_stay():
    slots = Slots([7, 8])
    slots.reserve(1)
    renamed = slots.renamed(str)
    assert [renamed.numbers[case] for case in "879"] == [1, 0, 2]


@pytest.mark.parametrize("wrong", [7, None, b"a", ("a",), float("nan"), "a\ud800", type("Text", (str,), {})("b")])
def test_only_texts_that_a_file_can_hold_are_accepted(wrong):
    assert are_texts({"a": 0, "é📄": 1}, 0)
    assert not are_texts({"a": 0, wrong: 1, "c": 2}, 1)
    assert are_texts({wrong: 0, "c": 1}, 1), "only what is new is looked at"
