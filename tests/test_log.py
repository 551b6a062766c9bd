from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from strategies import traces

from actalike import EventLog, LogError
from actalike import log as log_module


@given(traces())
def test_traces_come_back_as_they_were_given(given_traces):
    log = EventLog.from_traces(given_traces)
    assert log.traces() == given_traces
    assert log.n_cases == len(given_traces)
    assert log.n_events == sum(map(len, given_traces))
    assert log.activities == sorted({label for trace in given_traces for label in trace})


@given(traces())
def test_variants_are_the_distinct_traces_with_their_numbers_of_cases(given_traces):
    log = EventLog.from_traces(given_traces)
    codes, offsets, weights = log.variants
    found = [tuple(log.activities[c] for c in codes[s:e]) for s, e in zip(offsets, offsets[1:], strict=False)]
    counted = Counter(map(tuple, given_traces))
    assert found == list(counted)  # in the order of their first case
    assert weights.tolist() == list(counted.values())


def test_variants_are_exact_even_when_hashes_collide(monkeypatch):
    class Unlucky:
        """Weights under which every case has the same hash, at first."""

        def __init__(self):
            self.draws = 0

        def integers(self, low, high, size, dtype):
            self.draws += 1
            return np.zeros(size, dtype) if self.draws == 1 else np.arange(1, size + 1, dtype=dtype) * np.uint64(1_000_003)

    unlucky = Unlucky()
    monkeypatch.setattr(log_module.np.random, "default_rng", lambda seed: unlucky)
    log = EventLog.from_traces([["a", "b"], ["b", "a"], ["a", "b"]])
    assert log.n_variants == 2
    assert unlucky.draws == 2


def test_statistics_of_an_inventoried_log(real_log):
    assert real_log("Helpdesk").statistics() == pytest.approx(
        {
            "cases": 4580, "events": 21348, "activities": 14, "variants": 226, "variants_per_case": 226 / 4580,
            "min_length": 2, "mean_length": 21348 / 4580, "max_length": 15,
        }
    )  # fmt: skip


@pytest.mark.parametrize("nothing", [[], [[]], [[], []]])
def test_an_empty_log_is_an_error(nothing):
    with pytest.raises(LogError, match="empty"):
        EventLog.from_traces(nothing)


def test_a_text_is_not_a_trace():
    with pytest.raises(LogError, match="list of labels"):
        EventLog.from_traces(["abc"])
    with pytest.raises(LogError, match="Case 1 has a label that is not a text: 3"):
        EventLog.from_traces([["a", 3]])


def test_relabelling_merges_activities_of_the_same_name():
    log = EventLog.from_traces([["b1", "a", "b2"]]).relabel(lambda label: label[0])
    assert log.traces() == [["b", "a", "b"]]
    assert log.activities == ["a", "b"]
