"""Positional methods: who stands at which place around an activity, each place for itself.

Where a count method compares whole contexts, here every neighbour counts alone: two activities that share only some of their
surroundings are still a little alike.
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
    """Columns are pairs of a place in the window and the neighbour there; weighted by ``weighting``, and refined.

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
        """Refuse parameters that mean nothing."""
        if self.weighting not in POSITIONAL_WEIGHTINGS:
            raise ActalikeError(f"weighting={self.weighting!r} is none of {', '.join(POSITIONAL_WEIGHTINGS)}.")
        check_switches(self.get_params())

    def embed_counts(self, table: WindowCounts, lap: Lap) -> Embedding:
        """Return the weighted rows of the matrix."""
        matrix = activity_position(table)
        lap("matrix")
        return self._weighted(matrix, POSITIONAL_WEIGHTINGS[self.weighting], lap)
