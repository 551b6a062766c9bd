"""The efficiency benchmark as a user runs it: real processes on small logs, stopped, killed, resumed; tables and pictures."""

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import polars as pl
import pytest

import actalike
from actalike import EventLog, benchmark, write_log
from actalike.benchmark.tasks import efficiency as growth
from actalike.demo.loan_desk import loan_desk
from tests.helpers.benchmark_runs import command, measured_here, run_here, tree
from tests.helpers.pictures import number_of_colours

METHODS = ("aa-sequence-pmi-w3", "aa-sequence-pmi-w5", "kin-w5", "one-hot")
SMALL = ("--methods", *METHODS, "--repeats", "2")

PLUGIN = """
import os, sys, time
from pathlib import Path
import numpy as np
import actalike

class Constant:
    def fit(self, log):
        print("a method may print", flush=True)
        self.embedding_ = actalike.Embedding(log.activities, np.ones((len(log.activities), 1)))
        return self

class Broken:
    def fit(self, log):
        raise RuntimeError("no luck today")

class Exits:
    def fit(self, log):
        sys.exit(3)

class Dies:
    def fit(self, log):
        os._exit(7)

class Sleeps:
    def fit(self, log):
        if log.n_cases > 2:
            (Path(__file__).parent / "pid").write_text(str(os.getpid()))
            time.sleep(600)

class NoEmbedding:
    def fit(self, log):
        self.embedding_ = type("Else", (), {"distances": lambda self: 0})()
        return self

for name, method in {"constant": Constant, "broken": Broken, "exits": Exits, "dies": Dies, "sleeps": Sleeps,
                     "no-embedding": NoEmbedding}.items():
    actalike.register(name, method)
"""


@pytest.fixture(scope="module")
def measured(small_logs, tmp_path_factory):
    out = tmp_path_factory.mktemp("out") / "measured"
    with measured_here():
        run_here("efficiency", "--logs", small_logs, "--out", out, *SMALL)
    return out


@pytest.fixture
def plugin(tmp_path):
    path = tmp_path / "plugin.py"
    path.write_text(PLUGIN.replace("__file__", repr(str(path))))
    return path


def cells(out):
    files = {(path.parents[1].name, path.stem): json.loads(path.read_text()) for path in out.glob("*/whole/*.json")}
    return {(log, method): content["participants"][method] for (log, method), content in files.items()}


def _items(figures):
    """The parts of the time of a round."""
    return {name: value for name, value in figures.items() if name not in ("seconds", "processor", "as_published")}


def test_result_files_stand_alone(measured):
    found = cells(measured)
    assert set(found) == {(log, method) for log in ("loan", "plain") for method in METHODS}
    cell = found["loan", "aa-sequence-pmi-w3"]
    assert cell["versions"].keys() == {"actalike", "python", "numpy", "scipy"}
    assert cell["versions"]["actalike"] == actalike.__version__
    assert cell["machine"]["processor"] == json.loads((measured / "benchmark.json").read_text())["processor"]
    assert cell["parameters"]["window"] == 3
    assert len(cell["figures"]) == 2
    assert cell["memory"]["peak_bytes"] >= cell["memory"]["before_bytes"] > 0
    assert os.environ.get("HOME", "/nowhere") not in json.dumps(cell)


def test_what_methods_pass_over_and_the_seconds_of_reading_are_noted(measured):
    found = cells(measured)
    assert found["loan", "kin-w5"]["passes_over"].startswith("variants, once")
    assert found["loan", "one-hot"]["passes_over"] == "activities, once"
    rows = benchmark.read(measured).by_log()
    assert rows["passes_over"].null_count() == 0
    assert rows["reading"].min() > 0
    assert rows.group_by("log").agg(pl.col("reading").n_unique())["reading"].to_list() == [1, 1]  # a log is read once


