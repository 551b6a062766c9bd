"""Match labels by kin of one log that holds the cases of both, with labels apart.

Only the beginning and the end of cases link the two logs, so it sees how far labels are from these, and no more.
"""

from collections.abc import Mapping
from typing import Self

import numpy as np

from actalike.log import EventLog
from actalike.methods import embed


class JoinedKin:
    """Compare labels by kin of the joined log."""

    name = "kin-joined"

    def fit(self, log_a: EventLog, log_b: EventLog, known: Mapping[str, str]) -> Self:
        """Set the scores: the part of the similarities that is between the logs."""
        n = len(log_a.activities)
        similarities = 1 - embed(joined(log_a, log_b), "kin-w5").distances()
        self.scores_ = similarities[:n, n:]
        return self


def joined(log_a: EventLog, log_b: EventLog) -> EventLog:
    """Return one log with the cases of both and labels apart: first those of the first log, then those of the second.

    >>> log = EventLog.from_traces([["a", "b"]])
    >>> joined(log, log).traces()
    [['1 a', '1 b'], ['2 a', '2 b']]
    """
    labels = [*(f"1 {label}" for label in log_a.activities), *(f"2 {label}" for label in log_b.activities)]
    codes = np.concatenate([log_a.codes, log_b.codes + len(log_a.activities)])
    offsets = np.concatenate([log_a.offsets, log_b.offsets[1:] + log_a.n_events])
    return EventLog(labels, codes, offsets, [""] * (log_a.n_cases + log_b.n_cases))
