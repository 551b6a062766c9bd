"""Count keys exactly, and look counts up: sorted keys beside their counts."""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


class CountTable:
    """Hold distinct keys in rising order with a count for each; a key that is not there has the count 0.

    >>> table, numbers = CountTable.of(np.array([5, 3, 5]), np.array([1, 10, 1]))
    >>> table.keys.tolist(), table.counts.tolist(), numbers.tolist()
    ([3, 5], [10, 2], [1, 0, 1])
    >>> table.of_keys(np.array([5, 4])).tolist(), table.numbers(np.array([5, 4])).tolist()
    ([2, 0], [1, -1])
    """

    def __init__(self, keys: Ints, counts: Ints) -> None:
        self.keys, self.counts = keys, counts

    @classmethod
    def of(cls, keys: Ints, weights: Ints) -> tuple["CountTable", Ints]:
        """Count keys by their weights; return the table, and the number of each key in it."""
        distinct, numbers = np.unique(keys, return_inverse=True)
        return cls(distinct, np.bincount(numbers, weights=weights, minlength=len(distinct)).astype(np.int64)), numbers

    def numbers(self, keys: Ints) -> Ints:
        """Return the number of each key in the table, -1 where it has none."""
        if not len(self.keys):
            return np.full(len(keys), -1)
        found = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        found[self.keys[found] != keys] = -1
        return found

    def of_keys(self, keys: Ints) -> Ints:
        """Return the count of each key, 0 where it has none."""
        numbers = self.numbers(keys)
        return np.where(numbers >= 0, self.counts[numbers], 0) if len(self.counts) else np.zeros(len(keys), dtype=np.int64)
