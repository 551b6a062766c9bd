"""How labels are used: neighbours, times, examples, contexts, against loops over the events."""

from collections import Counter
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, UnknownActivityError, count_windows
from actalike.labels.uses import (
    OUTSIDE,
    LabelUses,
    NeighbourCounts,
    SharedNeighbours,
    common_contexts,
    differing_contexts,
    example_cases,
    examples_together,
)
from tests.helpers.naive_uses import dated_logs, naive_events, naive_gaps, naive_together, of
from tests.helpers.strategies import logs, traces


def check(log, members):
    uses, labels = LabelUses(log), [log.activities[member] for member in members]
    events = of(naive_events(log), labels)
    names = [*log.activities, None]
    for counts, neighbour in ((uses.before(members), "before"), (uses.after(members), "after")):
        found = {names[i]: count for i, count in enumerate(counts.tolist()) if count}
        assert found == Counter(getattr(event, neighbour) for event in events)
    for found, seconds in ((uses.to_previous(members), "since"), (uses.to_next(members), "until")):
        expected = naive_gaps([getattr(event, seconds) for event in events])
        assert found is expected is None or found == pytest.approx(expected)
    assert uses.cases_of(members).tolist() == sorted({event.case for event in events})
    for name, found in uses.people(members).items():
        counts = Counter(event.people[name] for event in events)
        assert found.not_recorded == counts.pop(None, 0)
        assert list(found.values) == sorted(counts.items(), key=lambda one: (-one[1], one[0]))


@given(dated_logs(), st.data())
def test_a_use_is_that_of_all_events_of_its_labels(log, data):
    places = st.lists(st.sampled_from(range(len(log.activities))), min_size=1, max_size=3, unique=True)
    check(log, data.draw(places))


@given(logs())
def test_without_timestamps_and_people_there_are_neighbours_only(log):
    check(log, [0])
    uses = LabelUses(log)
    assert (uses.to_previous([0]), uses.to_next([0]), uses.people([0])) == (None, None, {})
    assert uses.instants_in_common(np.array([0])).tolist() == [[0]]


@given(dated_logs())
def test_instants_in_common_are_those_of_the_pairs(log):
    events, n = naive_events(log), len(log.activities)
    found = LabelUses(log).instants_in_common(np.arange(n))
    for i in range(n):
        for j in range(n):
            assert found[i, j] == naive_together(events, [log.activities[i]], [log.activities[j]])[1]


@pytest.mark.parametrize("name", ["BPIC13_open_problems"])
def test_the_uses_of_a_real_log(real_log, name):
    log = real_log(name)
    for code in range(len(log.activities)):
        check(log, [code])


