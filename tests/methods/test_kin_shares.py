"""What a similarity of kin is made of."""

import math
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, FileFormatError, embed, load
from actalike.demo.loan_desk import loan_desk
from actalike.methods.kin_shares import read_kin_shares
from actalike.support.container import StoredFile
from tests.helpers.examples import examples
from tests.helpers.strategies import logs

METHODS = st.sampled_from(["kin-w3", "kin-w4", "kin-w5"])


@given(logs(), METHODS, st.data())
def test_fewer_shares_are_the_first_of_all(log, method, data):
    embedding = embed(log, method)
    i, j = (data.draw(st.integers(0, len(log.activities) - 1)) for _ in range(2))
    shares = embedding.shares(i, j, None)
    for topn in range(7):
        assert embedding.shares(i, j, topn) == shares[:topn]


@given(logs(), METHODS)
def test_all_shares_sum_to_the_similarity(log, method):
    embedding = embed(log, method)
    for i, a in enumerate(log.activities[:4]):
        for j, b in enumerate(log.activities[:4]):
            shares = [share.share for share in embedding.shares(i, j, None)]
            assert math.fsum(shares) == pytest.approx(embedding.similarity(a, b), abs=1e-9)
            assert min(shares) > 0


@given(logs(), METHODS)
def test_shares_are_those_of_the_definition(log, method):
    """The share of the neighbours x and y is v_o (H(i, x) K(x, y) H(j, y) + H(i, y) K(x, y) H(j, x)), scaled as G_o is."""
    explanation = embed(log, method).explanation
    i, j, pad = 0, len(log.activities) - 1, len(log.activities)
    expected = {}
    for around in explanation.surroundings:
        a, b, alike = around.row(i), around.row(j), explanation.alike
        scale = around.weight / math.sqrt((a @ alike @ a) * (b @ alike @ b))
        for x in range(pad + 1):
            for y in range(x, pad + 1):
                both = a[x] * b[y] + (a[y] * b[x] if x != y else 0.0)
                codes = tuple(-1 if code == pad else code for code in ((x,) if x == y else (x, y)))
                expected[around.offset, codes] = pytest.approx(both * alike[x, y] * scale, abs=1e-12)
    shares = {(share.place, share.codes): share.share for share in explanation.shares(i, j)}
    assert shares == {key: expected[key] for key in shares}
    assert all(expected[key] == 0.0 for key in expected.keys() - shares.keys())


def test_equal_shares_come_nearest_first():
    embedding = embed(EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"]] * 9), "kin-w3")
    shares = embedding.explain("a", "b", None)
    assert [share.place for share in shares[:2]] == [-1, 1]
    far = embed(EventLog.from_traces([["a"], ["b"]] * 9), "kin-w5").explain("a", "b", None)
    assert [share.place for share in far] == [-1, 1, -2, 2]


@examples(10)
@given(logs(), METHODS)
def test_a_stored_explanation_gives_the_same_shares(log, method):
    embedding = embed(log, method)
    with tempfile.TemporaryDirectory() as folder:
        embedding.save(f"{folder}/kin.actalike")
        stored = load(f"{folder}/kin.actalike")
    for i in range(len(log.activities)):
        assert stored.shares(i, 0) == embedding.shares(i, 0)


def test_explanations_are_exact_and_kept_in_files(tmp_path):
    log = loan_desk(40)
    embedding = embed(log, "kin-w5")
    a, b, similarity = embedding.most_similar_pairs(1)[0]
    shares = embedding.explain(a, b, None)
    assert sum(share.share for share in shares) == pytest.approx(similarity, abs=1e-9)
    assert [share.share for share in shares] == sorted((share.share for share in shares), reverse=True)
    assert len({(share.context, share.symbols) for share in shares}) == len(shares)
    embedding.save(tmp_path / "kin.actalike")
    assert load(tmp_path / "kin.actalike").explain(a, b, 20) == shares[:20]


def test_explanations_read_well():
    log = EventLog.from_traces(
        [["Check", "a", "Pay"], ["Re-check", "b", "Pay"], ["Check", "b", "Pay"], ["Re-check", "a", "Pay"]] * 10
    )
    words = {share.context for share in embed(log, "kin-w5").explain("a", "b")}
    assert {"● → Pay", "Check → ●", "Check ≈ Re-check → ●", "(start) → · → ●", "● → · → (end)"} <= words


SOUND = embed(EventLog.from_traces([["a", "b"]]), "kin-w3").explanation


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("offsets", [0, 1]),
        ("offsets", [-1, 2]),  # not those of a window
        ("offsets", [1, -1]),
        ("offsets", [-1, 2**31]),  # would be that many dots in a text
        ("weights", [0.5, 0.6]),
        ("weights", [1.0]),
        ("kin_alike", np.diag([1.0, 1.0, 0.5])),
        ("kin_alike", np.eye(3) + np.diag([0.5, 0.5], 1)),  # not symmetric
        ("kin_alike", np.eye(3) - 0.5 * (1 - np.eye(3))),  # alike by less than 0, so that a sum may be 0
        ("kin_given_0", np.zeros(2)),  # the squares of a row do not sum to 1
        ("kin_usual_1", np.full(3, -0.1)),
        ("kin_data_0", np.full(SOUND.surroundings[0].seen.nnz, 1e139)),
        ("kin_given_2", np.zeros(2)),  # of an offset that is not there
        ("offsets", [-1]),
        ("offsets", ["left", "right"]),
        ("offsets", None),
        ("weights", [0.5, None]),
        ("kin_alike", np.eye(2)),
        ("kin_alike", np.full((3, 3), np.inf)),
        ("kin_given_1", np.zeros(3)),
        ("kin_given_0", np.full(2, np.nan)),
        ("kin_usual_0", np.zeros(2)),
        ("kin_usual_1", np.full(3, np.nan)),
    ],
)
def test_contradictory_parts_of_a_file_are_an_error(part, value):
    header, arrays = SOUND.stored()
    assert read_kin_shares(StoredFile(Path("x"), "embedding", {"kin": header}, arrays), ["a", "b"]).shares(0, 1) == SOUND.shares(
        0, 1
    )
    broken = {"kin": {**header, part: value}} if part in header else {"kin": header}
    with pytest.raises(FileFormatError, match=r"x is (not a sound embedding|damaged)"):
        read_kin_shares(StoredFile(Path("x"), "embedding", broken, {**arrays, part: value}), ["a", "b"])
