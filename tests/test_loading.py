"""Opening saved files: all kinds, of all released formats."""

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open

from actalike import EventLog, FileFormatError, count_windows, embed, load, loading
from actalike.support.container import FORMAT_VERSION, write_file

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
        assert (embedding.vectors != fresh.vectors).nnz == 0
        assert embedding.explain("Check invoice", "📄") == fresh.explain("Check invoice", "📄")
        assert (embedding.activities, embedding.method) == (fresh.activities, method)
    for method in ("positional-pmi-w3", "kin-w5"):
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


def test_there_is_a_sample_of_every_kind_of_file():
    kinds = {json.loads(safe_open(path, "numpy").metadata()["actalike"])["kind"] for path in SAMPLES.glob("*.actalike")}
    assert kinds == set(loading._KINDS)


def test_a_kind_of_a_later_version_is_refused(tmp_path):
    write_file(tmp_path / "new.actalike", "crystal-ball", {}, {"x": np.zeros(1)})
    with pytest.raises(FileFormatError, match="holds a 'crystal-ball', which this version does not know: upgrade actalike"):
        load(tmp_path / "new.actalike")
