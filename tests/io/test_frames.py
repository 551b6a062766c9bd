import subprocess
import sys
from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, LogError, read_log
from tests.helpers.strategies import any_text

ENGINES = {
    "polars": pl.DataFrame,
    "polars-lazy": pl.LazyFrame,
    "pandas": pd.DataFrame,
    "pandas-pyarrow": lambda data: pa.table(data).to_pandas(types_mapper=pd.ArrowDtype),
    "pyarrow": pa.table,
}


@pytest.fixture(params=ENGINES, ids=str)
def frame(request):
    return ENGINES[request.param]


moments = st.datetimes(min_value=datetime(1990, 1, 1), max_value=datetime(2100, 1, 1))
events = st.lists(st.tuples(st.sampled_from(["1", "2", "NA"]), any_text, moments), min_size=1, max_size=15)


@pytest.mark.parametrize("engine", ENGINES)
@given(given_events=events)
def test_all_frames_give_the_same_log(engine, given_events):
    frame = ENGINES[engine]
    data = {
        "case:concept:name": [case for case, _, _ in given_events],
        "concept:name": [label for _, label, _ in given_events],
        "time:timestamp": [moment.replace(tzinfo=UTC) for _, _, moment in given_events],
    }
    cases = list(dict.fromkeys(data["case:concept:name"]))
    expected = [[label for c, label, _ in sorted(given_events, key=lambda event: event[2]) if c == case] for case in cases]
    log = read_log(frame(data))
    assert log.case_ids == cases
    assert log.traces() == expected
    in_order = read_log(frame(data), order="file")
    assert sorted(in_order.timestamps.tolist()) == sorted(moment for _, _, moment in given_events)


def test_numbers_are_labels_too(frame):
    log = read_log(frame({"case": [10, 10, 9], "activity": [1, 2, 1]}))
    assert (log.case_ids, log.traces()) == (["10", "9"], [["1", "2"], ["1"]])
    assert log.timestamps is None


def test_timestamps_may_be_texts_or_without_zone(frame):
    for times in (["2024-01-02T00:00:00Z", "2024-01-01T00:00:00Z"], [datetime(2024, 1, 2), datetime(2024, 1, 1)]):
        log = read_log(frame({"case": ["1", "1"], "activity": ["b", "a"], "time": times}))
        assert log.traces() == [["a", "b"]]
        assert log.timestamps.tolist() == [datetime(2024, 1, 1), datetime(2024, 1, 2)]


def test_categories_are_texts():
    data = {"case": ["1", "1"], "activity": ["b", "a"]}
    assert read_log(pd.DataFrame(data).astype("category")).traces() == [["b", "a"]]
    assert read_log(pl.DataFrame(data).cast(pl.Categorical)).traces() == [["b", "a"]]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"case": ["1", None], "activity": ["a", "b"]}, r"row 2: the case \(column 'case'\) is missing"),
        ({"case": ["1", "1"], "activity": ["a", None]}, r"row 2: the activity \(column 'activity'\) is missing"),
        ({"case": ["1"], "activity": ["a"], "time": ["soon"]}, "row 1: 'soon' is not a timestamp"),
        ({"case": ["1", "1"], "activity": ["a", "b"], "time": [datetime(2024, 1, 1), None]}, "row 2 has no timestamp"),
        (
            {"case": ["1"], "activity": ["a"], "time": [17]},
            "type Int64, neither a date nor a text|'17' is not a timestamp",
        ),
        ({"id": ["1"], "activity": ["a"]}, "no column is recognised as the case"),
        ({"case": [], "activity": []}, "no rows"),
    ],
)
def test_a_bad_frame_is_one_clear_error(frame, data, message):
    with pytest.raises(LogError, match=message):
        read_log(frame(data))


def test_what_is_no_frame_is_an_error():
    with pytest.raises(LogError, match=r"from_traces"):
        read_log([["a", "b"]])


def test_pm4py_shaped_frames_need_nothing_more():
    """pm4py's frames are pandas frames with these columns; its own extra is not needed to read them."""
    frame = pd.DataFrame(
        {
            "case:concept:name": ["1", "1"],
            "concept:name": ["a", "b"],
            "time:timestamp": pd.to_datetime(["2024-01-02", "2024-01-01"], utc=True),
            "@@index": [0, 1],
        }
    )
    assert read_log(frame).traces() == [["b", "a"]]


def test_pandas_is_read_without_pyarrow():
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import pandas as pd, actalike\n"
        "frame = pd.DataFrame({'case': ['1', '1'], 'activity': ['b', 'a'], 'time': pd.to_datetime(['2024-01-02', '2024-01-01'])})\n"
        "print(actalike.read_log(frame).traces())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[['a', 'b']]", done.stderr


