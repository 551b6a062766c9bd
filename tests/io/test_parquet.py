"""Reading Parquet: every row, or one sentence."""

import itertools
import os
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from actalike import EventLog, LogError, read_log, write_log
from actalike.io import parquet
from tests.attacks import parquet_files
from tests.helpers.commands import fails

TWO = {"case": pa.array(["1", "1"]), "activity": pa.array(["a", "b"])}


def written(folder, **columns):
    pq.write_table(pa.table({**TWO, **columns}), folder / "log.parquet")
    return folder / "log.parquet"


def times(*values, unit="us", zone=None):
    return pa.array([0, *values], pa.timestamp(unit, zone))


def with_other_number_of_rows(path, number):
    """Change what the footer of a file with 2,000 rows says of their number."""
    before, after = (bytes([2 * rows & 127 | 128, 2 * rows >> 7]) for rows in (2000, number))
    content = path.read_bytes()
    assert content.count(before, -500) == 1
    path.write_bytes(content[:-500] + content[-500:].replace(before, after))


def test_mutants_are_read_as_they_are_or_refused(tmp_path):
    """A short run of the attack; make attack is a long one."""
    outcomes = list(itertools.islice(parquet_files.attempts(Random(15), tmp_path), 150))
    assert [outcome.detail for outcome in outcomes if outcome.verdict == "wrong"] == []
    assert {outcome.verdict for outcome in outcomes} >= {"same", "refused"}


def test_a_file_cut_off_anywhere_is_refused(tmp_path):
    path = written(tmp_path)
    for end in reversed(range(path.stat().st_size)):
        os.truncate(path, end)
        with pytest.raises(LogError, match="Parquet"):
            read_log(path)


@pytest.mark.parametrize("number", [1999, 2001, 8000])
def test_other_rows_than_the_footer_says_are_refused(tmp_path, number):
    path = tmp_path / "log.parquet"
    table = pa.table({"case": [str(row) for row in range(2000)], "activity": ["a"] * 2000})
    pq.write_table(table, path, row_group_size=1000, write_statistics=False, store_schema=False)
    assert read_log(path).n_events == 2000
    with_other_number_of_rows(path, number)
    with pytest.raises(LogError, match="rows"):
        read_log(path)


def test_more_rows_than_fit_into_memory_are_refused_before_they_are_read(tmp_path):
    path = tmp_path / "log.parquet"
    pq.write_table(pa.table({"case": ["1"] * 100_000, "activity": ["a"] * 100_000}), path)
    with pytest.raises(LogError, match="100,000 rows"):
        read_log(path, max_bytes=1_000_000)
    assert read_log(path, max_bytes=3_000_000).n_events == 100_000


