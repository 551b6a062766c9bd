"""Check cosines, and compute vectors that have them."""

import numpy as np
from numpy.typing import NDArray

from actalike.support.threads import one_thread


def are_cosines(array: NDArray[np.float64], n: int) -> bool:
    """Return whether an array can hold the cosines of n vectors: symmetric, from -1 to 1, and 1 on the diagonal.

    >>> are_cosines(np.array([[1.0, 0.6], [0.6, 1.0]]), 2), are_cosines(np.array([[1.0, 0.6], [0.5, 1.0]]), 2)
    (True, False)
    """
    return (
        array.shape == (n, n)
        and bool((np.abs(array) <= 1 + 1e-9).all())  # False for NaN
        and np.array_equal(array, array.T)
        and np.allclose(np.diag(array), 1)
    )


def factor(similarities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return vectors with the given cosines: the pivoted Cholesky factor, with as many columns as the rank.

    >>> factor(np.array([[1.0, 1.0, 0.6], [1.0, 1.0, 0.6], [0.6, 0.6, 1.0]])).round(2).tolist()
    [[1.0, 0.0], [1.0, 0.0], [0.6, 0.8]]
    """
    from scipy.linalg.lapack import dpstrf  # imported here: it loads slowly, and few embeddings need it

    n = len(similarities)
    with one_thread():  # after the import, which loads the library to limit: the last digits depend on the number of threads
        triangle, pivots, rank, _ = dpstrf(similarities, lower=1, tol=n * np.finfo(np.float64).eps)
    vectors: NDArray[np.float64] = np.empty((n, rank))
    vectors[pivots - 1] = np.tril(triangle)[:, :rank]
    return vectors
