"""Counting in a database beside SQL written by hand: DuckDB over Parquet files, and PostgreSQL through Ibis.

By hand is what one would write for the same table: LAG and LEAD over the labels, grouped, without a check of the events. Both run by
turns, the fastest counts, and their tables must be equal. Events are purchase orders of 42 activities, rows in no order. PostgreSQL takes
part if ACTALIKE_POSTGRES is the address of a database in which a table may be made (postgres://user:password@host:port/database).
"""

import os
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from made_up_logs import write_events

from actalike import count_windows
from actalike.counting import EngineLimits, duckdb_events, ibis_events

POSTGRES = os.environ.get("ACTALIKE_POSTGRES")
TABLE = "actalike_bench_events"
EVENTS = """
CREATE UNLOGGED TABLE {table} AS
SELECT i % {cases} AS number, 'order ' || (i % {cases}) AS text,
       'Step ' || lpad(((i / {cases}) * 6 + floor(power(random(), 8) * 6))::INT::TEXT, 2, '0') || ' of the purchase' AS activity,
       TIMESTAMP '2024-02-29' + i * INTERVAL '1 second' AS at
FROM generate_series(0, {events} - 1) AS i ORDER BY hashint8(i)
"""


def missing():
    """Return why this cannot be measured here, None if it can."""
    return None if find_spec("duckdb") else "DuckDB is not installed"


def tables(short):
    """Yield the names of tables, and their rows."""
    rows = [["database", "events", "window", "cases", "actalike", "SQL by hand", "ratio", "distinct windows"]]
    rows += in_duckdb(10**5 if short else 10**7, 1 if short else 2)
    if POSTGRES:
        rows += in_postgres(10**4 if short else 10**6, 1 if short else 3)
    else:
        print("PostgreSQL is left out: ACTALIKE_POSTGRES names no database", file=sys.stderr)
    yield "bench-databases", rows


def by_hand(table, case, order, window):
    """The query for the table of distinct windows, labels in place of codes."""
    left = (window - 1) // 2
    before = [f"LAG(activity, {left - place}) OVER w AS w{place}" for place in range(left)]
    after = [f"LEAD(activity, {place - left}) OVER w AS w{place}" for place in range(left + 1, window)]
    places = ", ".join(f"w{place}" for place in range(window))
    shifted = ", ".join([*before, f"activity AS w{left}", *after])
    query = f'SELECT {shifted} FROM {table} WINDOW w AS (PARTITION BY "{case}" ORDER BY "{order}")'
    return f"SELECT {places}, count(*) FROM ({query}) AS e GROUP BY {places}"


def row(database, events, window, cases, count, ask, repeats):
    """Count in both ways by turns, and return the row."""
    ours, theirs = [], []
    for _ in range(repeats):
        for function, times in ((count, ours), (ask, theirs)):
            started = time.perf_counter()
            result = function()
            times.append(time.perf_counter() - started)
            if function is count:
                counts = result
    labels = [*counts.activities, None]
    found = {tuple(labels[code] for code in codes): int(n) for codes, n in zip(counts.windows, counts.counts, strict=True)}
    assert found == {tuple(one[:-1]): one[-1] for one in result}, "the tables differ"
    seconds = [f"{min(ours):.1f} s", f"{min(theirs):.1f} s", f"{min(ours) / min(theirs):.2f}"]
    return [database, f"{events:,}", str(window), cases, *seconds, f"{len(result):,}"]


def in_duckdb(events, repeats):
    with tempfile.TemporaryDirectory() as folder:
        files = str(write_events(Path(folder) / "events", events) / "*.parquet")
        for window in (3, 9):
            with duckdb_events(files, None, EngineLimits("3GiB", Path(folder))) as opened:
                yield row(
                    "DuckDB, Parquet files", events, window, "whole numbers",
                    lambda: count_windows(opened.frame, window, case="case", activity="activity", order="time"),  # noqa: B023
                    lambda: opened.frame.query("events", by_hand("events", "case", "time", window)).fetchall(),  # noqa: B023
                    repeats,
                )  # fmt: skip


def in_postgres(events, repeats):
    import psycopg

    def by_ibis(case, window):
        with ibis_events(POSTGRES, TABLE) as opened:
            return count_windows(opened.frame, window, case=case, activity="activity", order="at")

    with psycopg.connect(POSTGRES, autocommit=True) as connection:
        (version,) = connection.execute("SHOW server_version_num").fetchone()
        try:
            connection.execute(f"DROP TABLE IF EXISTS {TABLE}")
            connection.execute(EVENTS.format(table=TABLE, events=events, cases=max(events * 2 // 13, 1)))
            connection.execute(f"VACUUM ANALYZE {TABLE}")
            for case, kind in (("number", "whole numbers"), ("text", "texts")):
                for window in (3, 9):
                    yield row(
                        f"PostgreSQL {int(version) // 10_000}, through Ibis", events, window, kind,
                        lambda: by_ibis(case, window),  # noqa: B023
                        lambda: connection.execute(by_hand(TABLE, case, "at", window)).fetchall(),  # noqa: B023
                        repeats,
                    )  # fmt: skip
        finally:
            connection.execute(f"DROP TABLE IF EXISTS {TABLE}")
