"""Singular value decomposition: the few directions along which a weighted matrix varies most."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.support.threads import one_thread

_NEGLIGIBLE = 1e-6  # of the largest singular value: what the rank does not count, because rounding makes such values too
_EQUAL = 1e-6  # singular values whose squares differ by no more of them are equal
_ROUNDED = 1e-9  # less than this in a unit vector is a zero: a cosine would blow up what rounding leaves of it


def reduce_rows(weights: csr_array, dimension: int | None, exponent: float) -> NDArray[np.float64]:
    """Rows of ``U_d Σ_d^p`` where the matrix is ``U Σ Vᵀ``, with the d largest singular values; None keeps all.

    There are no more columns than the rank. Equal singular values stay together, because nothing tells their directions apart
    (a choice among them would be the machine's), so there can be more than d. With p = 1 and all columns the rows have the
    angles that they had; p = 0 gives all directions the same weight.

    >>> weights = csr_array([[3.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 4.0, 0.0]])
    >>> reduce_rows(weights, dimension=1, exponent=1).round(2).tolist()
    [[0.0], [2.0], [4.0]]
    >>> reduce_rows(weights, dimension=50, exponent=0).round(2).tolist()
    [[0.0, 1.0], [0.45, 0.0], [0.89, 0.0]]
    """
    with one_thread():
        # W Wᵀ = U Σ² Uᵀ has a row for each activity only, so the many contexts are never written out.
        squares, u = np.linalg.eigh((weights @ weights.T).toarray())
    squares, u = squares[::-1], u[:, ::-1]
    least = _NEGLIGIBLE**2 * squares[0]
    if dimension is not None and dimension <= len(squares):
        least = max(least, (1 - _EQUAL) * squares[dimension - 1])
    squares, u = squares[squares > least], u[:, squares > least]
    largest = np.abs(u).round(9).argmax(axis=0)  # the first of those that are equal
    u = u * np.sign(u[largest, np.arange(u.shape[1])])
    return np.where(np.abs(u) < _ROUNDED, 0.0, u) * squares ** (exponent / 2)
