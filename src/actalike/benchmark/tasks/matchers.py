"""Those who take part in the benchmark of matching: a *matcher*, which says which labels of two logs are the same step.

A matcher has ``fit(log_a, log_b, known)``, which returns itself. ``known`` are pairs that are certain: the label of b by the
label of a. It must leave ``scores_``: an array with a row for each of ``log_a.activities`` and a column for each of
``log_b.activities`` (higher: more likely the same step). It may leave more, which is then judged too:

- ``probabilities_``: how likely each pair is the same step, as such an array.
- ``pairs_``: the pairs that it proposes, as (label of a, label of b). A label may be in several, if its step is split.
- ``unmatched_a_``, ``unmatched_b_``: the labels that it says have no partner.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.participants import ParticipantRegistry
from actalike.benchmark.scoring import Floats
from actalike.benchmark.tasks.neighbour_similarity import zhu_similarity
from actalike.benchmark.tasks.text_distances import tf_idf_cosines
from actalike.counting import count_windows
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods import Act2VecEmbedder, KinEmbedder, LabelTextEmbedder, embed, surroundings_of
from actalike.support.extras import Extra
from actalike.two_logs import match


@runtime_checkable
class Matcher(Protocol):
    """Say which labels of two logs are the same step."""

    name: str
    reads_labels: bool  # whether it uses the text of the labels; default: False. Then it is given logs in words
    needs: Sequence[Extra]  # the extras that it needs; default: none
    slow: bool  # whether it takes so long that each task is drawn only once for it; default: False
    scores_: Floats

    def fit(self, log_a: EventLog, log_b: EventLog, known: Mapping[str, str]) -> Self:
        """Match two logs, set ``scores_`` and what else there is, and return self."""
        ...


class Answer:
    """Hold what a fitted matcher left, checked: arrays of floats, pairs and sets of labels, None where it said nothing."""

    def __init__(self, matcher: Any, log_a: EventLog, log_b: EventLog) -> None:
        shape = len(log_a.activities), len(log_b.activities)
        labels_a, labels_b = set(log_a.activities), set(log_b.activities)
        self.scores = _array(matcher.scores_, shape, "scores_")
        self.probabilities: Floats | None = None
        if (probabilities := getattr(matcher, "probabilities_", None)) is not None:
            self.probabilities = _array(probabilities, shape, "probabilities_")
            if not ((self.probabilities >= 0) & (self.probabilities <= 1)).all():
                raise ActalikeError("its probabilities_ are not probabilities: some are below 0 or above 1")
        self.pairs: set[tuple[str, str]] | None = None
        if (pairs := getattr(matcher, "pairs_", None)) is not None:
            self.pairs = {(a, b) for a, b in pairs}
            if any(a not in labels_a or b not in labels_b for a, b in self.pairs):
                raise ActalikeError("its pairs_ must be pairs of a label of the first log and one of the second")
        self.unmatched_a = _labels(matcher, "unmatched_a_", labels_a)
        self.unmatched_b = _labels(matcher, "unmatched_b_", labels_b)


def _array(values: Any, shape: tuple[int, int], name: str) -> Floats:
    array = np.asarray(values, dtype=np.float64)
    if array.shape != shape or not np.isfinite(array).all():
        raise ActalikeError(f"its {name} must be {shape[0]} x {shape[1]} finite numbers, one for each pair of labels")
    return array


def _labels(matcher: Any, name: str, known: set[str]) -> set[str] | None:
    labels = getattr(matcher, name, None)
    if labels is not None and (isinstance(labels, str) or not known.issuperset(labels)):
        raise ActalikeError(f"its {name} must be labels of the log")
    return None if labels is None else set(labels)


MATCHERS: ParticipantRegistry[Matcher] = ParticipantRegistry(
    "matcher",
    "fit(log_a, log_b, known), which must return itself and leave scores_",
    {"reads_labels": False, "needs": (), "slow": False},
)


LIKELY = 0.6  # an activity without a pair has no partner if that is more likely; otherwise it is unknown whether it has one


class Match:
    """Take the scores, the probabilities and the answers of ``match``."""

    name = "match"
    reads_labels = False

    def fit(self, log_a: EventLog, log_b: EventLog, known: Mapping[str, str]) -> Self:
        """Match the logs."""
        matching = match(log_a, log_b, known, use_labels=self.reads_labels)
        self.scores_, self.probabilities_ = matching.scores(), matching.probabilities()
        self.pairs_ = [(pair.a, pair.b) for pair in matching.pairs]
        for split in matching.splits:
            self.pairs_ += [(split.activity, part) if split.side == "a" else (part, split.activity) for part in split.parts]
        self.unmatched_a_ = [one.activity for one in matching.unmatched_a if one.probability > LIKELY]
        self.unmatched_b_ = [one.activity for one in matching.unmatched_b if one.probability > LIKELY]
        return self


class MatchLabels(Match):
    """Let ``match`` read the labels too."""

    name = "match-labels"
    reads_labels = True


class Zhu:
    """Compare the labels of two logs by their neighbours in rounds; known pairs are alike all the time."""

    name = "zhu"

    def fit(self, log_a: EventLog, log_b: EventLog, known: Mapping[str, str]) -> Self:
        """Set the scores: the similarities of the last round."""
        self.scores_ = zhu_similarity(log_a, log_b, known_codes(log_a, log_b, known))
        return self


def known_codes(log_a: EventLog, log_b: EventLog, known: Mapping[str, str]) -> np.ndarray:
    """Return known pairs as numbers of activities, a row for each pair.

    >>> known_codes(EventLog.from_traces([["a", "b"]]), EventLog.from_traces([["x", "y"]]), {"b": "x"}).tolist()
    [[1, 0]]
    """
    place_a, place_b = ({label: i for i, label in enumerate(log.activities)} for log in (log_a, log_b))
    return np.array([(place_a[a], place_b[b]) for a, b in known.items()], dtype=np.int64).reshape(-1, 2)


BINS = 5  # of relative positions
_RARE = 0.002  # a share of cases that is added, so that rare labels are not told apart by chance


class Profile:
    """Compare labels by their positions and frequencies."""

    name = "profile"

    def fit(self, log_a: EventLog, log_b: EventLog, known: Mapping[str, str]) -> Self:
        """Set the scores: the profiles compared."""
        self.scores_ = profile_similarity(log_a, log_b)
        return self


def profile_similarity(log_a: EventLog, log_b: EventLog) -> Floats:
    """Return overlap of positions x ratio of shares of cases x ratio of events per case, each from 0 to 1.

    >>> log = EventLog.from_traces([["a", "b"], ["a", "b"]])
    >>> profile_similarity(log, log).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    (positions_a, cases_a, repeats_a), (positions_b, cases_b, repeats_b) = (_profile(log) for log in (log_a, log_b))
    overlap = np.sqrt(positions_a) @ np.sqrt(positions_b).T
    return overlap * _ratio(cases_a + _RARE, cases_b + _RARE) * _ratio(repeats_a, repeats_b)


