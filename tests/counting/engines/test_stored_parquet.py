"""Engines count every row that the footers of their Parquet files say."""

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from actalike import LogError
from actalike.counting import check_counted, check_stored, duckdb_events
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
def test_the_files_that_duckdb_reads_are_known(parts, source, rows, monkeypatch):
    monkeypatch.chdir(parts)
    with duckdb_events(source, None, EngineLimits()) as events:
        assert check_stored(source, events.files, ["case", "activity"]) == rows
    with pytest.raises(LogError, match=f"{rows + 1} events were counted, but its Parquet files have {rows} rows"):
        check_counted(source, rows, rows + 1)
    ok("count", source, "--engine", "duckdb", "-o", parts.parent / "counts.actalike")


def test_a_file_is_counted_and_not_the_one_that_its_name_matches(parts, tmp_path):
    (parts / "a[1].parquet").write_bytes((parts / "a.parquet").read_bytes())
    (parts / "a1.parquet").write_bytes((parts / "b.parquet").read_bytes())
    ok("count", parts / "a[1].parquet", "--engine", "duckdb", "-o", tmp_path / "counts.actalike")


def test_a_footer_that_contradicts_itself_is_refused_before_counting(parts, tmp_path):
    path = change_footer(parts / "a.parquet", lambda footer: footer.update(num_rows=6))
    assert "do not add up" in fails("count", path, "--engine", "duckdb", "-o", tmp_path / "counts.actalike")


def test_a_page_that_does_not_fit_its_checksum_is_refused_by_an_engine_too(tmp_path):
    path = tmp_path / "log.parquet"
    table = pa.table({"case": ["1"] * 9, "activity": ["pay out"] * 9, "at": range(9)})
    pq.write_table(table, path, write_page_checksum=True, compression="none", use_dictionary=False)
    path.write_bytes(path.read_bytes().replace(b"pay out", b"pax out"))
    assert "checksum" in fails("similar", path, "--engine", "duckdb", "--order", "at")


def test_files_with_texts_and_with_numbers_in_a_column_are_refused(tmp_path):
    for name, cases in (("1", [1, 1, 2]), ("2", ["01", "01", "2"])):
        pl.DataFrame({"case": cases, "activity": ["a"] * 3, "at": range(3)}).write_parquet(tmp_path / f"{name}.parquet")
    said = fails("similar", tmp_path / "*.parquet", "--engine", "duckdb", "--order", "at")
    assert "'case' holds texts in one of" in said


def test_the_column_of_a_file_and_the_name_of_its_folder_are_not_confused(tmp_path):
    folder = tmp_path / "h" / "activity=zzz"
    folder.mkdir(parents=True)
    pl.DataFrame({"case": [1, 1], "activity": ["a", "b"], "at": [1, 2]}).write_parquet(folder / "e.parquet")
    assert "the name of its folder 'activity=zzz' says it too" in fails(
        "similar", tmp_path / "h", "--engine", "duckdb", "--order", "at"
    )
    assert "zzz" not in ok("similar", folder / "e.parquet", "--engine", "duckdb", "--order", "at")
