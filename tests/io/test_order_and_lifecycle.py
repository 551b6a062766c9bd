"""From events as they were read to a log: lifecycle, order, cases together."""

import numpy as np
import polars as pl
import pytest

from actalike import EventLog, LogError, count_windows, read_log
from tests.helpers.engine_frames import make_frame
from tests.helpers.reading import read_bytes
from tests.helpers.xes_documents import GOOD, document


@pytest.mark.parametrize(
    ("name", "append"), [("BPIC12", 36), ("BPIC12_W", 19), ("BPIC13_open_problems", 5), ("CCC19", 58), ("Helpdesk", 14)]
)
def test_lifecycle_options_on_real_logs(log_file, name, append):
    assert len(read_log(log_file(name), lifecycle="append").activities) == append


def test_keeping_complete_events_gives_the_complete_log(log_file):
    kept = read_log(log_file("BPIC12_W"), lifecycle="complete")
    published = read_log(log_file("BPIC12_W_Complete"))
    assert kept.n_events == published.n_events == 72413
    assert sorted(kept.traces()) == sorted(published.traces())


def test_events_keep_the_files_order_unless_told_otherwise():
    text = document(("1", [("b", "2024-01-02T00:00:00Z"), ("a", "2024-01-01T00:00:00Z"), ("c", "2024-01-01T00:00:00+00:00")]))
    assert read_bytes(text, "log.xes").traces() == [["b", "a", "c"]]
    by_time = read_bytes(text, "log.xes", order="time")
    assert by_time.traces() == [["a", "c", "b"]]  # the tie in file order
    assert by_time.timestamps.tolist() == sorted(by_time.timestamps.tolist())


NANOSECONDS = pl.DataFrame(
    {"case": [1] * 5, "activity": list("cabed"), "time": pl.Series([900, 100, 500, 2000, 1500], dtype=pl.Datetime("ns"))}
)
TEXTS = [f"1970-01-01T00:00:00.{time:09}" for time in (900, 100, 500, 2000, 1500)]


@pytest.mark.parametrize("engine", ["polars", "polars-lazy", "pandas", "pandas-arrow", "pyarrow", "duckdb"])
def test_times_below_a_microsecond_order_the_events_of_frames(engine):
    in_order = EventLog.from_traces([["a", "b", "c", "d", "e"]])
    frame = make_frame(engine, NANOSECONDS)
    assert read_log(frame).traces() == in_order.traces()
    assert count_windows(frame, 3, order="time") == count_windows(in_order, 3)


@pytest.mark.parametrize(
    ("texts", "layout"),
    [
        (TEXTS, None), (TEXTS, "%Y-%m-%dT%H:%M:%S.%f"), ([f"{text}+0200" for text in TEXTS], "%Y-%m-%dT%H:%M:%S.%f%z"),
        ([text.removeprefix("1970-01-01T00:00:0") for text in TEXTS], "%s"),
        ([f"0.{text[-6:]}" for text in TEXTS], "%Q"),
    ],
)  # fmt: skip
def test_times_below_a_microsecond_order_the_events_of_files(texts, layout, tmp_path):
    events = NANOSECONDS.with_columns(time=pl.Series(texts))
    events.write_csv(tmp_path / "log.csv")
    events.write_parquet(tmp_path / "log.parquet")
    logs = [read_log(tmp_path / name, timestamp_format=layout) for name in ("log.csv", "log.parquet")]
    if layout is None:
        named = zip(NANOSECONDS["activity"], texts, strict=True)
        logs.append(read_bytes(document(("1", list(named))), "log.xes", order="time"))
        NANOSECONDS.write_parquet(tmp_path / "log.parquet")
        logs.append(read_log(tmp_path / "log.parquet"))
    for log in logs:
        assert log.traces() == [["a", "b", "c", "d", "e"]]
        assert (log.timestamps - log.timestamps[0]).astype(int).tolist() == [0, 0, 0, 1, 2]


def test_missing_timestamps_are_an_error_only_where_they_are_needed():
    text = GOOD.replace(b'<date key="time:timestamp" value="2024-01-02T00:00:00Z"/>', b"")
    log = read_bytes(text, "log.xes")
    assert np.isnat(log.timestamps).tolist() == [False, True, False]
    with pytest.raises(LogError, match="no timestamp"):
        read_bytes(text, "log.xes", order="time")
    with pytest.raises(LogError, match="timestamps"):
        read_bytes(GOOD.replace(b"time:timestamp", b"other"), "log.xes", order="time")


def test_missing_transitions_are_an_error_only_where_they_are_needed():
    none = GOOD.replace(b"lifecycle:transition", b"other")
    some = GOOD.replace(b"lifecycle:transition", b"other", 1)
    assert read_bytes(none, "log.xes").n_events == 3
    with pytest.raises(LogError, match="transitions"):
        read_bytes(none, "log.xes", lifecycle="complete")
    with pytest.raises(LogError, match="lifecycle"):
        read_bytes(some, "log.xes", lifecycle="append")
    started = GOOD.replace(b'"complete"', b'"start"')
    with pytest.raises(LogError, match="complete"):
        read_bytes(started, "log.xes", lifecycle="complete")
