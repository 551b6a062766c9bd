"""Compare the texts of labels: how alike two labels are written, from 0 to 1, without looking at the events, and what differs.

Labels are compared by the three-letter pieces of their words (and whole numbers), weighted by how few labels of the log have
them, so that a word that all labels share says little. On top of that come rules for what people do to labels:

- 1: spelled alike but for case, accents, spaces and punctuation;
- ``1 - slips / (2 * letters)``, which is at least 0.9: slips of the keyboard;
- 0.95: the same words, inflected;
- 0.9: an id or a date was appended (:mod:`actalike.labels.patterns`);
- 0.85: the same words in another order, which may be another step: *Send invoice to customer*, *Send customer to invoice*;
- at most 0.85, the cosine of the pieces times 0.85: anything else;
- at most 0.5: different numbers, or different single letters (*A_ACCEPTED*, *O_ACCEPTED*);
- at most 0.2: opposites (:mod:`actalike.labels.words`).

A slip is a letter too many, a letter missing, two neighbouring letters swapped, or a letter replaced by one beside it on the
keyboard. Any other replacement counts as two. Case, accents, spaces and punctuation do not count at all. Different numbers are
never a slip, and neither are short codes (*at ER*, *at FD*) or opposites (*valid*, *invalid*). Pairs with one or two slips are
found by three filters, each vectorised over all pairs, and the exact distance of those that are left: bits of the letters, bits
of the pairs of letters, lengths.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.labels.patterns import LabelFamily, label_families
from actalike.labels.words import NUMBER_WORDS, LabelWords, is_number, marks_of, opposite, opposite_pairs, read_label, stem

SAME_WORDS = 0.95
POLLUTED = 0.9
MOST_OF_OTHERS = 0.85
MOST_OF_NUMBERS = 0.5
MOST_OF_OPPOSITES = 0.2
FEWEST_POLLUTED = 5  # members of a family with ids that is believed although the plain label is missing
_MOST_PIECES = 1000  # of a label: the first ones; a bound for labels that are whole documents
_MOST_DENSE = 512  # pieces in so many labels that a dense product is faster
_ROWS_AT_ONCE = 256
_NUMBER = " "  # the mark of a number among the pieces; words have no spaces
_UNIT = 1024  # weights are whole numbers of 1/1024, so that sums are exact and in any order the same
MOST_SLIPS = 2
SHORTEST = (5, 10)  # letters of the shorter label, for one slip and for two
LONGEST = 200  # letters and digits of a label; longer ones are not typed by hand
SHORTEST_WORD = 3  # letters of a word with a slip; shorter ones may be codes
SHORTEST_WORD_OF_TWO = 8  # letters of a word with two slips
_KEYBOARDS = ("qwertyuiop asdfghjkl zxcvbnm", "qwertzuiop asdfghjkl yxcvbnm")
_BEYOND = MOST_SLIPS + 1
_BAND = 2 * MOST_SLIPS + 1  # diagonals of the table of distances that so many slips can reach
_SLIP_ROWS_AT_ONCE = 512
_PAIRS_AT_ONCE = 32_768
DifferenceKind = Literal["same", "slip", "words order", "opposite", "number", "word"]
_LONGEST_COUNT = 2  # digits of a number that counts steps, rounds or levels
_LONGEST_CODE = 3  # letters of a word that is a code
_SET_OFF = re.compile(r"[-–—:;,|/(\[{<]")
_PREPOSITIONS = {
    *("at", "by", "for", "from", "in", "of", "on", "per", "to", "via", "with"),
    *("an", "auf", "aus", "bei", "durch", "fuer", "mit", "nach", "von", "zu"),
    *("aan", "bij", "door", "met", "naar", "uit", "van", "voor"),
}
_AGENT = {"by", "durch", "von", "door", "par", "por"}  # who does it follows
_UNBROKEN = re.compile(r"[^\W_]+")  # ids are whole: 3fa9


def text_similarity(labels: Sequence[str]) -> NDArray[np.float64]:
    """Return how alike the texts of every two labels are: 0 to 1, symmetric, with 1 on the diagonal.

    >>> text_similarity(["Check invoice", "Chekc invoice", "Invoice check", "Pay", "CHECK_INVOICE"]).round(2)
    array([[1.  , 0.96, 0.85, 0.  , 1.  ],
           [0.96, 1.  , 0.22, 0.  , 0.96],
           [0.85, 0.22, 1.  , 0.  , 0.85],
           [0.  , 0.  , 0.  , 1.  , 0.  ],
           [1.  , 0.96, 0.85, 0.  , 1.  ]])
    """
    texts = LabelTexts(labels)
    similarities = np.empty((len(labels), len(labels)))
    for start in range(0, len(labels), _ROWS_AT_ONCE):
        stop = min(start + _ROWS_AT_ONCE, len(labels))
        similarities[start:stop] = texts.rows(start, stop)
    return similarities


def polluted_families(labels: Sequence[str]) -> list[LabelFamily]:
    """Return the families of labels that differ in an id or a date that was appended to them."""
    return [
        family
        for family in label_families(labels)
        if family.kind in ("id", "date") and (len(family.members) >= FEWEST_POLLUTED or family.plain is not None)
    ]


class LabelTexts:
    """Compare the texts of many labels, some rows of the matrix at a time."""

    def __init__(self, labels: Sequence[str]) -> None:
        self._size = len(labels)
        spellings = [read_label(label) for label in labels]
        marks = [marks_of(label) for label in labels]  # they tell labels apart as numbers do
        numbers = [(spelling.numbers, tuple(mark for mark, _ in of)) for spelling, of in zip(spellings, marks, strict=True)]
        self._keys = _numbered(zip((spelling.key for spelling in spellings), marks, strict=True))
        self._numbers = _numbered(numbers)
        stems = [tuple(map(stem, spelling.words)) for spelling in spellings]
        self._inflected = _numbered(zip(stems, numbers, strict=True))
        self._bags = _numbered((tuple(sorted(found)), of) for found, of in zip(stems, numbers, strict=True))
        letters = [tuple(word for word in spelling.words if len(word) == 1 and word.isalpha()) for spelling in spellings]
        self._letters = _numbered(letters)
        self._coded = np.array(
            [bool(found or spelling.numbers) for found, spelling in zip(letters, spellings, strict=True)], dtype=bool
        )
        self._count_pieces([_pieces(spelling.words) for spelling in spellings])
        self._polluted = [np.array(family.members) for family in polluted_families(labels)]
        slips = slip_pairs(labels)
        lengths = np.array([len(spelling.key) for spelling in spellings], dtype=np.int64)
        longer = np.maximum(lengths[slips.first], lengths[slips.second])
        self._slips = self._sparse(slips.first, slips.second, 1 - slips.slips / (2 * longer))
        opposites = opposite_pairs(labels)
        self._opposites = self._sparse(opposites[:, 0], opposites[:, 1], np.ones(len(opposites)))

    def rows(self, start: int, stop: int) -> NDArray[np.float64]:
        """Return the rows of the matrix from ``start`` to before ``stop``."""
        dots = (self._dense[start:stop] * self._dense_weights) @ self._dense.T
        dots += (self._rare_weighted[start:stop] @ self._rare_across).toarray()
        norms = np.sqrt(self._squares[start:stop, np.newaxis] * self._squares)
        rows = MOST_OF_OTHERS * np.divide(dots, norms, out=np.zeros_like(dots), where=norms > 0)
        other_code = self._letters[start:stop, np.newaxis] != self._letters
        other_code &= self._coded[start:stop, np.newaxis] & self._coded
        other_code |= self._numbers[start:stop, np.newaxis] != self._numbers
        np.minimum(rows, MOST_OF_NUMBERS, out=rows, where=other_code)
        for members in self._polluted:
            inside = members[(members >= start) & (members < stop)]
            if inside.size:
                block = np.ix_(inside - start, members)
                rows[block] = np.maximum(rows[block], POLLUTED)
        rows[self._bags[start:stop, np.newaxis] == self._bags] = MOST_OF_OTHERS
        rows[self._inflected[start:stop, np.newaxis] == self._inflected] = SAME_WORDS
        slips = self._slips[start:stop].tocoo()
        rows[slips.row, slips.col] = np.maximum(rows[slips.row, slips.col], slips.data)
        opposites = self._opposites[start:stop].tocoo()
        rows[opposites.row, opposites.col] = np.minimum(rows[opposites.row, opposites.col], MOST_OF_OPPOSITES)
        rows[self._keys[start:stop, np.newaxis] == self._keys] = 1
        return rows

    def _count_pieces(self, pieces: list[set[str]]) -> None:
        """Prepare the products of weighted pieces: frequent ones as a dense matrix, the others as a sparse one."""
        counts = Counter(piece for found in pieces for piece in found)
        order = sorted(counts, key=lambda piece: (-counts[piece], piece))
        columns = {piece: column for column, piece in enumerate(order)}
        boosts = np.array([2 if piece[0] == _NUMBER else 1 for piece in order])
        rarity = np.log((self._size + 1) / np.array([counts[piece] for piece in order])) if order else np.zeros(0)
        weights = np.maximum(np.rint(_UNIT * (boosts * rarity) ** 2), 1)
        offsets = np.cumsum([0, *map(len, pieces)])
        indices = np.array([columns[piece] for found in pieces for piece in found], dtype=np.int64)
        having = csr_array((np.ones(len(indices)), indices, offsets), shape=(self._size, len(order)))
        dense = min(sum(counts[piece] > self._size // 16 for piece in order), _MOST_DENSE)
        self._squares: NDArray[np.float64] = having @ weights
        self._dense = having[:, :dense].toarray()
        self._dense_weights = weights[:dense]
        rare = csr_array(having[:, dense:])
        self._rare_weighted = csr_array(rare.multiply(weights[dense:]))
        self._rare_across = csr_array(rare.T)

    def _sparse(self, first: NDArray[np.int64], second: NDArray[np.int64], values: NDArray[np.float64]) -> csr_array:
        """Return a symmetric sparse matrix of pairs and their values."""
        cells = np.concatenate([first, second]), np.concatenate([second, first])
        return csr_array((np.concatenate([values, values]), cells), shape=(self._size, self._size))


def _numbered(things: Iterable[Hashable]) -> NDArray[np.int64]:
    """Return a number for each thing, the same for equal ones."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(thing, len(numbers)) for thing in things], dtype=np.int64)


