"""Find labels that are one or two slips of the keyboard apart: *Check invoice*, *Chekc invoice*.

A slip is a letter too many, a letter missing, two neighbouring letters swapped, or a letter replaced by one beside it on the
keyboard. Any other replacement counts as two. Case, accents, spaces and punctuation do not count at all. Different numbers are
never a slip, and neither are short codes (*at ER*, *at FD*) or opposites (*valid*, *invalid*).

Pairs are found by three filters, each vectorised over all pairs, and the exact distance of those that are left: bits of the
letters, bits of the pairs of letters, lengths.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from actalike.labels.label_words import LabelWords, read_label
from actalike.labels.opposites import opposite_pairs

MOST_SLIPS = 2
SHORTEST = (5, 10)  # letters of the shorter label, for one slip and for two
LONGEST = 200  # letters and digits of a label; longer ones are not typed by hand
SHORTEST_WORD = 3  # letters of a word with a slip; shorter ones may be codes
SHORTEST_WORD_OF_TWO = 8  # letters of a word with two slips
_KEYBOARDS = ("qwertyuiop asdfghjkl zxcvbnm", "qwertzuiop asdfghjkl yxcvbnm")
_BEYOND = MOST_SLIPS + 1
_BAND = 2 * MOST_SLIPS + 1  # diagonals of the table of distances that so many slips can reach
_ROWS_AT_ONCE = 512
_PAIRS_AT_ONCE = 32_768


@dataclass(frozen=True)
class SlipPairs:
    """Hold pairs of labels that are slips of each other: two positions, the smaller one first, and the number of slips."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    slips: NDArray[np.int64]


def is_slip(first: str, second: str) -> bool:
    """Say whether two labels are one or two slips apart.

    >>> is_slip("Check invoice", "Chekc invoice"), is_slip("01_HOOFD_040", "01_HOOFD_050"), is_slip("valid", "invalid")
    (True, False, False)
    """
    return bool(slip_pairs([first, second]).first.size)


def slip_pairs(labels: Sequence[str]) -> SlipPairs:
    """Return all pairs of labels that are one or two slips apart, in ascending order; labels with equal keys are not slips.

    >>> slip_pairs(["Check invoice", "Pay", "check invoices", "Check  Invoice"])
    SlipPairs(first=array([0, 2]), second=array([2, 3]), slips=array([1, 1]))
    """
    spellings = [read_label(label) for label in labels]
    keys = _Keys(spellings)
    found = [_near(keys, *pairs) for pairs in _candidates(keys)]
    first, second, slips = (np.concatenate([np.zeros(0, dtype=np.int64), *column]) for column in zip(*found, strict=True))
    if first.size:
        opposites = opposite_pairs(labels)
        kept = ~np.isin(first * len(labels) + second, opposites[:, 0] * len(labels) + opposites[:, 1])
        first, second, slips = first[kept], second[kept], slips[kept]
        order = np.lexsort((second, first))
        first, second, slips = first[order], second[order], slips[order]
    return SlipPairs(first, second, slips)


class _Keys:
    """Hold the keys of labels as arrays: letters, the words that they are in and their lengths, and what the filters compare."""

    def __init__(self, spellings: Sequence[LabelWords]) -> None:
        n = len(spellings)
        keys = [spelling.key if len(spelling.key) <= LONGEST else "" for spelling in spellings]  # "" is near to nothing
        width = max(map(len, keys), default=0)
        self.lengths = np.array([len(key) for key in keys], dtype=np.int64)
        self.letter_counts = np.array([sum(map(str.isalpha, key)) for key in keys], dtype=np.int64)
        self.letters = np.zeros((n, width + MOST_SLIPS + 2), dtype=np.int32)
        self.words = np.zeros((n, width + 1), dtype=np.int16)
        self.word_lengths = np.zeros((n, width + 1), dtype=np.int16)
        for row, (key, spelling) in enumerate(zip(keys, spellings, strict=True)):
            if key:
                self.letters[row, : len(key)] = np.frombuffer(key.encode("utf-32-le", "surrogatepass"), dtype="<i4")
                place = 0
                for number, token in enumerate(spelling.tokens):
                    place = key.index(token, place)  # a space may stand before digits
                    self.words[row, place : place + len(token)] = number
                    self.word_lengths[row, place : place + len(token)] = len(token)
                    place += len(token)
        numbers: dict[tuple[str, ...], int] = {}
        self.numbers = np.array([numbers.setdefault(spelling.numbers, len(numbers)) for spelling in spellings], dtype=np.int64)
        texts: dict[str, int] = {}
        self.texts = np.array([texts.setdefault(key, len(texts)) for key in keys], dtype=np.int64)
        inside = np.arange(self.letters.shape[1]) < self.lengths[:, np.newaxis]
        self.letter_bits = _bits(self.letters, inside)
        self.pair_bits = _bits(self.letters[:, :-1] * 31 + self.letters[:, 1:], inside[:, :-1])


