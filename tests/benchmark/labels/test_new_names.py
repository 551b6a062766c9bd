import re

from hypothesis import given
from hypothesis import strategies as st

from actalike.benchmark.labels.new_names import names_in_words, neutral_codes
from tests.helpers.strategies import any_text


def test_codes_are_numbered_and_shuffled():
    codes = neutral_codes(1200, ("test",))
    assert sorted(codes) == [f"step {number:04}" for number in range(1, 1201)]
    assert codes != sorted(codes)
    assert codes == neutral_codes(1200, ("test",))
    assert codes != neutral_codes(1200, ("other",))


@given(st.lists(any_text, min_size=1, max_size=8, unique=True), st.data())
def test_names_in_words_are_new(labels, data):
    originals = data.draw(st.lists(st.integers(0, len(labels) - 1), max_size=8))
    names = names_in_words(labels, originals, ("test",))
    assert len(set(names) | set(labels)) == len(originals) + len(labels)


def test_a_new_name_shares_no_word_with_the_old_one_and_has_the_layout_of_some_label():
    labels = ["Check_invoice (late)", "Pay bill", "Send reminder"]
    for name in names_in_words(labels, [0] * 9, ("test",)):
        pattern = re.fullmatch(r"([^\W_]+)_([^\W_]+) \(([^\W_]+)\)|([^\W_]+) ([^\W_]+)", name)
        assert pattern
        assert set(pattern.groups()) - {None} <= {"Pay", "bill", "Send", "reminder"}
