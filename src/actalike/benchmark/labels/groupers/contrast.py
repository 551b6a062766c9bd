"""The rule of version 0.1: kin, and the groups that stand out at boldness 0.4."""

from typing import Self

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.labels.contrast_groups import contrast_groups
from actalike.log import EventLog
from actalike.methods import embed


class Contrast:
    """Propose what ``actalike.group`` proposed in version 0.1."""

    name = "contrast"

    def fit(self, log: EventLog) -> Self:
        """Embed the log by kin-w5 and group its labels by contrast."""
        distances = embed(log, "kin-w5").distances()
        self.scores_: NDArray[np.float64] = 1 - distances
        self.groups_ = contrast_groups(distances, log)
        return self
