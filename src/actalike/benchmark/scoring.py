"""Scores that tasks share: are nine in ten of the answers right that are given 0.9, how sure is a mean over logs, rankings.

Answers are tallied by their probability, rounded to four decimals, so that the tallies of many logs are small and can be added.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
BINS = 10
LIKELY = 0.1
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


def of_likely(tally: Tally, least: float = LIKELY) -> Tally:
    """Return the answers with a probability of at least ``least``: of many pairs most are trivially wrong, and hide the others.

    >>> of_likely(Tally(np.array([0.0, 0.5]), np.array([99.0, 2.0]), np.array([0.0, 1.0]))).n.tolist()
    [2.0]
    """
    kept = tally.probability >= least
    return Tally(*(column[kept] for column in tally))


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


def calibration_error(tally: Tally) -> float | None:
    """Return the expected calibration error of some answers; None if there are none."""
    return expected_calibration_error(reliability(tally)) if tally.n.sum() else None


def wilson(positives: float, n: float) -> tuple[float, float]:
    """Return the 95 % interval of a share by Wilson's formula.

    >>> [round(bound, 3) for bound in wilson(9, 10)]
    [0.596, 0.982]
    """
    share, z2 = positives / n, _Z**2
    centre, width = share + z2 / (2 * n), _Z * np.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return max(0.0, float((centre - width) / (1 + z2 / n))), min(1.0, float((centre + width) / (1 + z2 / n)))


def as_lists(tallies: Iterable[Tally | None]) -> list[list[float]]:
    """Return the sum of those tallies that are there as plain data, a list for each probability."""
    return [[float(value) for value in row] for row in np.column_stack(add_tallies(filter(None, tallies)))]


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


# --- rankings: exact on ties, as the mean over all orders of equal scores (to 12 decimals) ------------------------------------


def first_hits(rows: Floats, partners: Mask, candidates: Mask) -> Floats:
    """Return for each query how likely its best candidate is a partner; NaN without a candidate.

    >>> everyone = np.ones((1, 3), dtype=bool)
    >>> first_hits(np.array([[0.5, 0.5, 0.1]]), np.array([[True, False, False]]), everyone).tolist()
    [0.5]
    """
    values = np.where(candidates, rows.round(12), -np.inf)
    tied = candidates & (values == values.max(axis=1, keepdims=True))
    n_tied = tied.sum(axis=1)
    return np.divide((tied & partners).sum(axis=1), n_tied, out=np.full(len(rows), np.nan), where=n_tied > 0)


def reciprocal_ranks(rows: Floats, partners: Mask, candidates: Mask) -> Floats:
    """Return for each query the expected 1 / rank of its best partner among the candidates; NaN without a partner among them.

    >>> everyone = np.ones((1, 3), dtype=bool)
    >>> reciprocal_ranks(np.array([[0.5, 0.5, 0.1]]), np.array([[True, False, False]]), everyone).tolist()
    [0.75]
    """
    values = np.where(candidates, rows.round(12), -np.inf)
    relevant = partners & candidates
    expected = np.full(len(rows), np.nan)
    for query in np.flatnonzero(relevant.any(axis=1)).tolist():
        best = values[query, relevant[query]].max()
        better, tied = int((values[query] > best).sum()), candidates[query] & (values[query] == best)
        n_tied, n_relevant = int(tied.sum()), int((tied & relevant[query]).sum())
        chance, value = n_relevant / n_tied, 0.0  # that the first partner stands at place 1 of the tied, then at the next ones
        for place in range(1, n_tied - n_relevant + 2):
            value += chance / (better + place)
            chance *= (n_tied - place - n_relevant + 1) / (n_tied - place) if place < n_tied else 0.0
        expected[query] = value
    return expected


def average_precision(scores: Floats, relevant: Mask) -> float:
    """Return the mean precision at the place of each relevant one, in expectation over all orders of ties; NaN if none is.

    >>> average_precision(np.array([3.0, 2.0, 1.0]), np.array([True, False, True])).__round__(3)
    0.833
    """
    if not relevant.any():
        return float("nan")
    values = scores.round(12)
    order = np.argsort(-values, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(values[order]) != 0))
    sizes = np.diff(np.append(starts, len(order)))
    hits = np.add.reduceat(relevant[order].astype(np.int64), starts)
    before = np.cumsum(hits) - hits
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, len(order) + 1))])
    reciprocals = harmonic[starts + sizes] - harmonic[starts]  # sum of 1 / place over the tied
    slope = np.divide(hits - 1, sizes - 1, out=np.zeros(len(starts)), where=sizes > 1)  # relevant ones among the tied before
    precisions = slope * sizes + (before + 1 - slope * (starts + 1)) * reciprocals
    return float((hits / sizes * precisions).sum() / relevant.sum())


def medians(values: Floats, group: NDArray[np.int64]) -> Floats:
    """Return for each value the median of its group.

    >>> medians(np.array([1.0, 5.0, 2.0, 9.0]), np.array([7, 7, 0, 7])).tolist()
    [5.0, 5.0, 2.0, 5.0]
    """
    _, number, counts = np.unique(group, return_inverse=True, return_counts=True)
    ordered = values[np.lexsort((values, number))]
    starts = np.cumsum(counts) - counts
    return np.asarray(((ordered[starts + (counts - 1) // 2] + ordered[starts + counts // 2]) / 2)[number])


def area_under_curve(scores: Floats, positive: Mask) -> float:
    """Return how likely a positive one has a higher score than another one, where equal scores (to 12 decimals) count half.

    >>> area_under_curve(np.array([3.0, 2.0, 2.0, 1.0]), np.array([True, True, False, False]))
    0.875
    """
    n, others = int(positive.sum()), int((~positive).sum())
    if not n or not others:
        return float("nan")
    _, place, counts = np.unique(scores.round(12), return_inverse=True, return_counts=True)
    rank = np.cumsum(counts) - (counts - 1) / 2
    return float((rank[place][positive].sum() - n * (n + 1) / 2) / (n * others))


def plain_figures(figures: Mapping[str, float]) -> dict[str, float | None]:
    """Return figures as result files hold them: None where there is no value.

    >>> plain_figures({"nn": np.float64(0.5), "ap": np.nan})
    {'nn': 0.5, 'ap': None}
    """
    return {name: None if np.isnan(value) else float(value) for name, value in figures.items()}
