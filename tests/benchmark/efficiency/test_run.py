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
from actalike import benchmark
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


def test_whatever_a_method_does_is_its_result(small_logs, plugin, tmp_path):
    out = tmp_path / "out"
    call = ("efficiency", "--logs", small_logs / "plain.csv", "--out", out, "--plugin", plugin, "--repeats", 1, "--json")
    here, in_processes = ("broken", "no-embedding"), ("constant", "exits", "dies")
    with measured_here():
        failures = json.loads(run_here(*call, "--methods", *here).stdout)["failed"]
    failures += json.loads(run_here(*call, "--methods", *in_processes).stdout)["failed"]
    failed = {found["method"]: found["error"] for found in failures}
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
    assert json.loads(run_here(*call, "--methods", *here, *in_processes).stdout)["computed"] == 0
    with measured_here():
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
    assert "No method is called 'kim'" in run_here("efficiency", "--logs", small_logs, "--methods", "kim", *out, code=1).stderr
    assert "does not exist" in run_here("efficiency", "--logs", tmp_path / "no", *out, code=1).stderr
    assert not (tmp_path / "out").exists()


def assert_drawn(paths, names):
    assert [Path(path).name for path in paths] == names
    for path in paths:
        assert number_of_colours(path) > 20


def test_results_are_drawn(measured, tmp_path):
    said = run_here("plots", measured, "-o", tmp_path / "pictures").stdout.split()
    assert_drawn(said, ["seconds_by_method.png"])