def test_all_parts_are_recorded(measured):
    found = cells(measured)
    for (_, method), cell in found.items():
        for one in cell["figures"]:
            assert all(seconds >= 0 for seconds in _items(one).values())
            assert one["seconds"] > 0 <= one["processor"]
            assert (one["as_published"] is None) == (method == "kin-w5")
            assert one["as_published"] is None or one["as_published"] >= one["seconds"]
    assert list(_items(found["loan", "aa-sequence-pmi-w3"]["figures"][0])) == ["count", "matrix", "weighting", "distances"]
    assert list(_items(found["loan", "kin-w5"]["figures"][0])) == ["count", "rounds", "distances"]
    assert list(_items(found["loan", "one-hot"]["figures"][0])) == ["fit", "distances"]


def test_what_is_there_is_not_measured_again(small_logs, measured):
    before = tree(measured)
    facts = json.loads(run_here("efficiency", "--logs", small_logs, "--out", measured, *SMALL, "--json").stdout)
    none = {"computed": 0, "failed_cells": 0, "failed": []}
    assert facts == {"schema": "actalike/benchmark/1", "out": str(measured), "cells": 8, **none}
    assert tree(measured) == before


@pytest.mark.campaign
def test_a_killed_run_goes_on_and_leaves_no_process(small_logs, plugin, tmp_path):
    out = tmp_path / "out"
    call = ("efficiency", "--logs", small_logs / "plain.csv", "--out", out, "--plugin", plugin, "--repeats", 1)
    running = subprocess.Popen(command(*call, "--methods", "one-hot", "sleeps"), stdout=subprocess.DEVNULL)
    pid_file = tmp_path / "pid"
    while running.poll() is None and not (pid_file.exists() and pid_file.read_text()):
        time.sleep(0.05)
    running.send_signal(signal.SIGKILL)
    running.wait()
    while _runs(int(pid_file.read_text())):
        time.sleep(0.05)
    before = tree(out)
    assert "plain/whole/one-hot.json" in before
    assert "plain/whole/sleeps.json" not in before
    assert "1 of 2 results are not there yet, of sleeps" in run_here("table", out).stderr
    assert json.loads(run_here(*call, "--methods", "one-hot", "kin-w3", "--json").stdout)["computed"] == 1
    assert before.items() <= tree(out).items()


