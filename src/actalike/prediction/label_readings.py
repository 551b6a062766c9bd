"""Read new labels as old ones: which label of a past log does each label that appeared later stand for?

Labels that both logs have are the same step. The others are compared by kin across the logs
(:mod:`actalike.two_logs.cross_kin`), which starts from these known pairs. A new label is read as the old label with the highest
score

    ln S(o, n) + c F(o, n)      if o is not used any more,
    ln S(o, n) - d              if o is still used: then n would be another name of only a part of its events,

where S says how alike the company of o in the past and of n now is, and F how far their frequencies agree. Several new labels may
be read as one old label. The probability that a reading is right is a logistic function of a few figures, fitted by
``measurements/label_readings.py`` of commit 7836c84. The most important one is the contrast, ln S(o, n) - ln mean S(x, n)
over all old labels x: in noise, where all labels keep the same company, it is small however well the best one fits.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.log import EventLog
from actalike.two_logs import compare_new_labels

Floats = NDArray[np.float64]

STILL_USED = 0.05  # d: how much better a label that is still used must fit
_MANY_CASES = 150  # more cases make no reading more certain
_LARGEST_RATIO = 4.0  # of frequencies, as a logarithm: a larger one says no more
_LARGEST_CONTRAST = 0.4  # tells noise from logs, and no more: chosen on the logs that the weights were fitted on
FIGURES = ("lead", "cases", "lead_x_cases", "agreement", "frequency", "still_used", "contrast")
WEIGHTS = {
    "base": -3.37,
    "lead": 2.03,
    "cases": -0.31,
    "lead_x_cases": 0.4,
    "agreement": 0.79,
    "frequency": -0.89,
    "still_used": -1.58,
    "contrast": 11.07,
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
    labels = compare_new_labels(past, now)
    if labels is None:
        return []
    new, is_used, likeness, frequency, agreements = labels
    scores = likeness + np.where(is_used[:, np.newaxis], -STILL_USED, frequency)
    best = scores.argmax(axis=0)
    columns = np.arange(len(new))
    runners_up = scores.copy()
    runners_up[best, columns] = -np.inf
    lead = np.tanh(6 * (scores[best, columns] - runners_up.max(axis=0, initial=-np.inf)))
    cases = np.log(np.minimum(now.activity_cases[new], _MANY_CASES))
    agreement = -np.log(1.01 - np.clip(agreements[best, columns], 0.0, 1.0)) - 2
    shares = [log.activity_cases / np.count_nonzero(log.lengths) for log in (past, now)]
    ratio = np.abs(np.log(shares[1][new] / shares[0][best]))
    difference = np.where(is_used[best], 0.0, np.minimum(ratio, _LARGEST_RATIO))
    contrast = np.minimum(likeness[best, columns] - np.log(np.exp(likeness).mean(axis=0)), _LARGEST_CONTRAST)
    figures = np.column_stack([lead, cases, lead * cases, agreement, difference, is_used[best], contrast])
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
