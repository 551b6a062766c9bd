"""Scores that all tasks share: are nine in ten of the answers right that are given 0.9, and how sure is a mean over logs?

Answers are tallied by their probability, rounded to four decimals, so that the tallies of many logs are small and can be added.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

Floats = NDArray[np.float64]
BINS = 10
RESAMPLES = 1000
_DIGITS = 4
_Z = 1.959963984540054  # of a 95 % interval


class Tally(NamedTuple):
    """Hold for each distinct probability, ascending, how many answers have it, and how many of these are right.

    The latter may be a fraction, where several answers are equally near.
    """

    probability: Floats
    n: Floats
    positives: Floats


class Bin(NamedTuple):
    """Hold a part of the reliability curve: mean probability against the share that is right, with its Wilson interval."""

    n: float
    mean_probability: float
    share: float
    low: float
    high: float


def tally_answers(values: Floats, is_positive: Floats) -> Tally:
    """Tally answers by their probability; a right one counts 1, a wrong one 0."""
    return _summed(values.round(_DIGITS), np.ones(len(values)), is_positive)


def add_tallies(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of some tallies."""
    parts = [Tally(np.empty(0), np.empty(0), np.empty(0)), *tallies]
    probability, n, positives = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _summed(probability, n, positives)


def _summed(probability: Floats, n: Floats, positives: Floats) -> Tally:
    distinct, place = np.unique(probability, return_inverse=True)
    n_each, positives_each = (np.bincount(place, weights, len(distinct)).astype(np.float64) for weights in (n, positives))
    return Tally(distinct, n_each, positives_each)


def reliability(tally: Tally, bins: int = BINS) -> list[Bin]:
    """Return the reliability curve: bins with about equally many answers; equal probabilities are in one bin.

    A probability belongs to the bin in which the first of its answers stands.

    >>> tally = Tally(np.array([0.1, 0.9]), np.array([10.0, 10.0]), np.array([1.0, 9.0]))
    >>> [(part.mean_probability, part.share) for part in reliability(tally, bins=2)]
    [(0.1, 0.1), (0.9, 0.9)]
    """
    total = tally.n.sum()
    if not total:
        return []
    starts = np.cumsum(tally.n) - tally.n
    number = np.minimum((starts * bins / total).astype(np.int64), bins - 1)
    curve = []
    for part in np.unique(number):
        chosen = number == part
        n, positives = float(tally.n[chosen].sum()), float(tally.positives[chosen].sum())
        mean = float((tally.probability * tally.n)[chosen].sum() / n)
        curve.append(Bin(n, mean, positives / n, *wilson(positives, n)))
    return curve


def expected_calibration_error(curve: Iterable[Bin]) -> float:
    """Return the mean distance between probability and share over the bins, weighted by their answers; NaN without a bin.

    >>> expected_calibration_error([Bin(10, 0.1, 0.2, 0, 1), Bin(30, 0.9, 0.9, 0, 1)]).__round__(3)
    0.025
    """
    parts = list(curve)
    total = sum(part.n for part in parts)
    return sum(part.n * abs(part.mean_probability - part.share) for part in parts) / total if total else float("nan")


def wilson(positives: float, n: float) -> tuple[float, float]:
    """Return the 95 % interval of a share by Wilson's formula.

    >>> [round(bound, 3) for bound in wilson(9, 10)]
    [0.596, 0.982]
    """
    share, z2 = positives / n, _Z**2
    centre, width = share + z2 / (2 * n), _Z * np.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return max(0.0, float((centre - width) / (1 + z2 / n))), min(1.0, float((centre + width) / (1 + z2 / n)))


def as_lists(tally: Tally) -> list[list[float]]:
    """Return a tally as plain data, a list for each probability."""
    return [[float(value) for value in row] for row in np.column_stack(tally)]


def from_lists(rows: list[list[float]]) -> Tally:
    """Return the tally of plain data."""
    table: Floats = np.array(rows, dtype=np.float64).reshape(len(rows), 3)
    return Tally(table[:, 0], table[:, 1], table[:, 2])


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
