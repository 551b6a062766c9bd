"""Embeddings in files: whole, or an error."""

import numpy as np
import pytest
from hypothesis import given
from scipy.sparse import csr_array

from actalike import ActalikeError, Embedding, EventLog, FileFormatError, embed, load
from actalike.embedding import CodedShare, register_explanation
from actalike.embedding import files as module
from actalike.matrices import Contexts
from tests.helpers.damaged_files import contents, damaged, write_unchecked
from tests.helpers.examples import examples
from tests.helpers.strategies import any_text, logs

EXPLAINABLE = ["ac-sequence-pmi-w5", "ac-multiset-raw-w3", "aa-sequence-pmi-w3", "aa-multiset-ppmi-w9"]


@pytest.mark.parametrize("method", EXPLAINABLE)
@examples(20)
@given(log=logs(any_text))
def test_a_saved_embedding_comes_back_whole(tmp_path_factory, method, log):
    path = tmp_path_factory.mktemp("saved") / "log.actalike"
    embedding = embed(log, method)
    embedding.save(path)
    again = load(path)
    assert again.activities == embedding.activities
    assert again.method == method
    assert (again.stored_vectors != embedding.stored_vectors).nnz == 0
    a, b = log.activities[0], log.activities[-1]
    assert again.explain(a, b) == embedding.explain(a, b)


def test_a_dense_embedding_comes_back_whole(tmp_path):
    embedding = Embedding(["a", "b"], np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), method="mine")
    embedding.save(tmp_path / "dense.actalike")
    again = load(tmp_path / "dense.actalike")
    assert (again.vectors == embedding.vectors).all()
    assert (again.activities, again.method, again.contexts) == (["a", "b"], "mine", None)


LOG = EventLog.from_traces([["a", "Check invoice", ""], ["a", "📄", "."]])


@pytest.mark.parametrize(
    "damage",
    [
        {
            "indices": np.array([99], dtype=np.int64),
            "data": np.array([1.0]),
            "indptr": np.array([0, 1, 1, 1, 1, 1], dtype=np.int64),
        },
        {"indptr": np.array([0, 5, 2, 3, 4, 5], dtype=np.int64)},
        {"indptr": np.array([0], dtype=np.int64)},
        {"context_codes": np.full((5, 1), 77, dtype=np.int32)},
        {"context_codes": np.zeros((2, 1), dtype=np.int32)},
        {"data": np.zeros(3, dtype=np.float32)},
    ],
)
def test_contradictory_parts_are_an_error(tmp_path, damage):
    with pytest.raises(FileFormatError):
        load(damaged(LOG, "aa-sequence-pmi-w3", damage, tmp_path / "log.actalike"))


@pytest.mark.parametrize(
    "damage",
    [
        {"kin_alike": np.zeros((2, 2))},
        {"kin_given_0": np.zeros(2)},
        {"kin_usual_1": np.full(6, np.nan)},
        {"kin_indptr_0": np.array([0], dtype=np.int64)},
        {"kin_indices_2": np.array([99], dtype=np.int64)},
    ],
)
def test_contradictory_reasons_are_an_error(tmp_path, damage):
    with pytest.raises(FileFormatError):
        load(damaged(LOG, "kin-w5", damage, tmp_path / "log.actalike"))


POSITIONS = {"contexts": {"kind": "position", "left": 3}}  # of two symbols, three stand before the activity


