"""Compare labels that a later log has and an earlier one lacks with all labels of the earlier one, by kin across both logs.

Labels that both logs have are known pairs: the comparison starts from them (:mod:`actalike.two_logs.cross_kin`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.log import EventLog
from actalike.two_logs.cross_kin import FREQUENCY_WEIGHT, cross_kin, neighbour_agreements, unrestricted_log_scores

Floats = NDArray[np.float64]


class NewLabels(NamedTuple):
    """Hold what is known of each new label (columns) and each old one (rows).

    ``codes`` are the new labels' positions in the activities of the later log, and ``is_used`` says which old labels it still
    has. ``likeness`` is ln S, how alike the company of a pair is; ``frequency`` how far their frequencies agree, weighted as in
    the matching of logs, 0 at best; ``agreement`` how far their neighbours agree if each label has one partner, 0 to 1.
    """

    codes: NDArray[np.int64]
    is_used: NDArray[np.bool_]
    likeness: Floats
    frequency: Floats
    agreement: Floats


def compare_new_labels(past: EventLog, now: EventLog) -> NewLabels | None:
    """Compare each label that only ``now`` has with all labels of ``past``; None if there is no such label.

    >>> past = EventLog.from_traces([["ask", "check", "pay"], ["ask", "refuse"]] * 30)
    >>> now = EventLog.from_traces([["ask", "check", "transfer"], ["ask", "refuse"]] * 30)
    >>> new = compare_new_labels(past, now)
    >>> [now.activities[code] for code in new.codes], past.activities[new.likeness[:, 0].argmax()]
    (['transfer'], 'pay')
    """
    old, present = ({label: i for i, label in enumerate(log.activities)} for log in (past, now))
    shared = sorted(old.keys() & present.keys())
    known = np.array([(old[label], present[label]) for label in shared], dtype=np.int64).reshape(-1, 2)
    codes = np.array([code for label, code in present.items() if label not in old], dtype=np.int64)
    if not len(codes):
        return None
    kin = cross_kin(past, now, known)
    is_used = np.zeros(len(old), dtype=bool)
    is_used[known[:, 0]] = True
    pairs = unrestricted_log_scores(kin), FREQUENCY_WEIGHT * kin.frequencies, neighbour_agreements(kin)
    return NewLabels(codes, is_used, *(of_all[:, codes] for of_all in pairs))
