"""The uses of matched activities as loops over the events: the definitions, written naively."""

from collections import Counter
from fractions import Fraction

OUTSIDE = ((), ())


def naive_steps(matching):
    """The labels of each step, in both logs: matched labels are one step, and so are further parts of a split."""
    steps = [([pair.a], [pair.b]) for pair in matching.pairs]
    for split in matching.splits:
        own, other = (0, 1) if split.side == "a" else (1, 0)
        for step in steps:
            if split.activity in step[own]:
                used = {label for one in steps for label in one[other]}
                step[other].extend(part for part in split.parts if part not in used)
    steps += [([label], []) for label in matching.activities_a if not any(label in step[0] for step in steps)]
    steps += [([], [label]) for label in matching.activities_b if not any(label in step[1] for step in steps)]
    return [(tuple(sorted(a)), tuple(sorted(b))) for a, b in steps]


def naive_shares(log, side, steps, activity, offset):
    """The share of an activity's events that have each step at an offset."""
    beside = Counter()
    for trace in log.traces():
        for place, label in enumerate(trace):
            if label == activity:
                there = place + offset
                inside = 0 <= there < len(trace)
                beside[next(step for step in steps if trace[there] in step[side]) if inside else OUTSIDE] += 1
    events = sum(beside.values())
    return {step: Fraction(times, events) for step, times in beside.items()}
