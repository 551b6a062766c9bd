"""Our own answer: the probability that two labels are one step, and the groups that are made of it."""

from typing import Self

import numpy as np
from numpy.typing import NDArray

from actalike.grouping import group, same_step
from actalike.log import EventLog

NOT_PROPOSED = ("belong together", "same name", "too rare to judge")  # relations of groups that are no proposal to merge


class SameStep:
    """Propose the groups of :func:`actalike.group`; the scores are the probabilities of ``same_step``."""

    name = "same-step"
    reads_labels = True
    is_probability = True

    def fit(self, log: EventLog) -> Self:
        """Judge all pairs, and group them."""
        same = same_step(log)
        self.scores_: NDArray[np.float64] = same.probabilities()
        self.groups_ = [proposal.activities for proposal in group(log, same=same) if proposal.relation not in NOT_PROPOSED]
        return self
