"""The commands group and relabel, run as a user runs them."""

import json

import pytest

from actalike import EventLog, group, read_log, read_mapping, relabel, write_log
from actalike.demo import loan_desk
from actalike.labels import in_words, shared_neighbours_words
from actalike.labels.mapping import mapping_of
from tests.cli.test_commands import fails, ok


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    path = tmp_path_factory.mktemp("groups") / "loan.xes.gz"
    write_log(loan_desk.loan_desk(), path)
    return path


def test_a_log_gets_simpler(log, tmp_path):
    mapping, simpler = tmp_path / "mapping.csv", tmp_path / "simpler.xes"
    shown = ok("group", log, "-o", mapping)
    assert "Pay out (193)\n  + Transfer loan (186)\n    alike by 1.000, from boldness 0.00, never in the same case\n" in shown
    assert "\n    both follow 'Sign contract' (" in shown
    assert "\n    Caution: Never in the same case: " in shown
    assert "\n8 groups with 17 of 28 activities (kin-w5, boldness 0.4); 19 activities would be left.\nNext: look through" in shown
    found = group(read_log(log))
    assert read_mapping(mapping).items() >= mapping_of(found).items()
    assert set(read_mapping(mapping)) == set(read_log(log).activities)
    assert (
        ok("relabel", log, mapping, "-o", simpler)
        == f"{simpler}: 7,908 events, 1,749 of them renamed; 28 activities became 19.\n"
    )
    assert read_log(simpler) == relabel(read_log(log), found)


def test_the_same_facts_for_programs(log, tmp_path):
    mapping, simpler = tmp_path / "mapping.csv", tmp_path / "simpler.xes"
    facts = json.loads(ok("group", log, "--json", "--boldness", 0.01, "--method", "kin-w3", "-o", mapping))
    found = group(read_log(log), "kin-w3", 0.01)
    assert [tuple(one["activities"]) for one in facts["groups"]] == [one.activities for one in found]
    context = found[0].evidence[0]
    assert facts["groups"][0]["evidence"][0] == {"words": shared_neighbours_words(context), "counts": list(context.counts)}
    assert facts["groups"][0]["cautions"] == [in_words(caution) for caution in found[0].cautions]
    assert (facts["method"], facts["boldness"], facts["output"]) == ("kin-w3", 0.01, str(mapping))
    done = json.loads(ok("relabel", log, mapping, "-o", simpler, "--collapse", "--json"))
    assert done["events"] + done["dropped"] == read_log(log).n_events
    assert done["output"] == str(simpler)


def test_collapsing_says_what_it_left_out(tmp_path):
    (tmp_path / "log.csv").write_text("Order;Step\n1;a\n1;b\n1;b\n")
    (tmp_path / "mapping.csv").write_text("activity,group\nb,a\n")
    shown = ok("relabel", "log.csv", "mapping.csv", "-o", "new.csv", "--collapse", "--case", "Order", cwd=tmp_path)
    assert shown == "new.csv: 2 events, 1 of them renamed, 1 left out; 2 activities became 1.\n"
    assert (tmp_path / "new.csv").read_text() == "Order;Step;actalike:original\n1;a;\n1;a;b\n"


def test_no_groups_is_an_answer(tmp_path):
    write_log(EventLog.from_traces([["a", "b"]]), tmp_path / "log.csv")
    assert ok("group", tmp_path / "log.csv") == "No groups among 2 activities (kin-w5, boldness 0.4).\n"


def test_mistakes_are_told_in_one_line(log, tmp_path):
    assert "boldness=2.0 is not between 0" in fails("group", log, "--boldness", 2)
    (tmp_path / "mapping.csv").write_text("activity,group\nPayout,Pay\n")
    said = fails("relabel", log, tmp_path / "mapping.csv", "-o", tmp_path / "new.xes")
    assert "no activity 'Payout'. Did you mean 'Pay out'?" in said
    assert "--lifecycle means nothing here" in fails(
        "relabel", log, tmp_path / "mapping.csv", "-o", tmp_path / "new.xes", "--lifecycle", "append"
    )
    assert "of another kind" in fails("relabel", log, tmp_path / "mapping.csv", "-o", tmp_path / "new.csv")
    assert "cannot be read" in fails("relabel", log, tmp_path / "nothing.csv", "-o", tmp_path / "new.xes")
    fails("relabel", log, tmp_path / "mapping.csv", code=2)
    assert [path.name for path in tmp_path.iterdir()] == ["mapping.csv"]


def test_labels_cannot_command_the_terminal(tmp_path):
    write_log(EventLog.from_traces([["x", "a\x9b31m", "y"], ["x", "b\x9b", "y"]] * 9), tmp_path / "log.csv")
    assert "\x9b" not in ok("group", tmp_path / "log.csv", "-b", 1)
