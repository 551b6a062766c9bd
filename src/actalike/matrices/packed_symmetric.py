"""Hold a symmetric array of numbers in half of its memory, in blocks of rows: only the cells up to each block's diagonal."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

Floats = NDArray[np.float64]

ROWS_AT_A_TIME = 1024  # rows of a block


class PackedSymmetric:
    """Hold a symmetric array. Block k has the rows from k times ``height`` on, and their columns up to the block's last row.

    It can be read as an array can: by a number, a slice, or an array of numbers or of one boolean a row, for the rows, or by a
    pair of them for rows and columns. ``vector @ packed`` returns a product, and ``np.asarray(packed)`` the whole array.

    >>> packed = PackedSymmetric.of(np.array([[1.0, 0.2, 0.3], [0.2, 1.0, 0.4], [0.3, 0.4, 1.0]]), height=2)
    >>> [block.shape for block in packed.blocks], packed[0:1].tolist(), float(packed[2, -2])
    ([(2, 2), (1, 3)], [[1.0, 0.2, 0.3]], 0.4)
    """

    __array_ufunc__ = None  # so that `vector @ packed` asks this class, and not numpy, which would unpack it

    def __init__(self, n: int, height: int = ROWS_AT_A_TIME) -> None:
        self.shape = (n, n)
        self.height = height
        self.blocks: list[Floats] = [np.zeros((stop - start, stop)) for start, stop in self.bounds()]

    @classmethod
    def of(cls, array: Floats, height: int = ROWS_AT_A_TIME) -> "PackedSymmetric":
        """Pack an array that is symmetric."""
        packed = cls(len(array), height)
        for block, (start, stop) in zip(packed.blocks, packed.bounds(), strict=True):
            block[:] = array[start:stop, :stop]
        return packed

    def bounds(self) -> Iterator[tuple[int, int]]:
        """Yield the first row of each block, and the first row after it."""
        for start in range(0, len(self), self.height):
            yield start, min(start + self.height, len(self))

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def nbytes(self) -> int:
        """Return the size in bytes."""
        return sum(block.nbytes for block in self.blocks)

    def diagonal(self) -> Floats:
        """Return the diagonal."""
        parts = [block[:, start:stop].diagonal() for block, (start, stop) in zip(self.blocks, self.bounds(), strict=True)]
        return np.concatenate([np.zeros(0), *parts])

    def columns(self, start: int, stop: int) -> Floats:
        """Return columns as an array that is contiguous in memory: all rows, and these columns of them."""
        panel = np.empty((len(self), stop - start))
        for block, (first, after) in zip(self.blocks, self.bounds(), strict=True):
            inside = slice(max(start - first, 0), max(stop - first, 0))  # of the columns, those that are rows of this block
            here = block[inside, :first]
            panel[:first, max(first - start, 0) : max(first - start, 0) + len(here)] = here.T
            left, right = min(start, after), min(stop, after)
            panel[first:after, : right - left] = block[:, left:right]
        return panel

    def __getitem__(self, key: Any) -> Any:
        parts = key if isinstance(key, tuple) else (key,)
        if len(parts) > 2:
            raise IndexError(f"a packed symmetric array has two dimensions, and {len(parts)} were indexed")
        row, column = (*parts, slice(None), slice(None))[:2]
        rows, columns = self._numbers(row), self._numbers(column)
        if isinstance(column, slice) and column == slice(None):
            return self._rows(rows.ravel()).reshape(*rows.shape, len(self))
        of_ix = rows.ndim == columns.ndim == 2 and rows.shape[1] == columns.shape[0] == 1
        if of_ix or isinstance(row, slice) or isinstance(column, slice):
            cells = self._cells(rows.ravel(), columns.ravel())
            return cells if of_ix else cells.reshape(rows.shape + columns.shape)
        return self._pairs(rows, columns)

    def _numbers(self, part: Any) -> NDArray[np.signedinteger]:
        """Return the numbers from 0 on of the rows, or columns, that one part of an index means."""
        n = len(self)
        if isinstance(part, slice):
            return np.arange(n)[part]
        given = np.asarray(part)
        if given.size == 0 and isinstance(part, list | tuple):
            given = given.astype(np.intp)
        if given.dtype.kind == "b" and given.shape == (n,):
            return np.flatnonzero(given)
        if given.dtype.kind not in "iu":
            raise IndexError(
                "a packed symmetric array is indexed by integers, slices, and arrays of integers or of one boolean a row, "
                f"not by {part!r}"
            )
        if given.size and not -n <= given.min() <= given.max() < n:
            raise IndexError(f"{part!r} is out of bounds for a packed symmetric array of {n} rows")
        numbers = given.astype(np.intp)
        return np.where(numbers < 0, numbers + n, numbers)

    def _pairs(self, rows: NDArray[Any], columns: NDArray[Any]) -> Any:
        """Return one cell for each pair of a row and a column."""
        try:
            low, high = np.broadcast_arrays(np.minimum(rows, columns), np.maximum(rows, columns))
        except ValueError:
            raise IndexError(f"rows of shape {rows.shape} and columns of shape {columns.shape} do not make pairs") from None
        cells = np.empty(low.shape)
        for number in np.unique(high // self.height):
            here = high // self.height == number
            cells[here] = self.blocks[number][high[here] % self.height, low[here]]
        return cells[()]

    def _cells(self, rows: NDArray[Any], columns: NDArray[Any]) -> Floats:
        """Return the cells of some rows and columns."""
        cells = np.empty((len(rows), len(columns)))
        for block, (first, after) in zip(self.blocks, self.bounds(), strict=True):
            inside, left = np.flatnonzero((rows >= first) & (rows < after)), np.flatnonzero(columns < after)
            cells[np.ix_(inside, left)] = block[np.ix_(rows[inside] - first, columns[left])]
            above, here = np.flatnonzero(rows < first), np.flatnonzero((columns >= first) & (columns < after))
            cells[np.ix_(above, here)] = block[np.ix_(columns[here] - first, rows[above])].T
        return cells

    def _rows(self, numbers: NDArray[np.signedinteger]) -> Floats:
        """Return the rows of some numbers."""
        rows = np.empty((len(numbers), len(self)))
        for block, (first, after) in zip(self.blocks, self.bounds(), strict=True):
            inside = (numbers >= first) & (numbers < after)
            rows[inside, :after] = block[numbers[inside] - first]
            above = numbers < first
            rows[above, first:after] = block[:, numbers[above]].T
        return rows

    def __rmatmul__(self, vector: Floats) -> Floats:
        product = np.zeros(len(self))
        for block, (first, after) in zip(self.blocks, self.bounds(), strict=True):
            product[:after] += vector[first:after] @ block
            product[first:after] += block[:, :first] @ vector[:first]
        return product

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        array = np.empty(self.shape)
        for block, (first, after) in zip(self.blocks, self.bounds(), strict=True):
            array[first:after, :after] = block
            array[:first, first:after] = block[:, :first].T
        return array if dtype is None else array.astype(dtype)
