"""Match labels by how frequent they are: the most frequent of one log with that of the other, and so on."""

from collections.abc import Mapping
from typing import Self

import numpy as np
from numpy.typing import NDArray

from actalike.log import EventLog


class Frequency:
    """Compare the ranks of labels by their events."""

    name = "frequency"

    def fit(self, log_a: EventLog, log_b: EventLog, known: Mapping[str, str]) -> Self:
        """Set the scores: how many ranks two labels are apart, negative."""
        ranks_a, ranks_b = (_ranks(log) for log in (log_a, log_b))
        self.scores_ = -np.abs(ranks_a[:, np.newaxis] - ranks_b)
        return self


def _ranks(log: EventLog) -> NDArray[np.float64]:
    """Return the rank of each label, the most frequent first; equally frequent ones share the mean of their ranks."""
    _, place, sizes = np.unique(-log.activity_counts, return_inverse=True, return_counts=True)
    ranks: NDArray[np.float64] = np.cumsum(sizes) - (sizes - 1) / 2
    return ranks[place]
