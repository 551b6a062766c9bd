"""The uses of matched activities, against loops over the events."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, Split
from actalike.two_logs.matched_uses import OFFSETS, MatchedUses
from tests.helpers.examples import examples
from tests.helpers.matchings import MadeMatching
from tests.helpers.naive_matched_uses import naive_shares, naive_steps

traces = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6), min_size=1, max_size=8)


@examples(15)
@given(traces, traces, st.integers(0, 1), st.booleans())
def test_shares_are_those_of_loops_over_the_events(traces_a, traces_b, fewer, with_split):
    logs = EventLog.from_traces(traces_a), EventLog.from_traces(traces_b)
    a, b = logs[0].activities, logs[1].activities
    pairs = [(x, y, 1.0) for x, y in zip(a, b, strict=False)][: min(len(a), len(b)) - fewer]
    splits = [Split(a[0], "a", (b[0], b[-1]), 0.5)] if with_split and pairs and len(b) > len(pairs) else []
    matching = MadeMatching(*logs, pairs, splits)
    uses, steps = MatchedUses(matching), naive_steps(matching)
    for x, y in itertools.product(a, b):
        expected = []
        for offset in OFFSETS:
            shares_a = naive_shares(logs[0], 0, steps, x, offset)
            shares_b = naive_shares(logs[1], 1, steps, y, offset)
            expected += [(offset, step, shares_a[step], shares_b[step]) for step in shares_a.keys() & shares_b.keys()]
        shared = [
            (step.offset, (tuple(sorted(step.labels_a)), tuple(sorted(step.labels_b))), step.share_a, step.share_b)
            for step in uses.shared(x, y, 100)
        ]
        assert sorted(shared) == [(o, s, pytest.approx(float(p)), pytest.approx(float(q))) for o, s, p, q in sorted(expected)]
        assert all(min(first[2:]) >= min(second[2:]) - 1e-9 for first, second in itertools.pairwise(shared))


def test_the_largest_differences_come_first():
    logs = [EventLog.from_traces([list("xay")] * 9), EventLog.from_traces([list("xay")] * 3 + [list("ya")] * 6)]
    uses = MatchedUses(MadeMatching(*logs, [("x", "x", 1.0), ("y", "y", 1.0), ("a", "a", 1.0)]))
    differing = uses.differing("a", "a", 5)
    assert differing[0] == (-1, ("x",), ("x",), 1.0, pytest.approx(1 / 3))
    assert {(step.offset, step.labels_a) for step in differing} == {(-1, ("x",)), (-1, ("y",)), (1, ("y",)), (1, ())}


def test_frequencies_are_counted():
    log = EventLog.from_traces([list("aab"), list("b"), list("cb")])
    uses = MatchedUses(MadeMatching(log, log, []))
    assert uses.frequency(0, "a") == (1, pytest.approx(1 / 3), 2.0, 0.25)
    assert uses.frequency(1, "b") == (3, 1.0, 1.0, pytest.approx(2 / 3))
