"""Streams of events, and what has been counted of them."""

import sys
import threading
import time
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


def in_time(events, lateness, idle):
    """The definition of a stream with timestamps, event by event: its closed and open cases, the times of these, and how many are late.

    Events are triples of time, case and activity. Cases are lists of activities.
    """
    latest, on_time, late = float("-inf"), [], 0
    for event in events:
        if event[0] < latest - lateness:
            late += 1
        else:
            on_time.append(event)
            latest = max(latest, event[0])
    closed, opened, last = [], {}, {}
    for at, case, activity in sorted(on_time, key=lambda event: event[0]):
        if case in opened and idle is not None and at - last[case] > idle:
            closed.append(opened.pop(case))
        opened.setdefault(case, []).append(activity)
        last[case] = at
    for case in list(opened):
        if idle is not None and latest - lateness - last[case] > idle:
            closed.append(opened.pop(case))
    return closed, opened, {case: last[case] for case in opened}, late


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


def at_once(actions, seconds=0.5):
    """Do each action over and over in a thread of its own; return how often each succeeded, and the errors of all."""
    done, errors, ends = [0] * len(actions), [], time.monotonic() + seconds

    def work(i):
        while time.monotonic() < ends:
            try:
                actions[i](done[i])
                done[i] += 1
            except Exception as error:
                errors.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    threads = [threading.Thread(target=work, args=(i,), daemon=True) for i in range(len(actions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(interval)
    return done, errors
