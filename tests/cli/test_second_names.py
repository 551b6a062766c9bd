"""Second names of labels, and several files as one log, in the commands."""

import json
import shlex

import polars as pl
import pytest

from actalike import EventLog, embed, read_log
from actalike.cli.plot import drawn_embedding, drawn_log
from actalike.labels import read_mapping
from tests.helpers.commands import fails, ok, run

TRACES = [["x", "a", "y"], ["x", "b", "y"]] * 20


@pytest.fixture
def coded(tmp_path):
    frame = EventLog.from_traces(TRACES).to_frame()
    names = {"a": "=Check, please", "b": "Verify\x1b[31m", "x": "x"}
    path = tmp_path / "coded.csv"
    frame.with_columns(text=pl.col("activity").replace_strict(names, default=None)).write_csv(path)
    return path


def test_second_names_stand_beside_labels(coded, tmp_path):
    mapping = tmp_path / "mapping.csv"
    shown = ok("group", coded, "--name", "text", "--all", "-o", mapping)
    assert "a [=Check, please] (20) = b [Verify\\x1b[31m] (20)?" in shown
    header, first, *_ = mapping.read_text().splitlines()
    assert header == "activity,group,name,probability,relation,reason"
    assert first.startswith('a,"\'=Check, please","\'=Check, please",')  # a group of codes is called by a second name
    assert read_mapping(mapping) == {"a": "=Check, please", "b": "=Check, please", "x": "x", "y": "x"}
    assert "a [=Check, please]" in ok("similar", coded, "--name", "text")
    assert "b [Verify\\x1b[31m]" in ok("similar", coded, "a", "--name", "text", "--method", "one-hot", "--resamples", 0)
    assert ok("explain", coded, "a", "b", "--name", "text").startswith("a: =Check, please\nb: Verify\\x1b[31m\n\n")
    names = {"a": "=Check, please", "b": "Verify\x1b[31m", "x": "x"}
    for command in (["group", coded], ["similar", coded], ["explain", coded, "a", "b"]):
        facts = json.loads(ok(*command, "--name", "text", "--json"))
        assert (facts["names"], facts["read"]["name"]) == (names, "text")
        assert json.loads(ok(*command, "--json"))["names"] == {}


def test_other_second_names_count_against_one_step_and_change_nothing_else(coded):
    without, named = (json.loads(ok("group", coded, *options, "--json"))["groups"] for options in ([], ["--name", "text"]))
    same = ("activities", "relation", "interchangeable")
    assert [[one[key] for key in same] for one in named] == [[one[key] for key in same] for one in without]
    assert named[0]["probability"] < without[0]["probability"]
    assert {one["kind"] for one in named[0]["reasons"]} - {one["kind"] for one in without[0]["reasons"]} == {"names"}


def test_second_names_are_refused_where_they_mean_nothing(coded, tmp_path):
    assert "--name" in fails("count", coded, "-o", tmp_path / "x.actalike", "--name", "text")
    assert "--name" in fails("embed", coded, "-o", tmp_path / "x.csv", "--name", "text")
    assert "--name, --also cannot go with --engine duckdb" in fails(
        "similar", coded, "-m", "kin", "--engine", "duckdb", "--name", "text", "--also", coded
    )


def test_figures_show_second_names(coded):
    log = read_log(coded, name="text")
    assert drawn_log(log).activities == ["a [=Check, please]", "b [Verify\x1b[31m]", "x", "y"]
    drawn = drawn_embedding(embed(log, "one-hot"), log.names)
    assert drawn.activities == drawn_log(log).activities
    assert drawn.similarity("x", "y") == 0
    clash = EventLog(["a", "a [b]"], [0, 1], [0, 2], ["1"], names={"a": "b"})
    assert drawn_log(clash).activities == clash.activities


def test_a_folder_or_further_files_are_one_log(coded, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "logs").mkdir()
    lines = coded.read_text().splitlines(keepends=True)
    half = len(lines) // 6 * 3 + 1
    (tmp_path / "logs" / "a.csv").write_text("".join(lines[:half]))
    (tmp_path / "logs" / "b.csv").write_text("".join([lines[0], *lines[half:]]))
    whole = json.loads(ok("group", coded, "--json"))
    done = run("group", "logs", "--all", "-o", "mapping.csv")
    assert "attributes = source; 2 files: a.csv, b.csv" in done.stderr
    command = done.stdout.splitlines()[-1].partition("then: ")[2]
    assert command == "actalike relabel logs mapping.csv -o relabelled"
    for words in (["logs"], ["logs/a.csv", "--also", "logs/b.csv"]):
        facts = json.loads(ok("group", *words, "--json"))
        assert facts["groups"] == whole["groups"]
        assert facts["read"]["files"] == ["a.csv", "b.csv"]
    assert "120 events, 60 of them renamed; 4 activities became 2." in ok(*shlex.split(command)[1:])
    assert read_log("relabelled").activities == ["a", "x"]
    assert "is in the folder logs, which is the input" in fails("group", "logs", "-o", "logs/mapping.csv")
    assert "--collapse is for one file" in fails("relabel", "logs", "mapping.csv", "-o", "new", "--collapse")
    (tmp_path / "logs" / "c.csv").write_text("".join(lines[:4]))
    assert "--cases joined" in fails("group", "logs")
    assert "c.csv/1" in read_log("logs", cases="separate").case_ids
    assert json.loads(ok("similar", "logs", "--cases", "joined", "--json"))["read"]["joined_cases"] == "joined"
