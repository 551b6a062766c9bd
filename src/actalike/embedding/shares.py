"""Describe the parts of a similarity (shares) as data.

A method that can explain why two activities are alike gives its embedding an :class:`Explanation`. :func:`share_of` turns its
codes into labels; :func:`actalike.matrices.context_text` turns the labels into text.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from actalike.matrices import ShareKind, context_text


class CodedShare(NamedTuple):
    """Hold a part of a similarity: the kind of context it comes from, its size, and the context's activities as codes.

    - ``between``: these activities come before and after both; ``place`` is the number of codes that come before.
    - ``among``: these activities are around both, in any order.
    - ``beside``: the first code is a neighbour of one activity and the last code of the other, and the two neighbours are alike
      (a single code is a neighbour of both). ``place`` is the offset: -1 is directly before, 2 is the second after.
    - ``seldom``: the same, but both have the neighbours *less* than usual, which makes them alike too.
    - ``like``: both are similar to this activity.
    - ``constant``: no context, but what all activities of the log share; the other shares are then more, or less, than usual.

    Codes are positions in the embedding's activities; -1 is outside the case.
    """

    kind: ShareKind
    share: float
    codes: tuple[int, ...]
    place: int = 0


class Share(NamedTuple):
    """Hold a part of a similarity with labels instead of codes; None is outside the case. See :class:`CodedShare`.

    >>> Share("between", 1.0, ("x", None), place=1).context
    'x → ● → (end)'
    """

    kind: ShareKind
    share: float
    symbols: tuple[str | None, ...]
    place: int = 0

    @property
    def context(self) -> str:
        """Return the context as text."""
        return context_text(self.kind, self.symbols, self.place)


@runtime_checkable
class Explanation(Protocol):
    """Explain why two activities are alike."""

    def shares(self, i: int, j: int, topn: int | None = None) -> list[CodedShare]:
        """Return the shares of two activities (positions in the embedding), the largest first; all if ``topn`` is None.

        A constant, where there is one, comes before all others. All shares of a pair sum to its similarity.
        """
        ...


@runtime_checkable
class StoredExplanation(Explanation, Protocol):
    """Explain in a form that is saved with the embedding; :func:`actalike.embedding.register_explanation` sets its reader."""

    kind: str

    def stored(self) -> tuple[Mapping[str, Any], Mapping[str, NDArray[Any]]]:
        """Return what is written to a file: plain data, which the header holds under the key ``kind``, and arrays."""
        ...


def share_of(coded: CodedShare, activities: Sequence[str]) -> Share:
    """Return a share with labels."""
    symbols = tuple(None if code < 0 else activities[code] for code in coded.codes)
    return Share(coded.kind, coded.share, symbols, coded.place)


def largest_first(values: NDArray[np.float64], topn: int | None) -> list[int]:
    """Return the indices of the largest absolute values, the largest first; equal values keep their order."""
    return np.argsort(-np.abs(values).round(15), kind="stable")[:topn].tolist()
