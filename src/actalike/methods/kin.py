"""Kin: two activities are alike if the activities around them are alike. See :mod:`actalike.kin` for the formula."""

from typing import Self

from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.kin import kin
from actalike.log import EventLog
from actalike.methods.estimator import Estimator
from actalike.threads import one_thread
from actalike.windows import WindowCounts, count_windows

FEW_ACTIVITIES = 100  # up to so many, four rounds sharpen; with more, they blur


class KinEmbedder(Estimator):
    """Similarities of activities by the similarities of their neighbours, in a few rounds.

    ``rounds=None`` takes 4 rounds, and 2 for more than 100 activities. ``shrinkage`` is how many events' worth of the usual
    surroundings every activity is given.

    >>> log = EventLog.from_traces([["x1", "a", "y"], ["x2", "b", "y"], ["x1", "c"], ["x2", "c"]] * 5)
    >>> embedding = KinEmbedder(window=3).fit(log).embedding_
    >>> embedding.most_similar("x1", topn=1)[0][0]
    'x2'
    """

    embedding_: Embedding
    takes_counts = True

    def __init__(self, window: int = 5, rounds: int | None = None, shrinkage: float = 2.0) -> None:
        self.window = window
        self.rounds = rounds
        self.shrinkage = shrinkage

    @property
    def name(self) -> str:
        """The method's name in the registry."""
        return f"kin-w{self.window}"

    def fit(self, log: EventLog | WindowCounts) -> Self:
        """Embed the activities of a log, or of a table that was counted with this window or a larger one."""
        self.check_source(log)
        if self.rounds is not None and self.rounds < 1:
            raise ActalikeError(f"rounds={self.rounds} is less than 1.")
        if not self.shrinkage > 0:
            raise ActalikeError(f"shrinkage={self.shrinkage} is not more than 0.")
        if self.window < 2:
            raise ActalikeError("kin needs a neighbour: take a window of 2 or more.")
        table = log.marginal(self.window) if isinstance(log, WindowCounts) else count_windows(log, self.window)
        rounds = self.rounds or (4 if len(table.activities) <= FEW_ACTIVITIES else 2)
        with one_thread():
            similarities, reasons = kin(table, rounds, self.shrinkage)
        self.embedding_ = Embedding(
            table.activities, method=self.name, reasons=reasons, cosines=similarities, resampler=self.resampler(log)
        )
        return self
