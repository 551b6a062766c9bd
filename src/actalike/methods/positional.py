"""Embed activities by counting which neighbour stands at which position around them.

A count method compares whole contexts. Here every neighbour counts separately, so two activities that share only some of their
neighbours are still somewhat alike.
"""

from typing import Literal

from actalike.counting import WindowCounts
from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.matrices import WEIGHTINGS, activity_position, hellinger
from actalike.methods.contract import Lap
from actalike.methods.refinements import RefinedEstimator, check_switches, switches_in_name

POSITIONAL_WEIGHTINGS = {**WEIGHTINGS, "hellinger": hellinger}


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
            raise ActalikeError(f"weighting={self.weighting!r} is none of {', '.join(POSITIONAL_WEIGHTINGS)}.")
        check_switches(self.get_params())

    def embed_counts(self, table: WindowCounts, lap: Lap) -> Embedding:
        """Return the weighted rows of the matrix."""
        matrix = activity_position(table)
        lap("matrix")
        return self._weighted(matrix, POSITIONAL_WEIGHTINGS[self.weighting], lap)
