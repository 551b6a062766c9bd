"""Reading XES: time and peak memory beside r4pm 0.6.2 (Rust), each reading in a process of its own, in turns.

    python measurements/reading.py [REPEATS]

r4pm reads all attributes into a frame, and returns a truncated file shortened without a word; actalike reads case, activity
and timestamp, and checks that the file is whole. "at rest" is what the process needs before it reads: mostly its imports.
"""

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
READERS = {
    "actalike": "import actalike; read = actalike.read_log",
    "r4pm": "from r4pm import df; read = df.import_xes",
}
PROGRAM = """
import json, resource, sys, time
{reader}
rest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.perf_counter()
log = read(sys.argv[1])
seconds = time.perf_counter() - start
print(json.dumps([seconds, rest / 1024, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


def measure(reader, path):
    program = PROGRAM.format(reader=READERS[reader])
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main(repeats):
    print(f"{'log':<12}{'actalike':>12}{'r4pm':>10}{'ratio':>8}   {'peak memory: actalike (at rest)':<34}{'r4pm (at rest)':<20}")
    for name in ("RTFM", "BPIC15_1"):
        path = LOGS / f"{name}.xes.gz"
        results = {reader: [] for reader in READERS}
        for _ in range(repeats):
            for reader in READERS:
                results[reader].append(measure(reader, path))
        ours, theirs = (statistics.median(r[0] for r in results[reader]) for reader in ("actalike", "r4pm"))
        memory = [
            f"{statistics.median(r[2] for r in results[reader]):.0f} MB ({statistics.median(r[1] for r in results[reader]):.0f} MB)"
            for reader in ("actalike", "r4pm")
        ]
        print(
            f"{name:<12}{ours:>10.2f} s{theirs:>8.2f} s{ours / theirs:>8.2f}   {memory[0]:<34}{memory[1]:<20}",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
