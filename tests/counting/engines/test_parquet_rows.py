"""Engines count every row that the footers of their Parquet files say."""

import polars as pl
import pytest

from actalike import LogError
from actalike.cli import reading_options
from actalike.counting import check_rows_counted, duckdb_events, stored_rows
from actalike.counting.engines.sessions import EngineLimits
from tests.helpers.commands import fails, ok
from tests.helpers.parquet_bytes import change_footer


@pytest.fixture
def parts(tmp_path):
    folder = tmp_path / "it's [all]"
    (folder / "year=2024").mkdir(parents=True)
    for number, part in enumerate(("a.parquet", "b.parquet", "year=2024/c.parquet")):
        pl.DataFrame({"case": ["1"] * 5, "activity": ["a"] * 5, "time": range(number * 5, number * 5 + 5)}).write_parquet(
            folder / part
        )
    return folder


@pytest.mark.parametrize(("source", "rows"), [("a.parquet", 5), ("?.parquet", 10), ("year=2024", 5)])
def test_the_rows_of_the_files_that_duckdb_reads_are_added_up(parts, source, rows, monkeypatch):
    monkeypatch.chdir(parts)
    with duckdb_events(source, None, EngineLimits()) as events:
        assert stored_rows(events.frame, source) == rows
    ok("count", source, "--engine", "duckdb", "-o", "counts.actalike")


def test_a_count_of_other_rows_is_refused(parts, monkeypatch):
    monkeypatch.setattr(reading_options, "stored_rows", lambda frame, source: 6)
    said = fails("count", parts / "a.parquet", "--engine", "duckdb", "-o", parts / "counts.actalike")
    assert "a.parquet: 5 events were counted, but its Parquet files have 6 rows by their own account" in said
    assert not (parts / "counts.actalike").exists()


def test_a_footer_that_contradicts_itself_is_refused_before_counting(parts, tmp_path):
    path = change_footer(parts / "a.parquet", lambda footer: footer.update(num_rows=6))
    assert "do not add up" in fails("count", path, "--engine", "duckdb", "-o", tmp_path / "counts.actalike")


def test_what_is_not_parquet_on_this_machine_has_no_footer(tmp_path):
    assert stored_rows(None, "events.csv") is None
    assert stored_rows(None, "s3://bucket/events.parquet") is None
    check_rows_counted("events.csv", None, 5)
    with pytest.raises(LogError, match="one of them is damaged"):
        check_rows_counted("events.parquet", 6, 5)
