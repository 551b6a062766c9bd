"""Frames of every library, and what functions take as a log, give the same log for the same values."""

import re
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from uuid import UUID

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import (
    ActalikeError,
    LogError,
    compare,
    count_windows,
    embed,
    group,
    predictor,
    read_log,
    same_step,
    write_report,
)
from actalike.demo.loan_desk import loan_desk
from actalike.io import as_log
from tests.helpers.engine_frames import make_frame
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
        ({"case": ["1", None], "activity": ["a", "b"]}, "case"),
        ({"case": ["1", "1"], "activity": ["a", None]}, "activity"),
        ({"case": ["1"], "activity": ["a"], "time": ["soon"]}, "soon"),
        ({"case": ["1", "1"], "activity": ["a", "b"], "time": [datetime(2024, 1, 1), None]}, "timestamp"),
        (
            {"case": ["1"], "activity": ["a"], "time": [17]},
            "type Int64, neither a date nor a string|'17' is not a timestamp",
        ),
        ({"id": ["1"], "activity": ["a"]}, "recognised"),
        ({"case": [], "activity": []}, "no rows"),
    ],
)
def test_a_bad_frame_is_one_clear_error(frame, data, message):
    with pytest.raises(LogError, match=message):
        read_log(frame(data))


def test_what_is_no_frame_is_an_error():
    with pytest.raises(LogError, match=r"from_traces"):
        read_log([["a", "b"]])


def test_pandas_is_read_without_pyarrow():
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import pandas as pd, actalike\n"
        "frame = pd.DataFrame({'case': ['1', '1'], 'activity': ['b', 'a'], 'time': pd.to_datetime(['2024-01-02', '2024-01-01'])})\n"
        "print(actalike.read_log(frame).traces())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[['a', 'b']]", done.stderr


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame([["1", "a", 1, 2]], columns=["case", "activity", "x", "x"]),
        pd.DataFrame([["1", "a"]]),
        pd.DataFrame({"case": [1.0, 2.0], "activity": ["a", "b"]}),
        pl.DataFrame({"case": [["1"]], "activity": ["a"]}),
        pl.DataFrame({"case": [b"\xff"], "activity": ["a"]}),
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
    with pytest.raises(LogError, match=r"neither a date nor a string|is not a timestamp"):
        read_log(frame({"case": ["1", "1"], "activity": ["a", "b"], "time": [timedelta(1), timedelta(2)]}))


def test_a_lazy_frame_that_cannot_be_computed_is_refused(tmp_path, capfd):
    lazy = pl.LazyFrame({"case": ["1"], "activity": ["a"]})
    for frame in (lazy.with_columns(pl.col("nowhere")), lazy.with_columns(pl.col("activity").cast(pl.Int64))):
        with pytest.raises(LogError, match="LazyFrame"):
            read_log(frame)
    assert capfd.readouterr().err == ""


def test_whole_numbers_are_times_if_the_layout_says_so():
    events = pl.DataFrame({"case": [1, 1], "activity": ["b", "a"], "time": [1704182401, 1704182400]})
    assert read_log(events, timestamp_format="%s").traces() == [["a", "b"]]
    assert read_log(events, timestamp_format="%Q").timestamps.tolist()[0] == datetime(1970, 1, 20, 17, 23, 2, 400000)


def test_tables_of_a_database_have_no_order_of_rows():
    ibis = pytest.importorskip("ibis")
    table = ibis.table({"case": "int64", "activity": "string", "step": "int64"}, name="events")
    with pytest.raises(LogError, match="fetch"):
        read_log(table)


ID = UUID("8c0f3c5a-1d2e-4b6f-9a70-112233445566")
LABELS = {  # values of a type, and their labels
    "booleans": ([True, False], ["true", "false"]),
    "dates": ([date(2024, 2, 29), date(1999, 12, 31)], ["2024-02-29", "1999-12-31"]),
    "decimals": ([Decimal("1.50"), Decimal("20.25")], ["1.50", "20.25"]),
    "integers": ([2**40, -7], ["1099511627776", "-7"]),
}


