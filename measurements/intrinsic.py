"""The whole intrinsic benchmark, several times, for docs/reproduction.md: results and times.

    python measurements/intrinsic.py counts OUT [JOBS]

runs the 36 count settings. OUT gets a folder of results for each seed (``authors-0``, ``authors-1``, ..., ``paper-0``) and
``times.csv``: seconds a log. Logs that take under a minute are run with ten seeds, the others with three.

    python measurements/intrinsic.py substitution OUT [JOBS]
    python measurements/intrinsic.py slow OUT [JOBS]

run the methods that the paper compares with: substitution scores and one-hot on all logs with ten seeds; act2vec and process
structure, which are slow, with one sample a cell and on the logs and seeds that SLOW lists. Stop any of these at any time; the same
command goes on. The autoencoders are in measurements/autoencoder_gpu.py.

    python measurements/intrinsic.py scaling LOG [LOG ...]

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
TINY = ["CCC19", "Env_Permit", "Helpdesk", "BPIC13_closed_problems", "BPIC13_open_problems"]
SMALL = [*TINY, "BPIC20_PrepaidTravelCost", "BPIC20_RequestForPayment", "BPIC12_O"]
MEDIUM = ["BPIC12_A", "RTFM", "Hospital_Billing", "BPIC20_DomesticDeclarations", "BPIC12_W_Complete"]
ACT2VEC = ["act2vec-*-w[359]"]
SLOW = [  # methods, logs, seeds
    ([*ACT2VEC, "process-structure"], TINY, 2),
    (ACT2VEC, SMALL, 1),
    (["process-structure"], [*SMALL, *MEDIUM], 1),
    (["act2vec-*-span[359]", "process-structure-fixed"], TINY, 1),
]
METHODS = [f"{m}-{c}-*-w{n}" for m in ("ac", "aa") for c in ("sequence", "multiset") for n in (3, 5, 9)]


def run(out, mode, seed, paths, jobs, methods=METHODS, samples=5):
    """Run some logs; the seconds it took."""
    command = ["-m", "actalike", "benchmark", "intrinsic", "--logs", *paths, "--out", out / f"{mode}-{seed}", "--methods", *methods,
               "--mode", mode, "--seed", seed, "--samples", samples, "--jobs", jobs]  # fmt: skip
    start = time.perf_counter()
    subprocess.run([sys.executable, *map(str, command)], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def substitution(out, jobs):
    logs = [path for name, path in datasets.find(LOGS).items() if datasets.paper_log(name).intrinsic]
    for seed in range(10):
        run(out, "authors", seed, logs, jobs, ["substitution-w[359]", "one-hot"])


def slow(out, jobs):
    found = datasets.find(LOGS)
    for methods, names, seeds in SLOW:
        for seed in range(seeds):
            run(out, "authors", seed, [found[name] for name in names], jobs, methods, samples=1)


def counts(out, jobs):
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


if __name__ == "__main__":
    parts = {"counts": counts, "substitution": substitution, "slow": slow}
    if sys.argv[1:2] == ["scaling"] and len(sys.argv) > 2:
        scaling(sys.argv[2:])
    elif len(sys.argv) > 2 and sys.argv[1] in parts:
        parts[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 2)
    else:
        sys.exit(__doc__)
