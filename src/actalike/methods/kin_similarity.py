"""Compute kin similarities: two activities are alike if the activities around them are alike.

Let n(a) be the number of events of a, n_o(a, x) the number of those whose neighbour at offset o is x (an activity or PAD), q_o(x)
the share of x at offset o over the whole log, and s the shrinkage.

1. P_o(a, x) = (n_o(a, x) + s q_o(x)) / (n(a) + s). These are shares, shrunk towards the log's average, so that a rare activity
   does not look special by accident.
2. H_o = sqrt(P_o). The weight v_o of an offset is proportional to 1 / |o|; the weights sum to 1. K starts as the identity matrix:
   every activity is similar to itself only.
3. In each round, G_o = H_o K H_oᵀ, scaled to a diagonal of 1, and S = Σ_o v_o G_o. Then K = S, with PAD similar to itself only.

S has a diagonal of 1 and no negative eigenvalues, so it is the matrix of cosines of some vectors.
"""

from collections.abc import Iterable, Sequence
from functools import reduce

import numpy as np
from scipy.sparse import csr_array, vstack

from actalike.counting import WindowCounts
from actalike.matrices import ROWS_AT_A_TIME, PackedSymmetric
from actalike.methods.kin_blocks import bytes_of_kin_in_blocks, kin_in_blocks
from actalike.methods.kin_shares import Floats, KinShares, Surroundings
from actalike.support.row_deduplication import count_rows

_CELLS_AT_A_TIME = 1 << 22  # cells of D_o K: all offsets at once if there are few activities
_MOST_BYTES = 1 << 30  # in one piece; what needs more is computed in blocks
_ARRAYS = 7  # of all pairs of activities, while a round is computed in one piece


def bytes_of_kin(n: int, window: int) -> int:
    """Return about how many bytes :func:`kin` needs for n activities.

    >>> bytes_of_kin(400, window=5), bytes_of_kin(20_000, window=5)
    (8960000, 5166248192)
    """
    in_one_piece = _ARRAYS * 8 * n * n
    return in_one_piece if in_one_piece <= _MOST_BYTES else bytes_of_kin_in_blocks(n, window - 1, ROWS_AT_A_TIME)


def kin(table: WindowCounts, rounds: int, shrinkage: float) -> tuple[Floats | PackedSymmetric, KinShares]:
    """Return the similarities S after ``rounds`` rounds, and their explanation."""
    surroundings = surroundings_of(table, shrinkage)
    n = len(table.activities)
    if _ARRAYS * 8 * n * n > _MOST_BYTES:
        return kin_in_blocks(surroundings, rounds, ROWS_AT_A_TIME)
    stacks = stacks_of(surroundings)
    alike = np.eye(n + 1)
    similarities = symmetric(stack.product() for stack in stacks)
    for _ in range(rounds - 1):
        alike[:-1, :-1] = similarities
        similarities = symmetric(stack.product_with(alike)[0] for stack in stacks)
    return similarities, KinShares(surroundings, alike, None)


