"""Find labels that took the place of others: match what vanished with what appeared, by the company they keep."""

from collections.abc import Sequence

import numpy as np

from actalike.log import EventLog, events_of
from actalike.two_logs.drift_company import companies
from actalike.two_logs.drift_data import PresenceChange, Replacement
from actalike.two_logs.drift_presence import presence_kinds
from actalike.two_logs.drift_sides import Sides
from actalike.two_logs.matching import match

_CONFIDENT = 0.7  # how likely a new label must be the same step as the old one
_LARGEST_CHANGE = 0.25  # of the company: a label that takes the place of another has most of its neighbours


def find_replaced(sides: Sides, presence: Sequence[PresenceChange]) -> list[Replacement]:
    """Match the labels that vanished with those that appeared; all other labels of both logs are known to be the same.

    ``presence`` are the labels whose presence certainly changed. The few events of labels that are nearly gone, or nearly new,
    are left out: they are on the wrong side of the change. The best match of what is left may still be poor, so a new label must
    also keep the company of the old one.

    >>> from actalike.two_logs.drift_presence import label_presence
    >>> logs = [EventLog.from_traces([["order", pay, "send"], ["order", "send"]] * 30) for pay in ("pay", "transfer")]
    >>> sides = Sides(*logs, ("before", "after"))
    >>> [one[:2] for one in find_replaced(sides, [one for one in label_presence(sides) if one.p < 0.001])]
    [('pay', 'transfer')]
    """
    kinds = presence_kinds(sides, presence)
    vanished, appeared = ({one.activity for one in kind} for kind in (kinds.vanished, kinds.appeared))
    if not vanished or not appeared:
        return []
    before, after = _without(sides.before, appeared), _without(sides.after, vanished)
    known = {label: label for label in sorted(set(before.activities) & set(after.activities))}
    pairs = [pair for pair in match(before, after, known).pairs if pair.a in vanished and pair.b in appeared]
    confident = [Replacement(pair.a, pair.b, pair.probability) for pair in pairs if pair.probability >= _CONFIDENT]
    changes = _changes(before, after, {one.new: one.old for one in confident})
    return [one for one in confident if changes[one.old] <= _LARGEST_CHANGE]


def _changes(before: EventLog, after: EventLog, old_name: dict[str, str]) -> dict[str, float]:
    """Return how much the company of each activity changed, if new labels get the old names."""
    before, after = (log.relabel(lambda label: old_name.get(label, label)) for log in (before, after))
    return {label: float(company.changes(company.before[np.newaxis])[0]) for label, company in companies(before, after)}


def _without(log: EventLog, labels: set[str]) -> EventLog:
    """Return a log without the events of some labels."""
    is_kept = ~np.isin(log.codes, [i for i, label in enumerate(log.activities) if label in labels])
    return events_of(log, is_kept, np.ones(log.n_cases, dtype=bool))
