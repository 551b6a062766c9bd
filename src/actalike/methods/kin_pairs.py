"""Compute the kin similarities of a few pairs after two rounds, without those of all others: resampling asks for that very often.

With K = Σ_p v_p H_p H_pᵀ (the first round), H_o K H_oᵀ = Σ_p v_p (H_o H_p)(H_o H_p)ᵀ, so only the rows of the activities in
question are multiplied. With H = D + g uᵀ (D sparse), a row of H_o H_p is d D_p + γ w + c u_p, where d is the row of D_o, γ
its g, w = u_o D_p, and c is the row's product with g_p. The products of such rows are sums of products of sparse rows and
numbers.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.methods.kin_shares import Floats, Surroundings

_CELLS_AT_A_TIME = 1 << 22  # cells of the rows that are multiplied pair by pair


def is_worthwhile(surroundings: Sequence[Surroundings], n_pairs: int) -> bool:
    """Return whether so many pairs are compared faster than all of them, by the number of cells that are multiplied."""
    n, cells = len(surroundings[0].given), sum(part.seen.nnz for part in surroundings)
    in_a_row = cells / len(surroundings) / n
    for_pairs = 6 * len(surroundings) ** 2 * n_pairs * min(n, in_a_row**2)  # 6: both rows, each copied and multiplied
    return for_pairs < 1.5 * cells * n


def similarities_of_pairs(surroundings: Sequence[Surroundings], pairs: NDArray[np.int64]) -> Floats:
    """Return the similarity of each pair of activities (two columns of positions) after two rounds."""
    activities, place = np.unique(pairs, return_inverse=True)
    left, right = place.reshape(pairs.shape).T
    total = np.zeros(len(pairs))
    for part in surroundings:
        products, squares = np.zeros(len(pairs)), np.zeros(len(activities))
        rows = part.seen[activities]
        given = part.given[activities]
        for other in surroundings:
            line = _Rows(part, other, csr_array(rows[:, :-1]), given)
            products += other.weight * line.products(left, right)
            squares += other.weight * line.squares()
        pad = rows[:, [-1]].toarray()[:, 0] + given * part.usual[-1]  # PAD is similar to itself only
        products += pad[left] * pad[right]
        squares += pad**2
        total += part.weight * products / np.sqrt(squares[left] * squares[right])
    return np.minimum(total, 1.0)


class _Rows:
    """Hold rows of H_o H_p as ``sparse + γ wᵀ + c uᵀ``, and multiply them with each other."""

    def __init__(self, part: Surroundings, other: Surroundings, rows: csr_array, given: Floats) -> None:
        self.sparse = csr_array(rows @ other.seen)
        self.given, self.u = given, other.usual
        self.w: Floats = part.usual[:-1] @ other.seen
        self.c: Floats = rows @ other.given + given * float(part.usual[:-1] @ other.given)
        self.with_w, self.with_u = self.sparse @ self.w, self.sparse @ self.u

    def products(self, left: NDArray[np.int64], right: NDArray[np.int64]) -> Floats:
        """Return the product of each row of ``left`` with that of ``right``."""
        crossed = self._dense_parts(left, right)
        at_a_time = max(1, _CELLS_AT_A_TIME // max(1, self.sparse.shape[1]))
        for i in range(0, len(left), at_a_time):
            part = slice(i, i + at_a_time)
            crossed[part] += self.sparse[left[part]].multiply(self.sparse[right[part]]).sum(axis=1)
        return crossed

    def squares(self) -> Floats:
        """Return the product of each row with itself."""
        every = np.arange(len(self.given))
        row = np.repeat(every, np.diff(self.sparse.indptr))
        return np.bincount(row, weights=self.sparse.data**2, minlength=len(every)) + self._dense_parts(every, every)

    def _dense_parts(self, left: NDArray[np.int64], right: NDArray[np.int64]) -> Floats:
        """Return the parts of the products in which not both factors are sparse."""
        g, c, w, u = self.given, self.c, self.w, self.u
        crossed: Floats = g[left] * self.with_w[right] + g[right] * self.with_w[left]
        crossed += c[left] * self.with_u[right] + c[right] * self.with_u[left]
        crossed += (g[left] * c[right] + c[left] * g[right]) * float(w @ u)
        crossed += g[left] * g[right] * float(w @ w) + c[left] * c[right] * float(u @ u)
        return crossed
