"""Count short cases that are equal. All events of such a case fit into one word of 64 bits, so words are sorted, not events."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]

_MULTIPLIER = np.uint64(0x9E6C63D0676A9A99)  # of the hash: an odd number whose bits have no pattern
_BLOCK = 1 << 14  # so many cases are packed at a time: their words fit into a processor cache


class PackedCases(NamedTuple):
    """Hold a word for each case, and which cases are too long for one.

    The lowest byte of a word is the first activity, numbered from 1; with many activities it is the lowest pair of bytes. The
    bytes after the end of the case are 0. The word of a case that is too long is all ones, which no short case has.

    >>> packed = PackedCases.of(np.array([0, 1, 0], dtype=np.int32), np.array([0, 2, 3]), n_activities=2)
    >>> [hex(word) for word in packed.words.tolist()], packed.is_long.tolist()
    (['0x201', '0x1'], [False, False])
    """

    words: Words
    is_long: NDArray[np.bool_]

    @classmethod
    def of(cls, codes: NDArray[np.int32], offsets: NDArray[np.int64], n_activities: int) -> "PackedCases | None":
        """Pack the cases of a log, given by codes from 0 to ``n_activities - 1``; return None if most are too long for a word."""
        symbol = np.dtype("<u1" if n_activities < (1 << 8) - 1 else "<u2")
        in_word = 8 // symbol.itemsize
        if n_activities >= (1 << 16) - 1 or len(codes) > in_word * (len(offsets) - 1):
            return None
        symbols = np.zeros(len(codes) + in_word, dtype=symbol)  # a word starts also after the last event, for an empty case
        symbols[: len(codes)] = codes
        symbols[: len(codes)] += 1
        words_at_events: Words = np.ndarray((len(codes) + 1,), "<u8", symbols, strides=(symbol.itemsize,))
        lengths = np.diff(offsets)
        words: Words = np.empty(len(lengths), dtype=np.uint64)
        for first in range(0, len(lengths), _BLOCK):
            starts = offsets[first : min(first + _BLOCK, len(lengths))]
            in_block = words_at_events[starts[0] : starts[-1] + 1]  # take copies these, as they overlap
            in_block.take(starts - starts[0], out=words[first : first + _BLOCK], mode="clip")
        used_bits = [(1 << 8 * symbol.itemsize * n) - 1 for n in range(in_word + 1)]
        words &= np.array(used_bits, dtype=np.uint64).take(lengths, mode="clip")
        is_long = lengths > in_word
        words[is_long] = ~np.uint64(0)
        return cls(words, is_long)


def count_words(words: Words) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the place of the first of equal words, for each distinct word, and how often it occurs.

    >>> first, counts = count_words(np.array([7, 5, 7, 6], dtype=np.uint64))
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
    return ((words * _MULTIPLIER) >> np.uint64(64 - bits)).view(np.int64)