def _profile(log: EventLog) -> tuple[Floats, Floats, Floats]:
    """Return the shares of each label's events in bins of their case, its share of cases, and its events per such case."""
    index = np.arange(log.n_events) - np.repeat(log.offsets[:-1], log.lengths)
    bins = index * BINS // np.repeat(log.lengths, log.lengths)
    n = len(log.activities)
    counts = np.bincount(log.codes.astype(np.int64) * BINS + bins, minlength=n * BINS).reshape(n, BINS)
    events = log.activity_counts
    return counts / events[:, np.newaxis], log.activity_cases / log.n_cases, events / log.activity_cases


def _ratio(first: Floats, second: Floats) -> Floats:
    """Return the smaller over the larger of two numbers, for each pair: exp(-|ln(first / second)|)."""
    return np.minimum(first[:, np.newaxis], second) / np.maximum(first[:, np.newaxis], second)


class Frequency:
    """Compare the ranks of labels by their events."""

    name = "frequency"

    def fit(self, log_a: EventLog, log_b: EventLog, known: Mapping[str, str]) -> Self:
        """Set the scores: how many ranks two labels are apart, negative."""
        ranks_a, ranks_b = (_ranks(log) for log in (log_a, log_b))
        self.scores_ = -np.abs(ranks_a[:, np.newaxis] - ranks_b)
        return self


