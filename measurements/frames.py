"""Counting frames: by arrays beside narwhals' shift(...).over(case), and lazy frames larger than memory beside eager ones.

The lazy frames are Parquet files of made_up_logs.py, each case spread over all of them, rows in no order. Both counts are processes of
their own, whose peak resident memory is read when they end. All is in a temporary folder (TMPDIR), which is removed.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
from made_up_logs import purchases, write_events
from timing import fastest, fresh, peak_mib

from actalike import count_windows


def missing():
    """Return why this cannot be measured here: it always can."""


def tables(short):
    """Yield the names of tables, and their rows."""
    yield "bench-frames", list(by_arrays(short))
    yield "bench-lazy-frames", list(lazy(10**5 if short else 10**7))


def by_arrays(short):
    """Yield the rows of frames in memory."""
    yield ["frame", "window", "million events a second", "times as fast"]
    log = purchases(2_000 if short else 251_734)
    case = np.repeat(np.arange(log.n_cases), log.lengths)
    start = np.random.default_rng(1).integers(0, 10**9, log.n_cases) * 10**6
    frame = pl.DataFrame(
        {
            "number": case,
            "case": pl.Series(log.case_ids).gather(case),
            "activity": pl.Series(log.activities).gather(log.codes),
            "time": pl.Series(np.arange(log.n_events) * 10**6 + np.repeat(start, log.lengths)).cast(pl.Datetime("us")),
        }
    )
    frames = {"sorted": frame, "shuffled": frame.sample(fraction=1, shuffle=True, seed=1)}
    for window in (3, 9):
        keys = [("sorted", "number"), ("shuffled", "number"), ("shuffled", "case")]
        shifted = {key: fastest(lambda: by_shifting(frames[key[0]], key[1], window), 2) for key in keys}  # noqa: B023
        logs = iter([fresh(log) for _ in range(10)])
        ours = fastest(lambda: count_windows(next(logs), window), 10)  # noqa: B023
        rows = [("`EventLog`, its variants not known yet", ours, shifted["sorted", "number"])]
        for order, column in keys:
            ours = fastest(lambda: count_windows(frames[order], window, case=column, activity="activity", order="time"), 5)  # noqa: B023
            kind = "numbers" if column == "number" else "texts"
            rows.append((f"Polars frame, {order}, cases are {kind}", ours, shifted[order, column]))
        yield from (
            [what, str(window), f"{log.n_events / ours / 1e6:.1f}", f"{theirs / ours:.1f}"] for what, ours, theirs in rows
        )


def by_shifting(frame, case, window):
    """Count windows by narwhals' shift within cases."""
    left = (window - 1) // 2
    shifted = {f"w{o + left}": nw.col("activity").shift(-o).over(case, order_by="time") for o in range(-left, window - left)}
    return nw.from_native(frame).select(**shifted).group_by(list(shifted)).agg(nw.len().alias("n")).to_native()


def lazy(events):
    """Yield the rows of a lazy frame and of the same as one frame in memory."""
    yield ["events", "window", "frame", "seconds", "CPU seconds", "peak memory", "distinct windows"]
    with tempfile.TemporaryDirectory() as folder:
        files = str(write_events(Path(folder) / "events", events) / "*.parquet")
        for window in (3, 9):
            counted = set()
            for kind in ("lazy", "eager"):
                command = [sys.executable, __file__, kind, files, str(window)]
                facts = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
                counted.add((facts["distinct"], facts["events"]))
                sizes = [f"{facts['gib']:.2f} GiB", f"{facts['distinct']:,}"]
                yield [f"{events:,}", str(window), kind, f"{facts['seconds']:.1f}", f"{facts['cpu']:.1f}", *sizes]
            if len(counted) > 1:
                sys.exit("they do not count the same")


def count_here(kind, files, window):
    """Count in this process, and print what it took."""
    started = time.perf_counter()
    frame = pl.scan_parquet(files) if kind == "lazy" else pl.read_parquet(files)
    counts = count_windows(frame, window, case="case", activity="activity", order="time")
    facts = {"seconds": time.perf_counter() - started, "cpu": time.process_time(), "gib": peak_mib() / 1024}
    print(json.dumps({**facts, "distinct": len(counts.counts), "events": counts.n_events}))


if __name__ == "__main__":
    count_here(sys.argv[1], sys.argv[2], int(sys.argv[3]))
