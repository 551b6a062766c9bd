"""Compute kin similarities of many activities block by block: the same numbers as in one piece, in a fraction of the memory.

In one piece, a round holds several arrays of all pairs of activities. Here, only the similarities of the round before and those
of this round are held, each as a :class:`actalike.matrices.PackedSymmetric`, in half of such an array. The rows of a block need
the scale of the columns up to their own diagonal only, so one pass over the blocks, from the first to the last, suffices.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack

from actalike.matrices import PackedSymmetric
from actalike.methods.kin_shares import Floats, KinShares, Surroundings
from actalike.support.threads import one_thread

_PANEL = 256  # columns of K that are unpacked at a time
_SLAB = 32  # columns of an array in one sparse product: so few that most of the array stays in the processor's cache
_OFTEN = 16  # a neighbour of more than a sixteenth of the activities is multiplied as a dense column, which is faster

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def bytes_of_kin_in_blocks(n: int, offsets: int, height: int) -> int:
    """Return about how many bytes :func:`kin_in_blocks` needs for n activities."""
    height = min(height, n)
    halves = 2 * 8 * (n + 1) * (n + height) // 2
    return halves + 8 * n * height * (2 * offsets + 3)


def kin_in_blocks(surroundings: tuple[Surroundings, ...], rounds: int, height: int) -> tuple[PackedSymmetric, KinShares]:
    """Return the similarities after ``rounds`` rounds, and their explanation. See :mod:`actalike.methods.kin_similarity`."""
    n = surroundings[0].seen.shape[0]
    alike = PackedSymmetric(n + 1, height)
    for block, (start, _) in zip(alike.blocks, alike.bounds(), strict=True):
        np.fill_diagonal(block[:, start:], 1.0)
    similarities = _first_round(surroundings, height)
    squares = tuple(np.ones(n) for _ in surroundings)
    for _ in range(rounds - 1):
        _copy(similarities, alike)
        similarities, squares = _next_round(surroundings, alike, similarities)
    return similarities, KinShares(surroundings, alike, squares)


def _copy(similarities: PackedSymmetric, alike: PackedSymmetric) -> None:
    """Copy the similarities to K, which has one row more: PAD is similar to itself only."""
    for source, target in zip(similarities.blocks, alike.blocks, strict=False):
        target[: len(source), : source.shape[1]] = source


def _first_round(surroundings: Sequence[Surroundings], height: int) -> PackedSymmetric:
    """Return Σ_o v_o H_o H_oᵀ. With H = D + g uᵀ, each term is D Dᵀ + b gᵀ + g bᵀ, where b = D u + (uᵀ u) g / 2."""
    beside = csr_array(hstack([part.seen * np.sqrt(part.weight) for part in surroundings]))
    n = beside.shape[0]
    is_often = np.bincount(beside.indices, minlength=beside.shape[1]) > n / _OFTEN
    often, seldom = beside[:, np.flatnonzero(is_often)].toarray(), csr_array(beside[:, np.flatnonzero(~is_often)])
    given = np.array([part.given * np.sqrt(part.weight) for part in surroundings])
    b = np.array([_b(part.seen, part.usual, part.usual, part.given) * np.sqrt(part.weight) for part in surroundings])
    similarities = PackedSymmetric(n, height)

    def fill(number: int) -> None:
        start, stop = bounds[number]
        block = similarities.blocks[number]
        block[:] = (seldom[start:stop] @ seldom[:stop].T).toarray()
        block += often[start:stop] @ often[:stop].T
        _add_rank_one(block, b, given, start)
        _finish(block, start)

    bounds = list(similarities.bounds())
    with one_thread():
        _in_threads(fill, range(len(bounds))[::-1])
    return similarities


def _next_round(
    surroundings: Sequence[Surroundings], alike: PackedSymmetric, similarities: PackedSymmetric
) -> tuple[PackedSymmetric, tuple[Floats, ...]]:
    """Write Σ_o v_o G_o over the similarities of the round before. Return it, and the diagonal of each H_o K H_oᵀ."""
    n = len(similarities)
    given = np.array([part.given for part in surroundings])
    uk = np.array([part.usual @ alike for part in surroundings])
    b = np.array([_b(part.seen, row, part.usual, part.given) for part, row in zip(surroundings, uk, strict=True)])
    squares, scale = np.zeros((len(surroundings), n)), np.zeros((len(surroundings), n))
    for (start, stop), block in zip(similarities.bounds(), similarities.blocks, strict=True):
        slabs = _products([part.seen[start:stop] for part in surroundings], alike)
        scaled = []
        for o, part in enumerate(surroundings):
            row, rows = _row_numbers(part.seen[start:stop]), part.seen[start:stop]
            cells = slabs[row // _SLAB, o, rows.indices, row % _SLAB]
            sums = np.bincount(row, weights=rows.data * cells, minlength=stop - start)
            squares[o, start:stop] = sums + 2 * b[o, start:stop] * given[o, start:stop]
            scale[o, start:stop] = np.sqrt(part.weight / squares[o, start:stop])
            rows = part.seen[:stop]
            data = rows.data * scale[o, _row_numbers(rows)]
            scaled.append(csr_array((data, rows.indices, rows.indptr), shape=rows.shape))
        _in_threads(partial(_fill_slab, block, slabs, scaled, scale[:, start:stop]), range(len(slabs)))
        _add_rank_one(block, b * scale, given * scale, start)
        _finish(block, start)
    return similarities, tuple(squares)


def _products(rows: Sequence[csr_array], alike: PackedSymmetric) -> Floats:
    """Return (D_o K)ᵀ of some rows of each D_o, as an array of slabs x offsets x symbols x rows of a slab."""
    n_rows, n_symbols = rows[0].shape
    n_slabs = -(-n_rows // _SLAB)
    full = [np.pad(part.indptr, (0, n_slabs * _SLAB - n_rows), mode="edge") for part in rows]  # the last slab, filled up
    shape = n_slabs * _SLAB, n_symbols
    below = [csr_array((part.data, part.indices, bounds), shape=shape) for part, bounds in zip(rows, full, strict=True)]
    slabs = np.empty((n_slabs, len(rows), n_symbols, _SLAB))

    def fill(first: int) -> None:
        panel = alike.columns(first, min(first + _PANEL, n_symbols))
        for left in range(0, panel.shape[1], _SLAB):
            part = np.ascontiguousarray(panel[:, left : left + _SLAB])
            columns = slice(first + left, first + left + part.shape[1])
            for o, matrix in enumerate(below):
                slabs[:, o, columns] = (matrix @ part).reshape(n_slabs, _SLAB, -1).transpose(0, 2, 1)

    _in_threads(fill, range(0, n_symbols, _PANEL))
    return slabs


def _fill_slab(block: Floats, slabs: Floats, scaled: Sequence[csr_array], scale: Floats, number: int) -> None:
    """Write the rows of a slab to the block: Σ_o v_o D_o K D_oᵀ, scaled."""
    rows = slice(number * _SLAB, min((number + 1) * _SLAB, len(block)))
    total = np.zeros((block.shape[1], rows.stop - rows.start))
    for o, matrix in enumerate(scaled):
        total += (matrix @ slabs[number, o])[:, : rows.stop - rows.start] * scale[o, rows]
    block[rows] = total.T


def _row_numbers(matrix: csr_array) -> NDArray[np.int64]:
    """Return the row of each cell."""
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))


def _b(seen: csr_array, uk: Floats, usual: Floats, given: Floats) -> Floats:
    """Return b = D K u + (uᵀ K u) g / 2, with uᵀ K given."""
    product: Floats = seen @ uk
    return product + (uk @ usual) / 2 * given


def _add_rank_one(block: Floats, b: Floats, given: Floats, start: int) -> None:
    """Add b gᵀ + g bᵀ of all offsets to the rows of a block from ``start`` on."""
    stop = block.shape[1]
    block += b[:, start:stop].T @ given[:, :stop]
    block += given[:, start:stop].T @ b[:, :stop]


def _finish(block: Floats, start: int) -> None:
    """Make the square at the end of a block symmetric, with a diagonal of exactly 1."""
    square = block[:, start:]
    square[:] = (square + square.T) / 2
    np.fill_diagonal(square, 1.0)


def _in_threads(work: Callable[[_Item], _Result], items: Iterable[_Item]) -> list[_Result]:
    """Do the same with each item, in as many threads as there are processors: sparse products leave Python to other threads."""
    with ThreadPoolExecutor(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()) as threads:
        return list(threads.map(work, items))
