"""Tables of labels as CSV: what is written is read again, with the lines of the file."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError
from actalike.labels.mapping import read_label_table, table_bytes
from tests.helpers.strategies import any_text


@given(st.lists(st.tuples(any_text, any_text), min_size=1, max_size=5))
def test_rows_that_are_written_are_read_again(rows):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_bytes(table_bytes([("first", "second"), *rows]))
        assert [tuple(row.cells) for row in read_label_table(path).rows[1:]] == rows


def test_lines_are_those_of_the_file(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text('sep=;\nA ;b\n\n"two\nlines";x\ny;z\n')
    table = read_label_table(path)
    assert [row.line for row in table.rows] == [2, 4, 6]
    assert table.header() == ["a", "b"]
    assert table.columns(["b", "a"]) == [1, 0]
    assert table.columns(["c"]) is None


def test_an_empty_file_has_no_rows(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("")
    assert (read_label_table(path).rows, read_label_table(path).header()) == ([], [])
    path.write_text("a,A\n")
    with pytest.raises(ActalikeError, match="rename"):
        read_label_table(path).columns(["a"])


def test_a_file_that_is_far_too_large_is_refused_without_advice_that_does_not_help(tmp_path, monkeypatch):
    monkeypatch.setattr("actalike.labels.mapping.MAX_BYTES", 10)
    (tmp_path / "known.csv").write_text("label_a,label_b\n")
    with pytest.raises(ActalikeError, match="unpacked") as caught:
        read_label_table(tmp_path / "known.csv")
    assert "max-bytes" not in str(caught.value)
