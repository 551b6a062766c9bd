"""Intervals of means over logs, by drawing the logs anew."""

import numpy as np
from numpy.typing import NDArray


def bootstrap_interval(values: NDArray[np.float64], resamples: int) -> tuple[float, float] | tuple[None, None]:
    """Between which bounds 95 % of the means lie when the logs are drawn with replacement; none, where there is but one log.

    >>> low, high = bootstrap_interval(np.array([0.2, 0.4, 0.6]), 1000)
    >>> 0.2 <= low < 0.4 < high <= 0.6
    True
    """
    if len(values) < 2:  # one log says nothing of others
        return None, None
    draws = np.random.default_rng(0).integers(0, len(values), (resamples, len(values)))
    low, high = np.quantile(values[draws].mean(axis=1), [0.025, 0.975])
    return float(low), float(high)
