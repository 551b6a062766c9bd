"""Find the direct neighbours that several members of a group share: the evidence for the group.

For the whole contexts that two activities have in common, see :mod:`actalike.labels.pair_contexts`.
"""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array, hstack

from actalike.counting import PAD, WindowCounts
from actalike.labels.evidence import OUTSIDE, Neighbour, SharedNeighbours
from actalike.matrices import activity_context

ANY = -2  # code of a side on which the neighbour does not matter


class NeighbourCounts:
    """Count how often each activity has which direct neighbours: both of them together, and each side alone."""

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

    def shared_by(self, members: Sequence[int], topn: int) -> list[SharedNeighbours]:
        """Return the neighbours that two or more members (positions in ``activities``) have, the most telling first.

        The order is by the smallest share of a member's events that have these neighbours, then by the mean share. Both
        neighbours together count twice, because they say twice as much. One neighbour alone is left out if it is part of a
        pair that is listed before it.
        """
        member_counts = self._counts[list(members)]
        columns = np.flatnonzero(np.bincount(member_counts.indices) > 1)
        counts = member_counts[:, columns].toarray()
        shares = counts / self._events[list(members)][:, np.newaxis]
        codes = self.codes[columns]
        weight = np.where((codes == ANY).any(axis=1), 1, 2)
        order = np.lexsort((columns, -(shares.mean(axis=0) * weight).round(12), -(shares.min(axis=0) * weight).round(12)))
        shared: list[SharedNeighbours] = []
        implied: set[tuple[int, int]] = set()
        for column in order.tolist():
            if len(shared) == topn:
                break
            before, after = codes[column].tolist()
            if ANY not in (before, after):
                implied |= {(before, ANY), (ANY, after)}
            elif (before, after) in implied:
                continue
            times = tuple(counts[:, column].tolist())
            shared.append(SharedNeighbours(self._neighbour(before), self._neighbour(after), times))
        return shared

    def _neighbour(self, code: int) -> Neighbour:
        return None if code == ANY else OUTSIDE if code == PAD else self.activities[code]
