"""The benchmark of labels as a user runs it: with groupers of one's own, resumed, and in several processes."""

import json

import pytest

from actalike import EventLog, benchmark, write_log
from actalike.errors import ActalikeError
from tests.helpers.benchmark_runs import run_here, tree

SMALL = ("--methods", "contrast", "trigrams", "--recipes", "syn-case-2", "unplanted", "--draws", "2")


def test_every_participant_has_a_file_for_each_task(label_results):
    files = {name for name in tree(label_results) if name.count("/") == 2}
    tasks = ("syn-case-2", "syn-period-2", "dis-5", "unplanted", "swiftmend-40-30")
    assert files == {f"desk/{task}/{name}.json" for task in tasks for name in ("kin-w3", "even", "broken", "silent")}
    content = json.loads((label_results / "desk" / "syn-case-2" / "kin-w3.json").read_text())
    assert [of_draw["nn"] for of_draw in content["figures"]] == [1.0, 1.0]
    assert (content["seed"], content["draws"], content["parameters"]["window"]) == (0, 2, 3)
    broken = json.loads((label_results / "desk" / "syn-case-2" / "broken.json").read_text())
    assert (broken["error"], broken["draw"]) == ("RuntimeError: no luck today", 0)


def test_what_is_there_is_not_computed_again_and_more_methods_join(desk_file, tmp_path):
    call = ("labels", "--logs", desk_file, "--out", tmp_path / "out")
    first = json.loads(run_here(*call, *SMALL, "--json").stdout)
    assert (first["cells"], first["computed"], first["failed"]) == (2, 2, [])
    before = tree(tmp_path / "out")
    assert json.loads(run_here(*call, *SMALL, "--json").stdout)["computed"] == 0
    run_here(*call, "--methods", "one-hot", *SMALL[3:])
    after = tree(tmp_path / "out")
    assert {name: after[name] for name in before} == before
    assert "desk/unplanted/one-hot.json" in after
    assert "of another plan (draws 2, not 3)" in run_here(*call, *SMALL[:-1], "3", code=1).stderr


def test_several_processes_give_the_same_bytes(desk_file, tmp_path):
    options = {"logs": [desk_file], "methods": ["contrast", "kin-w3"], "recipes": ["syn-event-2", "unplanted"], "draws": 1}
    benchmark.run("labels", out=tmp_path / "one", **options)
    benchmark.run("labels", out=tmp_path / "two", jobs=2, backend="threading", **options)
    assert tree(tmp_path / "one") == tree(tmp_path / "two")


def test_failed_groupers_are_named_and_tried_again_if_asked(desk_file, tmp_path):
    plugin = desk_file.parent / "own_groupers.py"
    call = ("labels", "--logs", desk_file, "--out", tmp_path / "out", "--plugin", plugin, "--recipes", "unplanted")
    shown = run_here(*call, "--methods", "broken", "silent").stdout
    assert "broken failed on desk: RuntimeError: no luck today" in shown
    assert json.loads(run_here(*call, "--methods", "broken", "--json").stdout)["computed"] == 0
    assert json.loads(run_here(*call, "--methods", "broken", "--json", "--retry-failed").stdout)["computed"] == 1


def test_a_log_without_what_the_tasks_need_is_refused(tmp_path):
    write_log(EventLog.from_traces([["a", "b"]] * 5), tmp_path / "few.csv")
    with pytest.raises(ActalikeError, match="natural"):
        benchmark.run("labels", logs=[tmp_path / "few.csv"], out=tmp_path / "out", recipes=["syn-period-2", "natural"])


def test_a_method_that_reads_labels_is_given_the_words_of_the_log(desk_file, tmp_path):
    from actalike.benchmark.labels import register

    seen = {}

    class Reader:
        def __init__(self, reads_labels):
            self.reads_labels = reads_labels

        def fit(self, log):
            seen[self.reads_labels] = log.activities
            self.scores_, self.groups_ = None, []
            return self

        def __deepcopy__(self, memo):
            return self

    register("reader", lambda: Reader(True))
    register("listener", lambda: Reader(False))
    benchmark.run(
        "labels", logs=[desk_file], out=tmp_path / "out", methods=["reader", "listener"], recipes=["syn-case-2"], draws=1
    )
    assert {"check", "close", "open"} & set(seen[True])
    assert all(label.startswith("step ") for label in seen[False])
