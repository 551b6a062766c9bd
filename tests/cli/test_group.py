"""The command group."""

import json

from actalike import EventLog, group, read_log, read_mapping, write_log
from actalike.labels import in_words, shared_neighbours_words
from actalike.labels.mapping import mapping_of
from tests.helpers.commands import fails, ok


def test_groups_are_shown_and_their_mapping_is_written(whole_log, tmp_path):
    mapping = tmp_path / "mapping.csv"
    shown = ok("group", whole_log, "-o", mapping)
    assert "Pay out (193)\n  + Transfer loan (186)\n    alike by 1.000, from boldness 0.00, never in the same case\n" in shown
    assert "\n    both follow 'Sign contract' (" in shown
    assert "\n    Caution: Never in the same case: " in shown
    assert "\n8 groups with 17 of 28 activities (kin-w5, boldness 0.4); 19 activities would be left.\nNext: look through" in shown
    assert read_mapping(mapping).items() >= mapping_of(group(read_log(whole_log))).items()
    assert set(read_mapping(mapping)) == set(read_log(whole_log).activities)


def test_the_same_facts_for_programs(whole_log, tmp_path):
    mapping = tmp_path / "mapping.csv"
    facts = json.loads(ok("group", whole_log, "--json", "--boldness", 0.01, "--method", "kin-w3", "-o", mapping))
    groups = group(read_log(whole_log), "kin-w3", 0.01)
    assert [tuple(proposal["activities"]) for proposal in facts["groups"]] == [proposal.activities for proposal in groups]
    context = groups[0].evidence[0]
    assert facts["groups"][0]["evidence"][0] == {"words": shared_neighbours_words(context), "counts": list(context.counts)}
    assert facts["groups"][0]["cautions"] == [in_words(caution) for caution in groups[0].cautions]
    assert (facts["method"], facts["boldness"], facts["output"]) == ("kin-w3", 0.01, str(mapping))


def test_a_share_that_is_not_nothing_is_not_called_nothing(tmp_path):
    traces = [["x", "a", "y"], ["x", "b", "y"]] * 100 + [["x", "a", "y", "x", "b", "y"]]
    write_log(EventLog.from_traces(traces), tmp_path / "log.csv")
    assert "two or more in under 1 % of their cases" in ok("group", tmp_path / "log.csv", "-b", 1)


def test_no_groups_is_an_answer(tmp_path):
    write_log(EventLog.from_traces([["a", "b"]]), tmp_path / "log.csv")
    assert ok("group", tmp_path / "log.csv", "-m", "kin") == "No groups among 2 activities (kin-w5, boldness 0.4).\n"


def test_a_wrong_boldness_is_an_error(log):
    assert "boldness=2.0 is not between 0" in fails("group", log, "--boldness", 2)


def test_labels_cannot_command_the_terminal(tmp_path):
    write_log(EventLog.from_traces([["x", "a\x9b31m", "y"], ["x", "b\x9b", "y"]] * 9), tmp_path / "log.csv")
    assert "\x9b" not in ok("group", tmp_path / "log.csv", "-b", 1)
