"""Test counting and looking up keys."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from actalike.oddities.count_tables import CountTable

keys = st.lists(st.tuples(st.integers(0, 2**62), st.integers(1, 2**40)) | st.tuples(st.integers(0, 5), st.integers(1, 3)))


@given(keys, st.lists(st.integers(0, 7)))
def test_counts_are_exact_and_unknown_keys_count_nothing(weighted, asked):
    numbers = np.array([key for key, _ in weighted], dtype=np.int64)
    weights = np.array([weight for _, weight in weighted], dtype=np.int64)
    table, of_key = CountTable.of(numbers, weights)
    expected = Counter()
    for key, weight in weighted:
        expected[key] += weight
    assert dict(zip(table.keys.tolist(), table.counts.tolist(), strict=True)) == expected
    assert table.keys[of_key].tolist() == numbers.tolist()
    asked = np.array([*asked, *numbers.tolist()], dtype=np.int64)
    assert table.of_keys(asked).tolist() == [expected[key] for key in asked.tolist()]
    found = table.numbers(asked)
    assert (found >= 0).tolist() == [key in expected for key in asked.tolist()]
    assert table.keys[found[found >= 0]].tolist() == asked[found >= 0].tolist()
