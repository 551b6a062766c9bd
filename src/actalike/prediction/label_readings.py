"""Read new labels as old ones: which label of a past log does each label that appeared later stand for?

Labels that both logs have are the same step. The others are compared by kin across the logs
(:mod:`actalike.comparison.cross_kin`), which starts from these known pairs. A new label is read as the old label with the highest
score

    ln S(o, n) + c F(o, n)      if o is not used any more,
    ln S(o, n) - d              if o is still used: then n would be another name of only a part of its events,

where S says how alike the company of o in the past and of n now is, and F how far their frequencies agree. Several new labels may
be read as one old label. The probability that a reading is right is a logistic function of five figures;
``measurements/label_readings.py`` fits and checks it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.comparison import FREQUENCY_WEIGHT, cross_kin, neighbour_agreements, unrestricted_log_scores
from actalike.log import EventLog

Floats = NDArray[np.float64]

STILL_USED = 0.05  # d: how much better a label that is still used must fit
_MANY_CASES = 150  # more cases make no reading more certain
_LARGEST_RATIO = 4.0  # of frequencies, as a logarithm: a larger one says no more
FIGURES = ("lead", "cases", "lead_x_cases", "agreement", "frequency", "still_used")
WEIGHTS = {
    "base": 1.14,
    "lead": 2.2,
    "cases": -0.13,
    "lead_x_cases": 0.22,
    "agreement": 0.9,
    "frequency": -1.02,
    "still_used": -2.1,
}


class LabelReading(NamedTuple):
    """Hold the old label that a new one is read as, the probability that this is right, and the figures behind it.

    ``cases`` is the number of cases of the new log that have the label.
    """

    label: str
    read_as: str
    probability: float
    cases: int
    figures: tuple[float, ...]


def read_labels(past: EventLog, now: EventLog) -> list[LabelReading]:
    """Read each label of ``now`` that ``past`` does not have as a label of ``past``.

    >>> past = EventLog.from_traces([["ask", "check", "pay"], ["ask", "refuse"]] * 30)
    >>> now = EventLog.from_traces([["ask", "check", "transfer"], ["ask", "refuse"]] * 30)
    >>> [(reading.label, reading.read_as) for reading in read_labels(past, now)]
    [('transfer', 'pay')]
    """
    old, present = ({label: i for i, label in enumerate(log.activities)} for log in (past, now))
    shared = sorted(old.keys() & present.keys())
    known = np.array([(old[label], present[label]) for label in shared], dtype=np.int64).reshape(-1, 2)
    new = np.array([code for label, code in present.items() if label not in old], dtype=np.int64)
    if not len(new):
        return []
    kin = cross_kin(past, now, known)
    is_used = np.zeros(len(old), dtype=bool)
    is_used[known[:, 0]] = True
    penalty = np.where(is_used[:, np.newaxis], -STILL_USED, FREQUENCY_WEIGHT * kin.frequencies[:, new])
    scores = unrestricted_log_scores(kin)[:, new] + penalty
    best = scores.argmax(axis=0)
    columns = np.arange(len(new))
    runners_up = scores.copy()
    runners_up[best, columns] = -np.inf
    lead = np.tanh(6 * (scores[best, columns] - runners_up.max(axis=0, initial=-np.inf)))
    cases = np.log(np.minimum(now.activity_cases[new], _MANY_CASES))
    agreement = -np.log(1.01 - np.clip(neighbour_agreements(kin)[best, new], 0.0, 1.0)) - 2
    shares = [log.activity_cases / np.count_nonzero(log.lengths) for log in (past, now)]
    ratio = np.abs(np.log(shares[1][new] / shares[0][best]))
    frequency = np.where(is_used[best], 0.0, np.minimum(ratio, _LARGEST_RATIO))
    figures = np.column_stack([lead, cases, lead * cases, agreement, frequency, is_used[best]])
    log_odds = figures @ [WEIGHTS[name] for name in FIGURES] + WEIGHTS["base"]
    return [
        LabelReading(
            now.activities[code],
            past.activities[best[i]],
            float(1 / (1 + np.exp(-log_odds[i]))),
            int(now.activity_cases[code]),
            tuple(figures[i].tolist()),
        )
        for i, code in enumerate(new.tolist())
    ]
