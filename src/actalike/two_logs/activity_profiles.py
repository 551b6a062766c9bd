"""Describe the activities of a log without their labels: how many cases have them, how often, and where in the case."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.log import EventLog

Floats = NDArray[np.float64]

FIFTHS = 5  # of a case, for relative positions
_DISTANCES = 8  # 0, 1-2, 3-6, 7-14, ... events away from the start or the end of the case
_FEW_CASES = 0.002  # added to shares of cases, so that one case more or less of a rare activity matters little
_NOTHING_IN_COMMON = 1e-4  # the least likeness of two distributions: no single difference excludes a pair
_REPEATS, _LOOPS = 0.5, 0.5  # weights of differences in events per case, and in events that are repeated at once


class Profiles(NamedTuple):
    """Hold what is known of each activity apart from its neighbours; distributions are rows that sum to 1.

    ``cases`` is the share of cases with the activity, ``repeats`` its events per such case, ``loops`` the share of its events
    that the same activity follows at once. ``fifths`` says in which fifth of the case its events are, ``from_start`` and
    ``from_end`` how many events away from the case's start and end, in doubling steps.
    """

    cases: Floats
    repeats: Floats
    loops: Floats
    fifths: Floats
    from_start: Floats
    from_end: Floats


def profiles_of(log: EventLog) -> Profiles:
    """Compute the profiles of all activities.

    >>> profiles = profiles_of(EventLog.from_traces([["a", "b", "b"], ["a"]]))
    >>> profiles.cases.tolist(), profiles.repeats.tolist(), profiles.loops.tolist()
    ([1.0, 0.5], [1.0, 2.0], [0.0, 0.5])
    """
    n, events = len(log.activities), log.activity_counts
    length = np.repeat(log.lengths, log.lengths)
    place = np.arange(log.n_events) - np.repeat(log.offsets[:-1], log.lengths)
    distances = (_doublings(place), _doublings(length - 1 - place))
    bins = ((place * FIFTHS // length, FIFTHS), *((distance, _DISTANCES) for distance in distances))
    counts = [np.bincount(log.codes * np.int64(k) + of_events, minlength=n * k).reshape(n, k) for of_events, k in bins]
    is_loop = np.append((log.codes[1:] == log.codes[:-1]) & (place[1:] > 0), False)
    return Profiles(
        log.activity_cases / np.count_nonzero(log.lengths),
        events / log.activity_cases,
        np.bincount(log.codes[is_loop], minlength=n) / events,
        *(of_bins / events[:, np.newaxis] for of_bins in counts),
    )


def _doublings(distance: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the bin of each distance: ⌊log2(distance + 1)⌋, at most the last one."""
    return np.minimum(np.frexp(distance + 1.0)[1] - 1, _DISTANCES - 1).astype(np.int64)


def profile_likeness(a: Profiles, b: Profiles, cases: float, ends: float) -> Floats:
    """Return the logarithm of how alike the profiles of two logs' activities are, 0 for the most alike pair.

    ln BC(fifths) + ``ends`` (ln BC(from_start) + ln BC(from_end)) - ``cases`` |ln((c(a) + 0.002) / (c(b) + 0.002))|
    - 0.5 |ln(r(a) / r(b))| - 0.5 |l(a) - l(b)|, where BC is the Bhattacharyya coefficient Σ sqrt(p q), c the share of cases, r
    the events per such case, and l the share of loops.
    """
    likeness = _overlap(a.fifths, b.fifths) - _REPEATS * _ratio(a.repeats, b.repeats)
    likeness -= _LOOPS * np.abs(a.loops[:, np.newaxis] - b.loops)
    if cases:
        likeness -= cases * _ratio(a.cases + _FEW_CASES, b.cases + _FEW_CASES)
    if ends:
        likeness += ends * (_overlap(a.from_start, b.from_start) + _overlap(a.from_end, b.from_end))
    return likeness - likeness.max()


def _overlap(a: Floats, b: Floats) -> Floats:
    overlap: Floats = np.log(np.maximum(np.sqrt(a) @ np.sqrt(b).T, _NOTHING_IN_COMMON))
    return overlap


def _ratio(a: Floats, b: Floats) -> Floats:
    ratio: Floats = np.abs(np.log(a)[:, np.newaxis] - np.log(b))
    return ratio
