"""Explain kin similarities: compute the share of each pair of neighbours, and write and read what that needs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.embedding import CodedShare, stored_csr
from actalike.errors import FileFormatError
from actalike.matrices import PackedSymmetric
from actalike.support.container import StoredFile

Floats = NDArray[np.float64]

_MOST_BYTES = 1 << 28  # of K, if it is unpacked to explain many pairs


@dataclass(frozen=True)
class Surroundings:
    """Hold H_o of one offset as a sparse matrix plus one of rank one: H_o(a, x) = ``seen[a, x] + given[a] * usual[x]``.

    There is a row for each activity and a column for each neighbour, the last for PAD. ``given[a] * usual[x]`` is what the
    pseudo-events with the log's average neighbours contribute. ``seen`` is what the observed neighbours add to that. ``weight``
    is v_o.
    """

    offset: int
    weight: float
    seen: csr_array
    given: Floats
    usual: Floats

    def row(self, activity: int) -> Floats:
        """Return the row of an activity as a dense array."""
        row = self.given[activity] * self.usual
        part = slice(self.seen.indptr[activity], self.seen.indptr[activity + 1])
        row[self.seen.indices[part]] += self.seen.data[part]
        return row


@dataclass(frozen=True)
class KinShares:
    """Compute the shares of the last round's similarities from the surroundings and ``alike``, the K of the round before.

    S(i, j) is the sum of v_o H_o(i, x) K(x, y) H_o(j, y), scaled as G_o is, over all offsets o and pairs of neighbours x, y. A
    share with the codes (x, y) sums both cases: x beside i and y beside j, and y beside i and x beside j. The last row and column
    of K are for PAD. ``squares``, if they are known, are the diagonals of all H_o K H_oᵀ.
    """

    surroundings: tuple[Surroundings, ...]
    alike: Floats | PackedSymmetric
    squares: tuple[Floats, ...] | None = None

    kind = "kin"

    def shares(self, i: int, j: int, topn: int | None = None) -> list[CodedShare]:
        """Return the shares of two activities, the largest first."""
        if not self.surroundings:
            return []
        sides = [self._sides(index, i, j) for index in range(len(self.surroundings))]
        threshold = -np.inf if topn is None else self._threshold(sides, topn)
        cells = [
            cell for around, side in zip(self.surroundings, sides, strict=True) for cell in self._cells(around, *side, threshold)
        ]
        cells.sort(key=lambda cell: (-round(cell[0], 15), abs(cell[1]), *cell[1:]))
        return [CodedShare("beside", share, self._codes(x, y), offset) for share, offset, x, y in cells[:topn]]

    def _codes(self, x: int, y: int) -> tuple[int, ...]:
        """Return the codes of two neighbours with -1 for PAD; a single code if both are the same."""
        pad = len(self.alike) - 1
        codes = [-1 if code == pad else code for code in (x, y)]
        return (codes[0],) if x == y else (codes[0], codes[1])

    def _sides(self, index: int, i: int, j: int) -> tuple[Floats, Floats, float]:
        """Return the rows of two activities at the offset of an index, and the divisor that scales their products to shares."""
        (a, a_square), (b, b_square) = self._look_up(index, i), self._look_up(index, j)
        return a, b, np.sqrt(a_square * b_square)

    def _threshold(self, sides: Sequence[tuple[Floats, Floats, float]], topn: int) -> float:
        """Return a lower bound of the ``topn`` largest shares: the ``topn``-th largest share of a neighbour with itself."""
        by_offset = [
            a * b * self._diagonal * around.weight / scale for around, (a, b, scale) in zip(self.surroundings, sides, strict=True)
        ]
        shares = np.concatenate(by_offset)
        if not 0 < topn <= len(shares):
            return -np.inf
        return float(np.partition(shares, len(shares) - topn)[len(shares) - topn]) - 1e-14  # 1e-14: more than rounding errors

    def _cells(
        self, around: Surroundings, a: Floats, b: Floats, scale: float, threshold: float
    ) -> Iterator[tuple[float, int, int, int]]:
        """Yield the share, the offset and the two neighbours of all shares that are not 0 and at least ``threshold``.

        K is at most 1, so the share of x and any y is at most a(x) max(b) + max(a) b(x), scaled. If that is below the threshold,
        x is skipped.
        """
        candidates = np.flatnonzero((a * b.max() + a.max() * b) * around.weight / scale >= threshold)
        parts = np.outer(a[candidates], b[candidates]) * self._readable[np.ix_(candidates, candidates)] * around.weight / scale
        both = np.triu(parts + parts.T, 1) + np.diag(np.diag(parts))  # (x, y) and (y, x) together
        for x, y in zip(*np.nonzero((both != 0) & (both >= threshold)), strict=True):
            yield float(both[x, y]), around.offset, int(candidates[x]), int(candidates[y])

    @cached_property
    def _diagonal(self) -> Floats:
        return self.alike.diagonal()

    @cached_property
    def _readable(self) -> Floats | PackedSymmetric:
        """Return K in the form that is read fastest: unpacked, unless that is large."""
        return np.asarray(self.alike) if 8 * len(self.alike) ** 2 <= _MOST_BYTES else self.alike

    @cached_property
    def _cache(self) -> dict[tuple[int, int], tuple[Floats, float]]:
        """Return the cache of :meth:`_look_up`: a report explains thousands of pairs."""
        return {}

    def _look_up(self, index: int, activity: int) -> tuple[Floats, float]:
        """Return the row h of an activity at the offset of an index, and h K hᵀ."""
        if (index, activity) not in self._cache:
            row = self.surroundings[index].row(activity)
            square = row @ self.alike @ row if self.squares is None else self.squares[index][activity]
            self._cache[index, activity] = row, float(square)
        return self._cache[index, activity]

    def stored(self) -> tuple[Mapping[str, Any], Mapping[str, NDArray[Any]]]:
        """Return what is written to a file: data for the header, and arrays. docs/file_formats.md describes them in prose."""
        arrays: dict[str, NDArray[Any]] = {"kin_alike": np.asarray(self.alike)}
        for i, part in enumerate(self.surroundings):
            arrays |= {f"kin_given_{i}": part.given, f"kin_usual_{i}": part.usual, f"kin_data_{i}": part.seen.data}
            arrays |= {f"kin_{name}_{i}": getattr(part.seen, name).astype(np.int64) for name in ("indices", "indptr")}
        header = {
            "offsets": [part.offset for part in self.surroundings],
            "weights": [part.weight for part in self.surroundings],
        }
        return header, arrays


def read_kin_shares(file: StoredFile, activities: Sequence[str]) -> KinShares:
    """Return the stored shares, or raise an error if their parts contradict each other."""
    broken = FileFormatError(f"{file.path} is not a sound embedding: its parts contradict each other.")
    described, n = file.header[KinShares.kind], len(activities)
    alike = file.array("kin_alike", np.float64, 2)
    try:
        pairs = [(int(offset), float(weight)) for offset, weight in zip(described["offsets"], described["weights"], strict=True)]
    except (KeyError, TypeError, ValueError, OverflowError):
        raise broken from None
    if (
        alike.shape != (n + 1, n + 1)
        or not (np.abs(alike) <= 1 + 1e-9).all()
        or not all(offset and 0 <= weight <= 1 for offset, weight in pairs)
    ):
        raise broken
    surroundings = []
    for i, (offset, weight) in enumerate(pairs):
        given, usual = (file.array(f"kin_{name}_{i}", np.float64, 1) for name in ("given", "usual"))
        if (len(given), len(usual)) != (n, n + 1) or not (np.isfinite(given).all() and np.isfinite(usual).all()):
            raise broken
        surroundings.append(Surroundings(offset, weight, stored_csr(file, "kin_{}_" + str(i), n, n + 1), given, usual))
    return KinShares(tuple(surroundings), alike)
