"""Symmetric arrays in half of their memory."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.matrices import PackedSymmetric
from tests.helpers.examples import examples


@examples(40)
@given(st.integers(1, 12), st.integers(1, 14), st.data())
def test_a_packed_array_reads_as_the_array_does(n, height, data):
    array = np.random.default_rng(n).random((n, n))
    array += array.T
    packed = PackedSymmetric.of(array, height)
    numbers = st.lists(st.integers(0, n - 1), min_size=1, max_size=2 * n).map(np.array)
    rows, columns = data.draw(numbers), data.draw(numbers)
    start, stop = sorted((data.draw(st.integers(0, n)), data.draw(st.integers(0, n))))
    assert len(packed) == n
    assert np.array_equal(np.asarray(packed), array)
    assert np.array_equal(packed.diagonal(), array.diagonal())
    assert np.array_equal(packed[start:stop], array[start:stop])
    assert np.array_equal(packed[rows], array[rows])
    assert np.array_equal(packed[np.ix_(rows, columns)], array[np.ix_(rows, columns)])
    assert packed[int(rows[0]), int(columns[0])] == array[rows[0], columns[0]]
    assert np.array_equal(packed.columns(start, stop), array[:, start:stop])
    assert packed.columns(start, stop).flags.c_contiguous
    assert array[0] @ packed == pytest.approx(array[0] @ array)


def test_a_packed_array_takes_about_half_of_the_memory():
    assert PackedSymmetric(1000, 10).nbytes < 0.51 * 8 * 1000**2
