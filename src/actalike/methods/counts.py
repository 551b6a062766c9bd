"""The twelve count methods: {activity-context, activity-activity} x {sequence, multiset} x {raw, PMI, PPMI}."""

from typing import Literal, Self

from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.matrices import activity_activity, activity_context
from actalike.methods.refinements import RefinedEstimator, check_switches, switches_in_name
from actalike.weighting import WEIGHTINGS
from actalike.windows import WindowCounts, count_windows

MATRICES = {"activity-context": activity_context, "activity-activity": activity_activity}
SHORT = {"activity-context": "ac", "activity-activity": "aa"}
CONTEXTS = ("sequence", "multiset")


class CountEmbedder(RefinedEstimator):
    """Count the windows, make the matrix, weight it: its rows are the vectors. The last four parameters are refinements.

    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"]])
    >>> embedder = CountEmbedder(matrix="activity-context", weighting="raw").fit(log)
    >>> embedder.embedding_.similarity("a", "b")
    1.0
    >>> embedder
    CountEmbedder(matrix='activity-context', weighting='raw')
    >>> CountEmbedder(weighting="ppmi", shift=5, dimension=1).fit(log).embedding_
    Embedding(aa-sequence-ppmi-w3+shift5+svd1, 4 activities x 1 dimensions)
    """

    embedding_: Embedding
    takes_counts = True  # also fits a table of window counts

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
    def name(self) -> str:  # type: ignore[override]
        """The method's name in the registry."""
        return f"{SHORT[self.matrix]}-{self.context}-{self.weighting}-w{self.window}{switches_in_name(self.get_params())}"

    def fit(self, log: EventLog | WindowCounts) -> Self:
        """Embed the activities of a log, or of a table that was counted with this window or a larger one."""
        for parameter, choices in (("matrix", MATRICES), ("context", CONTEXTS), ("weighting", WEIGHTINGS)):
            if getattr(self, parameter) not in choices:
                raise ActalikeError(f"{parameter}={getattr(self, parameter)!r} is none of {', '.join(choices)}.")
        check_switches(self.get_params())
        self.check_source(log)
        table = log.marginal(self.window) if isinstance(log, WindowCounts) else count_windows(log, self.window)
        self.embedding_ = self._embed(MATRICES[self.matrix](table, self.context), WEIGHTINGS[self.weighting], log)
        return self
