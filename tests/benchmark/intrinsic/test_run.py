"""The benchmark as a user runs it: serial, parallel, sharded, killed and resumed, with methods of one's own."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

import actalike
from actalike import EventLog, benchmark, write_log
from actalike.demo.loan_desk import loan_desk
from tests.helpers.benchmark_runs import command, run, run_here, tree
from tests.helpers.commands import without_what_was_read

PLUGIN = """
import numpy as np
import actalike

class Constant:
    def fit(self, log):
        self.embedding_ = actalike.Embedding(log.activities, np.ones((len(log.activities), 1)))
        return self

class Broken:
    def fit(self, log):
        raise RuntimeError("no luck today")

actalike.register("constant", Constant)
actalike.register("broken", Broken)
"""


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    write_log(loan_desk(60), folder / "loan.xes.gz")
    write_log(loan_desk(40, seed=3), folder / "other.csv")
    return folder


GRID = ("--methods", "a?-sequence-pmi-w[35]", "--r", "1-3", "--w", "2-3", "--samples", "2")


@pytest.fixture(scope="module")
def serial(logs, tmp_path_factory):
    out = tmp_path_factory.mktemp("out") / "serial"
    run_here("intrinsic", "--logs", logs, "--out", out, *GRID)
    return out


@pytest.mark.campaign
def test_parallel_and_sharded_runs_give_the_same_bytes(logs, serial, tmp_path):
    run("intrinsic", "--logs", logs, "--out", tmp_path / "parallel", *GRID, "--jobs", 2)
    assert tree(tmp_path / "parallel") == tree(serial)
    for i in (3, 1, 2):
        run_here("intrinsic", "--logs", logs, "--out", tmp_path / "sharded", *GRID, "--shard", f"{i}/3")
    assert tree(tmp_path / "sharded") == tree(serial)
    assert run_here("table", tmp_path / "sharded").stdout == run_here("table", serial).stdout


SLEEPS = """
import time
from pathlib import Path

import actalike


class Sleeps:
    def fit(self, log):
        Path({started!r}).touch()
        time.sleep(600)


