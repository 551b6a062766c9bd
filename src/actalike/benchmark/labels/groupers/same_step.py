"""Our own answer: the probability that two labels are one step, and the groups that are made of it."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from actalike import labels
from actalike.log import EventLog

NOT_PROPOSED = ("belong together", "too rare to judge")  # relations of groups that are no proposal to merge
_DECISIONS: Any = labels


class SameStep:
    """Propose the groups of :func:`actalike.labels.group`; the scores are the probabilities of ``same_step``."""

    name = "same-step"
    reads_labels = True
    is_probability = True

    def fit(self, log: EventLog) -> Self:
        """Judge all pairs, and group them."""
        self.scores_: NDArray[np.float64] = np.asarray(_DECISIONS.same_step(log).probabilities(), dtype=np.float64)
        self.groups_ = [tuple(group.activities) for group in _DECISIONS.group(log) if group.relation not in NOT_PROPOSED]
        return self
