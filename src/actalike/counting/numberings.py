"""Number the texts of a stream while they come: its activities in their order, and its open cases by slots that are used again.

A batch is looked up in one call, and what is new gets its number on the way. Only what is new is looked at more closely: a text
that is known was looked at before. So what is refused is found at once, and taken back.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from operator import itemgetter
from struct import pack
from typing import Any

_AT_ONCE = 1 << 16  # keys that are looked up in one call: limits the memory
_RESERVE = 256  # slots that are made at a time


class Numbering(dict[str, int]):
    """Number texts from 0 in the order in which they are looked up first.

    >>> activities = Numbering()
    >>> numbers_of(activities, ["a", "b", "a"]) == pack("3i", 0, 1, 0)
    True
    >>> activities
    {'a': 0, 'b': 1}
    """

    def __missing__(self, text: str) -> int:
        number = self[text] = len(self)
        return number

    def shrink(self, size: int) -> None:
        """Take back all but the first ``size``."""
        while len(self) > size:
            self.popitem()


class Slots(defaultdict[str | int, int]):
    """Give each open case a slot of its own. A slot is given again only after it was released.

    >>> slots = Slots(["x", "y"])
    >>> slots.reserve(2)  # numbers_of does it by itself
    >>> slots.pop("x"), slots["x"]  # x was closed, and is open once more, as another case
    (0, 2)
    >>> slots.release([0])
    >>> slots["z"], slots
    (0, {'y': 1, 'x': 2, 'z': 0})
    """

    def __init__(self, cases: Iterable[str | int] = ()) -> None:
        self._free: list[int] = []
        # a method of the list itself, not one of ours: it is called for every case, and Python's own calls take less time
        super().__init__(self._free.pop, ((case, slot) for slot, case in enumerate(cases)))
        self._end = len(self)  # all slots are below it

    def reserve(self, n: int) -> None:
        """Have free slots for so many cases. Needed before cases are looked up. The lowest are given first."""
        if len(self._free) < n:
            n = max(n, _RESERVE)
            self._free[:0] = range(self._end + n - 1, self._end - 1, -1)
            self._end += n

    def release(self, slots: Sequence[int]) -> None:
        """Allow slots of closed cases to be given again."""
        self._free.extend(slots)

    def shrink(self, size: int) -> None:
        """Take back all but the first ``size`` cases."""
        while len(self) > size:
            self._free.append(self.popitem()[1])

    def renamed(self, name: Callable[[str | int], str]) -> "Slots":
        """Return the same slots for cases with other names."""
        return _slots([(name(case), slot) for case, slot in self.items()], self._free, self._end)

    def __reduce__(self) -> tuple[Any, ...]:
        return _slots, (list(self.items()), self._free, self._end)

    def __repr__(self) -> str:
        return repr(dict(self))


def _slots(items: list[tuple[str | int, int]], free: list[int], end: int) -> Slots:
    """Return a copy of slots."""
    slots = Slots()
    slots.update(items)
    slots.release(free)
    slots._end = end
    return slots


def numbers_of(numbering: Numbering | Slots, keys: Sequence[str] | Sequence[int]) -> bytes:
    """Return the numbers of keys, 4 bytes each; those that are new get one."""
    if len(keys) <= _AT_ONCE:
        return _numbers_of(numbering, keys)
    return b"".join(_numbers_of(numbering, keys[start : start + _AT_ONCE]) for start in range(0, len(keys), _AT_ONCE))


def _numbers_of(numbering: Any, keys: Sequence[str] | Sequence[int]) -> bytes:
    """Return the numbers of keys, which are not too many.

    One call of ``itemgetter`` and one of ``pack`` take less than half the time of a loop or of ``numpy.fromiter``.
    """
    if isinstance(numbering, Slots):
        numbering.reserve(len(keys))
    if len(keys) > 1:
        return pack(f"{len(keys)}i", *itemgetter(*keys)(numbering))
    return pack("i", numbering[keys[0]]) if keys else b""


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
