"""Pack arrays as text for a page: base64, least byte first. ``page/shared/packing.js`` unpacks them."""

import base64

import numpy as np
from numpy.typing import NDArray


def packed(array: NDArray[np.unsignedinteger]) -> str:
    """Return an array of integers as base64.

    >>> packed(np.array([1, 258], dtype=np.uint16))
    'AQACAQ=='
    """
    return base64.b64encode(array.astype(array.dtype.newbyteorder("<")).tobytes()).decode("ascii")


def packed_percentages(shares: NDArray[np.float64]) -> str:
    """Return the cells above the diagonal of a symmetric matrix of shares, row by row, each as the percentage that a page shows.

    >>> shares = np.array([[1.0, 0.0, 0.001], [0.0, 1.0, 0.42], [0.001, 0.42, 1.0]])
    >>> list(base64.b64decode(packed_percentages(shares)))
    [0, 1, 43]
    """
    return packed(percentage_steps(shares))


def percentage_steps(shares: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return the cells above the diagonal of a symmetric matrix of shares, row by row, each as a number of a percentage.

    It is 0 for none, 1 for under 1 %, k + 1 for k %, 101 for over 99 %, and 102 for all.
    """
    percent = shares[np.triu_indices(len(shares), 1)] * 100
    steps = np.floor(percent + 0.5) + 1
    steps[(percent > 0) & (percent < 1)] = 1
    steps[(percent > 99) & (percent < 100)] = 101
    steps[percent >= 100] = 102
    steps[percent <= 0] = 0
    return steps.astype(np.uint8)


def packed_runs(numbers: NDArray[np.integer]) -> str:
    """Return non-negative integers as base64 of few bytes where they are small or zero.

    Each number is written in groups of 7 bits, the least first, with 128 added to all but the last; a 0 is followed by how many
    zeros there are in succession.

    >>> list(base64.b64decode(packed_runs(np.array([5, 0, 0, 0, 300]))))
    [5, 0, 3, 172, 2]
    """
    flat = numbers.ravel().astype(np.uint64)
    is_zero = flat == 0
    begins = np.flatnonzero(is_zero & ~np.append(False, is_zero[:-1]))
    ends = np.flatnonzero(is_zero & ~np.append(is_zero[1:], False))
    kept = np.append(begins, np.flatnonzero(~is_zero))
    lengths = np.where(is_zero, 0, flat)
    lengths[begins] = ends - begins + 1
    order = np.sort(kept)
    repeats = np.where(is_zero[order], 2, 1)
    written = np.repeat(lengths[order], repeats)
    written[np.cumsum(repeats)[is_zero[order]] - 2] = 0
    return base64.b64encode(_groups_of_seven_bits(written)).decode("ascii")


def _groups_of_seven_bits(numbers: NDArray[np.uint64]) -> bytes:
    """Return each number in groups of 7 bits, the least first; all but the last have their highest bit set."""
    groups = np.maximum(1, sum((numbers >> np.uint64(shift) > 0).astype(np.int64) for shift in range(0, 63, 7)))
    owner = np.repeat(np.arange(len(numbers)), groups)
    place = np.arange(len(owner)) - np.repeat(np.cumsum(groups) - groups, groups)
    bits = numbers[owner] >> (place * 7).astype(np.uint64) & np.uint64(127)
    return (bits + np.where(place < groups[owner] - 1, 128, 0).astype(np.uint64)).astype(np.uint8).tobytes()
