"""Weightings: exact, also where products of counts are large."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array

from actalike import EventLog, PositionalEmbedder, embed
from actalike.matrices import hellinger, pmi, ppmi, shift_and_smooth


def test_pmi_is_exactly_zero_where_company_is_as_chance_has_it():
    """Both activities have the same contexts in the same proportions: zero vectors, and not rounding errors."""
    log = EventLog.from_traces([["a"]] * 3 + [["b"]] * 7)
    embedding = embed(log, "ac-sequence-pmi-w3")
    assert embedding.stored_vectors.nnz == 0
    assert embedding.distances().tolist() == [[0, 1], [1, 0]]


def test_pmi_stays_exact_beyond_64_bit_products():
    huge = 3 * 2**40
    counts = csr_array(np.array([[huge, huge], [huge, 3 * huge]]))
    weights = pmi(counts, np.array([2 * huge, 4 * huge]), np.array([2 * huge, 4 * huge]), 6 * huge).toarray()
    expected = [[math.log(6 / 4), math.log(6 / 8)], [math.log(6 / 8), math.log(18 / 16)]]
    np.testing.assert_allclose(weights, expected, rtol=1e-12)


def test_each_offset_is_smoothed_for_itself():
    """(start) is the only neighbour on the left and (end) on the right: no surprise, whatever the smoothing."""
    log = EventLog.from_traces([["a"], ["b"], ["b"]])
    for smoothing in (1, 0.5):
        weights = PositionalEmbedder("pmi", 3, smoothing=smoothing).fit(log).embedding_.stored_vectors
        assert weights.nnz == 0


def test_weights_that_are_zero_are_exactly_zero():
    """PMI of ln 8, shifted by it, and smoothing of what is even already: no rounding errors that a cosine blows up."""
    log = EventLog.from_traces([["a"], ["b"], ["c"], ["d"]])
    assert embed(log, "aa-sequence-pmi-w1").vectors == pytest.approx(np.full((4, 4), np.log(8)))
    assert embed(log, "aa-sequence-pmi-w1+shift8").stored_vectors.nnz == 0
    assert embed(log, "aa-sequence-pmi-w1+shift8+smooth0.3").stored_vectors.nnz == 0
    assert embed(log, "aa-sequence-pmi-w1+shift8+svd2").distances().tolist() == (1 - np.eye(4)).tolist()


def test_what_is_as_chance_has_it_up_to_rounding_is_zero():
    column = np.array([0.1 + 0.2])  # 0.30000000000000004, as smoothing may give it
    assert pmi(csr_array([[1]]), np.array([10]), column, total=3).nnz == 0
    assert pmi(csr_array([[1]]), np.array([10]), column * (1 + 1e-9), total=3).nnz == 1


tables = st.integers(1, 4).flatmap(lambda n: arrays(np.int64, (n, 3), elements=st.integers(0, 5)))


@given(tables.filter(lambda table: table.any(axis=0).all() and table.any(axis=1).all()))
def test_weights_are_those_of_their_definitions(table):
    rows, columns, total = table.sum(axis=1), table.sum(axis=0), int(table.sum())
    found = {weight: weight(csr_array(table), rows, columns, total).toarray() for weight in (pmi, ppmi, hellinger)}
    for i, j in np.ndindex(table.shape):
        expected = math.log(table[i, j] * total / (rows[i] * columns[j])) if table[i, j] else 0
        assert found[pmi][i, j] == pytest.approx(expected, abs=1e-12)
        assert found[ppmi][i, j] == pytest.approx(max(0, expected), abs=1e-12)
        assert found[hellinger][i, j] == pytest.approx(math.sqrt(table[i, j] / rows[i]))


@given(st.lists(st.tuples(st.integers(1, 50), st.integers(0, 2)), min_size=1), st.floats(1, 9), st.floats(0.1, 1))
def test_smoothed_columns_of_a_place_number_as_many_as_before_times_the_shift(columns, shift, smoothing):
    counts = np.array([count for count, _ in columns])
    places = np.unique([place for _, place in columns], return_inverse=True)[1]
    found = shift_and_smooth(counts, places, shift, smoothing)
    for place in set(places.tolist()):
        here = places == place
        powers = counts[here] ** smoothing
        assert found[here] == pytest.approx(shift * counts[here].sum() * powers / powers.sum())


def test_without_shift_and_smoothing_the_counts_stay_whole_numbers():
    columns = np.array([3, 4])
    assert shift_and_smooth(columns, np.array([0, 0]), 1, 1) is columns
    assert shift_and_smooth(columns, np.array([0, 0]), 1, 0.5).dtype == np.float64
