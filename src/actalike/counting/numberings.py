"""Number the texts of a stream while they come: its activities in their order, and its open cases by slots that are used again.

A batch is looked up in one call, and what is new gets its number on the way. Only what is new is looked at more closely: a text
that is known was looked at before. So what is refused is found at once, and taken back.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from operator import itemgetter
from struct import pack

_AT_ONCE = 1 << 16  # texts that are looked up in one call: limits the memory


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

    def accepts_since(self, size: int) -> bool:
        """Return whether all that came after the first ``size`` are texts that a file can hold."""
        new = list(islice(reversed(self), len(self) - size))
        if not set(map(type, new)) <= {str}:
            return False
        joined = "".join(new)
        return joined.isascii() or not re.search("[\ud800-\udfff]", joined)

    def shrink(self, size: int) -> None:
        """Take back all but the first ``size``."""
        while len(self) > size:
            self.popitem()


class Slots(Numbering):
    """Give each open case a slot of its own. A slot is given again only after it was released.

    >>> slots = Slots()
    >>> slots["x"], slots["y"], slots.pop("x"), slots["x"]  # x was closed, and is open once more, as another case
    (0, 1, 0, 2)
    >>> slots.release([0])
    >>> slots["z"], slots.size
    (0, 3)
    """

    def __init__(self, cases: Iterable[str] = ()) -> None:
        super().__init__((case, slot) for slot, case in enumerate(cases))
        self.size = len(self)  # all slots are below it
        self._free: list[int] = []

    def __missing__(self, case: str) -> int:
        if self._free:
            slot = self._free.pop()
        else:
            slot = self.size
            self.size += 1
        self[case] = slot
        return slot

    def release(self, slots: Iterable[int]) -> None:
        """Allow slots of closed cases to be given again."""
        self._free.extend(slots)

    def shrink(self, size: int) -> None:
        """Take back all but the first ``size``."""
        while len(self) > size:
            self._free.append(self.popitem()[1])


class SlotsOfNumbers(dict[int, int]):
    """Remember the slots of open cases that were given as whole numbers, so that their texts are not made again and again.

    It may forget any of them: what is not there is looked up by its text.

    >>> slots = Slots()
    >>> numbers = SlotsOfNumbers(slots)
    >>> slots["7"], numbers[8], numbers[7], slots
    (0, 1, 0, {'7': 0, '8': 1})
    """

    def __init__(self, slots: Slots) -> None:
        super().__init__()
        self._slots = slots

    def __missing__(self, number: int) -> int:
        slot = self[number] = self._slots[str(number)]
        return slot

    def forget(self, case: str) -> None:
        """Forget a case that was closed, if it is a number."""
        try:
            self.pop(int(case), None)
        except ValueError:
            pass


def numbers_of(numbering: dict[str, int] | dict[int, int], keys: Sequence[str] | Sequence[int]) -> bytes:
    """Return the numbers of keys, 4 bytes each.

    One call of ``itemgetter`` and one of ``pack`` take less than half the time of a loop or of ``numpy.fromiter``.
    """
    if len(keys) == 1:
        return pack("i", numbering[keys[0]])  # type: ignore[index]
    return b"".join(
        pack(f"{len(some)}i", *(itemgetter(*some)(numbering) if len(some) > 1 else [numbering[some[0]]]))  # type: ignore[index]
        for some in (keys[start : start + _AT_ONCE] for start in range(0, len(keys), _AT_ONCE))
    )
