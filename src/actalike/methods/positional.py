"""Positional methods: who stands at which place around an activity, each place for itself.

Where a count method compares whole contexts, here every neighbour counts alone: two activities that share only some of their
surroundings are still a little alike.
"""

from typing import Literal, Self

from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.matrices import activity_position
from actalike.methods.estimator import Estimator
from actalike.weighting import WEIGHTINGS, hellinger
from actalike.windows import WindowCounts, count_windows

POSITIONAL_WEIGHTINGS = {**WEIGHTINGS, "hellinger": hellinger}


class PositionalEmbedder(Estimator):
    """Columns are pairs of a place in the window and the neighbour there; weighted by ``weighting``.

    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "z"]])
    >>> embedding = PositionalEmbedder("hellinger", window=3).fit(log).embedding_
    >>> round(embedding.similarity("a", "b"), 2)
    0.5
    >>> embedding.explain("a", "b")[0].context
    'x → ●'
    """

    embedding_: Embedding
    takes_counts = True

    def __init__(self, weighting: Literal["raw", "pmi", "ppmi", "hellinger"] = "pmi", window: int = 5) -> None:
        self.weighting = weighting
        self.window = window

    @property
    def name(self) -> str:
        """The method's name in the registry."""
        return f"positional-{self.weighting}-w{self.window}"

    def fit(self, log: EventLog | WindowCounts) -> Self:
        """Embed the activities of a log, or of a table that was counted with this window or a larger one."""
        self.check_source(log)
        if self.weighting not in POSITIONAL_WEIGHTINGS:
            raise ActalikeError(f"weighting={self.weighting!r} is none of {', '.join(POSITIONAL_WEIGHTINGS)}.")
        table = log.marginal(self.window) if isinstance(log, WindowCounts) else count_windows(log, self.window)
        counts, rows, columns, total, contexts = activity_position(table)
        vectors = POSITIONAL_WEIGHTINGS[self.weighting](counts, rows, columns, total)
        self.embedding_ = Embedding(table.activities, vectors, contexts, self.name, resampler=self.resampler(log))
        return self
