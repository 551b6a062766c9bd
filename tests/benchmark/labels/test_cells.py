import json
import shutil

import pytest

from actalike import benchmark
from actalike.benchmark.folders import ResultFolder
from actalike.benchmark.labels.cells import Cell, Plan, make_cells, missing_methods, requested
from actalike.errors import ActalikeError


def test_each_log_has_a_cell_for_each_of_its_tasks():
    cells = make_cells({"a": ["natural", "dis-1"], "b": ["dis-1"]}, ["kin-w5", "zhu"])
    assert [(cell.log, cell.task) for cell in cells] == [("a", "natural"), ("a", "dis-1"), ("b", "dis-1")]
    assert cells[0].methods == ("kin-w5", "zhu")


def test_what_is_not_planted_is_done_once():
    plan = Plan(draws=7)
    assert [plan.draws_of(task) for task in ("syn-case-2", "unplanted", "natural", "classes-verb")] == [7, 1, 1, 1]


def test_a_folder_knows_what_was_asked_for(label_results):
    folder = ResultFolder.open(label_results)
    assert ("kin-w3", "desk", "dis-5") in requested(folder)
    assert len(requested(folder)) == 20


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 7}, "seed"),
        ({"task": "dis-1"}, "is of another run"),
        ({"figures": []}, "draws"),
        ({"figures": [{"nonsense": 1.0}] * 2}, "nonsense"),
        ({"figures": [{"nn": "high"}] * 2}, "sound"),
        ({"pairs": [[2.0, 1, 0]]}, "sound"),
        ({"pairs": 3}, "sound"),
    ],
)
def test_a_damaged_or_strange_file_is_refused(label_results, tmp_path, change, words):
    shutil.copytree(label_results, tmp_path / "out")
    path = tmp_path / "out" / "desk" / "syn-case-2" / "kin-w3.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(ActalikeError, match=words):
        benchmark.read(tmp_path / "out")


def test_failed_ones_are_missing_only_if_they_are_tried_again(label_results):
    folder = ResultFolder.open(label_results)
    cell = Cell("desk", "syn-case-2", ("broken", "kin-w3", "zhu"))
    missing = [missing_methods(cell, Plan(draws=2), folder.digest("desk"), label_results, retry) for retry in (False, True)]
    assert missing == [("zhu",), ("broken", "zhu")]
