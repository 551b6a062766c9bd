"""The cells of a run: where their files lie, which are missing, and which files are refused."""

import json

import pytest

from actalike import ActalikeError
from actalike.benchmark.efficiency.cells import Cell, Plan, is_missing, read_cell, requested
from tests.benchmark.efficiency.made_up_cells import write_folder

CELLS = {
    ("plain", "one-hot"): {
        "size": {},
        "memory": None,
        "rounds": [{"seconds": 1, "processor": 1, "items": {}, "as_published": None}],
    },
    ("plain", "unlucky"): {"error": "RuntimeError: no luck"},
}


def test_a_folder_knows_its_plan_and_all_that_was_asked_for(tmp_path):
    folder = write_folder(tmp_path, CELLS, requested=[("plain", "kin-w5")])
    assert Plan.of_folder(folder) == Plan(2, "Abacus, 1 cores")
    assert requested(folder) == {Cell("plain", name) for name in ("one-hot", "unlucky", "kin-w5")}


def test_a_cell_without_a_file_is_missing_and_a_failed_one_if_it_is_to_be_tried_again(tmp_path):
    folder = write_folder(tmp_path, CELLS)
    plan = Plan.of_folder(folder)
    found = {
        name: [is_missing(Cell("plain", name), plan, "d", folder.path, retry) for retry in (False, True)]
        for name in ("one-hot", "unlucky", "kin-w5")
    }
    assert found == {"one-hot": [False, False], "unlucky": [False, True], "kin-w5": [True, True]}
    assert Cell("plain", "kin-w5").file(folder.path) == folder.path / "plain" / "cells" / "kin-w5.json"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"machine": {"processor": "Pencil, 1 cores"}}, "is of another run than its folder"),
        ({"machine": {}}, "is of another run than its folder"),
        ({"asked_repeats": 3}, "is of another run than its folder"),
        ({"log_digest": "e"}, "is of another run than its folder"),
        ({"rounds": []}, "sound"),
        ({"rounds": [{"seconds": 1}]}, "sound"),
    ],
)
def test_a_cell_of_another_run_or_without_figures_is_refused(tmp_path, change, message):
    folder = write_folder(tmp_path, CELLS)
    path = Cell("plain", "one-hot").file(folder.path)
    sound = json.loads(path.read_text())
    assert read_cell(path, Plan.of_folder(folder), "d") == sound
    path.write_text(json.dumps({**sound, **change}))
    with pytest.raises(ActalikeError, match=message):
        read_cell(path, Plan.of_folder(folder), "d")
