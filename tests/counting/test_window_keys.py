"""Counting the windows of a line of symbols."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from actalike.counting.window_keys import count_line


@st.composite
def lines(draw):
    """A line over an alphabet of any size, a window, and places at which windows start."""
    n = draw(st.sampled_from([1, 2, 3, 63, 64, 2**10, 2**12, 2**21, 2**24 + 1]))
    window = draw(st.sampled_from([1, 2, 3, 5, 9, 21, 70]))
    symbols = st.sampled_from(sorted({0, 1, n // 2, n - 1, n}))
    line = draw(st.lists(symbols, min_size=window, max_size=window + 20))
    return np.array(line, np.int32), draw(st.lists(st.integers(0, len(line) - window))), window, n


@given(lines())
def test_windows_of_any_size_over_any_alphabet_are_counted(drawn):
    line, starts, window, n = drawn
    columns, counts = count_line(line, np.array(starts, np.int64), window, n)
    expected = Counter(tuple((line[start : start + window] - 1).tolist()) for start in starts)
    assert columns.shape == (window, len(expected))
    assert dict(zip(map(tuple, columns.T.tolist()), counts.tolist(), strict=True)) == expected