def test_a_log_through_every_frame_is_the_same(real_log, frame):
    log = real_log("BPIC13_open_problems")
    cases = [case for case, n in zip(log.case_ids, log.lengths.tolist(), strict=True) for _ in range(n)]
    data = {
        "case": cases,
        "activity": [log.activities[c] for c in log.codes],
        "time": [t.replace(tzinfo=UTC) for t in log.timestamps.tolist()],
    }
    again = read_log(frame(data), order="file")
    assert isinstance(again, EventLog)
    assert again == log


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame([["1", "a", 1, 2]], columns=["case", "activity", "x", "x"]),
        pd.DataFrame([["1", "a"]]),
        pd.DataFrame({"case": [["1"]], "activity": ["a"]}),
        pd.DataFrame({"case": [1.0, 2.0], "activity": ["a", "b"]}),
        pl.DataFrame({"case": [["1"]], "activity": ["a"]}),
        pl.DataFrame({"case": [float("nan")], "activity": ["a"]}),
        pl.DataFrame({"case": [b"\xff"], "activity": ["a"]}),
        pl.DataFrame({"case": [{"x": 1}], "activity": ["a"]}),
        pa.table({"case": [["1"]], "activity": ["a"]}),
        pa.Table.from_arrays([pa.array(["1"]), pa.array(["a"]), pa.array(["b"])], names=["case", "activity", "activity"]),
    ],
    ids=str,
)  # fmt: skip
def test_columns_that_hold_no_labels_are_errors(frame):
    with pytest.raises(LogError):
        read_log(frame)


def test_what_holds_no_texts_is_refused_from_a_file_too(tmp_path):
    pl.DataFrame({"case": [["1"]], "activity": ["a"]}).write_parquet(tmp_path / "log.parquet")
    with pytest.raises(LogError, match="cannot be a label"):
        read_log(tmp_path / "log.parquet")


@pytest.mark.parametrize("unit", ["s", "ms", "us"])
@pytest.mark.parametrize("value", [2**60, 2**63 - 1, 1 - 2**63])
def test_times_beyond_the_calendar_are_refused_in_every_frame(unit, value, capfd):
    table = pa.table({"case": ["1", "1"], "activity": ["a", "b"], "time": pa.array([0, value], pa.timestamp(unit))})
    numbers = np.array([0, value]).view(f"datetime64[{unit}]")
    frames = [table, pd.DataFrame({"case": ["1", "1"], "activity": ["a", "b"], "time": numbers})]
    if unit != "s":
        frames.append(pl.from_arrow(table))
    for frame in frames:
        with pytest.raises(LogError, match=r"outside the years 1 to 9999|'time' of type .* cannot be read"):
            read_log(frame)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Berlin", "+05:30", "Mars/Phobos"])
@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_times_of_every_unit_and_zone_are_read_in_utc(unit, zone):
    seconds = 1_720_000_000
    factor = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    extra = 999 if unit == "ns" else 0  # digits beyond microseconds are cut off
    column = pa.array([0, seconds * factor + extra], pa.timestamp(unit, zone))
    log = read_log(pa.table({"case": ["1", "1"], "activity": ["a", "b"], "time": column}))
    assert log.timestamps.tolist() == [datetime(1970, 1, 1), datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)]


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([datetime(2024, 1, 1), datetime(2024, 1, 2, tzinfo=UTC)], dtype=object),
        pd.Series(["a", "\ud800"], dtype=object),
        pd.Series(["a", 10**5000], dtype=object),
        pd.Series([b"a", object()], dtype=object),
        pd.to_timedelta([0, 5], unit="s").to_series(index=[0, 1]),
    ],
    ids=["moments", "surrogate", "huge", "object", "duration"],
)
def test_an_odd_column_of_pandas_is_refused_with_words(column):
    for role in ("activity", "time"):
        frame = pd.DataFrame({"case": ["1", "1"], "activity": ["a", "b"]} | {role: column})
        if role == "activity" and column.dtype.kind == "m":
            continue  # a duration can be a label, though an odd one
        with pytest.raises(LogError, match="the DataFrame"):
            read_log(frame)


def test_durations_are_no_times_in_any_frame(frame):
    with pytest.raises(LogError, match=r"neither a date nor a text|is not a timestamp"):
        read_log(frame({"case": ["1", "1"], "activity": ["a", "b"], "time": [timedelta(1), timedelta(2)]}))


def test_a_lazy_frame_that_cannot_be_computed_is_refused(tmp_path, capfd):
    lazy = pl.LazyFrame({"case": ["1"], "activity": ["a"]})
    for frame in (lazy.with_columns(pl.col("nowhere")), lazy.with_columns(pl.col("activity").cast(pl.Int64))):
        with pytest.raises(LogError, match=r"the LazyFrame cannot be computed .*; nothing was read"):
            read_log(frame)
    assert capfd.readouterr().err == ""


def test_whole_numbers_are_times_if_the_layout_says_so():
    events = pl.DataFrame({"case": [1, 1], "activity": ["b", "a"], "time": [1704182401, 1704182400]})
    assert read_log(events, timestamp_format="%s").traces() == [["a", "b"]]
    assert read_log(events, timestamp_format="%Q").timestamps.tolist()[0] == datetime(1970, 1, 20, 17, 23, 2, 400000)


def test_whole_numbers_with_a_gap_are_told_by_the_row_of_the_gap():
    frame = pd.DataFrame({"case": [1, None, 2, None], "activity": ["a"] * 4})
    with pytest.raises(LogError, match=r"row 2: the value of the column 'case' is missing, as it is in 1 more row, .* Int64"):
        read_log(frame)
    with pytest.raises(LogError, match="holds values that cannot be labels"):
        read_log(pd.DataFrame({"case": [1.5, None], "activity": ["a"] * 2}))


def test_tables_of_a_database_have_no_order_of_rows():
    ibis = pytest.importorskip("ibis")
    table = ibis.table({"case": "int64", "activity": "string", "step": "int64"}, name="events")
    with pytest.raises(LogError, match=r"rows have no order: count_windows counts it where it is, or sort it and fetch it first"):
        read_log(table)
