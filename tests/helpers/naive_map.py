"""How a map is judged, by its definition: the nearest five, chance by chance."""

from itertools import combinations

import numpy as np


def naive_drawn_neighbours(distances, places, nearest=5):
    """The mean share of the true nearest that are among the drawn nearest, over all ways to break ties."""
    n = len(distances)
    k = min(nearest, n - 1)
    shares = []
    for i in range(n):
        others = [j for j in range(n) if j != i]
        true = _choices({j: round(distances[i][j], 9) for j in others}, k)
        drawn = _choices({j: round(float(np.hypot(*(places[i] - places[j]))), 9) for j in others}, k)
        hits = [len(a & b) / k for a in true for b in drawn]
        shares.append(sum(hits) / len(hits))
    return sum(shares) / n


def _choices(distance_of, k):
    """Every set of k that are nearest: those nearer than the k-th, and some of those that are as near as it."""
    limit = sorted(distance_of.values())[k - 1]
    nearer = {j for j, distance in distance_of.items() if distance < limit}
    equal = [j for j, distance in distance_of.items() if distance == limit]
    return [nearer | set(some) for some in combinations(equal, k - len(nearer))]
