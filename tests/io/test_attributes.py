"""Attributes of every type, from every source, become the same strings."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, LogError, read_log
from actalike.io import frame as frame_module
from actalike.io.frame import attribute_column as attribute_texts
from tests.helpers.examples import examples
from tests.helpers.reading import read_bytes


def to_pandas_arrow(data):
    return pa.table(data).to_pandas(types_mapper=pd.ArrowDtype)


LIBRARIES = {"polars": pl.DataFrame, "pandas": pd.DataFrame, "pandas-pyarrow": to_pandas_arrow, "pyarrow": pa.table}


def texts_of(frame, values, **options):
    data = {"case": ["1"] * len(values), "activity": ["a"] * len(values), "user": values}
    return read_log(frame(data), attributes=["user"], **options).attributes["user"].texts()


@pytest.fixture(params=LIBRARIES, ids=str)
def frame(request):
    return LIBRARIES[request.param]


def test_values_of_every_type_become_the_same_texts(frame):
    assert texts_of(frame, ["Sue", None, ""]) == ["Sue", None, ""]
    assert texts_of(frame, [17, 4, -(2**60)]) == ["17", "4", str(-(2**60))]
    assert texts_of(frame, [17, None, 4]) == ["17", None, "4"]  # pandas holds them as floats
    assert texts_of(frame, [0.1, 1e300, float("nan")]) == ["0.1", "1e+300", None]
    assert texts_of(frame, [True, False]) == ["true", "false"]
    assert texts_of(frame, [True, None]) == ["true", None]
    moment = datetime(2024, 2, 29, 12, tzinfo=UTC)
    assert texts_of(frame, [moment, None]) == ["2024-02-29T12:00:00.000000+00:00", None]
    assert texts_of(frame, [moment.replace(tzinfo=None, microsecond=7)]) == ["2024-02-29T12:00:00.000007+00:00"]


@examples(10)
@given(st.lists(st.none() | st.floats(), min_size=1, max_size=10))
def test_numbers_are_the_same_in_all_libraries(numbers):
    if all(number is None for number in numbers):
        return
    expected = texts_of(pl.DataFrame, numbers)
    assert [None if text is None else float(text) for text in expected] == [
        None if number is None or number != number else number for number in numbers
    ]
    assert all(texts_of(frame, numbers) == expected for frame in LIBRARIES.values())


def test_dates_and_categories_become_texts():
    for kind in (pl.DataFrame, pa.table, to_pandas_arrow):
        assert texts_of(kind, [date(2024, 2, 29), None]) == ["2024-02-29", None]
    assert texts_of(lambda data: pl.DataFrame(data, schema_overrides={"user": pl.Categorical}), ["Sue", None]) == ["Sue", None]
    assert texts_of(lambda data: pd.DataFrame(data).astype({"user": "category"}), ["Sue", None]) == ["Sue", None]
    assert texts_of(pd.DataFrame, ["Sue", 7, 1.0, True, None]) == ["Sue", "7", "1", "true", None]
    nanoseconds = pl.Series([-1, 1999], dtype=pl.Int64).cast(pl.Datetime("ns"))
    expected = ["1969-12-31T23:59:59.999999+00:00", "1970-01-01T00:00:00.000001+00:00"]
    assert texts_of(pl.DataFrame, nanoseconds) == expected
    assert texts_of(pa.table, nanoseconds.to_arrow()) == expected


@pytest.mark.parametrize(
    ("frame", "values"),
    [
        (pl.DataFrame, [["Sue"]]),
        (pl.DataFrame, [time(12)]),
        (pl.DataFrame, [timedelta(1)]),
        (pl.DataFrame, [b"Sue"]),
        (pl.DataFrame, [{"name": "Sue"}]),
        (pd.DataFrame, [["Sue"]]),
        (pd.DataFrame, [Decimal("Infinity")]),
        (pa.table, [["Sue"]]),
        (pa.table, [b"Sue"]),
    ],
)
def test_a_type_without_texts_is_refused_by_name_and_left_out_of_people(frame, values, tmp_path):
    with pytest.raises(LogError, match="user"):
        texts_of(frame, values)
    data = {"case": ["1"], "activity": ["a"], "user": values}
    assert read_log(frame(data), attributes="people").attributes == {}
    if frame is pl.DataFrame:
        pl.DataFrame(data).write_parquet(tmp_path / "log.parquet")
        with pytest.raises(LogError, match="user"):
            read_log(tmp_path / "log.parquet", attributes=["user"])
        assert read_log(tmp_path / "log.parquet", attributes="people").attributes == {}


def test_objects_that_cannot_be_compared_are_left_out_of_people():
    frame = pl.DataFrame({"case": ["1"], "activity": ["a"]}).with_columns(pl.Series("user", [pd.NA], dtype=pl.Object))
    assert read_log(frame).attributes == {}
    with pytest.raises(LogError, match="user"):
        read_log(frame, attributes=["user"])


def test_types_of_parquet_become_texts(tmp_path):
    columns = {"user": [17.0, None], "on": [date(2024, 2, 29), None], "ok": [True, None]}
    pl.DataFrame({"case": ["1", "1"], "activity": ["a", "b"], **columns}).write_parquet(tmp_path / "log.parquet")
    log = read_log(tmp_path / "log.parquet", attributes=list(columns))
    assert [attribute.texts() for attribute in log.attributes.values()] == [["17", None], ["2024-02-29", None], ["true", None]]


def test_in_a_csv_only_an_empty_cell_is_a_missing_value():
    log = read_bytes(b'case,activity,user\n1,a,\n1,a,""\n1,a,NA\n1,a, x\n', "log.csv", attributes=["user"])
    assert log.attributes["user"].texts() == [None, "", "NA", " x"]


@pytest.mark.parametrize("kind", [pl.Date, pl.Datetime("ms"), pl.Datetime("us", "UTC")])
def test_dates_outside_the_years_1_to_9999_are_no_values(kind):
    unit = {pl.Date: 1, pl.Datetime("ms"): 86_400_000, pl.Datetime("us", "UTC"): 86_400_000_000}[kind]
    column = pl.Series("due", [0, 2_932_897 * unit, None], dtype=pl.Int64 if kind != pl.Date else pl.Int32).cast(kind)
    with pytest.raises(LogError, match="due"):
        attribute_texts(column, "log")
    frame = pl.DataFrame({"case": [1, 1, 1], "activity": ["a", "b", "c"], "due": column})
    with pytest.raises(LogError, match="row 2"):
        read_log(frame, attributes=["due"])


@pytest.mark.parametrize("name", ["log.csv", "log.xes"])
def test_more_values_than_fit_into_memory_are_refused(name, monkeypatch):
    content = {
        "log.csv": b"case,activity,user\n1,a,Sue\n1,a,Bob\n",
        "log.xes": b'<log><trace><event><string key="concept:name" value="a"/><string key="user" value="Sue"/></event></trace></log>',
    }[name]
    monkeypatch.setattr(frame_module, "_BYTES_A_VALUE", 10**9)
    monkeypatch.setenv("ACTALIKE_MEMORY", "500MB")
    with pytest.raises(ActalikeError, match=name):
        read_bytes(content, name, attributes=["user"])
    assert read_bytes(content, name, attributes=None).attributes == {}
