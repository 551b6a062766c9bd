"""The commands of the benchmarks, joined: their names, options with several values, and what they load."""

import subprocess
import sys

import typer

from actalike.cli.benchmarks.app import app, with_lists


def test_there_is_a_command_for_each_benchmark_and_for_what_is_made_of_results():
    group = typer.main.get_group(app)
    names = [
        "intrinsic",
        "prediction",
        "efficiency",
        "labels",
        "matching",
        "anomalies",
        "change_points",
        "table",
        "plots",
        "report",
    ]
    assert group.list_commands(typer.Context(group)) == names
    ((_, summaries),) = group.sections(typer.Context(group))
    assert [name for name, summary in summaries if summary] == names


def test_options_with_several_values_are_repeated():
    words = ["benchmark", "prediction", "--models", "tax", "evermann", "--methods", "aa-*", "--out", "a", "b"]
    assert with_lists(words) == [*words[:4], "--models", *words[4:]]
    assert with_lists(["similar", "--logs", "a", "b"]) == ["similar", "--logs", "a", "b"]


def test_the_commands_load_no_benchmark_and_no_method():
    rooms = {
        "actalike.benchmark.tasks.intrinsic",
        "actalike.methods",
        "actalike.prediction",
        "actalike.report",
        "joblib",
        "torch",
    }
    code = f"import sys, actalike.benchmark, actalike.cli.benchmarks.app; print({rooms} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "set()", done.stderr
