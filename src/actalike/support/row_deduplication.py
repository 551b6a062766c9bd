"""Find and count equal rows of a table, exactly: the one operation behind variants, windows and contexts."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.signedinteger]


def group_rows(columns: Sequence[IntArray], base: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number the distinct rows of a table in lexicographic order.

    ``columns`` are the columns of the table, with values from -1 to ``base - 2`` (-1 is PAD). Returns ``(sample, group)``:
    ``group[i]`` is the number of row ``i``, and ``sample[g]`` is one row of group ``g``.

    Each row is packed into one whole number of up to 62 bits. Where that is too little (window 9 over 400 activities needs 78
    bits), the columns packed so far are replaced by the number of their group. So the result is exact for any number of
    activities and columns.

    >>> sample, group = group_rows([np.array([2, 0, 2, 0]), np.array([1, -1, 1, 1])], base=4)
    >>> group.tolist(), len(sample)
    ([2, 0, 2, 1], 3)
    """
    key, space = _keys(columns, base)
    group, n_groups = _rank(key, space)
    sample = np.empty(n_groups, dtype=np.int64)
    sample[group] = np.arange(len(key))
    return sample, group


def count_rows(columns: Sequence[IntArray], base: int, weights: IntArray) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the index of one row of each group, in the order of :func:`group_rows`, and the sum of each group's weights.

    >>> rows, counts = count_rows([np.array([2, 0, 2]), np.array([1, -1, 1])], base=4, weights=np.array([10, 1, 5]))
    >>> rows.tolist(), counts.tolist()
    ([1, 2], [1, 15])
    """
    key, space = _keys(columns, base)
    if _fits_table(key, space):
        sums = sum_groups(weights, key, space)
        present = np.flatnonzero(sums)
        row = np.empty(space, dtype=np.int64)
        row[key] = np.arange(len(key))
        return row[present], sums[present]
    order, first = sort_with_places(key)
    starts = np.flatnonzero(first)
    running = np.cumsum(weights[order])
    return order[starts], np.diff(np.append(running[starts[1:] - 1], running[-1:]), prepend=0)


def _keys(columns: Sequence[IntArray], base: int) -> tuple[NDArray[np.int64], int]:
    """Return a whole number (key) for each row and an upper bound of all keys.

    Keys sort as the rows do, and two keys are equal only if their rows are.
    """
    n_rows = len(columns[0])
    key_limit = 1 << (62 - n_rows.bit_length())  # leaves room for the row's index, which sorting packs beside the key
    key = columns[0].astype(np.int64)
    key += 1
    space = base
    for column in columns[1:]:
        if space * base > key_limit:
            key, space = _rank(key, space)
        key *= base
        key += column
        key += 1
        space *= base
    return key, space


def _fits_table(key: NDArray[np.int64], space: int) -> bool:
    """Return whether a table of all possible keys is cheaper than sorting."""
    return space <= 4 * len(key) + 1024


def _rank(key: NDArray[np.int64], space: int) -> tuple[NDArray[np.int64], int]:
    """Return the rank of each key among the distinct keys, and how many distinct keys there are."""
    if _fits_table(key, space):
        present = np.zeros(space, dtype=bool)
        present[key] = True
        ranks = np.cumsum(present, dtype=np.int64)
        ranks -= 1
        return ranks[key], int(ranks[-1]) + 1
    order, first = sort_with_places(key)
    ranks = np.cumsum(first)
    ranks -= 1
    group = np.empty(len(key), dtype=np.int64)
    group[order] = ranks
    return group, int(ranks[-1]) + 1


def sort_with_places(key: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the indices that sort the keys (stable), and whether each sorted key is the first of its value.

    Key and index are sorted together as one number, which is several times faster than numpy's argsort. So the keys must leave
    room for the indices below 2**63.

    >>> sort_with_places(np.array([7, 5, 7]))
    (array([1, 0, 2]), array([ True,  True, False]))
    """
    bits = len(key).bit_length()
    both = key << bits
    both |= np.arange(len(key))
    both.sort()
    order = both & ((1 << bits) - 1)
    both >>= bits
    first = np.ones(len(key), dtype=bool)
    np.not_equal(both[1:], both[:-1], out=first[1:])
    return order, first


def sum_groups(values: IntArray, group: NDArray[np.int64], n_groups: int) -> NDArray[np.int64]:
    """Sum whole numbers by group. Sums are exact below 2**53, which is beyond any number of events.

    >>> sum_groups(np.array([1, 2, 3]), np.array([0, 1, 0]), 2).tolist()
    [4, 2]
    """
    return np.bincount(group, weights=values, minlength=n_groups).astype(np.int64)