@pytest.mark.parametrize("values", LABELS)
def test_labels_and_ids_of_every_type_are_the_same_in_all_frames(frame, values):
    values, labels = LABELS[values]
    log = read_log(frame({"case": values, "activity": values}))
    assert (log.case_ids, log.traces()) == (labels, [[label] for label in labels])


def test_uuids_are_ids_from_every_library():
    duckdb = pytest.importorskip("duckdb")
    frames = [
        pd.DataFrame({"case": [ID], "activity": ["a"]}),
        pa.table({"case": pa.array([ID.bytes], pa.uuid()), "activity": ["a"]}),
        pa.table({"case": pa.array([ID.bytes], pa.uuid()), "activity": ["a"]}).to_pandas(types_mapper=pd.ArrowDtype),
        duckdb.sql(f"SELECT '{ID}'::UUID AS case, 'a' AS activity"),
    ]
    assert [read_log(frame).case_ids for frame in frames] == [[str(ID)]] * 4


@pytest.mark.parametrize(
    "pair", [(1, "1"), (True, "True"), (False, "false"), (date(2024, 1, 1), "2024-01-01"), (ID, str(ID))], ids=str
)
def test_two_values_that_would_be_one_label_are_an_error_that_names_both(pair):
    for role in ("case", "activity", "user"):
        data = pd.DataFrame(
            {"case": ["x", "y"], "activity": ["a", "b"], "user": ["u", "v"]} | {role: pd.Series(pair, dtype=object)}
        )
        for column in (data[role], data[role].astype("category")):
            with pytest.raises(LogError, match=re.escape(repr(pair[0]))) as caught:
                read_log(data.assign(**{role: column}), attributes=["user"])
            assert repr(pair[1]) in str(caught.value)


def test_ids_that_are_times_are_refused_instead_of_merged():
    nanoseconds = pl.Series([1, 2]).cast(pl.Datetime("ns"))
    for frame in (
        pl.DataFrame({"case": nanoseconds}),
        pa.table({"case": nanoseconds.to_arrow()}),
        pd.DataFrame({"case": nanoseconds.to_numpy()}),
    ):
        with pytest.raises(LogError, match="label"):
            read_log(nw.from_native(frame).with_columns(activity=nw.lit("a")).to_native())


def test_mixed_objects_keep_what_can_be_told_apart():
    frame = pd.DataFrame({"case": [1, 1, 1], "activity": pd.Series(["a", 7, None], dtype=object)})
    assert read_log(frame, missing="skip").traces() == [["a", "7"]]


def test_integers_with_a_gap_are_integers_in_pandas_too():
    frame = pd.DataFrame({"case": [1, None, 2], "activity": [10, 10, None]})
    assert read_log(frame, missing="skip").traces() == [["10"]]
    assert read_log(pd.DataFrame({"case": [1, 2], "activity": [10, None]}), missing="label").traces() == [
        ["10"],
        ["(no activity)"],
    ]


def test_extension_types_of_pandas_are_read():
    data = pd.DataFrame({"case": [1, 2], "activity": ["a", "b"], "user": [1.5, None]})
    for kinds in ({"case": "Int64", "activity": "string"}, {"case": "category", "activity": "category"}):
        log = read_log(data.astype(kinds), attributes=["user"])
        assert (log.case_ids, log.traces(), log.attributes["user"].texts()) == (["1", "2"], [["a"], ["b"]], ["1.5", None])


KINDS = ("polars", "pandas", "pyarrow")


def test_every_kind_of_frame_gives_what_its_log_gives(tmp_path):
    log = read_log(loan_desk(20).to_frame(), attributes="people")
    groups, vectors = group(log), embed(log).vectors
    for kind in KINDS:
        frame = log.to_frame(kind)
        assert group(frame) == groups
        assert (embed(frame).vectors == vectors).all()
        assert compare(frame, *log.activities[:2]).to_dict() == compare(log, *log.activities[:2]).to_dict()
        assert (same_step(frame).probabilities() == same_step(log).probabilities()).all()
    written = write_report(log.to_frame("pandas"), tmp_path / "report.html")
    assert (written.activities, written.synonyms) == (len(log.activities), sum(one.relation == "synonyms" for one in groups))


