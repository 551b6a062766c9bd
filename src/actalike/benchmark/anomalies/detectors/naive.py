"""Call a case odd if few cases have its variant."""

from typing import Self

import numpy as np

from actalike.log import EventLog, first_equal_cases


class Naive:
    """Score a case by -ln of the share of cases with the same sequence of activities, as BPAD's Naive."""

    name = "naive"

    def fit(self, log: EventLog) -> Self:
        """Count the variants."""
        first = first_equal_cases(log.codes, log.offsets)
        self.case_scores_ = -np.log(np.bincount(first, minlength=log.n_cases)[first] / log.n_cases)
        return self
