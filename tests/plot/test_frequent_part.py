"""The frequent part of a directly-follows graph."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from actalike.counting import directly_follows
from actalike.plot.frequent_part import expected_progress, frequent_part
from tests.helpers.strategies import logs


@given(logs())
def test_expected_progress_is_that_of_walks_along_the_arrows(log):
    graph = directly_follows(log)
    found = expected_progress(graph)
    n = len(graph.activities)
    until, since = np.zeros(n), np.zeros(n)
    follows = np.zeros((n, n))
    follows[graph.first, graph.second] = graph.counts
    events = follows.sum(axis=1) + graph.ends
    for _ in range(3000):  # the equations, again and again
        until = 1 + (follows / events[:, np.newaxis]) @ until
        since = 1 + (follows / events).T @ since
    np.testing.assert_allclose(found, since / (since + until), atol=1e-3)


@given(logs(), st.integers(1, 6), st.integers(0, 20))
def test_the_frequent_part_has_the_most_frequent_activities_and_true_counts(log, top, most):
    graph = directly_follows(log)
    counts = log.activity_counts.tolist()
    part = frequent_part(graph, counts, top, most)
    kept = part.names[:-2]
    assert len(kept) == min(top, len(counts))
    assert min(part.counts[:-2]) >= max(
        [n for n, label in zip(counts, log.activities, strict=True) if label not in kept], default=0
    )
    true = {(a, b): n for a, b, n in graph.pairs()}
    for a, b, times in part.arrows:
        if a == len(kept):
            assert times == graph.starts[log.activities.index(kept[b])]
        elif b == len(kept) + 1:
            assert times == graph.ends[log.activities.index(kept[a])]
        else:
            assert times == true[kept[a], kept[b]]
    assert len(part.arrows) <= max(most, 2 * len(kept))
    assert sorted(part.order) == list(range(len(part.names)))
