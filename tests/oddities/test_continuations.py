"""Test counting how contexts go on."""

from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.oddities.continuations import Continuations
from tests.helpers.examples import examples

symbols = st.sampled_from(["a", "b", "c"])
lines = st.lists(st.lists(symbols, min_size=1, max_size=6), min_size=1, max_size=8)


def counted(traces, depth):
    counts = Continuations(depth)
    for trace in traces:
        line = (None,) * depth + (*trace, None)
        for at in range(depth, len(line)):
            counts.count(line, at)
    return counts


@given(lines, st.integers(0, 3), st.lists(symbols, max_size=3))
@examples(30)
def test_the_probabilities_of_all_symbols_sum_to_one(traces, depth, before):
    counts = counted(traces, depth)
    line = ((None,) * depth + tuple(before))[-depth:] if depth else ()
    possible = [*{symbol for trace in traces for symbol in trace}, None, "a new one"]
    assert sum(exp(-counts.surprise((*line, symbol), depth)) for symbol in possible) == pytest.approx(1)


def test_without_counts_nothing_is_surprising_or_expected():
    counts = Continuations(2)
    assert counts.surprise((None, None, "a"), 2) == 0
    reason = counts.reason((None, None, "a"), 2)
    assert (reason.score, reason.neighbours, reason.times, reason.total, reason.expected) == (0, (), 0, 0, ())


def test_a_context_that_nobody_has_had_leaves_the_probability_of_the_shorter_one():
    counts = counted([["a", "b"], ["a", "c"]], 2)
    assert counts.surprise(("x", "a", "b"), 2) == counts.surprise(("y", "a", "b"), 2)
    assert counts.surprise(("x", "y", "b"), 2) == pytest.approx(-log((1 + 4 / 5) / (6 + 4)))  # a a b c and two ends


def test_the_reason_is_the_context_that_weighs_most():
    """After two symbols there is one event, after one there are many."""
    counts = counted([["a", "b"]] * 30 + [["c", "a", "d"]], 2)
    assert counts.reason((None, "a", "d"), 2).neighbours == (None, "a")
    rare = counts.reason(("c", "a", "b"), 2)
    assert (rare.neighbours, rare.times, rare.total) == (("c", "a"), 0, 1)
    assert [tuple(one) for one in rare.expected] == [("d", 1, 1.0)]


def test_of_equally_frequent_alternatives_the_end_comes_first_then_the_alphabet():
    counts = counted([["a", "c"], ["a", "b"], ["a"], ["a", "d"]], 1)
    assert [one.value for one in counts.reason(("a", "x"), 1).expected] == [None, "b", "c"]
