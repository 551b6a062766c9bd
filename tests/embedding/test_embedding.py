import math
import sys

import numpy as np
import polars as pl
import pytest
from gensim.models import KeyedVectors
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array, csc_array, csr_matrix

from actalike import ActalikeError, Embedding, EventLog, FileFormatError, UnknownActivityError, embed, load
from actalike.embedding import embedding as embedding_module
from actalike.embedding.exports import escape_label, unescape_label
from tests.helpers.strategies import any_text, logs

EXPLAINABLE = ["ac-sequence-pmi-w5", "ac-multiset-raw-w3", "aa-sequence-pmi-w3", "aa-multiset-ppmi-w9"]
LOG = EventLog.from_traces([["Register", "Check invoice", "Pay"], ["Register", "Verify invoice", "Pay"], ["Register", "Pay"]])


@pytest.mark.parametrize("method", EXPLAINABLE)
@settings(max_examples=30)
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


@pytest.mark.parametrize("method", EXPLAINABLE)
@settings(max_examples=30)
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


@settings(max_examples=30)
@given(log=logs(), topn=st.none() | st.integers(1, 9), cells=st.sampled_from([1, 7, 20]))
def test_the_most_similar_pairs_are_those_of_all_distances(log, topn, cells):
    embedding = embed(log, "ac-sequence-pmi-w3")
    distances = embedding.distances()
    pairs = [(a, b, 1 - distances[i, j]) for i, a in enumerate(log.activities) for j, b in enumerate(log.activities) if i < j]
    expected = sorted(pairs, key=lambda pair: (-round(pair[2], 12), pair[0], pair[1]))[:topn]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embedding_module, "_CELLS_AT_A_TIME", cells)
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
        with pytest.raises(UnknownActivityError, match="Did you mean 'Check invoice'") as caught:
            ask()
        assert isinstance(caught.value, KeyError)


def test_dimensions_without_meaning_are_not_explained():
    with pytest.raises(ActalikeError, match="count methods"):
        Embedding(["a", "b"], np.eye(2), method="neural").explain("a", "b")


@given(any_text)
def test_any_label_survives_escaping(label):
    word = escape_label(label)
    assert unescape_label(word) == label
    assert word
    assert not any(c.isspace() for c in word)


@pytest.mark.parametrize("method", EXPLAINABLE)
@settings(max_examples=20)
@given(log=logs(any_text))
def test_every_label_survives_word2vec_format_in_gensim_and_here(tmp_path_factory, method, log):
    path = tmp_path_factory.mktemp("vec") / "log.vec"
    embedding = embed(log, method)
    embedding.to_word2vec(path)
    again = Embedding.from_word2vec(path)
    assert again.activities == embedding.activities
    assert (again.vectors == embedding.vectors.toarray()).all()
    if embedding.vectors.shape[1]:
        vectors = KeyedVectors.load_word2vec_format(str(path), datatype=np.float64)
        assert [unescape_label(word) for word in vectors.index_to_key] == embedding.activities
        assert (vectors.vectors == embedding.vectors.toarray()).all()


def test_a_cut_off_word2vec_file_is_an_error(tmp_path):
    path = tmp_path / "log.vec"
    embed(LOG, "aa-sequence-pmi-w3").to_word2vec(path)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-1]))
    with pytest.raises(FileFormatError, match="promises 4 words, and 3 follow"):
        Embedding.from_word2vec(path)
    path.write_text("".join(lines)[:-30])
    with pytest.raises(FileFormatError, match="not in word2vec's text format"):
        Embedding.from_word2vec(path)


def test_the_frame_has_a_row_for_each_activity_and_a_column_for_each_dimension():
    embedding = embed(LOG, "ac-sequence-raw-w3")
    frame = embedding.to_frame()
    assert frame["activity"].to_list() == embedding.activities
    assert frame["Register → ● → Pay"].to_list() == [1.0, 0.0, 0.0, 1.0]
    assert frame.width == 1 + embedding.vectors.shape[1]


