"""What changed is told of steps that were matched, whatever they are called."""

from actalike import EventLog
from actalike.report.drift_data import drift_data

BEFORE = EventLog.from_traces([["order", "check", "pay"], ["order", "pay"]] * 60)
# "check" comes mostly last now, and is another step than that of the other log
AFTER = EventLog.from_traces([["1", "3", "check"], ["1", "3"]] * 60 + [["1", "check", "3"]] * 5)
PAIRS = [("order", "1"), ("pay", "3")]
NUMBERS = {"order": 0, "pay": 1, "check": 2}, {"1": 0, "3": 1, "check": 2}


def test_a_label_without_a_partner_is_not_taken_for_one_of_the_same_name():
    data = drift_data(BEFORE, AFTER, PAIRS, *NUMBERS)
    assert (data["judged"], data["pairs"]) == (2, 2)
    changed = {row[0]: row for row in data["changed"]}
    assert set(changed) == {0, 1}
    order, pay = changed[0], changed[1]
    assert order[2:4] == [120, 125]
    assert [1, 0, 1, 0.5, 0.96] in order[4]  # pay comes directly after order in most cases now
    assert [1, 0, 2, 0.5, 0.0] in order[5]
    assert [1, 1, 2, 0.0, 0.48] in pay[4]  # the check of log b, which is another one
    assert data["told_apart"] == [[[2, -1]], [[2, -1]]]  # check of log a, check of log b
    matched = drift_data(BEFORE, AFTER, [*PAIRS[:1], ("check", "3")], *NUMBERS)
    assert matched["told_apart"] == [[[2, 1]], [[2, -1]]]  # check = 3, check of log b
    assert drift_data(BEFORE, AFTER, [], *NUMBERS) is None


def test_labels_that_share_a_partner_are_one_step():
    split = EventLog.from_traces([["1", "3"], ["1", "4"]] * 60)
    whole = EventLog.from_traces([["order", "pay"]] * 120)
    for log_a, log_b, pairs in [
        (whole, split, [("order", "1"), ("pay", "3"), ("pay", "4")]),
        (split, whole, [("1", "order"), ("3", "pay"), ("4", "pay")]),
    ]:
        numbers = [{label: i for i, label in enumerate(log.activities)} for log in (log_a, log_b)]
        data = drift_data(log_a, log_b, pairs, *numbers)
        assert (data["judged"], data["changed"], data["told_apart"]) == (2, [], [[], []])
