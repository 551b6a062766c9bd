"""Find and count equal rows of a table, exactly: the one operation behind variants, windows and contexts.

Beside it, limit linear algebra on small matrices to one thread: several would mostly wait for each other.
"""

import math
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.signedinteger]


def group_rows(columns: Sequence[IntArray], base: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number the distinct rows of a table in lexicographic order.

    ``columns`` are the columns of the table, with values from -1 to ``base - 2`` (-1 is PAD). Returns ``(sample, group)``:
    ``group[i]`` is the number of row ``i``, and ``sample[g]`` is one row of group ``g``.

    The result is exact for any number of activities and columns: see :func:`_sorted_rows`.

    >>> sample, group = group_rows([np.array([2, 0, 2, 0]), np.array([1, -1, 1, 1])], base=4)
    >>> group.tolist(), len(sample)
    ([2, 0, 2, 1], 3)
    """
    n_rows = len(columns[0])
    if _fits_table(n_rows, base ** len(columns)):
        key = _packed(columns, base)
        row = np.full(base ** len(columns), -1)
        row[key] = np.arange(n_rows)
        is_present = row >= 0
        return row[is_present], (np.cumsum(is_present) - 1)[key]
    order, is_first = _sorted_rows(columns, base)
    group = np.empty(n_rows, dtype=np.int64)
    group[order] = np.cumsum(is_first) - 1
    return order[is_first], group


def count_rows(columns: Sequence[IntArray], base: int, weights: IntArray) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the index of one row of each group, in the order of :func:`group_rows`, and the sum of each group's weights.

    >>> rows, counts = count_rows([np.array([2, 0, 2]), np.array([1, -1, 1])], base=4, weights=np.array([10, 1, 5]))
    >>> rows.tolist(), counts.tolist()
    ([1, 2], [1, 15])
    """
    n_rows, space = len(columns[0]), base ** len(columns)
    if _fits_table(n_rows, space):
        key = _packed(columns, base)
        sums = sum_groups(weights, key, space)
        present = np.flatnonzero(sums)
        row = np.empty(space, dtype=np.int64)
        row[key] = np.arange(n_rows)
        return row[present], sums[present]
    order, is_first = _sorted_rows(columns, base)
    starts = np.flatnonzero(is_first)
    return order.take(starts), np.add.reduceat(weights.take(order), starts, dtype=np.int64)


def sort_with_places(key: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the indices that sort the keys (stable), and whether each sorted key is the first of its value.

    Key and index are sorted together as one number, which is several times faster than numpy's argsort. So the keys must leave
    room for the indices below 2**63.

    >>> sort_with_places(np.array([7, 5, 7]))
    (array([1, 0, 2]), array([ True,  True, False]))
    """
    return _sort_in_place(key.copy())


def sum_groups(values: IntArray, group: IntArray, n_groups: int) -> NDArray[np.int64]:
    """Sum whole numbers by group. Sums are exact below 2**53, which is beyond any number of events.

    >>> sum_groups(np.array([1, 2, 3]), np.array([0, 1, 0]), 2).tolist()
    [4, 2]
    """
    return np.bincount(group, weights=values, minlength=n_groups).astype(np.int64)


def one_thread() -> AbstractContextManager[Any]:
    """Return a context manager in which numpy and scipy compute with one thread.

    >>> with one_thread():
    ...     print("quick")
    quick
    """
    return _libraries("scipy.linalg" in sys.modules).limit(limits=1)


def _fits_table(n_rows: int, space: int) -> bool:
    """Return whether a table of all possible rows is cheaper than sorting."""
    return space <= 4 * n_rows + 1024


def _sorted_rows(columns: Sequence[IntArray], base: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the indices that sort the rows of a table (stable), and whether each sorted row is the first of its value.

    A row is packed into one whole number, or several where it has too many bits: window 9 over 400 activities needs 78. Then the
    rows are sorted by the last number first, and those with the same number before it keep that order.
    """
    n_rows = len(columns[0])
    in_number = max(1, int((62 - n_rows.bit_length()) / math.log2(base + 1)))  # leaves room for the row's place
    starts = range(0, len(columns), in_number)
    order, is_first = _sort_in_place(_packed(columns[starts[-1] :], base))
    for start in reversed(starts[:-1]):
        value = np.cumsum(is_first, dtype=np.int32)  # of the columns from here on
        place, is_first = _sort_in_place(_packed(columns[start : start + in_number], base).take(order))
        order, value = order.take(place), value.take(place)
        is_first[1:] |= value[1:] != value[:-1]
    return order, is_first


def _packed(columns: Sequence[IntArray], base: int) -> NDArray[np.int64]:
    """Return a whole number for each row, from 0 to ``base ** len(columns) - 1``. They sort as the rows do."""
    key = columns[0].astype(np.int64)
    for column in columns[1:]:
        key *= base
        key += column
    key += sum(base**i for i in range(len(columns)))  # -1 becomes 0, in all columns at once
    return key


def _sort_in_place(key: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Do what :func:`sort_with_places` does, in the memory of the keys: fresh memory takes as long as a part of the sorting."""
    bits = len(key).bit_length()
    order = np.arange(len(key))
    key <<= bits
    key |= order
    key.sort()
    np.bitwise_and(key, (1 << bits) - 1, out=order)
    key >>= bits
    first = np.ones(len(key), dtype=bool)
    np.not_equal(key[1:], key[:-1], out=first[1:])
    return order, first


@cache
def _libraries(scipy_linalg_is_loaded: bool) -> Any:
    """Return the loaded libraries for linear algebra. scipy.linalg brings one of its own, so they are searched again after it."""
    from threadpoolctl import ThreadpoolController  # here: reading a log does not need it

    return ThreadpoolController()  # cached, because finding the libraries takes longer than many a matrix product
