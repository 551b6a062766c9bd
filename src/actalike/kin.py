"""Kin: two activities are alike if the activities around them are alike.

With n(a) the events of a, n_o(a, x) those whose neighbour at offset o is x (an activity or PAD), and q_o(x) the share of x at
offset o over the whole log:

1. P_o(a, x) = (n_o(a, x) + s q_o(x)) / (n(a) + s): shares, shrunk towards what is usual, so that rare activities do not look
   special by accident.
2. H_o = sqrt(P_o); offsets weigh v_o, proportional to 1 / |o| and summing to 1; at first K = 1: all are like themselves only.
3. In each round, G_o = H_o K H_oᵀ, scaled to a diagonal of 1; S = Σ_o v_o G_o; then K = S, and PAD is like itself only.

S has a diagonal of 1 and no negative eigenvalues, so there are vectors whose cosines it holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpstrf
from scipy.sparse import csr_array

from actalike.contexts import FOCAL
from actalike.windows import WindowCounts

Floats = NDArray[np.float64]


class KinShare(NamedTuple):
    """A pair of neighbours' part of a similarity: in words, and how much; the labels (None for PAD)."""

    context: str
    share: float
    symbols: tuple[str | None, ...]


@dataclass(frozen=True)
class KinReasons:
    """What the similarities of the last round are made of: H_o for each offset, v_o, and the K of the round before.

    The last row and column stand for PAD.
    """

    activities: Sequence[str]
    offsets: tuple[int, ...]
    weights: Floats
    roots: Floats  # (offsets, activities, activities + PAD)
    alike: Floats  # (activities + PAD, activities + PAD)

    def shares(self, i: int, j: int) -> list[KinShare]:
        """S(i, j) as a sum over offsets and pairs of neighbours, the largest part first.

        A pair (x, y) stands for x beside one of the two activities and y beside the other, either way round.
        """
        found = []
        for o, offset in enumerate(self.offsets):
            a, b = self.roots[o, i], self.roots[o, j]
            parts = np.outer(a, b) * self.alike * self.weights[o] / np.sqrt((a @ self.alike @ a) * (b @ self.alike @ b))
            both = np.triu(parts + parts.T, 1) + np.diag(np.diag(parts))
            for x, y in zip(*np.nonzero(both), strict=True):
                found.append((float(both[x, y]), offset, int(x), int(y)))
        found.sort(key=lambda part: (-round(part[0], 15), abs(part[1]), part[1], part[2], part[3]))
        return [KinShare(self._text(offset, x, y), share, self._symbols(x, y)) for share, offset, x, y in found]

    def _symbols(self, x: int, y: int) -> tuple[str | None, ...]:
        labels = [None if code == len(self.activities) else self.activities[code] for code in (x, y)]
        return (labels[0],) if x == y else (labels[0], labels[1])

    def _text(self, offset: int, x: int, y: int) -> str:
        """``Check ≈ Re-check → ●``: after two activities that are alike; with a dot for each place between."""
        outside = "(start)" if offset < 0 else "(end)"
        neighbours = " ≈ ".join(outside if label is None else label for label in self._symbols(x, y))
        between = ["·"] * (abs(offset) - 1)
        return " → ".join([neighbours, *between, FOCAL] if offset < 0 else [FOCAL, *between, neighbours])


def kin(table: WindowCounts, rounds: int, shrinkage: float) -> tuple[Floats, KinReasons]:
    """S after some rounds, and what it is made of."""
    n_activities = len(table.activities)
    places = [place for place in range(table.window) if place != table.left]
    offsets = tuple(place - table.left for place in places)
    weights = np.array([1 / abs(offset) for offset in offsets])
    weights /= weights.sum()
    roots = np.stack([_roots(table, place, shrinkage) for place in places])
    alike = np.eye(n_activities + 1)
    similarities = _similarities(roots, weights, None)
    for _ in range(rounds - 1):
        alike[:-1, :-1] = similarities
        similarities = _similarities(roots, weights, similarities)
    return similarities, KinReasons(table.activities, offsets, weights, roots, alike)


def _similarities(roots: Floats, weights: Floats, alike: Floats | None) -> Floats:
    """S from H_o, v_o and K (None: the identity)."""
    total = np.zeros((roots.shape[1],) * 2)
    for root, weight in zip(roots, weights, strict=True):
        inside, pad = root[:, :-1], root[:, -1]
        product = (inside if alike is None else inside @ alike) @ inside.T
        product += np.outer(pad, pad)
        scale = 1 / np.sqrt(np.diag(product))
        product *= scale
        product *= scale[:, np.newaxis] * weight
        total += product
    similarities: Floats = (total + total.T) / 2  # exactly symmetric
    np.fill_diagonal(similarities, 1.0)
    return similarities


def _roots(table: WindowCounts, place: int, shrinkage: float) -> Floats:
    """H_o, for the offset of a place in the window."""
    n_symbols = len(table.activities) + 1
    neighbour = np.where(table.windows[:, place] < 0, n_symbols - 1, table.windows[:, place])
    counts = csr_array((table.counts, (table.focal, neighbour)), shape=(n_symbols - 1, n_symbols)).toarray().astype(np.float64)
    usual = counts.sum(axis=0) / table.n_events
    return np.sqrt((counts + shrinkage * usual) / (table.activity_counts + shrinkage)[:, np.newaxis])


def factor(similarities: Floats) -> Floats:
    """Vectors with these cosines: a pivoted Cholesky factor, as long as there is anything left.

    >>> factor(np.array([[1.0, 1.0, 0.6], [1.0, 1.0, 0.6], [0.6, 0.6, 1.0]])).round(2).tolist()
    [[1.0, 0.0], [1.0, 0.0], [0.6, 0.8]]
    """
    n = len(similarities)
    triangle, pivots, rank, _ = dpstrf(similarities, lower=1, tol=n * np.finfo(np.float64).eps)
    vectors = np.empty((n, rank))
    vectors[pivots - 1] = np.tril(triangle)[:, :rank]
    return vectors
