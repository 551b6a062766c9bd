"""Compare the texts of labels: how alike two labels are written, from 0 to 1, without looking at the events.

Labels are compared by the three-letter pieces of their words (and whole numbers), weighted by how few labels of the log have
them, so that a word that all labels share says little. On top of that come rules for what people do to labels:

- 1: spelled alike but for case, accents, spaces and punctuation;
- ``1 - slips / (2 * letters)``, which is at least 0.9: slips of the keyboard (:mod:`actalike.labels.slips`);
- 0.95: the same words, inflected;
- 0.9: an id or a date was appended (:mod:`actalike.labels.label_patterns`);
- 0.85: the same words in another order, which may be another step: *Send invoice to customer*, *Send customer to invoice*;
- at most 0.85, the cosine of the pieces times 0.85: anything else;
- at most 0.5: different numbers, or different single letters (*A_ACCEPTED*, *O_ACCEPTED*);
- at most 0.2: opposites (:mod:`actalike.labels.opposites`).
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.labels.label_patterns import LabelFamily, label_families
from actalike.labels.label_words import is_number, read_label, stem
from actalike.labels.opposites import opposite_pairs
from actalike.labels.slips import slip_pairs

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
        self._keys = _numbered(spelling.key for spelling in spellings)
        self._numbers = _numbered(spelling.numbers for spelling in spellings)
        stems = [tuple(map(stem, spelling.words)) for spelling in spellings]
        self._inflected = _numbered(zip(stems, (spelling.numbers for spelling in spellings), strict=True))
        self._bags = _numbered((tuple(sorted(found)), spelling.numbers) for found, spelling in zip(stems, spellings, strict=True))
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
