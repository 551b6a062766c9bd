"""Count the distinct windows in a line of symbols, exactly: each window is packed into one whole number, or into a few."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from actalike.counting.window_counts import PAD, contexts_first
from actalike.support.row_deduplication import count_rows

Columns = NDArray[np.int32]  # windows side by side: row i has symbol i of each
Table = tuple[Columns, NDArray[np.int64]]  # distinct windows and their counts

_BITS = 62  # of a key that stands for a whole window
_BITS_OF_PART = 24  # of a key for a part of a window: two of them and the index of a row fit into one number


def count_line(line: NDArray[np.int32], starts: NDArray[np.int64], window: int, n_activities: int) -> Table:
    """Return the distinct windows that start at some places of a line, and how often each does.

    The line has the activity a as a + 1, and PAD as 0.

    >>> columns, counts = count_line(np.array([0, 1, 2, 0, 0, 1, 2, 1, 0]), np.array([0, 1, 4, 5, 6]), window=3, n_activities=2)
    >>> columns.T.tolist(), counts.tolist()
    ([[-1, 0, 1], [0, 1, -1], [0, 1, 0], [1, 0, -1]], [2, 1, 1, 1])
    """
    if not len(starts):
        return np.empty((window, 0), dtype=np.int32), np.empty(0, dtype=np.int64)
    bits = max(n_activities.bit_length(), 1)
    if window * bits <= _BITS:
        keys = _run_keys(line, window, bits)[starts]
        keys.sort()
        first = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
        shifts = bits * np.arange(window - 1, -1, -1)[:, None]
        columns = (keys[first] >> shifts & (1 << bits) - 1) + PAD
        return columns.astype(np.int32), np.diff(first, append=len(keys))
    length = max(_BITS_OF_PART // bits, 1)
    parts = _run_keys(line, length, bits)
    places = [*range(0, window - length, length), window - length]  # the last two may overlap
    rows, counts = count_rows([parts[starts + place] + PAD for place in places], (1 << length * bits) + 1, np.ones_like(starts))
    return (line[starts[rows] + np.arange(window)[:, None]] + PAD).astype(np.int32), counts


def add_tables(tables: Sequence[Table], n_activities: int) -> Table:
    """Add tables: return the distinct windows, in the order of WindowCounts, whose counts do not sum to 0.

    >>> one, other = np.array([[0, 1], [1, -1]]), np.array([[1], [-1]])  # windows of 2, side by side
    >>> columns, counts = add_tables([(one, np.array([3, 1])), (other, np.array([4]))], n_activities=2)
    >>> columns.T.tolist(), counts.tolist()
    ([[1, -1], [0, 1]], [5, 3])
    """
    columns = np.concatenate([windows for windows, _ in tables], axis=1)
    counts = np.concatenate([counts for _, counts in tables])
    if not len(counts):
        return columns, counts
    samples, sums = count_rows(contexts_first(list(columns)), n_activities + 1, counts)
    return columns[:, samples[sums != 0]], sums[sums != 0]


def _run_keys(line: NDArray[np.int32], length: int, bits: int) -> NDArray[np.int32] | NDArray[np.int64]:
    """Return for each place the ``length`` symbols from there on, packed: those of half the length, side by side.

    Numbers of 32 bits are used as long as they are enough: they take half the time.
    """
    if length == 1:
        return line
    half = length // 2
    halves, kind = _run_keys(line, half, bits), np.int32 if length * bits < 32 else np.int64
    keys = np.left_shift(halves[: len(line) - length + 1], (length - half) * bits, dtype=kind)
    if length % 2:
        keys |= np.left_shift(halves[half : len(line) - half], bits, dtype=kind)
        keys |= line[length - 1 :]
    else:
        keys |= halves[half:]
    return keys
