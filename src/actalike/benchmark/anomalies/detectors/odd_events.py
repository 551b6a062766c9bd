"""Find odd cases by :func:`actalike.odd`: with the attributes of events, or by activities alone."""

from collections.abc import Sequence
from typing import Self

import numpy as np

from actalike.log import EventLog
from actalike.oddities import OddEvent, odd


class Odd:
    """Take the scores and the reasons of ``odd``."""

    name = "odd"
    reads_attributes = True

    def fit(self, log: EventLog) -> Self:
        """Score the log."""
        self._oddities = odd(log, None if self.reads_attributes else [])
        self.case_scores_, self.event_scores_ = self._oddities.case_scores(), self._oddities.event_scores()
        seen = [list(log.attributes).index(name) + 1 for name in self._oddities.attributes]
        self.cell_scores_ = np.zeros((log.n_events, 1 + len(log.attributes)))  # no value that is not looked at is odd
        self.cell_scores_[:, [0, *seen]] = self._oddities.cell_scores()
        return self

    def reasons(self, cases: Sequence[int]) -> list[OddEvent | None]:
        """Return the strongest reason of each case."""
        return [next(iter(self._oddities.explain(case)), None) for case in cases]


class OddActivities(Odd):
    """Let ``odd`` look at activities alone."""

    name = "odd-activities"
    reads_attributes = False
