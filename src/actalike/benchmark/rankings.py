"""Score rankings: exact on ties, as the mean over all orders of equal scores (to 12 decimals)."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


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
