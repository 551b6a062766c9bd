"""Embeddings for other programs: word2vec, the Embedding Projector, frames."""

import sys

import numpy as np
import polars as pl
import pytest
from gensim.models import KeyedVectors
from hypothesis import given

from actalike import ActalikeError, Embedding, EventLog, FileFormatError, MissingExtraError, embed, load
from actalike.embedding import files, writer
from actalike.embedding.files import escape_label, unescape_label
from tests.helpers.examples import examples
from tests.helpers.strategies import any_text, logs

EXPLAINABLE = ["ac-sequence-pmi-w5", "ac-multiset-raw-w3", "aa-sequence-pmi-w3", "aa-multiset-ppmi-w9"]


LOG = EventLog.from_traces([["Register", "Check invoice", "Pay"], ["Register", "Verify invoice", "Pay"], ["Register", "Pay"]])


@given(any_text)
def test_any_label_survives_escaping(label):
    word = escape_label(label)
    assert unescape_label(word) == label
    assert word
    assert not any(c.isspace() for c in word)


@pytest.mark.parametrize("method", EXPLAINABLE)
@examples(20)
@given(log=logs(any_text))
def test_every_label_survives_word2vec_format_in_gensim_and_here(tmp_path_factory, method, log):
    path = tmp_path_factory.mktemp("vec") / "log.vec"
    embedding = embed(log, method)
    embedding.to_word2vec(path)
    again = Embedding.from_word2vec(path)
    assert again.activities == embedding.activities
    assert (again.vectors == embedding.vectors).all()
    if embedding.vectors.shape[1]:
        vectors = KeyedVectors.load_word2vec_format(str(path), datatype=np.float64)
        assert [unescape_label(word) for word in vectors.index_to_key] == embedding.activities
        assert (vectors.vectors == embedding.vectors).all()


@examples(10)
@given(logs(any_text))
def test_gensim_gets_the_labels_as_they_are(log):
    embedding = embed(log, "kin")
    keyed = embedding.to_gensim()
    assert keyed.index_to_key == log.activities
    for label in log.activities:
        assert keyed[label] == pytest.approx(embedding[label], rel=1e-6)
    a, b = log.activities[0], log.activities[-1]
    assert keyed.similarity(a, b) == pytest.approx(embedding.similarity(a, b), abs=1e-5)


def test_the_labels_of_a_vec_file_are_restored_for_gensim(tmp_path):
    embedding = Embedding(["Admission NC", "Admission%20NC", "A_SUBMITTED"], np.eye(3))
    embedding.to_word2vec(tmp_path / "log.vec")
    keys = KeyedVectors.load_word2vec_format(tmp_path / "log.vec").index_to_key
    assert keys == ["Admission%20NC", "Admission%2520NC", "A_SUBMITTED"]
    keyed = Embedding.from_word2vec(tmp_path / "log.vec").to_gensim()
    assert keyed["Admission NC"].tolist() == [1, 0, 0]


def test_to_gensim_says_how_to_install_gensim(monkeypatch):
    monkeypatch.setitem(sys.modules, "gensim.models", None)
    with pytest.raises(MissingExtraError, match="to_gensim"):
        Embedding(["a"], [[1.0]]).to_gensim()


def test_a_cut_off_word2vec_file_is_an_error(tmp_path):
    path = tmp_path / "log.vec"
    embed(LOG, "aa-sequence-pmi-w3").to_word2vec(path)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-1]))
    with pytest.raises(FileFormatError, match="promises"):
        Embedding.from_word2vec(path)
    path.write_text("".join(lines)[:-30])
    with pytest.raises(FileFormatError, match="word2vec"):
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


def test_projector_files_are_of_one_embedding_even_if_the_disk_is_full(tmp_path, monkeypatch):
    embed(EventLog.from_traces([["a", "b"]]), "aa-sequence-pmi-w3").to_projector(tmp_path)
    before = {path.name: path.read_text() for path in tmp_path.iterdir()}

    def full(value):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "_number", full)
    with pytest.raises(ActalikeError, match="tensors"):
        embed(EventLog.from_traces([["c", "d"]]), "aa-sequence-pmi-w3").to_projector(tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == before


def test_projector_files_have_a_line_for_each_activity(tmp_path):
    log = EventLog.from_traces([["tab\there", "line\nbreak", ""]])
    embed(log, "aa-sequence-pmi-w3").to_projector(tmp_path / "projector")
    metadata = (tmp_path / "projector" / "metadata.tsv").read_text().split("\n")
    assert metadata == ["(empty)", "line break", "tab here", ""]
    tensors = np.loadtxt(tmp_path / "projector" / "tensors.tsv", delimiter="\t")
    assert (tensors == embed(log, "aa-sequence-pmi-w3").vectors).all()


@pytest.mark.parametrize("first_line", ["1 1000000000000000000000000", "1 -1", "1 2", "-1 1", "0 1000000000000000000000000", "1"])
def test_a_first_line_that_is_not_that_of_the_words_below_is_an_error(tmp_path, first_line):
    (tmp_path / "x.vec").write_text(f"{first_line}\na 1\n")
    with pytest.raises(FileFormatError, match=r"x\.vec is (not in word2vec's text format|cut off)"):
        Embedding.from_word2vec(tmp_path / "x.vec")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("1 2\na 1e141 1\n", "number that is not from"),
        ("1 1\na nan\n", "number that is not from"),
        ("1 1\n%ff 1\n", "escapes"),
        ("1 1\na 1_0\n", "word2vec"),
        ("1 1\na ٣\n", "word2vec"),
    ],
)
def test_numbers_and_escapes_that_are_not_certain_are_refused(tmp_path, content, said):
    (tmp_path / "x.vec").write_text(content, encoding="utf-8")
    with pytest.raises(FileFormatError, match=said):
        Embedding.from_word2vec(tmp_path / "x.vec")


EMBEDDING = embed(EventLog.from_traces([["a", "b"], ["b", "a", "c"]]), "ac-sequence-pmi-w3")


@pytest.mark.parametrize(("ending", "read"), [(".csv", pl.read_csv), (".parquet", pl.read_parquet)], ids=[".csv", ".parquet"])
def test_frames_are_written_as_to_frame_makes_them(tmp_path, ending, read):
    path = tmp_path / f"out{ending}"
    writer(str(path))(EMBEDDING)
    frame = read(path)
    assert frame.columns == EMBEDDING.to_frame().columns
    assert frame.rows() == EMBEDDING.to_frame().rows()
    assert list(tmp_path.iterdir()) == [path]


def test_the_other_endings_have_their_formats(tmp_path):
    writer(f"{tmp_path}/out.actalike")(EMBEDDING)
    assert (load(tmp_path / "out.actalike").stored_vectors != EMBEDDING.stored_vectors).nnz == 0
    writer(f"{tmp_path}/out.vec")(EMBEDDING)
    assert (tmp_path / "out.vec").read_text().startswith("3 ")
    writer(f"{tmp_path}/folder/")(EMBEDDING)
    assert (tmp_path / "folder").is_dir()


@pytest.mark.parametrize("name", ["out", "out.txt", "csv", "out.CSV"])
def test_other_names_are_refused_before_any_work(name):
    with pytest.raises(ActalikeError, match="parquet"):
        writer(name)
