"""Merge activities into a tree of groups by complete linkage, and find the groups that stand out.

:mod:`actalike.labels.groups` says what that means. Activities are numbers here, 0 is the most frequent one. The tree is walked
branch by branch, so that only a few rows of distances are in memory beside the condensed distances of all pairs.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
Between = Callable[[Numbers, Numbers], Floats]  # returns the attraction of each of some activities to each of others

MAX_ATTRACTION = 1.3  # between 1 (names that change from event to event) and 2 (steps that every case has once)


class Node(NamedTuple):
    """Hold a group of the merge tree that stands out."""

    members: Numbers
    height: float  # the largest distance between two members
    boldness: float
    attraction: float  # the largest attraction between two members


def outstanding_nodes(distances: Floats, n: int, attraction: Between, is_rare: NDArray[np.bool_]) -> Iterator[Node]:
    """Yield the groups whose members are nearer to each other than to any other activity, in no particular order.

    ``distances`` are those of all pairs of n activities, as :func:`scipy.spatial.distance.squareform` arranges them.

    >>> nodes = outstanding_nodes(np.array([0.1, 0.8, 0.9]), 3, lambda a, b: np.ones((len(a), len(b))), np.zeros(3, dtype=bool))
    >>> [(node.members.tolist(), round(node.boldness, 3)) for node in nodes]
    [([0, 1], 0.125)]
    """
    if n < 3:
        return
    tree = _Tree(distances, n)
    largest = _LargestAttraction(tree, attraction)
    for node, outside in tree.walk(distances):
        height = float(tree.heights[node])
        if not height < outside:
            continue
        members = np.sort(tree.members(node))
        is_doubtful = largest.of(node) > MAX_ATTRACTION or bool(is_rare[members].any())
        contrast = height / outside
        yield Node(members, height, (1 + contrast) / 2 if is_doubtful else contrast, largest.of(node))


class _Tree:
    """Hold the merge tree. Nodes are numbered as scipy does: the activities, then the merges from the first to the last."""

    def __init__(self, distances: Floats, n: int) -> None:
        from scipy.cluster.hierarchy import leaves_list, linkage  # here: it takes long to load, and only groups need it

        merged = linkage(distances, "complete")
        self.n = n
        self.left, self.right = (np.concatenate([np.full(n, -1), merged[:, side].astype(np.int64)]) for side in (0, 1))
        self.heights = np.concatenate([np.zeros(n), merged[:, 2]])
        self.sizes = np.concatenate([np.ones(n, dtype=np.int64), merged[:, 3].astype(np.int64)])
        self._leaves = leaves_list(merged).astype(np.int64)
        self._starts = np.zeros(2 * n - 1, dtype=np.int64)
        for node in range(2 * n - 2, n - 1, -1):
            self._starts[self.left[node]] = self._starts[node]
            self._starts[self.right[node]] = self._starts[node] + self.sizes[self.left[node]]

    def members(self, node: int) -> Numbers:
        """Return the activities of a node, as they stand in the tree."""
        return self._leaves[self._starts[node] : self._starts[node] + self.sizes[node]]

    def walk(self, distances: Floats) -> Iterator[tuple[int, float]]:
        """Yield each merge except the last, which holds all activities, and its smallest distance to another activity, at most 1.

        The larger branch of a node is walked first. Then only as many rows of distances are held as n has binary digits.
        """
        nearest: dict[int, Floats] = {}  # the distance of each activity to the nearest member of a node; infinite for a member
        waiting = [(2 * self.n - 2, False)]
        while waiting:
            node, is_walked = waiting.pop()
            if node < self.n:
                nearest[node] = self._row(distances, node)
            elif not is_walked:
                first, second = sorted((int(self.left[node]), int(self.right[node])), key=lambda child: -self.sizes[child])
                waiting += [(node, True), (second, False), (first, False)]
            elif node < 2 * self.n - 2:
                row = np.minimum(nearest.pop(int(self.left[node])), nearest.pop(int(self.right[node])))
                row[self.members(node)] = np.inf
                nearest[node] = row
                yield node, min(float(row.min()), 1.0)

    def _row(self, distances: Floats, activity: int) -> Floats:
        """Return the distances of an activity to all activities, infinite to itself."""
        row = np.full(self.n, np.inf)
        before = np.arange(activity)
        row[:activity] = distances[before * (2 * self.n - before - 1) // 2 + activity - before - 1]
        first = activity * (2 * self.n - activity - 1) // 2
        row[activity + 1 :] = distances[first : first + self.n - activity - 1]
        return row


class _LargestAttraction:
    """Find the largest attraction between two members of a node. Each pair of activities is looked at once at most."""

    def __init__(self, tree: _Tree, between: Between) -> None:
        self._tree = tree
        self._between = between
        self._known = dict.fromkeys(range(tree.n), 0.0)

    def of(self, node: int) -> float:
        """Return the largest attraction of a node."""
        unknown, waiting = [], [node]
        while waiting:
            current = waiting.pop()
            if current not in self._known:
                unknown.append(current)
                waiting += [int(self._tree.left[current]), int(self._tree.right[current])]
        for current in sorted(unknown):  # children have smaller numbers
            a, b = int(self._tree.left[current]), int(self._tree.right[current])
            between = float(self._between(self._tree.members(a), self._tree.members(b)).max())
            self._known[current] = max(self._known[a], self._known[b], between)
        return self._known[node]
