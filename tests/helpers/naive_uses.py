"""How labels are used, by the definitions: loops over the events of every case. Also logs to compare it on."""

import statistics
from collections import Counter
from datetime import datetime, timedelta

import numpy as np
from hypothesis import strategies as st

from actalike import Attribute, EventLog
from tests.helpers.strategies import traces


class NaiveEvent:
    """One event with its neighbours: labels, or None outside the case."""

    def __init__(self, log, case, place, trace, moments, people, number):
        self.case, self.place, self.trace = case, place, trace
        self.label = trace[place]
        self.before = trace[place - 1] if place else None
        self.after = trace[place + 1] if place + 1 < len(trace) else None
        self.moment = moments[place]
        self.since = _seconds(moments[place - 1], moments[place]) if place else None
        self.until = _seconds(moments[place], moments[place + 1]) if place + 1 < len(trace) else None
        self.people = {name: values[number] for name, values in people.items()}


def _seconds(first, second):
    return None if first is None or second is None else (second - first).total_seconds()


def naive_events(log):
    people = {name: attribute.texts() for name, attribute in log.people().items()}
    all_moments = [None] * log.n_events if log.timestamps is None else log.timestamps.tolist()
    events, number = [], 0
    for case, trace in enumerate(log.traces()):
        moments = all_moments[number : number + len(trace)]
        for place in range(len(trace)):
            events.append(NaiveEvent(log, case, place, trace, moments, people, number + place))
        number += len(trace)
    return events


def of(events, labels):
    return [event for event in events if event.label in labels]


def naive_gaps(seconds):
    """How many, lower quartile, median, upper quartile; None if there are none."""
    known = [second for second in seconds if second is not None]
    if not known:
        return None
    quartiles = statistics.quantiles(known, n=4, method="inclusive") if len(known) > 1 else known * 3
    return len(known), *quartiles


def naive_together(events, a, b):
    """Cases with both, instants with both, a directly before b, b directly before a."""
    cases = {event.case for event in of(events, a)} & {event.case for event in of(events, b)}
    instants = [{(event.case, event.moment) for event in of(events, one) if event.moment is not None} for one in (a, b)]
    return (
        len(cases),
        len(instants[0] & instants[1]),
        sum(event.after in b for event in of(events, a)),
        sum(event.after in a for event in of(events, b)),
    )


def naive_contexts(events, a, b):
    """(before, after, between): how often a and b have each neighbour, and each pair of neighbours."""
    kinds = (lambda event: event.before, lambda event: event.after, lambda event: (event.before, event.after))
    tables = []
    for kind in kinds:
        counts = [Counter(kind(event) for event in of(events, one)) for one in (a, b)]
        tables.append({context: (counts[0][context], counts[1][context]) for context in counts[0] | counts[1]})
    return tables


@st.composite
def dated_logs(draw):
    """Logs of few labels with timestamps (some missing, some equal, some out of order) and two attributes of people."""
    log = EventLog.from_traces(draw(traces(st.sampled_from("abxyz"), max_cases=6, max_length=8)))
    each = {"min_size": log.n_events, "max_size": log.n_events}
    hours = draw(st.lists(st.none() | st.integers(0, 40), **each))
    first = datetime(2024, 1, 1)
    moments = [np.datetime64("NaT", "us") if hour is None else first + timedelta(hours=hour) for hour in hours]
    names = draw(st.lists(st.sampled_from([None, "Sue", "Bob"]), **each).filter(any))
    return EventLog(
        log.activities,
        log.codes,
        log.offsets,
        log.case_ids,
        timestamps=np.array(moments, dtype="datetime64[us]"),
        attributes={"User": Attribute.from_texts(names), "amount": Attribute.from_texts(["1"] * log.n_events)},
    )
