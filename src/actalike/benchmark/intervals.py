"""Intervals of means over logs, by drawing the logs anew."""

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 1000


def bootstrap_interval(values: NDArray[np.float64], resamples: int = RESAMPLES) -> tuple[float, float] | tuple[None, None]:
    """Between which bounds 95 % of the means lie when the logs are drawn with replacement; none, where there is but one log.

    >>> low, high = bootstrap_interval(np.array([0.2, 0.4, 0.6]), 1000)
    >>> 0.2 <= low < 0.4 < high <= 0.6
    True
    """
    if len(values) < 2:  # one log says nothing of others
        return None, None
    low, high = np.quantile(values[draws(len(values), resamples)].mean(axis=1), [0.025, 0.975])
    return float(low), float(high)


def draws(n: int, resamples: int = RESAMPLES) -> NDArray[np.int64]:
    """How ``n`` logs are drawn, again and again: a row of ``n`` numbers from 0 to n - 1 for each time, always the same.

    >>> draws(3).shape
    (1000, 3)
    """
    return np.random.default_rng(0).integers(0, n, (resamples, n))
