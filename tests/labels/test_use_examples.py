"""Example cases, against their definition."""

from hypothesis import given

from actalike import EventLog
from actalike.labels.uses import LabelUses, example_cases, examples_together
from tests.helpers.naive_uses import dated_logs, naive_events, of


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
