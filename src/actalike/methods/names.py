"""The names of methods, taken apart in one place: ``aa-sequence-pmi-w3+svd16``."""

import re
from typing import NamedTuple

_WINDOWED = re.compile(r"(.+)-(w|span)([1-9]\d{0,3})")


class MethodName(NamedTuple):
    """A name in parts: the stem, what the window is called (``w``, ``span``, or nothing), the window, and the refinements.

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
        """Take a name apart."""
        base, plus, refinements = name.partition("+")
        match = _WINDOWED.fullmatch(base)
        stem, marker, window = (match[1], match[2], int(match[3])) if match else (base, "", None)
        return cls(stem, marker, window, plus + refinements)

    @property
    def pattern(self) -> str:
        """The name under which it is registered: the window as ``{n}``, without refinements."""
        return self.stem if self.window is None else f"{self.stem}-{self.marker}{{n}}"

    @property
    def without_window(self) -> str:
        """The name without its window: what methods that differ only in it have in common.

        >>> MethodName.parse("ac-sequence-ppmi-w5+svd8").without_window
        'ac-sequence-ppmi+svd8'
        """
        return self.stem + self.refinements


def by_number(name: str) -> str:
    """Return what a name is sorted by: w9 before w11.

    >>> sorted(["kin-w11", "kin-w9"], key=by_number)
    ['kin-w9', 'kin-w11']
    """
    return re.sub(r"\d+", lambda number: number[0].zfill(9), name)
