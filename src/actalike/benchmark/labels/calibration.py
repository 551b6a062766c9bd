"""Judge the probabilities of pairs of labels: are nine in ten of the pairs one step that are given 0.9?

All figures are over the pairs that have a planted name, because only their truth is known for sure.
"""

import numpy as np

from actalike.benchmark.labels.metrics import Floats, Mask, sure_pairs
from actalike.benchmark.scoring import Tally, tally_answers


def tally_pairs(probabilities: Floats, partners: Mask) -> Tally:
    """Tally all pairs with a planted name."""
    values, is_partner = sure_pairs(probabilities, partners)
    return tally_answers(values, is_partner.astype(np.float64))


def tally_nearest(probabilities: Floats, partners: Mask) -> Tally:
    """Tally each planted name with its most probable partner only; of equally probable ones, the mean counts."""
    planted = np.flatnonzero(partners.any(axis=1))
    rows = probabilities[planted].round(12)
    rows[np.arange(len(planted)), planted] = -np.inf
    best = rows.max(axis=1, initial=-np.inf)
    tied = rows == best[:, np.newaxis]
    return tally_answers(best, (tied & partners[planted]).sum(axis=1) / tied.sum(axis=1).clip(1))


def brier(probabilities: Floats, partners: Mask) -> tuple[float, float]:
    """Return the mean squared error of the probabilities, and its gain over always saying the base rate (1: no error).

    >>> brier(np.array([[1.0, 0.8], [0.8, 1.0]]), np.array([[False, True], [True, False]]))[0].__round__(2)
    0.04
    """
    values, is_partner = sure_pairs(probabilities, partners)
    if not len(values):
        return float("nan"), float("nan")
    error, base = float(((values - is_partner) ** 2).mean()), float(is_partner.mean())
    by_base_rate = base * (1 - base)
    return error, 1 - error / by_base_rate if by_base_rate else float("nan")
