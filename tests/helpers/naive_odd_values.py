"""The definition of how probable the values of an attribute are, as loops: each event is left out of the log literally."""

from itertools import pairwise
from math import log
from typing import NamedTuple

from tests.helpers.naive_oddities import cases_of

OUTSIDE = object()  # no value of an event, not even a missing one


class Event(NamedTuple):
    case: int
    activity: int
    value: str | None
    previous: object  # OUTSIDE at the start of a case
    following: object
    others: tuple


def events_of(cases, values, others):
    """The events of cases (lists of activities) with their values; ``others`` are lists of the values of attributes before it."""
    events, i = [], 0
    for number, case in enumerate(cases):
        for position, activity in enumerate(case):
            previous = values[i - 1] if position else OUTSIDE
            following = values[i + 1] if position + 1 < len(case) else OUTSIDE
            events.append(Event(number, activity, values[i], previous, following, tuple(other[i] for other in others)))
            i += 1
    return events


def views(event, rest, n_values):
    """How probable the event's value is in each view; ``rest`` are all other events."""
    share = (sum(one.value == event.value for one in rest) + 1 / 2) / (len(rest) + n_values / 2)

    def given(back_off, context):
        values = [one.value for one in rest if context(one) == context(event)]
        different = max(len(set(values)), 1)
        return (values.count(event.value) + different * back_off) / (len(values) + different)

    by_activity = given(share, lambda one: one.activity)
    in_case = [one.value for one in rest if one.case == event.case]
    result = [
        1 / n_values,
        share,
        by_activity,
        given(by_activity, lambda one: (one.activity, one.previous)),
        given(by_activity, lambda one: (one.activity, one.following)),
        given(share, lambda one: one.previous),
        given(share, lambda one: one.following),
        (in_case.count(event.value) + share / 2) / (len(in_case) + 1 / 2),
    ]
    for other in range(len(event.others)):
        result.append(given(share, lambda one, other=other: one.others[other]))
        result.append(given(by_activity, lambda one, other=other: (one.activity, one.others[other])))
    return result


def surprises(cases, values, others):
    """-ln (V p) of each event's value."""
    n_values = len(set(values))
    events = events_of(cases, values, others)
    table = [views(event, events[:i] + events[i + 1 :], n_values) for i, event in enumerate(events)]
    weights = [1 / len(table[0])] * len(table[0])
    for _ in range(15):
        parts = [[weight * p for weight, p in zip(weights, row, strict=True)] for row in table]
        weights = [sum(row[view] / sum(row) for row in parts) / len(parts) for view in range(len(weights))]
    return [-log(n_values * sum(weight * p for weight, p in zip(weights, row, strict=True))) for row in table]


def surprises_of(event_log, names):
    """-ln (V p) of each attribute's value, for each event of each case."""
    columns = []
    for name in names:
        attribute = event_log.attributes[name]
        columns.append([None if code < 0 else attribute.values[code] for code in attribute.codes.tolist()])
    cases = cases_of(event_log)
    by_column = [surprises(cases, one, columns[max(number - 10, 0) : number]) for number, one in enumerate(columns)]
    by_event = [[column[i] for column in by_column] for i in range(event_log.n_events)]
    return [by_event[start:end] for start, end in pairwise(event_log.offsets.tolist())]
