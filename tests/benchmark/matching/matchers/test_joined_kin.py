from actalike.benchmark.matching.matchers.joined_kin import JoinedKin
from actalike.log import EventLog


def test_only_the_distance_from_beginning_and_end_is_seen():
    log_a = EventLog.from_traces([["a", "b", "c", "d"]] * 50)
    scores = JoinedKin().fit(log_a, log_a.relabel(lambda label: {"a": "4", "b": "3", "c": "2", "d": "1"}[label]), {}).scores_
    assert scores.shape == (4, 4)
    assert scores.argmax(axis=1).tolist() == [3, 2, 1, 0]
