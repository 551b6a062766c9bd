"""The command benchmark anomalies."""

from tests.helpers.commands import fails, run


def test_options_reach_the_benchmark(calls):
    words = ("--logs", "a.csv", "b.csv", "--out", "results", "--tasks", "bpad-*", "known", "--attributes", "user", "region")
    run("benchmark", "anomalies", *words)
    ((name, options),) = calls
    assert (name, options["tasks"], options["attributes"]) == ("anomalies", ["bpad-*", "known"], ["user", "region"])
    assert (options["methods"], options["copies"], options["seed"], options["jobs"]) == (None, 5, 0, 1)


def test_a_task_that_does_not_exist_is_an_error_before_anything_is_read(tmp_path):
    words = fails("benchmark", "anomalies", "--logs", tmp_path / "a.csv", "--out", tmp_path / "out", "--tasks", "bpad-50")
    assert "No task is called 'bpad-50'. Did you mean" in words
    assert not (tmp_path / "out").exists()
