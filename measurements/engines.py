"""Counting where the events are: DuckDB, Spark and Polars over made-up Parquet files; the array engine against shifting.

    python measurements/engines.py array                            # the array engine and narwhals' .over on Polars
    python measurements/engines.py files FOLDER 1e6 1e7 1e8         # DuckDB, bare SQL, Polars, Spark: windows 3 and 9
    python measurements/engines.py files FOLDER 1e9 --engines duckdb

FOLDER holds the files (12 GB for 1e9, made by measurements/event_files.py where they are missing) and what DuckDB spills (about
20 GB for 1e9). Every count is a process of its own, whose peak memory is read when it ends. The bare query is
what one would write by hand for the same table: lag and lead over the labels, grouped, without a check of the events; beside it
the same with labels coded as whole numbers in a first query.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
from event_files import write_events

ROOT = Path(__file__).parents[1]
ENGINES = ("duckdb", "bare", "bare-coded", "polars", "spark")
MEMORY = {"duckdb": 3, "bare": 3, "bare-coded": 3, "spark": 4}  # GiB, up to 1e8 events; 1e9 take 10
MOST = {"polars": 10**8, "spark": 10**8, "bare": 10**8, "bare-coded": 10**8}


def array():
    import narwhals.stable.v2 as nw
    from purchases import purchases
    from timing import fastest, fresh

    from actalike import count_windows

    log = purchases()
    n = log.n_events
    case = np.repeat(np.arange(log.n_cases), log.lengths)
    start = np.random.default_rng(1).integers(0, 10**9, log.n_cases) * 10**6
    frame = pl.DataFrame(
        {
            "number": case,
            "case": pl.Series(log.case_ids).gather(case),
            "activity": pl.Series(log.activities).gather(log.codes),
            "time": pl.Series(np.arange(n) * 10**6 + np.repeat(start, log.lengths)).cast(pl.Datetime("us")),
        }
    )
    frames = {"sorted": frame, "shuffled": frame.sample(fraction=1, shuffle=True, seed=1)}

    def over(events, case, window):
        left = (window - 1) // 2
        shifted = {f"w{o + left}": nw.col("activity").shift(-o).over(case, order_by="time") for o in range(-left, window - left)}
        return nw.from_native(events).select(**shifted).group_by(list(shifted)).agg(nw.len().alias("n")).to_native()

    print(f"\n{log}: million events a second, and how many times as fast as narwhals' shift(...).over(case) on Polars")
    for window in (3, 5, 9):
        base = {key: fastest(lambda: over(frames[key[0]], key[1], window), 3)  # noqa: B023
                for key in (("sorted", "number"), ("shuffled", "number"), ("shuffled", "case"))}  # fmt: skip
        logs = iter([fresh(log) for _ in range(10)])
        ours = fastest(lambda: count_windows(next(logs), window), 10)  # noqa: B023
        rows = [("EventLog, its variants not known yet", ours, base["sorted", "number"])]
        for order, column in base:
            ours = fastest(lambda: count_windows(frames[order], window, case=column, activity="activity", order="time"), 5)  # noqa: B023
            rows.append(
                (f"Polars frame, {order}, case {'a number' if column == 'number' else 'a text'}", ours, base[order, column])
            )
        for what, ours, theirs in rows:
            print(f"  window {window}  {what:<44}{n / ours / 1e6:8.1f}  {theirs / ours:6.1f} x", flush=True)


def count_here(engine, folder, events, window, gib):
    """One count, in this process; gives the number of distinct windows."""
    files = f"{folder}/{events}/*.parquet"
    names = {"case": "case", "activity": "activity", "order": "time"}
    if engine == "polars":
        from actalike import count_windows

        return len(count_windows(pl.read_parquet(files), window, **names).counts)
    if engine == "spark":
        from actalike.counting.engines.sessions import spark_events
        from actalike.counting.engines.spill import EngineLimits
        from actalike.counting.windows import count_windows

        with spark_events(f"{folder}/{events}", "local[2]", EngineLimits(f"{gib}GiB", Path(folder))) as opened:
            distinct = len(count_windows(opened.frame, window, **names).counts)
            java.append(java_peak())
            return distinct
    from actalike.counting.engines.sessions import duckdb_events
    from actalike.counting.engines.spill import EngineLimits

    with duckdb_events(files, None, EngineLimits(f"{gib}GiB", Path(folder))) as opened:
        if engine == "duckdb":
            from actalike import count_windows

            return len(count_windows(opened.frame, window, **names).counts)
        events = opened.frame
        column = "activity"
        if engine == "bare-coded":
            labels = events.query("events", "SELECT DISTINCT activity FROM events").fetchall()
            kind = "ENUM (" + ", ".join(f"'{label}'" for (label,) in labels) + ")"
            events = events.project(f'"case", time, activity::{kind} AS activity')
        left = (window - 1) // 2
        shifted = ", ".join(f"lag({column}, {-offset}) OVER w AS w{offset + left}" for offset in range(-left, window - left))
        query = f'SELECT {shifted} FROM events WINDOW w AS (PARTITION BY "case" ORDER BY time)'
        table = events.query("events", f"SELECT *, count(*) AS n FROM ({query}) GROUP BY ALL")
        return len(table.fetchnumpy()["n"])


java = []  # the peak memory of Java in KiB, noted while it runs


def java_peak():
    """The peak memory of the Java process that this process started."""
    peaks = [0]
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            facts = dict(line.split(":", 1) for line in status.read_text().splitlines())
        except OSError:  # it has ended
            continue
        if facts["Name"].strip() == "java" and int(facts["PPid"]) == os.getpid():
            peaks.append(int(facts["VmHWM"].split()[0]))
    return max(peaks)


def measure(engine, folder, events, window):
    """One count in a process of its own: seconds, peak memory of it and of what it started, distinct windows."""
    gib = 10 if events > 10**8 else MEMORY.get(engine, 0)
    command = [sys.executable, __file__, "one", engine, str(folder), str(events), str(window), str(gib)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"  {engine} failed: {done.stderr.strip().splitlines()[-1]}", flush=True)
        return None
    return json.loads(done.stdout)


def one(engine, folder, events, window, gib):
    started = time.perf_counter()
    distinct = count_here(engine, folder, int(events), int(window), int(gib))
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss + sum(java)
    print(json.dumps({"seconds": seconds, "peak_gib": peak / 2**20, "distinct": distinct}))


def files(folder, sizes, engines):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    print(f"\n{os.cpu_count()} processors. DuckDB and the bare query get 3 GiB, Spark 4, and 10 for a billion events.")
    print(
        f"{'events':>14} {'window':>6} {'engine':>12} {'seconds':>9} {'M events/s':>11} {'peak GiB':>9} {'distinct':>9}  ratio to bare / to bare-coded / to polars"
    )
    for events in sizes:
        write_events(folder / str(events), events)
        for window in (3, 9):
            found = {}
            for engine in engines:
                if events <= MOST.get(engine, events) and (result := measure(engine, folder, events, window)):
                    found[engine] = result
            for engine, result in found.items():
                ratios = [f"{result['seconds'] / found[other]['seconds']:5.2f}" if other in found else "    -"
                          for other in ("bare", "bare-coded", "polars")]  # fmt: skip
                print(f"{events:>14,} {window:>6} {engine:>12} {result['seconds']:>9.1f} {events / result['seconds'] / 1e6:>11.1f} "
                      f"{result['peak_gib']:>9.2f} {result['distinct']:>9,}  {' / '.join(ratios)}", flush=True)  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(dest="part", required=True)
    parts.add_parser("array")
    part = parts.add_parser("files")
    part.add_argument("folder")
    part.add_argument("sizes", nargs="+", type=lambda text: int(float(text)))
    part.add_argument("--engines", nargs="+", choices=ENGINES, default=ENGINES)
    arguments = parser.parse_args()
    if arguments.part == "array":
        array()
    else:
        files(arguments.folder, arguments.sizes, arguments.engines)


if __name__ == "__main__":
    if sys.argv[1:2] == ["one"]:
        one(*sys.argv[2:])
    else:
        main()
