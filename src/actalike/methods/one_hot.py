"""Embed activities by one-hot vectors: all distances are equal. It is the baseline that other methods must beat."""

from typing import Self

from scipy.sparse import csr_array, eye_array

from actalike.counting import WindowCounts
from actalike.embedding import Embedding
from actalike.log import EventLog
from actalike.methods.estimator import Estimator


class OneHotEmbedder(Estimator):
    """Take the rows of the identity matrix as vectors: the distance between any two activities is 1.

    >>> OneHotEmbedder().fit(EventLog.from_traces([["a", "b"]])).embedding_.distances().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """

    name = "one-hot"
    family = "one-hot"
    window = 1  # it needs no neighbour
    takes = "counts"

    def fit(self, log: EventLog | WindowCounts) -> Self:
        """Give each activity a dimension of its own."""
        self.check_source(log)
        self.embedding_ = Embedding(log.activities, csr_array(eye_array(len(log.activities))), method=self.name)
        return self
