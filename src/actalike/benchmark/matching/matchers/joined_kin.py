"""Match labels by kin of one log that holds the cases of both, with labels apart.

Each log keeps its own average neighbours. So only the beginning and the end of cases link the two, and kin sees how far labels
are from these, and no more.
"""

from collections.abc import Mapping
from typing import Self

import numpy as np
from numpy.typing import NDArray

from actalike.counting import count_windows
from actalike.log import EventLog
from actalike.methods import KinEmbedder, surroundings_of

Floats = NDArray[np.float64]
_KIN = KinEmbedder()


class JoinedKin:
    """Compare labels by kin of the joined log."""

    name = "kin-joined"

    def fit(self, log_a: EventLog, log_b: EventLog, known: Mapping[str, str]) -> Self:
        """Set the scores: the part of the similarities that is between the logs."""
        n = len(log_a.activities)
        self.scores_ = joined_kin(log_a, log_b)[:n, n:]
        return self


def joined_kin(log_a: EventLog, log_b: EventLog) -> Floats:
    """Return the similarities of all labels: first those of the first log, then those of the second.

    >>> log = EventLog.from_traces([["a", "b"]] * 5)
    >>> joined_kin(log, log)[0].round(2).tolist()
    [1.0, 0.8, 0.99, 0.79]
    """
    n_a, n = len(log_a.activities), len(log_a.activities) + len(log_b.activities)
    around_a, around_b = (surroundings_of(count_windows(log, _KIN.window), _KIN.shrinkage) for log in (log_a, log_b))
    offsets = []
    for a, b in zip(around_a, around_b, strict=True):
        shares = np.zeros((n, n + 1))  # the last column: outside the case
        for part, rows in ((a, slice(0, n_a)), (b, slice(n_a, n))):
            of_log = part.seen.toarray() + np.outer(part.given, part.usual)
            shares[rows, rows], shares[rows, n] = of_log[:, :-1], of_log[:, -1]
        offsets.append((a.weight, shares))
    alike = np.eye(n + 1)
    for _ in range(_KIN.rounds_for(n)):
        similarities = np.zeros((n, n))
        for weight, shares in offsets:
            product = shares @ alike @ shares.T
            norms = np.sqrt(np.diag(product))
            similarities += weight * product / norms / norms[:, np.newaxis]
        alike[:n, :n] = similarities
    return similarities
