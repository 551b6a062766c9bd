"""Zhu et al. 2014: two events are alike if the events before and after them are alike, computed in rounds."""

from typing import Self

from actalike.benchmark.labels.contrast_groups import contrast_groups
from actalike.benchmark.neighbour_similarity import zhu_similarity
from actalike.log import EventLog


class Zhu:
    """Compare labels by their neighbours in rounds; the groups are those that stand out by contrast."""

    name = "zhu"

    def fit(self, log: EventLog) -> Self:
        """Compare all labels."""
        self.scores_ = zhu_similarity(log, log)
        self.groups_ = contrast_groups(1 - self.scores_, log)
        return self