def _pieces(words: Sequence[str]) -> set[str]:
    """Return the pieces of three letters of the words, edges marked, and the numbers as a whole."""
    pieces: set[str] = set()
    for word in words:
        if is_number(word):
            pieces.add(f"{_NUMBER}{word}")
        else:
            edged = f"^{word[:_MOST_PIECES]}$"
            pieces.update(edged[place : place + 3] for place in range(max(len(edged) - 2, 1)))
        if len(pieces) >= _MOST_PIECES:
            break
    return pieces


@dataclass(frozen=True)
class SlipPairs:
    """Hold pairs of labels that are slips of each other: two positions, the smaller one first, and the number of slips."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    slips: NDArray[np.int64]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Return the two positions of each pair."""
        return list(zip(self.first.tolist(), self.second.tolist(), strict=True))


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
    for start in range(0, n, _SLIP_ROWS_AT_ONCE):
        rows, columns = slice(start, min(start + _SLIP_ROWS_AT_ONCE, n)), slice(start, n)
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


@dataclass(frozen=True)
class TextDifference:
    """Hold by what two labels differ, and the words that only the first and only the second has, folded and in their order.

    ``kind``: *same*: case, accents, spaces, punctuation. *slip*: slips of the keyboard. *words order*: the same words in
    another order or inflection. *opposite*: words that say the opposite. *number*: only numbers, ids, dates. *word*: other
    words, such as other roles, places or documents.
    """

    kind: DifferenceKind
    first: tuple[str, ...]
    second: tuple[str, ...]


