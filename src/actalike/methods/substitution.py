"""Score which activities replace each other in equal contexts (Bose and van der Aalst, 2009), as is done for proteins.

All scores are computed from n_a(c), the number of windows with focal activity a and sequence context c.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from actalike.counting import WindowCounts, check_counts
from actalike.embedding import Embedding
from actalike.matrices import activity_context
from actalike.methods.registry import CountingEstimator, Lap, fewer_activities
from actalike.support.memory import require_memory

Floats = NDArray[np.float64]


def substitution_scores(counts: WindowCounts) -> Floats:
    """Return how much more often than by chance two activities replace each other; rows and columns as ``counts.activities``.

    C counts pairs of events with equal contexts: C(a, b) = Σ_c n_a(c) n_b(c) and C(a, a) = Σ_c n_a(c) (n_a(c) - 1) / 2. Their
    shares are M = C / ΣC, the sum over all ordered pairs, and p(a) = Σ_b M(a, b). By chance, E(a, a) = p(a)² and
    E(a, b) = 2 p(a) p(b) are expected. (M counts the pairs (a, b) and (b, a) apart, and E both together: two activities that
    replace each other as often as by chance have -ln 2, not 0.) The score is ln(M / E); ln(E) if the pair never occurs; 0 if it
    cannot occur (E = 0).
    If no context is repeated, all scores are 0.

    >>> from actalike import EventLog, count_windows
    >>> log = EventLog.from_traces([list("abcde"), list("abdde"), list("adcde"), list("acde")])
    >>> substitution_scores(count_windows(log, 3)).round(3).tolist()[1]  # of b with a, b, c, d, e
    [-4.159, -4.159, 0.693, -0.223, -2.367]
    """
    check_counts(counts)
    _require_memory(len(counts.activities), counts.window)
    pairs, p = _pairs_of(counts)
    possible = p > 0
    logs = np.log(p, out=np.zeros_like(p), where=possible)
    scores = logs[:, np.newaxis] + logs  # ln E as a sum, which saves a logarithm for each pair
    scores += np.log(2)
    np.fill_diagonal(scores, 2 * logs)
    scores[~possible] = 0.0
    scores[:, ~possible] = 0.0
    scores[pairs.row, pairs.col] = np.log(pairs.data) - scores[pairs.row, pairs.col]
    return scores


def insertion_scores(counts: WindowCounts) -> Floats:
    """Return how readily an activity a (row) is inserted to the right of an activity l (column).

    I(a, l) = Σ n_a(c) (n_a(c) - 1) / 2 over the contexts c with l directly left of a, divided by the same sum over all contexts
    of a (including those with PAD on the left). With p as in :func:`substitution_scores`, the score is ln(I(a, l) / (p(a) p(l))).
    It is 0 if a never repeats a context with l, or if l is in no pair.

    >>> from actalike import EventLog, count_windows
    >>> log = EventLog.from_traces([["x", "a", "y"]] * 2 + [["y", "a", "x"]] * 2)
    >>> insertion_scores(count_windows(log, 3)).round(2).tolist()[0]  # of a after a, x, y
    [0.0, 2.49, 2.49]
    """
    check_counts(counts)
    _require_memory(len(counts.activities), counts.window)
    matrix = activity_context(counts, "sequence")
    x, contexts = matrix.counts, matrix.contexts
    n = len(counts.activities)
    scores = np.zeros((n, n))
    if counts.left == 0:
        return scores  # the window has no symbols on the left
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


def _require_memory(n: int, window: int) -> None:
    """Raise an error if there is not enough memory for the scores of all pairs: five arrays while they are computed."""
    require_memory(5 * 8 * n * n, f"Scores of all pairs of {n:,} activities", fewer_activities(window))


def _pairs_of(counts: WindowCounts) -> tuple[coo_array, Floats]:
    """Return M as a sparse matrix, and p."""
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
    """Return the number of pairs among n."""
    return np.asarray(n * (n - 1.0) / 2, dtype=np.float64)


class SubstitutionEmbedder(CountingEstimator):
    """Take substitution scores as similarities, and their rows as vectors.

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

    def check_size(self, n: int) -> None:
        """Raise an error if there is not enough memory for n activities."""
        _require_memory(n, int(self.window))

    def embed_counts(self, table: WindowCounts, lap: Lap) -> Embedding:
        """Return the scores of all pairs."""
        activity_context(table, "sequence")  # kept with the table, where substitution_scores finds it
        lap("matrix")
        embedding = Embedding(table.activities, substitution_scores(table), method=self.name, compare="scores")
        lap("scores")
        return embedding
