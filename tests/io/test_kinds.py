"""The table of kinds of files, and what a reader of a new kind is given: both say what they do not know, instead of guessing."""

from datetime import date

import polars as pl
import pytest

from actalike import LogError, read_log, relabel_file
from actalike.cli.labels import why_no_relabelling
from actalike.cli.options import ReadingOptions
from actalike.counting.engines.open import check_source
from actalike.io import Columns, ReadOptions, event_columns
from actalike.io.files import KINDS, Kind

COLUMNS = Columns("case", "activity", None, None)


@pytest.fixture
def new_kind(monkeypatch, tmp_path):
    """Return a file of a kind that has a row in the table, and nothing else yet."""
    monkeypatch.setitem(KINDS, "jsonl", Kind("JSON lines", (".jsonl",), options=("timestamp_format",)))
    path = tmp_path / "log.jsonl"
    path.write_text('{"case": 1, "activity": "Pay"}\n')
    return path


def test_a_new_kind_is_neither_relabelled_nor_counted_until_its_row_says_so(new_kind, tmp_path):
    with pytest.raises(LogError, match="JSON lines"):
        relabel_file(new_kind, {"Pay": "Pay out"}, tmp_path / "new.jsonl")
    with pytest.raises(LogError, match="leave --engine out for JSON lines"):
        check_source(str(new_kind))
    assert "JSON lines" in why_no_relabelling(new_kind, ReadingOptions())


def test_options_are_for_the_kinds_whose_rows_have_them(new_kind):
    with pytest.raises(LogError, match="is for CSV and Excel, not for JSON lines"):
        read_log(new_kind, skip=1)
    with pytest.raises(LogError, match="is for Excel, not for CSV"):
        read_log(new_kind.rename(new_kind.with_suffix(".csv")), sheet="Events")


@pytest.mark.parametrize("role", ["case", "activity", "user"])
def test_objects_of_a_new_reader_are_strings_by_one_rule(role):
    def texts(*values):
        table = pl.DataFrame({name: pl.Series(["x"] * len(values)) for name in ("case", "activity", "user")})
        table = table.with_columns(pl.Series(role, values, dtype=pl.Object))
        columns = event_columns("log", table, COLUMNS, ReadOptions(attributes=["user"]), ["user"])
        return columns[role if role in columns.columns else "attribute:user"].to_list()

    assert texts(7, "a", True, None, date(2024, 2, 29)) == ["7", "a", "true", None, "2024-02-29"]
    for odd in ((1, "1"), (True, "true"), ("a", ["b"]), ("a", "\ud800"), (10**5000,)):
        with pytest.raises(LogError, match=f"'{role}'"):
            texts(*odd)


def test_an_error_in_a_block_names_the_row_of_the_file():
    block = pl.DataFrame(
        {"case": ["1", "1"], "activity": ["a", "b"], "day": pl.Series([0, 2**31 - 1]).cast(pl.Int32).cast(pl.Date)}
    )
    with pytest.raises(LogError, match="row 1,002"):
        event_columns("log", block, COLUMNS, ReadOptions(attributes=["day"]), ["day"], rows_before=1000)
