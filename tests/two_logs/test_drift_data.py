import json

from actalike import EventLog, drift
from actalike.two_logs import drift_headline


def test_the_facts_are_plain_data():
    before = EventLog.from_traces([["a", "b", "c"]] * 30 + [["a", "old"]] * 30)
    after = EventLog.from_traces([["b", "a", "c"]] * 30 + [["a", "new"]] * 30)
    result = drift(before, after)
    facts = json.loads(json.dumps(result.as_dict()))
    assert facts["sides"] == ["before", "after"]
    assert facts["cases"] == [60, 60]
    assert [one["activity"] for one in facts["changed"]] == [one.activity for one in result.changed]
    assert facts["changed"][0]["came"][0]["part"] == result.changed[0].came[0].part
    assert [(one["old"], one["new"]) for one in facts["replaced"]] == [("old", "new")]
    assert repr(result).startswith("Drift(60 and 60 cases; ")
    assert repr(result).endswith("0 appeared, 0 vanished, 1 replaced)")


def test_only_activities_that_were_judged_are_counted():
    result = drift(EventLog.from_traces([["a", "b"]] * 30 + [["rare"]]), EventLog.from_traces([["b", "a"]] * 30 + [["rare"]]))
    assert (len(result.all), result.judged) == (3, 2)
    assert "; 2 of 2 activities changed, " in repr(result)
    assert drift_headline(result).startswith("2 of 2 activities changed ")
