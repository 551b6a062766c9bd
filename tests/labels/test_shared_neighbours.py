"""The neighbours that several activities share."""

from collections import Counter
from statistics import fmean

from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, count_windows
from actalike.labels.uses import OUTSIDE, NeighbourCounts, SharedNeighbours
from tests.helpers.strategies import traces


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
