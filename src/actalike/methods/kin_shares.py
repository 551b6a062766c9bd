"""Explain kin similarities: compute the share of each pair of neighbours, and store what that needs in a file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.embedding import CodedShare, stored_csr
from actalike.errors import FileFormatError
from actalike.support.container import StoredFile

Floats = NDArray[np.float64]

_CANDIDATES = 32  # neighbours that are examined first if only the largest shares are wanted


@dataclass(frozen=True)
class Surroundings:
    """Hold H_o as a sparse matrix plus a matrix of rank one. Rows are activities, columns are neighbours, the last one is PAD.

    H_o(a, x) = ``seen[a, x] + given[a] * usual[x]``. The product is the part that comes from the shrinkage towards the log's
    average; ``seen`` holds the rest, which is not 0 only for neighbours that a has.
    """

    offset: int
    weight: float
    seen: csr_array
    given: Floats
    usual: Floats

    def row(self, activity: int) -> Floats:
        """Return the row of an activity in H_o as a dense array."""
        row = self.given[activity] * self.usual
        part = slice(self.seen.indptr[activity], self.seen.indptr[activity + 1])
        row[self.seen.indices[part]] += self.seen.data[part]
        return row


@dataclass(frozen=True)
class KinShares:
    """Hold what the similarities of the last round are computed from: the surroundings, and the K of the round before.

    S(i, j) is a sum over offsets o and pairs of neighbours x, y: v_o H_o(i, x) K(x, y) H_o(j, y), scaled as G_o is. A share
    with the codes (x, y) stands for x beside one of the two activities and y beside the other, either way round. ``alike`` is K,
    with PAD in the last row and column.
    """

    surroundings: tuple[Surroundings, ...]
    alike: Floats

    kind = "kin"

    def shares(self, i: int, j: int, topn: int | None = None) -> list[CodedShare]:
        """Return the shares of two activities, the largest first."""
        cells = [cell for place in range(len(self.surroundings)) for cell in self._cells(place, i, j, topn)]
        cells.sort(key=lambda cell: (-round(cell[0], 15), abs(cell[1]), *cell[1:]))
        return [CodedShare("beside", share, self._codes(x, y), offset) for share, offset, x, y in cells[:topn]]

    def _codes(self, x: int, y: int) -> tuple[int, ...]:
        pad = len(self.alike) - 1
        codes = [-1 if code == pad else code for code in (x, y)]
        return (codes[0],) if x == y else (codes[0], codes[1])

    def _cells(self, place: int, i: int, j: int, topn: int | None) -> Iterator[tuple[float, int, int, int]]:
        """Yield share, offset and the two neighbours; where ``topn`` is given, at least the largest ``topn``.

        As K is at most 1, the share of x with any y is at most a(x) max(b) + max(a) b(x). So only the neighbours with the largest
        bounds are examined, and twice as many each time until the others cannot have a larger share.
        """
        around = self.surroundings[place]
        a, b = self._row(place, i), self._row(place, j)
        scale = np.sqrt(self._square(place, i) * self._square(place, j))
        if topn is None:
            size, order, bound = len(a), np.arange(len(a)), a
        else:
            bound = (a * b.max() + a.max() * b) * around.weight / scale
            order = np.argsort(-bound, kind="stable")
            size = _CANDIDATES
        while True:
            examined = np.sort(order[:size])
            one_way = np.outer(a[examined], b[examined]) * self.alike[np.ix_(examined, examined)] * around.weight / scale
            shares = np.triu(one_way + one_way.T, 1) + np.diag(np.diag(one_way))
            smallest = 0.0
            if topn is not None and topn < shares.size:
                position = shares.size - topn - 1
                smallest = max(float(np.partition(shares, position, axis=None)[position]) - 1e-14, 0.0)
            if size >= len(a) or bound[order[size]] < smallest:
                break
            size *= 2
        for x, y in zip(*np.nonzero(shares if topn is None else (shares > 0) & (shares >= smallest)), strict=True):
            yield float(shares[x, y]), around.offset, int(examined[x]), int(examined[y])

    @cached_property
    def _cache(self) -> dict[tuple[int, int], tuple[Floats, float]]:
        """Return the rows and the values of ``H K Hᵀ`` computed so far, by offset and activity. A page needs thousands."""
        return {}

    def _row(self, place: int, activity: int) -> Floats:
        return self._look_up(place, activity)[0]

    def _square(self, place: int, activity: int) -> float:
        return self._look_up(place, activity)[1]

    def _look_up(self, place: int, activity: int) -> tuple[Floats, float]:
        if (place, activity) not in self._cache:
            row = self.surroundings[place].row(activity)
            self._cache[place, activity] = row, float(row @ self.alike @ row)
        return self._cache[place, activity]

    def stored(self) -> tuple[Mapping[str, Any], Mapping[str, NDArray[Any]]]:
        """Return the header and the arrays for a file, as docs/file_formats.md describes them."""
        arrays: dict[str, NDArray[Any]] = {"kin_alike": self.alike}
        for i, part in enumerate(self.surroundings):
            arrays |= {f"kin_given_{i}": part.given, f"kin_usual_{i}": part.usual, f"kin_data_{i}": part.seen.data}
            arrays |= {f"kin_{name}_{i}": getattr(part.seen, name).astype(np.int64) for name in ("indices", "indptr")}
        header = {
            "offsets": [part.offset for part in self.surroundings],
            "weights": [part.weight for part in self.surroundings],
        }
        return header, arrays


def read_kin_shares(file: StoredFile, activities: Sequence[str]) -> KinShares:
    """Read the shares from a file, and check that its parts agree."""
    broken = FileFormatError(f"{file.path} is not a sound embedding: its parts contradict each other.")
    header, n = file.header[KinShares.kind], len(activities)
    alike = file.array("kin_alike", np.float64, 2)
    try:
        pairs = [(int(offset), float(weight)) for offset, weight in zip(header["offsets"], header["weights"], strict=True)]
    except (KeyError, TypeError, ValueError):
        raise broken from None
    if alike.shape != (n + 1, n + 1) or not np.isfinite(alike).all() or not all(offset for offset, _ in pairs):
        raise broken
    surroundings = []
    for i, (offset, weight) in enumerate(pairs):
        given, usual = (file.array(f"kin_{name}_{i}", np.float64, 1) for name in ("given", "usual"))
        if (len(given), len(usual)) != (n, n + 1) or not (np.isfinite(given).all() and np.isfinite(usual).all()):
            raise broken
        surroundings.append(Surroundings(offset, weight, stored_csr(file, "kin_{}_" + str(i), n, n + 1), given, usual))
    return KinShares(tuple(surroundings), alike)
