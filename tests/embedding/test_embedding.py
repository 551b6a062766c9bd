import math
import sys

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array, csc_array, csr_matrix

from actalike import ActalikeError, Embedding, EventLog, UnknownActivityError, embed, load
from actalike.embedding import embedding as module
from actalike.embedding.shares import CodedShare, Share, largest_first, share_of
from tests.helpers.examples import examples
from tests.helpers.strategies import logs

EXPLAINABLE = ["ac-sequence-pmi-w5", "ac-multiset-raw-w3", "aa-sequence-pmi-w3", "aa-multiset-ppmi-w9"]
LOG = EventLog.from_traces([["Register", "Check invoice", "Pay"], ["Register", "Verify invoice", "Pay"], ["Register", "Pay"]])


@pytest.mark.parametrize("method", EXPLAINABLE)
@examples(30)
@given(log=logs())
def test_similarity_distances_and_most_similar_agree(method, log):
    embedding = embed(log, method)
    distances = embedding.distances()
    assert (distances == distances.T).all()
    assert (np.diag(distances) == 0).all()
    assert distances.min() >= 0
    assert distances.max() <= 2
    for i, a in enumerate(log.activities):
        nearest = embedding.most_similar(a, topn=None)
        assert [b for b, _ in nearest] != [a]
        assert {b for b, _ in nearest} == set(log.activities) - {a}
        for b, similarity in nearest:
            assert similarity == pytest.approx(1 - distances[i, log.activities.index(b)], abs=1e-12)
            assert embedding.similarity(a, b) == pytest.approx(similarity, abs=1e-12)
    pairs = embedding.most_similar_pairs(None)
    assert len(pairs) == len(log.activities) * (len(log.activities) - 1) // 2


@examples(30)
@given(log=logs(), topn=st.none() | st.integers(0, 9))
def test_the_most_similar_pairs_are_those_of_all_distances(log, topn):
    embedding = embed(log, "ac-sequence-pmi-w3")
    distances = embedding.distances()
    pairs = [(a, b, 1 - distances[i, j]) for i, a in enumerate(log.activities) for j, b in enumerate(log.activities) if i < j]
    expected = sorted(pairs, key=lambda pair: (-round(pair[2], 12), pair[0], pair[1]))[:topn]
    found = embedding.most_similar_pairs(topn)
    assert [pair[:2] for pair in found] == [pair[:2] for pair in expected]
    assert [pair[2] for pair in found] == pytest.approx([pair[2] for pair in expected], abs=1e-12)


def test_vectors_of_any_kind_are_taken_and_senseless_ones_refused():
    rows = [[1.0, 0.0], [1.0, 1.0]]
    for vectors in (rows, np.array(rows), np.array(rows, dtype=np.float32), csr_matrix(rows), coo_array(rows), csc_array(rows)):
        assert Embedding(["a", "b"], vectors).similarity("a", "b") == pytest.approx(math.sqrt(0.5))
    for wrong in ([[1.0, math.nan], [0.0, 1.0]], csr_matrix([[math.inf, 1.0], [0.0, 1.0]]), [1.0, 2.0], [[1.0]]):
        with pytest.raises(ActalikeError):
            Embedding(["a", "b"], wrong)
    with pytest.raises(ActalikeError, match="same activity"):
        Embedding(["a", "a"], rows)


def test_zero_vectors_are_at_distance_1_and_0_from_themselves():
    embedding = Embedding(["a", "b", "c"], np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 2.0]]))
    assert embedding.distances().tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert embedding.similarity("a", "b") == 0
    assert embedding.most_similar("c") == [("a", 0.0), ("b", 0.0)]


def test_an_unknown_activity_is_an_error_that_suggests_the_closest_labels():
    embedding = embed(LOG)
    for ask in (
        lambda: embedding.similarity("check invoice", "Pay"),
        lambda: embedding.most_similar("Chek invoice"),
        lambda: embedding.explain("Pay", "Check invoic"),
    ):
        with pytest.raises(UnknownActivityError, match="mean 'Check invoice'") as caught:
            ask()
        assert isinstance(caught.value, KeyError)


