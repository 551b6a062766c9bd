"""Labels are merged by average linkage, in rounds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, same_step
from actalike.labels.clusters import average_linkage, by_frequency, cut_to, likely_clusters, mean_of_pairs
from tests.helpers import naive_evidence
from tests.helpers.examples import examples
from tests.helpers.strategies import logs

sizes, seeds = st.integers(1, 9), st.integers(0, 2**32)


def random_probabilities(n, seed):
    values = np.random.default_rng(seed).random((n, n))
    return (values + values.T) / 2, np.random.default_rng(seed).permutation(n)


@given(sizes, seeds, st.sampled_from([0.2, 0.5, 0.8]))
def test_clusters_are_those_of_average_linkage(n, seed, at_least):
    probabilities, order = random_probabilities(n, seed)
    clusters = list(average_linkage(probabilities, order, at_least))
    assert {frozenset(one) for one in clusters} == naive_evidence.average_linkage(
        lambda i, j: probabilities[i, j], range(n), at_least
    )
    rank = order.tolist().index
    assert all(one == sorted(one, key=rank) for one in clusters)


@given(sizes, seeds, st.data())
def test_a_cut_leaves_so_many_groups(n, seed, data):
    probabilities, order = random_probabilities(n, seed)
    steps = data.draw(st.integers(1, n))
    clusters = list(cut_to(probabilities, order, steps))
    assert n - sum(len(one) - 1 for one in clusters) == steps
    if steps > 1 and clusters:  # one group fewer means to merge two of these
        groups = {frozenset(one) for one in clusters} | {frozenset([i]) for i in range(n)}
        for one in cut_to(probabilities, order, steps - 1):
            assert frozenset(one) == frozenset().union(*(group for group in groups if group <= frozenset(one)))


def test_equal_distances_make_one_group_or_none():
    equal = np.full((5, 5), 0.7)
    assert [sorted(one) for one in average_linkage(equal, np.arange(5), 0.7)] == [[0, 1, 2, 3, 4]]
    assert list(average_linkage(equal, np.arange(5), 0.71)) == []


def test_the_mean_is_over_pairs():
    values = np.array([[9.0, 0.2, 0.4], [0.2, 9.0, 0.9], [0.4, 0.9, 9.0]])
    assert mean_of_pairs(values, [0, 1, 2]) == pytest.approx(0.5)


def test_the_most_frequent_label_comes_first():
    log = EventLog.from_traces([["b", "a", "a"], ["b", "c"], ["b", "c"]])
    assert [log.activities[i] for i in by_frequency(log)] == ["b", "c", "a"]


@examples(10)
@given(logs(st.sampled_from("abcdef")).map(lambda log: EventLog.from_traces(log.traces() * 6)))
def test_the_first_round_is_average_linkage_and_later_ones_only_join_its_groups(log):
    same = same_step(log)
    first = {frozenset(one) for one in average_linkage(same.probabilities(), by_frequency(log), 0.5)}
    assert {frozenset(one.members) for one in likely_clusters(same, 0.5, rounds=1)} == first
    last = likely_clusters(same, 0.5)
    members = [i for one in last for i in one.members]
    assert len(members) == len(set(members))
    for one in first:
        assert any(one <= set(cluster.members) for cluster in last)
    assert all(0.5 - 1e-9 <= cluster.probability <= 1 for cluster in last)
