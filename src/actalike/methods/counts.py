"""Embed activities by counts: the twelve methods of the paper for any window, counts by position, and the one-hot baseline.

{activity-context, activity-activity} x {sequence, multiset} x {raw, PMI, PPMI}: the definitions are in :mod:`actalike.matrices`.
"""

from collections.abc import Callable
from typing import Literal, Self

from scipy.sparse import csr_array, eye_array

from actalike.counting import WindowCounts
from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.matrices import (
    WEIGHTINGS,
    CountMatrix,
    activity_activity,
    activity_context,
    activity_position,
    hellinger,
    reduce_rows,
    shift_and_smooth,
)
from actalike.methods.registry import CountingEstimator, Estimator, Lap, check_switches, switches_in_name

MATRICES = {"activity-context": activity_context, "activity-activity": activity_activity}
SHORT = {"activity-context": "ac", "activity-activity": "aa"}
CONTEXTS = ("sequence", "multiset")
POSITIONAL_WEIGHTINGS = {**WEIGHTINGS, "hellinger": hellinger}


class RefinedEstimator(CountingEstimator):
    """Weight a count matrix, with refinements.

    - ``shift``: the k of shifted PMI, ``PMI - ln k`` for cells that are not 0 (PPMI: ``max(0, PMI - ln k)``).
    - ``smoothing``: the α of context-distribution smoothing: the probability of a column is ``n(c)^α / Σ n(c')^α``.
    - ``dimension``, ``exponent``: d and p of ``U_d Σ_d^p``, whose rows replace those of the weighted matrix ``U Σ Vᵀ``.
    """

    parts = ("count", "matrix", "weighting")
    shift: float
    smoothing: float
    dimension: int | None
    exponent: float

    @property
    def explains(self) -> bool:  # type: ignore[override]
        """Return whether the dimensions are contexts. Those of an SVD are not."""
        return self.dimension is None and self.exponent == 1

    def _weighted(self, matrix: CountMatrix, weight: Callable[..., csr_array], lap: Lap) -> Embedding:
        """Return the embedding of a count matrix, weighted and refined."""
        counts, rows, columns, total, contexts = matrix
        weights = weight(counts, rows, shift_and_smooth(columns, contexts.places, self.shift, self.smoothing), total)
        if self.explains:
            embedding = Embedding(contexts.activities, weights, contexts, self.name)
        else:
            embedding = Embedding(contexts.activities, reduce_rows(weights, self.dimension, self.exponent), method=self.name)
        lap("weighting")
        return embedding


class CountEmbedder(RefinedEstimator):
    """Count the windows, build the matrix and weight it: its rows are the vectors.

    ``shift``, ``smoothing``, ``dimension`` and ``exponent`` are refinements, see :class:`RefinedEstimator`.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"]])
    >>> embedder = CountEmbedder(matrix="activity-context", weighting="raw").fit(log)
    >>> embedder.embedding_.similarity("a", "b")
    1.0
    >>> embedder
    CountEmbedder(matrix='activity-context', weighting='raw')
    >>> CountEmbedder(weighting="ppmi", shift=5, dimension=1).fit(log).embedding_
    Embedding(aa-sequence-ppmi-w3+shift5+svd1, 4 activities x 1 dimensions)
    """

    def __init__(
        self,
        matrix: Literal["activity-context", "activity-activity"] = "activity-activity",
        context: Literal["sequence", "multiset"] = "sequence",
        weighting: Literal["raw", "pmi", "ppmi"] = "pmi",
        window: int = 3,
        shift: float = 1,
        smoothing: float = 1,
        dimension: int | None = None,
        exponent: float = 1,
    ) -> None:
        self.matrix = matrix
        self.context = context
        self.weighting = weighting
        self.window = window
        self.shift = shift
        self.smoothing = smoothing
        self.dimension = dimension
        self.exponent = exponent

    @property
    def family(self) -> str:  # type: ignore[override]
        """Return the kind of matrix."""
        return self.matrix.replace("-", " x ")

    @property
    def name(self) -> str:  # type: ignore[override]
        """Return the method's name in the registry."""
        return f"{SHORT[self.matrix]}-{self.context}-{self.weighting}-w{self.window}{switches_in_name(self.get_params())}"

    def check_parameters(self) -> None:
        """Raise an error for parameter values that are not allowed."""
        for parameter, choices in (("matrix", MATRICES), ("context", CONTEXTS), ("weighting", WEIGHTINGS)):
            if getattr(self, parameter) not in choices:
                raise ActalikeError(f"{parameter}={getattr(self, parameter)!r} must be one of {', '.join(choices)}.")
        check_switches(self.get_params())

    def embed_counts(self, table: WindowCounts, lap: Lap) -> Embedding:
        """Return the weighted rows of the matrix."""
        matrix = MATRICES[self.matrix](table, self.context)
        lap("matrix")
        return self._weighted(matrix, WEIGHTINGS[self.weighting], lap)


class PositionalEmbedder(RefinedEstimator):
    """Count activities by position and neighbour, and weight the counts: the rows of the matrix are the vectors.

    ``shift``, ``smoothing``, ``dimension`` and ``exponent`` are refinements, see :class:`RefinedEstimator`.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "z"]])
    >>> embedding = PositionalEmbedder("hellinger", window=3).fit(log).embedding_
    >>> round(embedding.similarity("a", "b"), 2)
    0.5
    >>> embedding.explain("a", "b")[0].context
    'x → ●'
    """

    family = "positional"

    def __init__(
        self,
        weighting: Literal["raw", "pmi", "ppmi", "hellinger"] = "pmi",
        window: int = 5,
        shift: float = 1,
        smoothing: float = 1,
        dimension: int | None = None,
        exponent: float = 1,
    ) -> None:
        self.weighting = weighting
        self.window = window
        self.shift = shift
        self.smoothing = smoothing
        self.dimension = dimension
        self.exponent = exponent

    @property
    def name(self) -> str:  # type: ignore[override]
        """Return the method's name in the registry."""
        return f"positional-{self.weighting}-w{self.window}{switches_in_name(self.get_params())}"

    def check_parameters(self) -> None:
        """Raise an error for parameter values that are not allowed."""
        if self.weighting not in POSITIONAL_WEIGHTINGS:
            raise ActalikeError(f"weighting={self.weighting!r} must be one of {', '.join(POSITIONAL_WEIGHTINGS)}.")
        check_switches(self.get_params())

    def embed_counts(self, table: WindowCounts, lap: Lap) -> Embedding:
        """Return the weighted rows of the matrix."""
        matrix = activity_position(table)
        lap("matrix")
        return self._weighted(matrix, POSITIONAL_WEIGHTINGS[self.weighting], lap)


class OneHotEmbedder(Estimator):
    """Take the rows of the identity matrix as vectors: the distance between any two activities is 1.

    >>> OneHotEmbedder().fit(EventLog.from_traces([["a", "b"]])).embedding_.distances().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """

    name = "one-hot"
    family = "one-hot"
    window = 1  # it needs no neighbour
    takes = "counts"
    passes_over = "activities, once"

    def fit(self, log: EventLog | WindowCounts) -> Self:
        """Give each activity a dimension of its own."""
        self.check_source(log)
        self.embedding_ = Embedding(log.activities, csr_array(eye_array(len(log.activities))), method=self.name)
        return self
