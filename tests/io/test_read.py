import io
import re

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog, LogError, read_log, write_log
from actalike.demo.loan_desk import loan_desk
from tests.helpers.examples import examples
from tests.helpers.naive_attributes import NAMES, as_rows, read_naively, rows, to_columns, to_csv, to_xes
from tests.helpers.reading import read_bytes


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    for name in ("log.xes", "log.xes.gz", "log.csv", "log.parquet"):
        with pytest.raises(LogError, match=f"{name} cannot be read: No such file or directory"):
            read_log(tmp_path / name)


def test_a_folder_or_an_unknown_kind_is_an_error(tmp_path):
    with pytest.raises(LogError, match="is a folder"):
        read_log(tmp_path)
    with pytest.raises(LogError, match=r"extension"):
        read_bytes(b"", "log.txt")


def test_unknown_options_are_errors():
    with pytest.raises(ActalikeError, match="lifecycle='all'"):
        read_log("log.xes", lifecycle="all")
    with pytest.raises(ActalikeError, match="order='random'"):
        read_log("log.xes", order="random")


def test_a_parquet_file_with_too_many_rows_is_refused(tmp_path):
    write_log(EventLog.from_traces([["a"]] * 1000), tmp_path / "log.parquet")
    with pytest.raises(LogError, match="holds"):
        read_log(tmp_path / "log.parquet", max_bytes=10_000)


def test_a_wrong_parquet_column_is_an_error(tmp_path):
    write_log(loan_desk(5), tmp_path / "log.parquet")
    with pytest.raises(LogError, match="activty"):
        read_log(tmp_path / "log.parquet", activity="activty")


FRAMES = {"polars": pl.DataFrame, "pandas": pd.DataFrame, "pyarrow": pa.table}


def read_as(kind, events, **options):
    """Read rows that are written in this way by the simplest program."""
    if kind in FRAMES:
        return read_log(FRAMES[kind](to_columns(events)), **options)
    if kind == "parquet":
        file = io.BytesIO()
        pl.DataFrame(to_columns(events), schema_overrides={"org:resource": pl.String, "amount": pl.Int64}).write_parquet(file)
        return read_bytes(file.getvalue(), "log.parquet", **options)
    return read_bytes(to_csv(events) if kind == "csv" else to_xes(events), f"log.{kind}", **options)


@pytest.mark.parametrize("kind", ["xes", "csv", "parquet", *FRAMES])
@examples(20)
@given(events=rows, lifecycle=st.sampled_from(["ignore", "complete", "append"]), order=st.sampled_from(["file", "time"]))
def test_attributes_belong_to_their_events_in_every_format(kind, events, lifecycle, order):
    if kind == "pandas":  # which holds whole numbers with gaps as floats, exact up to 2**53
        events = [{**event, "amount": event["amount"] and event["amount"] % 2**53} for event in events]
    expected = read_naively(events, lifecycle, order)
    if not expected or (kind == "xes" and not all(any(event[name] is not None for event in events) for name in NAMES)):
        with pytest.raises(LogError, match=r"no event whose transition|has no event attribute"):
            read_as(kind, events, lifecycle=lifecycle, order=order, attributes=["org:resource", "amount"])
        return
    log = read_as(kind, events, lifecycle=lifecycle, order=order, attributes=["org:resource", "amount"])
    assert as_rows(log) == expected
    people = read_as(kind, events, lifecycle=lifecycle, order=order, attributes="people")
    assert people.attributes == log.people()
    assert people.reading.attributes == ("org:resource",)
    assert read_as(kind, events, lifecycle=lifecycle, order=order) == people
    assert read_as(kind, events, lifecycle=lifecycle, order=order, attributes=None).attributes == {}


LATE, EARLY = "9999-12-31T23:00:00-11:00", "0001-01-01T00:00:00+14:00"


@pytest.mark.parametrize("time", [LATE, EARLY])
@pytest.mark.parametrize("layout", [None, "%Y-%m-%dT%H:%M:%S%:z"])
def test_a_timestamp_whose_zone_leaves_the_years_1_to_9999_is_refused_in_columns(time, layout, tmp_path):
    frame = pl.DataFrame({"case": ["1", "1"], "activity": ["a", "b"], "time": ["2024-01-01T00:00:00+00:00", time]})
    (tmp_path / "log.csv").write_text(frame.write_csv())
    frame.write_parquet(tmp_path / "log.parquet")
    for source, name in [
        (tmp_path / "log.csv", r"log\.csv"),
        (tmp_path / "log.parquet", r"log\.parquet"),
        (frame, "the DataFrame"),
    ]:
        words = rf"{name}, row 2: the timestamp '{re.escape(time)}' \(column 'time'\) is outside the years 1 to 9999 in UTC"
        with pytest.raises(LogError, match=words):
            read_log(source, timestamp_format=layout)


@pytest.mark.parametrize("time", [LATE, EARLY])
def test_a_timestamp_whose_zone_leaves_the_years_1_to_9999_is_refused_in_xes(time):
    for value in (f'"{time}"', f"'{time}'", f'" {time} "'):
        event = f'<event><string key="concept:name" value="a"/><date key="time:timestamp" value={value}/></event>'
        words = rf"has the date '{re.escape(time)}' in the middle of trace 1, which is outside the years 1 to 9999 in UTC"
        with pytest.raises(LogError, match=words):
            read_bytes(f"<log><trace>{event}</trace></log>".encode(), "log.xes")
