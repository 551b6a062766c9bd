"""The benchmark as a user runs it: serial, parallel, sharded, killed and resumed, with methods of one's own."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from matplotlib.image import imread

from actalike import EventLog, write_log
from actalike.benchmark import results
from actalike.loan_desk import loan_desk

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


def command(*arguments):
    return [sys.executable, "-m", "actalike", "benchmark", *map(str, arguments)]


def run(*arguments, code=0, **options):
    done = subprocess.run(command(*arguments), capture_output=True, text=True, check=False, encoding="utf-8", **options)
    assert done.returncode == code, done
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    write_log(loan_desk(60), folder / "loan.xes.gz")
    write_log(loan_desk(40, seed=3), folder / "other.csv")
    return folder


GRID = ("--methods", "a?-sequence-pmi-w[35]", "--r", "1-3", "--w", "2-3", "--samples", "2")


def tree(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture(scope="module")
def serial(logs, tmp_path_factory):
    out = tmp_path_factory.mktemp("out") / "serial"
    run("intrinsic", "--logs", logs, "--out", out, *GRID)
    return out


def test_parallel_and_sharded_runs_give_the_same_bytes(logs, serial, tmp_path):
    run("intrinsic", "--logs", logs, "--out", tmp_path / "parallel", *GRID, "--jobs", 2)
    assert tree(tmp_path / "parallel") == tree(serial)
    for i in (3, 1, 2):
        run("intrinsic", "--logs", logs, "--out", tmp_path / "sharded", *GRID, "--shard", f"{i}/3")
    assert tree(tmp_path / "sharded") == tree(serial)
    assert run("table", tmp_path / "sharded").stdout == run("table", serial).stdout


def test_a_killed_run_goes_on_and_gives_the_same_bytes(logs, serial, tmp_path):
    out = tmp_path / "killed"
    running = subprocess.Popen(command("intrinsic", "--logs", logs, "--out", out, *GRID), stdout=subprocess.DEVNULL)
    while running.poll() is None and len(list(out.glob("*/r*/*.json"))) < 3:
        time.sleep(0.01)
    running.send_signal(signal.SIGKILL)
    running.wait()
    done = len(list(out.glob("*/r*/*.json")))
    assert done >= 3
    facts = json.loads(run("intrinsic", "--logs", logs, "--out", out, *GRID, "--json").stdout)
    assert facts["computed"] == facts["cells"] - done
    parts = [name for name in tree(out) if name.endswith(".part")]
    assert {name: content for name, content in tree(out).items() if name not in parts} == tree(serial)


def test_ctrl_c_says_how_to_go_on(logs, tmp_path):
    out = tmp_path / "out"
    running = subprocess.Popen(
        command("intrinsic", "--logs", logs, "--out", out, "--samples", 5),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not list(out.glob("*/r*/*.json")):
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate()
    assert running.returncode == 130
    assert "the same command goes on" in said
    assert "Traceback" not in said


def test_what_is_there_is_not_computed_again(logs, serial):
    before = tree(serial)
    facts = json.loads(run("intrinsic", "--logs", logs, "--out", serial, *GRID, "--json").stdout)
    assert facts["computed"] == 0
    assert tree(serial) == before


def test_further_methods_join_the_results(logs, tmp_path):
    out = tmp_path / "out"
    small = ("intrinsic", "--logs", logs / "loan.xes.gz", "--out", out, "--r", "2", "--w", "2", "--samples", "2")
    run(*small, "--methods", "ac-sequence-raw-w3")
    before = results.load_results(out)
    run(*small, "--methods", "ac-sequence-raw-w3", "--methods", "aa-multiset-ppmi-w4")
    after = results.load_results(out)
    assert set(after["method"]) == {"ac-sequence-raw-w3", "aa-multiset-ppmi-w4"}
    assert after.filter(pl.col("method") == "ac-sequence-raw-w3").equals(before)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_method_of_ones_own_takes_part_and_a_broken_one_is_recorded(logs, tmp_path, jobs):
    (tmp_path / "plugin.py").write_text(PLUGIN)
    out = tmp_path / "out"
    call = ("intrinsic", "--logs", logs, "--out", out, "--r", "1-2", "--w", "2", "--samples", "2", "--jobs", jobs,
            "--methods", "constant", "--methods", "broken", "--methods", "ac-sequence-raw-w3", "--plugin", tmp_path / "plugin.py")  # fmt: skip
    assert "4 failures" in run(*call).stdout
    table = results.by_log(out)
    broken = table.filter(pl.col("method") == "broken")
    assert broken.height == 2
    assert broken["I_nn"].null_count() == 2
    constant = table.filter(pl.col("method") == "constant")
    assert constant["I_comp"].to_list() == [0.0, 0.0]
    assert table.filter(pl.col("method") == "ac-sequence-raw-w3")["I_nn"].null_count() == 0
    assert "no luck today" in results.load_results(out)["error"].drop_nulls()[0]
    assert json.loads(run(*call, "--json").stdout)["computed"] == 0
    assert json.loads(run(*call, "--json", "--retry-failed").stdout)["computed"] == 4
    assert "| -" in run("table", out).stdout.replace("\\", "")


def test_a_log_with_one_activity_has_no_triplets(tmp_path):
    write_log(EventLog.from_traces([["a", "a"], ["a"], ["a"]]), tmp_path / "one.csv")
    run("intrinsic", "--logs", tmp_path / "one.csv", "--out", tmp_path / "out", "--methods", "aa-*-w3", "--w", "2")
    found = results.load_results(tmp_path / "out")
    assert found["I_tri"].null_count() == found.height
    assert found["I_nn"].null_count() == 0
    assert "| -" in run("table", tmp_path / "out").stdout.replace("\\", "")


def test_nothing_is_mixed(logs, serial, tmp_path):
    def refused(*arguments):
        before = tree(serial)
        said = run("intrinsic", *arguments, *GRID, code=1).stderr
        assert said.startswith("actalike: ")
        assert said.count("\n") == 1
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
        (("--shard", "4/3"), "--shard '4/3'"),
        (("--plugin", "no_such_module"), "plugin 'no_such_module' cannot be imported"),
    ],
)
def test_wrong_options_are_errors(logs, tmp_path, arguments, message):
    assert message in run("intrinsic", "--logs", logs, "--out", tmp_path / "out", *arguments, code=1).stderr


def test_missing_logs_and_results_are_errors(tmp_path):
    assert "does not exist" in run("intrinsic", "--logs", tmp_path / "no", "--out", tmp_path / "out", code=1).stderr
    assert "no log at" in run("intrinsic", "--logs", tmp_path, "--out", tmp_path / "out", code=1).stderr
    assert "not a folder of results" in run("table", tmp_path, code=1).stderr


def test_a_full_disk_loses_nothing_that_was_written(logs, tmp_path):
    out = tmp_path / "out"
    small = ("intrinsic", "--logs", logs / "loan.xes.gz", "--out", out, "--methods", "aa-*", "--w", "2", "--samples", "5")
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4000, resource.RLIM_INFINITY))"
    program = f"{limit}\nimport sys; sys.argv = ['actalike', 'benchmark', *{list(map(str, small))}]\nfrom actalike.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "cannot be written" in done.stderr
    run(*small)
    assert results.load_results(out).height > 0
    assert not list(out.rglob("*.part"))


def test_a_damaged_result_file_is_named(logs, tmp_path):
    out = tmp_path / "out"
    run("intrinsic", "--logs", logs / "loan.xes.gz", "--out", out, "--methods", "aa-sequence-raw-w3", "--r", "1", "--w", "2")
    (file,) = out.glob("*/r*/*.json")
    file.write_text(file.read_text()[:100])
    assert str(file) in run("table", out, code=1).stderr


def test_tables_have_the_papers_layout(serial):
    lines = run("table", serial).stdout.splitlines()
    assert lines[0].split(" | ")[0].strip("| ") == "method"
    assert lines[2].startswith("| aa-sequence-pmi w 3 \\| 5 ")
    assert sum("¹" in line for line in lines) >= 1
    latex = run("table", serial, "--format", "latex").stdout
    assert latex.startswith(r"\begin{tabular}{lcccc}")
    assert "I\\_comp" in latex
    csv = run("table", serial, "--format", "csv", "--by", "log").stdout.splitlines()
    assert csv[0] == "method,log,I_comp,I_nn,I_prec,I_tri"
    assert len(csv) == 1 + 4 * 2
    assert run("table", serial, "--format", "csv").stdout.splitlines()[0] == "method,log,I_comp,I_nn,I_prec,I_tri"
    assert "loan" in run("table", serial, "--by", "log").stdout
    facts = json.loads(run("table", serial, "--json").stdout)
    assert facts[0]["I_nn_low"] <= facts[0]["I_nn"] <= facts[0]["I_nn_high"]


def test_tidy_tables_and_intervals(serial, tmp_path):
    shown = run("table", serial, "--intervals", "--tidy", tmp_path / "all.parquet").stdout
    assert "[0." in shown
    run("table", serial, "--tidy", tmp_path / "all.csv")
    table = pl.read_parquet(tmp_path / "all.parquet")
    assert table.height == 4 * 2 * 3 * 2 * 2  # methods, logs, r, w, samples
    assert pl.read_csv(tmp_path / "all.csv").height == table.height
    assert "must end in" in run("table", serial, "--tidy", tmp_path / "all.txt", code=1).stderr


def test_results_are_drawn(serial, tmp_path):
    said = run("plots", serial, "-o", tmp_path / "pictures").stdout.split()
    assert [Path(path).name for path in said] == ["metric_by_method.png", "metric_over_r_and_w.png", "spread_over_logs.png"]
    for path in said:
        picture = imread(path)
        assert len(np.unique(picture.reshape(-1, picture.shape[2]), axis=0)) > 20


def test_result_files_stand_alone(serial):
    cell = json.loads(next(iter(sorted(Path(serial).glob("loan/r02-w3/*.json")))).read_text())
    assert {"version", "log", "log_digest", "r", "w", "seed", "mode", "samples", "chosen", "methods"} <= set(cell)
    assert os.environ.get("HOME", "/nowhere") not in json.dumps(cell)
