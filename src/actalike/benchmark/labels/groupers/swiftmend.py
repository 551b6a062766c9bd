"""SwiftMend (Savandi), offline: labels with the same relations to other labels, relations by how often one follows the other."""

from typing import Self

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.follows import follow_counts
from actalike.benchmark.labels.groupers.praeclarus import shared_relations
from actalike.log import EventLog

_DEPENDENT = 0.8  # before or after, from this dependency on
_PARALLEL = 2.0  # parallel, up to this ratio of both directions


class SwiftMend:
    """Merge labels while all members of a group are pairwise similar. The window is the whole log, with its final counts."""

    name = "swiftmend"
    threshold = 0.7

    def fit(self, log: EventLog) -> Self:
        """Compare all labels, and merge them."""
        follows = follow_counts(log)
        dependency = (follows - follows.T) / (follows + follows.T + 1)
        before, after = dependency >= _DEPENDENT, dependency <= -_DEPENDENT
        less, more = np.minimum(follows, follows.T), np.maximum(follows, follows.T)
        parallel = ~before & ~after & (less > 0) & (more <= _PARALLEL * less)
        self.scores_ = shared_relations(before, after, parallel, larger=True)
        groups = merge_all_alike(self.scores_, self.threshold)
        self.groups_ = [tuple(log.activities[label] for label in group) for group in groups]
        return self


def merge_all_alike(scores: NDArray[np.float64], threshold: float) -> list[list[int]]:
    """Merge the most similar groups first, as long as all their members are pairwise similar enough; return those of two or more.

    >>> merge_all_alike(np.array([[1, 0.9, 0.8], [0.9, 1, 0.5], [0.8, 0.5, 1]]), 0.7)
    [[0, 1]]
    """
    group_of = [[label] for label in range(len(scores))]
    rows, columns = np.nonzero(np.triu(scores >= threshold, 1))
    for place in np.argsort(-scores[rows, columns], kind="stable").tolist():
        first, second = group_of[rows[place]], group_of[columns[place]]
        if first is not second and (scores[np.ix_(first, second)] >= threshold).all():
            first += second
            for label in second:
                group_of[label] = first
    distinct = {id(group): sorted(group) for group in group_of}
    return [group for group in distinct.values() if len(group) > 1]
