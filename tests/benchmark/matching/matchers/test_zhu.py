from actalike.benchmark.matching.matchers.zhu import Zhu
from actalike.log import EventLog

LOG_A = EventLog.from_traces([["a", "b", "d"], ["a", "c", "d"]])
LOG_B = EventLog.from_traces([["1", "2", "4"], ["1", "3", "4"]])


def test_equal_logs_have_their_labels_matched():
    scores = Zhu().fit(LOG_A, LOG_B, {}).scores_
    assert scores.argmax(axis=1).tolist() == [0, 1, 1, 3]
    assert scores[1, 1] == scores[1, 2]


def test_a_known_pair_decides_for_its_neighbours_and_is_like_nothing_else():
    log_a, log_b = (EventLog.from_traces([[a, x], [b, y]]) for a, x, b, y in ("apbq", "1234"))
    scores = Zhu().fit(log_a, log_b, {"a": "1"}).scores_
    row = log_a.activities.index("p")
    assert scores[row].argmax() == log_b.activities.index("2")
    assert scores[0].tolist() == [1, 0, 0, 0]
