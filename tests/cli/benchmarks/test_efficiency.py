"""The command benchmark efficiency."""

from pathlib import Path

from actalike import benchmark
from actalike.benchmark.record import Outcome
from tests.helpers.commands import ok, refuses, run


def test_options_reach_the_benchmark(calls):
    run("benchmark", "efficiency", "--logs", "a.csv", "--methods", "kin-w5", "aa-*", "--repeats", 3, "--out", "results")
    ((name, options),) = calls
    assert (name, options["logs"], options["repeats"]) == ("efficiency", [Path("a.csv")], 3)
    assert (options["methods"], options["time_limit"], options["retry_failed"]) == (["kin-w5", "aa-*"], 600, False)


def test_cells_are_called_measured(monkeypatch):
    monkeypatch.setattr(benchmark, "run", lambda name, **options: Outcome(Path("results"), 4, 4, 0, (), ("a",), ("kin-w5",)))
    assert "4 of 4 cells measured now." in ok("benchmark", "efficiency", "--logs", "a.csv", "--out", "results")


def test_no_repeats_and_no_time_are_refused():
    refuses("benchmark", "efficiency", "--logs", "a.csv", "--out", "results", "--repeats", 0)
    refuses("benchmark", "efficiency", "--logs", "a.csv", "--out", "results", "--time-limit", 0)
