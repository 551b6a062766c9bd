"""Number the texts of a stream while they come: its activities in their order, and its open cases by slots that are used again.

A batch is looked up in one call, and what is new gets its number on the way. Only what is new is looked at more closely: a text
that is known was looked at before. So what is refused is found at once, and taken back.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from operator import itemgetter
from struct import pack
from typing import Any

import numpy as np
from numpy.typing import NDArray

from actalike.counting.window_counts import PAD

_AT_ONCE = 1 << 16  # keys that are looked up in one call: limits the memory
_RESERVE = 256  # slots that are made at a time


class Numbering:
    """Number texts from 0 in the order in which they are looked up first.

    ``numbers`` is a defaultdict itself, and not a subclass: in a subclass, Python calls ``__getitem__`` for each key, which takes
    more than twice the time.

    >>> activities = Numbering()
    >>> numbers_of(activities, ["a", "b", "a"]) == pack("3i", 0, 1, 0)
    True
    >>> list(activities), activities.numbers["b"], len(activities)
    (['a', 'b'], 1, 2)
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self.numbers: defaultdict[str, int] = defaultdict(None, ((text, number) for number, text in enumerate(texts)))
        self.numbers.default_factory = self.numbers.__len__

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[str]:
        return iter(self.numbers)

    def __contains__(self, text: object) -> bool:
        return text in self.numbers

    def __reduce__(self) -> tuple[Any, ...]:
        return Numbering, (list(self),)

    def of(self, texts: Iterable[str]) -> NDArray[np.int32]:
        """Return the number of each text, PAD if it has none, and as the last entry PAD for PAD itself; nothing is numbered."""
        return np.array([*(self.numbers.get(text, PAD) for text in texts), PAD], dtype=np.int32)

    def reserve(self, n: int) -> None:
        """Do nothing: there is a number for any text."""

    def shrink(self, size: int) -> None:
        """Take back all but the first ``size``."""
        while len(self.numbers) > size:
            self.numbers.popitem()


class Slots:
    """Give each open case a slot of its own. A slot is given again only after it was released.

    >>> slots = Slots(["x", "y"])
    >>> slots.reserve(2)  # numbers_of does it by itself
    >>> slots.numbers.pop("x"), slots.numbers["x"]  # x was closed, and is open once more, as another case
    (0, 2)
    >>> slots.release([0])
    >>> slots.numbers["z"], list(slots), list(slots.numbers.values())
    (0, ['y', 'x', 'z'], [1, 2, 0])
    """

    def __init__(self, cases: Iterable[str | int] = (), by_number: bool = False) -> None:
        self.by_number = by_number  # whether the names are whole numbers
        self._free: list[int] = []
        # a method of the list itself, not one of ours: it is called for every case, and Python's own calls take less time
        self.numbers: defaultdict[str | int, int] = defaultdict(self._free.pop, ((case, slot) for slot, case in enumerate(cases)))
        self._end = len(self.numbers)  # all slots are below it

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[str | int]:
        return iter(self.numbers)

    def reserve(self, n: int) -> None:
        """Have free slots for so many cases. Needed before cases are looked up. The lowest are given first."""
        if len(self._free) < n:
            start = self._end
            self._end += max(n, _RESERVE)  # first: an interruption here wastes slots, and otherwise it would give them twice
            self._free[:0] = range(self._end - 1, start - 1, -1)

    def release(self, slots: Sequence[int]) -> None:
        """Allow slots of closed cases to be given again."""
        self._free.extend(slots)

    def shrink(self, size: int) -> None:
        """Take back all but the first ``size`` cases."""
        while len(self.numbers) > size:
            self._free.append(self.numbers.popitem()[1])

    def renamed(self, name: Callable[[str | int], str]) -> "Slots":
        """Return the same slots for cases with other names, which are texts."""
        return _slots([(name(case), slot) for case, slot in self.numbers.items()], self._free, self._end, False)

    def __reduce__(self) -> tuple[Any, ...]:
        return _slots, (list(self.numbers.items()), self._free, self._end, self.by_number)


def _slots(items: list[tuple[str | int, int]], free: list[int], end: int, by_number: bool) -> Slots:
    """Return a copy of slots."""
    slots = Slots(by_number=by_number)
    slots.numbers.update(items)
    slots.release(free)
    slots._end = end
    return slots


def numbers_of(numbering: Numbering | Slots, keys: Sequence[str] | Sequence[int]) -> bytes:
    """Return the numbers of keys, 4 bytes each; those that are new get one."""
    if len(keys) <= _AT_ONCE:
        return _numbers_of(numbering, keys)
    return b"".join(_numbers_of(numbering, keys[start : start + _AT_ONCE]) for start in range(0, len(keys), _AT_ONCE))


def _numbers_of(numbering: Numbering | Slots, keys: Sequence[str] | Sequence[int]) -> bytes:
    """Return the numbers of keys, which are not too many.

    One call of ``itemgetter`` and one of ``pack`` take less than half the time of a loop or of ``numpy.fromiter``.
    """
    numbering.reserve(len(keys))
    numbers: Any = numbering.numbers
    if len(keys) > 1:
        return pack(f"{len(keys)}i", *itemgetter(*keys)(numbers))
    return pack("i", numbers[keys[0]]) if keys else b""


def are_texts(numbering: dict[Any, int], size: int) -> bool:
    """Return whether all keys that came after the first ``size`` are texts that a file can hold.

    >>> are_texts({7: 0, "a": 1}, 1), are_texts({7: 0, "a": 1}, 0), are_texts({chr(0xD83D): 0}, 0)  # half of a character
    (True, False, False)
    """
    if len(numbering) == size:
        return True
    new = list(islice(reversed(numbering), len(numbering) - size))
    if not set(map(type, new)) <= {str}:
        return False
    joined = "".join(new)
    return joined.isascii() or not re.search("[\ud800-\udfff]", joined)