def stacks_of(surroundings: Sequence[Surroundings]) -> list["Stack"]:
    """Return the surroundings of all offsets as stacks: one if there are few activities, one for each offset if many."""
    at_a_time = max(1, _CELLS_AT_A_TIME // surroundings[0].seen.shape[0] ** 2)
    return [Stack(surroundings[i : i + at_a_time]) for i in range(0, len(surroundings), at_a_time)]


class Stack:
    """Multiply the surroundings of several offsets as one sparse matrix, so that a round is two products for any window.

    With H = D + g uᵀ (D is ``seen``, g is ``given``, u is ``usual``), H K Hᵀ = D K Dᵀ + b gᵀ + g bᵀ, where
    b = D K u + (uᵀ K u) g / 2. The sparse parts D are multiplied as sparse matrices, and the parts of rank one are added for all
    offsets at once. ``below`` holds the D_o below each other; ``order``, ``columns`` and ``bounds`` arrange the same cells as if
    the D_o were beside each other.
    """

    def __init__(self, parts: Sequence[Surroundings]) -> None:
        n, n_symbols = parts[0].seen.shape
        self.shape = len(parts), n, n_symbols
        self.weight = np.array([part.weight for part in parts])[:, np.newaxis]
        self.given = np.array([part.given for part in parts])
        self.usual = np.array([part.usual for part in parts])
        self.below = csr_array(vstack([part.seen for part in parts]))
        cells = np.diff(self.below.indptr)
        self.row = np.repeat(np.arange(len(cells)), cells)
        self.order = np.argsort(self.row % n, kind="stable")
        self.columns = (self.below.indices + self.row // n * n_symbols)[self.order]
        self.bounds = np.concatenate([[0], np.cumsum(cells.reshape(-1, n).sum(axis=0))])

    def product(self) -> Floats:
        """Return Σ_o v_o H_o H_oᵀ, the first round. Shares sum to 1, so the diagonal of H_o H_oᵀ is already 1."""
        beside = self._beside(np.sqrt(self.weight))
        product: Floats = (beside @ beside.T).toarray()
        return self._with_rank_one(product, self.usual, np.sqrt(self.weight))

    def product_with(self, alike: Floats) -> tuple[Floats, Floats]:
        """Return Σ_o v_o G_o, where G_o is H_o K H_oᵀ scaled to a diagonal of 1, and these diagonals; ``alike`` is K."""
        offsets, n, n_symbols = self.shape
        dk = self.below @ alike
        uk = self.usual @ alike
        b = self._b(uk)
        diagonal = self._row_sums(dk[self.row, self.below.indices]) + 2 * b * self.given
        scale = np.sqrt(self.weight / diagonal)
        dk *= scale.reshape(-1, 1)
        transposed = dk.reshape(self.shape).transpose(0, 2, 1).reshape(offsets * n_symbols, n)
        return self._with_rank_one(self._beside(scale) @ transposed, uk, scale), diagonal

    def _row_sums(self, factors: Floats) -> Floats:
        """Return the sums of D's rows after multiplying each cell by a factor."""
        offsets, n, _ = self.shape
        sums = np.bincount(self.row, weights=self.below.data * factors, minlength=offsets * n)
        return sums.astype(np.float64, copy=False).reshape(offsets, n)

    def _b(self, uk: Floats) -> Floats:
        """Return b = D K u + (uᵀ K u) g / 2 for each offset, with uᵀ K given."""
        dku = self._row_sums(uk[self.row // self.shape[1], self.below.indices])
        return dku + (uk * self.usual).sum(axis=1, keepdims=True) / 2 * self.given

    def _beside(self, scale: Floats) -> csr_array:
        """Return the D_o beside each other, with scaled rows."""
        offsets, n, n_symbols = self.shape
        data = self.below.data * np.broadcast_to(scale, (offsets, n)).ravel()[self.row]
        return csr_array((data[self.order], self.columns, self.bounds), shape=(n, offsets * n_symbols))

    def _with_rank_one(self, product: Floats, uk: Floats, scale: Floats) -> Floats:
        """Add b gᵀ + g bᵀ of all offsets, scaled, to a product in place, and return it."""
        rank_one = (self._b(uk) * scale).T @ (self.given * scale)
        product += rank_one
        product += rank_one.T
        return product


def symmetric(products: Iterable[Floats]) -> Floats:
    """Return the sum of the products, made exactly symmetric and with a diagonal of exactly 1."""
    total = reduce(np.add, products)
    similarities: Floats = (total + total.T) / 2
    np.fill_diagonal(similarities, 1.0)
    return similarities


def surroundings_of(table: WindowCounts, shrinkage: float) -> tuple[Surroundings, ...]:
    """Compute H_o and v_o of each offset."""
    offsets = [place - table.left for place in range(table.window) if place != table.left]
    total = sum(1 / abs(offset) for offset in offsets)
    return tuple(_surroundings(table, offset, 1 / abs(offset) / total, shrinkage) for offset in offsets)


def _surroundings(table: WindowCounts, offset: int, weight: float, shrinkage: float) -> Surroundings:
    """Compute H_o of one offset, with the weight v_o."""
    n_symbols = len(table.activities) + 1
    neighbour = table.windows[:, table.left + offset].astype(np.int64)
    neighbour[neighbour < 0] = n_symbols - 1
    share = np.bincount(neighbour, weights=table.counts, minlength=n_symbols) / table.n_events
    pairs, counts = count_rows([table.focal, neighbour], n_symbols + 1, table.counts)
    row, column = table.focal[pairs], neighbour[pairs]
    n_with_pseudo_events = table.activity_counts + shrinkage
    given, usual = np.sqrt(shrinkage / n_with_pseudo_events), np.sqrt(share)
    roots = np.sqrt((counts + shrinkage * share[column]) / n_with_pseudo_events[row])
    bounds = np.searchsorted(row, np.arange(n_symbols))
    seen = csr_array((roots - given[row] * usual[column], column, bounds), shape=(n_symbols - 1, n_symbols))
    return Surroundings(offset, weight, seen, given, usual)
