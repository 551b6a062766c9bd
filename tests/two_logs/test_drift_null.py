import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog
from actalike.two_logs.drift_company import companies
from actalike.two_logs.drift_null import FIRST_SHUFFLES, LEVEL, Null, discoveries, shuffle_further
from tests.helpers import naive_drift
from tests.helpers.examples import examples

BEFORE = [["x", "a", "y"]] * 3 + [["x", "a", "z"], ["x", "y"]]
AFTER = [["x", "a", "z"]] * 3 + [["a", "x", "y"], ["z", "x"]]


def null_of(label, before, after, seed=0):
    company = dict(companies(EventLog.from_traces(before), EventLog.from_traces(after)))[label]
    return Null(company, np.random.default_rng(seed))


@pytest.mark.parametrize("label", ["a", "x", "y"])
def test_p_is_the_share_of_all_ways_to_divide_the_cases_with_the_activity(label):
    null = null_of(label, BEFORE, AFTER)
    null.shuffle(4000)
    assert null.p == pytest.approx(naive_drift.exact_p(BEFORE, AFTER, label), abs=0.03)


@pytest.mark.parametrize("copies", [1, 50])
def test_shuffling_keeps_how_many_cases_are_before(copies):
    null = null_of("a", BEFORE * copies, AFTER * copies)  # few cases are shuffled one by one, many by profile
    drawn = null._draw(100)
    assert (drawn.sum(axis=1) == null.company.before.sum()).all()
    assert (drawn <= null.company.before + null.company.after).all()
    assert len(np.unique(drawn, axis=0)) > 5


def test_shuffling_in_pieces_gives_the_same_p(monkeypatch):
    whole, pieces = null_of("a", BEFORE, AFTER), null_of("a", BEFORE, AFTER)
    whole.shuffle(500)
    monkeypatch.setattr("actalike.two_logs.drift_null._CELLS_AT_A_TIME", 200)
    pieces.shuffle(500)
    assert (pieces.shuffles, pieces.p) == (500, pytest.approx(whole.p, abs=0.06))
    assert pieces.by_chance == pytest.approx(whole.by_chance, abs=0.05)


def test_only_what_is_left_open_is_shuffled_further():
    changed = null_of("a", [["x", "a"]] * 30, [["y", "a"]] * 30)
    same = null_of("x", [["x", "a"], ["x", "b"]] * 30, [["x", "a"], ["x", "b"]] * 30)
    for null in (changed, same):
        null.shuffle(FIRST_SHUFFLES)
    shuffle_further([changed, same], 100)
    assert (same.shuffles, same.p) == (FIRST_SHUFFLES, 1.0)
    assert (changed.shuffles, changed.reached) == (8000, 0)
    assert changed.p < 0.05 / 100
    assert changed.by_chance < changed.change


def test_p_is_not_too_small_if_nothing_changed():
    """Of 150 divisions of the same cases by chance, about 5 % have a p below 0.05, also where p is refined."""
    rng = np.random.default_rng(5)
    kinds = [["x", "a", "y"], ["x", "a", "z"], ["a", "x"], ["w", "a"]]
    p = []
    for seed in range(150):
        cases = [kinds[i] for i in rng.integers(4, size=40)]
        null = null_of("a", cases[:15], cases[15:], seed)
        null.shuffle(FIRST_SHUFFLES)
        shuffle_further([null], 20)
        p.append(null.p)
    assert [np.mean(np.array(p) <= level) for level in (0.01, 0.05, 0.2)] == pytest.approx([0.01, 0.05, 0.2], abs=0.05)
    assert np.mean(np.array(p) <= 0.01) <= 0.03


@examples(30)
@given(st.lists(st.floats(0, 0.1), max_size=12))
def test_discoveries_are_those_of_benjamini_and_hochberg(p):
    assert discoveries(np.array(p)).tolist() == naive_drift.benjamini_hochberg(p, LEVEL)
