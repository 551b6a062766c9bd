"""Explain kin similarities: compute the share of each pair of neighbours, and write and read what that needs."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.embedding import CodedShare, stored_csr
from actalike.matrices import PackedSymmetric, ShareKind
from actalike.support.container import StoredFile, are_within
from actalike.support.json_schema import schema, violation

Floats = NDArray[np.float64]

TOLERANCE = 1e-6  # of stored shares and similarities: far more than rounding errors, and too little to show
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
    squares: tuple[Floats, ...] | None

    kind = "kin"

    def shares(self, i: int, j: int, topn: int | None = None) -> list[CodedShare]:
        """Return the shares of two activities, the largest first (up or down, where there are negative ones)."""
        if not self.surroundings:
            return []
        sides = [self._sides(index, i, j) for index in range(len(self.surroundings))]
        threshold = -np.inf if topn is None else self._threshold(sides, topn)
        cells = [
            cell for around, side in zip(self.surroundings, sides, strict=True) for cell in self._cells(around, *side, threshold)
        ]
        cells.sort(key=lambda cell: (-round(abs(cell[0]), 15), abs(cell[1]), *cell[1:]))
        return [CodedShare(kind, share, self._codes(x, y), offset) for share, offset, x, y, kind in cells[:topn]]

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
        shares = np.abs(np.concatenate(by_offset))
        if not 0 < topn <= len(shares):
            return -np.inf
        return float(np.partition(shares, len(shares) - topn)[len(shares) - topn]) - 1e-14  # 1e-14: more than rounding errors

    def _cells(
        self, around: Surroundings, a: Floats, b: Floats, scale: float, threshold: float
    ) -> Iterator[tuple[float, int, int, int, ShareKind]]:
        """Yield the share, the offset, both neighbours and the kind of all shares that are not 0 and at least ``threshold``.

        The absolute value counts. Where a and b are differences from the usual, both may be negative: then the kind is seldom.

        K is at most 1, so the share of x and any y is at most |a(x)| max|b| + max|a| |b(x)|, scaled. If that is below the
        threshold, x is skipped.
        """
        at_a, at_b = np.abs(a), np.abs(b)
        candidates = np.flatnonzero((at_a * at_b.max() + at_a.max() * at_b) * around.weight / scale >= threshold)
        parts = np.outer(a[candidates], b[candidates]) * self._readable[np.ix_(candidates, candidates)] * around.weight / scale
        both = np.triu(parts + parts.T, 1) + np.diag(np.diag(parts))  # (x, y) and (y, x) together
        is_seldom = np.outer(a[candidates] < 0, b[candidates] < 0)
        is_seldom = np.where(np.abs(parts) >= np.abs(parts.T), is_seldom, is_seldom.T)  # by the larger of the two
        for x, y in zip(*np.nonzero((both != 0) & (np.abs(both) >= threshold)), strict=True):
            kind: ShareKind = "seldom" if is_seldom[x, y] else "beside"
            yield float(both[x, y]), around.offset, int(candidates[x]), int(candidates[y]), kind

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
            square = self._square(index, activity) if self.squares is None else self.squares[index][activity]
            self._cache[index, activity] = row, float(square)
        return self._cache[index, activity]

    def _square(self, index: int, activity: int) -> float:
        """Return h K hᵀ of the row h = d + g u, in its parts: d has few cells, and u K is the same for all activities."""
        around = self.surroundings[index]
        uk, uku = self._usual_alike[index]
        part = slice(around.seen.indptr[activity], around.seen.indptr[activity + 1])
        neighbours, seen, given = around.seen.indices[part], around.seen.data[part], around.given[activity]
        both_seen = seen @ self._readable[np.ix_(neighbours, neighbours)] @ seen
        return float(both_seen + 2 * given * (seen @ uk[neighbours]) + given**2 * uku)

    @cached_property
    def _usual_alike(self) -> list[tuple[Floats, float]]:
        """Return u K and u K uᵀ of each offset."""
        products = [around.usual @ self.alike for around in self.surroundings]
        return [(uk, float(uk @ around.usual)) for uk, around in zip(products, self.surroundings, strict=True)]

    def stored(self) -> tuple[Mapping[str, Any], Mapping[str, NDArray[Any]]]:
        """Return what is written to a file: data for the header, and arrays. docs/file_formats.md describes them in prose."""
        header, arrays = stored_surroundings(self.kind, self.surroundings)
        return header, arrays | {"kin_alike": np.asarray(self.alike)}


def stored_surroundings(kind: str, surroundings: Sequence[Surroundings]) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return what is written of surroundings: data for the header, and arrays whose names begin with the explanation's kind."""
    arrays: dict[str, NDArray[Any]] = {}
    for i, part in enumerate(surroundings):
        arrays |= {f"{kind}_given_{i}": part.given, f"{kind}_usual_{i}": part.usual, f"{kind}_data_{i}": part.seen.data}
        arrays |= {f"{kind}_{name}_{i}": getattr(part.seen, name).astype(np.int64) for name in ("indices", "indptr")}
    return {"offsets": [part.offset for part in surroundings], "weights": [part.weight for part in surroundings]}, arrays


