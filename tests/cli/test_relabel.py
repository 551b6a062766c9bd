"""The command relabel, and the command that other commands propose for relabelling."""

import gzip
import json
import re
import shlex
from pathlib import Path

import pytest

from actalike import DecidedGroup, Decisions, EventLog, group, read_log, relabel, write_decisions, write_log
from actalike.cli.labels import relabel_command, relabelled_place, why_no_relabelling
from actalike.cli.options import ReadingOptions
from actalike.cli.outputs import files_read
from actalike.io import stem_of
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
    assert "--lifecycle" in fails("relabel", log, tmp_path / "mapping.csv", "-o", tmp_path / "new.xes", "--lifecycle", "append")
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


LOG = EventLog.from_traces([["Check", "Pay"], ["Verify", "Pay"]] * 6)
RENAMED = [["Test", "Pay"], ["Test", "Pay"]] * 6


def shown_data(page):
    """Return the data of a page."""
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(encoding="utf-8"))
    return json.loads(data[1])


@pytest.mark.parametrize("name", ["log.csv", "my log.tsv.gz", "log.parquet", "-log.xes", "it's.XES.gz"])
def test_the_command_relabels_every_kind_of_log(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    write_log(LOG, name.replace("XES", "xes").replace("tsv", "csv"))
    if "tsv" in name:
        write_log(LOG, "other.csv")
        Path(name).write_bytes(gzip.compress(Path("other.csv").read_text().replace(",", "\t").encode()))
    elif "XES" in name:
        Path(name.replace("XES", "xes")).rename(name)
    write_decisions(Decisions((DecidedGroup("Test", ("Check", "Verify")),), log_digest=LOG.digest), "decisions.json")
    relabelled = Path(f"new{name[len(stem_of(name)) :]}")
    program, *words = shlex.split(relabel_command(Path(name), Path("decisions.json"), relabelled, ReadingOptions()))
    assert program == "actalike"
    ok(*words)
    assert read_log(relabelled).traces() == RENAMED


def test_the_options_of_reading_are_those_of_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "Fall|Größe|Schritt\n" + "".join(f"{case}|1|{step}\n" for case, trace in enumerate(LOG.traces()) for step in trace)
    Path("log.csv").write_bytes(rows.encode("cp1252"))
    options = ["--case=Fall", "--activity=Schritt", "--order=file", "--separator=|", "--encoding=cp1252", "--max-bytes=9999"]
    ok("report", "log.csv", "-o", "page.html", "-m", "one-hot", "--attributes=Größe", *options)
    command = shown_data(Path("page.html"))["relabelling"]["command"]
    assert shlex.split(command) == ["actalike", "relabel", "log.csv", "decisions.json", "-o", "log-relabelled.csv", *options]
    write_decisions(Decisions((DecidedGroup("Test", ("Check", "Verify")),), log_digest="0"), "decisions.json")
    done = run(*shlex.split(command)[1:])
    assert done.returncode == 0
    assert "decisions.json was made for a log with 0 activities, and this is log.csv with 3 activities: labels" in done.stderr
    read = read_log("log-relabelled.csv", case="Fall", activity="Schritt", separator="|", encoding="cp1252")
    assert read.traces() == RENAMED


def test_a_log_that_was_read_in_another_way_is_no_other_log(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("months").mkdir()
    rows = [f"{case},{step},{kind}\n" for case in range(20) for step in ("a", "bc"[case % 2]) for kind in ("start", "complete")]
    for month in "12":
        Path(f"months/{month}.csv").write_text("case,activity,lifecycle:transition\n" + "".join(rows))
    said = {"--cases=joined": "equal case ids are one case", "--cases=separate": "cases called by file and id"}
    for option, words in {**said, "--lifecycle=complete": "20 cases"}.items():
        log = "months" if option in said else "months/1.csv"
        assert run("report", log, "-o", "page.html", "-m", "one-hot", "--overwrite", option).returncode == 0
        data = shown_data(Path("page.html"))
        decisions = Decisions((DecidedGroup("b", ("b", "c")),), "", data["digest"], Path(log).name, len(data["labels"]))
        write_decisions(decisions, "decisions.json")
        command = shlex.split(data["relabelling"]["command"])
        command[command.index("-o") + 1] = f"new{len(option)}{Path(log).suffix}"
        done = run(*command[1:])
        assert done.returncode == 0, done.stderr
        (note,) = done.stderr.splitlines()  # how it was read; no alarm, and no advice that relabel would refuse
        assert words in note


def test_decisions_that_name_no_log_are_not_said_to_be_of_another(tmp_path):
    write_log(LOG, tmp_path / "log.csv")
    write_decisions(Decisions((DecidedGroup("Test", ("Check", "Verify")),)), tmp_path / "decisions.json")
    done = run("relabel", tmp_path / "log.csv", tmp_path / "decisions.json", "-o", tmp_path / "new.csv")
    assert done.returncode == 0
    assert "was made for" not in done.stderr


@pytest.mark.parametrize(
    ("folder", "where", "place"),
    [
        (".", "logs", "../logs-relabelled"),
        ("..", "logs/in", "../../logs-relabelled"),
        ("logs", ".", "logs-relabelled"),
        ("../logs", "logs", "../logs-relabelled"),
        ("logs", "other", "logs-relabelled"),
        ("../logs/", "other", "logs-relabelled"),
    ],
)
def test_a_relabelled_folder_lies_outside_the_folder_that_is_read(tmp_path, monkeypatch, folder, where, place):
    for name in ("logs/in", "other/logs"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / where)
    proposed = relabelled_place(Path(folder), ReadingOptions())
    assert str(proposed) == place
    list(files_read(folder, proposed))


def test_further_folders_are_not_written_into(tmp_path, monkeypatch):
    (tmp_path / "logs").mkdir()
    monkeypatch.chdir(tmp_path / "logs")
    write_log(LOG, "a.csv")
    assert relabelled_place(Path("a.csv"), ReadingOptions(also=[Path()])) == Path("../a-relabelled")


def test_labels_with_their_transition_cannot_be_relabelled():
    reading = ReadingOptions(lifecycle="append")
    assert relabel_command(Path("a.xes"), Path("decisions.json"), Path("b.xes"), reading) is None


def test_a_label_that_the_log_does_not_have_is_an_error_as_in_a_mapping(tmp_path):
    write_log(LOG, tmp_path / "log.csv")
    write_decisions(Decisions((DecidedGroup("Test", ("Check", "Chekc")),)), tmp_path / "decisions.json")
    done = run("relabel", tmp_path / "log.csv", tmp_path / "decisions.json", "-o", tmp_path / "new.csv")
    assert done.returncode == 1
    assert "The log has no activity 'Chekc'" in done.stderr
    assert not (tmp_path / "new.csv").exists()
    done = run("report", tmp_path / "log.csv", "-o", tmp_path / "decisions.json", "--decisions", tmp_path / "decisions.json")
    assert done.returncode == 1


def test_there_is_no_command_for_an_object_centric_log():
    for reading in (ReadingOptions(), ReadingOptions(object_type="order")):
        assert relabel_command(Path("buy.json"), Path("m.csv"), Path("new.json"), reading) is None
        assert "object-centric" in why_no_relabelling(Path("buy.json"), reading)
    assert why_no_relabelling(Path("a.csv"), ReadingOptions(also=[Path("b.sqlite")]))
    assert "without --lifecycle append" in why_no_relabelling(Path("a.csv"), ReadingOptions(lifecycle="append"))
