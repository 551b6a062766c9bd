"""Place activities in the plane so that the nearest neighbours of each lie around it.

Only ranks count: how far away a neighbour is does not matter, because the similarities of one log may all lie between 0.99 and 1.
It is a stochastic neighbour embedding (t-SNE) with weights by rank and a kernel with a heavier tail. Nothing is random. Rounds
are rounded to six decimals, far coarser than the rounding errors that differ from machine to machine, so that they do not add up.
"""

import numpy as np
from numpy.typing import NDArray

from actalike.support.arrays import one_thread
from actalike.support.memory import require_memory

NEAREST = 5  # neighbours that matter, and by which a map is judged

_TAIL = 0.3  # weight of the ranks beyond them, which hold the picture together ...
_TAIL_RANKS = 10.0  # ... and by which it falls to 1/e
# Exponents of the kernel (1 is t-SNE's): a heavier tail parts more clusters, a lighter one leaves room for the dots' size.
_HEAVY = 0.5
_LIGHT = 0.6
_ROUNDS, _AFTER_LEAP, _LAST_ROUNDS = 250, 80, 60  # to begin with, after each leap, and with the lighter tail
_LEAPS = 2
_PAIRS = 500_000_000  # that all rounds together look at: above 1,000 activities there are fewer rounds
_FEWEST = 8  # rounds of each kind

_STEP = 100.0
_GOLDEN_ANGLE = 2.399963  # multiples of it never point in the same direction
_DECIMALS = 6


