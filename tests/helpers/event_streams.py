"""Streams of events, and what has been counted of them."""

from itertools import pairwise

from hypothesis import strategies as st

from actalike import EventLog, count_windows
from tests.helpers.strategies import traces


def counted(cases, window):
    """The batch count of cases, given as lists of labels."""
    return count_windows(EventLog.from_traces(cases), window)


def grouped(events):
    """The cases of a stream of (case, activity), in the order of their first events."""
    cases = {}
    for case, activity in events:
        cases.setdefault(case, []).append(activity)
    return cases


def state(counter, path):
    counter.save(path)
    return path.read_bytes()


@st.composite
def streams(draw, label=None):
    """The events of a log, interleaved at random: pairs of case and activity."""
    log = draw(traces(label) if label is not None else traces())
    turns = draw(st.permutations([case for case, trace in enumerate(log) for _ in trace]))
    rest = {case: iter(trace) for case, trace in enumerate(log)}
    return [(str(case), next(rest[case])) for case in turns]


@st.composite
def cut(draw, events):
    """The same events in batches, also empty ones."""
    places = sorted(draw(st.lists(st.integers(0, len(events)), max_size=6)))
    return [events[start:end] for start, end in pairwise([0, *places, len(events)])]


def add(counter, events):
    counter.add([case for case, _ in events], [activity for _, activity in events])
