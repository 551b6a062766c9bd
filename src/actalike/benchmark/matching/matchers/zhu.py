"""Match labels by Zhu et al. 2014: what comes before and after them is alike, computed in rounds."""

from collections.abc import Mapping
from typing import Self

import numpy as np

from actalike.benchmark.neighbour_similarity import zhu_similarity
from actalike.log import EventLog


class Zhu:
    """Compare the labels of two logs by their neighbours in rounds; known pairs are alike all the time."""

    name = "zhu"

    def fit(self, log_a: EventLog, log_b: EventLog, known: Mapping[str, str]) -> Self:
        """Set the scores: the similarities of the last round."""
        self.scores_ = zhu_similarity(log_a, log_b, known_codes(log_a, log_b, known))
        return self


def known_codes(log_a: EventLog, log_b: EventLog, known: Mapping[str, str]) -> np.ndarray:
    """Return known pairs as numbers of activities, a row for each pair.

    >>> known_codes(EventLog.from_traces([["a", "b"]]), EventLog.from_traces([["x", "y"]]), {"b": "x"}).tolist()
    [[1, 0]]
    """
    place_a, place_b = ({label: i for i, label in enumerate(log.activities)} for log in (log_a, log_b))
    return np.array([(place_a[a], place_b[b]) for a, b in known.items()], dtype=np.int64).reshape(-1, 2)
