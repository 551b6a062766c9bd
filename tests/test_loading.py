"""Opening saved files: all kinds, of all released formats."""

import json
import tracemalloc
from collections import Counter
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pytest
from safetensors import safe_open

from actalike import EventLog, FileFormatError, count_windows, embed, load, loading
from actalike.embedding import files as embedding_files
from actalike.support.saved import FORMAT_VERSION
from tests.attacks import saved_files
from tests.helpers.damaged_files import write_unchecked

SAMPLES = Path(__file__).parent / "samples"
LOG = EventLog.from_traces([["a", "Check invoice", ""], ["a", "📄", "."]])


@pytest.mark.parametrize("version", range(1, FORMAT_VERSION + 1))
def test_files_of_every_released_format_are_read(version):
    """The samples were written by the version that introduced the format; tests/samples/README.md says how."""
    counts = load(SAMPLES / f"window-counts-v{version}.actalike")
    assert counts == count_windows(LOG, 5)
    stream = load(SAMPLES / f"stream-counter-v{version}.actalike")
    assert (stream.n_events, stream.open_cases) == (5, 1)
    stream.add(["📄"], ["."])
    assert stream.counts() == count_windows(LOG, 4)
    for method in ("ac-sequence-pmi-w3", "ac-multiset-raw-w3", "aa-sequence-ppmi-w3"):
        embedding = load(SAMPLES / f"{method}-v{version}.actalike")
        fresh = embed(LOG, method)
        assert (embedding.stored_vectors != fresh.stored_vectors).nnz == 0
        assert embedding.explain("Check invoice", "📄") == fresh.explain("Check invoice", "📄")
        assert (embedding.activities, embedding.method) == (fresh.activities, method)
    for method in ("positional-pmi-w3", "kin-w5", "kin2-w5"):
        embedding, fresh = load(SAMPLES / f"{method}-v{version}.actalike"), embed(LOG, method)
        assert np.allclose(embedding.distances(), fresh.distances())
        shares, expected = ({s.context: s.share for s in e.explain("a", "📄", None)} for e in (embedding, fresh))
        assert shares == pytest.approx(expected)
    scores = load(SAMPLES / f"substitution-w3-v{version}.actalike")
    assert scores.compare == "scores"
    assert scores.similarity("a", "📄") == pytest.approx(embed(LOG, "substitution-w3").similarity("a", "📄"))
    dense = load(SAMPLES / f"dense-v{version}.actalike")
    assert dense.vectors.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    predictor = load(SAMPLES / f"predictor-v{version}.actalike")
    assert (predictor.activities, predictor.method) == (["a", "Check invoice", "📄"], "kin-w5")
    assert predictor.recurrent.ravel().tolist() == pytest.approx(np.sin(np.arange(16)))
    chances = predictor.predict(["a", "📄", "a"], topn=None)
    assert [activity for activity, _ in chances] == ["📄", "Check invoice", "a", None]
    assert [chance for _, chance in chances] == pytest.approx([0.42360154, 0.33358477, 0.20006324, 0.04275045])


@pytest.mark.parametrize("sample", sorted(SAMPLES.glob("*.actalike")), ids=lambda path: path.name)
def test_a_sample_saved_again_has_the_same_bytes(tmp_path, sample):
    load(sample).save(tmp_path / "again.actalike")
    assert (tmp_path / "again.actalike").read_bytes() == sample.read_bytes()


def test_an_embedding_that_version_0_1_saved_is_read():
    embedding, fresh = load(SAMPLES / "0.1" / "kin-w5.actalike"), embed(LOG, "kin-w5")
    assert embedding.activities == fresh.activities
    assert np.allclose(embedding.distances(), fresh.distances())


def test_a_stream_that_version_0_1_saved_is_refused_with_what_to_do():
    with pytest.raises(FileFormatError, match="stream"):
        load(SAMPLES / "0.1" / "stream-counter.actalike")


