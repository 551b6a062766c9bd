"""The commands that count with DuckDB and Spark."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import polars as pl
import pytest

import actalike
from actalike import EngineError, count_windows, write_log
from actalike.counting import EngineLimits, spark_events
from actalike.demo import loan_desk
from tests.helpers.commands import fails, ok, run
from tests.helpers.engine_frames import events_of, running_spark, spark_on, stopped_spark
from tests.helpers.examples import LONG
from tests.helpers.interrupts import interrupt_when, spark_is_busy, wait_until, write_many_events
from tests.helpers.requirements import need_java
from tests.helpers.spark_cluster import QUICK_JAVA, spark_cluster

COLUMNS = ("--case", "order", "--activity", "step", "--order", "at")


@pytest.fixture(scope="module")
def log():
    return loan_desk.loan_desk(80)


@pytest.fixture(scope="module")
def events(log, tmp_path_factory):
    """A folder with the events of a log, shuffled, in three Parquet files; in a CSV; in a table of a DuckDB database."""
    import duckdb

    folder = tmp_path_factory.mktemp("events")
    frame = events_of(log).rename({"case:concept:name": "order", "concept:name": "step", "time:timestamp": "at"})
    (folder / "parts").mkdir()
    for number in range(3):
        frame[number::3].write_parquet(folder / "parts" / f"part-{number}.parquet")
    frame.write_csv(folder / "events.csv")
    with duckdb.connect(folder / "events.duckdb") as connection:
        connection.register("given", frame.to_arrow())
        connection.execute("CREATE TABLE steps AS SELECT * FROM given")
    return folder


@pytest.mark.parametrize(
    ("source", "more"), [("parts", ()), ("parts/*.parquet", ()), ("events.csv", ()), ("events.duckdb", ("--table", "steps"))]
)
def test_duckdb_compares_what_the_log_compares(events, log, source, more):
    facts = json.loads(ok("similar", "-m", "kin", events / source, "--engine", "duckdb", *COLUMNS, *more, "-n", 5, "--json"))
    expected = actalike.embed(count_windows(log, 5)).most_similar_pairs(5)
    assert [(pair["a"], pair["b"]) for pair in facts["pairs"]] == [(a, b) for a, b, _ in expected]
    assert np.allclose([pair["similarity"] for pair in facts["pairs"]], [value for _, _, value in expected])


def test_spark_embeds_what_the_log_embeds(events, log, tmp_path):
    need_java()
    out = tmp_path / "out.actalike"
    command = ["embed", events / "parts", "--engine", "spark", "--master", "local[2]", "--memory", "1GB", "--spill", tmp_path,
               *COLUMNS, "-m", "ac-sequence-pmi-w3", "-o", out]  # fmt: skip
    if LONG:  # a process of its own, which starts Java and ends it
        environment = {**os.environ, "JDK_JAVA_OPTIONS": QUICK_JAVA}
        subprocess.run([sys.executable, "-m", "actalike", *map(str, command)], check=True, env=environment)
    else:
        with stopped_spark():
            done = run(*command)  # not ok(): on a slow machine it says how far it is
        assert done.returncode == 0, done
        from pyspark.sql import SparkSession

        assert SparkSession.getActiveSession() is None
    assert np.array_equal(actalike.load(out).distances(), actalike.embed(log, "ac-sequence-pmi-w3").distances())
    assert list(tmp_path.iterdir()) == [out]


def test_starting_spark_leaves_standard_error_to_other_threads(events, capfd):
    need_java()
    done, written = threading.Event(), 0

    def write_lines():
        nonlocal written
        while not done.is_set():
            written += os.write(2, b"line\n") // 5
            time.sleep(0.001)

    thread = threading.Thread(target=write_lines, daemon=True)
    with stopped_spark():
        thread.start()
        with spark_events(str(events / "parts"), "local[2]", EngineLimits()):
            done.set()
    thread.join()
    assert capfd.readouterr().err.splitlines().count("line") == written


@pytest.mark.campaign
def test_a_spark_cluster_counts_the_same_and_goes_on_without_a_worker(events, log, tmp_path):
    need_java()
    with spark_cluster(workers=2) as cluster, spark_on(cluster.url) as session, running_spark(session):
        frame = session.read.parquet(str(events / "parts"))
        for name, n_executors in (("two.actalike", 1), ("one.actalike", 0)):
            done = run(
                "count", events / "parts", "-w", 5, "-o", tmp_path / name, "--engine", "spark", "--master", cluster.url, *COLUMNS
            )
            assert done.returncode == 0, done
            assert actalike.load(tmp_path / name) == count_windows(log, 5)
            assert len(cluster.kill_worker(0)) == n_executors
    with pytest.raises(EngineError, match="session"):
        count_windows(frame, 5, case="order", activity="step", order="at")


def test_spark_without_java_says_what_to_install(events, monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    assert "Spark needs Java 17 or newer, which was not found" in fails(
        "similar", "-m", "kin", events / "parts", "--engine", "spark", *COLUMNS
    )


@pytest.mark.parametrize("master", ["spark://127.0.0.1:1", "sc://127.0.0.1:1"])
def test_a_cluster_that_does_not_answer_is_said_at_once(events, master):
    need_java()
    said = fails("similar", "-m", "kin", events / "parts", "--engine", "spark", "--master", master, *COLUMNS)
    assert f"Spark ({master}) cannot be reached" in said


def test_ctrl_c_stops_the_job_of_spark(tmp_path):
    write_many_events(tmp_path / "events.parquet")
    with running_spark(), interrupt_when(spark_is_busy):
        done = run("count", tmp_path / "events.parquet", "-o", tmp_path / "x.actalike", "--engine", "spark", "--order", "at")
    assert done.returncode == 130, done
    assert done.stderr.endswith("actalike: stopped.\n")
    assert [path.name for path in tmp_path.iterdir()] == ["events.parquet"]
    wait_until(lambda: not spark_is_busy())


def test_spark_says_what_is_wrong_with_a_cut_off_file(events, tmp_path):
    whole = (events / "parts" / "part-0.parquet").read_bytes()
    (tmp_path / "cut.parquet").write_bytes(whole[: len(whole) // 2])
    with running_spark():
        assert "cut.parquet: Spark (local[*]) cannot count it" in fails(
            "similar", "-m", "kin", tmp_path / "cut.parquet", "--engine", "spark"
        )


def test_labels_of_a_csv_are_texts_however_late_they_show_it(tmp_path):
    rows = [f"{i // 2},{5 + i % 2},{i}" for i in range(30_000)] + ["007,05,1", "7,5,99999", "007,5,2"]
    (tmp_path / "late.csv").write_text("case,activity,at\n" + "\n".join(rows))
    ok("count", tmp_path / "late.csv", "-w", 2, "-o", tmp_path / "late.actalike", "--engine", "duckdb", "--order", "at",
       "--timestamp-format", "%s")  # fmt: skip
    frame = pl.read_csv(tmp_path / "late.csv", schema_overrides={"case": pl.String, "activity": pl.String})
    assert actalike.load(tmp_path / "late.actalike") == count_windows(frame, 2, case="case", activity="activity", order="at")


def test_spark_reads_labels_as_texts_too(tmp_path):
    (tmp_path / "z.tsv").write_text("case\tactivity\tat\n001\t01\t1\n1\t1\t2\n001\t1\t3\n1\t01\t4\n")
    with running_spark():
        ok("count", tmp_path / "z.tsv", "-w", 3, "-o", tmp_path / "z.actalike", "--engine", "spark", "--order", "at",
           "--timestamp-format", "%s")  # fmt: skip
    frame = pl.DataFrame({"case": ["001", "1", "001", "1"], "activity": ["01", "1", "1", "01"], "at": [1, 2, 3, 4]})
    assert actalike.load(tmp_path / "z.actalike") == count_windows(frame, 3, order="at")


def test_folders_of_partitions_have_their_columns(tmp_path):
    frame = pl.DataFrame({"case": ["01", "1", "01"], "activity": ["a", "b", "c"], "at": [1, 2, 3]})
    for (case,), part in frame.group_by("case"):
        (tmp_path / "a[1]" / f"case={case}").mkdir(parents=True)
        part.drop("case").write_parquet(tmp_path / "a[1]" / f"case={case}" / "part.parquet")
    ok("count", tmp_path / "a[1]", "-w", 3, "-o", tmp_path / "z.actalike", "--engine", "duckdb", "--order", "at")
    assert actalike.load(tmp_path / "z.actalike") == count_windows(frame, 3, order="at")


def test_an_address_keeps_its_slashes(events):
    said = fails("count", "nowhere://bucket/events.parquet", "-o", events / "x.actalike", "--engine", "duckdb", *COLUMNS)
    assert "nowhere://bucket/events.parquet" in said


def test_a_table_of_windows_stands_in_for_the_log(events, log, tmp_path):
    table = tmp_path / "counts.actalike"
    facts = json.loads(ok("count", events / "parts", "-o", table, "--engine", "duckdb", *COLUMNS, "--json"))
    assert facts.pop("read")["events"] == log.n_events
    assert facts == {"schema": "actalike/count/1", "window": 9, "distinct_windows": len(count_windows(log, 9).counts), "events": log.n_events,
                     "activities": len(log.activities), "output": str(table)}  # fmt: skip
    assert actalike.load(table) == count_windows(log, 9)
    write_log(log, tmp_path / "log.xes.gz")
    ok("count", tmp_path / "log.xes.gz", "-o", tmp_path / "same.actalike")
    assert (tmp_path / "same.actalike").read_bytes() == table.read_bytes()
    assert "Pay out" in ok("similar", table, "Transfer loan", "-m", "ac-sequence-pmi-w3")
    assert "Pay out" in ok("explain", table, "Transfer loan", "Pay out", "-m", "kin")


@pytest.mark.parametrize(
    ("source", "options", "said"),
    [
        ("parts", ("--case", "oder", "--activity", "step", "--order", "at"), "parts has no column 'oder' (given as case). Did you mean 'order'?"),
        ("parts", ("--case", "order", "--activity", "step", "--order", "order"), "which does not order events reliably"),
        ("parts", ("--case", "order", "--activity", "step"), "no column is recognised as the order of a case's events. Name one with --order."),
        ("parts", (*COLUMNS, "--memory", "much"), "not an amount of memory"),
        ("parts", (*COLUMNS, "--spill", "nowhere"), "nowhere is not a folder"),
        ("parts", (*COLUMNS, "--table", "steps"), "a table (--table) must be named for a DuckDB database, and only for one"),
        ("parts", (*COLUMNS, "--timestamp", "at"), "--order and --timestamp both say how events are ordered"),
        ("parts", (*COLUMNS, "--master", "local"), "--master is for --engine spark"),
        ("parts", (*COLUMNS, "--lifecycle", "append"), "--lifecycle cannot go with --engine duckdb"),
        ("parts", (*COLUMNS, "-m", "act2vec-cbow-w3"), "act2vec-cbow-w3 learns from the log itself, so duckdb cannot count for it"),
        ("absent", COLUMNS, "absent cannot be read: No such file or directory"),
        ("absent*.parquet", COLUMNS, "no file matches the pattern"),
        ("events.duckdb", COLUMNS, "a table (--table) must be named"),
        ("events.duckdb", (*COLUMNS, "--table", "stops"), "events.duckdb has no table 'stops'. Did you mean 'steps'?"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_line(events, source, options, said):
    assert said in fails("similar", "-m", "kin", events / source, "--engine", "duckdb", *options)


def test_engine_options_need_an_engine_and_columns_too(events):
    assert "--memory needs --engine" in fails("similar", events / "events.csv", "--memory", "4GB")
    assert "--order at is neither 'file' nor 'time'" in fails("similar", events / "events.csv", *COLUMNS)
    assert "--order can be given once" in fails("similar", events / "events.csv", "--order", "file", "--order", "time")


@pytest.mark.campaign
def test_ctrl_c_ends_it_and_leaves_nothing_behind(tmp_path):
    write_many_events(tmp_path / "events.parquet")
    spill = tmp_path / "spill"
    spill.mkdir()
    command = [sys.executable, "-m", "actalike", "similar", tmp_path / "events.parquet", "--engine", "duckdb", "--order", "at",
               "-m", "ac-sequence-pmi-w15", "--spill", spill]  # fmt: skip
    process = subprocess.Popen(list(map(str, command)), stderr=subprocess.PIPE, text=True)
    while not list(spill.iterdir()) and process.poll() is None:
        time.sleep(0.01)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert not list(spill.iterdir())