def _ranks(log: EventLog) -> NDArray[np.float64]:
    """Return the rank of each label, the most frequent first; equally frequent ones share the mean of their ranks."""
    _, place, sizes = np.unique(-log.activity_counts, return_inverse=True, return_counts=True)
    ranks: NDArray[np.float64] = np.cumsum(sizes) - (sizes - 1) / 2
    return ranks[place]


_KIN = KinEmbedder()


class JoinedKin:
    """Compare labels by kin of the joined log."""

    name = "kin-joined"

    def fit(self, log_a: EventLog, log_b: EventLog, known: Mapping[str, str]) -> Self:
        """Set the scores: the part of the similarities that is between the logs."""
        n = len(log_a.activities)
        self.scores_ = joined_kin(log_a, log_b)[:n, n:]
        return self


def joined_kin(log_a: EventLog, log_b: EventLog) -> Floats:
    """Return the similarities of all labels: first those of the first log, then those of the second.

    >>> log = EventLog.from_traces([["a", "b"]] * 5)
    >>> joined_kin(log, log)[0].round(2).tolist()
    [1.0, 0.8, 0.99, 0.79]
    """
    n_a, n = len(log_a.activities), len(log_a.activities) + len(log_b.activities)
    around_a, around_b = (surroundings_of(count_windows(log, _KIN.window), _KIN.shrinkage) for log in (log_a, log_b))
    offsets = []
    for a, b in zip(around_a, around_b, strict=True):
        shares = np.zeros((n, n + 1))  # the last column: outside the case
        for part, rows in ((a, slice(0, n_a)), (b, slice(n_a, n))):
            of_log = part.seen.toarray() + np.outer(part.given, part.usual)
            shares[rows, rows], shares[rows, n] = of_log[:, :-1], of_log[:, -1]
        offsets.append((a.weight, shares))
    alike = np.eye(n + 1)
    for _ in range(_KIN.rounds_for(n)):
        similarities = np.zeros((n, n))
        for weight, shares in offsets:
            product = shares @ alike @ shares.T
            norms = np.sqrt(np.diag(product))
            similarities += weight * product / norms / norms[:, np.newaxis]
        alike[:n, :n] = similarities
    return similarities


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


class Trigrams:
    """Compare labels by the cosine of their character 3-grams, weighted by TF-IDF over both logs."""

    name = "label-trigrams"
    reads_labels = True

    def fit(self, log_a: EventLog, log_b: EventLog, known: Mapping[str, str]) -> Self:
        """Set the scores: the cosines."""
        n = len(log_a.activities)
        self.scores_ = tf_idf_cosines([*log_a.activities, *log_b.activities], sizes=(3,))[:n, n:]
        return self


class LabelText:
    """Compare labels by what they mean: the cosine of the vectors of a sentence model."""

    name = "label-text"
    reads_labels = True
    needs = LabelTextEmbedder.needs
    slow = True  # it loads a model

    def fit(self, log_a: EventLog, log_b: EventLog, known: Mapping[str, str]) -> Self:
        """Set the scores: the cosines."""
        embedding = embed(EventLog.from_traces([[*log_a.activities, *log_b.activities]]), "label-text")
        place = {label: i for i, label in enumerate(embedding.activities)}
        rows, columns = ([place[label] for label in log.activities] for log in (log_a, log_b))
        self.scores_ = 1 - embedding.distances()[np.ix_(rows, columns)]
        return self


for _matcher in (
    Match,
    MatchLabels,
    Zhu,
    Profile,
    Frequency,
    JoinedKin,
    ProcrustesCounts,
    ProcrustesAct2Vec,
    Trigrams,
    LabelText,
):
    MATCHERS.register(_matcher.name, _matcher)
