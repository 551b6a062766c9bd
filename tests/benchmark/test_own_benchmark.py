"""A benchmark of one's own is a class in a file of one's own: it runs, resumes, and has tables, pictures and a page as the others."""

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

from actalike import ActalikeError, benchmark
from actalike.benchmark.participants import load_plugin
from actalike.benchmark.results import Column
from actalike.benchmark.task import Task, Unit, option, shares
from tests.helpers.benchmark_runs import command, run, run_here, tree

EXTENDING = Path(__file__).parents[2] / "docs" / "extending.md"

TASK = '''
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

import actalike
from actalike import benchmark
from actalike.benchmark.results import Column
from actalike.benchmark.task import Task, Unit, option, shares
from actalike.counting import count_windows


@dataclass(frozen=True)
class ShuffledOptions:
    parts: Sequence[str] | None = option(None, "Which halves of the cases: first, second. [both]")
    draws: int = option(2, "How often cases are drawn.", plan=True, least=1)


class Shuffled(Task):
    """Ask whether a sample of the cases says what all cases say: is the nearest activity the same?

    Made for a test.
    """

    name = "shuffled"
    title = "Shuffled"
    metrics = shares("same", "slow")
    columns = (
        Column("first", "same", "nearest activity is the same, first half", part="Halves", units={"part": ["first"]}),
        Column("second", "same", "nearest activity is the same, second half", part="Halves", units={"part": ["second"]}),
        Column("slowness", "slow", "nothing", part="Cost", kind="seconds", ranked=False, on_page=False),
    )
    unit_columns = {"part": pl.String}
    Options = ShuffledOptions

    def units(self, sources):
        for log in sources:
            for part in self.options.parts or ("first", "second"):
                yield Unit(log, part, {"part": part}, self.options.draws)

    def batch(self, name, participant):
        return "_counts" if participant.takes == "counts" else name

    def problem(self, source, unit, draw, participants):
        traces = source.data.traces()
        half = traces[: len(traces) // 2] if unit.at["part"] == "first" else traces[len(traces) // 2 :]
        return source.data, actalike.EventLog.from_traces(half[draw:])

    def evaluate(self, participant, problem):
        whole, half = (participant.fit(log).embedding_ for log in problem)
        known = [a for a in half.activities if a in whole]
        same = [whole.most_similar(a, topn=1)[0][0] == half.most_similar(a, topn=1)[0][0] for a in known]
        return {"same": sum(same) / len(same), "slow": 0.5}


class Broken:
    def fit(self, log):
        raise RuntimeError("no luck")


class Slow:
    def fit(self, log):
        import time
        time.sleep(600)


benchmark.register_task(Shuffled)
actalike.register("broken", Broken)
actalike.register("slow", Slow)
'''


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    path = tmp_path / "own_task.py"
    path.write_text(TASK)
    monkeypatch.setattr(benchmark, "BENCHMARKS", dict(benchmark.BENCHMARKS))
    yield path
    sys.modules.pop("own_task", None)


@pytest.fixture
def own(plugin, small_logs, tmp_path):
    """The results of a run of the task on two logs."""
    load_plugin(str(plugin))
    methods = ["kin-w5", "kin-w9", "one-hot", "broken"]
    outcome = benchmark.run("shuffled", logs=[small_logs], out=tmp_path / "out", methods=methods)
    assert (outcome.cells, outcome.computed, outcome.failed, outcome.logs) == (8, 8, 4, ("loan", "plain"))
    return tmp_path / "out"


def test_it_is_a_command_whose_options_are_those_of_the_task(plugin, small_logs, tmp_path):
    call = ("shuffled", "--plugin", plugin, "--logs", small_logs, "--methods", "kin-w5", "one-hot", "--draws", "1")
    facts = json.loads(run_here(*call, "--parts", "first", "second", "--out", tmp_path / "out", "--json").stdout)
    assert (facts["cells"], facts["failed"]) == (4, [])
    assert benchmark.read(tmp_path / "out").singles.height == 2 * 2 * 2
    assert "Which halves of the cases" in " ".join(run_here("shuffled", "--plugin", plugin, "--help").stdout.split())
    assert "draws 1, not 3" in run_here(*call[:-1], "3", "--out", tmp_path / "out", code=1).stderr


def test_it_has_tables(own, tmp_path):
    shown = run_here("table", own, "--tidy", tmp_path / "all.csv")
    assert "broken failed on loan first, loan second, plain first, ... (not in its means): RuntimeError: no luck." in shown.stderr
    assert shown.stdout.startswith("Halves:\n\n| method")
    assert "Cost:" in shown.stdout
    tidy = pl.read_csv(tmp_path / "all.csv")
    assert tidy.columns == ["method", "log", "part", "draw", "same", "slow", "error"]
    assert tidy.height == 3 * 2 * 2 * 2 + 4
    means = benchmark.frame(own, by="log")
    expected = tidy.filter((pl.col("method") == "kin-w5") & (pl.col("log") == "loan") & (pl.col("part") == "first"))[
        "same"
    ].mean()
    assert means.filter((pl.col("method") == "kin-w5") & (pl.col("log") == "loan"))["first"][0] == pytest.approx(expected)
    assert "[" in run_here("table", own, "--intervals").stdout
    assert run_here("table", own, "--format", "csv").stdout.startswith("method,logs,failed,first")


def test_it_has_pictures(own, tmp_path):
    shown = run_here("plots", own, "-o", tmp_path / "pictures", "--logs", "loan").stdout
    assert "halves.png" in shown


