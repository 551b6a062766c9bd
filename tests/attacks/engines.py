"""Attack the ways of counting: random logs, counted in memory, as streams, and by DuckDB, Spark and Ibis from whatever they read.

All must give the same table. Labels and cases are texts that databases, CSV and SQL could take for something else.
"""

import csv
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import polars as pl

from actalike import EventLog, StreamCounter, WindowCounts, count_windows, read_log
from actalike.counting import (
    CsvOptions,
    EngineLimits,
    Wanted,
    csv_files,
    duckdb_events,
    ibis_events,
    read_csv_events,
    read_opened,
    spark_events,
)
from actalike.errors import ActalikeError
from tests.attacks import Outcome

TITLE = "Ways of counting: memory, frames, streams, DuckDB, Spark, Ibis"

_LABELS = [
    "a", "b", "A", "a ", "", "NA", "null", "01", "1", "1.0", "é", "e\u0301", "📄", 'say "x"', "it's", "a,b;c\td", "a\nb", "a\rb", "\ufeffa", "#a", "-1",
    "NULL", "'); DROP TABLE events; --", "\\", "%", "_", "\x00b", "\u2028", "x" * 300,
]  # fmt: skip
_SPARK_EVERY = 150  # attempts: Spark takes a second, DuckDB some milliseconds


def missing() -> str | None:
    """Return why the attack cannot run here, None if it can. Without Java, Spark is left out."""
    return None if find_spec("duckdb") else "DuckDB is not installed: pip install 'actalike[duckdb]'"


def attempts(random: Random, folder: Path) -> Iterator[Outcome]:
    """Count random logs for ever, with Spark now and then, if it is there."""
    has_spark = find_spec("pyspark") is not None and (shutil.which("java") is not None or "JAVA_HOME" in os.environ)
    number = 0
    while True:
        number += 1
        log = random_log(random)
        events = _events(random, log)
        ways = _ways(random, folder, events)
        if find_spec("ibis") is not None:
            ways |= _ways_of_ibis(random, folder, events)
        if has_spark and number % _SPARK_EVERY == 0:
            ways["Spark, Parquet"] = lambda window: _of_frame(spark_events, folder / "log.parquet", "local[2]", window, folder)
        yield _attempt(random, log, ways)


def _attempt(random: Random, log: list[list[str]], ways: dict[str, Callable[[int], WindowCounts]]) -> Outcome:
    window = random.randint(1, 9)
    expected = count_windows(EventLog.from_traces(log), window)
    for name, count in ways.items():
        try:
            counts = count(window)
        except ActalikeError as error:
            return Outcome("wrong", f"{name} refuses {log!r}, window {window}: {error}")
        except Exception as error:
            return Outcome("wrong", f"{name} raises {error!r} for {log!r}, window {window}")
        if counts != expected:
            return Outcome("wrong", f"{name} counts something else for {log!r}, window {window}")
    return Outcome("same")


def random_log(random: Random) -> list[list[str]]:
    """Return the traces of a log; none is empty, because a file of events cannot tell an empty case."""
    labels = random.sample(_LABELS, random.randint(1, 8))
    return [[random.choice(labels) for _ in range(random.randint(1, 9))] for _ in range(random.randint(1, 9))]


def _events(random: Random, log: list[list[str]]) -> pl.DataFrame:
    """Return the events in rows, shuffled; ``at`` orders them within a case."""
    cases = random.sample(list(dict.fromkeys([*_LABELS, *map(str, range(20))])), len(log))
    rows = [(case, label, place) for case, trace in zip(cases, log, strict=True) for place, label in enumerate(trace)]
    random.shuffle(rows)
    return pl.DataFrame(rows, schema={"case": pl.String, "activity": pl.String, "at": pl.Int64}, orient="row")


