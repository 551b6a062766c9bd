"""Measure how seconds and memory grow with the number of activities: each case is one command in a process of its own.

    python measurements/growth.py FOLDER [NAME ...] [--before CHECKOUT] [--memory 7] [--seconds 600]

``FOLDER`` keeps the made-up logs. ``NAME`` is the beginning of one or more cases, all by default. ``--before`` runs each case
with the code of another checkout too and prints the ratio. ``--memory`` (GiB) and ``--seconds`` stop a case.

The logs: *planted* has steps with ten interchangeable names each, and every step has a few steps that can follow it. *zipf* draws
each event on its own, by Zipf's law, so that the frequent activities are everywhere. *one case* is one case of many events.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

SOURCE = Path(__file__).parents[1] / "src"


class Case(NamedTuple):
    """A command to measure: the log it reads, and what follows the name of the log."""

    name: str
    log: tuple  # kind, activities, events
    command: str
    options: tuple[str, ...] = ()


class Figures(NamedTuple):
    """What a command took: the time on the clock, that of all processors together, and the peak of its memory."""

    seconds: float
    cpu: float
    gib: float

    def words(self):
        """Return the figures as one cell of the table."""
        return f"{self.seconds:.0f} s, {self.cpu:.0f} s, {self.gib:.2f} GiB"


CASES = [
    Case("labels 2,000", ("planted", 2_000, 200_000), "similar"),
    Case("similar 2,000", ("planted", 2_000, 200_000), "similar", ("-m", "kin-w5")),
    Case("similar 5,000", ("planted", 5_000, 500_000), "similar", ("-m", "kin-w5")),
    Case("similar 20,000 planted", ("planted", 20_000, 500_000), "similar", ("-m", "kin-w5")),
    Case("similar 20,000 zipf", ("zipf", 20_000, 1_000_000), "similar", ("-m", "kin-w5")),
    Case("similar one of 20,000", ("zipf", 20_000, 1_000_000), "similar", ("a19999", "-m", "kin-w5")),
    Case("group 5,000", ("planted", 5_000, 500_000), "group", ("--json",)),
    Case("group 20,000 planted", ("planted", 20_000, 500_000), "group", ("--json",)),
    Case("group 20,000 zipf", ("zipf", 20_000, 1_000_000), "group", ("--json",)),
    Case("explain 2,000", ("planted", 2_000, 200_000), "explain", ("a0", "a1")),
    Case("explain 20,000", ("zipf", 20_000, 1_000_000), "explain", ("a0", "a1", "-m", "kin-w5")),
    Case("report 1,000", ("planted", 1_000, 100_000), "report", ("-o", "{out}.html")),
    Case("report 5,000", ("planted", 5_000, 500_000), "report", ("-o", "{out}.html")),
    Case("report 5,000 zipf", ("zipf", 5_000, 500_000), "report", ("-o", "{out}.html")),
    Case("one case of 10,000,000 events", ("one case", 50, 10_000_000), "similar"),
    Case("aa-sequence of 100,000", ("zipf", 100_000, 1_000_000), "similar", ("-m", "aa-sequence-pmi-w3", "--resamples", "0")),
    Case("kin of 100,000", ("zipf", 100_000, 1_000_000), "similar", ("-m", "kin-w5")),
    Case("embed 5,000", ("planted", 5_000, 500_000), "embed", ("-o", "{out}.actalike")),
    Case("substitution 20,000", ("planted", 20_000, 500_000), "similar", ("-m", "substitution-w3", "--resamples", "0")),
]


def main():
    """Measure the chosen cases, and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--before", type=Path)
    parser.add_argument("--memory", type=float, default=7)
    parser.add_argument("--seconds", type=float, default=600)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    print("| case | time | processor time | peak memory | before | ratio | ends with |\n|---|---|---|---|---|---|---|")
    for case in CASES:
        if options.names and not any(case.name.startswith(name) for name in options.names):
            continue
        log = write_log(options.folder, *case.log)
        figures, end = measure(case, log, SOURCE, options)
        before, ratio = "", ""
        if options.before is not None:
            figures_before, end_before = measure(case, log, options.before / "src", options)
            before = f"{figures_before.words()}{'' if end_before.startswith('exit 0') else ', ' + end_before}"
            ratio = f"{figures.cpu / figures_before.cpu:.2f}"
        cells = [case.name, f"{figures.seconds:.0f} s", f"{figures.cpu:.0f} s", f"{figures.gib:.2f} GiB", before, ratio, end]
        print(f"| {' | '.join(cells)} |", flush=True)


def measure(case, log, source, options):
    """Return what a command took, and how it ended."""
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        words = [word.format(out=Path(folder) / "out") for word in case.options]
        command = [sys.executable, "-m", "actalike", case.command, str(log), *words]
        environment = os.environ | {"PYTHONPATH": str(source)}
        limit = int(options.memory * 2**30)
        start = time.perf_counter()
        process = subprocess.Popen(
            command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)),
        )  # fmt: skip
        timer = subprocess.Popen(["sh", "-c", f"sleep {options.seconds}; kill {process.pid}"], start_new_session=True)
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - start
        os.killpg(timer.pid, 15)
        timer.wait()
    lines = output.strip().splitlines() or [""]
    figures = Figures(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 2**20)
    return figures, f"exit {process.returncode}: {lines[-1][:100]}"


def write_log(folder, kind, activities, events):
    """Write a made-up log unless it is there, and return its path."""
    path = folder / f"{kind.replace(' ', '_')}-{activities}-{events}.csv"
    if not path.exists():
        case, codes = LOGS[kind](np.random.default_rng(1), activities, events)
        labels = pl.Series([f"a{code}" for code in range(activities)])
        pl.DataFrame({"case": case, "activity": labels[codes]}).write_csv(path)
    return path


def zipf(rng, activities, events):
    """Draw each event on its own, by Zipf's law; each activity occurs at least twice. Cases have 20 events."""
    weights = 1 / np.arange(1, activities + 1)
    drawn = rng.choice(activities, events - 2 * activities, p=weights / weights.sum())
    codes = rng.permutation(np.concatenate([drawn, np.tile(np.arange(activities), 2)]))
    return np.arange(events) // 20, codes


def planted(rng, activities, events):
    """Walk from step to step, each of which has ten names and five steps that can follow it. Cases have 20 events."""
    steps = activities // 10
    follows = rng.integers(0, steps, (steps, 5))
    step = rng.integers(0, steps, events // 20)
    columns = []
    for _ in range(20):
        columns.append(step * 10 + rng.integers(0, 10, len(step)))
        step = follows[step, rng.choice(5, len(step), p=[0.5, 0.2, 0.15, 0.1, 0.05])]
    return np.repeat(np.arange(len(step)), 20), np.stack(columns, axis=1).ravel()


def one_case(rng, activities, events):
    """Draw all events of one case."""
    return np.zeros(events, dtype=np.int64), rng.integers(0, activities, events)


LOGS = {"zipf": zipf, "planted": planted, "one case": one_case}

if __name__ == "__main__":
    main()
