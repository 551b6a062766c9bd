"""Vectors with given cosines."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.matrices.cholesky import factor


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 1000))
def test_vectors_have_the_cosines_that_they_are_made_from_and_no_more_dimensions_than_needed(n, rank, seed):
    rows = np.random.default_rng(seed).normal(size=(n, rank))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vectors = factor(rows @ rows.T)
    assert vectors @ vectors.T == pytest.approx(rows @ rows.T, abs=1e-7)
    assert vectors.shape == (n, min(n, rank))
