"""Match labels by how frequent they are: the most frequent of one log with that of the other, and so on."""

from collections.abc import Mapping
from typing import Self

import numpy as np

from actalike.log import EventLog


class Frequency:
    """Compare the ranks of labels by their events."""

    name = "frequency"

    def fit(self, log_a: EventLog, log_b: EventLog, known: Mapping[str, str]) -> Self:
        """Set the scores: how many ranks two labels are apart, negative."""
        ranks_a, ranks_b = (_ranks(log) for log in (log_a, log_b))
        self.scores_ = -np.abs(ranks_a[:, np.newaxis] - ranks_b)
        return self


def _ranks(log: EventLog) -> np.ndarray:
    from scipy.stats import rankdata

    return np.asarray(rankdata(-log.activity_counts, method="average"))
