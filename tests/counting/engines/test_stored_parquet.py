"""Engines count every row that the footers of their Parquet files say."""

import polars as pl
import pytest

from actalike import LogError
from actalike.counting import EngineLimits, duckdb_events
from actalike.counting.engines.open import check_counted, check_stored
from tests.helpers.commands import fails, ok


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
    with pytest.raises(LogError, match=f"{rows + 1}"):
        check_counted(source, rows, rows + 1)
    ok("count", source, "--engine", "duckdb", "-o", parts.parent / "counts.actalike")


def test_a_file_is_counted_and_not_the_one_that_its_name_matches(parts, tmp_path):
    (parts / "a[1].parquet").write_bytes((parts / "a.parquet").read_bytes())
    (parts / "a1.parquet").write_bytes((parts / "b.parquet").read_bytes())
    ok("count", parts / "a[1].parquet", "--engine", "duckdb", "-o", tmp_path / "counts.actalike")


def test_a_file_that_is_cut_off_is_refused_before_counting(parts, tmp_path):
    path = parts / "a.parquet"
    path.write_bytes(path.read_bytes()[:-20])
    assert "nothing was counted" in fails("count", path, "--engine", "duckdb", "-o", tmp_path / "counts.actalike")


def test_files_with_strings_and_with_numbers_in_a_column_are_refused(tmp_path):
    for name, cases in (("1", [1, 1, 2]), ("2", ["01", "01", "2"])):
        pl.DataFrame({"case": cases, "activity": ["a"] * 3, "at": range(3)}).write_parquet(tmp_path / f"{name}.parquet")
    said = fails("similar", "-m", "kin", tmp_path / "*.parquet", "--engine", "duckdb", "--order", "at")
    assert "'case' holds strings in one of" in said


def test_the_column_of_a_file_and_the_name_of_its_folder_are_not_confused(tmp_path):
    folder = tmp_path / "h" / "activity=zzz"
    folder.mkdir(parents=True)
    pl.DataFrame({"case": [1, 1], "activity": ["a", "b"], "at": [1, 2]}).write_parquet(folder / "e.parquet")
    assert "its folder 'activity=zzz' too" in fails("similar", "-m", "kin", tmp_path / "h", "--engine", "duckdb", "--order", "at")
    assert "zzz" not in ok("similar", "-m", "kin", folder / "e.parquet", "--engine", "duckdb", "--order", "at")
