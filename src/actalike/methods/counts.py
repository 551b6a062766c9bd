"""The twelve count methods: {activity-context, activity-activity} x {sequence, multiset} x {raw, PMI, PPMI}."""

from typing import Literal, Self

from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.matrices import activity_activity, activity_context
from actalike.methods.estimator import Estimator
from actalike.weighting import WEIGHTINGS
from actalike.windows import WindowCounts, count_windows

MATRICES = {"activity-context": activity_context, "activity-activity": activity_activity}
SHORT = {"activity-context": "ac", "activity-activity": "aa"}
CONTEXTS = ("sequence", "multiset")


class CountEmbedder(Estimator):
    """Count the windows, make the matrix, weight it: its rows are the vectors.

    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"]])
    >>> embedder = CountEmbedder(matrix="activity-context", weighting="raw").fit(log)
    >>> embedder.embedding_.similarity("a", "b")
    1.0
    >>> embedder
    CountEmbedder(matrix='activity-context', weighting='raw')
    """

    embedding_: Embedding
    takes_counts = True  # also fits a table of window counts

    def __init__(
        self,
        matrix: Literal["activity-context", "activity-activity"] = "activity-activity",
        context: Literal["sequence", "multiset"] = "sequence",
        weighting: Literal["raw", "pmi", "ppmi"] = "pmi",
        window: int = 3,
    ) -> None:
        self.matrix = matrix
        self.context = context
        self.weighting = weighting
        self.window = window

    @property
    def name(self) -> str:
        """The method's name in the registry."""
        return f"{SHORT[self.matrix]}-{self.context}-{self.weighting}-w{self.window}"

    def fit(self, log: EventLog | WindowCounts) -> Self:
        """Embed the activities of a log, or of a table that was counted with this window or a larger one."""
        self.check_source(log)
        for parameter, choices in (("matrix", MATRICES), ("context", CONTEXTS), ("weighting", WEIGHTINGS)):
            if getattr(self, parameter) not in choices:
                raise ActalikeError(f"{parameter}={getattr(self, parameter)!r} is none of {', '.join(choices)}.")
        table = log.marginal(self.window) if isinstance(log, WindowCounts) else count_windows(log, self.window)
        counts, rows, columns, total, contexts = MATRICES[self.matrix](table, self.context)
        vectors = WEIGHTINGS[self.weighting](counts, rows, columns, total)
        self.embedding_ = Embedding(table.activities, vectors, contexts, self.name, resampler=self.resampler(log))
        return self
