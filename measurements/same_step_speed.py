"""Measure how long it takes to compare all labels of a log in pairs and to propose groups, beside the distances of kin.

    python measurements/same_step_speed.py                   # 400 activities and 1.5 million events, then 2,000 activities
    python measurements/same_step_speed.py --labels 5000 --events 500000
    python measurements/same_step_speed.py --labels 2000 --profile

The log has steps with four interchangeable names each, and every step has a few steps that can follow it. The clock starts with an
EventLog and includes finding its variants and counting its windows. The peak of the memory is that of the whole process, in which
the largest log comes last.
"""

import argparse
import cProfile
import pstats
import resource
import time

import numpy as np
from timing import fresh

from actalike import EventLog, embed, group, same_step

NAMES, FOLLOWERS, LENGTH = 4, 4, 15
SIZES = ((400, 1_500_000), (2_000, 200_000))


def planted(n, n_events, seed=16):
    """A log of n labels, four names for each step, in cases of 15 events."""
    chance = np.random.default_rng(seed)
    n_steps, n_cases = n // NAMES, n_events // LENGTH
    follows = chance.integers(0, n_steps, (n_steps, FOLLOWERS))
    steps = [chance.integers(0, n_steps, n_cases)]
    while len(steps) < LENGTH:
        steps.append(follows[steps[-1], chance.integers(0, FOLLOWERS, n_cases)])
    codes = np.stack(steps, axis=1) * NAMES + chance.integers(0, NAMES, (n_cases, LENGTH))
    labels = [f"step {i:05}" for i in range(n)]
    return EventLog(labels, codes.ravel(), np.arange(n_cases + 1) * LENGTH, [str(i) for i in range(n_cases)])


def timed(function, log):
    """Return the seconds that a function of a log takes, and its result."""
    log, start = fresh(log), time.perf_counter()
    result = function(log)
    return time.perf_counter() - start, result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", type=int)
    parser.add_argument("--events", type=int, default=200_000)
    parser.add_argument("--profile", action="store_true", help="also print where the time of group() goes")
    arguments = parser.parse_args()
    group(planted(40, 4_000))  # whatever is loaded on first use
    print("| activities | events | kin-w5 distances | same_step | group | group / kin | groups | peak |\n" + "|---" * 8 + "|")
    for n, n_events in [(arguments.labels, arguments.events)] if arguments.labels else SIZES:
        log = planted(n, n_events)
        kin, _ = timed(lambda log: embed(log, "kin-w5").distances(), log)
        compared, _ = timed(lambda log: same_step(log).probabilities().shape, log)
        grouped, groups = timed(group, log)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            f"| {n:,} | {log.n_events:,} | {kin:.2f} s | {compared:.2f} s | {grouped:.2f} s | {grouped / kin:.1f} | "
            f"{len(groups):,} | {peak:.1f} GiB |",
            flush=True,
        )
        if arguments.profile:
            with cProfile.Profile() as profile:
                group(fresh(log))
            pstats.Stats(profile).sort_stats("cumtime").print_stats(30)


if __name__ == "__main__":
    main()
