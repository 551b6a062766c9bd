"""What the parts of bench.py share: where the logs are, and how times are taken."""

import os
import re
import resource
import time
from pathlib import Path

from actalike import EventLog

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))


def fastest(function, repeats, clock=time.perf_counter):
    """The seconds of the fastest of several calls, by a clock; time.process_time does not count what other processes take."""
    times = []
    for _ in range(repeats):
        start = clock()
        function()
        times.append(clock() - start)
    return min(times)


def peak_mib():
    """The most memory that this process had at a time; on Linux without that of the process which started it."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.search(r"VmHWM:\s+(\d+)", status.read_text())[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def fresh(log):
    """The same log without its remembered variants: finding them is part of the work."""
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids)
