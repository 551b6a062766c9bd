"""Finding equal rows among many, exactly: the one operation behind variants, windows and contexts."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.signedinteger]

_KEY_SPACE = 2**62  # keys stay below this, so that they never overflow a signed 64-bit integer


def group_rows(columns: Sequence[IntArray], base: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number the distinct rows of a table in lexicographic order.

    ``columns`` are the columns of the table, with values from -1 to ``base - 2`` (-1 is PAD). Returns ``(sample, group)``:
    ``group[i]`` is the number of row ``i``, and ``sample[g]`` is one row of group ``g``.

    Rows are packed into 64-bit keys as far as they fit; where they do not (window 9 over 400 activities needs 78 bits), the
    groups found so far stand in for the columns packed so far. So it is exact for any alphabet and any width.

    >>> sample, group = group_rows([np.array([2, 0, 2, 0]), np.array([1, -1, 1, 1])], base=4)
    >>> group.tolist(), len(sample)
    ([2, 0, 2, 1], 3)
    """
    n_rows = len(columns[0])
    key = np.zeros(n_rows, dtype=np.int64)
    space = 1
    for column in columns:
        if space * base >= _KEY_SPACE:
            key, space = _rank(key, space)
        key *= base
        key += column
        key += 1
        space *= base
    group, n_groups = _rank(key, space)
    sample = np.empty(n_groups, dtype=np.int64)
    sample[group] = np.arange(n_rows)
    return sample, group


def _rank(key: NDArray[np.int64], space: int) -> tuple[NDArray[np.int64], int]:
    """Replace keys below ``space`` by their ranks among the distinct keys; also how many those are."""
    if space <= 4 * len(key) + 1024:  # a table of all possible keys is cheaper than sorting
        present = np.zeros(space, dtype=bool)
        present[key] = True
        ranks = np.cumsum(present, dtype=np.int64)
        ranks -= 1
        return ranks[key], int(ranks[-1]) + 1
    distinct, group = np.unique(key, return_inverse=True)
    return group.astype(np.int64, copy=False), len(distinct)


def sum_groups(values: IntArray, group: NDArray[np.int64], n_groups: int) -> NDArray[np.int64]:
    """Sum whole numbers by group. Exact below 2**53, which is beyond any number of events.

    >>> sum_groups(np.array([1, 2, 3]), np.array([0, 1, 0]), 2).tolist()
    [4, 2]
    """
    return np.bincount(group, weights=values, minlength=n_groups).astype(np.int64)
