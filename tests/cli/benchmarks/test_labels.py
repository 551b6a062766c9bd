"""The command benchmark labels."""

from tests.helpers.commands import fails, run


def test_options_reach_the_benchmark(calls):
    run("benchmark", "labels", "--logs", "a.csv", "--out", "results", "--recipes", "syn-*", "natural", "--draws", "3")
    ((name, options),) = calls
    assert (name, options["recipes"], options["draws"]) == ("labels", ["syn-*", "natural"], 3)
    assert (options["methods"], options["seed"], options["jobs"], options["retry_failed"]) == (None, 0, 1, False)


def test_without_options_everything_is_planted_25_times(calls):
    run("benchmark", "labels", "--logs", "a.csv", "--out", "results", "--methods", "kin-w5", "contrast")
    ((_, options),) = calls
    assert (options["recipes"], options["draws"], options["methods"]) == (None, 25, ["kin-w5", "contrast"])


def test_a_recipe_that_does_not_exist_is_an_error_before_anything_is_read(tmp_path):
    words = fails("benchmark", "labels", "--logs", tmp_path / "a.csv", "--out", tmp_path / "out", "--recipes", "syn-cases-2")
    assert "No task is called 'syn-cases-2'. Did you mean 'syn-case-2'" in words
