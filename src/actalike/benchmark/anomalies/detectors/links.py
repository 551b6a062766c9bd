"""Call an event odd if it is rarely next to the one before it: counts of adjacent pairs, in both directions."""

from typing import Self

import numpy as np
from numpy.typing import NDArray

from actalike.log import EventLog

SMOOTHING = 0.5  # added to each count
Codes = NDArray[np.int64]
Floats = NDArray[np.float64]


class Links:
    """Score each link by -ln p(next | previous) - ln p(previous | next), and a case by its highest link.

    Probabilities are smoothed shares of the log's adjacent pairs, start and end of cases included.
    """

    name = "links"
    leaves_case_out = False  # whether a case is scored by the counts of the others
    reads_attributes = False

    def fit(self, log: EventLog) -> Self:
        """Count the links."""
        links, is_end = link_surprises(log, self.leaves_case_out)
        attributes = [value_surprises(log, name) for name in log.attributes] if self.reads_attributes else []
        unread = np.zeros((log.n_events, 0 if self.reads_attributes else len(log.attributes)))
        self.cell_scores_ = np.column_stack([links[~is_end], *attributes, unread])
        self.end_scores_ = links[is_end]
        self.case_scores_ = self.end_scores_.copy()
        np.maximum.at(self.case_scores_, np.repeat(np.arange(log.n_cases), log.lengths), self.cell_scores_.max(axis=1))
        return self


class LinksAll(Links):
    """Score the values of attributes too, by the activity and the value before."""

    name = "links-all"
    reads_attributes = True


class LinksCaseOut(LinksAll):
    """Leave each case out of the counts that it is scored by."""

    name = "links-case-out"
    leaves_case_out = True


def link_surprises(log: EventLog, case_out: bool) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the surprise of each link, case by case, the one to the end last, and which links go to the end.

    >>> log = EventLog.from_traces([["a", "b", "c"]] * 3 + [["a", "c"]])
    >>> link_surprises(log, case_out=False)[0][-3:].round(4).tolist()
    [0.5754, 2.7726, 0.5754]
    """
    outside = len(log.activities)
    size = outside + 1
    n_links = log.n_events + log.n_cases
    ends = log.offsets[1:] + np.arange(log.n_cases)
    is_end = np.zeros(n_links, dtype=bool)
    is_end[ends] = True
    after = np.full(n_links, outside, dtype=np.int64)
    after[~is_end] = log.codes
    before = np.append(outside, after[:-1])
    case = np.repeat(np.arange(log.n_cases), log.lengths + 1)
    counts = [_counts(key, case, case_out) for key in (before * size + after, before, after)]
    pair, of_before, of_after = counts
    forward = (pair + SMOOTHING) / (of_before + SMOOTHING * size)
    backward = (pair + SMOOTHING) / (of_after + SMOOTHING * size)
    return -np.log(forward) - np.log(backward), is_end


def _counts(key: Codes, case: Codes, case_out: bool) -> Codes:
    """Return how many links have the same key, without those of the own case if it is left out."""
    counts = np.bincount(key)[key]
    if not case_out:
        return counts
    _, own, n_own = np.unique(case * (key.max() + 1) + key, return_inverse=True, return_counts=True)
    return np.asarray(counts - n_own[own])


def value_surprises(log: EventLog, name: str) -> Floats:
    """Return the surprise of each value of an attribute, given the activity and the value of the event before.

    The event itself is left out of the counts; a missing value is a value.
    """
    attribute = log.attributes[name]
    value = attribute.codes.astype(np.int64) + 1
    n_values = len(np.unique(value))
    before = np.append(0, value[:-1] + 1)
    before[log.offsets[:-1]] = 0  # the start of a case
    activity = log.codes.astype(np.int64)
    size = int(value.max()) + 2
    with_value, with_before = activity * size + value, activity * size + before
    shares = (_others(with_value) + 0.5) / (_others(activity) + n_values / 2)
    return np.asarray(-2 * np.log((_others(with_before * size + value) + 2 * shares) / (_others(with_before) + 2)))


def _others(key: Codes) -> Codes:
    """Return how many other events have the same key."""
    _, place, counts = np.unique(key, return_inverse=True, return_counts=True)
    return np.asarray(counts[place] - 1)
