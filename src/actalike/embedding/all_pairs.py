"""Go through the similarities of all pairs of activities, a block of rows at a time, so that few of them are in memory."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rows = Callable[[slice], Floats]  # returns the similarities of some activities with all activities

CELLS_AT_A_TIME = 1 << 22  # similarities in memory at a time


def best_pairs(rows: Rows, allowed: NDArray[np.bool_], topn: int | None) -> tuple[NDArray[np.int64], Floats]:
    """Return the most similar pairs of activities, the most similar first, and their similarities; all if ``topn`` is None.

    The pair i, j has the number i * n + j. Pairs of equal similarity (to 12 digits) are in the order of their numbers. Only
    activities that are ``allowed`` are paired.

    >>> similarities = np.array([[1.0, 0.2, 0.9], [0.2, 1.0, 0.9], [0.9, 0.9, 1.0]])
    >>> best_pairs(lambda rows: similarities[rows], np.array([True, True, True]), topn=2)
    (array([2, 5]), array([0.9, 0.9]))
    """
    n = len(allowed)
    pairs, best = np.zeros(0, dtype=np.int64), np.zeros(0)
    at_a_time = max(1, CELLS_AT_A_TIME // max(n, 1))
    for start in range(0, n, at_a_time):
        block = rows(slice(start, start + at_a_time))
        candidates = np.arange(n) > np.arange(start, start + len(block))[:, np.newaxis]
        candidates &= allowed
        candidates &= allowed[start : start + len(block), np.newaxis]
        if topn is not None:
            candidates &= block >= _least_of_best(block, candidates, best, topn) - 1e-11  # 1e-11: more than rounding to 12 digits
        row, column = np.nonzero(candidates)
        pairs = np.concatenate([pairs, (row + start) * n + column])  # in the order of the labels
        best = np.concatenate([best, block[row, column]])
        order = np.argsort(-best.round(12), kind="stable")[:topn]
        pairs, best = pairs[order], best[order]
    return pairs, best


def _least_of_best(block: Floats, candidates: NDArray[np.bool_], best: Floats, topn: int) -> float:
    """Return what the similarity of a pair must reach to be among the ``topn`` best."""
    if topn and len(best) >= topn:
        return float(best.min())
    if not 0 < topn < block.size:
        return -np.inf
    values = np.where(candidates, block, -np.inf).ravel()
    return float(np.partition(values, len(values) - topn)[len(values) - topn])


def condensed_distances(rows: Rows, order: NDArray[np.int64]) -> Floats:
    """Return the cosine distances of all pairs, as :func:`scipy.spatial.distance.squareform` arranges them.

    The activities are taken in the given order, and the distances are rounded to 12 digits.

    >>> similarities = np.array([[1.0, 0.2, 0.9], [0.2, 1.0, 0.7], [0.9, 0.7, 1.0]])
    >>> condensed_distances(lambda rows: similarities[rows], np.array([2, 0, 1])).round(1)
    array([0.1, 0.3, 0.8])
    """
    n = len(order)
    distances = np.empty(n * (n - 1) // 2)
    place = np.empty(n, dtype=np.int64)
    place[order] = np.arange(n)
    at_a_time = max(1, CELLS_AT_A_TIME // max(n, 1))
    for start in range(0, n, at_a_time):
        block = np.clip(1.0 - rows(slice(start, start + at_a_time)), 0.0, 2.0).round(12)
        for activity, row in enumerate(block, start=start):
            i = int(place[activity])
            first = i * (2 * n - i - 1) // 2  # of the pairs of i and a later activity
            distances[first : first + n - i - 1] = row[order[i + 1 :]]
    return distances
