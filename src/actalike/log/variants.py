"""The variants of a log: its distinct cases with their numbers, and what can be said from them alone.

Equal cases are found by hashes and then by comparison, so the result is exact. Where most cases are short they are packed into
words of 64 bits, which are sorted: on such logs this takes a third of the time.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from actalike.support.arrays import sort_with_places, sum_groups

Words = NDArray[np.uint64]

_MULTIPLIERS = (0x9E6C63D0676A9A99, 0xC2B2AE3D27D4EB4F)  # of the hashes: odd numbers whose bits have no pattern
_WORD_MULTIPLIER = np.uint64(_MULTIPLIERS[0])
_EVENTS_AT_A_TIME = 1 << 15  # so many fit into a processor cache
_CASES_AT_A_TIME = 1 << 14  # whose words fit into a processor cache
_IN_WORD = 8  # activities of a case, a byte each
_MOST_PACKED = (1 << 8) - 2  # activities: 0 ends a case, and a word of all ones is none


@dataclass(frozen=True, eq=False)
class Variants:
    """Hold the variants of a log (its distinct activity sequences) in the order of their first case.

    ``codes[offsets[i]:offsets[i + 1]]`` are the activities of variant ``i``, as positions in ``activities``, and ``weights[i]``
    cases follow it.

    >>> codes, offsets = np.array([0, 1, 0, 0, 1, 0], dtype=np.int32), np.array([0, 2, 3, 5, 6])
    >>> variants = Variants.of_cases(["a", "b"], codes, offsets)
    >>> variants.codes.tolist(), variants.offsets.tolist(), variants.weights.tolist()
    ([0, 1, 0], [0, 2, 3], [2, 2])
    """

    activities: list[str]
    codes: NDArray[np.int32]
    offsets: NDArray[np.int64]
    weights: NDArray[np.int64]

    @classmethod
    def of_cases(cls, activities: list[str], codes: NDArray[np.int32], offsets: NDArray[np.int64]) -> "Variants":
        """Find the variants of cases, given as positions in ``activities``, case by case."""
        first_cases, weights = count_equal_cases(codes, offsets, len(activities))
        return cls(activities, *some_cases(codes, offsets, first_cases), weights)

    @property
    def n_variants(self) -> int:
        """Return the number of variants."""
        return len(self.weights)

    @cached_property
    def n_cases(self) -> int:
        """Return the number of cases."""
        return int(self.weights.sum())

    @cached_property
    def n_events(self) -> int:
        """Return the number of events of all cases."""
        return int(self.weights @ self.lengths)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Return the number of events in a case of each variant."""
        return np.diff(self.offsets)

    @property
    def variant_of_event(self) -> NDArray[np.int64]:
        """Return for each of ``codes`` the variant that it belongs to."""
        return np.repeat(np.arange(self.n_variants), self.lengths)

    @cached_property
    def activity_counts(self) -> NDArray[np.int64]:
        """Return how many events each activity has in all cases.

        >>> Variants(["a", "b"], np.array([0, 1, 0]), np.array([0, 3]), np.array([5])).activity_counts.tolist()
        [10, 5]
        """
        return sum_groups(self.weights[self.variant_of_event], self.codes, len(self.activities))

    @cached_property
    def activity_cases(self) -> NDArray[np.int64]:
        """Return in how many cases each activity occurs.

        >>> Variants(["a", "b"], np.array([0, 1, 0]), np.array([0, 3]), np.array([5])).activity_cases.tolist()
        [5, 5]
        """
        # numpy's unique takes ten times as long
        pairs = np.sort(self.codes.astype(np.int64) * self.n_variants + self.variant_of_event)
        distinct = pairs[np.append(True, pairs[1:] != pairs[:-1])]
        activity, variant = np.divmod(distinct, self.n_variants)
        return sum_groups(self.weights[variant], activity, len(self.activities))


