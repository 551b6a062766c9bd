import pytest
from hypothesis import given

from actalike.benchmark.matching.matchers.joined_kin import JoinedKin, joined_kin
from actalike.log import EventLog
from actalike.methods import embed
from tests.helpers.examples import examples
from tests.helpers.strategies import labels, traces


@examples(10)
@given(traces(labels, max_cases=4, max_length=6), traces(labels, max_cases=4, max_length=6))
def test_within_a_log_similarities_are_those_of_the_log_alone_and_between_logs_they_are_mutual(cases_a, cases_b):
    log_a, log_b = EventLog.from_traces(cases_a), EventLog.from_traces(cases_b)
    n, joined = len(log_a.activities), joined_kin(log_a, log_b)
    assert joined[:n, :n] == pytest.approx(1 - embed(log_a, "kin-w5").distances(), abs=1e-9)
    assert joined[n:, n:] == pytest.approx(1 - embed(log_b, "kin-w5").distances(), abs=1e-9)
    assert joined == pytest.approx(joined.T)


def test_only_the_distance_from_beginning_and_end_is_seen():
    log_a = EventLog.from_traces([["a", "b", "c", "d"]] * 50)
    scores = JoinedKin().fit(log_a, log_a.relabel(lambda label: {"a": "4", "b": "3", "c": "2", "d": "1"}[label]), {}).scores_
    assert scores.shape == (4, 4)
    assert scores.argmax(axis=1).tolist() == [3, 2, 1, 0]
