"""Counting in PostgreSQL through Ibis, against SQL written by hand, in one server and one run.

    python measurements/postgres.py [EVENTS ...]        # 1e6 1e7

It starts a PostgreSQL of its own in the temporary folder and makes the events there by generate_series: purchase orders of 42
activities, six or seven events a case, rows in no order, cases as whole numbers and as texts. By hand is what one would write for
the same table: LAG and LEAD over the labels, grouped, without a check of the events. Both are run by turns, the fastest of them
is taken, and the tables must be equal.
"""

import argparse
import os
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from measurements.postgres_server import find_programs, running_postgres

SETTINGS = {"shared_buffers": "512MB", "work_mem": "256MB", "maintenance_work_mem": "256MB", "max_wal_size": "4GB"}
EVENTS = """
CREATE UNLOGGED TABLE events AS
SELECT i % {cases} AS number, 'order ' || (i % {cases}) AS text,
       'Step ' || lpad(((i / {cases}) * 6 + floor(power(random(), 8) * 6))::INT::TEXT, 2, '0') || ' of the purchase' AS activity,
       TIMESTAMP '2024-02-29' + i * INTERVAL '1 second' AS at
FROM generate_series(0, {events} - 1) AS i ORDER BY hashint8(i)
"""


def by_hand(connection, case, window):
    """The table of distinct windows, labels in place of codes."""
    left = (window - 1) // 2
    before = [f"LAG(activity, {left - place}) OVER w AS w{place}" for place in range(left)]
    after = [f"LEAD(activity, {place - left}) OVER w AS w{place}" for place in range(left + 1, window)]
    places = ", ".join(f"w{place}" for place in range(window))
    shifted = ", ".join([*before, f"activity AS w{left}", *after])
    query = f"SELECT {shifted} FROM events WINDOW w AS (PARTITION BY {case} ORDER BY at)"
    return connection.execute(f"SELECT {places}, count(*) FROM ({query}) AS e GROUP BY {places}").fetchall()


def by_ibis(url, case, window):
    from actalike import count_windows
    from actalike.counting import ibis_events

    with ibis_events(url, "events") as opened:
        return count_windows(opened.frame, window, case=case, activity="activity", order="at")


def check_equal(counts, rows):
    """Raise an error unless both found the same windows, the same number of times."""
    labels = [*counts.activities, None]
    ours = {tuple(labels[code] for code in codes): int(n) for codes, n in zip(counts.windows, counts.counts, strict=True)}
    assert ours == {tuple(row[:-1]): row[-1] for row in rows}, "the tables differ"


@contextmanager
def timed(into):
    started = time.perf_counter()
    yield
    into.append(time.perf_counter() - started)


def measure(server, events, repeats):
    import psycopg

    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS events")
        connection.execute(EVENTS.format(events=events, cases=max(events * 2 // 13, 1)))
        connection.execute("VACUUM ANALYZE events")
        for case in ("number", "text"):
            for window in (3, 9):
                ours, theirs = [], []
                for _ in range(repeats):
                    with timed(ours):
                        counts = by_ibis(server.url, case, window)
                    with timed(theirs):
                        rows = by_hand(connection, case, window)
                check_equal(counts, rows)
                print(f"{events:>14,} {window:>6} {case:>7} {min(ours):>9.1f} {min(theirs):>9.1f} {min(ours) / min(theirs):>6.2f} "
                      f"{np.median(np.array(ours) / np.array(theirs)):>7.2f} {len(rows):>9,} {len(counts.activities):>11}", flush=True)  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=lambda text: int(float(text)), default=[10**6, 10**7])
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    programs = find_programs()
    if programs is None:
        sys.exit("PostgreSQL was not found: make postgres")
    with running_postgres(programs, **SETTINGS) as server:
        print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} before; PostgreSQL in {programs}")
        print(
            f"{'events':>14} {'window':>6} {'case':>7} {'ibis, s':>9} {'hand, s':>9} {'ratio':>6} {'median':>7} {'distinct':>9} {'activities':>11}"
        )
        for events in arguments.sizes:
            measure(server, events, arguments.repeats)


if __name__ == "__main__":
    main()
