"""Weight counts: measure how much more often an activity has a context than expected by chance.

All weightings map counts to weights cell by cell and keep zeros zero, so a sparse matrix stays sparse.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

Counts: TypeAlias = NDArray[np.int64]
Marginals: TypeAlias = Counts | NDArray[np.float64]


def raw(counts: csr_array, rows: Counts, columns: Marginals, total: int) -> csr_array:
    """Return the counts as they are."""
    return counts.astype(np.float64)


def pmi(counts: csr_array, rows: Counts, columns: Marginals, total: int) -> csr_array:
    """Return the pointwise mutual information: ``ln(n(a, c) * N / (n(a) * n(c)))`` if ``n(a, c) > 0``, else 0.

    ``rows`` and ``columns`` are the marginal counts *in the log*, not the sums of ``counts``: for an activity-activity
    matrix the two differ.

    >>> counts = csr_array([[5, 0], [1, 6]])
    >>> pmi(counts, rows=np.array([5, 7]), columns=np.array([6, 6]), total=12).toarray().round(2)
    array([[ 0.69,  0.  ],
           [-1.25,  0.54]])
    """
    in_row = np.diff(counts.indptr)
    # Products of whole numbers: if the two are equal, the weight is exactly 0, and not a rounding error that a cosine could
    # enlarge to 1.
    exact = np.int64 if total < 2**30 else np.longdouble
    joint = counts.data.astype(exact, copy=False) * total
    expected = np.repeat(rows.astype(exact, copy=False), in_row) * columns.take(counts.indices)
    ratio = (joint / expected).astype(np.float64, copy=False)
    if columns.dtype.kind == "f":  # shifted or smoothed, so not whole numbers: a ratio of 1 up to rounding is exactly 1
        ratio[np.abs(ratio - 1) < 1e-12] = 1
    weights = csr_array((np.log(ratio), counts.indices.copy(), counts.indptr.copy()), shape=counts.shape)
    weights.eliminate_zeros()
    return weights


def ppmi(counts: csr_array, rows: Counts, columns: Marginals, total: int) -> csr_array:
    """Return the positive PMI, ``max(0, PMI)``: contexts that are rarer than expected by chance get 0.

    >>> counts = csr_array([[5, 0], [1, 6]])
    >>> ppmi(counts, rows=np.array([5, 7]), columns=np.array([6, 6]), total=12).toarray().round(2)
    array([[0.69, 0.  ],
           [0.  , 0.54]])
    """
    weights = pmi(counts, rows, columns, total)
    np.maximum(weights.data, 0, out=weights.data)
    weights.eliminate_zeros()
    return weights


def hellinger(counts: csr_array, rows: Counts, columns: Marginals, total: int) -> csr_array:
    """Return ``sqrt(n(a, c) / n(a))``: the cosine distance of two rows is then their squared Hellinger distance.

    >>> hellinger(csr_array([[1, 3], [4, 0]]), rows=np.array([4, 4]), columns=np.array([5, 3]), total=8).toarray().round(2)
    array([[0.5 , 0.87],
           [1.  , 0.  ]])
    """
    row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    return csr_array((np.sqrt(counts.data / rows[row]), counts.indices.copy(), counts.indptr.copy()), shape=counts.shape)


def shift_and_smooth(columns: Counts, places: NDArray[np.int64], shift: float, smoothing: float) -> Marginals:
    """Return column marginals ``k N n(c)^α / Σ n(c')^α``, with which PMI is shifted by ``-ln k`` and smoothed.

    k is ``shift`` and α is ``smoothing``. α < 1 makes rare columns less rare (context-distribution smoothing). k > 1 demands more
    than chance (shifted PMI). The sum is over the columns with the same entry in ``places``, and N is their total. In an
    activity-context or activity-activity matrix, all columns have the same place. The neighbours at each offset are a
    distribution of their own. With k = α = 1, the counts are returned unchanged.

    >>> shift_and_smooth(np.array([1, 16, 8, 9]), np.array([0, 0, 1, 1]), shift=1, smoothing=0.5).round(2)
    array([ 3.4 , 13.6 ,  8.25,  8.75])
    >>> shift_and_smooth(np.array([1, 16]), np.array([0, 0]), shift=5, smoothing=1)
    array([ 5., 80.])
    """
    if shift == smoothing == 1:
        return columns
    smoothed = columns**smoothing
    totals, smoothed_totals = np.bincount(places, weights=columns), np.bincount(places, weights=smoothed)
    return shift * (totals / smoothed_totals)[places] * smoothed


WEIGHTINGS = {"raw": raw, "pmi": pmi, "ppmi": ppmi}
