"""Printing odd events."""

from dataclasses import replace

from actalike import EventLog, OddEvent, odd
from actalike.cli.odd_output import case_facts, print_case, print_odd_events

LOG = EventLog.from_traces([["a", "b"] * 100, ["a", "c"], ["a", "b"]])
ODD = OddEvent("1", 0, 100, (100,), "a", "repeated", 12.25, "b", "b", 1, 9, (), context=("b",), seam=100)


def test_odd_events_for_one_reason_are_one_entry(capsys):
    events = [*(replace(ODD, case=str(number)) for number in range(6)), replace(ODD, total=10, score=3.0)]
    print_odd_events(events, LOG, 1)
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "7 odd places in 1 case: 7 repeated. Looked at: 204 events of 3 cases.", "",
        "12.2  case 0, event 101: repeated", "      'a' is repeated: after 'b' comes 'a' in 1 of 9",
        "      also case 1, event 101; case 2, event 101; case 3, event 101; and 2 more", "",
        "and 1 more odd place for 1 more reason: --top, or -o FILE", "",
    ]  # fmt: skip
    print_odd_events([], LOG, 1)
    assert capsys.readouterr().out == "No odd place. Looked at: 204 events of 3 cases.\n\n"


def test_of_a_long_case_the_odd_places_are_shown_with_what_is_around_them(capsys):
    result = odd(LOG)
    at_the_end = replace(ODD, position=200, events=(), activity=None, kind="skipped", missing=("c",))
    print_case(result, 0, [ODD, at_the_end, ODD], 2)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("case 1: 200 events, score ")
    assert [line.split()[0] for line in lines[2:-1]] == [
        "1", "...", "99", "100", "101", "12.2", "102", "103", "...", "199", "200", "12.2", "and",
    ]  # fmt: skip
    assert lines[-2] == "and 1 more place: --top"
    print_case(result, 1, [], 2)
    assert capsys.readouterr().out.endswith("\n1  a\n2  c\nnothing is odd about it: no place has a score of 4.6 or more\n\n")


def test_the_facts_of_a_case_have_its_score_and_its_place():
    facts = case_facts(odd(LOG), range(3))
    assert [one["events"] for one in facts[1:]] == [["a", "c"], ["a", "b"]]
    assert sorted(one["rank"] for one in facts)[0] == 1
    assert max(facts, key=lambda one: one["score"])["rank"] == 1