def _ways(random: Random, folder: Path, events: pl.DataFrame) -> dict[str, Callable[[int], WindowCounts]]:
    """Write the events in every form, and return how each is counted."""
    timed = events.with_columns(timestamp=pl.from_epoch("at", "s").dt.strftime("%Y-%m-%dT%H:%M:%S"))
    _write_csv(random, timed, folder / "log.csv")
    events.write_parquet(folder / "log.parquet", row_group_size=random.choice([1, 3, 100]))
    parts = folder / "parts"
    parts.mkdir(exist_ok=True)
    for old in parts.iterdir():
        old.unlink()
    for number in range(3):
        if len(events[number::3]):
            _write_csv(random, timed[number::3], parts / f"{number}.csv")
    table = random.choice(["events", 'the "events"', "a.b", "select"])
    _write_table(events, folder / "log.duckdb", table)
    options = {"case": "case", "activity": "activity"}
    return {
        "a frame": lambda window: count_windows(events, window, order="at", **options),
        "a stream": lambda window: _stream(random, events, window),
        "read_log, CSV": lambda window: count_windows(read_log(folder / "log.csv", **options), window),
        "DuckDB, Parquet": lambda window: _of_frame(duckdb_events, folder / "log.parquet", None, window, folder),
        "DuckDB, table": lambda window: _of_frame(duckdb_events, folder / "log.duckdb", table, window, folder),
        "an engine, CSV": lambda window: _of_csv(folder / "log.csv", window, folder),
        "an engine, several CSV": lambda window: _of_csv(parts / "*.csv", window, folder),
    }


def _ways_of_ibis(random: Random, folder: Path, events: pl.DataFrame) -> dict[str, Callable[[int], WindowCounts]]:
    table = random.choice(["events", 'the "events"', "a.b", "select"])
    _write_table(events, folder / "ibis.duckdb", table)
    (folder / "ibis.db").unlink(missing_ok=True)
    with closing(sqlite3.connect(folder / "ibis.db")) as connection:
        _fill(connection, events, table)
        connection.commit()
    return {
        "Ibis, DuckDB": lambda window: _of_ibis(f"duckdb://{quote(str(folder / 'ibis.duckdb'))}", table, window),
        "Ibis, SQLite": lambda window: _of_ibis(f"sqlite://{quote(str(folder / 'ibis.db'))}", table, window),
    }


def _of_ibis(url: str, table: str, window: int) -> WindowCounts:
    with ibis_events(url, table) as opened:
        return count_windows(read_opened(opened, url, Wanted("case", "activity", ["at"])), window)


def _write_csv(random: Random, events: pl.DataFrame, path: Path) -> None:
    encoding = random.choice(["utf-8", "utf-8-sig", "utf-16"])
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.writer(
            file, delimiter=random.choice(",;\t|"), lineterminator=random.choice(["\n", "\r\n"]), quoting=csv.QUOTE_ALL
        )
        writer.writerow(events.columns)
        writer.writerows(events.rows())


def _write_table(events: pl.DataFrame, path: Path, table: str) -> None:
    import duckdb

    path.unlink(missing_ok=True)
    with duckdb.connect(path) as connection:
        _fill(connection, events, table)


def _fill(connection: Any, events: pl.DataFrame, table: str) -> None:
    quoted = table.replace('"', '""')
    connection.execute(f'CREATE TABLE "{quoted}" ("case" VARCHAR, activity VARCHAR, "at" BIGINT)')
    connection.executemany(f'INSERT INTO "{quoted}" VALUES (?, ?, ?)', events.rows())


def _stream(random: Random, events: pl.DataFrame, window: int) -> WindowCounts:
    counter = StreamCounter(window)
    in_order = events.sort("at")
    cut = random.randint(0, len(in_order))
    for batch in (in_order[:cut], in_order[cut:]):
        counter.add(batch["case"].to_list(), batch["activity"].to_list())
    return counter.counts()


def _of_frame(engine: Any, path: Path, second: str | None, window: int, folder: Path) -> WindowCounts:
    with engine(str(path), second, EngineLimits(None, folder)) as opened:
        return count_windows(read_opened(opened, str(path), Wanted("case", "activity", ["at"])), window)


def _of_csv(source: Path, window: int, folder: Path) -> WindowCounts:
    csv_options = CsvOptions(case="case", activity="activity")
    files = csv_files(str(source)) or []
    return count_windows(read_csv_events(str(source), files, csv_options, spill=folder), window)
