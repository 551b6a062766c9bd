"""The cells of a run: which there are, where their files lie, and what of them is missing."""

import json
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError
from actalike.benchmark.folders import ResultFolder, note_request, write_json
from actalike.benchmark.intrinsic.cells import COUNTS, Cell, Plan, make_cells, missing_methods, read_cell, request_of, requested
from actalike.methods import make_method

METHODS = {name: make_method(name) for name in ("kin-w5", "aa-sequence-pmi-w3", "act2vec-cbow-w3", "autoencoder-w3")}
CELL = Cell("loan", 2, 3, COUNTS, ("kin-w5", "one-hot", "substitution-w3"))

sizes = st.dictionaries(st.sampled_from(["loan", "plain", "mine"]), st.integers(1, 5))
numbers = st.lists(st.integers(1, 6), unique=True, max_size=4)


@given(sizes, numbers, numbers)
def test_every_method_is_in_one_cell_of_each_log_r_and_w(activities, rs, ws):
    cells = make_cells(activities, METHODS, rs, ws)
    work = [(method, cell.log, cell.r, cell.w) for cell in cells for method in cell.methods]
    expected = [(method, log, r, w) for method, log, r, w in product(METHODS, activities, rs, ws) if r <= activities[log]]
    assert sorted(work) == sorted(expected)


def test_methods_that_take_counts_share_a_cell():
    groups = {cell.group: cell.methods for cell in make_cells({"loan": 9}, METHODS, [1], [2])}
    assert groups == {
        COUNTS: ("kin-w5", "aa-sequence-pmi-w3"),
        "act2vec-cbow-w3": ("act2vec-cbow-w3",),
        "autoencoder-w3": ("autoencoder-w3",),
    }


def test_cells_have_files_of_their_own(tmp_path):
    cells = make_cells({"loan": 12, "plain": 4}, METHODS, range(1, 13), range(2, 6))
    assert len({cell.file(tmp_path) for cell in cells}) == len(cells)
    assert CELL.file(tmp_path) == tmp_path / "loan" / "r02-w3" / "_counts.json"


def test_what_was_asked_for_is_what_the_cells_have(tmp_path):
    plan = Plan(seed=4, mode="authors", samples=2)
    plan.open(tmp_path)
    activities, rs, ws = {"loan": 9, "plain": 4}, [1, 5], [2, 3]
    note_request(tmp_path, request_of(activities, list(METHODS), rs, ws))
    folder = ResultFolder.open(tmp_path)
    assert Plan.of_folder(folder) == plan
    cells = make_cells(activities, METHODS, rs, ws)
    assert requested(folder) == {(method, cell.log, cell.r, cell.w) for cell in cells for method in cell.methods}


@pytest.fixture
def out(tmp_path):
    """A folder with the file of a cell: one method has figures, one has failed, one is missing."""
    path = CELL.file(tmp_path)
    path.parent.mkdir(parents=True)
    methods = {"kin-w5": {"scores": []}, "one-hot": {"error": "RuntimeError: no luck", "sample": 0}}
    plan = {"seed": 0, "mode": "paper", "samples": 5, "chosen": []}
    write_json(path, {"log": "loan", "log_digest": "d", "r": 2, "w": 3, **plan, "methods": methods})
    return tmp_path


def test_methods_without_a_result_are_missing_and_failed_ones_if_they_are_to_be_tried_again(out, tmp_path_factory):
    assert missing_methods(CELL, Plan(), "d", out) == ("substitution-w3",)
    assert missing_methods(CELL, Plan(), "d", out, retry_failed=True) == ("one-hot", "substitution-w3")
    assert missing_methods(CELL, Plan(), "d", tmp_path_factory.mktemp("empty")) == CELL.methods


@pytest.mark.parametrize(
    ("plan", "digest", "difference"),
    [
        (Plan(seed=1), "d", "seed 0, not 1"),
        (Plan(mode="authors"), "d", "mode 'paper', not 'authors'"),
        (Plan(samples=2), "e", "samples 5, not 2; log_digest 'd', not 'e'"),
    ],
)
def test_a_cell_of_another_run_is_refused(out, plan, digest, difference):
    path = CELL.file(out)
    assert read_cell(path, Plan(), "d") == json.loads(path.read_text())
    with pytest.raises(ActalikeError, match=difference):
        read_cell(path, plan, digest)
