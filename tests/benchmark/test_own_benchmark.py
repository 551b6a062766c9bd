"""A benchmark is a package and a line: tables, pictures and the page take it as they take the others."""

import json
import sys

import polars as pl
import pytest

from actalike import benchmark
from tests.helpers.benchmark_runs import run_here

TOY = """
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from actalike.benchmark.folders import note_request, open_folder, open_log, read_json, write_json
from actalike.benchmark.scoring import mean_and_interval
from actalike.benchmark.logs import find_logs, read_logs
from actalike.benchmark.record import Benchmark, Column, Outcome, no_warning
from actalike.benchmark.results import Results
from actalike.benchmark.tables import csv_table, figure_table
from actalike.support.figures import new_figure
from actalike.support.progress import tracked


def takes_log(entry):
    return True


def why_not(method):
    return None


def run(*, logs, out, methods=None, retry_failed=False, progress=tracked, warn=no_warning):
    open_folder(out, {"benchmark": "toy", "format": 1})
    event_logs = read_logs(find_logs(logs, takes_log, warn))
    for name, log in event_logs.items():
        open_log(out, name, log)
        for method in methods:
            write_json(out / name / f"{method}-toy.json", {"log": name, "method": method, "length": len(method) / 100})
    n = len(event_logs) * len(methods)
    return Outcome(out, n, n, 0, (), tuple(event_logs), tuple(methods))


@dataclass(frozen=True)
class ToyResults(Results):
    def by_log(self):
        return self.singles.drop("error")

    def over_logs(self, resamples=1000):
        parts = self.by_log().group_by("method", maintain_order=True)
        return pl.DataFrame([{"method": m, "logs": p.height, **mean_and_interval(p["length"])} for (m,), p in parts])

    def gaps(self):
        return ["it is a toy"]


def read(folder):
    rows = [{**read_json(path), "error": None} for path in sorted(folder.path.glob("*/*-toy.json"))]
    return ToyResults(folder, pl.DataFrame(rows, schema_overrides={"error": pl.String}))


def table(results, *, form, by_log, intervals):
    frame = results.frame(by_log=by_log)
    return csv_table(frame) if form == "csv" else figure_table(frame, form, ["length"], by_log=by_log, intervals=intervals)


def plots(results):
    figure = new_figure(3, 3)
    figure.subplots().barh(range(results.singles.height), results.singles["length"])
    return {"lengths": figure}


def columns(results):
    return [Column("length", "how long the name is", "share", results.by_log(), "length")]


BENCHMARK = Benchmark("toy", "Toy", takes_log, why_not, run, read, table, plots, columns)
"""


@pytest.fixture
def toy_results(tmp_path, small_logs, monkeypatch):
    (tmp_path / "toy_benchmark.py").write_text(TOY)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(benchmark.BENCHMARKS, "toy", "toy_benchmark")  # the line
    outcome = benchmark.run("toy", logs=[small_logs], out=tmp_path / "out", methods=["kin-w5", "kin-w9", "one-hot"])
    assert (outcome.cells, outcome.logs) == (6, ("loan", "plain"))
    yield tmp_path / "out"
    sys.modules.pop("toy_benchmark")


def test_it_has_tables(toy_results, tmp_path):
    shown = run_here("table", toy_results, "--tidy", tmp_path / "all.csv")
    assert shown.stderr == "actalike: it is a toy.\n"
    assert "| kin w 5 \\| 9 | **0.060**² \\| **0.060**² |" in shown.stdout
    assert pl.read_csv(tmp_path / "all.csv").height == 6
    assert run_here("table", toy_results, "--by", "log").stdout.count("| loan") == 2
    assert "0.070 [0.070, 0.070]" in run_here("table", toy_results, "--intervals").stdout
    assert run_here("table", toy_results, "--format", "csv").stdout.startswith("method,logs,length")
    assert json.loads(run_here("table", toy_results, "--json").stdout)[0]["length"] == 0.06


def test_it_has_pictures(toy_results, tmp_path):
    assert run_here("plots", toy_results, "-o", tmp_path / "pictures", "--logs", "loan").stdout.endswith("lengths.png\n")
    assert "no results of a log called 'lone'" in run_here("plots", toy_results, "-o", tmp_path, "--logs", "lone", code=1).stderr


def test_it_is_on_the_page_beside_others(toy_results, small_logs, tmp_path):
    from actalike.report.leaderboard_data import leaderboard_data

    benchmark.run("intrinsic", logs=[small_logs], out=tmp_path / "intrinsic", methods=["one-hot"], r=[1], w=[2])
    data = leaderboard_data([toy_results, tmp_path / "intrinsic"])
    assert [column["of"] for column in data["columns"]] == ["Intrinsic"] * 4 + ["Toy"]
    assert data["columns"][-1]["values"] == [[0.06, 0.06], [0.06, 0.06], [0.07, 0.07]]
    assert data["plans"][-1] == "toy"
    assert "toy: it is a toy" in data["gaps"]
    run_here("report", toy_results, "-o", tmp_path / "page.html")
