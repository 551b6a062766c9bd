"""Compare the labels of two logs as texts: how alike they are, from 0 to 1.

Two offices name one step in other words: *Send letter of rejection*, *Send rejection*; *Interview*, *Conduct the interview*.
The likeness within one log (:mod:`actalike.labels.text`) is strict, so beside it content words are compared, in any order:

    0.88 (Σ_{w in a} r(w) max_{v in b} s(w, v) + Σ_{v in b} r(v) max_{w in a} s(v, w)) / (Σ_{w in a} r(w) + Σ_{v in b} r(v))

s is 1 for words with one stem, 0.9 for words of one line of ``synonyms.txt``, and for other words of four letters or more the
share of letter pairs that both have, if that is 0.6 or more. r is how rare a word is among the labels of both logs,
ln((n + 1) / labels with it), so that what all labels share says little. Articles, prepositions and the like are left out.

The higher of the two likenesses counts: 0.5 at most if numbers differ, and 0.2 at most for opposites, which here are labels with
opposite words whatever else they say (*Send acceptance*, *Receive letter of acceptance*).

A label with a second name (a code such as *01_HOOFD_010*, called *register request*) is compared by that name, because codes
that look alike say nothing. Codes count only if they are written alike, up to case, punctuation and slips of the keyboard.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array, eye_array, vstack

from actalike.labels import LabelTexts, opposite_words, read_label, stem

Floats = NDArray[np.float64]

WRITTEN_ALIKE = 0.9  # a likeness from here on is that of one text in two spellings (docs/label_text.md)
OF_NAMES = 0.95  # a second name may be that of several codes, so that equal names prove less than equal labels
OF_WORDS = 0.88  # the most that content words give: less than a spelling of one text
_ALIKE_WORDS = 0.6  # the share of letter pairs from which on words are alike
_SYNONYMS = 0.9
_SHORTEST = 4  # letters of a word that may be like another one
_OPPOSITES = 0.2  # the likeness of opposites, at most
_OTHER_NUMBERS = 0.5  # the likeness of labels with other numbers, at most
POINTS = (0.4, 0.7, 0.85, 0.95, 1.0), (0.0, 3.0, 5.0, 6.5, 7.0)  # log-odds of likenesses
_SURE_TEXT = 0.6  # a likeness from which on behaviour is expected to find the pair
_CONTRADICTED = 0.2  # of the probability of the likeliest partner: a pair that has less is not found by behaviour
_FOUND = 2.0  # pairs that are assumed to be found
_TRUSTED = 0.3, 0.6  # the share of pairs found with which behaviour counts for nothing, and in full
_TEXT_WEIGHT = 6.0  # how much more a likeness adds to L where behaviour counts for nothing
_ROWS_AT_ONCE = 256
_FUNCTION_WORDS = {  # of English, German and Dutch
    *("a", "an", "the", "this", "that", "of", "to", "in", "on", "at", "by", "for", "from", "with", "and", "or", "as"),
    *("is", "are", "be", "been", "was", "were", "has", "have", "had", "if", "it", "its", "into", "per", "via", "all", "any"),
    *("each"),
    *("der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einer", "eines", "und", "oder", "von"),
    *("vom", "zu", "zum", "zur", "im", "am", "auf", "bei", "mit", "fuer", "ist", "sind", "wird", "werden"),
    *("de", "het", "een", "en", "van", "voor", "met", "naar", "op", "te"),
}


def label_likeness(
    activities_a: Sequence[str],
    activities_b: Sequence[str],
    names_a: Mapping[str, str] | None = None,
    names_b: Mapping[str, str] | None = None,
) -> Floats:
    """Return how alike the label texts of two logs are: a row for each label of a, a column for each label of b, 0 to 1.

    ``names_a`` and ``names_b`` are second names of labels.

    >>> label_likeness(["Accept offer", "Pay"], ["Pay", "Offer accepted", "Reject offer"]).round(2)
    array([[0.  , 0.88, 0.2 ],
           [1.  , 0.  , 0.  ]])
    >>> label_likeness(["A_01", "A_02"], ["A_01", "Register"], {"A_02": "register"})
    array([[1.  , 0.  ],
           [0.  , 0.95]])
    """
    labels = _across(activities_a, activities_b)
    if not (names_a or names_b):
        return labels
    shown_a, named_a = _shown(activities_a, names_a or {})
    shown_b, named_b = _shown(activities_b, names_b or {})
    likeness = _across(shown_a, shown_b)
    np.multiply(likeness, OF_NAMES, out=likeness, where=named_a[:, np.newaxis] | named_b)
    return np.maximum(likeness, labels, out=likeness, where=labels >= WRITTEN_ALIKE)


def _shown(activities: Sequence[str], names: Mapping[str, str]) -> tuple[list[str], NDArray[np.bool_]]:
    """Return the text by which each label is compared, and whether that is a second name."""
    shown = [names.get(label, label) for label in activities]
    return shown, np.array([text != label for text, label in zip(shown, activities, strict=True)], dtype=bool)


def _across(texts_a: Sequence[str], texts_b: Sequence[str]) -> Floats:
    """Return how alike each text of a is to each of b; of the strict likeness, only these rows and columns are kept."""
    if not (texts_a and texts_b):
        return np.zeros((len(texts_a), len(texts_b)))
    strict = LabelTexts([*texts_a, *texts_b])
    likeness = OF_WORDS * word_likeness(texts_a, texts_b)
    for start in range(0, len(texts_a), _ROWS_AT_ONCE):
        rows = slice(start, min(start + _ROWS_AT_ONCE, len(texts_a)))
        likeness[rows] = np.maximum(likeness[rows], strict.rows(rows.start, rows.stop)[:, len(texts_a) :])
    numbers_a, numbers_b = ([read_label(text).numbers for text in texts] for texts in (texts_a, texts_b))
    for i, j in np.argwhere((likeness > _OPPOSITES) & (likeness < WRITTEN_ALIKE)).tolist():
        if numbers_a[i] != numbers_b[j]:
            likeness[i, j] = min(likeness[i, j], _OTHER_NUMBERS)
        if opposite_words(texts_a[i], texts_b[j]):
            likeness[i, j] = _OPPOSITES
    return likeness


def word_likeness(texts_a: Sequence[str], texts_b: Sequence[str]) -> Floats:
    """Return how far the content words of each text of a and of each text of b are the same, 0 to 1.

    >>> word_likeness(["Conduct the interview"], ["Interview", "Do interviews", "Send invoice"]).round(2)
    array([[0.39, 0.92, 0.  ]])
    """
    words = [_content(text) for text in (*texts_a, *texts_b)]
    counts = Counter(word for of_text in words for word in set(of_text))
    place = {word: i for i, word in enumerate(counts)}
    rarity = np.log((len(words) + 1) / np.array([counts[word] for word in place], dtype=np.float64))
    alike = _alike_words(list(place))
    having = _incidence([[place[word] for word in of_text] for of_text in words], len(place)) @ diags_array(rarity)
    nearest = vstack([alike[[place[word] for word in of_text]].max(axis=0) for of_text in words], format="csr")
    n = len(texts_a)
    same = (having[:n] @ nearest[n:].T).toarray() + (nearest[:n] @ having[n:].T).toarray()
    whole = np.asarray(having.sum(axis=1)).ravel()
    likeness: Floats = same / (whole[:n, np.newaxis] + whole[n:])
    return likeness


def _content(text: str) -> list[str]:
    """Return the stems of the words of a text that say something; of all its words if none does."""
    words = read_label(text).words
    return [stem(word) for word in words if word not in _FUNCTION_WORDS] or [stem(word) for word in words] or [""]


def _alike_words(words: Sequence[str]) -> csr_array:
    """Return how alike every two words are: 1 on the diagonal, and 0 for most."""
    lines = _synonyms()
    pairs = [{word[i : i + 2] for i in range(len(word) - 1)} if len(word) >= _SHORTEST else set() for word in words]
    column = {pair: i for i, pair in enumerate(sorted(set().union(*pairs)))}
    having = _incidence([[column[pair] for pair in of_word] for of_word in pairs], len(column))
    shared = (having @ having.T).tocoo()
    sizes = np.array([len(of_word) for of_word in pairs])
    shares = 2 * shared.data / (sizes[shared.row] + sizes[shared.col])
    near = shares >= _ALIKE_WORDS
    n = len(words)
    by_letters = csr_array((shares[near], (shared.row[near], shared.col[near])), shape=(n, n))
    of_lines = _incidence([lines.get(word, []) for word in words], 1 + max(chain.from_iterable(lines.values())))
    synonyms = csr_array((of_lines @ of_lines.T) > 0) * _SYNONYMS
    return by_letters.maximum(synonyms).maximum(csr_array(eye_array(n)))


def _incidence(columns: Sequence[Sequence[int]], n: int) -> csr_array:
    """Return a matrix with a row for each list of columns: how often each is in it."""
    indptr = np.cumsum([0, *map(len, columns)])
    indices = np.array([column for of_row in columns for column in of_row], dtype=np.int64)
    return csr_array((np.ones(len(indices)), indices, indptr), shape=(len(columns), n))


@cache
def _synonyms() -> dict[str, list[int]]:
    """Return the lines of ``synonyms.txt`` that each stem is in."""
    lines: dict[str, list[int]] = {}
    for number, line in enumerate(Path(__file__).with_name("synonyms.txt").read_text(encoding="utf-8").splitlines()):
        for word in sorted({stem(word) for word in line.split()}) if not line.startswith("#") else ():
            lines.setdefault(word, []).append(number)
    return lines


class TextEvidence(NamedTuple):
    """Hold what texts say of each pair of two logs, and how far behaviour can be trusted, 0 to 1.

    ``scores`` are added to L (:mod:`actalike.two_logs.cross_kin`), and ``points``, 0 or more, to the log-odds.
    """

    scores: Floats
    points: Floats
    trust: float


def text_evidence(likeness: Floats, by_behaviour: Floats) -> TextEvidence:
    """Return what texts say; ``by_behaviour`` are the probabilities of all pairs by behaviour alone, 1 for known pairs.

    Texts find a pair if each is the only most alike text of the other. Behaviour finds it too if it makes it a fifth as likely as
    the likeliest partners. Two more pairs are assumed to be found, so that behaviour counts in full where labels have nothing in
    common, as in two languages, or where it finds 60 % of the pairs. If it finds 30 % only, texts decide.

    >>> text_evidence(np.eye(2), np.array([[0.1, 0.9], [0.9, 0.1]])).trust
    1.0
    """
    best = np.maximum(likeness.max(axis=0, initial=0), likeness.max(axis=1, initial=0)[:, np.newaxis])
    found = (likeness >= _SURE_TEXT) & (likeness == best) & (by_behaviour < 1)
    found &= (found.sum(axis=0) == 1) & (found.sum(axis=1) == 1)[:, np.newaxis]
    largest = np.maximum(by_behaviour.max(axis=0, initial=0), by_behaviour.max(axis=1, initial=0)[:, np.newaxis])
    shares = np.minimum(by_behaviour[found] / (_CONTRADICTED * np.maximum(largest[found], 1e-12)), 1.0)
    trust = float(np.interp((shares.sum() + _FOUND) / (len(shares) + _FOUND), _TRUSTED, (0.0, 1.0)))
    return TextEvidence((1 + _TEXT_WEIGHT * (1 - trust)) * likeness, np.interp(likeness, *POINTS), trust)
