"""Describe the activities of a log without their labels: how many cases have them, how often, and where in the case."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.log import EventLog

Floats = NDArray[np.float64]
BINS = 5  # of relative positions
_SMALL_SHARE = 0.002  # added to shares of cases, so that one case more or less of a rare activity matters little


class Profiles(NamedTuple):
    """Hold the share of cases with each activity, its events per such case, and the shares of its relative positions in bins."""

    cases: Floats
    repeats: Floats
    positions: Floats


def profiles_of(log: EventLog) -> Profiles:
    """Compute the profiles of all activities.

    >>> profiles_of(EventLog.from_traces([["a", "b"], ["a"]])).cases.tolist()
    [1.0, 0.5]
    """
    n, lengths = len(log.activities), log.lengths
    place = np.arange(log.n_events) - np.repeat(log.offsets[:-1], lengths)
    bins = place * BINS // np.repeat(lengths, lengths)
    counts = np.bincount(log.codes * BINS + bins, minlength=n * BINS).reshape(n, BINS)
    events = log.activity_counts
    return Profiles(log.activity_cases / log.n_cases, events / log.activity_cases, counts / events[:, np.newaxis])


def profile_likeness(a: Profiles, b: Profiles) -> Floats:
    """Return how alike the profiles of two logs' activities are, from 0 to 1.

    Σ sqrt(π(a) π(b)) x exp(-|ln((c(a) + 0.002) / (c(b) + 0.002))|) x exp(-|ln(r(a) / r(b))|), where c is the share of cases, r
    the events per such case, and π the shares of positions.
    """
    likeness: Floats = np.sqrt(a.positions) @ np.sqrt(b.positions).T
    for x, y in ((a.cases + _SMALL_SHARE, b.cases + _SMALL_SHARE), (a.repeats, b.repeats)):
        likeness *= np.exp(-np.abs(np.log(x)[:, np.newaxis] - np.log(y)))
    return likeness
