"""What the page of two logs is given: the matching, and what changed over its vocabulary."""

import pytest

from actalike import EventLog, match
from actalike.demo.loan_desk import loan_desk
from actalike.report import matching_report as module
from actalike.report.matching_report import drift_data, two_logs_data
from actalike.two_logs import SplitStep
from actalike.two_logs.describe import matching_sentences


@pytest.fixture(scope="module")
def halves():
    traces = loan_desk(120).traces()
    return EventLog.from_traces(traces[::2]), EventLog.from_traces(traces[1::2])


def test_pairs_candidates_and_reasons_are_those_of_the_matching(halves):
    matching, data = match(*halves), two_logs_data(*halves, {})
    a, b = (log["labels"] for log in data["logs"])
    assert [(a[i], b[j]) for i, j, _ in data["pairs"]] == [(pair.a, pair.b) for pair in matching.pairs]
    assert [p for _, _, p in data["pairs"]] == pytest.approx([pair.probability for pair in matching.pairs], abs=2e-4)
    for side, unmatched in enumerate((matching.unmatched_a, matching.unmatched_b)):
        assert [data["logs"][side]["labels"][i] for i, _ in data["alone"][side]] == [one.activity for one in unmatched]
    likely = [one for one in matching.candidates(a[0]) if one.probability >= 0.005]
    assert [b[j] for j, _ in data["candidates"][0][0]] == [one.b for one in likely]
    assert [p for _, p in data["candidates"][0][0]] == pytest.approx([one.probability for one in likely], abs=2e-4)
    for i, j, lines in data["reasons"]:
        assert lines == [list(line) for line in matching_sentences(matching, a[i], b[j])]
    assert {(i, j) for i, j, _ in data["pairs"]} <= {(i, j) for i, j, _ in data["reasons"]}


def test_a_large_log_is_cut_to_its_most_frequent_labels_and_says_so(halves, monkeypatch):
    monkeypatch.setattr(module, "MOST_ACTIVITIES", 5)
    log_a, log_b = halves
    data = two_logs_data(log_a, log_b, {})
    assert [len(log["labels"]) for log in data["logs"]] == [5, 5]
    left_out = data["logs"][0]["left_out"]
    assert left_out["activities"] == len(log_a.activities) - 5
    assert left_out["events"] == log_a.n_events - sum(data["logs"][0]["counts"])
    assert all(i < 5 and j < 5 for i, j, _ in data["pairs"])
    assert data["numbers"]["pairs"] + data["numbers"]["unmatched_a"] == len(log_a.activities)


def test_what_a_person_knows_or_rejects_counts(halves):
    label = halves[0].activities[0]
    apart = [(a, b) for a in halves[0].activities for b in halves[1].activities if a != label]
    data = two_logs_data(*halves, {label: halves[1].activities[1]}, at_least=0.9, apart=apart)
    number_a, number_b = ({one: i for i, one in enumerate(log["labels"])} for log in data["logs"])
    assert data["known"] == [[number_a[label], number_b[halves[1].activities[1]]]]
    assert (data["drift"]["pairs"], data["numbers"]["pairs"], data["splits"]) == (1, 1, [])


def test_a_split_has_the_side_of_its_one_label(halves):
    number_a, number_b = {"a": 0, "b": 1}, {"x": 0, "y": 1}
    assert module._split_data(SplitStep("a", "a", ("x", "y"), 0.8), number_a, number_b) == [0, 0, [0, 1], 0.8]
    assert module._split_data(SplitStep("y", "b", ("a", "b"), 0.8), number_a, number_b) == [1, 1, [0, 1], 0.8]
    assert module._split_data(SplitStep("a", "a", ("x", "too rare"), 0.8), number_a, number_b) is None


def test_only_what_is_certain_is_shown_as_such():
    assert [module._short(p) for p in (0, 1e-9, 0.12345, 1 - 1e-9, 1)] == [0, 0.0001, 0.1235, 0.9999, 1]


def test_further_labels_of_a_split_step_are_not_counted_as_without_a_partner():
    cases = [["x", "pay", "y", "z"], ["x", "y", "w", "z"], ["x", "w", "z"]]
    log_a = EventLog.from_traces(cases * 60)
    log_b = EventLog.from_traces(
        [[{"pay": f"pay {number % 2}"}.get(label, label) for label in case] for number in range(60) for case in cases]
    )
    matching = match(log_a, log_b)
    assert [split.activity for split in matching.splits] == ["pay"]
    assert len(matching.unmatched_b) == 1
    assert two_logs_data(log_a, log_b, {})["numbers"]["unmatched_b"] == 0


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
    assert data["marked"] == [[[2, -1]], [[2, -1]]]  # check of log a, check of log b
    matched = drift_data(BEFORE, AFTER, [*PAIRS[:1], ("check", "3")], *NUMBERS)
    assert matched["marked"] == [[[2, 1]], [[2, -1]]]  # check = 3, check of log b
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
        assert (data["judged"], data["changed"], data["marked"]) == (2, [], [[], []])
