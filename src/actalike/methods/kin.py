"""Embed activities by kin: two activities are alike if the activities around them are alike.

The formula is in :mod:`actalike.methods.kin_similarity`.
"""

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from actalike.counting import WindowCounts
from actalike.embedding import Embedding, Explanation, register_explanation
from actalike.errors import ActalikeError
from actalike.matrices import PackedSymmetric
from actalike.methods.contract import Lap
from actalike.methods.estimator import CountingEstimator
from actalike.methods.kin_pairs import is_worthwhile, similarities_of_pairs
from actalike.methods.kin_shares import Floats, KinShares, read_kin_shares
from actalike.methods.kin_similarity import bytes_of_kin, kin, surroundings_of
from actalike.support.memory_estimates import require_memory
from actalike.support.threads import one_thread

register_explanation(KinShares.kind, read_kin_shares)

MANY_ACTIVITIES = 500  # beyond this number, resampling compares only the pairs in question
FEW_ACTIVITIES = 100  # up to this number, four rounds improve the result; beyond it, they make activities too similar


class KinEstimator(CountingEstimator):
    """Hold what kin and centred kin share: their parameters, and the embedding of what a subclass computes in rounds."""

    explains = True
    parts = ("count", "rounds")
    stem: str  # of the name in the registry
    rounds_of_few: int  # of few activities

    def __init__(self, window: int = 5, rounds: int | None = None, shrinkage: float = 2.0) -> None:
        self.window = window
        self.rounds = rounds
        self.shrinkage = shrinkage

    @property
    def name(self) -> str:  # type: ignore[override]
        """Return the method's name in the registry."""
        return f"{self.stem}-w{self.window}"

    def check_parameters(self) -> None:
        """Raise an error for parameter values that are not allowed."""
        if self.rounds is not None and self.rounds < 1:
            raise ActalikeError(f"rounds={self.rounds} is less than 1.")
        if not self.shrinkage > 0:
            raise ActalikeError(f"shrinkage={self.shrinkage} is not more than 0.")
        if self.window < 2:
            raise ActalikeError(f"{self.name} needs a neighbour: use a window of 2 or more.")

    def embed_counts(self, table: WindowCounts, lap: Lap) -> Embedding:
        """Return an embedding with the similarities of the last round and their explanation."""
        n = len(table.activities)
        size, instead = self.memory_needed(n)
        require_memory(
            size, f"{self.name} on {n:,} activities", f"merge rare activities first (actalike relabel), or choose {instead}"
        )
        with one_thread():
            similarities, shares = self.similarities(table, self.rounds_for(n))
        embedding = Embedding(table.activities, method=self.name, explanation=shares, cosines=similarities)
        lap("rounds")
        return embedding

    def rounds_for(self, n: int) -> int:
        """Return the number of rounds for n activities."""
        return self.rounds or (self.rounds_of_few if n <= FEW_ACTIVITIES else 2)

    @abstractmethod
    def memory_needed(self, n: int) -> tuple[int, str]:
        """Return the bytes needed for n activities, and which method needs fewer."""

    @abstractmethod
    def similarities(self, table: WindowCounts, rounds: int) -> tuple[Floats | PackedSymmetric, Explanation]:
        """Return the similarities after some rounds, and their explanation."""


class KinEmbedder(KinEstimator):
    """Compute the similarities of activities from the similarities of their neighbours, in a few rounds.

    ``rounds=None`` means 4 rounds, or 2 for more than 100 activities. ``shrinkage`` is a number of pseudo-events with the log's
    average neighbours that is added to every activity, so that few observations prove little.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x1", "a", "y"], ["x2", "b", "y"], ["x1", "c"], ["x2", "c"]] * 5)
    >>> embedding = KinEmbedder(window=3).fit(log).embedding_
    >>> embedding.most_similar("x1", topn=1)[0][0]
    'x2'
    """

    family = "kin"
    stem = "kin"
    rounds_of_few = 4

    def memory_needed(self, n: int) -> tuple[int, str]:
        """Return the bytes needed for n activities, and which method needs fewer."""
        instead = f"a method that keeps only what was seen, such as ac-sequence-pmi-w{self.window}"
        return bytes_of_kin(n, int(self.window)), instead

    def similarities(self, table: WindowCounts, rounds: int) -> tuple[Floats | PackedSymmetric, Explanation]:
        """Return the similarities after some rounds, and their explanation."""
        return kin(table, rounds, self.shrinkage)

    def pair_similarities(self, table: WindowCounts, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return the similarities of some pairs. Those of a few pairs of many activities do not need those of all others."""
        n = len(table.activities)
        if n <= MANY_ACTIVITIES or self.rounds_for(n) != 2:
            return super().pair_similarities(table, pairs)
        surroundings = surroundings_of(table.marginal(self.window), self.shrinkage)
        if not is_worthwhile(surroundings, len(pairs)):
            return super().pair_similarities(table, pairs)
        place = {label: i for i, label in enumerate(table.activities)}
        positions = np.array([(place[a], place[b]) for a, b in pairs], dtype=np.int64).reshape(-1, 2)
        with one_thread():
            return similarities_of_pairs(surroundings, positions).tolist()