def test_a_damaged_file_is_refused_in_one_sentence_or_sound_in_use(tmp_path):
    outcomes = list(islice(saved_files.attempts(Random(15), tmp_path), 400))
    assert [outcome.detail for outcome in outcomes if outcome.verdict == "wrong"] == []
    verdicts = Counter(outcome.verdict for outcome in outcomes)
    assert verdicts["refused"] > 200
    assert verdicts["same"] > 20


def test_the_attack_sees_what_it_is_to_see(tmp_path, monkeypatch):
    """Without the checks of the contents, the same attack finds files that are wrong."""
    monkeypatch.setattr(embedding_files, "contradiction", lambda parts: None)
    outcomes = islice(saved_files.attempts(Random(15), tmp_path), 400)
    assert any(outcome.verdict == "wrong" for outcome in outcomes)


EMBEDDING = {"format": 1, "kind": "embedding"}
N = 60_000
CASES = sorted(f"{i:x}" for i in range(N))
LABELS = [f"{i:x}" for i in range(N)]


def in_explanation(value):
    """A header with a value that no schema describes, because only a method that is not here would know it."""
    return '{"format":1,"kind":"embedding","activities":["a"],"mine":{"x":' + value + "}}"


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("header", "arrays"),
    [
        pytest.param({**EMBEDDING, "activities": LABELS}, {"dense": np.zeros((N, 0))}, id="many short labels"),
        pytest.param({**EMBEDDING, "activities": [""] * 200_000}, {"dense": np.zeros((200_000, 0))}, id="many empty labels"),
        pytest.param(in_explanation("[" + "[]," * 200_000 + "[]]"), {"dense": np.zeros((1, 0))}, id="many lists"),
        pytest.param(in_explanation("[" + "1e1," * 200_000 + "1]"), {"dense": np.zeros((1, 0))}, id="many numbers"),
        pytest.param(in_explanation("[" * 500_000), {"dense": np.zeros((1, 0))}, id="lists in lists"),
        pytest.param(in_explanation("{" + ",".join(f'"{i:x}":1' for i in range(N)) + "}"), {}, id="many keys"),
        pytest.param(in_explanation('"' + "x" * 500_000 + "📄" + '"'), {"dense": np.zeros((1, 0))}, id="one wide character"),
        pytest.param(
            {"format": 1, "kind": "stream-counter", "activities": ["a"], "n_events": N},
            {
                "windows": np.zeros((0, 2), dtype=np.int32),
                "counts": np.zeros(0, dtype=np.int64),
                "tails": np.zeros((N, 1), dtype=np.int32),
                "case_texts": np.frombuffer("".join(CASES).encode(), dtype=np.uint8),
                "case_lengths": np.array([len(case) for case in CASES]),
            },
            id="many open cases",
        ),
        pytest.param(
            {"format": 1, "kind": "window-counts", "activities": ["a", "b"]},
            {"windows": np.zeros((40, 10_000), dtype=np.int32), "counts": np.ones(40, dtype=np.int64)},
            id="wide windows",
        ),
    ],
)
def test_loading_takes_no_more_memory_than_the_documented_multiple_of_the_file(tmp_path, header, arrays):
    path = write_unchecked(tmp_path / "x.actalike", header, arrays)
    load(SAMPLES / "dense-v1.actalike")  # what is imported once is no part of it
    tracemalloc.start()
    try:
        with suppress(FileFormatError):
            load(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 24 * path.stat().st_size + 2**24


def test_there_is_a_sample_of_every_kind_of_file():
    kinds = {json.loads(safe_open(path, "numpy").metadata()["actalike"])["kind"] for path in SAMPLES.glob("*.actalike")}
    assert kinds == set(loading._KINDS)


def test_a_kind_of_a_later_version_is_refused(tmp_path):
    write_unchecked(tmp_path / "new.actalike", {"format": 1, "kind": "crystal-ball"}, {"x": np.zeros(1)})
    with pytest.raises(FileFormatError, match="crystal-ball"):
        load(tmp_path / "new.actalike")