@pytest.mark.parametrize(
    ("method", "header", "arrays", "words"),
    [
        ("positional-pmi-w3", POSITIONS, {}, "3 symbols of its contexts stand before the activity, and there are 2"),
        ("positional-pmi-w3", {}, {"context_codes": lambda codes: codes * 0}, "does not hold just one neighbour"),
        ("aa-sequence-pmi-w3", {}, {"context_codes": lambda codes: codes - 1}, "unknown activity"),  # PAD is none here
        ("aa-sequence-pmi-w3", {}, {"context_codes": lambda codes: codes[:, :0]}, "unknown activity"),
        ("ac-sequence-pmi-w3", {}, {"context_codes": lambda codes: codes[1:]}, "6 dimensions and 5 contexts"),
        ("ac-sequence-pmi-w3", {"columns": 5}, {}, "outside its 5 columns"),
        ("ac-sequence-pmi-w3", {"columns": None}, {}, "columns"),
        ("ac-sequence-pmi-w3", {}, {"data": lambda data: data * 1e150}, "a number of 'data' is not from -1e.140 to 1e.140"),
        ("one-hot", {"columns": 2**24}, {}, "16,777,216 columns, of which at most 5 are used"),
        ("one-hot", {"compare": "scores"}, {}, "its scores are not a symmetric array"),
        ("substitution-w3", {}, {"dense": lambda dense: dense * np.nan}, "a number of 'dense'"),
        ("substitution-w3", {}, {"dense": lambda dense: dense + np.arange(5)}, "its scores are not a symmetric array"),
        ("kin-w5", {}, {"cosines": lambda cosines: cosines / 2}, "its cosines are not a symmetric array"),
        ("kin-w5", {}, {"dense": lambda dense: dense[1:]}, "5 activities and 4 vectors"),
        ("kin-w5", {"other": {}}, {}, "it has 2 explanations"),
        ("one-hot", {"context": {}}, {}, "'context' cannot be an explanation"),
    ],
)
def test_parts_beyond_their_bounds_are_refused_with_the_reason(tmp_path, method, header, arrays, words):
    embed(LOG, method).save(tmp_path / "log.actalike")
    described, stored = contents(tmp_path / "log.actalike")
    changed = {name: np.ascontiguousarray(change(stored[name])) for name, change in arrays.items()}
    write_unchecked(tmp_path / "log.actalike", described | header, stored | changed)
    with pytest.raises(FileFormatError, match=words):
        load(tmp_path / "log.actalike")


def test_what_could_not_be_loaded_is_not_saved(tmp_path):
    long = "x" * 5_000_000
    wide = Contexts("sequence", np.zeros((1, 4), dtype=np.int32), [long], left=2)
    for embedding, words in (
        (Embedding(["a"], [[1e200]]), "a number beyond 1e.140"),
        (Embedding(["a"], csr_array((1, 2**25))), "33,554,432 columns, of which at most 0 are used"),
        (Embedding([], csr_array((0, 0))), "length >= 1"),
        (Embedding([long], [[1.0]], wide), "its contexts, written out, are too long"),
    ):
        with pytest.raises(ActalikeError, match=words):
            embedding.save(tmp_path / "e.actalike")
    assert list(tmp_path.iterdir()) == []


def test_few_activities_may_have_many_empty_columns(tmp_path):
    Embedding(["a"], csr_array((1, 2**16))).save(tmp_path / "e.actalike")
    assert load(tmp_path / "e.actalike").vectors.shape == (1, 2**16)


class Constant:
    """An explanation of somebody else's method."""

    def __init__(self, kind, array):
        self.kind, self.array = kind, array

    def shares(self, i, j, topn=None):
        return [CodedShare("like", 1.0, (i,))][:topn]

    def stored(self):
        return {"version": 1}, {self.array: np.ones(2)}


def explained(kind, array):
    return Embedding(["a", "b"], np.eye(2), method="mine", explanation=Constant(kind, array))


def test_an_explanation_of_ones_own_is_stored_and_read(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_EXPLANATIONS", dict(module._EXPLANATIONS))
    explained("mine", "mine_numbers").save(tmp_path / "e.actalike")
    with pytest.raises(ActalikeError, match="mine"):
        load(tmp_path / "e.actalike").explain("a", "b")
    register_explanation("mine", lambda file, activities: Constant("mine", "mine_numbers"))
    assert load(tmp_path / "e.actalike").explain("a", "b") == explained("mine", "mine_numbers").explain("a", "b")


def test_an_explanation_that_nobody_reads_is_an_error(tmp_path):
    explained("elsewhere", "elsewhere_numbers").save(tmp_path / "e.actalike")
    with pytest.raises(FileFormatError, match="register"):
        load(tmp_path / "e.actalike")


@pytest.mark.parametrize(
    ("kind", "array"), [("mine", "dense"), ("method", "method_x"), ("contexts", "contexts_x"), ("context", "context_codes")]
)
def test_an_explanation_cannot_overwrite_what_else_the_file_holds(tmp_path, kind, array):
    with pytest.raises(ActalikeError, match="is not a name of its own"):
        explained(kind, array).save(tmp_path / "e.actalike")
    assert list(tmp_path.iterdir()) == []
