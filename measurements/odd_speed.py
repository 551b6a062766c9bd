"""Measure processor time and memory of ``actalike.odd`` on a log, beside other detectors of odd cases in the same run.

    python measurements/odd_speed.py                           # RTFM, from the folder of real logs (ACTALIKE_LOGS)
    python measurements/odd_speed.py orders.xes.gz --attributes user --methods odd likelihood

The detectors are those of the benchmark of anomalies. Each has a process of its own with one thread, which reads the log as the
benchmark does. Reading, counting the windows of 9 that other commands count anyway, and detecting are timed apart; the best of
``--repeats`` counts. Memory is the peak of the whole process, interpreter, libraries and log included; what stands first has read
and counted the log, and does nothing more.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

from threadpoolctl import threadpool_limits

ROOT = Path(__file__).parents[1]
LOGS = Path(os.environ.get("ACTALIKE_LOGS", ROOT.parent / "shared" / "event_logs"))
METHODS = ("odd", "odd-activities", "likelihood", "naive", "w2v-lof")
NOTHING = "reading and counting"


def measure_here(path, method, attributes, repeats):
    """Print what a detector takes, as JSON; this is what the process of one detector does."""
    from actalike import EventLog, count_windows
    from actalike.benchmark.anomalies.benchmark_logs import read_with_attributes, takes_log
    from actalike.benchmark.anomalies.contract import DETECTORS
    from actalike.benchmark.logs import find_logs

    if method != NOTHING:  # whatever is loaded on first use
        DETECTORS.make(method).fit(EventLog.from_traces([list("abcd"), list("abd")] * 20))
    files = find_logs([path], takes_log)
    (name,) = files.names
    with threadpool_limits(1):
        start = time.process_time()
        log = read_with_attributes(files, name, attributes)
        read = time.process_time()
        counted = None
        if method == NOTHING:
            count_windows(log, 9)
            counted = time.process_time() - read
        times = []
        for _ in range(repeats if method != NOTHING else 0):
            fresh = EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes=log.attributes)  # no variants kept
            start_again = time.process_time()
            DETECTORS.make(method).fit(fresh)
            times.append(time.process_time() - start_again)
    facts = {
        "name": name,
        "cases": log.n_cases,
        "events": log.n_events,
        "attributes": len(log.attributes),
        "reading": read - start,
    }
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    print(json.dumps({**facts, "counting": counted, "seconds": min(times, default=0.0), "mib": peak}))


def measure(path, method, attributes, repeats, patience):
    """Return what a detector takes in a process of its own, None if that is longer than the patience, in seconds."""
    command = [sys.executable, __file__, str(path), "--only", method, "--repeats", str(repeats)]
    if attributes is not None:
        command += ["--attributes", *attributes]
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, env=one_thread, timeout=patience)
    except subprocess.TimeoutExpired:
        return None
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log", type=Path, nargs="?", default=LOGS / "RTFM.xes.gz")
    parser.add_argument("--attributes", nargs="*", help="of a log that is not one of the benchmark")
    parser.add_argument("--methods", nargs="+", default=METHODS)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--patience", type=float, default=300, help="seconds after which a detector is ended")
    parser.add_argument("--only", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only:
        measure_here(given.log, given.only, given.attributes, given.repeats)
        return
    before = measure(given.log, NOTHING, given.attributes, 1, given.patience)
    print(f"{before['name']}: {before['cases']:,} cases, {before['events']:,} events, {before['attributes']} attributes")
    print(f"reading {before['reading']:.2f} s, counting {before['counting']:.2f} s, peak {before['mib']:,.0f} MiB\n")
    print("| detector | seconds | / reading | / the first | peak | more than reading and counting |\n" + "|---" * 6 + "|")
    first = None
    for method in given.methods:
        facts = measure(given.log, method, given.attributes, given.repeats, given.patience)
        if facts is None:
            print(f"| {method} | ended after {given.patience:g} s, reading included | | | | |", flush=True)
            continue
        first = first or facts["seconds"]
        cells = [method, f"{facts['seconds']:.2f} s", f"{facts['seconds'] / before['reading']:.2f}"]
        cells += [f"{facts['seconds'] / first:.2f}", f"{facts['mib']:,.0f} MiB", f"{facts['mib'] - before['mib']:+,.0f} MiB"]
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
