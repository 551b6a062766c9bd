"""Number the texts of columns block by block: labels, case ids, and values of attributes."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.errors import shortened
from actalike.log import Attribute
from actalike.support.memory_estimates import require_memory

_BYTES_A_VALUE = 400  # of memory for a distinct value beside its characters (measured), with what sorting them takes


class Codes:
    """Number texts in the order of their first appearance, across any number of blocks."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    def encode(self, texts: pl.Series) -> NDArray[np.int32]:
        """Return the codes of a column without nulls; new texts get the next codes."""
        distinct = texts.unique(maintain_order=True)
        labels = distinct.to_list()
        codes = np.array([self.known.setdefault(label, len(self.known)) for label in labels], dtype=np.int32)
        return codes[texts.cast(pl.Enum(distinct)).to_physical().to_numpy()]


class AttributeCodes(Codes):
    """Collect the values of an attribute, block by block."""

    def __init__(self, source: str, name: str) -> None:
        super().__init__()
        self.source, self.name = source, name
        self._characters = 0
        self._blocks: list[NDArray[np.int32]] = []

    def add(self, texts: pl.Series) -> None:
        """Add the values of a block of events; null is a missing one."""
        known = len(self.known)
        codes = np.full(len(texts), -1, dtype=np.int32)
        present = texts.drop_nulls()
        codes[texts.is_not_null().to_numpy()] = self.encode(present)
        self._blocks.append(codes)
        if len(self.known) > known:
            self._characters += int(present.str.len_bytes().sum())
            require_values(self.source, self.name, len(self.known), self._characters)

    def attribute(self) -> Attribute:
        """Return the attribute of all events so far, its values in the order of their first appearance."""
        return Attribute(list(self.known), np.concatenate(self._blocks))


def require_values(source: str, name: str, values: int, characters: int) -> None:
    """Raise an error if an attribute has more distinct values than fit into memory."""
    require_memory(
        values * _BYTES_A_VALUE + characters,
        f"{source}: the attribute {shortened(name)!r} has {values:,} distinct values already, which",
        "give another attribute or none; nothing was read",
    )
