"""Kin of many activities, block by block."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, count_windows, load
from actalike.methods import kin_similarity
from actalike.methods.kin import KinEmbedder
from actalike.methods.kin_blocks import bytes_of_kin_in_blocks, kin_in_blocks
from actalike.methods.kin_similarity import kin
from tests.helpers.examples import examples
from tests.helpers.strategies import logs


@examples(25)
@given(logs(), st.integers(2, 6), st.integers(1, 4), st.integers(1, 9))
def test_in_blocks_the_similarities_are_those_of_one_piece(log, window, rounds, height):
    whole, shares = kin(count_windows(log, window), rounds, 2.0)
    packed, packed_shares = kin_in_blocks(shares.surroundings, rounds, height)
    assert np.asarray(packed) == pytest.approx(whole, abs=1e-13)
    assert np.asarray(packed_shares.alike) == pytest.approx(shares.alike, abs=1e-13)
    for topn in (3, None):
        found = packed_shares.shares(0, len(log.activities) - 1, topn)
        assert [share.share for share in found] == pytest.approx(
            [share.share for share in shares.shares(0, len(log.activities) - 1, topn)], abs=1e-13
        )


def use_blocks(patch, height=7):
    """Let kin compare the activities of any log in blocks."""
    patch.setattr(kin_similarity, "_MOST_BYTES", 0)
    patch.setattr(kin_similarity, "ROWS_AT_A_TIME", height)
    patch.setattr("actalike.embedding.embedding._MOST_BYTES", 0)
    patch.setattr("actalike.embedding.all_pairs.CELLS_AT_A_TIME", 100 * height)


def assert_same_answers(log, monkeypatch, height=7):
    """Compare what is said of a log, computed in one piece and in blocks."""
    whole = KinEmbedder().fit(log).embedding_
    with monkeypatch.context() as patch:
        use_blocks(patch, height)
        blocks = KinEmbedder().fit(log).embedding_
        pairs, near = blocks.most_similar_pairs(10), blocks.most_similar(log.activities[0])
    assert not isinstance(blocks.cosines, np.ndarray)
    expected = whole.most_similar_pairs(10)
    assert [pair[:2] for pair in pairs] == [pair[:2] for pair in expected]
    assert [pair[2] for pair in pairs] == pytest.approx([pair[2] for pair in expected], abs=1e-12)
    assert [label for label, _ in near] == [label for label, _ in whole.most_similar(log.activities[0])]


def test_in_blocks_pairs_are_those_of_one_piece_ties_included(monkeypatch):
    names = [f"{step}{name}" for step in "abc" for name in range(4)]
    traces = [[f"a{i}", f"b{j}", f"c{(i + j) % 4}"] for i in range(4) for j in range(4)] * 2
    log = EventLog.from_traces(traces)  # all names of a step are equally alike
    assert log.activities == names
    assert_same_answers(log, monkeypatch)


@pytest.mark.parametrize("name", ["BPIC15_1", "Helpdesk"])
def test_in_blocks_pairs_are_those_of_one_piece_on_real_logs(real_log, name, monkeypatch):
    monkeypatch.setattr("actalike.methods.kin_blocks._PANEL", 64)
    assert_same_answers(real_log(name), monkeypatch, height=100)


def test_an_embedding_in_blocks_is_saved_as_any_other(monkeypatch, tmp_path):
    use_blocks(monkeypatch)
    log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 5)
    embedding = KinEmbedder().fit(log).embedding_
    embedding.save(tmp_path / "kin.actalike")
    loaded = load(tmp_path / "kin.actalike")
    assert isinstance(loaded.cosines, np.ndarray)
    assert loaded.most_similar_pairs() == embedding.most_similar_pairs()
    shares, expected = loaded.explain("a", "b", None), embedding.explain("a", "b", None)
    assert sum(share.share for share in shares) == pytest.approx(sum(share.share for share in expected), abs=1e-12)


def test_the_estimate_of_20_000_activities_is_below_6_gib():
    assert 2 * 8 * 20_000**2 / 2 < bytes_of_kin_in_blocks(20_000, 4, 1024) < 6 * 2**30