def count_equal_cases(
    codes: NDArray[np.int32], offsets: NDArray[np.int64], n_activities: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first of the cases with the same activities, for each variant, and the number of these cases.

    >>> first, counts = count_equal_cases(np.array([0, 1, 0, 0, 1], dtype=np.int32), np.array([0, 2, 3, 5]), 2)
    >>> first.tolist(), counts.tolist()
    ([0, 1], [2, 1])
    """
    if n_activities > _MOST_PACKED or len(codes) > _IN_WORD * (len(offsets) - 1):
        counts = np.bincount(first_equal_cases(codes, offsets), minlength=len(offsets) - 1)
        first = np.flatnonzero(counts)
        return first, counts[first]
    words, is_long = _pack_cases(codes, offsets)
    first, counts = _count_words(words)
    if is_long[first[-1]]:  # its word is all ones, the last in order
        long = np.flatnonzero(is_long)
        first_long, counts_long = count_equal_cases(*some_cases(codes, offsets, long), n_activities)
        first, counts = np.append(first[:-1], long[first_long]), np.append(counts[:-1], counts_long)
    order = np.argsort(first)
    return first[order], counts[order]


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


def case_blocks(offsets: NDArray[np.int64], events: int) -> Iterator[tuple[int, int]]:
    """Split cases into blocks of about ``events`` events; return the first case of each block and the one after its last.

    >>> list(case_blocks(np.array([0, 3, 5, 9, 9]), 4))
    [(0, 2), (2, 3), (3, 4)]
    """
    starts = np.searchsorted(offsets, np.arange(0, offsets[-1], events))
    bounds = np.unique(np.append(starts, len(offsets) - 1)).tolist()
    return itertools.pairwise(bounds)


def _hashes(codes: NDArray[np.int32], offsets: NDArray[np.int64], multiplier: int) -> NDArray[np.int64]:
    """Return a hash below 2**62 for each case: the sum of ``code * multiplier**position`` modulo 2**64, its first 62 bits."""
    blocks = list(case_blocks(offsets, _EVENTS_AT_A_TIME))
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
    for first, end in case_blocks(offsets, _EVENTS_AT_A_TIME):
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


def _pack_cases(codes: NDArray[np.int32], offsets: NDArray[np.int64]) -> tuple[Words, NDArray[np.bool_]]:
    """Return a word for each case, and which cases are too long for one: their word is all ones, which no other case has.

    The lowest byte is the first activity, numbered from 1. The bytes after the end of the case are 0.

    >>> words, is_long = _pack_cases(np.array([0, 1, 0], dtype=np.int32), np.array([0, 2, 3]))
    >>> [hex(word) for word in words.tolist()], is_long.tolist()
    (['0x201', '0x1'], [False, False])
    """
    symbols = np.zeros(len(codes) + _IN_WORD, dtype=np.uint8)  # a word starts also after the last event, for an empty case
    symbols[: len(codes)] = codes
    symbols[: len(codes)] += 1
    words_at_events: Words = np.ndarray((len(codes) + 1,), "<u8", symbols, strides=(1,))
    lengths = np.diff(offsets)
    words: Words = np.empty(len(lengths), dtype=np.uint64)
    for first in range(0, len(lengths), _CASES_AT_A_TIME):
        starts = offsets[first : min(first + _CASES_AT_A_TIME, len(lengths))]
        in_block = words_at_events[starts[0] : starts[-1] + 1]  # take copies these, as they overlap
        in_block.take(starts - starts[0], out=words[first : first + _CASES_AT_A_TIME], mode="clip")
    used_bits = [(1 << 8 * n) - 1 for n in range(_IN_WORD + 1)]
    words &= np.array(used_bits, dtype=np.uint64).take(lengths, mode="clip")
    is_long = lengths > _IN_WORD
    words[is_long] = ~np.uint64(0)
    return words, is_long


def _count_words(words: Words) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the place of the first of equal words, for each distinct word, and how often it occurs.

    >>> first, counts = _count_words(np.array([7, 5, 7, 6], dtype=np.uint64))
    >>> first.tolist(), counts.tolist()
    ([1, 3, 0], [1, 1, 2])
    """
    ordered = np.sort(words)
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    return _first_places(words, ordered[starts]), np.diff(np.append(starts, len(words)))


def _first_places(words: Words, distinct: Words) -> NDArray[np.int64]:
    """Return the place where each distinct word occurs first.

    A table holds for each hash the first word with it. The places of the words that share their hash with a different word are
    sorted, which takes longer.
    """
    bits = len(words).bit_length()
    slots = _slots(words[::-1], bits)  # from the last to the first: of several with one hash, the first is assigned last
    first_in_slot = np.empty(1 << bits, dtype=np.int64)
    first_in_slot[slots] = np.arange(len(words) - 1, -1, -1)
    slots_of_distinct = _slots(distinct, bits)
    first = first_in_slot[slots_of_distinct]
    if len(set(slots_of_distinct.tolist())) < len(distinct):
        in_slot = np.bincount(slots_of_distinct, minlength=1 << bits)
        places = np.flatnonzero(in_slot[slots[::-1]] > 1)
        places = places[np.argsort(words[places], kind="stable")]
        is_first = np.append(True, words[places[1:]] != words[places[:-1]])
        first[in_slot[slots_of_distinct] > 1] = places[is_first]  # both are sorted by their words
    return first


def _slots(words: Words, bits: int) -> NDArray[np.int64]:
    """Return the first bits of the hash of each word."""
    return ((words * _WORD_MULTIPLIER) >> np.uint64(64 - bits)).view(np.int64)
