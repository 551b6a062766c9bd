"""Draw the random numbers of one case, one after another, so that every case has a sequence of its own."""

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


class CaseDraws:
    """Draw whole numbers from a seed alone: the same sequence as ``random_words`` of that seed.

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
