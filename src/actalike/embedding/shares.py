"""Shares: what a similarity is made of, as data.

A method that can say why two activities are alike hands an :class:`Explanation` to its embedding. :func:`share_of` turns its
codes into labels; :func:`actalike.matrices.context_text` turns those into text.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from actalike.matrices import ShareKind, context_text


class CodedShare(NamedTuple):
    """A part of a similarity: what kind of context it belongs to, how much it is, and the context's activities as codes.

    - ``between``: both activities stand between these; ``place`` is how many of the codes come before.
    - ``among``: both have these around them, in whatever order.
    - ``beside``: one has the first code beside it and the other the last, which are alike (a single code: both have the same);
      ``place`` is the offset: -1 is directly before, 2 is the second after.
    - ``like``: both are like this activity.

    Codes are positions in the embedding's activities; -1 is the outside of the case.
    """

    kind: ShareKind
    share: float
    codes: tuple[int, ...]
    place: int = 0


class Share(NamedTuple):
    """A part of a similarity with labels in place of codes; None is the outside of the case. See :class:`CodedShare`.

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
    """What says why two activities are alike."""

    def shares(self, i: int, j: int, topn: int | None = None) -> list[CodedShare]:
        """Return the shares of two activities (positions in the embedding): the largest first, all where topn is None.

        All shares of a pair sum to its similarity.
        """
        ...


@runtime_checkable
class StoredExplanation(Explanation, Protocol):
    """An explanation that is saved with its embedding; :func:`actalike.embedding.register_explanation` says who reads it."""

    kind: str

    def stored(self) -> tuple[Mapping[str, Any], Mapping[str, NDArray[Any]]]:
        """Return what is written to a file: plain data for the header, which stands there under ``kind``, and arrays."""
        ...


def share_of(coded: CodedShare, activities: Sequence[str]) -> Share:
    """Return a share with labels."""
    symbols = tuple(None if code < 0 else activities[code] for code in coded.codes)
    return Share(coded.kind, coded.share, symbols, coded.place)


def largest_first(values: NDArray[np.float64], topn: int | None) -> list[int]:
    """Return where the largest shares are, by their size whatever the sign; equal ones in the order they come in."""
    return np.argsort(-np.abs(values).round(15), kind="stable")[:topn].tolist()
