"""Reading XES: time and peak memory beside r4pm 0.6.2 (Rust), each reading in a process of its own, in turns.

    python measurements/reading.py [REPEATS [NAME ...]]     # 5 times; every .xes.gz in the folder of logs

r4pm reads all attributes into a frame, and returns a truncated file shortened without a word; actalike reads case, activity
and timestamp, and checks that the file is whole. "at rest" is what the process needs before it reads: mostly its imports. The
ratio is r4pm's time divided by actalike's, of the medians and of the CPU seconds: on a busy machine the latter are steadier.
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
start, before = time.perf_counter(), time.process_time()
log = read(sys.argv[1])
seconds, cpu = time.perf_counter() - start, time.process_time() - before
print(json.dumps([seconds, cpu, rest / 1024, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


def measure(reader, path):
    program = PROGRAM.format(reader=READERS[reader])
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main(repeats, names):
    print(
        f"{'log':<32}{'actalike':>10}{'r4pm':>10}{'ratio':>8}{'of CPU':>8}   {'peak memory: actalike (at rest)':<34}{'r4pm (at rest)':<20}"
    )
    for name in names or sorted(path.name.removesuffix(".xes.gz") for path in LOGS.glob("*.xes.gz")):
        path = LOGS / f"{name}.xes.gz"
        results = {reader: [] for reader in READERS}
        for _ in range(repeats):
            for reader in READERS:
                results[reader].append(measure(reader, path))
        median = {reader: [statistics.median(column) for column in zip(*rows, strict=True)] for reader, rows in results.items()}
        ours, theirs = median["actalike"], median["r4pm"]
        memory = [f"{peak:.0f} MB ({rest:.0f} MB)" for _, _, rest, peak in (ours, theirs)]
        print(
            f"{name:<32}{ours[0]:>8.2f} s{theirs[0]:>8.2f} s{theirs[0] / ours[0]:>8.2f}{theirs[1] / ours[1]:>8.2f}   "
            f"{memory[0]:<34}{memory[1]:<20}",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5, sys.argv[2:])