def test_it_is_on_the_page_beside_others(own, small_logs, tmp_path):
    from actalike.report.leaderboard_data import leaderboard_data

    benchmark.run("intrinsic", logs=[small_logs], out=tmp_path / "intrinsic", methods=["one-hot"], r=[1], w=[2])
    data = leaderboard_data([own, tmp_path / "intrinsic"])
    assert [column["of"] for column in data["columns"]] == ["Intrinsic"] * 4 + ["Shuffled"] * 2
    assert data["plans"][-1] == "shuffled: draws 2"
    run_here("report", own, "-o", tmp_path / "page.html")


def test_a_killed_run_goes_on_and_shards_and_processes_give_the_same_bytes(plugin, own, small_logs, tmp_path):
    out = tmp_path / "again"
    call = (
        "shuffled",
        "--plugin",
        plugin,
        "--logs",
        small_logs,
        "--out",
        out,
        "--methods",
        "kin-w5",
        "kin-w9",
        "one-hot",
        "broken",
    )
    running = subprocess.Popen(command(*call, "slow"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while running.poll() is None and not list(out.glob("*/*/broken.json")):
        time.sleep(0.05)
    running.send_signal(signal.SIGKILL)
    running.wait()
    for part in ("2/2", "1/2"):
        run_here(*call, "--shard", part)
    parts = {name for name in tree(out) if name.endswith(".part") or name.startswith("_requests")}
    expected = {name: content for name, content in tree(own).items() if not name.startswith("_requests")}
    assert {name: content for name, content in tree(out).items() if name not in parts} == expected
    assert "8 of 24 results are not there yet, of slow" not in run_here("table", own).stderr
    assert "of slow" in run_here("table", out).stderr  # which was asked for before the run was killed
    assert json.loads(run_here(*call, "--json", "--retry-failed").stdout)["computed"] == 4


def test_the_task_of_the_page_about_extending_runs_as_it_stands_there(small_logs, tmp_path, monkeypatch):
    monkeypatch.setattr(benchmark, "BENCHMARKS", dict(benchmark.BENCHMARKS))
    (code,) = re.findall(r"```\n# sampled.py\n(.*?)```", EXTENDING.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "sampled.py").write_text(code)
    call = ("--logs", small_logs, "--methods", "kin-w5", "one-hot", "--every", "5", "--out", tmp_path / "out")
    run("sampled", "--plugin", tmp_path / "sampled.py", *call, "--jobs", "2")
    refused = run_here("table", tmp_path / "out", code=1).stderr
    assert "'sampled'" in refused
    assert "--plugin" in refused
    shown = run_here("table", tmp_path / "out", "--plugin", tmp_path / "sampled.py").stdout
    assert "| kin-w5" in shown or "| kin w 5" in shown
    sys.modules.pop("sampled", None)


def test_a_task_that_nobody_registered_is_refused(tmp_path, small_logs):
    with pytest.raises(ActalikeError, match="shuffled"):
        benchmark.run("shuffled", logs=[small_logs], out=tmp_path)


def own_task(**changes):
    """A task of one's own with an integer in its units, and whatever is changed."""

    class Counted(Task):
        name = "counted"
        title = "Counted"
        metrics = shares("figure")
        columns = (
            Column("three", "figure", "of three", units={"top": (3,)}),
            Column("chance", "figure", "of all, no merit", ranked=False),
        )
        unit_columns: ClassVar = {"top": pl.Int64}

        def units(self, sources):
            for log in sources:
                yield from (Unit(log, f"top-{top}", {"top": top}) for top in (1, 3))

        def evaluate(self, participant, problem):
            return {"figure": np.float32(0.25)}

    return type("Counted", (Counted,), changes)


@pytest.fixture
def run_own(small_logs, tmp_path, monkeypatch):
    monkeypatch.setattr(benchmark, "BENCHMARKS", dict(benchmark.BENCHMARKS))

    def run_task(task):
        benchmark.register_task(task)
        return benchmark.run("counted", logs=[small_logs], methods=["one-hot"], out=tmp_path / "out")

    return run_task


def test_units_may_have_numbers_and_figures_may_be_of_numpy(run_own, tmp_path):
    run_own(own_task())
    assert benchmark.frame(tmp_path / "out", by="log")["three"].to_list() == [0.25, 0.25]
    shown = benchmark.read(tmp_path / "out").page_columns()
    assert [(column.title, column.ranked) for column in shown] == [("three", True), ("chance", False)]


def test_a_task_whose_units_have_values_that_no_column_takes_is_refused_before_it_computes(run_own, tmp_path):
    with pytest.raises(ActalikeError, match="unit_columns"):
        run_own(own_task(unit_columns={}))
    assert not list((tmp_path / "out").glob("*/*/*.json"))


def test_a_figure_that_is_no_metric_is_refused_before_its_file_is_written(run_own, tmp_path):
    with pytest.raises(ActalikeError, match="figrue"):
        run_own(own_task(evaluate=lambda self, participant, problem: {"figrue": 0.5}))
    assert not list((tmp_path / "out").glob("*/*/*.json"))


def test_numbers_of_an_option_need_not_follow_each_other(run_own, small_logs, tmp_path):
    @dataclass(frozen=True)
    class Options:
        top: Sequence[int] = option((1, 3), "How many.", plan=True, least=1)

    benchmark.register_task(own_task(Options=Options))
    call = ("counted", "--logs", small_logs, "--methods", "one-hot")
    run_here(*call, "--out", tmp_path / "default")
    run_here(*call, "--out", tmp_path / "given", "--top", "2,4-5")
    assert json.loads((tmp_path / "default" / "benchmark.json").read_text())["top"] == [1, 3]
    assert json.loads((tmp_path / "given" / "benchmark.json").read_text())["top"] == [2, 4, 5]
