"""Measure how processor time and memory of matching two logs grow with their number of activities, beside Zhu's similarity.

    python measurements/matching_speed.py                      # all sizes, a table
    python measurements/matching_speed.py --sizes 400 --profile

The two logs are two draws of one random process: every step has a few steps that can follow it, most of them near, a tenth of the
steps is missing in the second log, and nothing has the same name. Cases have 30 to 60 events, and there are 125 events for each
activity (50,000 for 400). Each size and method has a process of its own with one thread. The time starts with two EventLogs; the
memory is the peak of the whole process, the interpreter and the libraries included.
"""

import argparse
import cProfile
import json
import pstats
import resource
import subprocess
import sys
import time

import numpy as np
from threadpoolctl import threadpool_limits

from actalike import EventLog, match
from actalike.benchmark.neighbour_similarity import zhu_similarity

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


def measure_here(n, method, with_profile):
    """Print what a method takes, as JSON; this is what the process of one size does."""
    METHODS[method](*two_logs(20))  # whatever is loaded on first use
    logs = two_logs(n)
    with threadpool_limits(1):
        start = time.process_time()
        if with_profile:
            with cProfile.Profile() as profile:
                METHODS[method](*logs)
            pstats.Stats(profile, stream=sys.stderr).sort_stats("tottime").print_stats(25)
        else:
            METHODS[method](*logs)
        seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    sizes = [len(log.activities) for log in logs]
    print(json.dumps({"sizes": sizes, "events": [log.n_events for log in logs], "seconds": seconds, "mib": peak}))


def measure(n, method, with_profile):
    """Return what a method takes in a process of its own."""
    command = [sys.executable, __file__, "--sizes", str(n), "--only", method, *(["--profile"] if with_profile else [])]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--profile", action="store_true", help="also print where the time goes")
    parser.add_argument("--only", choices=METHODS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.only:
        measure_here(arguments.sizes[0], arguments.only, arguments.profile)
        return
    print("| activities | events | match | peak | growth | Zhu | peak | match / Zhu |\n" + "|---" * 8 + "|")
    before = None
    for n in arguments.sizes:
        ours = measure(n, "match", arguments.profile)
        theirs = measure(n, "zhu", False) if n <= LARGEST_OF_ZHU else None
        growth = f"x {ours['seconds'] / before['seconds']:.1f}" if before else ""
        cells = [" x ".join(f"{size:,}" for size in ours["sizes"]), " and ".join(f"{events:,}" for events in ours["events"])]
        cells += [f"{ours['seconds']:.2f} s", f"{ours['mib']:,.0f} MiB", growth]
        if theirs:
            cells += [f"{theirs['seconds']:.2f} s", f"{theirs['mib']:,.0f} MiB", f"{ours['seconds'] / theirs['seconds']:.2f}"]
        else:
            cells += ["", "", ""]
        print(f"| {' | '.join(cells)} |", flush=True)
        before = ours


if __name__ == "__main__":
    main()
