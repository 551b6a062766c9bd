"""Engines count the events of CSV files that are read in memory, and refuse what is refused there."""

import random
import re
import signal
import subprocess
import sys
import time
from itertools import islice

import polars as pl
import pytest

from actalike import ActalikeError, EventLog, LogError, count_windows, load, read_log, write_log
from actalike.counting import CsvOptions, csv_files, read_csv_events
from actalike.counting.engines import frames
from tests.attacks import csv_files as attack
from tests.helpers.commands import fails, ok
from tests.helpers.csv_rules import REFUSED, SOUND


def counted(source, spill=None, window=3, **options):
    files = csv_files(str(source))
    return count_windows(read_csv_events(str(source), files, CsvOptions(**options), spill=spill), window)


def as_engine_options(rule):
    order = rule.options.get("order")
    return {"case": "case", "activity": "activity", **rule.options, "order": None if order is None else [order]}


def expected(traces):
    return count_windows(EventLog.from_traces(list(traces.values())), 3)


@pytest.fixture
def log_of(tmp_path):
    def write(content, name="log.csv"):
        (tmp_path / name).write_bytes(content)
        return tmp_path / name

    return write


@pytest.mark.parametrize("rule", SOUND, ids=lambda rule: rule.name)
def test_a_rule_of_csv_holds_in_duckdb(rule, log_of):
    assert counted(log_of(rule.content), **as_engine_options(rule)) == expected(rule.means)


@pytest.mark.parametrize("rule", REFUSED, ids=lambda rule: rule.name)
def test_what_is_not_certain_is_refused_for_engines(rule, log_of):
    with pytest.raises(ActalikeError, match=re.escape(rule.means)) as caught:
        counted(log_of(rule.content), **as_engine_options(rule))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("engine", ["duckdb", "spark"])
def test_with_any_engine_csv_is_read_here(engine, log_of, tmp_path):
    path = log_of(b"case,activity\n1,a\n1,b\n")
    ok("count", path, "--engine", engine, "-w", 3, "-o", tmp_path / "counts.actalike")
    assert load(tmp_path / "counts.actalike") == expected({"1": ["a", "b"]})


def test_a_cluster_does_not_get_csv(log_of, tmp_path):
    path = log_of(b"case,activity\n1,a\n")
    said = fails("count", path, "--engine", "spark", "--master", "spark://host:7077", "-o", tmp_path / "counts.actalike")
    assert "Store" in said


def test_nasty_files_are_counted_and_relabelled_as_they_are_read(tmp_path):
    outcomes = list(islice(attack.attempts(random.Random(15), tmp_path), 60))
    assert [outcome.detail for outcome in outcomes if outcome.verdict == "wrong"] == []
    assert {"same", "refused"} <= {outcome.verdict for outcome in outcomes}


def test_events_are_sorted_by_one_timestamp(log_of):
    path = log_of(b"case,activity,at,n\n1,b,2024-01-02,1\n1,a,2024-01-01,2\n")
    assert counted(path, order=["at"]) == expected({"1": ["a", "b"]})
    with pytest.raises(ActalikeError, match="Parquet"):
        counted(path, order=["at", "n"])
    with pytest.raises(LogError, match="mean 'at'"):
        counted(path, order=["att"])


def test_several_files_are_one_log(tmp_path):
    (tmp_path / "a.csv").write_text("case,activity,timestamp\n1,a,2024-01-01\n1,a2,2024-01-01\n1,c,2024-01-03\n")
    (tmp_path / "b.csv").write_text("sep=;\nactivity;timestamp;case\nb;2024-01-02;1\nx;2024-01-01;2\n")
    assert counted(tmp_path / "*.csv") == expected({"1": ["a", "a2", "b", "c"], "2": ["x"]})
    (tmp_path / "c.csv").write_text("case,activity,timestamp\n2,y,2024-01-01\n")
    with pytest.raises(LogError, match="same time"):
        counted(tmp_path / "*.csv")
    (tmp_path / "c.csv").write_text("case,activity,when\n2,y,2024-01-01\n")
    with pytest.raises(LogError, match="timestamp"):
        counted(tmp_path / "*.csv")


def test_times_that_differ_by_nanoseconds_are_no_ties(tmp_path):
    for name, row in {"a.csv": "1,b,2024-01-01T00:00:00.000000002\n", "b.csv": "1,a,2024-01-01T00:00:00.000000001\n"}.items():
        (tmp_path / name).write_text(f"case,activity,timestamp\n{row}")
    assert counted(tmp_path / "*.csv") == expected({"1": ["a", "b"]})
    assert read_log(tmp_path, cases="joined").traces() == [["a", "b"]]


def test_files_without_times_must_not_share_a_case(tmp_path):
    (tmp_path / "a.csv").write_text("case,activity\n1,a\n1,b\n")
    (tmp_path / "b.csv").write_text("case,activity\n2,a\n2,b\n")
    assert counted(tmp_path / "*.csv") == expected({"1": ["a", "b"], "2": ["a", "b"]})
    (tmp_path / "b.csv").write_text("case,activity\n1,a\n2,b\n")
    with pytest.raises(LogError, match="several"):
        counted(tmp_path / "*.csv")


def test_a_real_log_is_counted_as_it_is_read(real_log, tmp_path, monkeypatch):
    monkeypatch.setattr(frames, "AT_ONCE", 5000)
    write_log(real_log("Helpdesk"), tmp_path / "log.csv.gz")
    assert counted(tmp_path / "log.csv.gz") == count_windows(read_log(tmp_path / "log.csv.gz"), 3)


def test_a_full_disk_is_told_and_leaves_nothing(log_of, tmp_path, monkeypatch):
    def write_ipc(*_, **__):
        raise OSError(28, "No space left on device")

    (tmp_path / "spill").mkdir()
    monkeypatch.setattr(pl.DataFrame, "write_ipc", write_ipc)
    monkeypatch.setattr(frames, "AT_ONCE", 1)
    with pytest.raises(ActalikeError, match="spill"):
        counted(log_of(b"case,activity\n1,a\n2,a\n"), tmp_path / "spill")
    assert list((tmp_path / "spill").iterdir()) == []


@pytest.mark.campaign
def test_ctrl_c_while_csv_is_read_leaves_nothing_behind(tmp_path):
    rows = b"".join(b"%050d,a,2024-01-01T10:00:00\n" % case for case in range(300_000))
    (tmp_path / "log.csv").write_bytes(b"case,activity,timestamp\n" + rows * 20)
    (tmp_path / "spill").mkdir()
    command = [sys.executable, "-m", "actalike", "similar", tmp_path / "log.csv", "--method", "kin", "--engine", "duckdb",
               "--spill", tmp_path / "spill"]  # fmt: skip
    process = subprocess.Popen(list(map(str, command)), stderr=subprocess.PIPE, text=True)
    while not list((tmp_path / "spill").glob("*/*")) and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert list((tmp_path / "spill").iterdir()) == []
