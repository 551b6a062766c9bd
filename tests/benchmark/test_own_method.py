"""A method of one's own is a class in a file of one's own: it runs through every benchmark and every command that takes a method."""

import json
import sys

import pytest

import actalike
from actalike import benchmark
from actalike.benchmark.participants import load_plugin
from actalike.cli.main import main
from actalike.counting import count_windows
from tests.helpers.benchmark_runs import measured_here, run_here

PLUGIN = """
import actalike
from actalike.counting import WindowCounts, count_windows
from actalike.matrices import activity_position

class Neighbours:
    takes = "counts"
    family = "neighbours"
    parts = ("looking", "noting")

    def __init__(self, window):
        self.window = window

    def fit(self, source, lap=lambda part: None):
        table = source.marginal(self.window) if isinstance(source, WindowCounts) else count_windows(source, self.window)
        lap("looking")
        matrix = activity_position(table)
        self.embedding_ = actalike.Embedding(table.activities, matrix.counts.astype(float), matrix.contexts)
        lap("noting")
        return self

actalike.register("neighbours-w{n}", Neighbours, windows=(3,))
"""
NAME = "neighbours-w3"


@pytest.fixture
def plugin(tmp_path):
    path = tmp_path / "my_methods.py"
    path.write_text(PLUGIN)
    yield path
    sys.modules.pop("my_methods", None)


@pytest.fixture
def registered(plugin):
    load_plugin(str(plugin))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("intrinsic", ("--r", "1-2", "--w", "2", "--samples", "1")),
        ("prediction", ("--seeds", "1", "--epochs", "1", "--device", "cpu", "--jobs", "1")),
        ("efficiency", ("--repeats", "1")),
        ("labels", ("--recipes", "syn-case-2", "--draws", "1")),
    ],
)
def test_it_takes_part_in_every_benchmark(plugin, small_logs, tmp_path, name, options):
    assert name in benchmark.BENCHMARKS
    out = tmp_path / "out"
    call = (name, "--logs", small_logs, "--methods", "neighbours*", "--plugin", plugin, *options, "--out", out, "--json")
    assert json.loads(run_here(*call).stdout)["failed"] == []
    results = benchmark.read(out)
    assert NAME in set(results.singles["method"])
    assert results.gaps() == []
    assert "neighbours w 3" in benchmark.table(results)
    assert benchmark.plots(results, tmp_path / "pictures")
    run_here("report", out, "-o", tmp_path / "page.html")
    assert NAME in (tmp_path / "page.html").read_text()


def test_a_changed_plugin_is_computed_anew(plugin, small_logs, tmp_path):
    call = ("intrinsic", "--logs", small_logs, "--methods", "neighbours*", "one-hot", "--plugin", plugin, "--r", "1", "--w", "2")
    call += ("--samples", "1", "--out", tmp_path / "out", "--json")
    assert json.loads(run_here(*call).stdout)["computed"] > 0
    assert json.loads(run_here(*call).stdout)["computed"] == 0
    plugin.write_text(PLUGIN.replace("matrix.counts.astype(float)", "-matrix.counts.astype(float) ** 3"))
    again = json.loads(run_here(*call).stdout)
    assert 0 < again["computed"] < again["cells"] or len(benchmark.read(tmp_path / "out").singles["method"].unique()) == 2


def test_every_benchmark_is_among_those_above():
    with_own_participants = ["matching", "anomalies", "change_points"]  # matchers and detectors: in test_own_participants
    assert list(benchmark.BENCHMARKS) == ["intrinsic", "prediction", "efficiency", "labels", *with_own_participants]


def test_its_own_parts_are_timed_and_shown(plugin, small_logs, tmp_path):
    out = tmp_path / "out"
    call = ("--logs", small_logs / "plain.csv", "--methods", NAME, "one-hot", "--plugin", plugin, "--repeats", "1", "--out", out)
    with measured_here():
        run_here("efficiency", *call)
    results = benchmark.read(out)
    assert list(results.details[NAME, "plain", "whole"]["figures"][0])[3:] == ["looking", "noting", "distances"]
    assert results.items[-3:] == ("looking", "noting", "distances")
    assert "looking " in benchmark.table(results, by="log")


def test_a_python_call_runs_it(registered, small_logs, tmp_path):
    warnings = []
    outcome = benchmark.run(
        "intrinsic", logs=[small_logs], out=tmp_path / "out", methods=[NAME, "label*", "one-hot"], r=[1], w=[2], samples=1,
        warn=warnings.append,
    )  # fmt: skip
    assert (outcome.cells, outcome.computed, outcome.failures, outcome.logs) == (
        2,
        2,
        (),
        ("loan", "plain"),
    )  # both count: one group
    assert outcome.methods == (NAME, "one-hot")
    left_out = [warning.partition(":")[0] for warning in warnings if not warning.startswith("read ")]
    assert left_out == ["label-text is left out"]


def actalike_command(capsys, monkeypatch, *words):
    monkeypatch.setattr(sys, "argv", ["actalike", *map(str, words)])
    with pytest.raises(SystemExit) as end:
        main()
    printed = capsys.readouterr()
    assert end.value.code == 0, printed.err
    return printed.out


def test_it_is_a_method_for_every_command(registered, small_logs, tmp_path, capsys, monkeypatch):
    log = small_logs / "loan.xes.gz"
    a, b = actalike.read_log(log).activities[:2]

    def command(*words):
        return actalike_command(capsys, monkeypatch, *words)

    assert NAME in command("methods")
    assert json.loads(command("similar", log, "-m", NAME, "--json"))["method"] == NAME
    assert b in command("similar", log, a, "-m", NAME, "--top", "99")
    assert json.loads(command("explain", log, a, b, "-m", NAME, "--json"))["similarity"] is not None
    command("embed", log, "-m", NAME, "-o", tmp_path / "log.actalike")
    assert actalike.load(tmp_path / "log.actalike").method == NAME
    command("count", log, "-w", "5", "-o", tmp_path / "counts.actalike")
    assert json.loads(command("similar", tmp_path / "counts.actalike", "-m", NAME, "--json"))["method"] == NAME
    command("report", log, "-m", NAME, "-o", tmp_path / "report.html")
    assert NAME in (tmp_path / "report.html").read_text()
    command("plot", "map", log, "-m", NAME, "-o", tmp_path / "map.png")
    assert (tmp_path / "map.png").stat().st_size


def test_it_embeds_a_log_and_its_counts_alike(registered):
    log = actalike.EventLog.from_traces([["a", "b", "c"], ["a", "c"]])
    assert actalike.embed(log, NAME).similarity("a", "b") == actalike.embed(count_windows(log, 5), NAME).similarity("a", "b")
