"""Which activities are in the same cases: what tells two names of one step from two steps that belong together."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from actalike.log.event_log import EventLog

BY_CHANCE = 5  # pairs of events that any two activities are given, mixed as by chance: few pairs prove little


class CoOccurrence:
    """The cases of a log's activities.

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
        self._events = log.activity_counts

    def cases(self, members: Sequence[int]) -> tuple[int, int, int]:
        """The numbers of cases with any of some activities, with two or more of them, and with all."""
        held = np.bincount(self._counts[:, list(members)].indices, minlength=len(self._weights))
        any_, several, all_ = (int(self._weights[held >= least].sum()) for least in (1, 2, len(members)))
        return any_, several, all_

    def attraction(self) -> NDArray[np.float64]:
        """How much more often two activities are in one case than two names of one step would be: a symmetric array.

        Take all pairs of events of one case that are both of a or b: there are T of them, M of those mixed, one of a and one of
        b. If a and b were names of one step, and each event got its name by chance, 2pq of the pairs would be mixed, where p
        and q are the shares of a and b among the events of both. The attraction is (M + 5 · 2pq) / (T + 5) / 2pq. It is about
        1 if names change from event to event, less if a case keeps to one name, and near 1 / 2pq, which is 2 or more, if the
        two are steps that every case has once.

        >>> CoOccurrence(EventLog.from_traces([["a", "c"], ["b", "c"]] * 50)).attraction().round(1).tolist()
        [[1.0, 1.0, 2.1], [1.0, 1.0, 2.1], [2.1, 2.1, 1.0]]
        """
        counts = self._counts
        weighted = csc_array((counts.data * self._weights[counts.indices], counts.indices, counts.indptr), shape=counts.shape)
        mixed = (counts.T @ weighted).toarray().astype(np.float64)
        alike = (np.diag(mixed) - self._events) / 2  # pairs of events of the same activity
        events = self._events.astype(np.float64)
        by_chance = 2 * np.outer(events, events) / (events + events[:, np.newaxis]) ** 2
        pairs = alike + alike[:, np.newaxis] + mixed
        attraction = (mixed + BY_CHANCE * by_chance) / (pairs + BY_CHANCE) / by_chance
        np.fill_diagonal(attraction, 1.0)
        return attraction
