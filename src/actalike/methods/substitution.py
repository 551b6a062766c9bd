"""Substitution scores (Bose and van der Aalst, 2009): which activities replace each other in equal contexts, as for proteins.

All of it starts from X(a, c) = n_a(c), the windows with focal activity a and sequence context c.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from actalike.counting import WindowCounts, check_counts
from actalike.embedding import Embedding
from actalike.matrices import activity_context
from actalike.methods.contract import Lap
from actalike.methods.estimator import CountingEstimator

Floats = NDArray[np.float64]


def substitution_scores(counts: WindowCounts) -> Floats:
    """How much more often than by chance two activities replace each other; rows and columns as ``counts.activities``.

    Pairs of events with equal context: C(a, b) = Σ_c n_a(c) n_b(c) and C(a, a) = Σ_c n_a(c) (n_a(c) - 1) / 2; M = C / ΣC, the
    sum over all ordered pairs; p(a) = Σ_b M(a, b); expected are E(a, a) = p(a)² and E(a, b) = 2 p(a) p(b). The score is
    ln(M / E); ln(E) where a pair never occurs; 0 where none could (E = 0). Without any repeated context all scores are 0.

    >>> from actalike import EventLog, count_windows
    >>> log = EventLog.from_traces([["x", "a", "y"]] * 2 + [["x", "b", "y"]])
    >>> substitution_scores(count_windows(log, 3)).round(2).tolist()[0]  # of a with a, b, x, y
    [-0.25, 0.15, -2.1, -2.1]
    """
    check_counts(counts)
    pairs, p = _pairs_of(counts)
    possible = p > 0
    logs = np.log(p, out=np.zeros_like(p), where=possible)
    scores = logs[:, np.newaxis] + logs  # ln E, without a logarithm for each pair
    scores += np.log(2)
    np.fill_diagonal(scores, 2 * logs)
    scores[~possible] = 0.0
    scores[:, ~possible] = 0.0
    scores[pairs.row, pairs.col] = np.log(pairs.data) - scores[pairs.row, pairs.col]
    return scores


def insertion_scores(counts: WindowCounts) -> Floats:
    """How readily an activity a (row) is inserted to the right of an activity l (column).

    I(a, l) = Σ n_a(c) (n_a(c) - 1) / 2 over the contexts c whose symbol next to the left of a is l, as a share of all of a's,
    PAD included. With p as for the substitution scores: ln(I(a, l) / (p(a) p(l))), and 0 where a never repeats a context
    with l, or l has no part in any pair.

    >>> from actalike import EventLog, count_windows
    >>> log = EventLog.from_traces([["x", "a", "y"]] * 2 + [["y", "a", "x"]] * 2)
    >>> insertion_scores(count_windows(log, 3)).round(2).tolist()[0]  # of a after a, x, y
    [0.0, 2.49, 2.49]
    """
    check_counts(counts)
    matrix = activity_context(counts, "sequence")
    x, contexts = matrix.counts, matrix.contexts
    n = len(counts.activities)
    scores = np.zeros((n, n))
    if counts.left == 0:
        return scores  # nothing stands to the left
    repeats = csr_array((_pairs(x.data), x.indices, x.indptr), shape=x.shape)
    left = contexts.codes[:, counts.left - 1]
    inside = np.flatnonzero(left >= 0)
    side = csr_array((np.ones(len(inside)), (inside, left[inside])), shape=(x.shape[1], n))
    inserted = (repeats @ side).toarray()
    total = np.asarray(repeats.sum(axis=1)).ravel()
    _, p = _pairs_of(counts)
    expected = np.outer(total * p, p)
    seen = (inserted > 0) & (expected > 0)
    return np.log(np.divide(inserted, expected, out=scores, where=seen), out=scores, where=seen)


def _pairs_of(counts: WindowCounts) -> tuple[coo_array, Floats]:
    """M where it is not 0, and p."""
    x = activity_context(counts, "sequence").counts.astype(np.float64)
    n = x.shape[0]
    pairs = (x @ x.T).tocoo()
    own = np.bincount(np.repeat(np.arange(n), np.diff(x.indptr)), weights=_pairs(x.data), minlength=n)
    pairs.data = np.where(pairs.row == pairs.col, own[pairs.row], pairs.data)
    seen = pairs.data > 0
    total = pairs.data.sum() or 1.0
    shares = coo_array((pairs.data[seen] / total, (pairs.row[seen], pairs.col[seen])), shape=(n, n))
    return shares, np.bincount(shares.row, weights=shares.data, minlength=n).astype(np.float64)


def _pairs(n: NDArray[Any]) -> Floats:
    """The number of pairs among n."""
    return np.asarray(n * (n - 1.0) / 2, dtype=np.float64)


class SubstitutionEmbedder(CountingEstimator):
    """Similarity is the substitution score itself; the vectors are its rows.

    >>> from actalike import EventLog, count_windows
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"]])
    >>> SubstitutionEmbedder().fit(log).embedding_.most_similar("a", topn=1)[0][0]
    'b'
    """

    family = "substitution"
    parts = ("count", "matrix", "scores")

    def __init__(self, window: int = 3) -> None:
        self.window = window

    @property
    def name(self) -> str:  # type: ignore[override]
        """Return the method's name in the registry."""
        return f"substitution-w{self.window}"

    def embed_counts(self, table: WindowCounts, lap: Lap) -> Embedding:
        """Return the scores of all pairs."""
        activity_context(table, "sequence")  # kept with the table, where substitution_scores finds it
        lap("matrix")
        embedding = Embedding(table.activities, substitution_scores(table), method=self.name, compare="scores")
        lap("scores")
        return embedding
