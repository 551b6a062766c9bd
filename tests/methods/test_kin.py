"""Kin: two activities are alike if the activities around them are alike."""

import json
import math
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog, FileFormatError, KinEmbedder, count_windows, embed, load
from actalike.demo.loan_desk import loan_desk
from actalike.matrices import factor
from actalike.methods import CountingEstimator
from actalike.methods import kin as kin_module
from actalike.methods.kin import kin, read_kin_shares
from actalike.support.saved import StoredFile
from tests import oracle
from tests.helpers.examples import examples, real_logs
from tests.helpers.strategies import logs, traces


@examples(30)
@given(traces(st.sampled_from("abcd")), st.integers(2, 5), st.integers(1, 3), st.sampled_from([0.5, 2.0]))
def test_similarities_are_as_defined(cases, window, rounds, shrinkage):
    log = EventLog.from_traces(cases)
    expected = oracle.kin(cases, window, rounds, shrinkage)
    similarities, _ = kin(count_windows(log, window), rounds, shrinkage)
    found = KinEmbedder(window, rounds, shrinkage).fit(log).embedding_
    for i, a in enumerate(log.activities):
        for j, b in enumerate(log.activities):
            assert similarities[i, j] == pytest.approx(expected[a, b], abs=1e-9)
            assert found.similarity(a, b) == pytest.approx(expected[a, b], abs=1e-7)


@pytest.mark.parametrize("name", real_logs("CCC19", "BPIC13_closed_problems", campaign=["Helpdesk"]))
def test_similarities_are_as_defined_on_real_logs(real_log, name):
    log = real_log(name)
    expected = oracle.kin(log.traces(), 5, 4, 2.0)
    found = 1 - embed(log, "kin-w5").distances()
    assert found == pytest.approx(np.array([[expected[a, b] for b in log.activities] for a in log.activities]), abs=1e-9)


@given(traces(st.sampled_from("abcd")), st.integers(2, 6))
def test_similarities_are_cosines(cases, window):
    similarities, _ = kin(count_windows(EventLog.from_traces(cases), window), 3, 2.0)
    assert np.linalg.eigvalsh(similarities).min() > -1e-10
    vectors = factor(similarities)
    assert vectors @ vectors.T == pytest.approx(similarities, abs=1e-9)


def test_contexts_no_longer_shatter_when_a_neighbour_has_look_alikes():
    log = EventLog.from_traces(
        [[x, a, y] for x in ("x1", "x2") for a in ("a1", "a2") for y in ("y1", "y2")] * 5 + [["p", "q"]] * 40
    )
    assert embed(log, "kin-w3").similarity("a1", "a2") > 0.99
    apart = [["x1", "a1", "y1"], ["x2", "a2", "y2"], ["x1", "c", "y1"], ["x2", "c", "y2"], ["x1", "y2"], ["x2", "y1"]]
    log = EventLog.from_traces(apart * 10)
    assert embed(log, "kin-w3").similarity("a1", "a2") > 0.5
    assert embed(log, "ac-sequence-raw-w3").similarity("a1", "a2") == 0


def test_more_than_100_activities_get_two_rounds():
    few, many = (EventLog.from_traces([[str(i), "x", str(i + 1), "y"] for i in range(n)]) for n in (97, 98))
    for log, rounds in ((few, 4), (many, 2)):
        assert len(log.activities) == (100 if rounds == 4 else 101)
        fixed = KinEmbedder(3, rounds).fit(log).embedding_
        assert (embed(log, "kin-w3").vectors == fixed.vectors).all()


def test_what_cannot_work_is_refused():
    log = EventLog.from_traces([["a", "b"]])
    for options, message in (
        ({"window": 1}, "neighbours"),
        ({"rounds": 0}, "rounds"),
        ({"shrinkage": 0}, "shrinkage"),
    ):
        with pytest.raises(ActalikeError, match=message):
            KinEmbedder(**options).fit(log)


