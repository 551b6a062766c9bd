"""The command benchmark intrinsic."""

from tests.helpers.commands import ok, run


def options_of(calls, *arguments):
    run("benchmark", "intrinsic", "--logs", "a.csv", "b.csv", "--out", "results", *arguments)
    ((name, options),) = calls
    assert name == "intrinsic"
    return options


def test_without_options_it_is_the_plan_of_the_paper(calls):
    options = options_of(calls)
    assert (options["r"], options["w"], options["samples"]) == (list(range(1, 11)), [2, 3, 4, 5], 5)
    assert (options["seed"], options["mode"], options["jobs"], options["shard"]) == (0, "paper", 1, (1, 1))
    assert [path.name for path in options["logs"]] == ["a.csv", "b.csv"]
    assert options["methods"] is None
    assert options["retry_failed"] is False


def test_options_reach_the_benchmark(calls):
    options = options_of(calls, "--r", "3", "--w", "2-2", "--mode", "authors", "--shard", "2/3", "--methods", "aa-*", "kin-w5")
    assert (options["r"], options["w"], options["mode"], options["shard"]) == ([3], [2], "authors", (2, 3))
    assert options["methods"] == ["aa-*", "kin-w5"]


def test_a_second_run_finds_everything_there(results):
    log = results.parent / "letters.csv"
    arguments = ("--logs", log, "--out", results, "--methods", "aa-sequence-pmi-w3", "one-hot", "--r", "1-2", "--w", 2)
    shown = ok("benchmark", "intrinsic", *arguments, "--samples", 1)
    assert shown.startswith(f"{results}: 0 of ")
    assert "cells computed now, the others were there." in shown
