"""Shares: what a similarity is made of."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, Embedding, EventLog, embed
from actalike.embedding.shares import CodedShare, Share, largest_first, share_of
from tests.helpers.examples import examples
from tests.helpers.strategies import logs

EXPLAINABLE = ["ac-sequence-pmi-w5", "ac-multiset-raw-w3", "aa-sequence-pmi-w3", "aa-multiset-ppmi-w9"]


LOG = EventLog.from_traces([["Register", "Check invoice", "Pay"], ["Register", "Verify invoice", "Pay"], ["Register", "Pay"]])


@pytest.mark.parametrize("method", EXPLAINABLE)
@examples(30)
@given(log=logs(), data=st.data())
def test_all_shares_sum_to_the_similarity(method, log, data):
    embedding = embed(log, method)
    a, b = data.draw(st.sampled_from(log.activities)), data.draw(st.sampled_from(log.activities))
    shares = embedding.explain(a, b, topn=None)
    if a != b:
        assert math.fsum(s.share for s in shares) == pytest.approx(embedding.similarity(a, b), abs=1e-12)
    assert [abs(s.share) for s in shares] == pytest.approx(sorted((abs(s.share) for s in shares), reverse=True), abs=1e-12)


@pytest.mark.parametrize("method", EXPLAINABLE)
def test_shares_sum_to_the_similarity_on_a_real_log(real_log, method):
    embedding = embed(real_log("BPIC15_1"), method)
    for a, b, similarity in embedding.most_similar_pairs(200)[::20]:
        assert math.fsum(s.share for s in embedding.explain(a, b, topn=None)) == pytest.approx(similarity, abs=1e-12)


def test_an_explanation_reads_well():
    (share,) = embed(LOG, "ac-sequence-raw-w3").explain("Check invoice", "Verify invoice")
    assert share == ("between", pytest.approx(1.0), ("Register", "Pay"), 1)
    assert share.context == "Register → ● → Pay"
    texts = {s.context for s in embed(LOG, "ac-sequence-raw-w5").explain("Register", "Register")}
    assert texts == {
        "(start) → ● → Check invoice → Pay",
        "(start) → ● → Verify invoice → Pay",
        "(start) → ● → Pay → (end)",
    }
    (many,) = embed(EventLog.from_traces([["x", "a", "x"], ["x", "b", "x"]]), "ac-multiset-raw-w5").explain("a", "b")
    assert many.context == "{(outside) ×2, x ×2}"


def test_for_activity_activity_the_dimensions_are_activities():
    shares = embed(LOG, "aa-sequence-pmi-w3").explain("Check invoice", "Verify invoice")
    assert {s.context for s in shares} == {"Check invoice", "Verify invoice"}


def test_dimensions_without_meaning_are_not_explained():
    with pytest.raises(ActalikeError, match="count methods"):
        Embedding(["a", "b"], np.eye(2), method="neural").explain("a", "b")


def test_the_largest_shares_come_first_whatever_their_sign():
    assert largest_first(np.array([0.1, -0.5, 0.3]), None) == [1, 2, 0]
    assert largest_first(np.array([0.1, -0.5, 0.3]), 2) == [1, 2]
    assert largest_first(np.array([0.1, -0.5, 0.3]), 0) == []


def test_shares_that_differ_by_rounding_alone_keep_their_order():
    assert largest_first(np.array([0.2, -0.2 - 1e-16, 0.2]), None) == [0, 1, 2]
    assert largest_first(np.array([0.2, -0.2 - 1e-12, 0.2]), None) == [1, 0, 2]


def test_codes_become_labels_and_what_is_outside_the_case_none():
    assert share_of(CodedShare("beside", 0.5, (0, -1), -2), ["a"]) == Share("beside", 0.5, ("a", None), -2)
