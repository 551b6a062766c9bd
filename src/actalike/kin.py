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
class Surroundings:
    """H_o, as a sparse matrix plus one of rank one: a row for each activity, a column for each neighbour, the last for PAD.

    What was seen around an activity stands in ``seen``; what it is given of the usual is ``given[a] * usual[x]``.
    """

    offset: int
    weight: float
    seen: csr_array
    given: Floats
    usual: Floats

    def row(self, activity: int) -> Floats:
        """H_o of an activity, written out."""
        row = self.given[activity] * self.usual
        part = slice(self.seen.indptr[activity], self.seen.indptr[activity + 1])
        row[self.seen.indices[part]] += self.seen.data[part]
        return row


@dataclass(frozen=True)
class KinReasons:
    """What the similarities of the last round are made of: the surroundings, and the K of the round before, PAD last."""

    activities: Sequence[str]
    surroundings: tuple[Surroundings, ...]
    alike: Floats

    def shares(self, i: int, j: int) -> list[KinShare]:
        """S(i, j) as a sum over offsets and pairs of neighbours, the largest part first.

        A pair (x, y) stands for x beside one of the two activities and y beside the other, either way round.
        """
        found = []
        for around in self.surroundings:
            a, b = around.row(i), around.row(j)
            parts = np.outer(a, b) * self.alike * around.weight / np.sqrt((a @ self.alike @ a) * (b @ self.alike @ b))
            both = np.triu(parts + parts.T, 1) + np.diag(np.diag(parts))
            for x, y in zip(*np.nonzero(both), strict=True):
                found.append((float(both[x, y]), around.offset, int(x), int(y)))
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
    offsets = [place - table.left for place in range(table.window) if place != table.left]
    total = sum(1 / abs(offset) for offset in offsets)
    surroundings = tuple(_surroundings(table, offset, 1 / abs(offset) / total, shrinkage) for offset in offsets)
    alike = np.eye(len(table.activities) + 1)
    similarities = _similarities(surroundings, None)
    for _ in range(rounds - 1):
        alike[:-1, :-1] = similarities
        similarities = _similarities(surroundings, alike)
    return similarities, KinReasons(table.activities, surroundings, alike)


def _similarities(surroundings: Sequence[Surroundings], alike: Floats | None) -> Floats:
    """S = Σ_o v_o G_o, where G_o is H_o K H_oᵀ scaled to a diagonal of 1; K is the identity where ``alike`` is None.

    With H = D + g uᵀ, H K Hᵀ = D K Dᵀ + b gᵀ + g bᵀ, where b = D K u + (uᵀ K u) g / 2: the sparse parts are multiplied as such,
    and what is of rank one is added for all offsets at once.
    """
    products, crossed, given = [], [], []
    for around in surroundings:
        d, u = around.seen, around.usual
        row = np.repeat(np.arange(d.shape[0]), np.diff(d.indptr))
        half = d.toarray() if alike is None else d @ alike
        b = half @ u + u @ (u if alike is None else alike @ u) / 2 * around.given
        diagonal = np.bincount(row, weights=half[row, d.indices] * d.data, minlength=len(b)) + 2 * b * around.given
        scale = np.sqrt(around.weight / diagonal)
        half *= scale[:, np.newaxis]
        scaled = csr_array((d.data * scale[row], d.indices, d.indptr), shape=d.shape)
        products.append(scaled @ np.ascontiguousarray(half.T))
        crossed.append(b * scale)
        given.append(around.given * scale)
    total: Floats = products[0]
    for product in products[1:]:
        total += product
    rank_one = np.array(crossed).T @ np.array(given)
    total += rank_one
    total += rank_one.T
    similarities: Floats = (total + total.T) / 2  # exactly symmetric
    np.fill_diagonal(similarities, 1.0)
    return similarities


def _surroundings(table: WindowCounts, offset: int, weight: float, shrinkage: float) -> Surroundings:
    n_symbols = len(table.activities) + 1
    neighbour = table.windows[:, table.left + offset].astype(np.int64)
    neighbour[neighbour < 0] = n_symbols - 1
    counts = csr_array((table.counts.astype(np.float64), (table.focal, neighbour)), shape=(n_symbols - 1, n_symbols))
    share = np.bincount(neighbour, weights=table.counts, minlength=n_symbols) / table.n_events
    events = table.activity_counts + shrinkage
    given, usual = np.sqrt(shrinkage / events), np.sqrt(share)
    row = np.repeat(np.arange(n_symbols - 1), np.diff(counts.indptr))
    roots = np.sqrt((counts.data + shrinkage * share[counts.indices]) / events[row])
    seen = csr_array((roots - given[row] * usual[counts.indices], counts.indices, counts.indptr), shape=counts.shape)
    return Surroundings(offset, weight, seen, given, usual)


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
