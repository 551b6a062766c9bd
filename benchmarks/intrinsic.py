"""The whole intrinsic benchmark of the 36 count settings, several times, for docs/reproduction.md: results and times.

    python benchmarks/intrinsic.py OUT [JOBS]

OUT gets a folder of results for each seed (``authors-0``, ``authors-1``, ..., ``paper-0``) and ``times.csv``: seconds a log.
Logs that take under a minute are run with ten seeds, the others with three. Stop it at any time; the same command goes on.

    python benchmarks/intrinsic.py scaling LOG [LOG ...]

runs some logs in one go, with one process and with two, and prints seconds, their ratio, and the peak memory of all processes
together.
"""

import csv
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from actalike import datasets

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
METHODS = [f"{m}-{c}-*-w{n}" for m in ("ac", "aa") for c in ("sequence", "multiset") for n in (3, 5, 9)]


def run(out, mode, seed, paths, jobs):
    """Run some logs; the seconds it took."""
    options = [f"--methods={pattern}" for pattern in METHODS]
    command = [
        sys.executable,
        "-m",
        "actalike",
        "benchmark",
        "intrinsic",
        *[part for path in paths for part in ("--logs", path)],
        "--out",
        out / f"{mode}-{seed}",
        *options,
    ]
    start = time.perf_counter()
    subprocess.run(
        [*map(str, command), "--mode", mode, "--seed", str(seed), "--jobs", str(jobs)], check=True, stdout=subprocess.DEVNULL
    )
    return time.perf_counter() - start


def main(out, jobs):
    out.mkdir(parents=True, exist_ok=True)
    logs = {name: path for name, path in datasets.find(LOGS).items() if datasets.paper_log(name).intrinsic}
    times_file = out / "times.csv"
    times = {}
    if times_file.exists():
        with times_file.open() as file:
            times = {(row["mode"], int(row["seed"]), row["log"]): float(row["seconds"]) for row in csv.DictReader(file)}
    plan = [("authors", seed) for seed in range(3)] + [("paper", 0)] + [("authors", seed) for seed in range(3, 10)]
    for mode, seed in plan:
        for name, path in logs.items():
            if (mode, seed, name) in times or (seed >= 3 and times["authors", 0, name] >= 60):
                continue
            times[mode, seed, name] = run(out, mode, seed, [path], jobs)
            print(f"{mode} {seed} {name}: {times[mode, seed, name]:.1f} s", flush=True)
            with times_file.open("w") as file:
                writer = csv.writer(file)
                writer.writerow(["mode", "seed", "log", "seconds", "jobs"])
                writer.writerows([*key, f"{seconds:.1f}", jobs] for key, seconds in times.items())


def scaling(names):
    found = datasets.find(LOGS)
    seconds, memory = {}, {}
    for jobs in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            watch = Watch()
            seconds[jobs] = run(Path(folder), "authors", 0, [found[name] for name in names], jobs)
            memory[jobs] = watch.stop()
    print(f"{', '.join(names)}: 1 job {seconds[1]:.1f} s ({memory[1]:.0f} MB), 2 jobs {seconds[2]:.1f} s ({memory[2]:.0f} MB)")
    print(f"ratio {seconds[1] / seconds[2]:.2f}")


class Watch(threading.Thread):
    """The most memory that all processes below this one held at a time, by looking five times a second (Linux)."""

    def __init__(self):
        super().__init__(daemon=True)
        self.most, self.done = 0.0, threading.Event()
        self.start()

    def run(self):
        while not self.done.wait(0.2):
            self.most = max(self.most, sum(map(resident, descendants(os.getpid()))))

    def stop(self):
        self.done.set()
        self.join()
        return self.most


def descendants(pid):
    try:
        children = [
            int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
        ]
    except OSError:
        return []
    return [grandchild for child in children for grandchild in (child, *descendants(child))]


def resident(pid):
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, IndexError):
        return 0.0


if __name__ == "__main__" and sys.argv[1] == "scaling":
    scaling(sys.argv[2:])
elif __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 2)
