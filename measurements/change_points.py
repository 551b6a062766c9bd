"""Processor seconds of ``actalike.change_points`` for logs with a million events, and whether they grow with the events.

The cases of a log are repeated near to where they are, so that the changes are about those of the log: each change that is found
takes two or three tests. Needs the folder of logs (ACTALIKE_LOGS). ``actalike benchmark change_points`` says how good the changes are.

    python measurements/change_points.py [LOG ...]

The ratio is that of the seconds to those of sorting 100 million numbers, which depends less on the machine. ``twice`` is the ratio of
the seconds for twice as many events: 2 is linear.
"""

import os
import sys
import time
from pathlib import Path

import numpy as np

from actalike import EventLog, change_points, read_log
from actalike.log import case_beginnings

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
CHOSEN = ("BPIC15_1", "RTFM", "BPIC12", "Hospital_Billing")
EVENTS = 1_000_000


def repeated(log, times):
    """Return a log with each case so many times, not beside itself but within 30 cases: a longer log with about the same changes."""
    starts = case_beginnings(log)
    in_time = np.argsort(starts, kind="stable")
    near = np.repeat(np.arange(log.n_cases), times) + np.random.default_rng(0).uniform(0, 30, log.n_cases * times)
    cases = in_time[np.repeat(np.arange(log.n_cases), times)[np.argsort(near)]]
    new_starts = np.repeat(starts[in_time], times)
    lengths = log.lengths[cases]
    offsets = np.append(0, np.cumsum(lengths))
    events = np.repeat(log.offsets[cases] - offsets[:-1], lengths) + np.arange(offsets[-1])
    moments = log.timestamps[events] + np.repeat(new_starts - starts[cases], lengths)
    return EventLog(log.activities, log.codes[events], offsets, [str(case) for case in range(len(cases))], moments)


def seconds_of(work, given):
    """Return the processor seconds of a call."""
    start = time.process_time()
    work(given)
    return time.process_time() - start


def main():
    numbers = np.random.default_rng(0).random(10_000_000)
    unit = 10 * seconds_of(np.sort, numbers)
    print(f"{'log':<20}{'activities':>10}{'events':>12}{'seconds':>9}{'ratio':>7}{'twice':>7}")
    for name in sys.argv[1:] or CHOSEN:
        log = read_log(next(LOGS.glob(f"{name}.*")))
        times = max(1, round(EVENTS / log.n_events))
        once, twice = (seconds_of(change_points, repeated(log, n)) for n in (times, 2 * times))
        figures = f"{len(log.activities):>10}{times * log.n_events:>12,}{once:>9.1f}{once / unit:>7.2f}{twice / once:>7.2f}"
        print(f"{name:<20}{figures}", flush=True)


if __name__ == "__main__":
    main()
