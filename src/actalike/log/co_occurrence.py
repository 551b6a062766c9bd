"""Measure which activities occur in the same cases: this separates two names of one step from two steps that belong together."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from actalike.log.event_log import EventLog
from actalike.support.memory_estimates import require_memory

BY_CHANCE = 5  # pseudo-counts: how many randomly mixed pairs are added to every estimate, so that few observations prove little


class CoOccurrence:
    """Count the cases that activities share, and compare these counts with chance.

    Activities are given by their positions in ``log.activities``.

    >>> co_occurrence = CoOccurrence(EventLog.from_traces([["a", "c"], ["b", "c"], ["c", "b"]]))
    >>> co_occurrence.cases([0, 1]), co_occurrence.cases([1, 2])
    ((3, 0, 0), (3, 2, 2))
    """

    def __init__(self, log: EventLog) -> None:
        codes, offsets, self._weights = log.variants
        variant = np.repeat(np.arange(len(self._weights)), np.diff(offsets))
        shape = len(self._weights), len(log.activities)
        self._counts = csc_array((np.ones(len(codes), dtype=np.int64), (variant, codes)), shape=shape)
        self._counts.sum_duplicates()
        self._weighted = self._counts.copy()
        self._weighted.data *= self._weights[self._counts.indices]
        activity = np.repeat(np.arange(shape[1]), np.diff(self._counts.indptr))
        squares = np.bincount(activity, weights=self._counts.data * self._weighted.data, minlength=shape[1])
        self._squares = squares.astype(np.float64)  # Σ n² over the cases, where n is the number of events of the activity
        self._events = log.activity_counts

    def cases(self, members: Sequence[int]) -> tuple[int, int, int]:
        """Return how many cases contain at least one of the activities ``members``, at least two of them, and all of them."""
        n_present = np.bincount(self._counts[:, list(members)].indices, minlength=len(self._weights))
        any_, several, all_ = (int(self._weights[n_present >= minimum].sum()) for minimum in (1, 2, len(members)))
        return any_, several, all_

    def shared_cases(self) -> NDArray[np.int64]:
        """Return in how many cases two activities both occur: a symmetric array, on its diagonal the cases of each activity.

        >>> CoOccurrence(EventLog.from_traces([["a", "c"], ["b", "c"], ["c", "b", "b"]])).shared_cases().tolist()
        [[1, 0, 1], [0, 2, 2], [1, 2, 3]]
        """
        occurs, weighted = self._counts.copy(), self._counts.copy()
        occurs.data = np.ones_like(occurs.data)
        weighted.data = self._weights[weighted.indices]
        return (occurs.T @ weighted).toarray()

    def attraction(self) -> NDArray[np.float64]:
        """Return how much more often two activities share a case than two names of one step would: a symmetric array.

        Take all pairs of events in the same case whose activities are a or b. There are T of them. M of them are mixed: one
        event is a, the other b. Suppose that a and b are names of one step and that each event gets its name by chance. Then a
        share of 2pq of the pairs is mixed, where p and q are the shares of a and b among the events of both. The attraction is
        (M + 5 · 2pq) / (T + 5) / 2pq. It is about 1 if names change from event to event, less if each case keeps to one name,
        and near 1 / 2pq, which is 2 or more, if a and b are two steps that every case has once.

        >>> CoOccurrence(EventLog.from_traces([["a", "c"], ["b", "c"]] * 50)).attraction().round(1).tolist()
        [[1.0, 1.0, 2.1], [1.0, 1.0, 2.1], [2.1, 2.1, 1.0]]
        """
        everyone = np.arange(len(self._events))
        return self.attraction_between(everyone, everyone)

    def attraction_between(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the attraction of each of some activities to each of others."""
        n_bytes = 8 * 8 * len(rows) * len(columns)
        require_memory(n_bytes, f"What {len(rows):,} x {len(columns):,} activities have to do with each other", "merge rare ones")
        mixed = (self._counts[:, rows].T @ self._weighted[:, columns]).toarray().astype(np.float64)
        same = (self._squares - self._events) / 2  # pairs of events of the same activity
        events = self._events.astype(np.float64)
        by_chance = 2 * np.outer(events[rows], events[columns]) / (events[columns] + events[rows, np.newaxis]) ** 2
        pairs = same[columns] + same[rows, np.newaxis] + mixed
        attraction: NDArray[np.float64] = (mixed + BY_CHANCE * by_chance) / (pairs + BY_CHANCE) / by_chance
        attraction[rows[:, np.newaxis] == columns] = 1.0
        return attraction
