"""Embed activities by centred kin: kin, where only what is more or less than usual counts.

The formula is in :mod:`actalike.methods.centred_kin_similarity`.
"""

from actalike.counting import WindowCounts
from actalike.embedding import Explanation, register_explanation
from actalike.methods.centred_kin_shares import CentredKinShares, read_centred_kin_shares
from actalike.methods.centred_kin_similarity import bytes_of_centred_kin, centred_kin
from actalike.methods.kin import KinEstimator
from actalike.methods.kin_shares import Floats

register_explanation(CentredKinShares.kind, read_centred_kin_shares)


class CentredKinEmbedder(KinEstimator):
    """Compute the similarities of activities from those of their neighbours, without what all activities have in common.

    ``rounds=None`` means 6 rounds, or 2 for more than 100 activities. ``shrinkage`` is that of :class:`actalike.KinEmbedder`.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x1", "a", "y"], ["x2", "b", "y"], ["x1", "c"], ["x2", "c"]] * 5)
    >>> embedding = CentredKinEmbedder(window=3).fit(log).embedding_
    >>> embedding.most_similar("x1", topn=1)[0][0]
    'x2'
    """

    family = "centred kin"
    stem = "kin2"
    rounds_of_few = 6

    def memory_needed(self, n: int) -> tuple[int, str]:
        """Return the bytes needed for n activities, and which method needs fewer."""
        return bytes_of_centred_kin(n), f"kin-w{self.window}, which needs less for many activities"

    def similarities(self, table: WindowCounts, rounds: int) -> tuple[Floats, Explanation]:
        """Return the similarities after some rounds, and their explanation."""
        return centred_kin(table, rounds, self.shrinkage)
