"""Where in its case an activity occurs: statistics of relative positions."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.log.event_log import EventLog


class Positions(NamedTuple):
    """For each of ``activities``: the quartiles (with least and most), mean and standard deviation of its relative positions.

    ``quartiles`` has a row for each activity: minimum, first quartile, median, third quartile, maximum.
    """

    activities: list[str]
    quartiles: NDArray[np.float64]
    means: NDArray[np.float64]
    deviations: NDArray[np.float64]


def relative_positions(log: EventLog) -> Positions:
    """Of each event the index in its case, from 0, divided by the case's number of events; all events of an activity together.

    A case begins at 0, and its last event is at ``(n - 1) / n``: 1 is never reached. Quartiles are interpolated linearly, the
    standard deviation is that of the events themselves (not of a population they are drawn from).

    >>> found = relative_positions(EventLog.from_traces([["a", "b"], ["a", "a", "b", "a"]]))
    >>> found.quartiles.tolist()
    [[0.0, 0.0, 0.125, 0.375, 0.75], [0.5, 0.5, 0.5, 0.5, 0.5]]
    >>> found.means.tolist(), found.deviations.round(3).tolist()
    ([0.25, 0.5], [0.306, 0.0])
    """
    lengths = log.lengths
    index = np.arange(log.n_events) - np.repeat(log.offsets[:-1], lengths)
    relative = index / np.repeat(lengths, lengths)
    few = len(log.activities) <= np.iinfo(np.uint16).max + 1
    codes = log.codes.astype(np.uint16) if few else log.codes  # numpy sorts small numbers in a single go
    by_activity = np.split(relative[np.argsort(codes, kind="stable")], np.cumsum(log.activity_counts)[:-1])
    return Positions(
        list(log.activities),
        np.array([np.quantile(values, (0, 0.25, 0.5, 0.75, 1)) for values in by_activity]),
        np.array([values.mean() for values in by_activity]),
        np.array([values.std() for values in by_activity]),
    )
