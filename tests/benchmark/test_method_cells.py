"""Test cells of one method: what a folder notes of them, and reads again."""

from pathlib import Path

from actalike.benchmark.folders import ResultFolder, note_request, open_folder
from actalike.benchmark.method_cells import Cell, request_of, requested


def test_what_was_asked_for_is_read_as_it_was_noted_whatever_the_order(tmp_path):
    cells = [Cell("b", "known", "odd"), Cell("a", "bpad-10", "naive"), Cell("a", "known", "odd")]
    assert request_of(cells) == request_of(cells[::-1])
    open_folder(tmp_path / "out", {"benchmark": "anomalies", "format": 2, "seed": 0, "copies": 5})
    note_request(tmp_path / "out", request_of(cells[:2]))
    note_request(tmp_path / "out", request_of(cells[2:]))
    assert requested(ResultFolder.open(tmp_path / "out")) == {(cell.method, cell.log, cell.task) for cell in cells}


def test_a_cell_has_a_file_of_its_own():
    assert Cell("a", "known", "odd").file(Path("out")) == Path("out/a/known/odd.json")
