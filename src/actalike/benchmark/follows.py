"""How often, and in which share of the cases, one activity directly follows another."""

import numpy as np
from numpy.typing import NDArray

from actalike.log import EventLog


def follow_counts(log: EventLog) -> NDArray[np.int64]:
    """Return how often each activity stands directly before each other one, in the same case.

    >>> follow_counts(EventLog.from_traces([["a", "b", "b"], ["a", "b"]])).tolist()
    [[0, 2], [0, 1]]
    """
    first, second, _ = _steps(log)
    counts = np.zeros((len(log.activities), len(log.activities)), dtype=np.int64)
    np.add.at(counts, (first, second), 1)
    return counts


def follow_cases(log: EventLog) -> NDArray[np.int64]:
    """Return in how many cases each activity stands directly before each other one.

    >>> follow_cases(EventLog.from_traces([["a", "b", "a", "b"], ["b", "b"]])).tolist()
    [[0, 1], [1, 1]]
    """
    n = len(log.activities)
    first, second, case = _steps(log)
    distinct = np.unique((case * n + first) * n + second) % (n * n)
    return np.bincount(distinct, minlength=n * n).reshape(n, n)


def _steps(log: EventLog) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return each step from an event to the next one of its case: both activities, and the case."""
    case = np.repeat(np.arange(log.n_cases), log.lengths)
    inside = case[1:] == case[:-1]
    codes = log.codes.astype(np.int64)
    return codes[:-1][inside], codes[1:][inside], case[1:][inside]
