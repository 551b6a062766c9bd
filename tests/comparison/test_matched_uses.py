"""The uses of matched activities, against loops over the events."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, MatchedPair, Split, match
from actalike.comparison.matched_uses import OFFSETS, MatchedUses
from tests.helpers.examples import examples
from tests.helpers.naive_matched_uses import naive_shares, naive_steps

traces = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6), min_size=1, max_size=8)


@examples(25)
@given(traces, traces, st.data())
def test_shares_are_those_of_loops_over_the_events(traces_a, traces_b, data):
    logs = EventLog.from_traces(traces_a), EventLog.from_traces(traces_b)
    matching = match(*logs)
    a, b = logs[0].activities, logs[1].activities
    paired = min(len(a), len(b)) - data.draw(st.integers(0, 1))
    matching.pairs = [MatchedPair(x, y, 1.0) for x, y in zip(a, b, strict=False)][:paired]
    if paired and len(b) > paired and data.draw(st.booleans()):
        matching.splits = [Split(a[0], "a", (b[0], b[-1]), 0.5)]
    uses, steps = MatchedUses(matching), naive_steps(matching)
    for x in a:
        for y in b:
            expected = []
            for offset in OFFSETS:
                share_a, share_b = (
                    naive_shares(log, i, steps, label, offset) for i, (log, label) in enumerate(zip(logs, (x, y)))
                )
                expected += [(offset, step, share_a[step], share_b[step]) for step in share_a.keys() & share_b.keys()]
            shared = [
                (step.offset, (tuple(sorted(step.labels_a)), tuple(sorted(step.labels_b))), step.share_a, step.share_b)
                for step in uses.shared(x, y, 100)
            ]
            assert sorted(shared) == [(o, s, pytest.approx(float(p)), pytest.approx(float(q))) for o, s, p, q in sorted(expected)]
            smaller = [min(step[2:]) for step in shared]
            assert all(first >= second - 1e-9 for first, second in zip(smaller, smaller[1:], strict=False))


def test_the_largest_differences_come_first():
    logs = [EventLog.from_traces([list("xay")] * 9), EventLog.from_traces([list("xay")] * 3 + [list("ya")] * 6)]
    uses = MatchedUses(match(*logs, known={"x": "x", "y": "y", "a": "a"}))
    first, *_ = uses.differing("a", "a", 5)
    assert (first.labels_a, first.share_a, first.share_b) == (("x",), 1.0, pytest.approx(1 / 3))
    assert {(step.offset, step.labels_a) for step in uses.differing("a", "a", 5)} == {
        (-1, ("x",)),
        (-1, ("y",)),
        (1, ("y",)),
        (1, ()),
    }


def test_frequencies_are_counted():
    log = EventLog.from_traces([list("aab"), list("b"), list("cb")])
    uses = MatchedUses(match(log, log))
    assert uses.frequency(0, "a") == (1, pytest.approx(1 / 3), 2.0, 0.25)
    assert uses.frequency(1, "b") == (3, 1.0, 1.0, pytest.approx(2 / 3))
