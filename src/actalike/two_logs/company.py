"""Measure the company that the activities of a log keep, so that it can be compared with that in another log.

P_o(a, x) is the share of a's events with x as the neighbour at offset o, shrunk as in kin (``docs/kin.md``), and H_o = sqrt(P_o).
Beside the offsets -2, -1, 1 and 2 there are -4 and 4, which stand for *up to four events before* and *after*: x at a distance d
counts 1/d there. If one log has a step that the other lacks, direct neighbours differ, but these do not by much.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.counting import WindowCounts, count_windows
from actalike.log import CoOccurrence, EventLog
from actalike.methods import Surroundings
from actalike.two_logs.activity_profiles import Profiles, profiles_of

Floats = NDArray[np.float64]

REACH = 4  # the farthest neighbour
WEIGHTS = {-REACH: 0.2, -2: 0.1, -1: 0.2, 1: 0.2, 2: 0.1, REACH: 0.2}  # v_o
SHRINKAGE = 0.5  # pseudo-events of an activity: fewer than kin's, because what is rare has to be told apart too
_CASES_BY_CHANCE = 1.0  # pseudo-cases of an activity, with the usual company
_LENGTH_POWER = 0.75  # of the length by which T's rows are divided: an activity whose company is usual counts a little less


@dataclass(frozen=True)
class Company:
    """Hold the company of a log's activities: neighbours by offset (H_o), T, profiles, numbers of events and cases."""

    around: tuple[Surroundings, ...]
    together: Floats
    profiles: Profiles
    events: NDArray[np.int64]
    cases: NDArray[np.int64]
    n_cases: int  # of the log, without empty ones

    def __len__(self) -> int:
        """Return the number of activities."""
        return len(self.events)


def company_of(log: EventLog) -> Company:
    """Measure the company that the activities of a log keep.

    >>> company = company_of(EventLog.from_traces([["a", "b", "c"], ["a", "c"]]))
    >>> after = company.around[3]
    >>> after.offset, (after.row(0) ** 2).round(2).tolist()  # after a come b, c and, by shrinkage, a little of PAD
    (1, [0.0, 0.44, 0.48, 0.08])
    """
    table = count_windows(log, 2 * REACH + 1)
    around = tuple(_surroundings(table, offset, weight) for offset, weight in WEIGHTS.items())
    n_cases = int(np.count_nonzero(log.lengths))
    return Company(around, togetherness(log), profiles_of(log), log.activity_counts, log.activity_cases, n_cases)


def togetherness(log: EventLog) -> Floats:
    """Return T: the square root of the share of a's cases that have x too, less the usual one, scaled row by row.

    The usual share is the mean over all activities, weighted by their cases. Rows are divided by their length to the power 0.75.
    """
    cases = log.activity_cases.astype(np.float64)
    usual = cases / np.count_nonzero(log.lengths)
    shares = (CoOccurrence(log).shared_cases() + _CASES_BY_CHANCE * usual) / (cases[:, np.newaxis] + _CASES_BY_CHANCE)
    together = np.sqrt(shares) - np.sqrt(cases @ shares / cases.sum())
    lengths = np.sqrt((together**2).sum(axis=1, keepdims=True))
    return together / np.maximum(lengths, 1e-12) ** _LENGTH_POWER


def _surroundings(table: WindowCounts, offset: int, weight: float) -> Surroundings:
    """Compute H_o of one offset, with the weight v_o."""
    n = len(table.activities)
    counts = _neighbours(table, {offset: 1.0} if abs(offset) < REACH else _nearer(offset))
    usual = np.asarray(counts.sum(axis=0)).ravel() / table.n_events
    events = table.activity_counts + SHRINKAGE
    given = np.sqrt(SHRINKAGE / events)
    row = np.repeat(np.arange(n), np.diff(counts.indptr))
    roots = np.sqrt((counts.data + SHRINKAGE * usual[counts.indices]) / events[row])
    seen = csr_array((roots - given[row] * np.sqrt(usual)[counts.indices], counts.indices, counts.indptr), shape=counts.shape)
    return Surroundings(offset, weight, seen, given, np.sqrt(usual))


def _nearer(offset: int) -> dict[int, float]:
    """Return the offsets on the same side up to the given one, with weights of 1/d that sum to 1."""
    distances = range(1, abs(offset) + 1)
    total = sum(1 / d for d in distances)
    return {d if offset > 0 else -d: 1 / d / total for d in distances}


def _neighbours(table: WindowCounts, weights: dict[int, float]) -> csr_array:
    """Return how many events of each activity have each neighbour at some offsets, weighted; the last column is PAD."""
    n = len(table.activities)
    columns = np.concatenate([table.windows[:, table.left + offset] for offset in weights]).astype(np.int64)
    columns[columns < 0] = n
    counts = [table.counts * weight for weight in weights.values()]
    rows = np.tile(table.focal.astype(np.int64), len(weights))
    total = csr_array((np.concatenate(counts), (rows, columns)), shape=(n, n + 1))
    total.sum_duplicates()
    return total