@examples(30)
@given(logs(), st.integers(2, 6), st.sampled_from([0.5, 2.0]), st.data())
def test_the_similarities_of_some_pairs_are_those_of_all(log, window, shrinkage, data):
    similarities, shares = kin(count_windows(log, window), 2, shrinkage)
    number = st.integers(0, len(log.activities) - 1)
    pairs = np.array(data.draw(st.lists(st.tuples(number, number), min_size=1, max_size=5)))
    found = kin_module._similarities_of_pairs(shares.surroundings, pairs)
    assert found == pytest.approx(similarities[pairs[:, 0], pairs[:, 1]], abs=1e-13)
    assert found.max() <= 1


def test_intervals_of_many_activities_are_those_of_comparing_all_of_them(monkeypatch):
    random = np.random.default_rng(1)
    names = np.array([f"a{i:03}" for i in range(120)])
    log = EventLog.from_traces([list(names[random.integers(0, 120, 8)]) for _ in range(400)])
    embedding = KinEmbedder().fit(log).embedding_
    pairs = [("a000", "a001"), ("a002", "a077"), ("a119", "a119")]
    intervals = embedding.confidences(pairs, 20)
    monkeypatch.setattr(kin_module, "_similarities_of_pairs", None)  # not called where all pairs are compared
    monkeypatch.setattr(KinEmbedder, "pair_similarities", CountingEstimator.pair_similarities)
    for found, interval in zip(intervals, embedding.confidences(pairs, 20), strict=True):
        assert found[1:3] == pytest.approx(interval[1:3], abs=1e-12)
        assert found.cases == interval.cases


@pytest.mark.parametrize("name", ["BPIC15_1"])
def test_the_similarities_of_some_pairs_are_those_of_all_on_real_logs(real_log, name):
    log = real_log(name)
    similarities, shares = kin(count_windows(log, 5), 2, 2.0)
    pairs = np.random.default_rng(1).integers(0, len(log.activities), (50, 2))
    found = kin_module._similarities_of_pairs(shares.surroundings, pairs)
    assert found == pytest.approx(similarities[pairs[:, 0], pairs[:, 1]], abs=1e-13)


@pytest.mark.parametrize("method", ["kin-w5", "kin2-w5", "substitution-w5"])
def test_more_activities_than_memory_holds_are_an_error_before_any_work(monkeypatch, method):
    monkeypatch.setenv("ACTALIKE_MEMORY", "60MB")
    monkeypatch.setattr("actalike.methods.registry.count_windows", None)
    log = EventLog.from_traces([[f"a{i}", f"a{i + 1}"] for i in range(1400)])
    for source in (log, count_windows(log, 5)):
        with pytest.raises(ActalikeError, match=r"1,401 activities .* group .* ac-sequence-pmi-w5"):
            embed(source, method)


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


def test_many_explanations_take_bounded_memory(monkeypatch):
    log = loan_desk(40)
    n = len(log.activities)
    expected = [embed(log, "kin-w5").shares(i, j, 3) for i in range(n) for j in range(i)]
    monkeypatch.setattr(kin_module, "_MOST_CACHED", 0)
    embedding = embed(log, "kin-w5")
    assert [embedding.shares(i, j, 3) for i in range(n) for j in range(i)] == expected
    assert len(embedding.explanation._cache) <= 64 < 4 * n


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
    assert read_kin_shares(StoredFile(Path("x"), "embedding", json.dumps({"kin": header}), arrays), ["a", "b"]).shares(
        0, 1
    ) == SOUND.shares(0, 1)
    broken = {"kin": {**header, part: value}} if part in header else {"kin": header}
    with pytest.raises(FileFormatError, match=r"x is (not a sound embedding|damaged)"):
        read_kin_shares(StoredFile(Path("x"), "embedding", json.dumps(broken), {**arrays, part: value}), ["a", "b"])
