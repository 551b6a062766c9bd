"""Contexts: what the columns of a count matrix stand for, and how they read."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

ContextKind = Literal["sequence", "multiset", "position", "activity"]

ANY = -2  # a place of a window that may hold any symbol
FOCAL = "●"  # where the activity itself stands


@dataclass(frozen=True)
class Contexts:
    """The meaning of each column: a context (sequence or multiset), one neighbour at its place, or a single activity.

    ``codes[j]`` holds the symbols of column ``j`` as positions in ``activities``, -1 for PAD; in a sequence, the first
    ``left`` of them stand before the activity. A neighbour at its place (``position``) is a sequence in which all other places
    are ANY.

    >>> columns = Contexts("sequence", np.array([[-1, 0], [0, 1]]), ["Check", "Pay"], left=1)
    >>> columns.text(0), columns.text(1), columns.symbols(0)
    ('(start) → ● → Check', 'Check → ● → Pay', (None, 'Check'))
    """

    kind: ContextKind
    codes: NDArray[np.int32]
    activities: Sequence[str]
    left: int = 0

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def places(self) -> NDArray[np.int64]:
        """For each column the place in the window whose neighbours it is one of; 0 for all, where a column is no neighbour."""
        return np.nonzero(self.codes != ANY)[1] if self.kind == "position" else np.zeros(len(self), dtype=np.int64)

    def symbols(self, column: int) -> tuple[str | None, ...]:
        """The labels of a column, None for PAD; of a position, only the one that counts."""
        codes = [code for code in self.codes[column].tolist() if code != ANY]
        return tuple(None if code < 0 else self.activities[code] for code in codes)

    def text(self, column: int) -> str:
        """A column in words."""
        symbols = self.symbols(column)
        if self.kind == "activity":
            return str(symbols[0])
        if self.kind == "multiset":
            return _multiset_text(symbols)
        if self.kind == "position":
            return self._position_text(column)
        before, after = symbols[: self.left], symbols[self.left :]
        start = ["(start)"] if None in before else []
        end = ["(end)"] if None in after else []
        inside = [symbol for symbol in before if symbol is not None], [symbol for symbol in after if symbol is not None]
        return " → ".join([*start, *inside[0], FOCAL, *inside[1], *end])

    def _position_text(self, column: int) -> str:
        """The neighbour, the activity, and a dot for each place between them."""
        place = int(np.flatnonzero(self.codes[column] != ANY)[0])
        (label,) = self.symbols(column)
        if place < self.left:
            return " → ".join(["(start)" if label is None else label, *["·"] * (self.left - 1 - place), FOCAL])
        return " → ".join([FOCAL, *["·"] * (place - self.left), "(end)" if label is None else label])

    def column_names(self) -> list[str]:
        """A distinct name for each column: its text, numbered where labels look like our own signs."""
        names: dict[str, None] = {}
        for column in range(len(self)):
            text = self.text(column)
            number, name = 1, text
            while name in names:
                number += 1
                name = f"{text} ({number})"
            names[name] = None
        return list(names)


def _multiset_text(symbols: tuple[str | None, ...]) -> str:
    counted = Counter("(outside)" if symbol is None else symbol for symbol in symbols)
    return "{" + ", ".join(label if n == 1 else f"{label} ×{n}" for label, n in sorted(counted.items())) + "}"