def test_a_panic_is_one_line_of_the_command(tmp_path, monkeypatch):
    def panic(path):
        raise pl.exceptions.PanicException("index out of bounds")

    path = tmp_path / "log.parquet"
    write_log(EventLog.from_traces([["a", "b"]]), path)
    monkeypatch.setattr(parquet, "_scan", panic)
    assert f"{path} cannot be read as Parquet (index out of bounds): it is damaged" in fails("similar", path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_or_a_device_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.parquet")
    (tmp_path / "device.parquet").symlink_to("/dev/zero")
    for name in ("pipe.parquet", "device.parquet"):
        with pytest.raises(LogError, match="pipe or a device"):
            read_log(tmp_path / name)


@pytest.mark.parametrize("zone", ["Mars/Phobos", "+05:30", "-0530", "Europe/Berlin", "UTC"])
def test_timestamps_of_any_zone_are_read_in_utc_without_a_word(tmp_path, zone, capfd):
    moment = datetime(2024, 7, 1, 12, tzinfo=UTC)
    nested = pa.array([[0], [1]], pa.list_(pa.timestamp("ms", zone)))
    path = written(tmp_path, time=times(int(moment.timestamp() * 1e6), zone=zone), nested=nested)
    assert read_log(path).timestamps.tolist() == [datetime(1970, 1, 1), datetime(2024, 7, 1, 12)]
    assert capfd.readouterr().err == ""


def test_a_zone_that_is_not_recognised_as_one_is_read_too(tmp_path):
    path = written(tmp_path, time=times(60_000_000, zone="Z"))
    assert read_log(path).timestamps.tolist() == [datetime(1970, 1, 1), datetime(1970, 1, 1, 0, 1)]


READ_WHILE_OTHERS_WRITE = """
import os, subprocess, sys, threading
import actalike
done, written = threading.Event(), [0, 0]
def write_lines():
    while not done.is_set():
        written[0] += os.write(2, b"line\\n") // 5
def start_children():
    while not done.is_set():
        subprocess.run([sys.executable, "-S", "-c", "import os; os.write(2, b'child\\\\n')"], check=True)
        written[1] += 1
threads = [threading.Thread(target=work, daemon=True) for work in (write_lines, start_children)]
for thread in threads:
    thread.start()
while written[1] < 20:
    actalike.read_log(sys.argv[1])
done.set()
for thread in threads:
    thread.join()
print(*written)
"""


def test_reading_leaves_standard_error_to_other_threads_and_child_processes(tmp_path):
    path = written(tmp_path, time=times(60, zone="+05:30"))
    errors = tmp_path / "errors.txt"
    with errors.open("wb") as file:
        done = subprocess.run(
            [sys.executable, "-c", READ_WHILE_OTHERS_WRITE, path], stdout=subprocess.PIPE, stderr=file, text=True, check=True
        )
    n_lines, n_children = map(int, done.stdout.split())
    assert Counter(errors.read_text().splitlines()) == {"line": n_lines, "child": n_children}


@pytest.mark.parametrize("unit", ["ms", "us"])
@pytest.mark.parametrize("value", [2**60, 2**63 - 1, -(2**63), 1 - 2**63])
def test_timestamps_beyond_the_calendar_are_refused(tmp_path, unit, value, capfd):
    with pytest.raises(LogError, match="time"):
        read_log(written(tmp_path, time=times(value, unit=unit)))
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (times(-1, unit="ns"), timedelta(microseconds=-1)),
        (times(2**63 - 1, unit="ns"), timedelta(microseconds=(2**63 - 1) // 1000)),
        (times(-7, unit="ms"), timedelta(milliseconds=-7)),
        (times(253_402_300_799_999_999), timedelta(microseconds=253_402_300_799_999_999)),
        (times(-62_135_596_800_000_000), timedelta(microseconds=-62_135_596_800_000_000)),
        (pa.array([0, 20_000], pa.date32()), timedelta(days=20_000)),
        (pa.array([0, 86_400_000], pa.date64()), timedelta(days=1)),
        (pa.array(["1970-01-01", "1970-01-02"]), timedelta(days=1)),
        (pa.array(["1970-01-01", "1970-01-02"]).dictionary_encode(), timedelta(days=1)),
    ],
)
def test_times_are_read_to_the_microsecond(tmp_path, column, expected):
    path = written(tmp_path, time=column)
    second = read_log(path, order="file").timestamps[1].astype(np.int64)
    assert second == expected // timedelta(microseconds=1)


@pytest.mark.parametrize(
    "column",
    [
        pa.array([0, 2**31 - 1], pa.date32()), pa.array([0, 5], pa.duration("us")), pa.array([0, 5], pa.time64("us")),
        pa.array([0, 5], pa.time32("ms")), pa.array([0.5, 1.5]), pa.array([True, False]), pa.array([Decimal("1.5")] * 2),
        pa.array([b"2024-01-01"] * 2), pa.array([{"x": 1}] * 2), pa.nulls(2), pa.array([1, 2]),
    ],
    ids=lambda column: str(column.type),
)  # fmt: skip
def test_what_is_no_time_is_refused_by_its_type(tmp_path, column, capfd):
    with pytest.raises(
        LogError, match=r"log\.parquet.*(neither a date nor a string|outside the years|has no timestamp|no event)"
    ):
        read_log(written(tmp_path, time=column))
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("column", "labels"),
    [
        (pa.array(["a", "b"], pa.large_string()), ["a", "b"]),
        (pa.array(["a", "b"], pa.string_view()), ["a", "b"]),
        (pa.array(["a", "b"]).dictionary_encode(), ["a", "b"]),
        (pa.array([7, 8], pa.uint64()), ["7", "8"]),
        (pa.array([True, False]), ["true", "false"]),
        (pa.array([Decimal("1.50"), Decimal(2)]), ["1.50", "2.00"]),
        (pa.array([0, 1], pa.date32()), ["1970-01-01", "1970-01-02"]),
        (pa.array([0, 2**31 - 1], pa.date32()), None),
        (pa.array([0, 2**62], pa.timestamp("ms")), None),
        (pa.array([0, 1], pa.time64("us")), None),
        (pa.array([0, 1], pa.duration("us")), None),
        (pa.array([1.5, 2.5]), None),
        (pa.array(np.array([1, 2], dtype=np.float16)), None),
        (pa.array([b"a", b"b"]), None),
        (pa.array([b"ab", b"cd"], pa.binary(2)), None),
        (pa.array([["a"], ["b"]]), None),
        (pa.array([[("a", 1)]] * 2, pa.map_(pa.string(), pa.int64())), None),
        (pa.ExtensionArray.from_storage(pa.json_(), pa.array(["1", "2"])), None),
        (pa.array([Decimal("1.50"), Decimal(2)], pa.decimal256(60, 2)), None),
        (pa.nulls(2), None),
    ],
    ids=lambda value: str(getattr(value, "type", "")),
)
def test_labels_of_any_type_are_texts_or_refused(tmp_path, column, labels, capfd):
    path = written(tmp_path, activity=column)
    if labels is None:
        with pytest.raises(LogError, match=r"log\.parquet.*(cannot be a label|is empty here|not supported|no event)"):
            read_log(path)
    else:
        assert read_log(path).traces() == [labels]
    assert capfd.readouterr().err == ""


