"""Compare our runs of the next-activity benchmark with the authors' stored results.

    python benchmarks/compare_prediction.py OUT next_activity_by_log.csv > figures.md

OUT is a folder of results of evermann-published. The authors trained each method once on each log; a stored figure is one more
draw from the distribution that our seeds sample: z = (stored - mean) / (deviation * sqrt(1 + 1 / seeds)).
"""

import csv
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
from compare_intrinsic import method_name
from scipy.stats import rankdata
from scipy.stats import t as student

from actalike.benchmark.prediction.results import load_results

MODEL = "evermann-published"
COMPLEX = ("BPIC15_1", "BPIC15_2", "BPIC15_4", "BPIC15_5", "NASA")
FAMILIES = {
    "AC PMI, PPMI": ("ac-", "pmi"),
    "AC raw": ("ac-", "raw"),
    "AA PMI, PPMI": ("aa-", "pmi"),
    "AA raw": ("aa-", "raw"),
    "act2vec CBOW": ("act2vec-cbow", ""),
    "act2vec skip-gram": ("act2vec-skipgram", ""),
    "autoencoder": ("autoencoder", ""),
    "substitution": ("substitution", ""),
    "process structure": ("process-structure", ""),
    "original": ("original", ""),
}


def stored(path):
    found = {}
    with open(path) as file:
        for row in csv.DictReader(file):
            if row["model"] == "evermann":
                name = "original" if row["matrix"] == "evermann_original" else method_name(row)
                found[name, row["log"]] = float(row["accuracy"])
    return found


def ours(out):
    found = defaultdict(list)
    for row in load_results(out).iter_rows(named=True):
        if row["model"] == MODEL and row["error"] is None:
            found[row["method"], row["log"]].append(row["accuracy"])
    return {key: np.array(values) for key, values in found.items()}


def row(*cells):
    print("| " + " | ".join(f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in cells) + " |")


def main(out, path):
    theirs, mine = stored(path), ours(out)
    both = sorted(set(theirs) & set(mine))
    seeds = {len(mine[key]) for key in both}
    assert len(seeds) == 1
    n = seeds.pop()
    logs = sorted({log for _, log in both})
    methods = sorted({method for method, _ in both})
    print(f"{len(both)} figures, of {len(methods)} methods on {len(logs)} logs; {n} seeds.\n")
    inside = np.array([mine[key].min() <= theirs[key] <= mine[key].max() for key in both])
    deviation = np.array([mine[key].std(ddof=1) for key in both])
    away = np.array([theirs[key] - mine[key].mean() for key in both])
    z = np.abs(away) / np.maximum(deviation * np.sqrt(1 + 1 / n), 1e-9)
    print(f"Between our least and most: {inside.mean():.1%} (of {n + 1} draws alike, {(n - 1) / (n + 1):.1%} would be). "
          f"Within 2 deviations {(z <= 2).mean():.1%} (Student: {1 - 2 * student.sf(2, n - 1):.1%}), "
          f"within 3 {(z <= 3).mean():.1%} ({1 - 2 * student.sf(3, n - 1):.1%}). "
          f"Median |difference| {np.median(np.abs(away)):.3f}, within 0.03 {(np.abs(away) <= 0.03).mean():.1%}.\n")  # fmt: skip
    row("method", "logs", "stored", "ours", "difference", "complex, stored", "complex, ours", "inside our range")
    row(*["---"] * 8)
    for method in methods:
        here = [log for log in logs if (method, log) in both]
        hard = [log for log in here if log in COMPLEX]
        means = [np.mean([theirs[method, log] for log in here]), np.mean([mine[method, log].mean() for log in here])]
        means += [np.mean([theirs[method, log] for log in hard]), np.mean([mine[method, log].mean() for log in hard])]
        share = np.mean([mine[method, log].min() <= theirs[method, log] <= mine[method, log].max() for log in here])
        row(method, len(here), *map(float, means[:2]), float(means[1] - means[0]), *map(float, means[2:]), f"{share:.0%}")
    print("\nFamilies: means over methods and the logs that all of them have.\n")
    common = [log for log in logs if all((method, log) in both for method in methods)]
    figures = {}
    for family, (start, word) in FAMILIES.items():
        members = [m for m in methods if m.startswith(start) and word in m and not (word == "pmi" and "raw" in m)]
        if members:
            figures[family] = [
                float(np.mean([source[m, log] if source is theirs else source[m, log].mean() for m in members for log in common]))
                for source in (theirs, mine)
            ]
    ranks = [rankdata([-values[i] for values in figures.values()], method="min") for i in (0, 1)]
    row("family", f"stored ({len(common)} logs)", "place", "ours", "place")
    row(*["---"] * 5)
    for i, (family, (a, b)) in enumerate(figures.items()):
        row(family, a, int(ranks[0][i]), b, int(ranks[1][i]))
    print("\nBy log: means over methods.\n")
    row("log", "stored", "ours", "difference", "inside our range")
    row(*["---"] * 5)
    for log in logs:
        here = [method for method in methods if (method, log) in both]
        a, b = np.mean([theirs[m, log] for m in here]), np.mean([mine[m, log].mean() for m in here])
        share = np.mean([mine[m, log].min() <= theirs[m, log] <= mine[m, log].max() for m in here])
        row(log, float(a), float(b), float(b - a), f"{share:.0%}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