def test_the_frame_has_distinct_columns_even_for_labels_like_our_own():
    log = EventLog.from_traces([["activity", "x", "(start)"], ["x", "activity"], ["activity_", "x"]])
    for method in ("aa-sequence-raw-w3", "ac-sequence-raw-w5"):
        frame = embed(log, method).to_frame()
        assert isinstance(frame, pl.DataFrame)
        assert frame.width == 1 + embed(log, method).vectors.shape[1]


def test_no_dimension_is_lost_in_a_frame():
    log = EventLog.from_traces([["z", "x"], ["(start)", "z", "x"], ["q", "x (2)"], ["q", "x (2)"]])
    embedding = embed(log, "ac-sequence-raw-w3")
    assert embedding.to_frame().width == 1 + embedding.vectors.shape[1]


def test_fewer_than_no_results_are_refused():
    for ask in (lambda e: e.most_similar("Pay", -1), lambda e: e.explain("Pay", "Pay", -1), lambda e: e.most_similar_pairs(-1)):
        with pytest.raises(ActalikeError, match="topn"):
            ask(embed(LOG))


def test_projector_files_have_a_line_for_each_activity(tmp_path):
    log = EventLog.from_traces([["tab\there", "line\nbreak", ""]])
    embed(log, "aa-sequence-pmi-w3").to_projector(tmp_path / "projector")
    metadata = (tmp_path / "projector" / "metadata.tsv").read_text().split("\n")
    assert metadata == ["(empty)", "line break", "tab here", ""]
    tensors = np.loadtxt(tmp_path / "projector" / "tensors.tsv", delimiter="\t")
    assert (tensors == embed(log, "aa-sequence-pmi-w3").vectors.toarray()).all()


@pytest.mark.parametrize("method", EXPLAINABLE)
@settings(max_examples=20)
@given(log=logs(any_text))
def test_a_saved_embedding_comes_back_whole(tmp_path_factory, method, log):
    path = tmp_path_factory.mktemp("saved") / "log.actalike"
    embedding = embed(log, method)
    embedding.save(path)
    again = load(path)
    assert again.activities == embedding.activities
    assert again.method == method
    assert (again.vectors != embedding.vectors).nnz == 0
    a, b = log.activities[0], log.activities[-1]
    assert again.explain(a, b) == embedding.explain(a, b)


def test_a_dense_embedding_comes_back_whole(tmp_path):
    embedding = Embedding(["a", "b"], np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), method="mine")
    embedding.save(tmp_path / "dense.actalike")
    again = load(tmp_path / "dense.actalike")
    assert (again.vectors == embedding.vectors).all()
    assert (again.activities, again.method, again.contexts) == (["a", "b"], "mine", None)


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
        with pytest.raises(ActalikeError, match="not a symmetric array"):
            Embedding(["a", "b"], np.array([[0.0, 1.0], [2.0, 0.0]]), compare="scores")
        with pytest.raises(ActalikeError, match="not a symmetric array"):
            Embedding(["a", "b"], np.zeros((2, 3)), compare="scores")
        with pytest.raises(ActalikeError, match="none of cosine, scores"):
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
    with pytest.raises(UnknownActivityError, match="Did you mean 'Pay'"):
        embedding["Pey"]


@pytest.mark.parametrize("kind", ["pandas", "pyarrow"])
def test_frames_of_all_kinds_have_the_same_content(kind, monkeypatch):
    pytest.importorskip(kind)
    embedding = embed(LOG, "aa-sequence-pmi-w3")
    assert pl.DataFrame(embedding.to_frame(kind)).equals(embedding.to_frame())
    with pytest.raises(ActalikeError, match="kind='excel' is none of"):
        embedding.to_frame("excel")
    monkeypatch.setitem(sys.modules, kind, None)
    with pytest.raises(ImportError, match=f"pip install {kind}"):
        embedding.to_frame(kind)
