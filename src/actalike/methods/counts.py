"""Embed activities by the count methods: {activity-context, activity-activity} x {sequence, multiset} x {raw, PMI, PPMI}."""

from typing import Literal

from actalike.counting import WindowCounts
from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.matrices import WEIGHTINGS, activity_activity, activity_context
from actalike.methods.contract import Lap
from actalike.methods.refinements import RefinedEstimator, check_switches, switches_in_name

MATRICES = {"activity-context": activity_context, "activity-activity": activity_activity}
SHORT = {"activity-context": "ac", "activity-activity": "aa"}
CONTEXTS = ("sequence", "multiset")


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
                raise ActalikeError(f"{parameter}={getattr(self, parameter)!r} is none of {', '.join(choices)}.")
        check_switches(self.get_params())

    def embed_counts(self, table: WindowCounts, lap: Lap) -> Embedding:
        """Return the weighted rows of the matrix."""
        matrix = MATRICES[self.matrix](table, self.context)
        lap("matrix")
        return self._weighted(matrix, WEIGHTINGS[self.weighting], lap)
