"""Hold a vector for each activity, and compare, explain, save and export the vectors."""

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import nullcontext
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy.sparse import csr_array, issparse

from actalike.embedding import files
from actalike.embedding.files import EmbeddingParts, read_embedding, write_embedding
from actalike.embedding.resampling import FEWEST_RESAMPLES, LEVEL, RESAMPLES, Confidence, Resampler
from actalike.embedding.shares import CodedShare, Explanation, Share, largest_first, share_of
from actalike.errors import ActalikeError, UnknownActivityError, did_you_mean
from actalike.matrices import Contexts, are_cosines, factor
from actalike.support.arrays import one_thread
from actalike.support.frames import as_kind
from actalike.support.memory import require_memory
from actalike.support.progress import tracked
from actalike.support.saved import StoredFile
from actalike.support.text import and_more, card, label_html

Vectors: TypeAlias = Any  # scipy CSR (which has no types) or numpy
Floats = NDArray[np.float64]

_SHOWN = 10  # pairs in a notebook
_FEW = 1000  # activities: their product takes milliseconds, less than a second thread spends on waiting for more work


class Embedding:
    """Hold activities as vectors and compare them by the cosine of their angle.

    ``vectors`` is an array of numpy with a row for each of ``activities``, in that order. ``stored_vectors`` is what it is made
    of: sparse (scipy's ``csr_array``) if a method counts contexts, which are many, else the same array. ``contexts`` describes
    what the columns stand for, and so explains why two activities are alike. A method whose similarities are not sums over
    columns has an ``explanation`` of its own. Without either, there are no explanations.

    A method that computes cosines instead of vectors provides ``cosines`` (symmetric, no negative eigenvalues). Vectors with
    these cosines are computed when ``vectors`` is first used.

    A method that scores pairs without vectors uses ``compare="scores"``. Then ``vectors`` holds the scores, one column for each
    activity. The similarity of two activities is their score, on any scale, and their distance is the negative score.

    >>> import actalike
    >>> log = actalike.EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c", "x"]])
    >>> embedding = actalike.embed(log, "ac-sequence-raw-w3")
    >>> embedding.most_similar("a", topn=1)
    [('b', 1.0)]
    >>> embedding.explain("a", "b")
    [Share(kind='between', share=1.0, symbols=('x', 'y'), place=1)]
    >>> embedding.explain("a", "b")[0].context
    'x → ● → y'
    """

    def __init__(
        self,
        activities: Sequence[str],
        vectors: Vectors | None = None,
        contexts: Contexts | None = None,
        method: str | None = None,
        compare: Literal["cosine", "scores"] = "cosine",
        explanation: Explanation | None = None,
        cosines: NDArray[np.float64] | None = None,
        resampler: Resampler | None = None,
    ) -> None:
        self.activities = list(activities)
        self.cosines = None if cosines is None else np.asarray(cosines, dtype=np.float64)
        self._has_vectors = vectors is not None
        self.resampler = resampler
        self.contexts = contexts
        self.method = method
        self.compare = compare
        self.explanation = explanation
        if len(set(self.activities)) < len(self.activities):
            raise ActalikeError("Two rows of an embedding belong to the same activity.")
        if compare not in ("cosine", "scores"):
            raise ActalikeError(f"compare={compare!r} must be 'cosine' or 'scores'.")
        if self.cosines is not None:
            if not are_cosines(self.cosines, len(self.activities)):
                raise ActalikeError(
                    f"The cosines of {method or 'an embedding'} are not a symmetric array, from -1 to 1, 1 for itself."
                )
            if vectors is None:
                return
        self.stored_vectors = csr_array(vectors) if issparse(vectors) else np.asarray(vectors, dtype=np.float64)
        if self.stored_vectors.ndim != 2 or self.stored_vectors.shape[0] != len(self.activities):
            raise ActalikeError(f"Vectors of shape {self.stored_vectors.shape} do not match {len(self.activities)} activities.")
        if contexts is not None and len(contexts) != self.stored_vectors.shape[1]:
            raise ActalikeError(f"{len(contexts)} contexts do not match {self.stored_vectors.shape[1]} dimensions.")
        if not np.isfinite(self.stored_vectors.data if issparse(vectors) else self.stored_vectors).all():
            raise ActalikeError(f"The vectors of {method or 'an embedding'} contain infinite numbers or NaN.")
        if compare == "scores" and (issparse(vectors) or not np.array_equal(self.stored_vectors, self.stored_vectors.T)):
            raise ActalikeError(f"The scores of {method or 'an embedding'} are not a symmetric array, a score for each pair.")

    @property
    def vectors(self) -> Floats:
        """Return the vectors as an array of numpy, one row for each activity.

        >>> Embedding(["a", "b"], csr_array([[1.0, 0.0], [0.0, 2.0]])).vectors
        array([[1., 0.],
               [0., 2.]])
        """
        return files.dense_vectors(self.stored_vectors, "An array")

    @cached_property
    def stored_vectors(self) -> Vectors:
        """Return the vectors as they are held and saved; if only cosines were given, compute vectors with these cosines."""
        self._require_arrays(4, "Vectors")
        assert self.cosines is not None
        return factor(self.cosines)

    @cached_property
    def _position(self) -> dict[str, int]:
        return {label: i for i, label in enumerate(self.activities)}

    @cached_property
    def _units(self) -> Vectors:
        """Return the vectors scaled to length 1; a zero vector stays zero."""
        vectors = self.stored_vectors
        if not isinstance(vectors, csr_array):
            return vectors * _inverse_norms((vectors**2).sum(axis=1))[:, np.newaxis]
        in_row = np.diff(vectors.indptr)
        row = np.repeat(np.arange(vectors.shape[0]), in_row)
        squares = np.bincount(row, weights=vectors.data**2, minlength=vectors.shape[0]).astype(np.float64, copy=False)
        data = vectors.data * np.repeat(_inverse_norms(squares), in_row)
        return csr_array((data, vectors.indices, vectors.indptr), shape=vectors.shape)

    def distances(self) -> NDArray[np.float64]:
        """Return all cosine distances, ``1 - u·v / (|u| |v|)``: a symmetric array, 0 on the diagonal.

        A zero vector has distance 1 to every other activity. If activities are compared by scores, the distances are the negative
        scores, also on the diagonal.
        """
        self._require_arrays(3, "All distances")
        if self.compare == "scores":
            return -self.stored_vectors
        if self.cosines is not None:
            return np.clip(1.0 - self.cosines, 0.0, 2.0)
        units = self._units
        if isinstance(units, csr_array) and _is_better_dense(units):
            units = units.toarray()
        with one_thread() if len(self.activities) <= _FEW else nullcontext():
            product = units @ units.T
        if issparse(product) and 8 * product.nnz > len(self.activities) ** 2:
            product = product.toarray()
        both = product + product.T  # exactly symmetric
        if isinstance(both, csr_array):  # most pairs have no context in common: their distance is 1
            row = np.repeat(np.arange(both.shape[0]), np.diff(both.indptr))
            distances = np.ones(both.shape)
            distances[row, both.indices] = np.clip(both.data * -0.5 + 1.0, 0.0, 2.0)
        else:
            distances = both
            distances *= -0.5
            distances += 1.0
            np.clip(distances, 0.0, 2.0, out=distances)
        np.fill_diagonal(distances, 0.0)
        return distances

    def similarities_of(self, numbers: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the similarities of all pairs of some activities, given by their positions; scores as they are."""
        if self.compare == "scores":
            return np.asarray(self.stored_vectors[np.ix_(numbers, numbers)])
        if self.cosines is not None:
            return 1.0 - np.clip(1.0 - self.cosines[np.ix_(numbers, numbers)], 0.0, 2.0)
        if len(numbers) == len(self.activities):
            return 1.0 - self.distances()[np.ix_(numbers, numbers)]
        return 1.0 - Embedding([self.activities[i] for i in numbers.tolist()], self.stored_vectors[numbers]).distances()

    def _require_arrays(self, arrays: int, what: str) -> None:
        """Raise an error if there is not enough memory for so many arrays of all pairs of activities."""
        n = len(self.activities)
        remedy = "merge rare activities, or compare one at a time (most_similar)"
        require_memory(arrays * 8 * n * n, f"{what} of {n:,} activities", remedy)

    def _similarities(self, rows: slice) -> NDArray[np.float64]:
        """Return the similarities of some activities with all activities."""
        if self.compare == "scores":
            return self.stored_vectors[rows]
        if self.cosines is not None:
            return self.cosines[rows]
        product = self._units[rows] @ self._units.T
        return np.clip(product.toarray() if issparse(product) else product, -1.0, 1.0)

    def similarity(self, a: str, b: str) -> float:
        """Return the cosine of two activities, which is 1 minus their distance, or their score."""
        i, j = self._find(a), self._find(b)
        if self.compare == "scores":
            return float(self.stored_vectors[i, j])
        if self.cosines is not None:
            return float(self.cosines[i, j])
        if i == j:
            return 1.0
        _, products = self._products(i, j)
        return float(np.clip(products.sum(), -1.0, 1.0))

    def most_similar(self, a: str, topn: int | None = 5) -> list[tuple[str, float]]:
        """Return the activities most similar to ``a``, the most similar first; all if ``topn`` is None.

        Activities of equal similarity are in the order of their labels.
        """
        check_topn(topn)
        i = self._find(a)
        similarities = self._similarities(slice(i, i + 1))[0]
        order = np.argsort(-similarities.round(12), kind="stable")
        others = [(self.activities[j], float(similarities[j])) for j in order if j != i]
        return others[:topn]

    def most_similar_pairs(self, topn: int | None = 10, among: Collection[str] | None = None) -> list[tuple[str, str, float]]:
        """Return the most similar pairs of activities, the most similar first; all pairs if ``topn`` is None.

        ``among`` restricts the pairs to these activities, for example to frequent ones.
        """
        check_topn(topn)
        self._require_arrays(5, "All pairs")
        n = len(self.activities)
        allowed = np.ones(n, dtype=bool) if among is None else np.isin(np.arange(n), [self._find(label) for label in among])
        first, second = np.nonzero(np.triu(np.outer(allowed, allowed), 1))
        similarities = self._similarities(slice(None))[first, second]
        order = np.argsort(-similarities.round(12), kind="stable")[:topn]  # equal ones stay in the order of the labels
        pairs = zip(first[order].tolist(), second[order].tolist(), similarities[order].tolist(), strict=True)
        return [(self.activities[i], self.activities[j], similarity) for i, j, similarity in pairs]

    def confidence(self, a: str, b: str, resamples: int = RESAMPLES, level: float = LEVEL, seed: int = 0) -> Confidence:
        """Return the 95 % interval of a similarity (cases resampled), or that an activity is too rare to judge.

        Only methods that count windows, such as kin, have intervals, and only if they embed a log; a stored embedding no longer
        has the cases.

        >>> import actalike
        >>> log = actalike.EventLog.from_traces([["x", "a", "y"]] * 30 + [["x", "b", "y"]] * 20 + [["x", "c"]])
        >>> actalike.embed(log, "kin-w3").confidence("a", "b").low > 0.9
        True
        >>> str(actalike.embed(log, "kin-w3").confidence("a", "c"))
        'too rare to judge'
        """
        return self.confidences([(a, b)], resamples, level, seed)[0]

    def confidences(
        self,
        pairs: Sequence[tuple[str, str]],
        resamples: int = RESAMPLES,
        level: float = LEVEL,
        seed: int = 0,
        done: Callable[[str], object] = lambda step: None,
    ) -> list[Confidence]:
        """Return the intervals of several pairs at the cost of one: all pairs use the same resamples.

        ``done`` is called after each resample with what was done.
        """
        if self.resampler is None:
            raise ActalikeError(
                f"{self.method or 'This embedding'} has no cases to resample: embed an EventLog with kin-w5 or a count method."
            )
        if not isinstance(resamples, int | np.integer) or resamples < FEWEST_RESAMPLES or not 0 < level < 1:
            raise ActalikeError(
                f"resamples={resamples} must be an integer >= {FEWEST_RESAMPLES}, and level={level} between 0 and 1."
            )
        similarities = [self.similarity(a, b) for a, b in pairs]
        limit = 1.0 if self.compare == "cosine" else math.inf
        with tracked("resampling cases", resamples) as advance:

            def resampled(step: str) -> None:
                advance(step)
                done(step)

            return self.resampler.confidences(pairs, similarities, limit, resamples, level, seed, resampled)

    def explain(self, a: str, b: str, topn: int | None = 10) -> list[Share]:
        """Explain why two activities are alike: return each context's exact share of their cosine, ``u_c v_c / (|u| |v|)``.

        The largest shares come first; negative ones (with PMI) make the two less alike. All shares together (``topn=None``) sum
        to the similarity. The exception is an activity with a zero vector, which has similarity 1 to itself but no shares. For an
        activity x activity method, the contexts are activities.
        """
        check_topn(topn)
        return [share_of(part, self.activities) for part in self.shares(self._find(a), self._find(b), topn)]

    @property
    def explains(self) -> bool:
        """Return whether there are explanations."""
        return self.explanation is not None or self.contexts is not None

    def shares(self, i: int, j: int, topn: int | None = None) -> list[CodedShare]:
        """Return the shares of two activities, given by their positions, the largest first; :meth:`explain` adds the labels."""
        if self.explanation is not None:
            return self.explanation.shares(i, j, topn)
        if self.contexts is None:
            raise ActalikeError(
                f"{self.method or 'This embedding'} has no explanations: its similarities are not sums over shared contexts. "
                "Use kin-w5, or one of the count methods."
            )
        columns, products = self._products(i, j)
        kind = self.contexts.share_kind
        return [
            CodedShare(kind, float(products[k]), *self.contexts.column(int(columns[k]))) for k in largest_first(products, topn)
        ]

    def _products(self, i: int, j: int) -> tuple[NDArray[np.signedinteger[Any]], NDArray[np.float64]]:
        """Return the dimensions in which neither vector is zero, and the products of the unit vectors there."""
        units = self._units
        if isinstance(units, csr_array):
            rows = [slice(units.indptr[row], units.indptr[row + 1]) for row in (i, j)]
            columns, at_i, at_j = np.intersect1d(
                units.indices[rows[0]], units.indices[rows[1]], assume_unique=True, return_indices=True
            )
            return columns, units.data[rows[0]][at_i] * units.data[rows[1]][at_j]
        shares = units[i] * units[j]
        columns = np.flatnonzero(shares)
        return columns, shares[columns]

    def __getitem__(self, activity: str) -> NDArray[np.float64]:
        """Return the vector of an activity as a dense array.

        >>> embedding = Embedding(["a", "b"], csr_array([[1.0, 0.0], [0.0, 2.0]]))
        >>> embedding["b"], "b" in embedding, len(embedding)
        (array([0., 2.]), True, 2)
        """
        row = self.stored_vectors[[self._find(activity)]]
        return np.asarray(row.toarray() if issparse(row) else row, dtype=np.float64)[0]

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """Return the vectors as an array of numpy, one row for each activity.

        >>> np.asarray(Embedding(["a", "b"], csr_array([[1.0, 0.0], [0.0, 2.0]])))
        array([[1., 0.],
               [0., 2.]])
        """
        return np.array(files.dense_vectors(self.stored_vectors, "An array"), dtype)  # a copy: changing it changes nothing here

    def __contains__(self, activity: object) -> bool:
        return isinstance(activity, str) and activity in self._position

    def __len__(self) -> int:
        return len(self.activities)

    def __iter__(self) -> Iterator[str]:
        return iter(self.activities)

    def __bool__(self) -> bool:
        return True  # also with no activities

    def _find(self, activity: str) -> int:
        """Return the position of an activity, or raise an error that suggests a similar label."""
        if not isinstance(activity, str):
            raise UnknownActivityError(
                f"An activity must be a label (a string), not {type(activity).__name__}: embedding.activities lists them, and "
                "embedding.vectors has a row for each."
            )
        position = self._position.get(activity)
        if position is None:
            raise UnknownActivityError(
                f"No activity is called {activity!r}.{did_you_mean(activity, self.activities)} "
                f"There are {len(self.activities)} activities."
            )
        return position

    def to_frame(self, kind: Literal["polars", "pandas", "pyarrow"] = "polars") -> Any:
        """Return a frame with the column ``activity`` and a column for each dimension, zeros included.

        >>> Embedding(["a", "b"], [[1.0], [2.0]]).to_frame("pandas").columns.tolist()
        ['activity', 'dim_0']
        """
        return as_kind(files.vector_frame(self.activities, self.stored_vectors, self.contexts), kind)

    def to_word2vec(self, path: str | Path) -> None:
        """Write word2vec's text format; :meth:`from_word2vec` and gensim read it.

        A word of this format ends at a space, so ``Check invoice`` is written as ``Check%20invoice``: white space, control
        characters and ``%`` are percent-encoded, and so no two labels become one. ``Embedding.from_word2vec(path).to_gensim()``
        gives gensim the labels as they are. Readers of this format compare by cosines. If activities are compared by scores, the
        vectors are the rows of scores.
        """
        files.to_word2vec(self.activities, self.stored_vectors, path)

    @classmethod
    def from_word2vec(cls, path: str | Path) -> "Embedding":
        """Read vectors in word2vec's text format, and restore escaped labels."""
        return cls(*files.from_word2vec(path))

    def to_gensim(self) -> Any:
        """Return the vectors as gensim's ``KeyedVectors``, with the labels as they are. Needs gensim (extra ``neural``).

        The numbers have 32 bits, as usual in gensim, which compares by cosines. If activities are compared by scores, the vectors
        are the rows of scores.

        >>> keyed = Embedding(["Check invoice", "Pay"], [[1.0, 0.0], [0.0, 2.0]]).to_gensim()
        >>> keyed["Check invoice"].tolist()
        [1.0, 0.0]
        """
        return files.to_gensim(self.activities, self.stored_vectors)

    def to_projector(self, directory: str | Path) -> None:
        """Write ``tensors.tsv`` and ``metadata.tsv`` for the TensorFlow Embedding Projector."""
        files.to_projector(self.activities, self.stored_vectors, directory)

    def save(self, path: str | Path) -> None:
        """Write the embedding to a file that :func:`actalike.load` reads; see docs/file_formats.md."""
        parts = (self.activities, self.stored_vectors, self.contexts, self.method, self.compare, self.explanation, self.cosines)
        write_embedding(EmbeddingParts(*parts), path)

    @classmethod
    def from_file(cls, file: StoredFile) -> "Embedding":
        """Return a stored embedding, or raise an error if its parts contradict each other."""
        return cls(*read_embedding(file))

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the method, the size, and the most similar pairs."""
        n = len(self.activities)
        facts = [("method", self.method or "unnamed"), ("activities", f"{n:,}")]
        if self._has_vectors:  # otherwise they would be computed for this alone
            facts.append(("dimensions", f"{self.stored_vectors.shape[1]:,}"))
        pairs = self.most_similar_pairs(_SHOWN)
        full_bar = 1.0 if self.compare == "cosine" else max((value for *_, value in pairs), default=0.0)
        rows = [
            (f"{label_html(a)} and {label_html(b)}", f"{value:.3f}", value / full_bar if full_bar > 0 else 0.0)
            for a, b, value in pairs
        ]
        not_shown = n * (n - 1) // 2 - len(pairs)
        return card("Embedding", facts, ("most alike", "similarity"), rows, and_more(not_shown, "pair", "pairs"))

    def __repr__(self) -> str:
        dimensions = f" x {self.stored_vectors.shape[1]:,} dimensions" if self._has_vectors else ""  # they would be computed
        return f"Embedding({self.method or 'unnamed'}, {len(self.activities):,} activities{dimensions})"


def check_topn(topn: int | None) -> None:
    """Raise an error if the number of results is negative."""
    if topn is not None and topn < 0:
        raise ActalikeError(f"topn={topn} must be >= 0 or None.")


def _inverse_norms(squares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 1 / length of each vector, 0 for a zero vector."""
    norms = np.sqrt(squares)
    return np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > 0)


def _is_better_dense(matrix: csr_array) -> bool:
    """Return whether the product of a matrix with its transpose is faster dense; False for large matrices, to save memory."""
    rows, columns = matrix.shape
    sparse_steps = int((np.bincount(matrix.indices) ** 2).sum()) if matrix.nnz else 0
    return rows * columns <= 1 << 22 and rows * rows * columns <= 300 * sparse_steps  # 300: measured
