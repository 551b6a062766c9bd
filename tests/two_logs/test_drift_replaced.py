import numpy as np

from actalike import EventLog
from actalike.two_logs.drift_presence import label_presence
from actalike.two_logs.drift_replaced import find_replaced
from actalike.two_logs.drift_sides import Sides


def replaced(before, after):
    sides = Sides(EventLog.from_traces(before), EventLog.from_traces(after), ("before", "after"))
    return find_replaced(sides, [one for one in label_presence(sides) if one.p < 1e-4])


def cases(names, seed):
    """Cases of a process with two branches, in which steps have the given names."""
    rng = np.random.default_rng(seed)
    return [["start", *(["check", names[0], "sign"] if rng.random() < 0.5 else ["ask", names[1]]), "end"] for _ in range(120)]


def test_labels_are_replaced_by_those_in_their_place():
    pairs = [one[:2] for one in replaced(cases(["pay", "call"], 1), cases(["1", "2"], 2))]
    assert sorted(pairs) == [("call", "2"), ("pay", "1")]


def test_a_late_event_of_the_old_label_does_not_matter():
    after = [*cases(["1", "call"], 2), ["start", "check", "pay", "sign", "end"]]
    assert [one[:2] for one in replaced(cases(["pay", "call"], 1), after)] == [("pay", "1")]


def test_nothing_is_replaced_if_labels_only_came_or_only_went():
    assert replaced(cases(["pay", "call"], 1), [[*case, "new"] for case in cases(["pay", "call"], 2)]) == []
    assert replaced([[*case, "old"] for case in cases(["pay", "call"], 1)], cases(["pay", "call"], 2)) == []


def test_a_new_label_in_another_place_replaces_nothing():
    before = [["order", "check", "pay"]] * 60 + [["order", "pay"]] * 60
    assert replaced(before, [["order", "pay"]] * 60 + [["order", "new", "order", "pay"]] * 60) == []
