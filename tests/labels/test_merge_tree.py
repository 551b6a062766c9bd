"""The groups of the merge tree that stand out."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

from actalike.labels.merge_tree import MAX_ATTRACTION, outstanding_nodes
from tests.helpers.examples import examples


def naive_nodes(distances, attraction, is_rare):
    """Merge by merge, with all distances at hand."""
    n = len(distances)
    members = {i: [i] for i in range(n)}
    nodes = []
    for number, (left, right, height, _) in enumerate(linkage(squareform(distances), "complete")[:-1].tolist(), start=n):
        members[number] = inside = sorted(members.pop(int(left)) + members.pop(int(right)))
        others = [i for i in range(n) if i not in inside]
        outside = min(1.0, distances[np.ix_(inside, others)].min())
        largest = max(attraction[i, j] for i in inside for j in inside if i != j)
        if height < outside:
            doubtful = largest > MAX_ATTRACTION or any(is_rare[i] for i in inside)
            contrast = height / outside
            nodes.append((inside, height, (1 + contrast) / 2 if doubtful else contrast, largest))
    return sorted(nodes)


@examples(60)
@given(st.integers(1, 14), st.integers(0, 999))
def test_nodes_are_those_of_a_naive_walk(n, seed):
    random = np.random.default_rng(seed)
    distances, attraction = (np.maximum(part, part.T) for part in random.integers(1, 40, (2, n, n)) / 20)
    np.fill_diagonal(distances, 0.0)
    is_rare = random.random(n) < 0.2
    found = outstanding_nodes(squareform(distances), n, lambda a, b: attraction[np.ix_(a, b)], is_rare)
    expected = naive_nodes(distances, attraction, is_rare) if n > 2 else []
    assert sorted((node[0].tolist(), *node[1:]) for node in found) == expected
