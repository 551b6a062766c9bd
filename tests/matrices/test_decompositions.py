"""Fewer dimensions by SVD, which keeps the angles as well as so few dimensions can; and vectors with given cosines."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from actalike import ActalikeError, EventLog, embed, load, make_method
from actalike.matrices import are_cosines, factor, reduce_rows
from tests.helpers.strategies import traces

L2 = EventLog.from_traces([list("abcde"), list("abdde"), list("adcde"), list("acde")])
BASES = ["ac-sequence", "ac-multiset", "aa-sequence", "aa-multiset", "positional"]


exponents = st.sampled_from([1, 0.5, 0])


class TestSvd:
    @given(cases=traces(), base=st.sampled_from(BASES))
    def test_all_of_it_has_the_angles_of_the_matrix(self, cases, base):
        whole = make_method(f"{base}-ppmi-w3").fit(EventLog.from_traces(cases)).embedding_
        n = len(whole.activities)
        rows = reduce_rows(whole.stored_vectors, n, 1)
        np.testing.assert_allclose(
            rows @ rows.T, whole.vectors @ whole.vectors.T, atol=1e-9 * n * (1 + abs(whole.vectors).max()) ** 2
        )

    @given(cases=traces(), base=st.sampled_from(BASES), dimension=st.integers(1, 20), exponent=exponents)
    def test_signs_are_fixed_and_columns_orthogonal(self, cases, base, dimension, exponent):
        log = EventLog.from_traces(cases)
        rows = make_method(f"{base}-pmi-w3").set_params(dimension=dimension, exponent=exponent).fit(log).embedding_.vectors
        assert rows.shape[1] <= len(log.activities)
        if rows.size:
            assert (rows.max(axis=0) >= np.abs(rows).max(axis=0) * (1 - 1e-6)).all()
            products = rows.T @ rows
            assert np.abs(products - np.diag(np.diag(products))).max() <= 1e-7 * products.max()

    def test_there_are_no_more_dimensions_than_the_rank(self):
        assert reduce_rows(csr_array([[1.0, 2.0], [2.0, 4.0], [0.0, 0.0]]), 50, 1).shape == (3, 1)
        assert reduce_rows(csr_array((3, 7)), 50, 0).shape == (3, 0)

    def test_equal_singular_values_stay_together(self):
        weights = csr_array(np.diag([1.0, 3.0, 2.0, 2.0, 1.0]))
        assert [reduce_rows(weights, dimension, 1).shape[1] for dimension in (1, 2, 3, 4, 5)] == [1, 3, 3, 5, 5]

    def test_an_embedding_without_any_dimension_can_be_stored(self, tmp_path):
        embedding = embed(EventLog.from_traces([["a"], ["b"]]), "ac-sequence-pmi-w3+svd16+power0")
        assert embedding.vectors.shape == (2, 0)
        embedding.save(tmp_path / "none.actalike")
        assert load(tmp_path / "none.actalike").distances().tolist() == [[0, 1], [1, 0]]

    def test_it_cannot_explain_itself(self):
        assert make_method("aa-sequence-pmi-w3+shift5").explains
        for name in ("aa-sequence-pmi-w3+svd2", "positional-raw-w3+power0.5"):
            assert not make_method(name).explains
            with pytest.raises(ActalikeError, match="explanations"):
                embed(L2, name).explain("b", "c")

    def test_refined_weights_explain_themselves_exactly(self):
        embedding = embed(L2, "ac-multiset-pmi-w3+shift2+smooth0.75")
        shares = embedding.explain("b", "c", None)
        assert sum(share.share for share in shares) == pytest.approx(embedding.similarity("b", "c"))


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
