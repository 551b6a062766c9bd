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
        cells = self._oddities.cell_scores()
        unseen = 1 + len(log.attributes) - cells.shape[1]  # no value of an attribute that is not looked at is odd
        self.cell_scores_ = np.column_stack([cells, np.zeros((log.n_events, unseen))])
        return self

    def reasons(self, cases: Sequence[int]) -> list[OddEvent | None]:
        """Return the strongest reason of each case."""
        ids = self._oddities.log.case_ids
        return [next(iter(self._oddities.explain(ids[case])), None) for case in cases]


class OddActivities(Odd):
    """Let ``odd`` look at activities alone."""

    name = "odd-activities"
    reads_attributes = False