def test_lazy_frames_are_read_and_a_relation_if_it_is_asked_for():
    events = pl.DataFrame({"case": ["1", "1"], "activity": ["a", "b"]})
    assert as_log(events.lazy(), "embed").traces() == [["a", "b"]]
    assert read_log(duckdb.sql("select '1' as 'case', 'a' as activity")).traces() == [["a"]]


@pytest.mark.parametrize(
    ("engine", "fetch"), [("duckdb", r"\.pl\(\)"), ("ibis-duckdb", r"\.to_polars\(\)"), ("spark", r"\.toPandas\(\)")]
)
def test_events_of_an_engine_are_counted_there_and_fetched_by_nobody_but_the_user(engine, fetch, tmp_path):
    log = loan_desk(20)
    frame = log.to_frame().select("case", "activity", pl.int_range(pl.len()).alias("timestamp"))
    events = make_frame(engine, frame)
    assert (embed(events).distances() == embed(count_windows(frame, 5, order="timestamp")).distances()).all()
    for use in (
        lambda: compare(events, *log.activities[:2]),
        lambda: predictor(events),
    ):
        with pytest.raises(LogError, match=fetch):
            use()
    with pytest.raises(ActalikeError, match="cases"):
        embed(events, "process-structure")
    with pytest.raises(LogError, match="count_windows"):
        embed(make_frame(engine, frame.rename({"case": "order"})))


def test_an_error_says_where_options_of_reading_go():
    with pytest.raises(LogError, match="recognised"):
        embed(pl.DataFrame({"order": [1], "activity": ["a"]}))
    with pytest.raises(ActalikeError, match="frame"):
        group("orders.csv")


def dictionaries(values, kind):
    """Return a column of pyarrow in two chunks, each with a dictionary of its own."""
    return pa.chunked_array([pa.array(part, kind).dictionary_encode() for part in (values[:1], values[1:])])


@pytest.mark.parametrize(
    ("values", "kind", "texts"),
    [
        ([1.0, 2.5, None], pa.float16(), ["1", "2.5", None]),
        ([1, 2, 1], pa.int8(), ["1", "2", "1"]),
        ([date(2024, 2, 29), None, date(2024, 1, 1)], pa.date64(), ["2024-02-29", None, "2024-01-01"]),
        (["x", "y", "x"], pa.large_string(), ["x", "y", "x"]),
        (
            [5, None, 3],
            pa.timestamp("us", "+05:30"),
            [f"1970-01-01T00:00:00.00000{n}+00:00" if n else None for n in (5, None, 3)],
        ),
    ],
)
def test_dictionaries_of_pyarrow_hold_what_their_values_are(values, kind, texts):
    table = pa.table({"case": ["1"] * 3, "activity": list("abc"), "x": dictionaries(values, kind)})
    assert read_log(table, attributes=["x"]).attributes["x"].texts() == texts


def test_timestamps_may_be_categories():
    days = ["2024-01-03", "2024-01-01", "2024-01-02"]
    frame = pl.DataFrame({"case": ["1"] * 3, "activity": list("abc"), "time": pl.Series(days, dtype=pl.Categorical)})
    table = pa.table({"case": ["1"] * 3, "activity": list("abc"), "time": dictionaries(days, pa.string())})
    zoned = table.set_column(2, "time", dictionaries([3, 1, 2], pa.timestamp("ns", "+05:30")))
    for each in (frame, frame.to_pandas(), table, zoned):
        assert read_log(each).traces() == [["b", "c", "a"]]


def test_a_type_that_polars_does_not_have_is_an_error_only_if_it_is_read():
    table = pa.table({"case": ["1"], "activity": ["a"], "cost": pa.array([Decimal(1)], pa.decimal256(40, 3))})
    assert read_log(table).traces() == [["a"]]
    with pytest.raises(LogError, match="'cost'"):
        read_log(table, attributes=["cost"])
