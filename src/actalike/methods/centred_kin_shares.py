"""Explain centred kin similarities by signed shares and one constant, and write and read what that needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from actalike.embedding import CodedShare
from actalike.methods.kin_shares import TOLERANCE, Floats, KinShares, read_alike, read_surroundings, stored_surroundings
from actalike.support.container import StoredFile

_LEAST = 1e-9  # of stored squares: K of centred kin has a constant part, so that none comes near 0
_LARGEST = 6.0  # of stored lengths: differences are at most 1 on the diagonal, and the constant is at most 21 times as large


@dataclass(frozen=True)
class CentredKinShares(KinShares):
    """Compute the shares of the last round's similarities from the surroundings and ``alike``, the K of the round before.

    Removing the means of S is removing the mean surroundings of all activities: with E_o = H_o scaled by the diagonal of
    H_o K H_oᵀ (``squares``), and M_o the mean of its rows, around(S)(i, j) is the sum of
    v_o (E_o(i, x) - M_o(x)) K(x, y) (E_o(j, y) - M_o(y)). So a share is positive if both have x (and what is like it) more than
    usual, or both less, and negative if one has it more and the other less. Shares are divided by the ``lengths`` of both
    activities, and so is the ``constant``, which is the first share of every pair.
    """

    squares: tuple[Floats, ...]
    lengths: Floats
    constant: float

    kind = "kin2"

    def shares(self, i: int, j: int, topn: int | None = None) -> list[CodedShare]:
        """Return the shares of two activities: first the constant, then the largest, up or down."""
        constant = CodedShare("constant", self.constant / float(self.lengths[i] * self.lengths[j]), ())
        return [constant, *super().shares(i, j, None if topn is None else max(topn - 1, 0))][:topn]

    def _sides(self, index: int, i: int, j: int) -> tuple[Floats, Floats, float]:
        """Return what two activities have more or less than usual at an offset, and the divisor of their products."""
        (a, a_square), (b, b_square) = self._look_up(index, i), self._look_up(index, j)
        usual = self._mean_rows[index]
        return a / np.sqrt(a_square) - usual, b / np.sqrt(b_square) - usual, float(self.lengths[i] * self.lengths[j])

    @cached_property
    def _mean_rows(self) -> list[Floats]:
        """Return M_o of each offset."""
        scales = [1 / np.sqrt(square) / len(square) for square in self.squares]
        return [
            scale @ part.seen + (scale @ part.given) * part.usual for part, scale in zip(self.surroundings, scales, strict=True)
        ]

    def stored(self) -> tuple[Mapping[str, Any], Mapping[str, NDArray[Any]]]:
        """Return what is written to a file: data for the header, and arrays. docs/file_formats.md describes them in prose."""
        header, arrays = stored_surroundings(self.kind, self.surroundings)
        arrays |= {"kin2_alike": np.asarray(self.alike), "kin2_lengths": self.lengths}
        arrays |= {f"kin2_squares_{i}": squares for i, squares in enumerate(self.squares)}
        return {**header, "constant": self.constant}, arrays


def read_centred_kin_shares(file: StoredFile, activities: Sequence[str]) -> CentredKinShares:
    """Return the stored shares, or raise an error if their parts contradict each other."""
    kind, n = CentredKinShares.kind, len(activities)
    surroundings = read_surroundings(file, kind, n, further=("squares_{}", "lengths"))
    alike = read_alike(file, kind, n, least=-1)
    constant = float(file.header[kind]["constant"])
    squares = [file.numbers(f"{kind}_squares_{i}", 1, _LEAST, n + 1 + TOLERANCE) for i in range(len(surroundings))]
    lengths = file.numbers(f"{kind}_lengths", 1, np.sqrt(constant) - TOLERANCE, _LARGEST)
    if any(len(array) != n for array in (*squares, lengths)):
        raise file.unsound(f"the numbers of its explanation do not fit {n:,} activities")
    return CentredKinShares(surroundings, alike, tuple(squares), lengths, constant)
