"""Match labels by rotating the vectors of one log onto those of the other, and looking for the nearest (Conneau et al. 2018).

Known pairs give the rotation. Without any, labels with the most similar profiles begin, and a few rounds improve the rotation.
Scores are by CSLS: a cosine counts less for labels that are near to everything.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Self

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.matching.matchers.profile import profile_similarity
from actalike.benchmark.matching.matchers.zhu import known_codes
from actalike.log import EventLog
from actalike.methods import Act2VecEmbedder, embed

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
ROUNDS = 5
NEAREST = 10  # neighbours that say how near to everything a label is
_MOST_OF_ALPHABET = 5  # at most the fifth part of the labels
_KEPT = 8  # logs whose learned vectors are kept
_LEARNED: dict[str, Floats] = {}  # by the log's digest


class Procrustes(ABC):
    """Rotate vectors of two logs onto each other; a child says which vectors."""

    dimensions: int

    @abstractmethod
    def vectors(self, log: EventLog) -> Floats:
        """Return a vector for each label."""

    def fit(self, log_a: EventLog, log_b: EventLog, known: Mapping[str, str]) -> Self:
        """Set the scores: CSLS after the best rotation."""
        vectors_a, vectors_b = self.vectors(log_a), self.vectors(log_b)
        pairs = known_codes(log_a, log_b, known)
        if len(pairs):
            self.scores_ = self._rotated(vectors_a, vectors_b, pairs)
        else:
            self.scores_ = self._self_taught(vectors_a, vectors_b, first_pairs(log_a, log_b))
        return self

    def _self_taught(self, vectors_a: Floats, vectors_b: Floats, pairs: Numbers) -> Floats:
        """Rotate, take mutual nearest labels as pairs, and so on; return the scores whose mutual pairs are nearest on average."""
        best, best_mean = np.zeros((len(vectors_a), len(vectors_b))), -np.inf
        for _ in range(ROUNDS):
            scores = self._rotated(vectors_a, vectors_b, pairs)
            pairs = mutual_nearest(scores)
            mean = float(scores[pairs[:, 0], pairs[:, 1]].mean())
            if mean > best_mean:
                best, best_mean = scores, mean
        return best

    def _rotated(self, vectors_a: Floats, vectors_b: Floats, pairs: Numbers) -> Floats:
        d = min(self.dimensions, len(pairs), vectors_a.shape[1], vectors_b.shape[1])  # fewer pairs leave the rotation open
        x, y = scaled(reduced(vectors_a, d)), scaled(reduced(vectors_b, d))
        return csls(x @ rotation(x[pairs[:, 0]], y[pairs[:, 1]]).T, y)


class ProcrustesCounts(Procrustes):
    """Rotate vectors of counts: the square roots of the shares of neighbours at each offset, reduced to a few dimensions."""

    name = "procrustes-counts"
    dimensions = 32

    def vectors(self, log: EventLog) -> Floats:
        """Return the vectors of counts."""
        return embed(log, "positional-hellinger-w5").vectors


class ProcrustesAct2Vec(Procrustes):
    """Rotate vectors that act2vec learned, with the same seed for both logs."""

    name = "procrustes-act2vec"
    dimensions = 16
    needs = Act2VecEmbedder.needs
    slow = True

    def vectors(self, log: EventLog) -> Floats:
        """Return the learned vectors. Tasks differ in what is known, and share their logs: what was learned lately is kept."""
        if log.digest not in _LEARNED:
            while len(_LEARNED) >= _KEPT:
                del _LEARNED[next(iter(_LEARNED))]
            _LEARNED[log.digest] = embed(log, "act2vec-cbow-w3").vectors
        return _LEARNED[log.digest]


def first_pairs(log_a: EventLog, log_b: EventLog) -> Numbers:
    """Return the pairs that begin where nothing is known: mutual nearest by profile among the more frequent half of each log."""
    halves = [
        np.sort(np.argsort(-log.activity_counts, kind="stable")[: (len(log.activities) + 1) // 2]) for log in (log_a, log_b)
    ]
    pairs = mutual_nearest(profile_similarity(log_a, log_b)[np.ix_(*halves)])
    return np.column_stack([halves[0][pairs[:, 0]], halves[1][pairs[:, 1]]])


def mutual_nearest(scores: Floats) -> Numbers:
    """Return the pairs in which each is the other's best, as rows.

    >>> mutual_nearest(np.array([[0.9, 0.1], [0.8, 0.2]])).tolist()
    [[0, 0]]
    """
    best = scores.argmax(axis=1)
    rows = np.flatnonzero(scores.argmax(axis=0)[best] == np.arange(len(scores)))
    return np.column_stack([rows, best[rows]])


def reduced(vectors: Floats, d: int) -> Floats:
    """Return the ``d`` strongest directions of some vectors."""
    if vectors.shape[1] <= d:
        return vectors
    left, strengths, _ = np.linalg.svd(vectors, full_matrices=False)
    reduced_vectors: Floats = left[:, :d] * strengths[:d]
    return reduced_vectors


def scaled(vectors: Floats) -> Floats:
    """Return vectors of length 1, with a mean of 0 before they were scaled for the second time.

    >>> scaled(np.array([[2.0, 0.0], [0.0, 3.0]])).round(3).tolist()
    [[0.707, -0.707], [-0.707, 0.707]]
    """
    units = _units(vectors)
    return _units(units - units.mean(axis=0))


def rotation(x: Floats, y: Floats) -> Floats:
    """Return the rotation W that brings each row of x nearest to its row of y: the least sum of |W x - y|^2.

    >>> rotation(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[0.0, 1.0], [-1.0, 0.0]])).round().tolist()
    [[0.0, -1.0], [1.0, 0.0]]
    """
    left, _, right = np.linalg.svd(y.T @ x)
    turned: Floats = left @ right
    return turned


def csls(x: Floats, y: Floats) -> Floats:
    """Return twice the cosine less the mean cosines of both labels to their nearest of the other log."""
    cosines = x @ y.T
    return 2 * cosines - _nearness(cosines)[:, np.newaxis] - _nearness(cosines.T)


def _nearness(cosines: Floats) -> Floats:
    """Return the mean cosine of each row to its nearest columns."""
    k = min(NEAREST, max(1, cosines.shape[1] // _MOST_OF_ALPHABET))
    means: Floats = np.sort(cosines, axis=1)[:, -k:].mean(axis=1)
    return means


def _units(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
