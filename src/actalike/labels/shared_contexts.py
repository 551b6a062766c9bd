"""What the activities of a group have in common: the neighbours that several of them have."""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array, hstack

from actalike.counting import PAD, WindowCounts
from actalike.labels.evidence import OUTSIDE, Neighbour, SharedContext
from actalike.matrices import activity_context

ANY = -2  # a side on which the neighbour does not matter


class SharedContexts:
    """The contexts of a log's activities: both direct neighbours, and each of them alone."""

    def __init__(self, counts: WindowCounts) -> None:
        table = counts.marginal(3)
        matrix = activity_context(table, "sequence")
        self.activities = table.activities
        pairs = matrix.contexts.codes.astype(np.int64)
        sides = []
        for side in (0, 1):
            seen, column = np.unique(pairs[:, side], return_inverse=True)
            summing = csr_array((np.ones(len(column), dtype=np.int64), (np.arange(len(column)), column)))
            codes = np.full((len(seen), 2), ANY)
            codes[:, side] = seen
            sides.append((codes, csr_array(matrix.counts @ summing)))
        self.codes = np.concatenate([pairs, *(codes for codes, _ in sides)])
        self._counts = csr_array(hstack([matrix.counts, *(counts for _, counts in sides)]))
        self._events = table.activity_counts

    def of(self, members: Sequence[int], topn: int) -> list[SharedContext]:
        """The contexts that several members have, first those that make up much of what each of them does.

        That is, by the least of the members' shares of their events, then by the mean. A context of both neighbours counts
        twice, as it says twice as much; one neighbour alone is left out where it is already in a context before it.
        """
        mine = self._counts[list(members)]
        columns = np.flatnonzero(np.bincount(mine.indices) > 1)
        counts = mine[:, columns].toarray()
        shares = counts / self._events[list(members)][:, np.newaxis]
        codes = self.codes[columns]
        telling = np.where((codes == ANY).any(axis=1), 1, 2)
        order = np.lexsort((columns, -(shares.mean(axis=0) * telling).round(12), -(shares.min(axis=0) * telling).round(12)))
        contexts: list[SharedContext] = []
        implied: set[tuple[int, int]] = set()
        for column in order.tolist():
            if len(contexts) == topn:
                break
            before, after = codes[column].tolist()
            if ANY not in (before, after):
                implied |= {(before, ANY), (ANY, after)}
            elif (before, after) in implied:
                continue
            counted = tuple(counts[:, column].tolist())
            contexts.append(SharedContext(self._neighbour(before), self._neighbour(after), counted))
        return contexts

    def _neighbour(self, code: int) -> Neighbour:
        return None if code == ANY else OUTSIDE if code == PAD else self.activities[code]