actalike.register("sleeps", Sleeps)
"""


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), pytest.param(signal.SIGTERM, 143, marks=pytest.mark.campaign)]
)
def test_a_signal_ends_a_run_which_says_how_to_go_on_and_is_no_failure_of_the_method(logs, tmp_path, number, code):
    out, started = tmp_path / "out", tmp_path / "started"
    (tmp_path / "plugin.py").write_text(SLEEPS.format(started=str(started)))
    call = ("intrinsic", "--logs", logs, "--out", out, "--plugin", tmp_path / "plugin.py", "--methods", "sleeps")
    running = subprocess.Popen(command(*call), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while running.poll() is None and not started.exists():
        time.sleep(0.05)
    running.send_signal(number)
    _, said = running.communicate(timeout=60)
    assert running.returncode == code
    assert "the same command goes on" in said
    assert "Traceback" not in said
    assert not list(out.glob("*/r*/*.json"))


def test_further_methods_join_the_results(logs, tmp_path):
    out = tmp_path / "out"
    small = ("intrinsic", "--logs", logs / "loan.xes.gz", "--out", out, "--r", "2", "--w", "2", "--samples", "2")
    run_here(*small, "--methods", "ac-sequence-raw-w3")
    before = benchmark.read(out).singles
    run_here(*small, "--methods", "ac-sequence-raw-w3", "--methods", "aa-multiset-ppmi-w4")
    after = benchmark.read(out).singles
    assert set(after["method"]) == {"ac-sequence-raw-w3", "aa-multiset-ppmi-w4"}
    assert after.filter(pl.col("method") == "ac-sequence-raw-w3").equals(before)


def test_a_method_of_ones_own_takes_part_and_a_broken_one_is_recorded(logs, tmp_path):
    (tmp_path / "plugin.py").write_text(PLUGIN)
    out = tmp_path / "out"
    call = ("intrinsic", "--logs", logs, "--out", out, "--r", "1-2", "--w", "2", "--samples", "2",
            "--methods", "constant", "--methods", "broken", "--methods", "ac-sequence-raw-w3", "--plugin", tmp_path / "plugin.py")  # fmt: skip
    said = run_here(*call).stdout
    assert "broken failed on loan: RuntimeError: no luck today" in said
    assert "broken failed on other: RuntimeError: no luck today" in said
    table = benchmark.read(out).by_log()
    broken = table.filter(pl.col("method") == "broken")
    assert broken.height == 2
    assert broken["I_nn"].null_count() == 2
    constant = table.filter(pl.col("method") == "constant")
    assert constant["I_comp"].to_list() == [0.0, 0.0]
    assert table.filter(pl.col("method") == "ac-sequence-raw-w3")["I_nn"].null_count() == 0
    assert "no luck today" in benchmark.read(out).singles["error"].drop_nulls()[0]
    assert json.loads(run_here(*call, "--json").stdout)["computed"] == 0
    assert json.loads(run_here(*call, "--json", "--retry-failed").stdout)["computed"] == 4
    assert "| -" in run_here("table", out).stdout.replace("\\", "")


def test_a_log_with_one_activity_has_no_triplets(tmp_path):
    write_log(EventLog.from_traces([["a", "a"], ["a"], ["a"]]), tmp_path / "one.csv")
    run_here("intrinsic", "--logs", tmp_path / "one.csv", "--out", tmp_path / "out", "--methods", "aa-*-w3", "--w", "2")
    found = benchmark.read(tmp_path / "out").singles
    assert found["I_tri"].null_count() == found.height
    assert found["I_nn"].null_count() == 0
    assert "| -" in run_here("table", tmp_path / "out").stdout.replace("\\", "")


def test_nothing_is_mixed(logs, serial, tmp_path):
    def refused(*arguments):
        before = tree(serial)
        said = run_here("intrinsic", *arguments, *GRID, code=1).stderr
        assert said.startswith("actalike: ")
        assert len(without_what_was_read(said)) == 1
        assert tree(serial) == before
        return said

    assert "seed 0, not 1" in refused("--logs", logs, "--out", serial, "--seed", 1)
    assert "mode 'paper', not 'authors'" in refused("--logs", logs, "--out", serial, "--mode", "authors")
    write_log(loan_desk(50), tmp_path / "loan.xes")
    assert "another log that is also called 'loan'" in refused("--logs", tmp_path / "loan.xes", "--out", serial)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "holiday.jpg").touch()
    assert "neither empty nor a folder of results" in refused("--logs", logs, "--out", tmp_path / "full")
    assert "are both called loan" in refused("--logs", logs, "--logs", tmp_path / "loan.xes", "--out", tmp_path / "x")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--methods", "zz-*"), "No method matches 'zz-*'"),
        (("--methods", "aa-sequence"), "No method is called 'aa-sequence'"),
        (("--r", "3-1"), "--r '3-1' is neither a number nor a range"),
        (("--r", "0"), "--r '0' is neither a number nor a range such as 2-5, from 1 on"),
        (("--w", "1-2"), "--w '1-2' is neither a number nor a range such as 2-5, from 2 on"),
        (("--r", "50"), "no log has so many activities"),
        (("--shard", "4/3"), "--shard '4/3'"),
        (("--plugin", "no_such_module"), "plugin 'no_such_module' cannot be imported"),
    ],
)
def test_wrong_options_are_errors(logs, tmp_path, arguments, message):
    assert message in run_here("intrinsic", "--logs", logs, "--out", tmp_path / "out", *arguments, code=1).stderr


def test_missing_logs_and_results_are_errors(tmp_path):
    assert "does not exist" in run_here("intrinsic", "--logs", tmp_path / "no", "--out", tmp_path / "out", code=1).stderr
    assert "no log at" in run_here("intrinsic", "--logs", tmp_path, "--out", tmp_path / "out", code=1).stderr
    assert "not a folder of results" in run_here("table", tmp_path, code=1).stderr


@pytest.mark.campaign
def test_a_full_disk_loses_nothing_that_was_written(logs, tmp_path):
    out = tmp_path / "out"
    small = ("intrinsic", "--logs", logs / "loan.xes.gz", "--out", out, "--methods", "aa-*", "--w", "2", "--samples", "5")
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4000, resource.RLIM_INFINITY))"
    program = f"{limit}\nimport sys; sys.argv = ['actalike', 'benchmark', *{list(map(str, small))}]\nfrom actalike.cli.main import main; main()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "cannot be written" in done.stderr
    run_here(*small)
    assert benchmark.read(out).singles.height > 0
    assert not list(out.rglob("*.part"))


def test_tables_have_the_papers_layout(serial):
    lines = run_here("table", serial).stdout.splitlines()
    assert lines[0].split(" | ")[0].strip("| ") == "method"
    assert lines[2].startswith("| aa-sequence-pmi w 3 \\| 5 ")
    assert sum("¹" in line for line in lines) >= 1
    latex = run_here("table", serial, "--format", "latex").stdout
    assert latex.startswith(r"\begin{tabular}{lcccc}")
    assert "I\\_comp" in latex
    csv = run_here("table", serial, "--format", "csv", "--by", "log").stdout.splitlines()
    assert csv[0] == "method,log,I_comp,I_nn,I_prec,I_tri"
    assert len(csv) == 1 + 4 * 2
    assert run_here("table", serial, "--format", "csv").stdout.splitlines()[0] == "method,log,I_comp,I_nn,I_prec,I_tri"
    assert "loan" in run_here("table", serial, "--by", "log").stdout
    facts = json.loads(run_here("table", serial, "--json").stdout)
    assert facts[0]["I_nn_low"] <= facts[0]["I_nn"] <= facts[0]["I_nn_high"]


def test_tidy_tables_and_intervals(serial, tmp_path):
    shown = run_here("table", serial, "--intervals", "--tidy", tmp_path / "all.parquet").stdout
    assert "[0." in shown
    run_here("table", serial, "--tidy", tmp_path / "all.csv")
    table = pl.read_parquet(tmp_path / "all.parquet")
    assert table.height == 4 * 2 * 3 * 2 * 2  # methods, logs, r, w, samples
    assert pl.read_csv(tmp_path / "all.csv").height == table.height
    assert "must end in" in run_here("table", serial, "--tidy", tmp_path / "all.txt", code=1).stderr


def test_result_files_stand_alone(serial):
    cell = json.loads(next(iter(sorted(Path(serial).glob("loan/r02-w3/*.json")))).read_text())
    assert {"log", "log_digest", "unit", "at", "seed", "mode", "samples", "chosen", "participants"} <= set(cell)
    assert cell["at"] == {"r": 2, "w": 3}
    method = cell["participants"]["ac-sequence-pmi-w5"]
    assert method["version"] == actalike.__version__
    assert method["parameters"] == {
        "matrix": "activity-context", "context": "sequence", "weighting": "pmi", "window": 5,
        "shift": 1, "smoothing": 1, "dimension": None, "exponent": 1,
    }  # fmt: skip
    assert os.environ.get("HOME", "/nowhere") not in json.dumps(cell)


NASTY = """
import os, sys
import actalike

