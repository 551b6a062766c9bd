"""The command relabel."""

import json

from actalike import group, read_log, relabel
from tests.helpers.commands import fails, ok, refuses, run
from tests.helpers.ocel import purchases, write


def test_a_log_gets_simpler(whole_log, tmp_path):
    mapping, simpler = tmp_path / "mapping.csv", tmp_path / "simpler.xes"
    ok("group", whole_log, "-o", mapping)
    assert (
        ok("relabel", whole_log, mapping, "-o", simpler)
        == f"{simpler}: 7,785 events, 871 of them renamed; 30 activities became 24.\n"
    )
    log = read_log(whole_log, attributes="people")
    assert read_log(simpler, attributes="people") == relabel(log, group(log))
    facts = json.loads(ok("relabel", whole_log, mapping, "-o", simpler, "--overwrite", "--collapse", "--json"))
    assert facts["events"] + facts["dropped"] == read_log(whole_log).n_events
    assert facts["output"] == str(simpler)


def test_collapsing_says_how_many_events_were_left_out(tmp_path, monkeypatch):
    (tmp_path / "log.csv").write_text("Order;Step\n1;a\n1;b\n1;b\n")
    (tmp_path / "mapping.csv").write_text("activity,group\nb,a\n")
    monkeypatch.chdir(tmp_path)
    shown = ok("relabel", "log.csv", "mapping.csv", "-o", "new.csv", "--collapse", "--case", "Order")
    assert shown == "new.csv: 2 events, 1 of them renamed, 1 left out; 2 activities became 1.\n"
    assert (tmp_path / "new.csv").read_text() == "Order;Step;actalike:original\n1;a;\n1;a;b\n"


def test_labels_that_get_an_empty_name_keep_theirs_and_are_counted(tmp_path, monkeypatch):
    (tmp_path / "log.csv").write_text("case,activity\n1,a\n1,b\n1,c\n")
    (tmp_path / "mapping.csv").write_text("activity,group\na,\nb, \nc,d\n")
    monkeypatch.chdir(tmp_path)
    assert "2 labels keep" in ok("relabel", "log.csv", "mapping.csv", "-o", "new.csv")
    assert read_log("new.csv").traces() == [["a", "b", "d"]]
    assert json.loads(ok("relabel", "log.csv", "mapping.csv", "-o", "again.csv", "--json"))["unnamed"] == 2
    (tmp_path / "mapping.csv").write_text("activity,group\na,d\n")
    assert "keep" not in ok("relabel", "log.csv", "mapping.csv", "-o", "third.csv")


def test_mistakes_are_told_in_one_line(log, tmp_path):
    (tmp_path / "mapping.csv").write_text("activity,group\nPayout,Pay\n")
    line = fails("relabel", log, tmp_path / "mapping.csv", "-o", tmp_path / "new.xes")
    assert "no activity 'Payout'. Did you mean 'Pay out'?" in line
    assert "--lifecycle means nothing here" in fails(
        "relabel", log, tmp_path / "mapping.csv", "-o", tmp_path / "new.xes", "--lifecycle", "append"
    )
    assert "of another kind" in fails("relabel", log, tmp_path / "mapping.csv", "-o", tmp_path / "new.csv")
    assert "cannot be read" in fails("relabel", log, tmp_path / "nothing.csv", "-o", tmp_path / "new.xes")
    refuses("relabel", log, tmp_path / "mapping.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["mapping.csv"]


def test_the_order_of_the_events_can_be_given(tmp_path):
    (tmp_path / "log.csv").write_text("case,activity,time\n1,b,2024-01-03\n1,c,2024-01-02\n1,a,2024-01-01\n")
    (tmp_path / "mapping.csv").write_text("activity,group\na,b\n")
    words = ("relabel", tmp_path / "log.csv", tmp_path / "mapping.csv", "--collapse", "-o", tmp_path / "new.csv", "--overwrite")
    for order in ("file", "time"):
        assert "3 events, 1 of them renamed, 0 left out" in ok(*words, "--order", order)


def test_an_object_centric_log_is_not_relabelled_in_its_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(purchases(), tmp_path / "buy.xmlocel")
    (tmp_path / "mapping.csv").write_text("activity,group\nBook invoice,Enter invoice\n")
    words = fails("relabel", "buy.xmlocel", "mapping.csv", "-o", "new.xmlocel")
    assert "buy.xmlocel: files of object-centric logs (OCEL) cannot be copied" in words
    assert "object_type" in words
    assert "an object-centric log cannot be" in fails(
        "relabel", "buy.xmlocel", "mapping.csv", "-o", "new.xmlocel", "--object-type", "invoice"
    )
    assert "object-centric" in fails("relabel", "buy.xmlocel", "mapping.csv", "--also", "mapping.csv", "-o", "new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["buy.xmlocel", "mapping.csv"]
    output = run("group", "buy.xmlocel", "--object-type", "invoice", "-o", "groups.csv")
    assert "actalike.write_log(actalike.relabel(log, mapping), 'relabelled.xes')" in output.stdout.splitlines()[-1]
