import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, count_windows, embed, insertion_scores, substitution_scores
from tests import oracle
from tests.helpers.examples import real_logs
from tests.helpers.strategies import traces

L2 = EventLog.from_traces([list("abcde"), list("abdde"), list("adcde"), list("acde")])
L3 = EventLog.from_traces([list("abcde")] * 10 + [list("abdde"), list("abfde"), list("fbdef")])


def by_pair(log, scores):
    return {(a, b): scores[i, j] for i, a in enumerate(log.activities) for j, b in enumerate(log.activities)}


def test_the_check_values_of_the_specification():
    of_l2, of_l3 = embed(L2, "substitution-w3"), embed(L3, "substitution-w3")
    expected = {
        "aa": 2.772589,
        "bb": -4.158883,
        "bc": 0.693147,
        "bd": -0.223144,
        "dd": 0.652325,
        "ab": -4.158883,
        "de": -1.450833,
    }
    for (a, b), score in expected.items():
        assert of_l2.similarity(a, b) == pytest.approx(score, abs=5e-7)
    for (a, b), score in {"af": 0.107699, "cf": 0.107699, "ff": -5.345297, "cd": -0.782159}.items():
        assert of_l3.similarity(a, b) == pytest.approx(score, abs=5e-7)


@given(traces(st.sampled_from("abcd")), st.integers(1, 6))
def test_scores_are_as_defined(cases, window):
    log = EventLog.from_traces(cases)
    counts = count_windows(log, window)
    assert by_pair(log, substitution_scores(counts)) == pytest.approx(oracle.substitution(cases, window), abs=1e-12)
    assert by_pair(log, insertion_scores(counts)) == pytest.approx(oracle.insertion(cases, window), abs=1e-12)


@pytest.mark.parametrize("name", real_logs("CCC19", "BPIC13_closed_problems", campaign=["Helpdesk"]))
def test_scores_are_as_defined_on_real_logs(real_log, name):
    log = real_log(name)
    for window in (3, 9):
        expected = oracle.substitution(log.traces(), window)
        assert by_pair(log, substitution_scores(count_windows(log, window))) == pytest.approx(expected, abs=1e-9)


def test_without_repeated_contexts_all_scores_are_zero():
    log = EventLog.from_traces([["a", "b"]])
    assert not embed(log, "substitution-w3").vectors.any()
    assert not insertion_scores(count_windows(log, 3)).any()


def test_the_score_is_the_similarity_and_its_rows_are_the_vectors():
    embedding = embed(L2, "substitution-w3")
    assert embedding.most_similar("b", topn=1) == [("c", pytest.approx(0.693147, abs=5e-7))]
    assert (embedding.vectors == substitution_scores(count_windows(L2, 3))).all()
    assert (embedding.distances() == -embedding.vectors).all()
    assert embedding.most_similar_pairs(1)[0][:2] == ("b", "c")


def test_a_repeated_insertion_scores_higher_than_chance():
    log = EventLog.from_traces([["x", "a", "y"]] * 5 + [["y", "x"], ["b", "y"]])
    scores = insertion_scores(count_windows(log, 3))
    a, x = log.activities.index("a"), log.activities.index("x")
    assert scores[a, x] == np.max(scores)
