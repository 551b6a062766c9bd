"""Find cases with the same activities, by hashes and then by comparison: exact, and fast."""

import itertools
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from actalike.log.packed_cases import PackedCases, count_words
from actalike.support.row_deduplication import sort_with_places

_MULTIPLIERS = (0x9E6C63D0676A9A99, 0xC2B2AE3D27D4EB4F)  # of the hashes: odd numbers whose bits have no pattern
_BLOCK = 1 << 15  # how many events are processed at a time: as many as fit into a processor cache


def first_equal_cases(codes: NDArray[np.int32], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each case the first case with the same activities.

    Equal cases are found by hashes and then compared event by event, so the result is exact. If hashes collide, the search
    only takes longer.

    >>> first_equal_cases(np.array([0, 1, 0, 0, 1], dtype=np.int32), np.array([0, 2, 3, 5])).tolist()
    [0, 1, 0]
    """
    n_cases = len(offsets) - 1
    for multiplier in _MULTIPLIERS:
        # only the first bits of the hash are used: sorting packs the case's index beside them
        order, first = sort_with_places(_hashes(codes, offsets, multiplier) >> n_cases.bit_length())
        first_equal = np.empty(n_cases, dtype=np.int64)
        first_equal[order] = order[first][np.cumsum(first) - 1]
        if _have_same_activities(codes, offsets, first_equal):
            return first_equal
    known: dict[bytes, int] = {}
    cases = enumerate(itertools.pairwise(offsets.tolist()))
    return np.array([known.setdefault(codes[start:end].tobytes(), case) for case, (start, end) in cases])


def count_equal_cases(
    codes: NDArray[np.int32], offsets: NDArray[np.int64], n_activities: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first of the cases with the same activities, for each variant, and the number of these cases.

    Where most cases are short, those are packed into one word each, which takes less time than to compare their events.

    >>> first, counts = count_equal_cases(np.array([0, 1, 0, 0, 1], dtype=np.int32), np.array([0, 2, 3, 5]), 2)
    >>> first.tolist(), counts.tolist()
    ([0, 1], [2, 1])
    """
    packed = PackedCases.of(codes, offsets, n_activities)
    if packed is None:
        counts = np.bincount(first_equal_cases(codes, offsets), minlength=len(offsets) - 1)
        first = np.flatnonzero(counts)
        return first, counts[first]
    first, counts = count_words(packed.words)
    if packed.is_long[first[-1]]:  # its word is all ones, the last in order
        long = np.flatnonzero(packed.is_long)
        first_long, counts_long = count_equal_cases(*some_cases(codes, offsets, long), n_activities)
        first, counts = np.append(first[:-1], long[first_long]), np.append(counts[:-1], counts_long)
    order = np.argsort(first)
    return first[order], counts[order]


def some_cases(
    codes: NDArray[np.int32], offsets: NDArray[np.int64], cases: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the codes of some cases, one case after the other, and their offsets.

    >>> codes, bounds = some_cases(np.array([0, 1, 2, 3]), np.array([0, 2, 3, 4]), np.array([0, 2]))
    >>> codes.tolist(), bounds.tolist()
    ([0, 1, 3], [0, 2, 3])
    """
    starts = offsets[cases]
    lengths = offsets[cases + 1] - starts
    bounds = np.concatenate([[0], np.cumsum(lengths)])
    return codes[np.repeat(starts - bounds[:-1], lengths) + np.arange(bounds[-1])], bounds


def _hashes(codes: NDArray[np.int32], offsets: NDArray[np.int64], multiplier: int) -> NDArray[np.int64]:
    """Return a hash below 2**62 for each case: the sum of ``code * multiplier**position`` modulo 2**64, its first 62 bits."""
    blocks = list(case_blocks(offsets, _BLOCK))
    longest = max(int(offsets[end] - offsets[first]) for first, end in blocks)
    powers = _powers(multiplier, 1 << longest.bit_length())
    hashes = np.empty(len(offsets) - 1, dtype=np.uint64)
    for first, end in blocks:
        bounds = offsets[first : end + 1] - offsets[first]
        symbols = codes[offsets[first] : offsets[end]]
        running = np.zeros(len(symbols) + 1, dtype=np.uint64)
        np.cumsum(powers[: len(symbols)] * (symbols.astype(np.uint64) + np.uint64(1)), out=running[1:])
        at_bounds = running[bounds]
        # multiplied so that the hash does not depend on where in the block the case starts
        hashes[first:end] = (at_bounds[1:] - at_bounds[:-1]) * powers[longest - bounds[:-1]]
    return (hashes >> np.uint64(2)).astype(np.int64)


def _have_same_activities(codes: NDArray[np.int32], offsets: NDArray[np.int64], others: NDArray[np.int64]) -> bool:
    """Return whether every case ``i`` has the same activities as case ``others[i]``."""
    lengths = np.diff(offsets)
    if not np.array_equal(lengths, lengths[others]):
        return False
    distance = offsets[others] - offsets[:-1]
    for first, end in case_blocks(offsets, _BLOCK):
        start, stop = offsets[first], offsets[end]
        other_event = np.repeat(distance[first:end], lengths[first:end])
        other_event += np.arange(start, stop)
        if not np.array_equal(codes[other_event], codes[start:stop]):
            return False
    return True


@lru_cache(maxsize=4)
def _powers(base: int, n: int) -> NDArray[np.uint64]:
    """Return the first ``n`` powers of a number, modulo 2**64."""
    powers = np.full(n, base, dtype=np.uint64)
    powers[0] = 1
    powers = np.multiply.accumulate(powers)
    powers.flags.writeable = False
    return powers


def case_blocks(offsets: NDArray[np.int64], events: int) -> Iterator[tuple[int, int]]:
    """Split cases into blocks of about ``events`` events; return the first case of each block and the one after its last.

    >>> list(case_blocks(np.array([0, 3, 5, 9, 9]), 4))
    [(0, 2), (2, 3), (3, 4)]
    """
    starts = np.searchsorted(offsets, np.arange(0, offsets[-1], events))
    bounds = np.unique(np.append(starts, len(offsets) - 1)).tolist()
    return itertools.pairwise(bounds)