def naive_examples(log, label, most):
    """The definition for fewer than 100 cases."""
    firsts = {}
    for event in of(naive_events(log), [label]):
        firsts.setdefault(event.case, event)
    events = sorted(firsts.values(), key=lambda event: (event.moment is None, event.moment or 0))
    parts = min(most, len(events))
    sizes = [len(events) // parts + (i < len(events) % parts) for i in range(parts)]
    chosen, taken = [], []
    for size in sizes:
        part, events = events[:size], events[size:]
        around = [tuple(event.trace[max(0, event.place - 3) : event.place + 4]) for event in part]
        new = [k for k in range(size) if around[k] not in taken] or [0]
        taken.append(around[new[0]])
        chosen.append((log.case_ids[part[new[0]].case], around[new[0]], part[new[0]].place + 1))
    return chosen


@given(dated_logs())
def test_examples_are_spread_over_the_period_with_different_sequences_first(log):
    uses = LabelUses(log)
    for i, label in enumerate(log.activities):
        examples = example_cases(uses, [i], most=2)
        assert [(one.case, one.labels, one.position) for one in examples] == naive_examples(log, label, 2)
        for one in examples:
            trace = log.traces()[log.case_ids.index(one.case)]
            assert one.labels[one.marked[0]] == label
            assert one.before + len(one.labels) + one.after == len(trace)


@given(dated_logs())
def test_examples_of_both_are_around_the_two_nearest_events_of_a_case(log):
    uses = LabelUses(log)
    for i in range(1, len(log.activities)):
        a, b = log.activities[0], log.activities[i]
        examples = examples_together(uses, [0], [i])
        cases = [k for k, trace in enumerate(log.traces()) if a in trace and b in trace]
        assert len(examples) == min(5, len(cases))
        for one in examples:
            trace = log.traces()[log.case_ids.index(one.case)]
            places = [(abs(x - y), x, y) for x in range(len(trace)) for y in range(len(trace)) if (trace[x], trace[y]) == (a, b)]
            distance, x, y = min(places)
            assert {one.labels[place] for place in one.marked} == {a, b}
            if None not in one.labels:
                assert [one.before + place for place in one.marked] == sorted((x, y))
                assert one.marked[1] - one.marked[0] == distance
                assert list(one.labels) == trace[one.before : len(trace) - one.after]


def test_a_long_stretch_between_two_labels_is_left_out():
    log = EventLog.from_traces([["s", "a", *"123456789", "b", "e"]])
    (example,) = examples_together(LabelUses(log), [log.activities.index("a")], [log.activities.index("b")])
    assert example.labels == ("s", "a", "1", "2", None, "8", "9", "b", "e")
    assert example.marked == (1, 7)


def test_of_many_cases_a_hundred_are_looked_at():
    log = EventLog.from_traces([["x", "a"]] * 500 + [["y", "a"]])
    examples = example_cases(LabelUses(log), [log.activities.index("a")])
    assert [one.case for one in examples] == ["1", "102", "203", "304", "501"]


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


def by_definition(cases, members):
    """Each context that two or more members have, and how often each of them has it: both neighbours, and each alone."""
    counts = {label: Counter() for label in members}
    for case in cases:
        for before, label, after in zip([OUTSIDE, *case], case, [*case[1:], OUTSIDE], strict=False):
            if label in counts:
                counts[label].update([(before, after), (before, None), (None, after)])
    contexts = {context for counted in counts.values() for context in counted}
    shared = {context: tuple(counts[label][context] for label in members) for context in contexts}
    return {context: counted for context, counted in shared.items() if sum(n > 0 for n in counted) > 1}


def rank(context, counted, events):
    """What comes first: much of what each member does, then of what they do in the mean; twice for both neighbours."""
    shares = [n / total for n, total in zip(counted, events, strict=True)]
    telling = 1 if None in context else 2
    return -round(min(shares) * telling, 12), -round(fmean(shares) * telling, 12)


@given(traces(st.sampled_from("abcxy")), st.data())
def test_contexts_of_several_members_are_those_of_the_definition_in_its_order(cases, data):
    log = EventLog.from_traces(cases)
    members = data.draw(st.lists(st.sampled_from(range(len(log.activities))), unique=True, min_size=1))
    labels, events = [log.activities[i] for i in members], [int(log.activity_counts[i]) for i in members]
    expected = by_definition(cases, labels)
    contexts = NeighbourCounts(count_windows(log, 5)).shared_by(members, topn=10**6)
    listed = {(before, after): counts for before, after, counts in contexts}
    assert len(listed) == len(contexts)
    assert listed.items() <= expected.items()
    ranks = [rank((before, after), counts, events) for before, after, counts in contexts]
    assert ranks == sorted(ranks)
    places = {context: place for place, context in enumerate(listed)}
    for before, after in expected.keys() - listed.keys():  # one neighbour alone, which a context before it has
        assert None in (before, after)
        implied = [places[pair] for pair in listed if None not in pair and (before in pair[:1] or after in pair[1:])]
        assert implied
        own = rank((before, after), expected[before, after], events)
        assert any(ranks[place] <= own for place in implied)


def test_a_member_in_only_one_context_shares_none_and_counts_are_in_the_order_of_the_members():
    cases = [["x", "a", "y"]] * 3 + [["x", "b", "y"]] * 2 + [["z", "c", "w"]]
    log = EventLog.from_traces(cases)
    place = {label: i for i, label in enumerate(log.activities)}
    contexts = NeighbourCounts(count_windows(log, 3))
    assert contexts.shared_by([place["c"], place["b"], place["a"]], topn=9) == [SharedNeighbours("x", "y", (0, 2, 3))]
    assert contexts.shared_by([place["a"], place["b"]], topn=9) == [SharedNeighbours("x", "y", (3, 2))]
    assert contexts.shared_by([place["a"], place["c"]], topn=9) == []
    assert contexts.shared_by([place["a"]], topn=9) == []


def test_the_contexts_that_make_up_much_of_the_rarer_member_come_first_and_no_more_than_are_asked_for():
    cases = [["x", "a", "y"]] * 8 + [["u", "a", "v"]] * 2 + [["x", "b", "y"]] * 1 + [["u", "b", "v"]] * 9
    log = EventLog.from_traces(cases)
    members = [log.activities.index("a"), log.activities.index("b")]
    contexts = NeighbourCounts(count_windows(log, 3))
    assert contexts.shared_by(members, topn=9) == [SharedNeighbours("u", "v", (2, 9)), SharedNeighbours("x", "y", (8, 1))]
    assert contexts.shared_by(members, topn=1) == [SharedNeighbours("u", "v", (2, 9))]
    assert contexts.shared_by(members, topn=0) == []
