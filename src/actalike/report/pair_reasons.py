"""Why two activities are alike, as plain data from which a page makes sentences.

A reason is a share of the similarity and what it belongs to:

- ``("beside", share, offset, x, y)``: x beside one of the two, y beside the other, so many places before (-) or after;
- ``("between", share, before, after)``: both stand between these;
- ``("among", share, symbols)``: both have these around them, in whatever order;
- ``("like", share, x)``: both are like x.

Activities are numbers, -1 is the outside of the case.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from actalike.embedding import Embedding, Share
from actalike.kin import KinReasons

Reason = tuple[Any, ...]

_CANDIDATES = 32  # neighbours looked at for each activity and place: those that matter most, which with few activities are all


class Reasons(Protocol):
    """What explains pairs: the largest shares of the similarity of two activities."""

    def of(self, i: int, j: int, topn: int) -> list[Reason]:
        """The reasons of a pair, the largest share first."""
        ...


def pair_reasons(embedding: Embedding, number: dict[str, int]) -> Reasons | None:
    """What explains an embedding's pairs, or None where nothing does; ``number`` is each label's number in the reasons.

    >>> import actalike
    >>> log = actalike.EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"]])
    >>> embedding = actalike.embed(log, "ac-sequence-raw-w3")
    >>> pair_reasons(embedding, {label: i for i, label in enumerate(log.activities)}).of(0, 1, 1)
    [('between', 1.0, [2], [3])]
    """
    if embedding.reasons is not None:
        return _KinPairs(embedding.reasons, [number[label] for label in embedding.activities])
    if embedding.contexts is not None:
        return _ContextPairs(embedding, number)
    return None


class _KinPairs:
    """The shares of kin: those of :meth:`KinReasons.shares`, found without looking at all pairs of neighbours."""

    def __init__(self, reasons: KinReasons, numbers: Sequence[int]) -> None:
        self.alike = reasons.alike
        self.numbers = [*numbers, -1]
        self.offsets = [around.offset for around in reasons.surroundings]
        self.rows: list[NDArray[np.float64]] = []
        self.candidates: list[NDArray[np.int64]] = []
        for around in reasons.surroundings:
            rows = np.stack([around.row(i) for i in range(len(reasons.activities))])
            norms = np.sqrt(np.einsum("ix,ix->i", rows @ self.alike, rows))
            self.candidates.append(np.argsort(-rows, axis=1, kind="stable")[:, :_CANDIDATES])
            self.rows.append(rows * (np.sqrt(around.weight) / norms)[:, np.newaxis])

    def of(self, i: int, j: int, topn: int) -> list[Reason]:
        found: list[tuple[float, int, int, int]] = []
        for offset, rows, candidates in zip(self.offsets, self.rows, self.candidates, strict=True):
            looked_at = np.union1d(candidates[i], candidates[j])
            parts = np.outer(rows[i, looked_at], rows[j, looked_at]) * self.alike[np.ix_(looked_at, looked_at)]
            both = np.triu(parts + parts.T, 1) + np.diag(np.diag(parts))
            for cell in np.argpartition(-both, min(topn, both.size - 1), axis=None)[:topn].tolist():
                x, y = divmod(cell, len(looked_at))
                if both[x, y]:
                    found.append((float(both[x, y]), offset, int(looked_at[x]), int(looked_at[y])))
        found.sort(key=lambda part: (-round(part[0], 12), abs(part[1]), part[1], part[2], part[3]))
        return [("beside", share, offset, self.numbers[x], self.numbers[y]) for share, offset, x, y in found[:topn]]


class _ContextPairs:
    """The shares of methods whose dimensions are contexts, neighbours or activities."""

    def __init__(self, embedding: Embedding, number: dict[str, int]) -> None:
        assert embedding.contexts is not None
        self.embedding, self.number = embedding, number
        self.kind, self.left = embedding.contexts.kind, embedding.contexts.left
        self.label = {i: label for label, i in number.items()}
        places = enumerate(embedding.contexts.places.tolist() if self.kind == "position" else [])
        self.offset = {embedding.contexts.text(column): place - self.left + (place >= self.left) for column, place in places}

    def of(self, i: int, j: int, topn: int) -> list[Reason]:
        return [self._reason(share) for share in self.embedding.explain(self.label[i], self.label[j], topn)]

    def _reason(self, share: Share) -> Reason:
        symbols = [-1 if label is None else self.number[label] for label in share.symbols]
        if self.kind == "sequence":
            return "between", share.share, symbols[: self.left], symbols[self.left :]
        if self.kind == "multiset":
            return "among", share.share, symbols
        if self.kind == "activity":
            return "like", share.share, symbols[0]
        return "beside", share.share, self.offset[share.context], symbols[0], symbols[0]