def test_fewer_than_no_results_are_refused():
    for ask in (lambda e: e.most_similar("Pay", -1), lambda e: e.explain("Pay", "Pay", -1), lambda e: e.most_similar_pairs(-1)):
        with pytest.raises(ActalikeError, match="topn"):
            ask(embed(LOG))


class TestScores:
    SCORES = np.array([[-1.0, 3.0, 0.5], [3.0, 7.0, -2.0], [0.5, -2.0, 0.0]])

    def test_scores_are_the_similarities(self, tmp_path):
        embedding = Embedding(["a", "b", "c"], self.SCORES, compare="scores")
        assert embedding.similarity("a", "a") == -1.0
        assert embedding.most_similar("a") == [("b", 3.0), ("c", 0.5)]
        assert embedding.most_similar_pairs(1) == [("a", "b", 3.0)]
        assert (embedding.distances() == -self.SCORES).all()
        embedding.save(tmp_path / "scores.actalike")
        again = load(tmp_path / "scores.actalike")
        assert again.compare == "scores"
        assert again.most_similar("c") == embedding.most_similar("c")

    def test_scores_must_be_symmetric(self):
        with pytest.raises(ActalikeError, match="symmetric"):
            Embedding(["a", "b"], np.array([[0.0, 1.0], [2.0, 0.0]]), compare="scores")
        with pytest.raises(ActalikeError, match="symmetric"):
            Embedding(["a", "b"], np.zeros((2, 3)), compare="scores")
        with pytest.raises(ActalikeError, match="cosine"):
            Embedding(["a", "b"], np.zeros((2, 2)), compare="angle")


@pytest.mark.parametrize("method", ["ac-sequence-pmi-w3", "kin-w3"])
def test_an_embedding_is_asked_like_keyed_vectors(method):
    embedding = embed(LOG, method)
    frame = embedding.to_frame()
    for i, label in enumerate(LOG.activities):
        assert label in embedding
        assert embedding[label].tolist() == list(frame.row(i)[1:])
    assert len(embedding) == len(LOG.activities)
    assert list(embedding) == LOG.activities
    assert "no such step" not in embedding
    with pytest.raises(UnknownActivityError, match="mean 'Pay'"):
        embedding["Pey"]


@pytest.mark.parametrize("kind", ["pandas", "pyarrow"])
def test_frames_of_all_kinds_have_the_same_content(kind, monkeypatch):
    pytest.importorskip(kind)
    embedding = embed(LOG, "aa-sequence-pmi-w3")
    assert pl.DataFrame(embedding.to_frame(kind)).equals(embedding.to_frame())
    with pytest.raises(ActalikeError, match="excel"):
        embedding.to_frame("excel")
    monkeypatch.setitem(sys.modules, kind, None)
    with pytest.raises(ImportError, match=f"pip install {kind}"):
        embedding.to_frame(kind)


def test_similarities_that_differ_by_rounding_alone_are_in_the_order_of_the_labels():
    embedding = Embedding(["a", "b", "c"], np.array([[1.0, 0.0], [1.0, 1.0], [1.0 + 1e-14, 1.0]]))
    assert embedding.similarity("a", "c") > embedding.similarity("a", "b")
    assert [label for label, _ in embedding.most_similar("a")] == ["b", "c"]


def test_opposite_vectors_are_at_distance_2():
    embedding = Embedding(["a", "b"], np.array([[3.0, 4.0], [-6.0, -8.0]]))
    assert embedding.distances()[0, 1] == pytest.approx(2.0)
    assert embedding.similarity("a", "b") == pytest.approx(-1.0)


def test_a_zero_vector_is_like_itself():
    embedding = Embedding(["a", "b"], np.zeros((2, 1)))
    assert (embedding.similarity("a", "a"), embedding.similarity("a", "b")) == (1.0, 0.0)


