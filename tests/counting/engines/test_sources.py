"""What an engine is given: a pattern is a pattern, and a file that exists is a file."""

import polars as pl
import pytest

from actalike import LogError, load
from actalike.counting.engines.open import csv_files
from tests.helpers.commands import fails, ok
from tests.helpers.engine_frames import running_spark
from tests.helpers.ocel import purchases, write

EVENTS = pl.DataFrame({"case": ["1", "1"], "activity": ["a", "b"], "at": [1, 2]})


@pytest.mark.parametrize(
    "name", ["a[1].parquet", "a*.parquet", "b?.parquet", "what's {this}.parquet", "a,b c.parquet", "x'; DROP TABLE y.parquet"]
)
def test_a_file_that_exists_is_taken_literally(tmp_path, name):
    EVENTS.write_parquet(tmp_path / name)
    EVENTS.with_columns(activity=pl.lit("z")).write_parquet(tmp_path / "a1.parquet")
    EVENTS.with_columns(activity=pl.lit("z")).write_parquet(tmp_path / "b1.parquet")
    ok("count", tmp_path / name, "-o", tmp_path / "out.actalike", "--engine", "duckdb", "--order", "at")
    assert load(tmp_path / "out.actalike").activities == ["a", "b"]


def test_spark_takes_a_file_that_exists_literally(tmp_path):
    name = "a[1]{b}*,c.parquet"
    EVENTS.write_parquet(tmp_path / name)
    EVENTS.with_columns(activity=pl.lit("z")).write_parquet(tmp_path / "a1.parquet")
    with running_spark():
        ok("count", tmp_path / name, "-o", tmp_path / "out.actalike", "--engine", "spark", "--order", "at")
    assert load(tmp_path / "out.actalike").activities == ["a", "b"]


def test_a_csv_with_an_odd_name_is_taken_literally(tmp_path):
    for name in ("a[1].csv", "a1.csv"):
        (tmp_path / name).write_text("case,activity\n1,a\n")
    assert csv_files(str(tmp_path / "a[1].csv")) == [tmp_path / "a[1].csv"]
    assert csv_files(str(tmp_path / "*1*.csv")) == [tmp_path / "a1.csv", tmp_path / "a[1].csv"]
    assert csv_files(str(tmp_path / "*.c*")) == csv_files(str(tmp_path / "*"))


def test_files_of_two_kinds_are_not_one_log(tmp_path):
    (tmp_path / "a.csv").write_text("case,activity\n1,a\n")
    EVENTS.write_parquet(tmp_path / "b.parquet")
    with pytest.raises(LogError, match="parquet"):
        csv_files(str(tmp_path / "*"))
    with pytest.raises(LogError, match="pattern"):
        csv_files(str(tmp_path / "z*.csv"))
    assert csv_files(str(tmp_path / "b.parquet")) is None


@pytest.mark.parametrize("engine", ["duckdb", "spark"])
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("log.xes.gz", "an engine reads Parquet, CSV or a database; leave --engine out for XES"),
        ("log.XES", "leave --engine out for XES"),
        ("log.xlsx", "is a spreadsheet: save the sheet with the events as CSV"),
        ("counts.actalike", "log"),
    ],
)
def test_what_no_engine_reads_is_said(tmp_path, name, said, engine):
    (tmp_path / name).write_bytes(b"x")
    assert said in fails("similar", "-m", "kin", tmp_path / name, "--engine", engine)


@pytest.mark.parametrize("engine", ["duckdb", "spark"])
def test_object_centric_logs_are_not_for_engines(tmp_path, engine):
    for name in ("buy.jsonocel", "buy.xmlocel", "buy.sqlite"):
        path = write(purchases(), tmp_path / name)
        words = fails("count", path, "-o", tmp_path / "counts.actalike", "--engine", engine)
        assert "an engine reads Parquet, CSV or a database; leave --engine out for object-centric logs" in words
    words = fails("count", path, "-o", tmp_path / "counts.actalike", "--engine", engine, "--object-type", "invoice")
    assert f"--object-type cannot go with --engine {engine}" in words
