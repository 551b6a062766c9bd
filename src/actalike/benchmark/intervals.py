"""Intervals of means over logs, by resampling the logs."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

RESAMPLES = 1000


def bootstrap_interval(values: NDArray[np.float64], resamples: int = RESAMPLES) -> tuple[float, float] | tuple[None, None]:
    """Return the bounds of 95 % of the means of resampled logs; None if there is only one log, which says nothing of others.

    >>> low, high = bootstrap_interval(np.array([0.2, 0.4, 0.6]), 1000)
    >>> 0.2 <= low < 0.4 < high <= 0.6
    True
    """
    if len(values) < 2:
        return None, None
    low, high = np.quantile(values[draws(len(values), resamples)].mean(axis=1), [0.025, 0.975])
    return float(low), float(high)


def draws(n: int, resamples: int = RESAMPLES) -> NDArray[np.int64]:
    """Draw ``n`` logs with replacement, again and again: a row of ``n`` numbers from 0 to n - 1 each time, always the same.

    >>> draws(3).shape
    (1000, 3)
    """
    return np.random.default_rng(0).integers(0, n, (resamples, n))


def mean_and_interval(values: pl.Series, resamples: int = RESAMPLES) -> dict[str, float | None]:
    """Return the mean of a figure over the logs that have it, and its interval, under the names that tables use.

    >>> mean_and_interval(pl.Series("I_nn", [0.5, None]))
    {'I_nn': 0.5, 'I_nn_low': None, 'I_nn_high': None}
    """
    known = values.drop_nulls().to_numpy()
    low, high = bootstrap_interval(known, resamples)
    mean = float(known.mean()) if len(known) else None
    return {values.name: mean, f"{values.name}_low": low, f"{values.name}_high": high}