def text_difference(first: str, second: str) -> TextDifference:
    """Return by what the texts of two labels differ.

    >>> text_difference("Approved by ADMINISTRATION", "Approved by BUDGET OWNER")
    TextDifference(kind='word', first=('administration',), second=('budget', 'owner'))
    >>> text_difference("Reminder 1", "Reminder 2").kind, text_difference("Check invoice", "Invoice check").kind
    ('number', 'words order')
    """
    a, b = read_label(first), read_label(second)
    if a.key == b.key:
        return TextDifference("same", (), ())
    only = _only(a.words, b.words), _only(b.words, a.words)
    if opposites := opposite(first, second):
        return TextDifference("opposite", *(tuple(word for word in [side] if word) for side in opposites))
    if sorted(map(stem, a.words)) == sorted(map(stem, b.words)) and a.numbers == b.numbers:
        return TextDifference("words order", *only)
    if all(is_number(word) or word in NUMBER_WORDS for side in only for word in side):
        return TextDifference("number", *(only if any(only) else (a.numbers, b.numbers)))  # or the same numbers, exchanged
    if any(family.kind != "name" for family in label_families([first, second])):
        whole = [_UNBROKEN.findall(label.casefold()) for label in (first, second)]
        return TextDifference("number", _only(whole[0], whole[1]), _only(whole[1], whole[0]))
    return TextDifference("slip" if is_slip(first, second) else "word", *only)