def _bits(codes: NDArray[np.int32], inside: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Return 64 bits for each row: which codes occur in it, modulo 64."""
    bits = np.uint64(1) << (codes % 64).astype(np.uint64)
    return np.bitwise_or.reduce(np.where(inside, bits, np.uint64(0)), axis=1)


def _candidates(keys: _Keys) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return the pairs that may be near, in portions: all pairs with equal numbers that the lengths and bits do not exclude.

    A slip changes at most 2 of the distinct letters, and at most 6 of the distinct pairs of neighbouring letters.
    """
    portions = []
    n = len(keys.lengths)
    eligible = keys.letter_counts >= SHORTEST[0]
    for start in range(0, n, _ROWS_AT_ONCE):
        rows, columns = slice(start, min(start + _ROWS_AT_ONCE, n)), slice(start, n)
        near = keys.numbers[rows, np.newaxis] == keys.numbers[columns]
        near &= eligible[rows, np.newaxis] & eligible[columns]
        near &= np.abs(keys.lengths[rows, np.newaxis] - keys.lengths[columns]) <= MOST_SLIPS
        for bits, changed in ((keys.letter_bits, 2), (keys.pair_bits, 6)):
            near &= np.bitwise_count(bits[rows, np.newaxis] ^ bits[columns]) <= MOST_SLIPS * changed
        first, second = np.nonzero(np.triu(near, 1))
        different = keys.texts[first + start] != keys.texts[second + start]
        first, second = first[different] + start, second[different] + start
        order = np.argsort(keys.lengths[first], kind="stable")  # a portion is as wide as its longest key
        for begin in range(0, len(order), _PAIRS_AT_ONCE):
            chosen = order[begin : begin + _PAIRS_AT_ONCE]
            portions.append((first[chosen], second[chosen]))
    return portions or [(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))]