def read_kin_shares(file: StoredFile, activities: Sequence[str]) -> KinShares:
    """Return the stored shares, or raise an error if their parts contradict each other."""
    kind, n = KinShares.kind, len(activities)
    surroundings = read_surroundings(file, kind, n)
    return KinShares(surroundings, read_alike(file, kind, n, least=0), None)


def read_surroundings(file: StoredFile, kind: str, n: int, further: Collection[str] = ()) -> tuple[Surroundings, ...]:
    """Return stored surroundings of n activities, or raise an error if they, or the header of the explanation, are not sound.

    ``further`` are the names of arrays that the explanation has beside those of kin, with ``{}`` for the number of an offset.
    """
    described = file.header[kind]
    problem = violation(described, schema(kind), "its explanation")
    if problem:
        raise file.unsound(problem)
    offsets, weights = described["offsets"], described["weights"]
    left = len(offsets) // 2
    if offsets != [offset for offset in range(-left, len(offsets) - left + 1) if offset] or len(weights) != len(offsets):
        raise file.unsound("the offsets of its explanation are not those of a window")
    if offsets and abs(sum(weights) - 1) > TOLERANCE:
        raise file.unsound("the weights of its explanation do not sum to 1")
    names = ("given_{}", "usual_{}", "data_{}", "indices_{}", "indptr_{}", "alike", *further)
    known = {f"{kind}_{name.format(i)}" for name in names for i in range(max(1, len(offsets)))}
    for name in file.arrays:
        if name.startswith(f"{kind}_") and name not in known:
            raise file.unsound(f"its explanation has a part {name[:40]!r}, which is not known")
    surroundings = []
    for i, (offset, weight) in enumerate(zip(offsets, weights, strict=True)):
        given, usual = (file.numbers(f"{kind}_{name}_{i}", 1, 0, 1 + TOLERANCE) for name in ("given", "usual"))
        if (len(given), len(usual)) != (n, n + 1):
            raise file.unsound(f"the surroundings at offset {offset} do not fit {n:,} activities")
        around = Surroundings(offset, weight, stored_csr(file, kind + "_{}_" + str(i), n, n + 1), given, usual)
        if not _are_shares(around):
            raise file.unsound(f"the surroundings at offset {offset} are not roots of shares")
        surroundings.append(around)
    return tuple(surroundings)


def read_alike(file: StoredFile, kind: str, n: int, least: float) -> Floats:
    """Return the stored K of n activities and PAD, from ``least`` to 1, or raise an error if it is not sound."""
    alike = file.numbers(f"{kind}_alike", 2, least - TOLERANCE, 1 + TOLERANCE)
    if alike.shape != (n + 1, n + 1) or not np.allclose(np.diag(alike), 1) or not np.allclose(alike, alike.T):
        raise file.unsound(f"'{kind}_alike' is not a symmetric array with 1 for itself")
    return alike


def _are_shares(around: Surroundings) -> bool:
    """Return whether H is 0 or more and the squares of each row sum to 1: then h K hᵀ is 1 or more, and divides the shares."""
    seen, given, usual = around.seen, around.given, around.usual
    row = np.repeat(np.arange(len(given)), np.diff(seen.indptr))
    pseudo = given[row] * usual[seen.indices]
    if not are_within(seen.data + pseudo, -TOLERANCE, 1 + TOLERANCE):
        return False
    squares = given**2 * (usual**2).sum()
    squares += np.bincount(row, weights=seen.data * (seen.data + 2 * pseudo), minlength=len(given))
    return are_within(squares, 1 - TOLERANCE, 1 + TOLERANCE)
