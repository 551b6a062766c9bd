"""Processor time and memory of ``actalike.odd`` on RTFM, beside two detectors of the benchmark of anomalies.

Each detector has a process of its own with one thread, which reads the log as the benchmark does. Reading, counting the windows of 9 that
other commands count anyway, and detecting are timed apart; the best of three counts. Memory is the peak of the whole process,
interpreter, libraries and log included.
"""

import json
import os
import subprocess
import sys
import time

from timing import LOGS, fastest, fresh, peak_mib

NOTHING = "reading the file and counting windows"
METHODS = ("odd", "likelihood", "naive")


def missing():
    """Return why this cannot be measured here, None if it can."""
    return None if LOGS.is_dir() else f"there is no folder of logs at {LOGS}: name one by ACTALIKE_LOGS"


def tables(short):
    """Yield the names of tables, and their rows."""
    log = "Helpdesk" if short else "RTFM"
    before, *found = (measure(LOGS / f"{log}.xes.gz", method) for method in (NOTHING, *METHODS))
    rows = [[f"{log}, {before['events']:,} events", "seconds", "peak of the process"]]
    rows.append([NOTHING, f"{before['reading'] + before['seconds']:.1f}", f"{before['mib']:,.0f} MiB"])
    for method, facts in zip(METHODS, found, strict=True):
        ratio = facts["seconds"] / found[0]["seconds"]
        times = f" ({ratio:.1f} times)" if ratio > 1 else ""
        rows.append([f"`{method}`", f"{facts['seconds']:.2f}{times}", f"{facts['mib']:,.0f} MiB"])
    yield "odd-cost", rows


def measure(path, method):
    """Return what a detector takes, in a process of its own."""
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}
    command = [sys.executable, __file__, str(path), method]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, env=one_thread).stdout)


def measure_here(path, method):
    """Print what a detector takes, as JSON."""
    from actalike import EventLog, count_windows
    from actalike.benchmark.logs import find_logs
    from actalike.benchmark.tasks.anomaly_logs import read_with_attributes, takes_log
    from actalike.benchmark.tasks.detectors import DETECTORS

    if method != NOTHING:  # whatever is loaded on first use
        DETECTORS.make(method).fit(EventLog.from_traces([list("abcd"), list("abd")] * 20))
    files = find_logs([path], takes_log)
    (name,) = files.names
    start = time.process_time()
    log = read_with_attributes(files, name, None)
    reading = time.process_time() - start

    def work():
        again = fresh(log)
        again.attributes.update(log.attributes)
        count_windows(again, 9) if method == NOTHING else DETECTORS.make(method).fit(again)

    seconds = fastest(work, 1 if method == NOTHING else 3, time.process_time)
    print(json.dumps({"events": log.n_events, "reading": reading, "seconds": seconds, "mib": peak_mib()}))


if __name__ == "__main__":
    measure_here(*sys.argv[1:])
