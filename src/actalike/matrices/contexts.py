"""Describe what the columns of a count matrix stand for, and write contexts as text."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

ContextKind = Literal["sequence", "multiset", "position", "activity"]

ShareKind = Literal["between", "among", "beside", "seldom", "like", "constant"]
SHARE_KINDS: dict[ContextKind, ShareKind] = {
    "sequence": "between",
    "multiset": "among",
    "position": "beside",
    "activity": "like",
}

ANY = -2  # a place of a window that may hold any symbol
FOCAL = "●"  # the sign for the activity itself


@dataclass(frozen=True)
class Contexts:
    """Hold the meaning of each column: a context (sequence or multiset), one neighbour at an offset, or a single activity.

    ``codes[j]`` holds the symbols of column ``j`` as positions in ``activities``, -1 for PAD. In a sequence, the first ``left``
    symbols come before the activity. One neighbour at an offset (``position``) is a sequence in which all other symbols are ANY.

    >>> columns = Contexts("sequence", np.array([[-1, 0], [0, 1]]), ["Check", "Pay"], left=1)
    >>> columns.text(0), columns.text(1), columns.column(0)
    ('(start) → ● → Check', 'Check → ● → Pay', ((-1, 0), 1))
    """

    kind: ContextKind
    codes: NDArray[np.int32]
    activities: Sequence[str]
    left: int = 0

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def places(self) -> NDArray[np.int64]:
        """Return for each column the index of its neighbour among the symbols; 0 if a column is not a single neighbour."""
        return np.nonzero(self.codes != ANY)[1] if self.kind == "position" else np.zeros(len(self), dtype=np.int64)

    @property
    def share_kind(self) -> ShareKind:
        """Return the kind of share that a column gives to a similarity."""
        return SHARE_KINDS[self.kind]

    def column(self, column: int) -> tuple[tuple[int, ...], int]:
        """Return the codes of a column (of a ``position``, only its neighbour) and its ``place`` as in :func:`context_text`."""
        codes = self.codes[column].tolist()
        if self.kind != "position":
            return tuple(codes), self.left if self.kind == "sequence" else 0
        (place,) = [place for place, code in enumerate(codes) if code != ANY]
        return (codes[place],), place - self.left + (place >= self.left)

    def text(self, column: int) -> str:
        """Return a column as text."""
        codes, place = self.column(column)
        return context_text(self.share_kind, [None if code < 0 else self.activities[code] for code in codes], place)

    def column_names(self) -> list[str]:
        """Return a distinct name for each column: its text, numbered if labels with arrows or dots make two texts equal."""
        names: dict[str, None] = {}
        numbers: Counter[str] = Counter()  # how far each text has been numbered, so that many equal ones take no quadratic time
        for column in range(len(self)):
            name = text = self.text(column)
            while name in names:
                numbers[text] += 1
                name = f"{text} ({numbers[text] + 1})"
            names[name] = None
        return list(names)


def context_text(kind: ShareKind, symbols: Sequence[str | None], place: int = 0) -> str:
    """Return a context as text, with the signs of the commands and pages: ``●`` is the activity, ``→`` means "followed by".

    ``symbols`` are labels, or None outside the case. For ``between``, ``place`` is the number of symbols before the activity. For
    ``beside``, ``place`` is the offset of the neighbour; two symbols are two neighbours that are alike. For ``seldom`` it is the
    same, with ``↛`` next to the neighbour.

    >>> context_text("between", ["Check", "Pay", None], place=1)
    'Check → ● → Pay → (end)'
    >>> context_text("beside", ["Check", "Re-check"], place=-2), context_text("beside", [None], place=1)
    ('Check ≈ Re-check → · → ●', '● → (end)')
    >>> context_text("among", ["Pay", None, "Pay"]), context_text("like", ["Pay"])
    ('{(outside), Pay ×2}', 'Pay')
    >>> context_text("seldom", ["Check"], place=-2), context_text("constant", [])
    ('Check ↛ · → ●', '(constant: what all activities share)')
    """
    if kind == "constant":
        return "(constant: what all activities share)"
    if kind == "like":
        return str(symbols[0])
    if kind == "among":
        counted = Counter("(outside)" if symbol is None else symbol for symbol in symbols)
        return "{" + ", ".join(label if n == 1 else f"{label} ×{n}" for label, n in sorted(counted.items())) + "}"
    if kind in ("beside", "seldom"):
        outside = "(start)" if place < 0 else "(end)"
        neighbours = " ≈ ".join(outside if symbol is None else symbol for symbol in symbols)
        between = ["·"] * (abs(place) - 1)
        arrow = " → " if kind == "beside" else " ↛ "
        if place < 0:
            return neighbours + arrow + " → ".join([*between, FOCAL])
        return " → ".join([FOCAL, *between]) + arrow + neighbours
    before, after = symbols[:place], symbols[place:]
    start = ["(start)"] if None in before else []
    end = ["(end)"] if None in after else []
    inside = [symbol for symbol in before if symbol is not None], [symbol for symbol in after if symbol is not None]
    return " → ".join([*start, *inside[0], FOCAL, *inside[1], *end])
