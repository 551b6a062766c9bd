"""All pairs of activities, a block of rows at a time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import squareform

from actalike.embedding import all_pairs
from tests.helpers.examples import examples


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(all_pairs, "CELLS_AT_A_TIME", 10)


def similarities_with_ties(n, seed):
    array = np.random.default_rng(seed).integers(0, 4, (n, n)) / 4
    array = np.maximum(array, array.T)
    np.fill_diagonal(array, 1.0)
    return array


@examples(40)
@given(st.integers(0, 9), st.integers(0, 99), st.none() | st.integers(0, 50), st.data())
def test_the_best_pairs_are_the_first_of_all_pairs_sorted(n, seed, topn, data):
    similarities = similarities_with_ties(n, seed)
    allowed = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)), dtype=bool)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n) if allowed[i] and allowed[j]]
    expected = sorted(pairs, key=lambda pair: (-similarities[pair], pair))[:topn]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(all_pairs, "CELLS_AT_A_TIME", 10)
        numbers, best = all_pairs.best_pairs(lambda rows: similarities[rows], allowed, topn)
    assert [divmod(number, n) for number in numbers.tolist()] == expected
    assert best.tolist() == [similarities[pair] for pair in expected]


def test_condensed_distances_are_those_of_the_whole_array(small_blocks):
    similarities = similarities_with_ties(7, 1)
    order = np.array([3, 1, 6, 0, 2, 5, 4])
    expected = squareform((1 - similarities)[np.ix_(order, order)])
    assert np.array_equal(all_pairs.condensed_distances(lambda rows: similarities[rows], order), expected)
