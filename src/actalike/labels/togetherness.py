"""Tell steps that belong together (two blood tests of one sample) from names of one step and from outcomes of one decision.

Labels belong together if half of the cases with any of them have two or more, every two of them share a fifth of the rarer one's
cases, and one of three attractions is 1.3 or more:

- in cases: the smallest attraction of two of them (:meth:`actalike.log.CoOccurrence.attraction`);
- of direct neighbours: among events that follow each other directly;
- at one instant: among events of one case with the same timestamp.

The last two find steps that are repeated. Take the T pairs of such events that both have one of the labels; M of them have
different labels. If they were names of one step, given by chance, a share of c = 1 - Σ p² would be different, where p is each
label's share of the events. The attraction is (M + 5 c) / (T + 5) / c.
"""

from collections.abc import Sequence

import numpy as np

from actalike.counting import WindowCounts
from actalike.log import BY_CHANCE, AnyLog, CoOccurrence

HALF = 0.5  # of the cases with any label
_SOME_CASES = 0.2  # of the rarer of two labels
_ATTRACTED = 1.3  # between 1 (names that change from event to event) and 2 (two steps that every case has once)


class Togetherness:
    """Compare how often labels, given by their positions, come together."""

    def __init__(self, log: AnyLog, counts: WindowCounts) -> None:
        self._log, self._table = log, counts.marginal(3)
        self._co_occurrence = CoOccurrence(log)

    def share(self, members: Sequence[int]) -> float:
        """Return the share of the cases with any of the labels that have two or more."""
        any_, several, _ = self._co_occurrence.cases(members)
        return several / any_

    def is_belonging(self, members: Sequence[int]) -> bool:
        """Return whether labels belong together.

        >>> from actalike import EventLog, count_windows
        >>> log = EventLog.from_traces([["admit", "crp", "count"], ["admit", "count", "crp"]] * 20)
        >>> togetherness = Togetherness(log, count_windows(log, 3))
        >>> log.activities[1:], togetherness.is_belonging([1, 2])
        (['count', 'crp'], True)
        """
        if self.share(members) < HALF or not self._all_share_cases(members):
            return False
        places = np.array(members)
        in_cases = self._co_occurrence.attraction_between(places, places)[np.triu_indices(len(members), 1)].min()
        return bool(max(in_cases, self._of_neighbours(members), self._at_one_instant(members)) >= _ATTRACTED)

    def _all_share_cases(self, members: Sequence[int]) -> bool:
        places = np.array(members)
        shared, cases = self._co_occurrence.shared_between(places, places), self._log.activity_cases[places]
        return bool((shared >= _SOME_CASES * np.minimum.outer(cases, cases)).all())

    def _of_neighbours(self, members: Sequence[int]) -> float:
        first, second = self._table.focal, self._table.windows[:, 2]
        is_pair = np.isin(first, members) & np.isin(second, members)
        counts = self._table.counts[is_pair]
        different = counts[first[is_pair] != second[is_pair]]
        return self._compared_with_chance(members, float(different.sum()), float(counts.sum()))

    def _at_one_instant(self, members: Sequence[int]) -> float:
        uses = self._log.variants.uses
        if uses is None or uses.instants is None:
            return 1.0
        (_, first, second), pairs = uses.instants.keys.T, uses.instants.counts[:, 0]
        is_pair = np.isin(first, members) & np.isin(second, members)
        different = pairs[is_pair & (first != second)]
        return self._compared_with_chance(members, float(different.sum()), float(pairs[is_pair].sum()))

    def _compared_with_chance(self, members: Sequence[int], different: float, pairs: float) -> float:
        events = self._log.activity_counts[list(members)]
        by_chance = 1 - float(((events / events.sum()) ** 2).sum())
        return (different + BY_CHANCE * by_chance) / (pairs + BY_CHANCE) / by_chance
