"""Centred kin: kin, where only what is more or less than usual counts."""

import json
import math
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, CentredKinEmbedder, EventLog, FileFormatError, count_windows, embed, load
from actalike.demo.loan_desk import loan_desk
from actalike.matrices import factor
from actalike.methods.kin import centred_kin, read_centred_kin_shares
from actalike.support.saved import StoredFile
from tests import oracle
from tests.helpers.examples import examples
from tests.helpers.strategies import logs, traces


@examples(30)
@given(traces(st.sampled_from("abcd")), st.integers(2, 5), st.integers(1, 4), st.sampled_from([0.5, 2.0]))
def test_similarities_are_as_defined(cases, window, rounds, shrinkage):
    log = EventLog.from_traces(cases)
    expected = oracle.centred_kin(cases, window, rounds, shrinkage)
    similarities, _ = centred_kin(count_windows(log, window), rounds, shrinkage)
    assert similarities == pytest.approx(np.array([[expected[a, b] for b in log.activities] for a in log.activities]), abs=1e-8)


@pytest.mark.parametrize("name", ["Helpdesk", "BPIC13_closed_problems"])
def test_similarities_are_as_defined_on_real_logs(real_log, name):
    log = real_log(name)
    expected = oracle.centred_kin(log.traces(), 5, 6, 2.0)
    assert embed(log, "kin2-w5").cosines == pytest.approx(
        np.array([[expected[a, b] for b in log.activities] for a in log.activities]), abs=1e-9
    )


@given(logs(), st.integers(2, 6), st.integers(1, 6))
def test_similarities_are_cosines(log, window, rounds):
    similarities, _ = centred_kin(count_windows(log, window), rounds, 2.0)
    assert np.array_equal(similarities, similarities.T)
    assert (similarities.diagonal() == 1).all()
    assert np.abs(similarities).max() == 1
    assert np.linalg.eigvalsh(similarities).min() > -1e-9
    vectors = factor(similarities)
    assert vectors @ vectors.T == pytest.approx(similarities, abs=1e-8)


def test_activities_without_any_difference_are_alike():
    """All differences are rounding errors, which must not be magnified."""
    for traces_ in ([["a"]], [["a"], ["b"]] * 9, [["a"], ["b"], ["c"]] * 3, [[a, b] for a in "ab" for b in "ab"] * 7):
        log = EventLog.from_traces(traces_)
        assert embed(log, "kin2-w5").cosines == pytest.approx(1.0, abs=1e-6)


def test_similarities_of_many_activities_spread_further_than_those_of_kin(real_log):
    log = real_log("BPIC20_PermitLog")
    kin, centred = (embed(log, method).cosines[np.triu_indices(51, 1)] for method in ("kin-w5", "kin2-w5"))
    assert np.quantile(kin, 0.05) > 0.7
    assert np.quantile(centred, 0.05) < 0.3


def test_more_than_100_activities_get_two_rounds():
    few, many = (EventLog.from_traces([[str(i), "x", str(i + 1), "y"] for i in range(n)]) for n in (97, 98))
    for log, rounds in ((few, 6), (many, 2)):
        assert len(log.activities) == (100 if rounds == 6 else 101)
        fixed = CentredKinEmbedder(3, rounds).fit(log).embedding_
        assert (embed(log, "kin2-w3").cosines == fixed.cosines).all()


def test_counts_give_the_embedding_of_the_log():
    log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c", "x"]] * 5)
    assert (embed(count_windows(log, 7), "kin2-w5").cosines == embed(log, "kin2").cosines).all()


def test_what_cannot_work_is_refused():
    log = EventLog.from_traces([["a", "b"]])
    for options, message in (
        ({"window": 1}, "kin2-w1"),
        ({"rounds": 0}, "rounds"),
        ({"shrinkage": 0}, "shrinkage"),
    ):
        with pytest.raises(ActalikeError, match=message):
            CentredKinEmbedder(**options).fit(log)


def test_similarities_have_intervals():
    log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c", "x"]] * 9)
    similarity, low, high = embed(log, "kin2-w3").confidence("a", "b", resamples=20)[:3]
    assert low <= similarity <= high <= 1


METHODS = st.sampled_from(["kin2-w3", "kin2-w4"])


@examples(30)
@given(logs(), METHODS, st.data())
def test_all_shares_sum_to_the_similarity_and_fewer_are_the_first_of_them(log, method, data):
    embedding = embed(log, method)
    i, j = (data.draw(st.integers(0, len(log.activities) - 1)) for _ in range(2))
    shares = embedding.shares(i, j, None)
    assert math.fsum(share.share for share in shares) == pytest.approx(embedding.cosines[i, j], abs=1e-9)
    assert [share.kind == "constant" for share in shares] == [True, *[False] * (len(shares) - 1)]
    assert shares[0].share > 0
    sizes = [abs(share.share) for share in shares[1:]]
    assert sizes == pytest.approx(sorted(sizes, reverse=True), abs=1e-14)
    for topn in (0, 1, 2, 5):
        assert embedding.shares(i, j, topn) == shares[:topn]


