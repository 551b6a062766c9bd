"""Random numbers that depend on their seed alone, on every machine and with every version of any library."""

import hashlib

import numpy as np
from numpy.typing import NDArray

_STEP = 0x9E3779B97F4A7C15  # 2**64 over the golden ratio


def seed_of(*parts: str | int) -> int:
    """Return a 64-bit seed for anything that can be named.

    >>> seed_of("Helpdesk", 3, 2) == seed_of("Helpdesk", 3, 2) != seed_of("Helpdesk", 2, 3)
    True
    """
    named = "\x1f".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.sha256(named).digest()[:8], "little")


def random_words(seed: int, n: int) -> NDArray[np.uint64]:
    """Return ``n`` random 64-bit numbers: the sequence number, mixed (splitmix64).

    >>> random_words(7, 2)[0] == random_words(7, 1)[0]
    np.True_
    """
    words = np.uint64(seed) + np.arange(1, n + 1, dtype=np.uint64) * np.uint64(_STEP)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def random_subset(seed: int, n: int, size: int) -> list[int]:
    """Return ``size`` of the numbers below ``n``, every subset equally likely, in ascending order.

    >>> random_subset(1, 5, 5)
    [0, 1, 2, 3, 4]
    """
    return sorted(np.argsort(random_words(seed, n), kind="stable")[:size].tolist())


_MASK = (1 << 64) - 1


class CaseDraws:
    """Draw integers from a seed alone: the same sequence as ``random_words`` of that seed.

    >>> from actalike.benchmark.seeded_generator import random_words
    >>> draws = CaseDraws(7)
    >>> [draws.word(), draws.word()] == random_words(7, 2).tolist()
    True
    """

    def __init__(self, seed: int) -> None:
        self._state = seed

    def word(self) -> int:
        """Return the next 64-bit number."""
        self._state = (self._state + _STEP) & _MASK
        word = self._state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
        return word ^ (word >> 31)

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1, all equally likely."""
        return (self.word() * n) >> 64

    def between(self, low: int, high: int) -> int:
        """Return a number from low to high, both included."""
        return low + self.below(high - low + 1)

    def sample(self, n: int, size: int) -> list[int]:
        """Return some of the numbers from 0 to n - 1 without replacement, in the order in which they are drawn.

        >>> sorted(CaseDraws(1).sample(3, 3))
        [0, 1, 2]
        """
        taken: list[int] = []
        for i in range(size):
            number = self.below(n - i)
            for other in sorted(taken):
                number += number >= other
            taken.append(number)
        return taken
