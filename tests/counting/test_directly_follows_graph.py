from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given

from actalike import ActalikeError, EventLog, count_windows
from actalike.counting import directly_follows, directly_follows_graph
from tests.helpers.strategies import logs


@given(logs())
def test_pairs_starts_and_ends_are_those_of_the_traces(log):
    graph = directly_follows(log)
    traces = [trace for trace in log.traces() if trace]
    pairs = Counter(pair for trace in traces for pair in pairwise(trace))
    assert {(a, b): n for a, b, n in graph.pairs()} == pairs
    assert dict(zip(graph.activities, graph.starts.tolist(), strict=True)) == _over(log, (trace[0] for trace in traces))
    assert dict(zip(graph.activities, graph.ends.tolist(), strict=True)) == _over(log, (trace[-1] for trace in traces))


@given(logs())
def test_the_most_frequent_pair_comes_first_and_equals_are_in_order(log):
    found = directly_follows(log).pairs()
    assert found == sorted(found, key=lambda pair: (-pair[2], pair[0], pair[1]))


@given(logs())
def test_any_table_of_windows_will_do(log):
    expected = directly_follows(log)
    for window in (2, 3, 9):
        found = directly_follows(count_windows(log, window))
        assert found.pairs() == expected.pairs()
        assert found.starts.tolist() == expected.starts.tolist()
        assert found.ends.tolist() == expected.ends.tolist()


def test_of_a_log_only_an_activity_and_the_one_after_it_are_counted(monkeypatch):
    counted = []
    monkeypatch.setattr(
        directly_follows_graph, "count_windows", lambda log, window: counted.append(window) or count_windows(log, window)
    )
    directly_follows(EventLog.from_traces([["a", "b", "c"]]))
    assert counted == [2]


def test_windows_without_neighbours_are_refused():
    log = EventLog.from_traces([["a", "b"]])
    with pytest.raises(ActalikeError, match="count again"):
        directly_follows(count_windows(log, 1))
    with pytest.raises(ActalikeError, match="takes WindowCounts, not list"):
        directly_follows([["a", "b"]])


def _over(log, labels):
    return {**dict.fromkeys(log.activities, 0), **Counter(labels)}
