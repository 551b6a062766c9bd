"""Counting on a real Spark cluster that loses a worker in the middle: the result, and what it costs.

    python measurements/spark_cluster.py                  # 5 million events, window 5
    python measurements/spark_cluster.py 2e7 --window 9

A standalone master and two workers with one core each run as processes of this machine (tests/helpers/spark_cluster.py); the driver is
this process. The events are Parquet files of measurements/event_files.py, in a temporary folder. They are counted in memory, and on the
cluster: once to warm Java up, then once undisturbed, then once while a worker and its executor are killed (SIGKILL): after half of the
time that the undisturbed count took, when some tasks of a stage are finished and some are not. All three tables must be equal. What the
cluster noticed is read from Spark's event log: executors that were lost, tasks that failed with them, and stages that ran again because
their shuffle files were on the dead worker. All processes end with the script.
"""

import argparse
import json
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import polars as pl  # noqa: E402
from event_files import write_events  # noqa: E402

from actalike import count_windows  # noqa: E402
from tests.helpers.spark_cluster import spark_cluster  # noqa: E402

NAMES = {"case": "case", "activity": "activity", "order": "time"}
PARTITIONS = 16


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("events", nargs="?", type=float, default=5e6)
    arguments.add_argument("--window", type=int, default=5)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="cluster-events-") as folder:
        measure(Path(folder), int(given.events), given.window)


def measure(folder, n_events, window):
    files = write_events(folder / "events", n_events)
    (folder / "history").mkdir()
    expected = timed(lambda: count_windows(pl.scan_parquet(files / "*.parquet"), window, **NAMES))
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    with spark_cluster(workers=2, memory="2g", java="") as cluster:
        session = start_session(cluster.url, folder / "history")
        try:
            events = session.read.parquet(str(files))
            count_windows(events, window, **NAMES)
            whole = timed(lambda: count_windows(events, window, **NAMES))
            killed = {}
            threading.Thread(target=kill_in_the_middle, args=(cluster, session, whole[1] / 2, killed), daemon=True).start()
            disturbed = timed(lambda: count_windows(events, window, **NAMES))
        finally:
            session.stop()
    noticed = what_spark_noticed(folder / "history")
    report(n_events, window, expected, whole, disturbed, killed, noticed)


def start_session(url, history):
    from pyspark.sql import SparkSession

    settings = {
        "spark.app.name": "actalike", "spark.executor.memory": "1g", "spark.driver.memory": "1g", "spark.log.level": "OFF",
        "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": PARTITIONS,
        "spark.sql.adaptive.coalescePartitions.enabled": "false",  # or else so few events are one task, which has no middle
        "spark.eventLog.enabled": "true", "spark.eventLog.dir": f"file://{history}", "spark.eventLog.compress": "false",
    }  # fmt: skip
    return SparkSession.builder.master(url).config(map=settings).getOrCreate()


def timed(count):
    started = time.perf_counter()
    return count(), time.perf_counter() - started


def kill_in_the_middle(cluster, session, after, killed):
    """Kill a worker after so many seconds, as soon as a stage is neither at its beginning nor at its end."""
    started = time.perf_counter()
    tracker = session.sparkContext.statusTracker()
    time.sleep(after)
    while not killed:
        for stage in filter(None, map(tracker.getStageInfo, tracker.getActiveStageIds())):
            if not killed and 0 < stage.numCompletedTasks < stage.numTasks - 1:
                killed |= {
                    "executors": cluster.kill_worker(0),
                    "after": time.perf_counter() - started,
                    "done": stage.numCompletedTasks,
                    "tasks": stage.numTasks,
                }
        time.sleep(0.005)


def what_spark_noticed(history):
    """The executors that Spark lost, the tasks that failed, by reason, and the stages that were tried again."""
    lost, failed, again = [], {}, 0
    for path in sorted(path for path in history.rglob("*") if path.is_file() and path.suffix != ".crc"):
        for line in path.read_text().splitlines():
            event = json.loads(line)
            if event["Event"] == "SparkListenerExecutorRemoved":
                lost.append(event["Removed Reason"].splitlines()[0])
            elif event["Event"] == "SparkListenerTaskEnd" and event["Task End Reason"]["Reason"] != "Success":
                reason = event["Task End Reason"]["Reason"]
                failed[reason] = failed.get(reason, 0) + 1
            elif event["Event"] == "SparkListenerStageSubmitted" and event["Stage Info"]["Stage Attempt ID"]:
                again += 1
    return lost, failed, again


def report(n_events, window, expected, whole, disturbed, killed, noticed):
    lost, failed, again = noticed
    print(f"\n{n_events:,} events in Parquet, window {window}; a master and two workers of one core each")
    for what, (counts, seconds) in (("in memory (Polars)", expected), ("on the cluster", whole), ("a worker killed", disturbed)):
        same = "the same table" if counts == expected[0] else "ANOTHER TABLE"
        print(
            f"  {what:<20}{seconds:>7.1f} s{seconds / whole[1]:>7.2f} x  {counts.n_events:,} events, {len(counts.counts):,} windows, {same}"
        )
    if not killed:
        sys.exit("The worker was not killed: no stage was seen in its middle. Count more events.")
    print(f"killed after {killed['after']:.1f} s, with {killed['done']} of {killed['tasks']} tasks of the stage done: a worker and its "
          f"executor (process {', '.join(map(str, killed['executors']))})")  # fmt: skip
    print(f"Spark noticed: {'; '.join(lost) or 'nothing'}")
    print(
        f"tasks that failed: {', '.join(f'{number} {reason}' for reason, number in failed.items()) or 'none'}; stages tried again: {again}"
    )
    if not (expected[0] == whole[0] == disturbed[0]):
        sys.exit("The tables differ.")
    if not failed:
        sys.exit("No task failed, so nothing was tried again.")


if __name__ == "__main__":
    main()