@examples(20)
@given(logs(), METHODS)
def test_shares_are_those_of_the_definition(log, method):
    """A share is v_o (E(i, x) - M(x)) K(x, y) (E(j, y) - M(y)) of both orders, where the rows of E are H's, scaled as G_o is."""
    explanation = embed(log, method).explanation
    n = len(log.activities)
    i, j, alike = 0, n - 1, np.asarray(explanation.alike)
    expected, sum_of_squares = {}, np.zeros(n)
    for around in explanation.surroundings:
        rows = np.array([around.row(a) for a in range(n)])
        scaled = rows / np.sqrt(np.einsum("ax,xy,ay->a", rows, alike, rows))[:, np.newaxis]
        more = scaled - scaled.mean(axis=0)
        sum_of_squares += around.weight * np.einsum("ax,xy,ay->a", more, alike, more)
        for x in range(n + 1):
            for y in range(x, n + 1):
                both = more[i, x] * more[j, y] + (more[i, y] * more[j, x] if x != y else 0.0)
                codes = tuple(-1 if code == n else code for code in ((x,) if x == y else (x, y)))
                expected[around.offset, codes] = both * alike[x, y] * around.weight
    constant = (1 + 20 / n) * sum_of_squares.mean() + 1e-6
    divisor = math.sqrt((sum_of_squares[i] + constant) * (sum_of_squares[j] + constant))
    first, *shares = explanation.shares(i, j)
    assert first.share == pytest.approx(constant / divisor, abs=1e-8)
    found = {(share.place, share.codes): share.share for share in shares}
    for key, value in expected.items():
        assert found.get(key, 0.0) == pytest.approx(value / divisor, abs=1e-8)


def test_what_one_has_more_and_the_other_less_than_usual_has_a_negative_share():
    log = EventLog.from_traces([["x", "a", "end"], ["y", "b", "end"], ["z", "c", "other"]] * 9)
    shares = {share.context: share.share for share in embed(log, "kin2-w3").explain("a", "b", None)}
    assert next(iter(shares)) == "(constant: what all activities share)"
    assert shares["● → end"] > 0
    assert shares["x → ●"] < 0
    assert shares["● ↛ other"] > 0


@examples(10)
@given(logs(), METHODS)
def test_a_stored_explanation_gives_the_same_shares(log, method):
    embedding = embed(log, method)
    with tempfile.TemporaryDirectory() as folder:
        embedding.save(f"{folder}/kin2.actalike")
        stored = load(f"{folder}/kin2.actalike")
    assert (stored.cosines == embedding.cosines).all()
    for i in range(len(log.activities)):
        assert stored.shares(i, 0) == embedding.shares(i, 0)


def test_stored_explanations_of_a_larger_log_are_read(tmp_path):
    embedding = embed(loan_desk(40), "kin2-w5")
    embedding.save(tmp_path / "kin2.actalike")
    a, b, similarity = embedding.most_similar_pairs(1)[0]
    shares = load(tmp_path / "kin2.actalike").explain(a, b, None)
    assert sum(share.share for share in shares) == pytest.approx(similarity, abs=1e-9)


SOUND = embed(EventLog.from_traces([["a", "b"]]), "kin2-w3").explanation


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("offsets", [-1, 2]),  # not those of a window
        ("weights", [0.5, 0.6]),
        ("constant", 0.0),
        ("constant", None),
        ("kin2_alike", np.full((3, 3), -2.0)),
        ("kin2_alike", np.eye(3) + np.diag([0.5, 0.5], 1)),  # not symmetric
        ("kin2_given_0", np.zeros(2)),  # the squares of a row do not sum to 1
        ("kin2_given_2", np.zeros(2)),  # of an offset that is not there
        ("kin2_squares_2", np.ones(2)),
        ("kin2_squares_0", np.zeros(2)),  # shares would be divided by 0
        ("kin2_squares_0", np.ones(3)),
        ("kin2_squares_1", np.full(2, np.nan)),
        ("kin2_lengths", np.zeros(2)),
        ("kin2_lengths", np.ones((1, 2))),
        ("kin2_lengths", np.ones(1)),
    ],
)
def test_contradictory_parts_of_a_file_are_an_error(part, value):
    header, arrays = SOUND.stored()
    sound = read_centred_kin_shares(StoredFile(Path("x"), "embedding", json.dumps({"kin2": header}), arrays), ["a", "b"])
    assert sound.shares(0, 1) == SOUND.shares(0, 1)
    broken = {"kin2": {**header, part: value}} if part in header else {"kin2": header}
    with pytest.raises(FileFormatError, match=r"x is (not a sound embedding|damaged)"):
        read_centred_kin_shares(StoredFile(Path("x"), "embedding", json.dumps(broken), {**arrays, part: value}), ["a", "b"])
