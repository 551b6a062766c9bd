"""The whole intrinsic benchmark of the 36 count settings, several times, for docs/reproduction.md: results and times.

    python benchmarks/intrinsic.py OUT [JOBS]

OUT gets a folder of results for each seed (``authors-0``, ``authors-1``, ..., ``paper-0``) and ``times.csv``: seconds a log.
Logs that take under a minute are run with ten seeds, the others with three. Stop it at any time; the same command goes on.
"""

import csv
import os
import subprocess
import sys
import time
from pathlib import Path

from actalike import datasets

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
METHODS = [f"{m}-{c}-*-w{n}" for m in ("ac", "aa") for c in ("sequence", "multiset") for n in (3, 5, 9)]


def run(out, mode, seed, path, jobs):
    """Run one log; the seconds it took."""
    options = [f"--methods={pattern}" for pattern in METHODS]
    command = [
        sys.executable,
        "-m",
        "actalike",
        "benchmark",
        "intrinsic",
        "--logs",
        path,
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
            times[mode, seed, name] = run(out, mode, seed, path, jobs)
            print(f"{mode} {seed} {name}: {times[mode, seed, name]:.1f} s", flush=True)
            with times_file.open("w") as file:
                writer = csv.writer(file)
                writer.writerow(["mode", "seed", "log", "seconds", "jobs"])
                writer.writerows([*key, f"{seconds:.1f}", jobs] for key, seconds in times.items())


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 2)
