"""Embed activities by centred kin: kin, where only what is more or less than usual counts.

The formula is in :mod:`actalike.methods.centred_kin_similarity`.
"""

from actalike.counting import WindowCounts
from actalike.embedding import Embedding, register_explanation
from actalike.methods.centred_kin_shares import CentredKinShares, read_centred_kin_shares
from actalike.methods.centred_kin_similarity import bytes_of_centred_kin, centred_kin
from actalike.methods.contract import Lap
from actalike.methods.estimator import CountingEstimator
from actalike.methods.kin import FEW_ACTIVITIES, check_parameters_of_kin
from actalike.support.memory_estimates import require_memory
from actalike.support.threads import one_thread

register_explanation(CentredKinShares.kind, read_centred_kin_shares)


class CentredKinEmbedder(CountingEstimator):
    """Compute the similarities of activities from those of their neighbours, without what all activities have in common.

    ``rounds=None`` means 6 rounds, or 2 for more than 100 activities. ``shrinkage`` is that of :class:`actalike.KinEmbedder`.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x1", "a", "y"], ["x2", "b", "y"], ["x1", "c"], ["x2", "c"]] * 5)
    >>> embedding = CentredKinEmbedder(window=3).fit(log).embedding_
    >>> embedding.most_similar("x1", topn=1)[0][0]
    'x2'
    """

    family = "centred kin"
    explains = True
    parts = ("count", "rounds")

    def __init__(self, window: int = 5, rounds: int | None = None, shrinkage: float = 2.0) -> None:
        self.window = window
        self.rounds = rounds
        self.shrinkage = shrinkage

    @property
    def name(self) -> str:  # type: ignore[override]
        """Return the method's name in the registry."""
        return f"kin2-w{self.window}"

    def check_parameters(self) -> None:
        """Raise an error for parameter values that are not allowed."""
        check_parameters_of_kin(self.name, self.window, self.rounds, self.shrinkage)

    def embed_counts(self, table: WindowCounts, lap: Lap) -> Embedding:
        """Return an embedding with the similarities of the last round and their explanation."""
        n = len(table.activities)
        require_memory(
            bytes_of_centred_kin(n),
            f"{self.name} on {n:,} activities",
            f"merge rare activities first (actalike relabel), or choose kin-w{self.window}, which needs less for many activities",
        )
        rounds = self.rounds or (6 if n <= FEW_ACTIVITIES else 2)
        with one_thread():
            similarities, shares = centred_kin(table, rounds, self.shrinkage)
        embedding = Embedding(table.activities, method=self.name, explanation=shares, cosines=similarities)
        lap("rounds")
        return embedding
