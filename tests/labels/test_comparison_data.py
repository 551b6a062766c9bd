import json

from actalike import EventLog, compare


def test_a_comparison_says_briefly_what_it_is_of():
    log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["x", "b", "c"]])
    assert repr(compare(log, "a", ["b", "c"])) == (
        "Comparison('a' (1 event, 1 case), 'b and 1 more' (3 events, 2 cases); 0 cases with both)"
    )


def test_the_data_of_a_comparison_are_plain():
    log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "a"]])
    data = compare(log, "a", "b").as_dict()
    assert json.loads(json.dumps(data)) == data
    assert data["before"] == [{"label": "x", "count_a": 1, "count_b": 1}, {"label": "b", "count_a": 1, "count_b": 0}]
    assert data["between"][0] == {"before": "x", "after": "a", "count_a": 0, "count_b": 1}
    example = {"case": "2", "labels": ["x", "b", "a"], "marked": [1, 2], "before": 0, "after": 0, "moment": None, "position": 2}
    assert data["examples_together"] == [example]
    assert data["together"] == {"cases": 1, "instants": None, "a_before_b": 0, "b_before_a": 1, "cases_a": 2, "cases_b": 1}
