"""Kin: two activities are alike if the activities around them are alike. The formula is in kin_similarity.py."""

from actalike.counting import WindowCounts
from actalike.embedding import Embedding, register_explanation
from actalike.errors import ActalikeError
from actalike.methods.contract import Lap
from actalike.methods.estimator import CountingEstimator
from actalike.methods.kin_shares import KinShares, read_kin_shares
from actalike.methods.kin_similarity import kin
from actalike.support.threads import one_thread

register_explanation(KinShares.kind, read_kin_shares)

FEW_ACTIVITIES = 100  # up to so many, four rounds sharpen; with more, they blur


class KinEmbedder(CountingEstimator):
    """Similarities of activities by the similarities of their neighbours, in a few rounds.

    ``rounds=None`` takes 4 rounds, and 2 for more than 100 activities. ``shrinkage`` is how many events' worth of the usual
    surroundings every activity is given.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x1", "a", "y"], ["x2", "b", "y"], ["x1", "c"], ["x2", "c"]] * 5)
    >>> embedding = KinEmbedder(window=3).fit(log).embedding_
    >>> embedding.most_similar("x1", topn=1)[0][0]
    'x2'
    """

    family = "kin"
    explains = True
    parts = ("count", "rounds")

    def __init__(self, window: int = 5, rounds: int | None = None, shrinkage: float = 2.0) -> None:
        self.window = window
        self.rounds = rounds
        self.shrinkage = shrinkage

    @property
    def name(self) -> str:  # type: ignore[override]
        """Return the method's name in the registry."""
        return f"kin-w{self.window}"

    def check_parameters(self) -> None:
        """Refuse parameters that mean nothing."""
        if self.rounds is not None and self.rounds < 1:
            raise ActalikeError(f"rounds={self.rounds} is less than 1.")
        if not self.shrinkage > 0:
            raise ActalikeError(f"shrinkage={self.shrinkage} is not more than 0.")
        if self.window < 2:
            raise ActalikeError("kin needs a neighbour: take a window of 2 or more.")

    def embed_counts(self, table: WindowCounts, lap: Lap) -> Embedding:
        """Return the similarities of the last round, and what they are made of."""
        rounds = self.rounds or (4 if len(table.activities) <= FEW_ACTIVITIES else 2)
        with one_thread():
            similarities, shares = kin(table, rounds, self.shrinkage)
        embedding = Embedding(table.activities, method=self.name, explanation=shares, cosines=similarities)
        lap("rounds")
        return embedding
