"""Cosines are checked, and vectors have the given cosines."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.matrices.cholesky import are_cosines, factor


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 1000))
def test_vectors_have_the_cosines_that_they_are_made_from_and_no_more_dimensions_than_needed(n, rank, seed):
    rows = np.random.default_rng(seed).normal(size=(n, rank))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vectors = factor(rows @ rows.T)
    assert vectors @ vectors.T == pytest.approx(rows @ rows.T, abs=1e-7)
    assert vectors.shape == (n, min(n, rank))


@pytest.mark.parametrize(
    ("array", "n", "sound"),
    [
        ([[1.0, 0.5], [0.5, 1.0]], 2, True),
        ([[1.0, -1.0], [-1.0, 1.0]], 2, True),
        ([[1.0, 0.5], [0.5, 1.0]], 3, False),
        ([[1.0, 1.1], [1.1, 1.0]], 2, False),
        ([[1.0, np.nan], [np.nan, 1.0]], 2, False),
        ([[1.0, 0.5], [0.4, 1.0]], 2, False),
        ([[0.9, 0.5], [0.5, 1.0]], 2, False),
    ],
)
def test_cosines_are_symmetric_from_minus_1_to_1_and_1_on_the_diagonal(array, n, sound):
    assert are_cosines(np.array(array), n) is sound
