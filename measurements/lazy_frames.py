"""Lazy Polars frames larger than memory: seconds and peak memory beside the same events as one frame in memory.

    python measurements/lazy_frames.py 1e7 3e7              # a minute or two on an idle machine
    python measurements/lazy_frames.py 3e7 1e8 --eager 3e7  # 100 million events: some minutes, 4 GB of disk

The events are those of measurements/event_files.py: 8 Parquet files, each case spread over all of them, rows in no order. Both counts
are processes of their own, whose peak resident memory is read when they end; ``--eager`` is the largest number of events
that is counted in memory too. All is in a temporary folder (TMPDIR), which is removed.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import polars as pl
from event_files import write_events


def count_here(kind, files, window):
    """Count in this process, and print what it took."""
    from actalike import count_windows

    started = time.perf_counter()
    frame = pl.scan_parquet(files) if kind == "lazy" else pl.read_parquet(files)
    counts = count_windows(frame, window, case="case", activity="activity", order="time")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    facts = {"seconds": time.perf_counter() - started, "cpu": time.process_time(), "gib": peak}
    print(json.dumps({**facts, "distinct": len(counts.counts), "events": counts.n_events}))


def measure(kind, files, window):
    """Count in a process of its own."""
    command = [sys.executable, __file__, "one", kind, files, str(window)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    number = lambda text: int(float(text))  # noqa: E731
    parser.add_argument("sizes", nargs="+", type=number)
    parser.add_argument("--eager", type=number, default=30_000_000)
    arguments = parser.parse_args()
    print(f"{'events':>12} {'window':>6} {'frame':>6} {'seconds':>8} {'CPU s':>7} {'peak GiB':>9} {'distinct':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for size in arguments.sizes:
            files = str(write_events(Path(folder) / str(size), size) / "*.parquet")
            for window in (3, 9):
                found = {
                    kind: measure(kind, files, window) for kind in ("lazy", "eager") if kind == "lazy" or size <= arguments.eager
                }
                for kind, facts in found.items():
                    print(f"{size:>12,} {window:>6} {kind:>6} {facts['seconds']:>8.1f} {facts['cpu']:>7.1f} {facts['gib']:>9.2f} "
                          f"{facts['distinct']:>9,}", flush=True)  # fmt: skip
                if len({(facts["distinct"], facts["events"]) for facts in found.values()}) > 1:
                    sys.exit("they do not count the same")


if __name__ == "__main__":
    if sys.argv[1:2] == ["one"]:
        count_here(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        main()
