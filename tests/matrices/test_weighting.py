"""Weightings: exact, also where products of counts are large."""

import math

import numpy as np
import pytest
from scipy.sparse import csr_array

from actalike import (
    EventLog,
    PositionalEmbedder,
    embed,
)
from actalike.matrices.weighting import pmi


def test_pmi_is_exactly_zero_where_company_is_as_chance_has_it():
    """Both activities have the same contexts in the same proportions: zero vectors, and not rounding errors."""
    log = EventLog.from_traces([["a"]] * 3 + [["b"]] * 7)
    embedding = embed(log, "ac-sequence-pmi-w3")
    assert embedding.vectors.nnz == 0
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
        weights = PositionalEmbedder("pmi", 3, smoothing=smoothing).fit(log).embedding_.vectors
        assert (
            weights.nnz == 0
        )  # (start) is the only neighbour on the left and (end) on the right: no surprise, for any smoothing


def test_weights_that_are_zero_are_exactly_zero():
    """PMI of ln 8, shifted by it, and smoothing of what is even already: no rounding errors that a cosine blows up."""
    log = EventLog.from_traces([["a"], ["b"], ["c"], ["d"]])
    assert embed(log, "aa-sequence-pmi-w1").vectors.toarray() == pytest.approx(np.full((4, 4), np.log(8)))
    assert embed(log, "aa-sequence-pmi-w1+shift8").vectors.nnz == 0
    assert embed(log, "aa-sequence-pmi-w1+shift8+smooth0.3").vectors.nnz == 0
    assert embed(log, "aa-sequence-pmi-w1+shift8+svd2").distances().tolist() == (1 - np.eye(4)).tolist()
