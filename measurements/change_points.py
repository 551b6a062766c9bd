"""Processor seconds of ``actalike.change_points`` on public logs (the folder ACTALIKE_LOGS). ``actalike benchmark change_points`` has
how good it is.

    python measurements/change_points.py
"""

import os
import time
from pathlib import Path

from actalike import change_points, read_log

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))


def main():
    for path in sorted(LOGS.glob("*.gz")):
        log = read_log(path)
        start = time.process_time()
        found = change_points(log)
        seconds = time.process_time() - start
        name = path.name.split(".")[0]
        print(f"{name:<30}{log.n_events:>10,} events {seconds:>7.2f} s of a processor, {len(found.points)} changes", flush=True)


if __name__ == "__main__":
    main()
