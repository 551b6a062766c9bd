"""The command benchmark matching."""

from tests.helpers.commands import fails, run


def test_options_reach_the_benchmark(calls):
    run("benchmark", "matching", "--logs", "a.csv", "b.csv", "--out", "results", "--kinds", "codes", "time", "--tasks", "known-*")
    ((name, options),) = calls
    assert (name, options["kinds"], options["tasks"], len(options["logs"])) == ("matching", ["codes", "time"], ["known-*"], 2)
    assert (options["methods"], options["draws"], options["seed"], options["jobs"]) == (None, 10, 0, 1)


def test_a_task_that_does_not_exist_is_an_error_before_anything_is_read(tmp_path):
    words = fails("benchmark", "matching", "--logs", tmp_path / "a.csv", "--out", tmp_path / "out", "--tasks", "known-50")
    assert "No task is called 'known-50'. Did you mean 'known-5'" in words
    assert not (tmp_path / "out").exists()
