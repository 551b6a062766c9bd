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


def indices(n):
    number = st.integers(-n, n - 1)
    numbers = st.lists(number, max_size=5)
    bounds = st.none() | st.integers(-n - 2, n + 2)
    return st.one_of(
        number,
        number.map(np.int32),
        numbers,
        numbers.map(lambda some: np.array(some, np.int64)),
        st.lists(number, min_size=4, max_size=4).map(lambda some: np.array(some).reshape(2, 2)),
        st.lists(st.booleans(), min_size=n, max_size=n).map(np.array),
        st.builds(slice, bounds, bounds, st.sampled_from([None, 1, 2, -1, -3])),
    )


@examples(100)
@given(st.integers(1, 9), st.integers(1, 10), st.data())
def test_every_index_that_is_taken_means_what_it_means_to_numpy(n, height, data):
    array = np.random.default_rng(n).random((n, n))
    array += array.T
    packed = PackedSymmetric.of(array, height)
    one, other = indices(n), indices(n)
    key = data.draw(one | st.tuples(one) | st.tuples(one, other) | st.just(()))
    try:
        expected = array[key]
    except IndexError:
        with pytest.raises(IndexError):
            packed[key]
    else:
        assert type(packed[key]) is type(expected)
        assert packed[key].shape == expected.shape
        assert np.array_equal(packed[key], expected)


@pytest.mark.parametrize("key", [3, -4, (0, 3), (-4, 0), [0, 3], (slice(None), 3), 1.0, "a", None, ..., True, (0, None), (0, 0, 0), [[True]],
                                 [True], ([0, 1], [0, 1, 2])])  # fmt: skip
def test_an_index_that_is_out_of_bounds_or_not_taken_is_an_index_error(key):
    with pytest.raises(IndexError, match=r"packed symmetric array|do not make pairs"):
        PackedSymmetric(3, 2)[key]


def test_a_packed_array_takes_about_half_of_the_memory():
    assert PackedSymmetric(1000, 10).nbytes < 0.51 * 8 * 1000**2
