"""How the benchmarks take times."""

import time

from actalike import EventLog


def fastest(function, repeats):
    """The seconds of the fastest of several calls."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def fresh(log):
    """The same log without its remembered variants: finding them is part of the work."""
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids)
