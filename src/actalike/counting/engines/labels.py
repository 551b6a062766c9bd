"""Number the labels of batches of events."""

import numpy as np
import polars as pl
from numpy.typing import NDArray


class LabelCodes:
    """Number labels in the order of their first appearance, across any number of batches."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    def encode(self, texts: pl.Series) -> NDArray[np.int32]:
        """Return the codes of a column without nulls; new labels get the next codes."""
        distinct = texts.unique(maintain_order=True)
        codes = np.array([self.known.setdefault(label, len(self.known)) for label in distinct.to_list()], dtype=np.int32)
        return codes[texts.cast(pl.Enum(distinct)).to_physical().to_numpy()]
