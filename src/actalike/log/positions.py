"""Compute where in their cases activities occur: statistics of relative positions."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.log.event_log import EventLog

_SMALL = np.uint16  # numpy sorts 16-bit numbers with a fast radix sort


class Positions(NamedTuple):
    """Hold the quartiles, mean and standard deviation of the relative positions of each activity.

    ``quartiles`` has a row for each activity: minimum, first quartile, median, third quartile, maximum.
    """

    activities: list[str]
    quartiles: NDArray[np.float64]
    means: NDArray[np.float64]
    deviations: NDArray[np.float64]


def relative_positions(log: EventLog) -> Positions:
    """Summarise for each activity the relative positions of its events.

    The relative position of an event is its index in its case, from 0, divided by the number of events of the case. So a case
    begins at 0, and its last event is at ``(n - 1) / n``: 1 is never reached. Quartiles are interpolated linearly. The standard
    deviation is that of the events themselves, not an estimate for a population.

    >>> positions = relative_positions(EventLog.from_traces([["a", "b"], ["a", "a", "b", "a"]]))
    >>> positions.quartiles.tolist()
    [[0.0, 0.0, 0.125, 0.375, 0.75], [0.5, 0.5, 0.5, 0.5, 0.5]]
    >>> positions.means.tolist(), positions.deviations.round(3).tolist()
    ([0.25, 0.5], [0.306, 0.0])
    """
    lengths = log.lengths
    index = np.arange(log.n_events) - np.repeat(log.offsets[:-1], lengths)
    relative = index / np.repeat(lengths, lengths)
    are_small = len(log.activities) <= np.iinfo(_SMALL).max + 1
    codes = log.codes.astype(_SMALL) if are_small else log.codes
    by_activity = np.split(relative[np.argsort(codes, kind="stable")], np.cumsum(log.activity_counts)[:-1])
    return Positions(
        list(log.activities),
        np.array([np.quantile(values, (0, 0.25, 0.5, 0.75, 1)) for values in by_activity]),
        np.array([values.mean() for values in by_activity]),
        np.array([values.std() for values in by_activity]),
    )
