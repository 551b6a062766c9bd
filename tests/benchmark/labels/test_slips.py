from hypothesis import given
from hypothesis import strategies as st

from actalike.benchmark.labels.slips import BESIDE, distorted, slip
from tests.helpers.strategies import any_text

numbers = st.integers(0, 2**53 - 1)


def test_keys_are_beside_each_other_in_both_directions():
    assert BESIDE["s"] == "acdeqwxz"
    assert all(letter in BESIDE[other] for letter, others in BESIDE.items() for other in others)


@given(any_text, numbers, numbers, numbers)
def test_a_slip_changes_one_place_at_most(label, kind, place, letter):
    wrong = slip(label, kind, place, letter)
    assert abs(len(wrong) - len(label)) <= 1 or kind % 5 == 3  # some letters are two in the other case
    if kind % 5 == 2:
        assert sorted(wrong) == sorted(label)
    if kind % 5 == 4 and wrong != label:
        ((old, new),) = [(a, b) for a, b in zip(label, wrong, strict=True) if a != b]
        assert new.lower() in BESIDE[old.lower()]


@given(st.lists(st.sampled_from(["", "a", "ab", "Pay", "1", "📄"]), min_size=1, unique=True), st.integers(0, 20))
def test_a_distorted_label_is_none_of_the_others(taken, n):
    spellings = distorted(taken[0], n, set(taken), ("test",))
    assert len(spellings) == n
    assert not set(spellings) & set(taken)


def test_where_all_spellings_are_taken_slips_add_up():
    letters = set("abcdefghijklmnopqrstuvwxyz")
    assert distorted("", 1, letters | {""}, ("test",))[0] not in letters | {""}
