"""From log files to published means, against the definitions; and what a table tells of its own gaps."""

import csv
import io
import json
import shutil
from statistics import fmean

import numpy as np
import polars as pl
import pytest

from actalike import EventLog, write_log
from actalike.benchmark.scoring import mean_and_interval
from actalike.benchmark.tasks.intrinsic import METRICS, make_log, make_recipes, scores
from actalike.demo.loan_desk import loan_desk
from tests import oracle
from tests.helpers import naive_benchmark as naive
from tests.helpers.benchmark_runs import run_here

LOGS = {
    "loan": loan_desk(30).traces(),
    "three": [list("abc"), list("acb"), list("ab"), list("cab"), list("bca")],
    "lone": [list("abcd"), list("abce"), list("abcd"), list("xbcd")],  # e and x occur in one case: classes of one
}


def by_definition(log, mode, rs, ws, samples):
    """A log's four means: ground-truth logs, the oracle's distances, the metrics, the mode's averaging."""
    cells = []
    for r in rs:
        for w in ws:
            if r > len(log.activities):
                continue
            found = []
            for recipe in make_recipes(log, r, w, samples, 0, mode):
                traces = (
                    naive.round_robin(log.traces(), recipe.chosen, w) if mode == "authors" else make_log(log, recipe).log.traces()
                )
                labels = sorted({label for trace in traces for label in trace})
                distances = np.array(oracle.distances(oracle.vectors(traces, "activity-context", "sequence", "raw", 3)))
                classes = [recipe.chosen.index(label.rpartition(":")[0]) if ":" in label else -1 for label in labels]
                found.append(scores(distances, np.array(classes), mode, w)[:4])
            cells.append(found)
    if mode == "authors":
        cells = [[[fmean(sample[i] for sample in cell) for i in range(4)]] for cell in cells]
    flat = [sample for cell in cells for sample in cell]
    return [fmean(value for sample in flat if (value := sample[i]) == value) for i in range(4)]


@pytest.mark.parametrize("mode", ["paper", "authors"])
def test_a_run_gives_the_means_of_the_definitions(mode, tmp_path):
    expected = {}
    for name, traces in LOGS.items():
        log = EventLog.from_traces(traces)
        write_log(log, tmp_path / f"{name}.csv")
        expected[name] = by_definition(log, mode, (1, 2, 4), (2, 3), 3)
    for r in (1, 2, 4):
        run_here("intrinsic", "--logs", tmp_path, "--out", tmp_path / "out", "--mode", mode, "--methods", "ac-sequence-raw-w3",
            "--r", r, "--w", "2-3", "--samples", "3")  # fmt: skip
    rows = csv.DictReader(io.StringIO(run_here("table", tmp_path / "out", "--format", "csv", "--by", "log").stdout))
    found = {row["log"]: [float(row[metric]) for metric in ("I_comp", "I_nn", "I_prec", "I_tri")] for row in rows}
    assert found.keys() == expected.keys()
    for name in expected:
        assert found[name] == pytest.approx(expected[name], abs=1e-9), name
    (mean,) = csv.DictReader(io.StringIO(run_here("table", tmp_path / "out", "--format", "csv").stdout))
    assert float(mean["I_nn"]) == pytest.approx(fmean(values[1] for values in expected.values()))


def test_means_over_logs_are_those_of_the_logs_with_their_interval(few_results):
    by_log, over_logs = few_results.by_log(), few_results.over_logs()
    assert over_logs["method"].to_list() == ["kin-w3", "kin-w5", "one-hot"]
    for row in over_logs.iter_rows(named=True):
        part = by_log.filter(pl.col("method") == row["method"])
        assert row["logs"] + row["failed"] == part.height == 2
        for metric in METRICS:
            assert mean_and_interval(part[metric]).items() <= row.items()


@pytest.mark.parametrize("form", ["md", "latex"])
def test_a_table_has_the_means_over_the_logs_and_marks_the_best_of_those_that_compare(few_results, form):
    text = few_results.table(form=form, by_log=False, intervals=False)
    best, fewer = {"md": ("**0.700**¹", "0.900†"), "latex": (r"\textbf{0.700}$^1$", r"0.900$^\dagger$")}[form]
    row = next(line for line in text.splitlines() if "kin w 3" in line)
    assert best in row  # I_comp: 0.6 on loan, 0.8 on plain
    assert row.count(fewer) == 4
    assert "On fewer logs than the 2 of the others: kin-w5 1." in text