class Exits:
    def fit(self, log):
        sys.exit(3)

class Surrogate:
    def fit(self, log):
        raise RuntimeError("odd \\ud800 text")

class NotANumber(actalike.CountEmbedder):
    def fit(self, log):
        super().fit(log)
        self.embedding_.distances = lambda: [[float("nan")] * len(log.activities)] * len(log.activities)
        return self

class Kills:
    def fit(self, log):
        os._exit(1)

class CannotBeMade:
    def __init__(self):
        raise RuntimeError("no way")

actalike.register("counts", Exits)
actalike.register("surrogate", Surrogate)
actalike.register("not-a-number", NotANumber)
actalike.register("kills", Kills)
actalike.register("cannot-be-made", CannotBeMade)
"""


def test_whatever_a_method_does_is_its_result(logs, tmp_path):
    (tmp_path / "nasty.py").write_text(NASTY)
    call = ("intrinsic", "--logs", logs / "loan.xes.gz", "--out", tmp_path / "out", "--r", "1", "--w", "2",
            "--plugin", tmp_path / "nasty.py")  # fmt: skip
    facts = json.loads(run_here(*call, "--methods", "counts", "surrogate", "not-a-number", "one-hot", "--json").stdout)
    assert {found["method"]: found["error"] for found in facts["failed"]} == {
        "counts": "SystemExit: 3",
        "surrogate": "RuntimeError: odd \\ud800 text",
        "not-a-number": "ActalikeError: Some distance is infinite or NaN.",
    }
    assert "RuntimeError: no way" in run_here(*call, "--methods", "cannot-be-made", code=1).stderr
    said = run(*call, "--methods", "kills", "--jobs", 2, "--r", "1-2", code=1).stderr
    assert "ended from outside" in said
    assert run_here("table", tmp_path / "out").stdout.count("one-hot") == 1


def test_a_plugin_that_raises_is_named_with_the_line(logs, tmp_path):
    (tmp_path / "wrong.py").write_text("\n\n1 / 0\n")
    call = ("intrinsic", "--logs", logs, "--out", tmp_path / "out", "--plugin")
    said = run_here(*call, tmp_path / "wrong.py", code=1).stderr
    assert "wrong.py, line 3: ZeroDivisionError" in said
    (tmp_path / "unclosed.py").write_text("x = (")
    assert "unclosed.py" in run_here(*call, tmp_path / "unclosed.py", code=1).stderr
    (tmp_path / "beside.py").write_text(PLUGIN)
    done = run(*call, "beside", "--methods", "constant", "--r", "1", "--w", "2", cwd=tmp_path)
    assert "cells computed now" in done.stdout


def test_no_log_is_dropped_silently(tmp_path):
    log = loan_desk(20)
    for name in ("CCC19.csv", "mine.csv", "NASA.csv"):
        write_log(log, tmp_path / name)
    call = ("intrinsic", "--logs", tmp_path, "--out", tmp_path / "out", "--r", "1", "--w", "2", "--methods", "one-hot")
    assert "NASA.csv, mine.csv. To take one, name its file." in run_here(*call).stderr
    assert set(benchmark.read(tmp_path / "out").singles["log"]) == {"CCC19"}
    run_here(*call[:3], tmp_path / "mine.csv", *call[3:])
    assert set(benchmark.read(tmp_path / "out").singles["log"]) == {"CCC19", "mine"}
    (tmp_path / "own").mkdir()
    for ending in ("csv", "csv.gz"):
        shutil.copy(tmp_path / "mine.csv", tmp_path / "own" / f"mine.{ending}")
    assert "both called mine" in run_here("intrinsic", "--logs", tmp_path / "own", *call[3:], code=1).stderr
