"""What the commands that run a benchmark share: plugins, being stopped, and the outcome in words."""

import json
from pathlib import Path

import pytest
import typer

from actalike.benchmark.record import Failure, Outcome
from actalike.cli.benchmarks.running import print_outcome, run, warn_of_gaps
from tests.helpers import commands

OUTCOME = Outcome(Path("results"), 1200, 3, 2, (Failure("w2v", "orders", "no luck\x1b"),), ("orders",), ("w2v", "kin-w5"))


def test_the_outcome_is_what_failed_what_was_computed_and_what_comes_next(capsys):
    print_outcome(OUTCOME, as_json=False, verb="measured")
    assert capsys.readouterr().out == (
        "w2v failed on orders: no luck\\x1b\n"
        "results: 3 of 1,200 cells measured now (2 of them failed: --retry-failed tries again), the others were there.\n"
        "Next: actalike benchmark table results\n"
    )


def test_a_whole_run_has_no_others(capsys):
    print_outcome(Outcome(Path("results"), 3, 3, 0, (), ("orders",), ("kin-w5",)), as_json=False, verb="computed")
    assert capsys.readouterr().out.startswith("results: 3 of 3 cells computed now.\n")


def test_the_same_facts_for_programs(capsys):
    print_outcome(OUTCOME, as_json=True, verb="computed")
    failed = [{"method": "w2v", "log": "orders", "error": "no luck\x1b"}]
    counts = {"cells": 1200, "computed": 3, "failed_cells": 2}
    facts = json.loads(capsys.readouterr().out)
    assert facts == {"schema": "actalike/benchmark/1", "out": "results", **counts, "failed": failed}


def test_a_run_that_is_stopped_says_how_to_go_on(calls, tmp_path):
    done = commands.run("benchmark", "intrinsic", "--logs", tmp_path, "--out", tmp_path / "results")
    assert (done.returncode, done.stdout) == (130, "")
    words = f"actalike: stopped. What is finished is in {tmp_path / 'results'}; the same command continues from there.\n"
    assert done.stderr == words


def test_plugins_are_loaded_before_the_run(calls, tmp_path, capsys):
    (tmp_path / "a_plugin_that_tells.py").write_text("print('loaded')")
    with pytest.raises(typer.Exit):
        run("intrinsic", [str(tmp_path / "a_plugin_that_tells.py")], tmp_path / "results", seed=1)
    assert capsys.readouterr().out == "loaded\n"
    ((name, options),) = calls
    assert (name, options["out"], options["seed"]) == ("intrinsic", tmp_path / "results", 1)


def test_gaps_are_sentences_on_standard_error(capsys):
    warn_of_gaps(["2 of 8 results are not there yet", "w2v failed"])
    assert capsys.readouterr() == ("", "actalike: 2 of 8 results are not there yet.\nactalike: w2v failed.\n")