def test_files_without_rows_or_columns_or_with_a_name_twice_are_refused(tmp_path):
    path = tmp_path / "log.parquet"
    pq.write_table(pa.table(TWO).slice(0, 0), path)
    with pytest.raises(LogError, match="is empty"):
        read_log(path)
    pq.write_table(pa.table({}), path)
    with pytest.raises(LogError, match="recognised"):
        read_log(path)
    pq.write_table(pa.Table.from_arrays([*TWO.values(), TWO["case"]], names=["case", "activity", "activity"]), path)
    with pytest.raises(LogError, match="activity"):
        read_log(path)


def test_files_that_are_not_parquet_or_are_called_otherwise_are_refused(tmp_path):
    for content in (b"", b"case,activity\n1,a\n", b"PAR1PAR1", b"PAR1" + bytes(100) + b"PAR1", b"PARE" + bytes(100) + b"PARE"):
        (tmp_path / "log.parquet").write_bytes(content)
        with pytest.raises(LogError, match="Parquet"):
            read_log(tmp_path / "log.parquet")
    written(tmp_path).rename(tmp_path / "log.xes")
    with pytest.raises(LogError, match=r"log\.xes"):
        read_log(tmp_path / "log.xes")
    (tmp_path / "folder.parquet").mkdir()
    with pytest.raises(LogError, match="is a folder"):
        read_log(tmp_path / "folder.parquet")


def test_thousands_of_columns_and_empty_groups_and_names_like_patterns_are_read(tmp_path):
    path = tmp_path / "log.parquet"
    pq.write_table(pa.table(TWO | {f"x{number}": pa.array([1, 2]) for number in range(2000)}), path)
    assert read_log(path).traces() == [["a", "b"]]
    with pq.ParquetWriter(path, pa.table(TWO).schema) as writer:
        for rows in (0, 2, 0, 1):
            writer.write_table(pa.table(TWO).slice(0, rows))
    assert read_log(path).traces() == [["a", "b", "a"]]
    pl.DataFrame({"^.*$": ["1"], "activity": ["a"], "other": ["b"]}).write_parquet(path)
    assert read_log(path, case="^.*$").case_ids == ["1"]