def _runs(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_ctrl_c_says_how_to_go_on(small_logs, plugin, tmp_path):
    call = ("efficiency", "--logs", small_logs, "--out", tmp_path / "out", "--plugin", plugin, "--methods", "sleeps")
    running = subprocess.Popen(command(*call), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while running.poll() is None and not (tmp_path / "pid").exists():
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate()
    assert running.returncode == 130
    assert "the same command goes on" in said
    assert "Traceback" not in said
    assert not list((tmp_path / "out").glob("*/whole/*"))


def test_whatever_a_method_does_is_its_result(small_logs, plugin, tmp_path):
    out = tmp_path / "out"
    call = ("efficiency", "--logs", small_logs / "plain.csv", "--out", out, "--plugin", plugin, "--repeats", 1, "--json")
    names = ("constant", "broken", "exits", "dies", "no-embedding")
    failed = {found["method"]: found["error"] for found in json.loads(run_here(*call, "--methods", *names).stdout)["failed"]}
    assert failed == {
        "broken": "RuntimeError: no luck today",
        "exits": "SystemExit: 3",
        "dies": "its process ended with exit code 7",
        "no-embedding": "ActalikeError: it left Else in embedding_, not an Embedding",
    }
    assert "figures" in cells(out)["plain", "constant"]
    shown = run_here("table", out)
    assert "broken failed on plain: RuntimeError: no luck today." in shown.stderr
    assert run_here("table", out, "--by", "log").stdout.count("failed") == 4
    assert json.loads(run_here(*call, "--methods", *names).stdout)["computed"] == 0
    assert json.loads(run_here(*call, "--methods", "constant", "broken", "--retry-failed").stdout)["computed"] == 1


@pytest.mark.campaign
def test_a_method_that_takes_for_ever_is_ended(small_logs, plugin, tmp_path):
    out = tmp_path / "out"
    call = ("efficiency", "--logs", small_logs / "plain.csv", "--out", out, "--plugin", plugin, "--repeats", 1)
    run_here(*call, "--methods", "one-hot")
    assert "sleeps failed on plain: more than 3 s" in run_here(*call, "--methods", "sleeps", "one-hot", "--time-limit", 3).stdout
    assert not _runs(int((tmp_path / "pid").read_text()))
    assert ">3" in run_here("table", out).stdout
    assert "$>$3" in run_here("table", out, "--format", "latex").stdout
    table = benchmark.read(out).by_log()
    assert table.filter(pl.col("method") == "sleeps")["more_than"].to_list() == [3]
    assert table.filter(pl.col("method") == "one-hot")["repeats"].to_list() == [1]


def test_tables_are_of_seconds_or_of_all_that_was_measured(measured, tmp_path):
    lines = run_here("table", measured, "--tidy", tmp_path / "all.csv").stdout.splitlines()
    assert [cell.strip() for cell in lines[0].split("|")[1:-1]] == ["method", "loan", "loan, CPU", "plain", "plain, CPU"]
    assert lines[2].startswith("| aa-sequence-pmi w 3 \\| 5 | 0.0")
    single = pl.read_csv(tmp_path / "all.csv")
    assert single.height == 2 * 4 * 2  # logs, methods, rounds
    details = run_here("table", measured, "--by", "log").stdout
    assert details.count("parts, ms") == 2
    row = details.splitlines()[4]
    n = len(loan_desk(60).activities)
    assert all(
        part in row for part in ("count ", "matrix ", "weighting ", "distances ", f" {n} x {n} ", f" {n * n * 8 / 1000:.3g} kB")
    )
    latex = run_here("table", measured, "--format", "latex").stdout
    assert latex.startswith(r"\begin{tabular}{lcccc}")
    assert latex.count("|") == latex.count("$|$")
    csv = run_here("table", measured, "--format", "csv").stdout.splitlines()
    assert csv[0].startswith("log,method,repeats,seconds,least")
    assert len(csv) == 1 + 8
    facts = json.loads(run_here("table", measured, "--json").stdout)
    assert {fact["method"] for fact in facts} == set(METHODS)
    assert "--intervals is for means" in run_here("table", measured, "--intervals", code=1).stderr


def test_the_papers_seconds_stand_beside_those_of_its_logs_only(log_file, tmp_path):
    out = tmp_path / "out"
    write_log(EventLog.from_traces([["a", "b"], ["b", "a"]]), tmp_path / "BPIC15_1.csv")  # called so, but another log
    names = ("ac-sequence-ppmi-w9", "kin-w5")
    with measured_here():
        run_here("efficiency", "--logs", log_file("BPIC13_closed_problems"), tmp_path / "BPIC15_1.csv", "--methods", *names,
            "--repeats", 1, "--out", out)  # fmt: skip
    table = benchmark.read(out).by_log()
    found = {
        (log, method): (paper, ratio) for log, method, paper, ratio in table.select("log", "method", "paper", "ratio").iter_rows()
    }
    ours = table.filter((pl.col("log") == "BPIC13_closed_problems") & (pl.col("method") == names[0]))["as_published"][0]
    assert found["BPIC13_closed_problems", names[0]] == (0.015, pytest.approx(0.015 / ours))
    assert found["BPIC13_closed_problems", "kin-w5"] == (None, None)
    assert found["BPIC15_1", names[0]] == (None, None)
    header = run_here("table", out).stdout.splitlines()[0]
    assert "BPIC13_closed_problems, paper" in header
    assert "BPIC15_1, paper" not in header


def test_discovery_is_told_apart(small_logs, tmp_path):
    out = tmp_path / "out"
    with measured_here():
        run_here("efficiency", "--logs", small_logs / "plain.csv", "--methods", "process-structure", "--repeats", 2, "--out", out)
    table = benchmark.read(out).by_log()
    assert table["method"].to_list() == ["process-structure", "process-structure w/o discovery"]
    for one in cells(out)["plain", "process-structure"]["figures"]:
        assert list(_items(one)) == ["discovery", "features", "distances"]
    without = table.row(1, named=True)
    assert without["discovery"] is None
    assert without["seconds"] == without["as_published"] > 0
    assert benchmark.read(out).singles.height == 4
    assert benchmark.read(out).gaps() == []


def test_times_of_different_plans_and_machines_do_not_mix(small_logs, measured, tmp_path):
    call = ("efficiency", "--logs", small_logs, "--out")
    assert "repeats 2, not 3" in run_here(*call, measured, "--repeats", 3, code=1).stderr
    out = tmp_path / "copied"
    shutil.copytree(measured, out)
    file = out / "plain" / "whole" / "one-hot.json"
    sound = json.loads(file.read_text())
    for other in ({"processor": "Abacus, 1 core"}, {"repeats": 7}, {"log_digest": "0"}):
        file.write_text(json.dumps({**sound, **other}))
        assert f"{file} is of another run" in run_here("table", out, code=1).stderr
        assert f"{file} is of another run" in run_here(*call, out, *SMALL, code=1).stderr
    without = {"participants": {"one-hot": {**sound["participants"]["one-hot"], "figures": []}}}
    for damaged in ("{}", file.read_text()[:100], json.dumps({**sound, **without})):
        file.write_text(damaged)
        assert f"{file} is not a sound result file" in run_here("table", out, code=1).stderr


def test_wrong_options_are_errors(small_logs, tmp_path):
    out = ("--out", tmp_path / "out")
    assert "nothing to measure on" in run_here("efficiency", *out, code=1).stderr
    assert "No method is called 'kim'" in run_here("efficiency", "--logs", small_logs, "--methods", "kim", *out, code=1).stderr
    assert "does not exist" in run_here("efficiency", "--logs", tmp_path / "no", *out, code=1).stderr
    write_log(EventLog.from_traces([["a"]]), tmp_path / "events-1000.csv")
    said = run_here("efficiency", "--logs", tmp_path / "events-1000.csv", "--growth", *out, code=1).stderr
    assert "events-1000 is what a made-up log is called" in said
    assert not (tmp_path / "out").exists()


def assert_drawn(paths, names):
    assert [Path(path).name for path in paths] == names
    for path in paths:
        assert number_of_colours(path) > 20


def test_results_are_drawn(measured, tmp_path):
    said = run_here("plots", measured, "-o", tmp_path / "pictures").stdout.split()
    assert_drawn(said, ["seconds_by_method.png", *(f"growth_over_{size}.png" for size in ("events", "activities", "window"))])


def test_a_folder_of_failures_is_not_drawn(small_logs, plugin, tmp_path):
    call = (
        "efficiency",
        "--logs",
        small_logs / "plain.csv",
        "--plugin",
        plugin,
        "--methods",
        "broken",
        "--out",
        tmp_path / "out",
    )
    run_here(*call)
    assert "nothing to draw" in run_here("plots", tmp_path / "out", "-o", tmp_path / "pictures", code=1).stderr


def test_growth_is_measured_on_made_up_logs(tmp_path, monkeypatch):
    logs = {
        "events-100": (100, 5),
        "events-1000": (1000, 5),
        "activities-5": (100, 5),
        "activities-10": (100, 10),
        "windows-100": (100, 5),
    }
    monkeypatch.setattr(growth, "GROWTH_LOGS", logs)
    monkeypatch.setattr(growth, "_SPANS", (3, 7))
    monkeypatch.setattr(growth, "_USUAL_EVENTS", 100)
    out = tmp_path / "out"
    with measured_here():
        said = run_here("efficiency", "--growth", "--methods", "kin-w5", "--repeats", 1, "--out", out, "--json").stdout
    facts = json.loads(said)
    assert facts["cells"] == facts["computed"] == 6
    assert set(cells(out)) == {(log, "kin-w5") for log in logs if log != "windows-100"} | {
        ("windows-100", "kin-w3"),
        ("windows-100", "kin-w7"),
    }
    lines = run_here("table", out).stdout.splitlines()
    assert [cell.strip() for cell in lines[0].split("|")[2:6:2]] == ["activities-5", "activities-10"]
    assert [line.split()[1] for line in lines[2:]] == ["kin-w3", "kin-w5", "kin-w7"]
    drawn = run_here("plots", out, "-o", tmp_path / "pictures").stdout.split()
    assert_drawn(drawn, [f"growth_over_{size}.png" for size in ("events", "activities", "window")])
