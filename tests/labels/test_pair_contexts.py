"""The contexts that two activities have in common, and the neighbours that differ."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, UnknownActivityError, count_windows
from actalike.labels.uses import common_contexts, differing_contexts
from tests.helpers.strategies import traces


def neighbours(cases, label):
    """How often a label has each pair of neighbours, as text, by the definition."""
    counted = Counter()
    for case in cases:
        for before, focal, after in zip(["(start)", *case], case, [*case[1:], "(end)"], strict=False):
            if focal == label:
                counted[f"{before} → ● → {after}"] += 1
    return counted


@given(traces(st.sampled_from("abcx")))
def test_contexts_of_both_are_counted_and_those_that_are_frequent_for_both_come_first(cases):
    log = EventLog.from_traces(cases)
    table = count_windows(log, 3)
    for a in log.activities:
        for b in log.activities:
            of_a, of_b = neighbours(cases, a), neighbours(cases, b)
            contexts = common_contexts(table, a, b, topn=None)
            counted = {(common.context, common.count_a, common.count_b) for common in contexts}
            assert counted == {(text, of_a[text], of_b[text]) for text in of_a if text in of_b}
            keys = [(-min(common.count_a, common.count_b), -(common.count_a + common.count_b)) for common in contexts]
            assert keys == sorted(keys)
            assert common_contexts(table, a, b, topn=2) == contexts[:2]


def sides(cases, label):
    """How often a label has each direct neighbour, before and after, as text, by the definition."""
    counted = Counter()
    for text, n in neighbours(cases, label).items():
        before, _, after = text.split(" → ")
        counted[f"{before} → ●"] += n
        counted[f"● → {after}"] += n
    return counted


@given(traces(st.sampled_from("abcx")))
def test_neighbours_with_unequal_shares_differ_and_the_largest_difference_comes_first(cases):
    log = EventLog.from_traces(cases)
    table = count_windows(log, 5)
    for a in log.activities:
        for b in log.activities:
            of_a, of_b = sides(cases, a), sides(cases, b)
            n, m = (sum(counted.values()) // 2 for counted in (of_a, of_b))
            contexts = differing_contexts(table, a, b, topn=None)
            expected = {(text, of_a[text], of_b[text]) for text in of_a | of_b if of_a[text] * m != of_b[text] * n}
            assert {(one.context, one.count_a, one.count_b) for one in contexts} == expected
            differences = [round(abs(one.count_a / n - one.count_b / m), 12) for one in contexts]
            assert differences == sorted(differences, reverse=True)
            assert differing_contexts(table, a, b, topn=2) == contexts[:2]


@given(traces(st.sampled_from("abx")), st.sampled_from(["sequence", "multiset"]))
def test_labels_stand_for_themselves_and_none_for_the_outside_of_the_case(cases, kind):
    log = EventLog.from_traces(cases)
    for common in common_contexts(count_windows(log, 4), log.activities[0], log.activities[-1], kind, topn=None):
        assert (common.kind, common.place) == (("between", 1) if kind == "sequence" else ("among", 0))
        assert len(common.symbols) == 3
        assert set(common.symbols) <= {None, *log.activities}
        assert common.as_dict() == {"context": common.context, "count_a": common.count_a, "count_b": common.count_b}


def test_an_unknown_activity_is_an_error_that_suggests_the_closest_labels():
    table = count_windows(EventLog.from_traces([["Check", "Pay"]]), 3)
    for pair in (("Chek", "Pay"), ("Pay", "Chek")):
        with pytest.raises(UnknownActivityError, match="mean 'Check'"):
            common_contexts(table, *pair)
        with pytest.raises(UnknownActivityError, match="mean 'Check'"):
            differing_contexts(table, *pair)


def test_a_context_that_is_frequent_for_one_alone_comes_later():
    cases = [["x", "a", "y"]] * 9 + [["x", "b", "y"]] + [["u", "a", "v"], ["u", "b", "v"]] * 2
    contexts = common_contexts(count_windows(EventLog.from_traces(cases), 3), "a", "b")
    assert [(common.symbols, common.count_a, common.count_b) for common in contexts] == [(("u", "v"), 2, 2), (("x", "y"), 9, 1)]
