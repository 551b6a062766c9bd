"""Why two activities are kin: each pair of neighbours' share of their similarity, and how that is stored in a file."""

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


@dataclass(frozen=True)
class Surroundings:
    """H_o, as a sparse matrix plus one of rank one: a row for each activity, a column for each neighbour, the last for PAD.

    What was seen around an activity stands in ``seen``; what it is given of the usual is ``given[a] * usual[x]``.
    """

    offset: int
    weight: float
    seen: csr_array
    given: Floats
    usual: Floats

    def row(self, activity: int) -> Floats:
        """Return H_o of an activity, written out."""
        row = self.given[activity] * self.usual
        part = slice(self.seen.indptr[activity], self.seen.indptr[activity + 1])
        row[self.seen.indices[part]] += self.seen.data[part]
        return row


@dataclass(frozen=True)
class KinShares:
    """What the similarities of the last round are made of: the surroundings, and the K of the round before, PAD last.

    S(i, j) is a sum over offsets o and pairs of neighbours x, y: v_o H_o(i, x) K(x, y) H_o(j, y), scaled as G_o is. A share
    with the codes (x, y) stands for x beside one of the two activities and y beside the other, either way round.
    """

    surroundings: tuple[Surroundings, ...]
    alike: Floats

    kind = "kin"

    def shares(self, i: int, j: int, topn: int | None = None) -> list[CodedShare]:
        """Return the shares of two activities, the largest first."""
        sides = [self._sides(place, i, j) for place in range(len(self.surroundings))]
        least = -np.inf if topn is None else self._least(sides, topn)
        cells = [
            cell for around, side in zip(self.surroundings, sides, strict=True) for cell in self._cells(around, *side, least)
        ]
        cells.sort(key=lambda cell: (-round(cell[0], 15), abs(cell[1]), *cell[1:]))
        return [CodedShare("beside", share, self._codes(x, y), offset) for share, offset, x, y in cells[:topn]]

    def _codes(self, x: int, y: int) -> tuple[int, ...]:
        pad = len(self.alike) - 1
        codes = [-1 if code == pad else code for code in (x, y)]
        return (codes[0],) if x == y else (codes[0], codes[1])

    def _sides(self, place: int, i: int, j: int) -> tuple[Floats, Floats, float]:
        """Return the rows of two activities at an offset, and what scales the products of these rows to shares."""
        (a, a_square), (b, b_square) = self._look_up(place, i), self._look_up(place, j)
        return a, b, np.sqrt(a_square * b_square)

    def _least(self, sides: Sequence[tuple[Floats, Floats, float]], topn: int) -> float:
        """Return what the ``topn`` largest shares reach at least: the ``topn``-th largest of those of x with itself."""
        own = [
            a * b * self.alike.diagonal() * o.weight / scale for o, (a, b, scale) in zip(self.surroundings, sides, strict=True)
        ]
        shares = np.concatenate(own)
        if not 0 < topn <= len(shares):
            return -np.inf
        return float(np.partition(shares, len(shares) - topn)[len(shares) - topn]) - 1e-14  # less than rounding can move

    def _cells(
        self, around: Surroundings, a: Floats, b: Floats, scale: float, least: float
    ) -> Iterator[tuple[float, int, int, int]]:
        """Yield share, offset and the two neighbours of all shares that are not 0 and not less than ``least``.

        The share of x and any y is at most a(x) max(b) + max(a) b(x), as K is at most 1: where that is less, x is not looked at.
        """
        looked_at = np.flatnonzero((a * b.max() + a.max() * b) * around.weight / scale >= least)
        parts = np.outer(a[looked_at], b[looked_at]) * self.alike[np.ix_(looked_at, looked_at)] * around.weight / scale
        both = np.triu(parts + parts.T, 1) + np.diag(np.diag(parts))
        for x, y in zip(*np.nonzero((both != 0) & (both >= least)), strict=True):
            yield float(both[x, y]), around.offset, int(looked_at[x]), int(looked_at[y])

    @cached_property
    def _known(self) -> dict[tuple[int, int], tuple[Floats, float]]:
        """What was computed of an offset and an activity: its row, and ``H K Hᵀ``. A page asks for thousands of pairs."""
        return {}

    def _look_up(self, place: int, activity: int) -> tuple[Floats, float]:
        if (place, activity) not in self._known:
            row = self.surroundings[place].row(activity)
            self._known[place, activity] = row, float(row @ self.alike @ row)
        return self._known[place, activity]

    def stored(self) -> tuple[Mapping[str, Any], Mapping[str, NDArray[Any]]]:
        """Return what a file holds of it; docs/file_formats.md says it in prose."""
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
    """Check what a file holds and take it over."""
    broken = FileFormatError(f"{file.path} is not a sound embedding: its parts contradict each other.")
    described, n = file.header[KinShares.kind], len(activities)
    alike = file.array("kin_alike", np.float64, 2)
    try:
        pairs = [(int(offset), float(weight)) for offset, weight in zip(described["offsets"], described["weights"], strict=True)]
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
