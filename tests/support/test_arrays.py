"""Equal rows among many, exact whatever the alphabet and the width; one thread for linear algebra."""

import os
import subprocess
import sys
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_info

from actalike.support.arrays import count_rows, group_rows, one_thread, sort_with_places, sum_groups


@st.composite
def tables(draw):
    """Rows of small, large and very large alphabets, where keys fit into a table, into 62 bits, and into neither."""
    base = draw(st.sampled_from([3, 400, 10**6]))
    values = st.integers(-1, base - 2) | st.integers(-1, 1)
    width = draw(st.integers(1, 6))
    rows = draw(st.lists(st.tuples(*[values] * width), min_size=1, max_size=12))
    return rows * draw(st.integers(1, 2)), base


@given(tables())
def test_groups_number_the_distinct_rows_in_lexicographic_order(case):
    rows, base = case
    sample, group = group_rows(list(np.array(rows).T), base)
    distinct = sorted(set(rows))
    assert [rows[i] for i in sample] == distinct
    assert group.tolist() == [distinct.index(row) for row in rows]


@given(tables(), st.data())
def test_weights_of_equal_rows_are_summed(case, data):
    rows, base = case
    weights = data.draw(st.lists(st.integers(1, 10**9), min_size=len(rows), max_size=len(rows)))
    chosen, counts = count_rows(list(np.array(rows).T), base, np.array(weights))
    expected = Counter()
    for row, weight in zip(rows, weights, strict=True):
        expected[row] += weight
    assert [(rows[i], n) for i, n in zip(chosen, counts.tolist(), strict=True)] == sorted(expected.items())


@given(st.lists(st.integers(0, 2**50), min_size=1))
def test_equal_keys_are_sorted_by_place(keys):
    order, first = sort_with_places(np.array(keys))
    assert order.tolist() == sorted(range(len(keys)), key=lambda i: (keys[i], i))
    in_order = [keys[i] for i in order]
    assert first.tolist() == [i == 0 or in_order[i - 1] != key for i, key in enumerate(in_order)]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(-(2**40), 2**40)), min_size=1))
def test_sums_are_exact_and_groups_without_values_have_none(values):
    group, numbers = np.array(values).T
    expected = [sum(n for g, n in values if g == k) for k in range(6)]
    assert sum_groups(numbers, group, 6).tolist() == expected


def test_inside_there_is_one_thread_and_afterwards_as_many_as_before():
    np.ones((2, 2)) @ np.ones((2, 2))  # so that a library is loaded
    before = [library["num_threads"] for library in threadpool_info()]
    assert before
    with one_thread():
        assert {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"} == {1}
    assert [library["num_threads"] for library in threadpool_info()] == before


def test_a_library_that_is_loaded_later_is_limited_too():
    program = """
import numpy
from threadpoolctl import threadpool_info
from actalike.support.arrays import one_thread
with one_thread():
    pass
import scipy.linalg
with one_thread():
    print({library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"})
"""
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "{1}\n"
