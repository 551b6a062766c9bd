"""Distances of texts, of all pairs at once: Levenshtein, Jaro-Winkler, character n-grams."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_PAIRS = 1 << 16  # that are compared at a time
_PREFIX = 4  # letters of a common beginning that count, in Jaro-Winkler
_PREFIX_WEIGHT = 0.1


def text_lengths(texts: Sequence[str]) -> NDArray[np.int64]:
    """Return the length of each text."""
    return np.array([len(text) for text in texts], dtype=np.int64)


def levenshtein_distances(texts: Sequence[str]) -> Floats:
    """Return how many letters must be inserted, left out or replaced to get from one text to another.

    >>> levenshtein_distances(["kitten", "sitting"])[0, 1]
    np.float64(3.0)
    """
    letters, lengths = _letters(texts)
    return _of_all_pairs(len(texts), lambda a, b: _levenshtein(letters[a], letters[b], lengths[a], lengths[b]))


def jaro_winkler_similarities(texts: Sequence[str]) -> Floats:
    """Return the Jaro-Winkler similarities: common letters near each other, and a bonus for a common beginning.

    >>> jaro_winkler_similarities(["MARTHA", "MARHTA"])[0, 1].round(3)
    np.float64(0.961)
    """
    letters, lengths = _letters(texts)
    similarities = _of_all_pairs(len(texts), lambda a, b: _jaro_winkler(letters[a], letters[b], lengths[a], lengths[b]))
    np.fill_diagonal(similarities, 1.0)
    return similarities


def trigram_jaccard(texts: Sequence[str]) -> Floats:
    """Return the share of character 3-grams that two texts have in common, in lower case; a shorter text is one of its own.

    >>> trigram_jaccard(["abcd", "bcde"])[0, 1].round(3)
    np.float64(0.333)
    """
    table = _ngram_table([Counter(set(_ngrams(text.lower(), 3)) or {text.lower()}) for text in texts])
    common = table @ table.T
    n = table.sum(axis=1)
    jaccard: Floats = common / (n + n[:, np.newaxis] - common)
    return jaccard


def tf_idf_cosines(texts: Sequence[str], sizes: Sequence[int] = (1, 2, 3)) -> Floats:
    """Return the cosines of character n-grams in lower case, weighted by tf-idf (smooth: ln((1 + n) / (1 + df)) + 1).

    >>> tf_idf_cosines(["pay", "pay", "xyz"])[0].round(2).tolist()
    [1.0, 1.0, 0.08]
    """
    grams = [Counter(gram for n in sizes for gram in _ngrams(text.lower(), n)) for text in texts]
    table = _ngram_table(grams)
    weighted = table * (np.log((1 + len(texts)) / (1 + (table > 0).sum(axis=0))) + 1)
    norms = np.linalg.norm(weighted, axis=1, keepdims=True)
    unit = np.divide(weighted, norms, out=np.zeros_like(weighted), where=norms > 0)
    cosines: Floats = (unit @ unit.T).clip(0, 1)
    return cosines


def _ngrams(text: str, n: int) -> list[str]:
    return [text[i : i + n] for i in range(len(text) - n + 1)]


def _ngram_table(grams: Sequence[Counter[str]]) -> Floats:
    """Return how often each text (row) has each n-gram (column)."""
    place = {gram: i for i, gram in enumerate(sorted({gram for counter in grams for gram in counter}))}
    table = np.zeros((len(grams), max(len(place), 1)))
    for row, counter in enumerate(grams):
        for gram, n in counter.items():
            table[row, place[gram]] = n
    return table


def _letters(texts: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the letters of each text as numbers, filled up with -1, and its length."""
    lengths = text_lengths(texts)
    letters = np.full((len(texts), max(int(lengths.max(initial=0)), 1)), -1, dtype=np.int64)
    for row, text in enumerate(texts):
        letters[row, : len(text)] = [ord(letter) for letter in text]
    return letters, lengths


def _of_all_pairs(n: int, function) -> Floats:  # type: ignore[no-untyped-def]
    result = np.zeros((n, n))
    first, second = np.triu_indices(n, 1)
    for start in range(0, len(first), _PAIRS):
        a, b = first[start : start + _PAIRS], second[start : start + _PAIRS]
        result[a, b] = result[b, a] = function(a, b)
    return result


def _levenshtein(a: NDArray[np.int64], b: NDArray[np.int64], n_a: NDArray[np.int64], n_b: NDArray[np.int64]) -> Floats:
    """Fill the usual table row by row, for many pairs of texts at once."""
    each = np.arange(len(a))
    row = np.tile(np.arange(b.shape[1] + 1), (len(a), 1))
    distances = row[each, n_b].astype(np.float64)  # of an empty first text
    for i in range(a.shape[1]):
        new = np.empty_like(row)
        new[:, 0] = i + 1
        replaced = row[:, :-1] + (a[:, i, np.newaxis] != b)
        left_out = row[:, 1:] + 1
        best = np.minimum(replaced, left_out)
        for j in range(b.shape[1]):
            new[:, j + 1] = np.minimum(best[:, j], new[:, j] + 1)
        row = new
        ends = n_a == i + 1
        distances[ends] = row[each, n_b][ends]
    return distances


def _jaro_winkler(a: NDArray[np.int64], b: NDArray[np.int64], n_a: NDArray[np.int64], n_b: NDArray[np.int64]) -> Floats:
    """Match each letter of the first text with the first free equal letter of the second that is near enough, in turn."""
    each = np.arange(len(a))
    reach = np.maximum(np.maximum(n_a, n_b) // 2 - 1, 0)
    matched_a, matched_b = np.zeros(a.shape, dtype=bool), np.zeros(b.shape, dtype=bool)
    places = np.arange(b.shape[1])
    for i in range(a.shape[1]):
        near = np.abs(places - i) <= reach[:, np.newaxis]
        free = near & ~matched_b & (b == a[:, i, np.newaxis]) & (a[:, i, np.newaxis] >= 0)
        hit = free.any(axis=1)
        matched_a[:, i] = hit
        matched_b[each[hit], free.argmax(axis=1)[hit]] = True
    m = matched_a.sum(axis=1).astype(np.float64)
    in_order = [np.take_along_axis(text, np.argsort(~matched, axis=1, kind="stable"), axis=1) for text, matched in
                ((a, matched_a), (b, matched_b))]  # fmt: skip
    width = min(a.shape[1], b.shape[1])
    differ = (in_order[0][:, :width] != in_order[1][:, :width]) & (np.arange(width) < m[:, np.newaxis])
    jaro = np.zeros(len(a))
    some = m > 0
    jaro[some] = (m / n_a.clip(1) + m / n_b.clip(1) + (m - differ.sum(axis=1) / 2) / m.clip(1))[some] / 3
    jaro[(n_a == 0) & (n_b == 0)] = 1.0
    prefix = min(_PREFIX, width)
    common = np.cumprod((a[:, :prefix] == b[:, :prefix]) & (a[:, :prefix] >= 0), axis=1).sum(axis=1)
    return jaro + common * _PREFIX_WEIGHT * (1 - jaro)