def test_no_results_are_an_answer():
    embedding = embed(LOG)
    assert embedding.most_similar("Pay", 0) == embedding.most_similar_pairs(0) == embedding.explain("Pay", "Pay", 0) == []


def test_an_embedding_is_never_nothing():
    assert Embedding([], np.zeros((0, 2)))
    assert [] not in Embedding(["a"], [[1.0]])


def test_what_contradicts_the_vectors_is_refused():
    contexts = embed(LOG, "ac-sequence-raw-w3").contexts
    with pytest.raises(ActalikeError, match="dimensions"):
        Embedding(["a"], np.ones((1, 99)), contexts)
    with pytest.raises(ActalikeError, match="symmetric"):
        Embedding(["a", "b"], csr_matrix(np.eye(2)), compare="scores")
    with pytest.raises(ActalikeError, match="mine"):
        Embedding(["a", "b"], method="mine", cosines=np.array([[1.0, 0.5], [0.4, 1.0]]))


def test_a_notebook_shows_the_most_similar_pairs_and_how_many_more_there_are():
    labels = [f"step {i}" for i in range(6)]
    shown = Embedding(labels, np.eye(6), method="mine<b>")._repr_html_()
    assert "mine&lt;b&gt;" in shown
    assert "step 0" in shown
    assert "5 more pairs" in shown


@pytest.mark.parametrize("label", [0, None, ["a", "b"], slice(1)], ids=repr)
def test_an_activity_that_is_not_a_text_is_refused_in_one_sentence(label):
    embedding = Embedding(["a", "b"], [[1.0], [2.0]])
    for use in (embedding.__getitem__, embedding.most_similar, lambda label: embedding.similarity("a", label)):
        with pytest.raises(UnknownActivityError, match="label"):
            use(label)


@pytest.mark.parametrize("method", ["kin-w5", "ac-sequence-pmi-w3", "one-hot"])
def test_numpy_is_given_the_vectors(method):
    embedding = embed(LOG, method)
    array = np.asarray(embedding)
    assert type(array) is np.ndarray
    assert [row.tolist() for row in array] == [embedding[label].tolist() for label in embedding]
    assert np.asarray(embedding, dtype=np.float32).dtype == np.float32
    array[:] = 0
    assert np.asarray(embedding).any()


def test_showing_an_embedding_computes_no_vectors(monkeypatch):
    monkeypatch.setattr(module, "factor", lambda *_: pytest.fail("computed"))
    embedding = embed(LOG, "kin-w5")
    assert repr(embedding) == "Embedding(kin-w5, 4 activities)"
    assert "kin-w5" in embedding._repr_html_()
    counted = embed(LOG, "ac-sequence-raw-w3")
    assert repr(counted) == f"Embedding(ac-sequence-raw-w3, 4 activities x {counted.vectors.shape[1]} dimensions)"


def test_more_zeros_than_memory_holds_are_an_error_with_the_remedy(monkeypatch):
    embedding = Embedding(["a", "b"], csr_matrix(([1.0], ([0], [0])), shape=(2, 1 << 45)))
    with pytest.raises(ActalikeError, match="svd50"):
        np.asarray(embedding)


@examples(40)
@given(st.integers(1, 9), st.integers(0, 99), st.none() | st.integers(0, 50), st.data())
def test_equal_pairs_are_in_the_order_of_the_labels_and_only_some_activities_are_paired(n, seed, topn, data):
    scores = np.random.default_rng(seed).integers(0, 4, (n, n)) / 4
    scores = np.maximum(scores, scores.T)
    labels = [f"a{i}" for i in range(n)]
    among = data.draw(st.none() | st.lists(st.sampled_from(labels), unique=True))
    chosen = [i for i in range(n) if among is None or labels[i] in among]
    expected = sorted(((i, j) for i in chosen for j in chosen if i < j), key=lambda pair: (-scores[pair], pair))[:topn]
    found = Embedding(labels, scores, compare="scores").most_similar_pairs(topn, among)
    assert found == [(labels[i], labels[j], scores[i, j]) for i, j in expected]


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