def _near(
    keys: _Keys, first: NDArray[np.int64], second: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the pairs that are one or two slips apart in words that are long enough, with the numbers of slips."""
    slips = _distances(keys, first, second)
    shorter = np.minimum(keys.letter_counts[first], keys.letter_counts[second])
    near = ((slips == 1) & (shorter >= SHORTEST[0])) | ((slips == 2) & (shorter >= SHORTEST[1]))
    first, second, slips = first[near], second[near], slips[near]
    begin, end = _differing_part(keys, first, second)
    swapped = keys.lengths[first] < keys.lengths[second]
    longer, other = np.where(swapped, second, first), np.where(swapped, first, second)
    last = np.where(swapped, end[1], end[0])
    words_begin, words_end = keys.word_lengths[longer, begin], keys.word_lengths[longer, last]
    same_length = keys.lengths[first] == keys.lengths[second]
    for words, place in ((words_begin, begin), (words_end, last)):
        words[same_length] = np.minimum(words, keys.word_lengths[other, np.minimum(place, keys.lengths[other] - 1)])[same_length]
    long_enough = np.minimum(words_begin, words_end) >= SHORTEST_WORD
    one_word = keys.words[longer, begin] == keys.words[longer, last]
    long_enough &= (slips == 1) | ~one_word | (np.minimum(words_begin, words_end) >= SHORTEST_WORD_OF_TWO)
    return first[long_enough], second[long_enough], slips[long_enough]


def _differing_part(
    keys: _Keys, first: NDArray[np.int64], second: NDArray[np.int64]
) -> tuple[NDArray[np.int64], tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return where two keys begin to differ, and the last place in each where they do."""
    a, b = keys.letters[first], keys.letters[second]
    begin = np.argmax(a != b, axis=1)
    width = a.shape[1]
    places = np.arange(width)
    shifts = keys.lengths[first][:, np.newaxis], keys.lengths[second][:, np.newaxis]
    backwards = [np.take_along_axis(x, (length - 1 - places) % width, axis=1) for x, length in zip((a, b), shifts, strict=True)]
    common_end = np.argmax(backwards[0] != backwards[1], axis=1)
    ends = [np.maximum(keys.lengths[rows] - 1 - common_end, begin) for rows in (first, second)]
    bounded = [np.minimum(end, keys.lengths[rows] - 1) for end, rows in zip(ends, (first, second), strict=True)]
    return begin, (bounded[0], bounded[1])


def _distances(keys: _Keys, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of slips between two keys, and 3 for more than two.

    It is the usual recurrence over the letters of both, along the five diagonals that two slips can reach, from the first letter
    that differs. Pairs that are already too far apart are dropped on the way.
    """
    begin = np.argmax(keys.letters[first] != keys.letters[second], axis=1)
    la, lb = keys.lengths[first] - begin, keys.lengths[second] - begin
    width = int(max(la.max(initial=0), lb.max(initial=0))) + MOST_SLIPS
    places = np.minimum(begin + np.arange(width)[:, np.newaxis], keys.letters.shape[1] - 1)
    a, b = keys.letters[first, places], keys.letters[second, places]  # a row for each place
    distances = np.where(la == 0, np.minimum(lb, _BEYOND), _BEYOND)
    alive = np.arange(len(first))
    two_above = np.full((_BAND, len(first)), _BEYOND, dtype=np.int8)
    above = np.repeat(np.array([_BEYOND] * MOST_SLIPS + [*range(_BEYOND)], dtype=np.int8)[:, np.newaxis], len(first), axis=1)
    for i in range(1, width - MOST_SLIPS + 1):
        row = np.full_like(above, _BEYOND)
        for diagonal in range(max(MOST_SLIPS - i, 0), _BAND):
            j = i + diagonal - MOST_SLIPS
            best = row[diagonal]
            if diagonal + 1 < _BAND:
                np.minimum(best, above[diagonal + 1] + np.int8(1), out=best)
            if j > 0:
                if diagonal > 0:
                    np.minimum(best, row[diagonal - 1] + np.int8(1), out=best)
                np.minimum(best, above[diagonal] + _replacing(a[i - 1], b[j - 1]), out=best)
            if i > 1 and j > 1:
                swapped = (a[i - 1] == b[j - 2]) & (a[i - 2] == b[j - 1])
                np.minimum(best, two_above[diagonal] + np.int8(1), out=best, where=swapped)
        at_end = la == i
        diagonals = lb - i + MOST_SLIPS
        reached = at_end & (diagonals >= 0) & (diagonals < _BAND)
        distances[alive[reached]] = row[diagonals[reached], np.flatnonzero(reached)]
        two_above, above = above, row
        kept = ~at_end & ((row.min(axis=0) <= MOST_SLIPS) | (two_above.min(axis=0) < MOST_SLIPS))
        if 4 * np.count_nonzero(kept) < 3 * len(kept):
            alive, la, lb = alive[kept], la[kept], lb[kept]
            a, b, above, two_above = a[:, kept], b[:, kept], above[:, kept], two_above[:, kept]
            if not alive.size:
                break
    return distances


def _replacing(letter: NDArray[np.int32], other: NDArray[np.int32]) -> NDArray[np.int8]:
    """Return what it costs to read one letter for another: 0 if they are equal, 1 beside each other on a keyboard, else 2."""
    plain = np.minimum(letter, 127), np.minimum(other, 127)
    return np.where(letter == other, np.int8(0), _keyboard()[plain])


@cache
def _keyboard() -> NDArray[np.int8]:
    """Return the costs of replacing one ASCII character by another."""
    costs = np.full((128, 128), 2, dtype=np.int8)
    for keyboard in _KEYBOARDS:
        places = {letter: (row, column) for row, letters in enumerate(keyboard.split()) for column, letter in enumerate(letters)}
        for letter, (row, column) in places.items():
            for other, (other_row, other_column) in places.items():
                if abs(row - other_row) <= 1 and abs(column - other_column) <= 1:
                    costs[ord(letter), ord(other)] = 1
    return costs
