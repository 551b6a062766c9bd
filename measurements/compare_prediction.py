"""Compare our runs of the next-activity benchmark with the authors' stored results.

    python measurements/compare_prediction.py stored OUT next_activity_by_log.csv    ours beside theirs
    python measurements/compare_prediction.py sound OUT                              what of it survives sound training

OUT is a folder of results of evermann-published. The authors trained each method once on each log; a stored figure is one more
draw from the distribution that our seeds sample: z = (stored - mean) / (deviation * sqrt(1 + 1 / seeds)). Intervals (95 %) are from
drawing logs with replacement.
"""

import csv
import re
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
import polars as pl
from compare_intrinsic import method_name
from scipy.stats import rankdata
from scipy.stats import t as student

from actalike import benchmark

MODEL = "evermann-published"
MODELS = (MODEL, "evermann-unscaled", "evermann-scaled", "evermann")
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
    for row in benchmark.read(out).singles.iter_rows(named=True):
        if row["model"] == MODEL and row["error"] is None:
            found[row["method"], row["log"]].append(row["accuracy"])
    return {key: np.array(values) for key, values in found.items()}


def row(*cells):
    print("| " + " | ".join(f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in cells) + " |")


def against_stored(out, path):
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


def interval(differences):
    draws = np.random.default_rng(0).integers(0, len(differences), (5000, len(differences)))
    low, high = np.quantile(differences[draws].mean(axis=1), [0.025, 0.975])
    return f"{differences.mean():+.3f} ({low:+.3f} to {high:+.3f})"


def sound(out):
    results = benchmark.read(out).singles.filter(pl.col("error").is_null())
    logs = sorted(results["log"].unique())
    means = {(model, method, log): value for model, method, log, value in
             results.group_by("model", "method", "log").agg(pl.col("accuracy").mean()).iter_rows()}  # fmt: skip
    models = [model for model in MODELS if any(key[0] == model for key in means)]
    methods = sorted({method for _, method, _ in means})

    def values(model, method):
        return np.array([means.get((model, method, log), np.nan) for log in logs])

    print(f"Accuracy beyond the model's own, learned vectors, log by log; {len(logs)} logs.\n")
    row("method", *models)
    row(*["---"] * (1 + len(models)))
    counts = [method for method in methods if re.fullmatch(r"a[ac]-.*", method)]
    shown = {
        "mean of the 36 count settings": counts,
        "mean of the 12 AC settings with PMI or PPMI": [m for m in counts if m.startswith("ac-") and "pmi" in m],
    }
    shown |= {method: [method] for method in ("ac-sequence-ppmi-w9", "aa-sequence-pmi-w3", "kin-w5", "positional-ppmi-w5", "act2vec-cbow-w3",
              "autoencoder-w3", "substitution-w3", "one-hot") if method in methods}  # fmt: skip
    for name, members in shown.items():
        gains = [np.mean([values(model, m) for m in members], axis=0) - values(model, "original") for model in models]
        row(name, *map(interval, gains))
    print("\nkin-w5 against the count settings.\n")
    row("kin-w5 less", *models)
    row(*["---"] * (1 + len(models)))
    kin = {model: values(model, "kin-w5") for model in models}
    table = {model: np.array([values(model, method) for method in counts]) for model in models}
    row("the mean of the 36", *(interval(kin[m] - table[m].mean(axis=0)) for m in models))
    row("the best on the other logs", *(interval(kin[m] - chosen_elsewhere(table[m])) for m in models))
    row("the best on the same logs", *(interval(kin[m] - table[m][table[m].mean(axis=1).argmax()]) for m in models))


def chosen_elsewhere(table):
    """For each log, the accuracy of the setting that is best on all the others."""
    others = (table.sum(axis=1, keepdims=True) - table).argmax(axis=0)
    return table[others, np.arange(table.shape[1])]


if __name__ == "__main__":
    if sys.argv[1] == "stored":
        against_stored(Path(sys.argv[2]), sys.argv[3])
    else:
        sound(Path(sys.argv[2]))
