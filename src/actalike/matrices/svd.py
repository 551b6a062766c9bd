"""Reduce a weighted matrix to the few directions along which it varies most, by singular value decomposition."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.support.memory_estimates import require_memory
from actalike.support.threads import one_thread

_NEGLIGIBLE = 1e-6  # singular values below this share of the largest one count as 0: rounding errors are that large
_EQUAL = 1e-6  # singular values count as equal if their squares differ by at most this share
_ROUNDED = 1e-9  # smaller entries of a unit vector are rounding errors and become 0: a cosine could enlarge them


def reduce_rows(weights: csr_array, dimension: int | None, exponent: float) -> NDArray[np.float64]:
    """Return the rows of ``U_d Σ_d^p`` for a matrix ``U Σ Vᵀ``, with the d largest singular values; None keeps all.

    d is ``dimension`` and p is ``exponent``. There are at most as many columns as the rank. Equal singular values are kept
    together, so there can be more than d columns: which of their directions came first would depend on the machine. With p = 1
    and all columns, the angles between the rows stay the same; p = 0 gives all directions the same weight.

    >>> weights = csr_array([[3.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 4.0, 0.0]])
    >>> reduce_rows(weights, dimension=1, exponent=1).round(2).tolist()
    [[0.0], [2.0], [4.0]]
    >>> reduce_rows(weights, dimension=50, exponent=0).round(2).tolist()
    [[0.0, 1.0], [0.45, 0.0], [0.89, 0.0]]
    """
    n = weights.shape[0]
    require_memory(5 * 8 * n * n, f"A singular value decomposition of {n:,} activities", "leave out +svd and +power")
    with one_thread():
        # W Wᵀ = U Σ² Uᵀ is only activity x activity, so no dense activity x context array is needed
        squares, u = np.linalg.eigh((weights @ weights.T).toarray())
    squares, u = squares[::-1], u[:, ::-1]
    threshold = _NEGLIGIBLE**2 * squares[0]
    if dimension is not None and dimension <= len(squares):
        threshold = max(threshold, (1 - _EQUAL) * squares[dimension - 1])
    squares, u = squares[squares > threshold], u[:, squares > threshold]
    largest = np.abs(u).round(9).argmax(axis=0)  # rounded, so that the first of equal entries is taken
    u = u * np.sign(u[largest, np.arange(u.shape[1])])
    return np.where(np.abs(u) < _ROUNDED, 0.0, u) * squares ** (exponent / 2)
