"""Parse the names of methods, such as ``aa-sequence-pmi-w3+svd16``."""

import re
from typing import NamedTuple

_WINDOWED = re.compile(r"(.+)-(w|span)([1-9]\d{0,3})")


class MethodName(NamedTuple):
    """Hold the parts of a name: the stem, the marker of the window (``w``, ``span`` or empty), the window, and the refinements.

    >>> MethodName.parse("aa-sequence-pmi-w3+svd16")
    MethodName(stem='aa-sequence-pmi', marker='w', window=3, refinements='+svd16')
    >>> MethodName.parse("one-hot")
    MethodName(stem='one-hot', marker='', window=None, refinements='')
    """

    stem: str
    marker: str
    window: int | None
    refinements: str

    @classmethod
    def parse(cls, name: str) -> "MethodName":
        """Return the parts of a name."""
        base, plus, refinements = name.partition("+")
        match = _WINDOWED.fullmatch(base)
        stem, marker, window = (match[1], match[2], int(match[3])) if match else (base, "", None)
        return cls(stem, marker, window, plus + refinements)

    @property
    def pattern(self) -> str:
        """Return the name by which the method is registered: with ``{n}`` for the window, and without refinements."""
        return self.stem if self.window is None else f"{self.stem}-{self.marker}{{n}}"

    @property
    def without_window(self) -> str:
        """Return the name without its window; it is the same for methods that differ only in the window.

        >>> MethodName.parse("ac-sequence-ppmi-w5+svd8").without_window
        'ac-sequence-ppmi+svd8'
        """
        return self.stem + self.refinements


def by_number(name: str) -> str:
    """Return a key that sorts names by their numbers: w9 before w11.

    >>> sorted(["kin-w11", "kin-w9"], key=by_number)
    ['kin-w9', 'kin-w11']
    """
    return re.sub(r"\d+", lambda number: number[0].zfill(9), name)
