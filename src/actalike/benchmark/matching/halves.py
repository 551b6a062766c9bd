"""Two halves of one log: by cases, or by time."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.seeded_generator import random_words, seed_of
from actalike.errors import ActalikeError
from actalike.log import EventLog, case_beginnings, cases_of


class Halves(NamedTuple):
    """Hold the two halves of a log."""

    first: EventLog
    second: EventLog


def halves_by_cases(log: EventLog, seed: int = 0) -> Halves:
    """Put each case of a log into one of two halves, by a coin.

    Another seed throws other coins.

    >>> halves = halves_by_cases(EventLog.from_traces([["a", "b"]] * 10))
    >>> halves.first.n_cases + halves.second.n_cases
    10
    """
    coins = random_words(seed_of("halves", seed, log.digest), log.n_cases) >> np.uint64(63)
    return _halves(log, coins == 0)


def halves_by_time(log: EventLog) -> Halves:
    """Put the cases that began first into the first half, and the others into the second; equal beginnings go by file order.

    The first half has one case less if their number is odd. Cases without a timestamp count as the last.

    >>> times = np.array(["2020-01-02", "2020-01-01"], dtype="datetime64[us]")
    >>> halves_by_time(EventLog(["a", "b"], [0, 1], [0, 1, 2], ["1", "2"], times)).first.activities
    ['b']
    """
    if not has_times(log):
        raise ActalikeError("The log has no timestamps, so it cannot be halved by time.")
    is_first = np.zeros(log.n_cases, dtype=bool)
    is_first[np.argsort(case_beginnings(log), kind="stable")[: log.n_cases // 2]] = True
    return _halves(log, is_first)


def has_times(log: EventLog) -> bool:
    """Return whether a log has timestamps."""
    return log.timestamps is not None and not bool(np.isnat(log.timestamps).all())


def _halves(log: EventLog, is_first: NDArray[np.bool_]) -> Halves:
    if not log.lengths[is_first].any() or not log.lengths[~is_first].any():
        raise ActalikeError("The log has too few cases to be halved: one half has no event.")
    return Halves(cases_of(log, is_first), cases_of(log, ~is_first))
