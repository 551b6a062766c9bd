from actalike.benchmark.matching.matchers.frequency import Frequency
from actalike.log import EventLog


def test_labels_are_compared_by_their_rank_and_equally_frequent_ones_share_it():
    log_a = EventLog.from_traces([["a", "a", "a", "b", "b", "c", "c"]])
    log_b = EventLog.from_traces([["x"], ["y", "y"], ["z", "z", "z"]])
    assert Frequency().fit(log_a, log_b, {}).scores_.tolist() == [[-2, -1, 0], [-0.5, -0.5, -1.5], [-0.5, -0.5, -1.5]]
