"""How often one activity directly follows another, and how alike their neighbours are."""

import numpy as np
import pytest
from hypothesis import given

from actalike.benchmark.tasks import neighbour_similarity
from actalike.benchmark.tasks.neighbour_similarity import follow_cases, follow_counts, zhu_similarity
from actalike.log import EventLog
from tests.helpers import naive_groupers as naive
from tests.helpers import naive_partners as naive_of_neighbour_similarity
from tests.helpers.examples import examples
from tests.helpers.strategies import labels, logs, traces


@given(logs())
def test_steps_are_counted_as_by_hand(log):
    expected = naive.follows(log.traces())
    in_cases = {}
    for trace in log.traces():
        for pair in naive.follows([trace]):
            in_cases[pair] = in_cases.get(pair, 0) + 1
    counts, cases = follow_counts(log), follow_cases(log)
    for i, a in enumerate(log.activities):
        for j, b in enumerate(log.activities):
            assert counts[i, j] == expected.get((a, b), 0)
            assert cases[i, j] == in_cases.get((a, b), 0)


LOG = EventLog.from_traces([["a", "b", "c"], ["a", "c", "b", "d"]])
OTHER = EventLog.from_traces([["x", "y"], ["x", "y", "z"], ["z"]])


@examples(10)
@given(traces(labels, max_cases=3, max_length=4), traces(labels, max_cases=3, max_length=4))
def test_similarities_of_two_logs_are_those_of_the_definition(cases_a, cases_b):
    log_a, log_b = EventLog.from_traces(cases_a), EventLog.from_traces(cases_b)
    for known in ({}, {log_a.activities[0]: log_b.activities[-1]}):
        codes = np.array([(0, len(log_b.activities) - 1)] if known else [], dtype=np.int64).reshape(-1, 2)
        expected = naive_of_neighbour_similarity.zhu(log_a.traces(), log_b.traces(), log_a.activities, log_b.activities, known)
        assert zhu_similarity(log_a, log_b, codes) == pytest.approx(np.array(expected), abs=1e-5)


def test_one_log_twice_is_the_same_as_one_log():
    assert zhu_similarity(LOG, LOG) == pytest.approx(zhu_similarity(LOG, LOG.relabel(str.upper)), abs=1e-6)


def test_blocks_do_not_matter(monkeypatch):
    whole = zhu_similarity(LOG, OTHER)
    monkeypatch.setattr(neighbour_similarity, "_BLOCK", 1)
    assert (zhu_similarity(LOG, OTHER) == whole).all()