def distinguishing_tokens(first: str, second: str) -> tuple[str, str] | None:
    """Return the one token in which each of two labels differs from the other, if it may well tell two steps apart; else None.

    Both have words in common, and the tokens are both short (three letters or two digits; longer numbers are codes or ids), or
    both qualify what is before them: *- Vendor*, *(web)*, *by post*. Who does a step may have several words (:func:`actors`).

    >>> distinguishing_tokens("Register at ER", "Register at FD"), distinguishing_tokens("1. reminder", "2. reminder")
    (('er', 'fd'), ('1', '2'))
    >>> distinguishing_tokens("Wait - Vendor", "Wait - Customer")
    ('vendor', 'customer')
    >>> distinguishing_tokens("Close file", "Archive file"), distinguishing_tokens("01_HOOFD_810", "01_HOOFD_790")
    (None, None)
    """
    if (of_actors := actors(first, second)) is not None:
        return of_actors
    difference = text_difference(first, second)
    if difference.kind not in ("word", "number") or len(difference.first) != 1 or len(difference.second) != 1:
        return None
    tokens = difference.first[0], difference.second[0]
    labels = [read_label(label).words for label in (first, second)]
    if min(map(len, labels)) < 2:
        return None
    are_short = all(len(token) <= (_LONGEST_COUNT if token.isdecimal() else _LONGEST_CODE) for token in tokens)
    are_number_words = NUMBER_WORDS.issuperset(tokens)
    qualify = all(
        token.isalpha() and words[-1] == token and (words[-2] in _PREPOSITIONS or _is_set_off(label, token))
        for token, words, label in zip(tokens, labels, (first, second), strict=True)
    )
    return tokens if are_short or are_number_words or qualify else None


def actors(first: str, second: str) -> tuple[str, str] | None:
    """Return who does a step, if two labels differ in nothing else, at their end; else None.

    >>> actors("Permit APPROVED by PRE_APPROVER", "Permit APPROVED by BUDGET OWNER"), actors("Wait for Ann", "Wait for Bob")
    (('pre approver', 'budget owner'), None)
    """
    words = [read_label(label).words for label in (first, second)]
    agents = [next((i for i in range(len(some) - 2, 0, -1) if some[i] in _AGENT), None) for some in words]
    if None in agents or agents[0] != agents[1]:
        return None
    until = int(agents[0] or 0) + 1
    who = " ".join(words[0][until:]), " ".join(words[1][until:])
    return who if words[0][:until] == words[1][:until] and who[0] != who[1] else None


def _is_set_off(label: str, token: str) -> bool:
    """Return whether the last word of a label is set off by a dash, a bracket, a colon or a slash."""
    return read_label(_SET_OFF.split(label)[-1]).words == (token,)


def _only(words: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """Return the words that the others have not, or not as often."""
    counts = Counter(others)
    only = []
    for word in words:
        counts[word] -= 1
        if counts[word] < 0:
            only.append(word)
    return tuple(only)