@pytest.mark.parametrize("by_log", [False, True])
def test_means_as_csv_have_the_columns_of_the_figures_of_the_logs(few_results, by_log):
    rows = list(csv.DictReader(io.StringIO(few_results.table(form="csv", by_log=by_log, intervals=False))))
    assert list(rows[0]) == ["method", "log", *METRICS]
    assert [row["log"] for row in rows] == (["loan", "plain"] * 3 if by_log else ["mean"] * 3)
    expected = few_results.frame(by_log=by_log)["I_nn"]
    assert [float(row["I_nn"]) if row["I_nn"] else None for row in rows] == expected.to_list()


def test_each_metric_has_a_column_with_the_figures_of_each_log(few_results):
    by_title = {column.title: column for column in few_results.page_columns()}
    assert list(by_title) == list(METRICS)
    for metric, column in by_title.items():
        assert (column.figure, column.kind) == (metric, "share")
        assert column.about
        figures = {(row["method"], row["log"]): row[metric] for row in column.table.iter_rows(named=True)}
        expected = {(row["method"], row["log"]): row[metric] for row in few_results.by_log().iter_rows(named=True)}
        assert figures == {where: value for where, value in expected.items() if value is not None}
        assert ("kin-w5", "plain") not in figures  # which failed


@pytest.fixture
def small(tmp_path):
    write_log(loan_desk(30), tmp_path / "loan.csv")
    write_log(EventLog.from_traces([["a", "b"], ["a", "b"]]), tmp_path / "two.csv")
    return (
        "intrinsic",
        "--logs",
        tmp_path / "loan.csv",
        tmp_path / "two.csv",
        "--r",
        "1",
        "--w",
        "2-3",
        "--samples",
        "2",
        "--methods",
        "ac-sequence-raw-w3",
    )


def test_results_of_different_runs_are_not_mixed_by_copying(small, tmp_path):
    run_here(*small, "--out", tmp_path / "a", "--shard", "1/2")
    run_here(*small, "--out", tmp_path / "b", "--shard", "2/2", "--seed", 1)
    shutil.copytree(tmp_path / "a", tmp_path / "mixed")
    shutil.copytree(tmp_path / "b", tmp_path / "mixed", dirs_exist_ok=True)
    assert "of another run than its folder (seed 0, not 1" in run_here("table", tmp_path / "mixed", code=1).stderr
    assert "of another run" in run_here(*small, "--out", tmp_path / "mixed", "--seed", 1, code=1).stderr


def test_a_table_says_what_is_missing(small, tmp_path):
    run_here(*small, "--out", tmp_path / "out", "--shard", "1/2")
    assert "2 of 4 results are not there yet, of ac-sequence-raw-w3" in run_here("table", tmp_path / "out").stderr
    run_here(*small, "--out", tmp_path / "out")
    assert run_here("table", tmp_path / "out").stderr == ""
    run_here(*small[:2], tmp_path / "two.csv", *small[4:-1], "one-hot", "--out", tmp_path / "out")
    assert "one-hot was run on 1 of 2 logs" in run_here("table", tmp_path / "out").stderr


def test_a_method_that_fails_on_hard_logs_does_not_win(small, tmp_path):
    (tmp_path / "plugin.py").write_text(
        "import actalike\n"
        "class Half(actalike.CountEmbedder):\n"
        "    def fit(self, log):\n"
        "        if len(log.activities) > 5: raise RuntimeError('too hard')\n"
        "        return super().fit(log)\n"
        "actalike.register('half', Half)\n"
    )  # fmt: skip
    call = (*small, "half", "--out", tmp_path / "out", "--plugin", tmp_path / "plugin.py")
    assert "half failed on loan: RuntimeError: too hard" in run_here(*call, code=1).stdout
    shown = run_here("table", tmp_path / "out")
    assert "half failed on loan (not in its means): RuntimeError: too hard." in shown.stderr
    assert "half 1." in shown.stdout
    (row,) = [row for row in json.loads(run_here("table", tmp_path / "out", "--json").stdout) if row["method"] == "half"]
    assert (row["logs"], row["failed"]) == (1, 1)


def test_files_of_other_content_are_refused(small, tmp_path):
    run_here(*small, "--out", tmp_path / "out")
    for file in (next((tmp_path / "out").glob("*/r*/*.json")), tmp_path / "out" / "benchmark.json"):
        before = file.read_text()
        file.write_text("{}")
        assert f"{file} is not a sound result file" in run_here("table", tmp_path / "out", code=1).stderr
        file.write_text(before)
