"""Short cases are packed into words without a loss, and equal words are counted."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from actalike.log import packed_cases
from actalike.log.equal_cases import count_equal_cases
from actalike.log.packed_cases import PackedCases, count_words


@st.composite
def coded_cases(draw):
    """Cases of few, of several hundred and of very many activities; some are longer than a word, some are empty."""
    n_activities = draw(st.sampled_from([2, 254, 255, 300, 65_534, 65_535, 10**6]))
    code = st.integers(0, 1) | st.integers(0, n_activities - 1)
    cases = draw(st.lists(st.lists(code, max_size=10), min_size=1, max_size=12))
    assume(any(cases))  # a log has events
    return cases * draw(st.integers(1, 2)) + [[]] * draw(st.integers(0, 9)), n_activities


def arrays(cases):
    offsets = np.cumsum([0, *map(len, cases)])
    return np.array([code for case in cases for code in case], dtype=np.int32), offsets


@pytest.mark.parametrize("multiplier", [packed_cases._MULTIPLIER, np.uint64(0), np.uint64(1)])  # under 0 all hashes are equal
@given(given_cases=coded_cases())
def test_equal_cases_are_counted_in_the_order_of_their_first(multiplier, given_cases):
    cases, n_activities = given_cases
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packed_cases, "_MULTIPLIER", multiplier)
        first, counts = count_equal_cases(*arrays(cases), n_activities)
    expected = Counter(map(tuple, cases))  # which keeps the order
    assert [tuple(cases[i]) for i in first.tolist()] == list(expected)
    assert first.tolist() == [cases.index(list(case)) for case in expected]
    assert counts.tolist() == list(expected.values())


@given(coded_cases())
def test_words_hold_their_cases(given_cases):
    cases, n_activities = given_cases
    packed = PackedCases.of(*arrays(cases), n_activities)
    symbol, in_word = ("<u1", 8) if n_activities < 255 else ("<u2", 4)
    if packed is None:
        assert n_activities >= 65_535 or sum(map(len, cases)) > in_word * len(cases)
        return
    for word, is_long, case in zip(packed.words, packed.is_long, cases, strict=True):
        assert is_long == (len(case) > in_word)
        symbols = np.array([word], dtype="<u8").view(symbol).tolist()
        unpacked = [number - 1 for number in symbols if number]
        assert unpacked == ([int(np.iinfo(symbol).max) - 1] * in_word if is_long else case)


@given(st.lists(st.integers(0, 5) | st.integers(0, 2**64 - 1), min_size=1))
def test_words_are_counted(words):
    first, counts = count_words(np.array(words, dtype=np.uint64))
    expected = sorted(Counter(words).items())
    assert list(zip([words[i] for i in first.tolist()], counts.tolist(), strict=True)) == expected
    assert first.tolist() == [words.index(word) for word, _ in expected]
