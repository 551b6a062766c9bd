"""Match labels by a profile that needs no neighbour: where in the case, in how many cases, how often in a case."""

from collections.abc import Mapping
from typing import Self

import numpy as np
from numpy.typing import NDArray

from actalike.log import EventLog

Floats = NDArray[np.float64]
BINS = 5  # of relative positions
_RARE = 0.002  # a share of cases that is added, so that rare labels are not told apart by chance


class Profile:
    """Compare labels by their positions and frequencies."""

    name = "profile"

    def fit(self, log_a: EventLog, log_b: EventLog, known: Mapping[str, str]) -> Self:
        """Set the scores: the profiles compared."""
        self.scores_ = profile_similarity(log_a, log_b)
        return self


def profile_similarity(log_a: EventLog, log_b: EventLog) -> Floats:
    """Return overlap of positions x ratio of shares of cases x ratio of events per case, each from 0 to 1.

    >>> log = EventLog.from_traces([["a", "b"], ["a", "b"]])
    >>> profile_similarity(log, log).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    (positions_a, cases_a, repeats_a), (positions_b, cases_b, repeats_b) = (_profile(log) for log in (log_a, log_b))
    overlap = np.sqrt(positions_a) @ np.sqrt(positions_b).T
    return overlap * _ratio(cases_a + _RARE, cases_b + _RARE) * _ratio(repeats_a, repeats_b)


def _profile(log: EventLog) -> tuple[Floats, Floats, Floats]:
    """Return the shares of each label's events in bins of their case, its share of cases, and its events per such case."""
    index = np.arange(log.n_events) - np.repeat(log.offsets[:-1], log.lengths)
    bins = index * BINS // np.repeat(log.lengths, log.lengths)
    n = len(log.activities)
    counts = np.bincount(log.codes.astype(np.int64) * BINS + bins, minlength=n * BINS).reshape(n, BINS)
    events = log.activity_counts
    return counts / events[:, np.newaxis], log.activity_cases / log.n_cases, events / log.activity_cases


def _ratio(first: Floats, second: Floats) -> Floats:
    """Return the smaller over the larger of two numbers, for each pair: exp(-|ln(first / second)|)."""
    return np.minimum(first[:, np.newaxis], second) / np.maximum(first[:, np.newaxis], second)
