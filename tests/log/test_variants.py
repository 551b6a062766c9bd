"""Variants are the distinct traces with their numbers, whatever the hashes; what follows from them alone is that of the log."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from actalike import EventLog
from actalike.log import CoOccurrence, Variants, relative_positions, variants
from tests.helpers.strategies import logs, traces


def traces_of(found):
    return [tuple(found.activities[code] for code in found.codes[start:end]) for start, end in pairwise(found.offsets)]


@given(traces())
def test_variants_are_the_distinct_traces_with_their_numbers_of_cases(given_traces):
    found = EventLog.from_traces(given_traces).variants
    counted = Counter(map(tuple, given_traces))
    assert traces_of(found) == list(counted)  # in the order of their first case
    assert found.weights.tolist() == list(counted.values())


@pytest.mark.parametrize("multipliers", [(0,), (0, 1), (1, 0), ()])  # under 0 and 1, most cases have the same hash
@given(given_traces=traces())
def test_variants_are_exact_even_when_hashes_collide(multipliers, given_traces):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(variants, "_MULTIPLIERS", multipliers)
        patch.setattr(variants, "_WORD_MULTIPLIER", np.uint64(multipliers[0] if multipliers else 3))
        found = EventLog.from_traces(given_traces).variants
    counted = Counter(map(tuple, given_traces))
    assert dict(zip(traces_of(found), found.weights.tolist(), strict=True)) == counted


def test_sequences_made_to_collide_are_told_apart():
    """Thue-Morse words have the same polynomial hash modulo 2**64, whatever the multiplier."""
    word = ["a"]
    for _ in range(11):
        word += ["b" if label == "a" else "a" for label in word]
    swapped = ["b" if label == "a" else "a" for label in word]
    log = EventLog.from_traces([word, swapped, word])
    hashes = variants._hashes(log.codes, log.offsets, variants._MULTIPLIERS[0])
    assert hashes[0] == hashes[1]
    assert log.variants.weights.tolist() == [2, 1]


@st.composite
def coded_cases(draw):
    """Cases of few and of very many activities; some are longer than a word of 64 bits, some are empty."""
    n_activities = draw(st.sampled_from([2, 254, 255, 300, 10**6]))
    code = st.integers(0, 1) | st.integers(0, n_activities - 1)
    cases = draw(st.lists(st.lists(code, max_size=10), min_size=1, max_size=12))
    assume(any(cases))  # a log has events
    return cases * draw(st.integers(1, 2)) + [[]] * draw(st.integers(0, 9)), n_activities


@pytest.mark.parametrize("multiplier", [variants._WORD_MULTIPLIER, np.uint64(0), np.uint64(1)])  # under 0 all hashes are equal
@given(given_cases=coded_cases())
def test_short_and_long_cases_are_counted_in_the_order_of_their_first(multiplier, given_cases):
    cases, n_activities = given_cases
    offsets = np.cumsum([0, *map(len, cases)])
    codes = np.array([code for case in cases for code in case], dtype=np.int32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(variants, "_WORD_MULTIPLIER", multiplier)
        first, counts = variants.count_equal_cases(codes, offsets, n_activities)
    expected = Counter(map(tuple, cases))  # which keeps the order
    assert [tuple(cases[i]) for i in first.tolist()] == list(expected)
    assert first.tolist() == [cases.index(list(case)) for case in expected]
    assert counts.tolist() == list(expected.values())


@given(logs())
def test_what_variants_say_of_a_log_is_what_the_log_says(log):
    """Variants that an engine has counted have no log beside them."""
    alone = Variants(log.activities, log.variants.codes, log.variants.offsets, log.variants.weights)
    assert (alone.n_cases, alone.n_events, alone.n_variants) == (log.n_cases, log.n_events, log.n_variants)
    assert alone.activity_counts.tolist() == log.activity_counts.tolist()
    assert alone.activity_cases.tolist() == [sum(label in trace for trace in log.traces()) for label in log.activities]
    assert np.array_equal(CoOccurrence(alone).attraction(), CoOccurrence(log).attraction())
    assert np.array_equal(relative_positions(alone).quartiles, relative_positions(log).quartiles)


def test_uses_are_compared_by_content():
    one, other = (EventLog.from_traces([["a", "b"]]).variants.uses for _ in range(2))
    assert one == other
