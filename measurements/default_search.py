"""The search for a default method: chosen on half of the logs, confirmed on the other half.

    python measurements/default_search.py run OUT [JOBS]       # all candidates on all logs, full grid, one sample a cell
    python measurements/default_search.py choose OUT           # the table: the half that chooses, the half that confirms
    python measurements/default_search.py compare RESULTS METHOD   # METHOD against the best of the other methods, metric by metric

The halves are the logs in alphabetical order, every second one. A candidate's worth is the mean of the four metrics, over the logs
of the choosing half. Nothing is tuned for a log: the number of rounds depends on the number of activities alone. ``compare`` takes a
folder of results with all samples (of `actalike benchmark intrinsic`), and gives paired bootstrap intervals over logs.
"""

import os
import sys
from functools import partial
from pathlib import Path

import numpy as np

from actalike import benchmark, register
from actalike.benchmark.intrinsic import METRICS
from actalike.cli.console import working_progress
from actalike.methods.kin import FEW_ACTIVITIES, KinEmbedder

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))


class Candidate(KinEmbedder):
    """Kin with its parameters in the name; ``rounds`` "3-2" is 3, and 2 for more than 100 activities."""

    def __init__(self, window, rounds, shrinkage):
        super().__init__(window, rounds, shrinkage)

    def fit(self, log):
        few, many = self.rounds
        rounds = few if len(log.activities) <= FEW_ACTIVITIES else many
        self.embedding_ = KinEmbedder(self.window, rounds, self.shrinkage).fit(log).embedding_
        return self


CANDIDATES = {
    f"kin-n{window}-t{'-'.join(map(str, rounds))}-s{shrinkage}": partial(Candidate, window, rounds, shrinkage)
    for window, rounds, shrinkage in [
        *((window, (3, 2), 2.0) for window in (2, 3, 4, 5, 7, 9)),
        *((5, (rounds, rounds), 2.0) for rounds in (1, 2, 3, 4)),
        *((5, (rounds, 2), 2.0) for rounds in (4, 5, 6)),
        *((7, (rounds, 2), 2.0) for rounds in (4,)),
        *((5, (3, 2), shrinkage) for shrinkage in (0.5, 1.0, 4.0)),
        *((3, rounds, 1.0) for rounds in ((2, 2), (3, 3), (3, 2), (4, 2))),
    ]
}
OTHERS = ["aa-sequence-pmi-w3", "positional-pmi-w3", "positional-pmi-w5", "positional-hellinger-w5"]


def search(out, jobs):
    for name, factory in CANDIDATES.items():
        register(name, factory)
    run([*CANDIDATES, *OTHERS], out, jobs)


def run(names, out, jobs):
    outcome = benchmark.run(
        "intrinsic", logs=[LOGS], out=out, methods=names, seed=1, samples=1, jobs=jobs, progress=working_progress
    )
    for failure in outcome.failures:
        print(f"{failure.method} failed on {failure.log}: {failure.error}")


def choose(out):
    table = benchmark.read(out).by_log()
    logs = sorted(set(table["log"]))
    halves = logs[::2], logs[1::2]
    print(f"Choosing: {', '.join(halves[0])}.\nConfirming: {', '.join(halves[1])}.\n")
    rows = []
    for method in sorted(set(table["method"])):
        figures = [
            np.mean(table.filter((table["method"] == method) & table["log"].is_in(half)).select(METRICS).to_numpy(), axis=0)
            for half in halves
        ]
        rows.append((method, *figures))
    rows.sort(key=lambda row: -row[1].mean())
    print("| method | worth, choosing | " + " | ".join(METRICS) + " | worth, confirming | " + " | ".join(METRICS) + " |")
    print("|---" * 11 + "|")
    for method, *parts in rows:
        cells = [f"{value:.3f}" for part in parts for value in (part.mean(), *part)]
        print(f"| {method} | " + " | ".join(cells) + " |")


def log_values(folder):
    """The logs of a folder, its methods, and a function: a method and a metric to the figures of these logs."""
    table = benchmark.read(folder).by_log()
    logs = sorted(set(table["log"]))

    def values(name, metric):
        figures = dict(table.filter(table["method"] == name).select("log", metric).iter_rows())
        return np.array([figures[log] for log in logs], dtype=float)

    return logs, sorted(set(table["method"])), values


def interval(gain):
    """95 % of the means that logs drawn with replacement have."""
    draws = np.random.default_rng(0).integers(0, len(gain), (10_000, len(gain)))
    return np.quantile(gain[draws].mean(axis=1), [0.025, 0.975])


def compare(folder, method):
    logs, names, values = log_values(folder)
    names = [name for name in names if not name.startswith("kin")]  # centred kin is compared with kin in kin_geometry.py
    print(f"{method} against the best of {len(names)} others, metric by metric, on {len(logs)} logs:\n")
    print(
        "| metric | best other | its mean | mean | gain | 95 % interval over logs | logs ahead |\n|---|---|---|---|---|---|---|"
    )
    for metric in METRICS:
        best = max(names, key=lambda name: values(name, metric).mean())
        gain = values(method, metric) - values(best, metric)
        low, high = interval(gain)
        print(f"| {metric} | {best} | {values(best, metric).mean():.3f} | {values(method, metric).mean():.3f} | {gain.mean():+.3f} "
              f"| {low:+.3f} to {high:+.3f} | {(gain > 0).sum()} of {len(logs)} |")  # fmt: skip
    print(
        "\nI_nn log by log, and the best other method on that log:\n\n| log | best other | its I_nn | I_nn |\n|---|---|---|---|"
    )
    for i, log in enumerate(logs):
        best = max(names, key=lambda name: values(name, "I_nn")[i])
        print(f"| {log} | {best} | {values(best, 'I_nn')[i]:.3f} | {values(method, 'I_nn')[i]:.3f} |")


if __name__ == "__main__":
    command, *rest = sys.argv[1:] or ["help"]
    if command == "run" and rest:
        search(Path(rest[0]), int(rest[1]) if len(rest) > 1 else 2)
    elif command == "choose" and len(rest) == 1:
        choose(Path(rest[0]))
    elif command == "compare" and len(rest) == 2:
        compare(Path(rest[0]), rest[1])
    else:
        sys.exit(__doc__)
