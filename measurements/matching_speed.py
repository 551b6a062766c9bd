"""How processor time and memory of matching two logs grow with their number of activities, beside Zhu's similarity.

The two logs are two draws of one random process: every step has a few steps that can follow it, most of them near, a tenth of the
steps is missing in the second log, and nothing has the same name. Cases have 30 to 60 events, and there are 125 events for each
activity (50,000 for 400). Each size and method has a process of its own with one thread. The time starts with two EventLogs; the
memory is the peak of the whole process, the interpreter and the libraries included.
"""

import json
import os
import subprocess
import sys
import time

import numpy as np
from timing import peak_mib

from actalike import EventLog, match
from actalike.benchmark.tasks.neighbour_similarity import zhu_similarity

SIZES = (100, 200, 400, 800, 1_600, 2_000)
LARGEST_OF_ZHU = 400  # it compares all steps of one log with all of the other: minutes, and gigabytes
EVENTS, FOLLOWERS, MISSING = 125, 4, 0.1
CHANCES = (0.55, 0.25, 0.15, 0.05)
METHODS = {"match": match, "zhu": zhu_similarity}


def process(n, chance):
    """The steps that can follow each of n steps: near ones, and one anywhere."""
    near = (np.arange(n)[:, np.newaxis] + chance.integers(1, 12, (n, FOLLOWERS))) % n
    near[:, -1] = chance.integers(0, n, n)
    return near


def draw(follows, n_events, chance, prefix, is_there):
    """A log of some cases of a process, without the steps that are not there."""
    n, lengths = len(follows), chance.integers(30, 61, n_events // 45)
    starts = chance.integers(0, max(n // 20, 1), len(lengths)) * 20 % n
    columns = [starts]
    while len(columns) < lengths.max():
        columns.append(follows[columns[-1], chance.choice(FOLLOWERS, len(lengths), p=CHANCES)])
    codes = np.stack(columns, axis=1)
    is_event = (np.arange(codes.shape[1]) < lengths[:, np.newaxis]) & is_there[codes]
    names = [f"{prefix}{i:05}" for i in chance.permutation(n)]
    offsets = np.concatenate([[0], np.cumsum(is_event.sum(axis=1))])
    return EventLog(names, codes[is_event], offsets, [str(i) for i in range(len(lengths))])


def two_logs(n, seed=18):
    """Two logs of n activities at most."""
    chance = np.random.default_rng(seed)
    follows = process(n, chance)
    is_there = chance.random(n) >= MISSING
    return draw(follows, EVENTS * n, chance, "a", np.ones(n, dtype=bool)), draw(follows, EVENTS * n, chance, "b", is_there)


def missing():
    """Return why this cannot be measured here: it always can."""


def tables(short):
    """Yield the names of tables, and their rows."""
    rows = [["activities", "events", "match", "peak", "growth", "Zhu", "peak", "match / Zhu"]]
    before = None
    for n in SIZES[: 2 if short else None]:
        ours = measure(n, "match")
        growth = f"x {ours['seconds'] / before['seconds']:.1f}" if before else ""
        row = [" x ".join(f"{size:,}" for size in ours["sizes"]), " and ".join(f"{events:,}" for events in ours["events"])]
        row += [f"{ours['seconds']:.2f} s", f"{ours['mib']:,.0f} MiB", growth]
        if n <= LARGEST_OF_ZHU:
            theirs = measure(n, "zhu")
            row += [f"{theirs['seconds']:.2f} s", f"{theirs['mib']:,.0f} MiB", f"{ours['seconds'] / theirs['seconds']:.2f}"]
        rows.append([*row, *[""] * (8 - len(row))])
        before = ours
    yield "matching-cost", rows


def measure(n, method):
    """Return what a method takes, in a process of its own."""
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, __file__, str(n), method]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, env=one_thread).stdout)


def measure_here(n, method):
    """Print what a method takes, as JSON."""
    METHODS[method](*two_logs(20))  # whatever is loaded on first use
    logs = two_logs(n)
    start = time.process_time()
    METHODS[method](*logs)
    seconds = time.process_time() - start
    sizes = [len(log.activities) for log in logs]
    print(json.dumps({"sizes": sizes, "events": [log.n_events for log in logs], "seconds": seconds, "mib": peak_mib()}))


if __name__ == "__main__":
    measure_here(int(sys.argv[1]), sys.argv[2])
