"""Propose groups by contrast, the rule of version 0.1: members are much nearer to each other than to anything else.

1. Merge the labels into a tree by complete linkage on their distances.
2. The contrast of a group is r = h / o: h is the largest distance between two members, o the smallest distance from a member to
   any other label, at most 1. A group stands out if r is less than 1.
3. A group is proposed if the boldness is at least r; if a member is in fewer than 5 cases, or two members share cases more often
   than two names of one step would (attraction above 1.3), it must be at least (1 + r) / 2.
4. Of groups that overlap, the one that needs the least boldness is taken.

Any method takes part in the benchmark of groups by this rule on its distances.
"""

import numpy as np
from numpy.typing import NDArray

from actalike.embedding import ENOUGH_CASES
from actalike.log import CoOccurrence, EventLog

BOLDNESS = 0.4
_MAX_ATTRACTION = 1.3  # between 1 (names that change from event to event) and 2 (steps that every case has once)


def contrast_groups(distances: NDArray[np.float64], log: EventLog, boldness: float = BOLDNESS) -> list[tuple[str, ...]]:
    """Return the groups of labels that stand out, given the distances of all pairs; the surest first.

    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> distances = np.ones((5, 5)) - np.eye(5)
    >>> distances[0, 1] = distances[1, 0] = 0.1
    >>> contrast_groups(distances, log)
    [('a', 'b')]
    """
    n = len(log.activities)
    if n < 3:
        return []
    order = np.lexsort((np.arange(n), -log.activity_cases, -log.activity_counts))  # of equal distances, frequent labels first
    ordered = distances[np.ix_(order, order)].round(12).clip(0)
    attraction = CoOccurrence(log).attraction()[np.ix_(order, order)]
    np.fill_diagonal(attraction, 0.0)
    is_rare = log.activity_cases[order] < ENOUGH_CASES
    proposals = []
    for members, height, outside in _merges(ordered):
        if not height < outside:
            continue
        contrast = height / outside
        is_doubtful = attraction[np.ix_(members, members)].max() > _MAX_ATTRACTION or is_rare[members].any()
        proposals.append(((1 + contrast) / 2 if is_doubtful else contrast, -len(members), members.tolist()))
    groups, taken = [], set[int]()
    for needed, _, chosen in sorted(proposals):
        if taken.isdisjoint(chosen):
            taken.update(chosen)
            if needed <= boldness:
                groups.append(tuple(log.activities[order[member]] for member in chosen))
    return groups


def _merges(distances: NDArray[np.float64]) -> list[tuple[NDArray[np.int64], float, float]]:
    """Return each group of the tree but the last: its members, its largest distance, and the smallest one to another label."""
    from scipy.cluster.hierarchy import linkage  # here: it takes long to load, and only groups need it
    from scipy.spatial.distance import squareform

    n = len(distances)
    members = [np.array([label]) for label in range(n)]
    nearest = [np.where(np.arange(n) == label, np.inf, distances[label]) for label in range(n)]
    nodes = []
    for left, right, height, _ in linkage(squareform(distances, checks=False), "complete")[:-1]:
        a, b = int(left), int(right)
        members.append(np.sort(np.concatenate([members[a], members[b]])))
        row = np.minimum(nearest[a], nearest[b])
        row[members[-1]] = np.inf
        nearest.append(row)
        nodes.append((members[-1], float(height), min(float(row.min()), 1.0)))
    return nodes