def neighbour_layout(distances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a place in the plane for each activity: its nearest by ``distances`` lie around it, as far as a plane allows.

    The places are centred and lie between -1 and 1; the picture is wider than it is high.

    >>> line = np.abs(np.subtract.outer(np.arange(9.0), np.arange(9.0)))
    >>> drawn_neighbours(line, neighbour_layout(line)) > 0.9
    True
    """
    n = len(distances)
    require_memory(
        12 * 8 * n * n, f"A map of {n:,} activities", "draw a part of them, or write a report, which shows the frequent ones"
    )
    if n < 2:
        return np.zeros((n, 2))
    with one_thread():
        weights = _weights(distances)
        part = min(1.0, _PAIRS / ((_ROUNDS + _LEAPS * _AFTER_LEAP + _LAST_ROUNDS) * n * n))
        first, later, last = (max(_FEWEST, int(rounds * part)) for rounds in (_ROUNDS, _AFTER_LEAP, _LAST_ROUNDS))
        places = _descend(_spectral_start(weights), weights, first, _HEAVY)
        for _ in range(_LEAPS):
            places = _descend(_leap(places, weights), weights, later, _HEAVY)
        places = _descend(places, weights, last, _LIGHT)
    return _upright(places)


def drawn_neighbours(distances: NDArray[np.float64], places: NDArray[np.float64], nearest: int = NEAREST) -> float:
    """Return the mean share of each activity's true nearest five that are among the five nearest on the map.

    Where several are equally near, each counts with the chance to be among the five if ties were broken at random.

    >>> square = np.array([[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [2.0, 1.0]])
    >>> apart = np.array([[0.0, 1, 9, 9], [1, 0, 9, 9], [9, 9, 0, 1], [9, 9, 1, 0]])
    >>> drawn_neighbours(apart, square, nearest=1)
    1.0
    """
    gaps = np.sqrt(((places[:, np.newaxis] - places) ** 2).sum(axis=2))
    k = min(nearest, len(places) - 1)
    return float((nearest_shares(distances, k) * nearest_shares(gaps, k)).sum(axis=1).mean() / k)


def nearest_shares(distances: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """Return for each row the chance of every other activity to be among its ``k`` nearest if ties are broken at random.

    >>> nearest_shares(np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 2.0], [1.0, 2.0, 0.0]]), 1).tolist()
    [[0.0, 0.5, 0.5], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    """
    others = distances.round(9)
    np.fill_diagonal(others, np.inf)
    limit = np.partition(others, k - 1, axis=1)[:, k - 1 : k]
    nearer, equal = others < limit, others == limit
    return nearer + equal * ((k - nearer.sum(axis=1, keepdims=True)) / equal.sum(axis=1, keepdims=True))


def _weights(distances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how strongly each pair attracts: the nearest of either most, the others less by their rank; the sum is 1."""
    others = distances.round(9)
    np.fill_diagonal(others, -np.inf)  # first in its row
    weights = nearest_shares(distances, min(NEAREST, len(distances) - 1))
    weights += _TAIL * np.exp((2.0 - np.apply_along_axis(_ranks, 1, others)) / _TAIL_RANKS)
    np.fill_diagonal(weights, 0.0)
    weights /= weights.sum(axis=1, keepdims=True)
    return (weights + weights.T) / (2 * len(weights))


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the ranks of values from 1, those of equal ones averaged: scipy.stats has it, and takes half a second to import."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: NDArray[np.float64] = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return ranks


def _spectral_start(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rough places: two slow directions of a random walk over the neighbours, by power iteration from a spiral.

    It begins at fixed places and ends after a fixed number of rounds, so it is defined where several directions are equally slow.
    """
    n = len(weights)
    trivial = np.sqrt(weights.sum(axis=1))
    walk = weights / (trivial[:, np.newaxis] * trivial)
    trivial /= np.sqrt((trivial**2).sum())
    turn = np.arange(n) * _GOLDEN_ANGLE
    axes = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    for _ in range(100):
        axes = (walk @ axes + axes) / 2
        axes -= np.outer(trivial, trivial @ axes)
        axes[:, 1] -= axes[:, 0] * (axes[:, 0] @ axes[:, 1]) / max(float(axes[:, 0] @ axes[:, 0]), 1e-300)
        axes /= np.abs(axes).max(axis=0).clip(min=1e-300)
        axes = axes.round(_DECIMALS + 3)
    return axes / trivial[:, np.newaxis] / np.abs(axes / trivial[:, np.newaxis]).max().clip(min=1e-300)


def _descend(places: NDArray[np.float64], weights: NDArray[np.float64], rounds: int, exponent: float) -> NDArray[np.float64]:
    """Move all dots so that pairs of large weight are near: gradient descent with momentum and a gain for each coordinate."""
    velocity, gain = np.zeros_like(places), np.ones_like(places)
    for turn in range(rounds):
        closeness = _closeness(places, exponent)
        np.fill_diagonal(closeness, 0.0)
        kernel = closeness**exponent
        pull = (weights - kernel / kernel.sum()) * closeness
        slope = 4 * (pull.sum(axis=1)[:, np.newaxis] * places - pull @ places)
        gain = np.where(np.sign(slope) != np.sign(velocity), gain + 0.2, gain * 0.8).clip(min=0.01)
        velocity = (0.5 if turn < 20 else 0.8) * velocity - _STEP * gain * slope
        places = places + velocity
        places = (places - places.mean(axis=0)).round(_DECIMALS)
    return places


def _closeness(places: NDArray[np.float64], exponent: float) -> NDArray[np.float64]:
    """Return 1 / (1 + d² / exponent) for each pair: to the power of the exponent, it is the kernel."""
    squares = (places**2).sum(axis=1)
    gaps = squares[:, np.newaxis] + squares - 2 * (places @ places.T)
    return 1.0 / (1.0 + gaps.clip(min=0.0) / exponent)


def _leap(places: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Let each dot in turn leap to, or between, its neighbours if it fits better there: small steps are blocked by other dots."""
    n = len(places)
    places = places.copy()
    near = min(NEAREST + 1, n - 1)
    neighbours = np.argsort(-weights.round(12), axis=1, kind="stable")[:, :near]
    total = (_closeness(places, _HEAVY) ** _HEAVY).sum() - n
    first, second = np.triu_indices(near)
    for i in range(n):
        around = places[neighbours[i]]
        options = np.concatenate([places[i : i + 1], (around[first] + around[second]) / 2])
        gaps = ((options[:, np.newaxis] - places) ** 2).sum(axis=2)
        gaps[:, i] = 0.0
        logs = _HEAVY * np.log1p(gaps / _HEAVY)
        cost = logs @ weights[i] + (np.exp(-logs).sum(axis=1) - 1) / total
        best = int(cost.round(12).argmin())
        if best:
            turn = i * _GOLDEN_ANGLE
            places[i] = options[best] + 1e-3 * np.array([np.cos(turn), np.sin(turn)])  # beside it, not upon it
    return places


def _upright(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn the picture so that it is widest from left to right, with a fixed side up, and scale it to -1 to 1."""
    (xx, xy), (_, yy) = places.T @ places
    angle = np.arctan2(2 * xy, xx - yy) / 2
    places = places @ np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    places -= (places.max(axis=0) + places.min(axis=0)) / 2
    places = (places / (np.abs(places).max() or 1.0)).round(_DECIMALS)
    largest = np.abs(places).argmax(axis=0)
    return places * np.where(places[largest, range(2)] < 0, -1.0, 1.0) + 0.0
