"""Compare our runs of the intrinsic benchmark with the authors' stored results, as a statistician would.

    python measurements/compare_intrinsic.py OUT intrinsic_by_log_mean.csv [METHOD ...] > figures.md

OUT is what measurements/intrinsic.py made: a folder of results a seed; METHOD are patterns, without them all methods. The authors
drew their activities once, without a seed, so a stored figure is one more draw from the distribution that our seeds sample:
z = (stored - mean) / (deviation * sqrt(samples / 5 + 1 / seeds)), where samples is how many of each (r, w) a seed draws (theirs: 5).
Where our seeds all agree (every subset is drawn), the stored figure must be ours. Each method counts on the logs that it was run on.
"""

import csv
import re
import sys
from collections import defaultdict
from fnmatch import fnmatch
from pathlib import Path

import numpy as np
from scipy.stats import t as student

from actalike import benchmark
from actalike.benchmark.intrinsic import METRICS


def method_name(row):
    """Our name for a row of the authors' results."""
    window = f"-w{row['window']}"
    short = {"activity_context": "ac", "activity_activity": "aa"}.get(row["matrix"])
    if short:
        return f"{short}-{row['context']}-{row['weighting'].replace('none', 'raw')}{window}"
    if row["matrix"] == "act2vec":
        return f"act2vec-{'cbow' if row['context'] == 'multiset' else 'skipgram'}{window}"
    others = {
        "substitution_scores": f"substitution{window}",
        "autoencoder": f"autoencoder{window}",
        "process_structure": "process-structure",
    }
    return others.get(row["matrix"], "one-hot")


def stored_figures(path):
    with open(path) as file:
        return {
            (row["log"], method_name(row)): [float(row[metric] or "nan") for metric in METRICS]
            for row in csv.DictReader(file)
            if row["complete"] == "1"
        }


def our_figures(out, patterns):
    """The figures of every seed, and how many samples a seed has."""
    seeds, samples = defaultdict(list), set()
    for folder in sorted(out.glob("authors-*")):
        results = benchmark.read(folder)
        samples.add(results.plan.samples)
        for row in results.by_log().drop_nulls().iter_rows(named=True):
            if any(fnmatch(row["method"], pattern) for pattern in patterns):
                seeds[row["log"], row["method"]].append([row[metric] for metric in METRICS])
    if len(samples) != 1:
        sys.exit(f"The folders of {out} have different numbers of samples.")
    return {key: np.array(values, dtype=float) for key, values in seeds.items()}, samples.pop()


def family(method):
    return re.sub(r"-w\d+$", "", method)


def markdown(header, rows):
    print("| " + " | ".join(header) + " |\n|" + "---|" * len(header))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    print()


def main(out, reference, patterns):
    (ours, samples), stored = our_figures(out, patterns), stored_figures(reference)
    keys = sorted(key for key in ours if key in stored)
    logs = sorted({log for log, _ in keys})
    methods = sorted({method for _, method in keys})
    rows = []  # log, method, metric, seeds, mean, deviation, stored, z
    for log, method in keys:
        values = ours[log, method]
        for m, metric in enumerate(METRICS):
            if np.isnan(stored[log, method][m]):
                continue  # the authors' one NaN
            mean, n = values[:, m].mean(), len(values)
            deviation = values[:, m].std(ddof=1) if n > 1 else np.nan
            spread = deviation * np.sqrt(samples / 5 + 1 / n)
            z = (stored[log, method][m] - mean) / spread if n > 1 and deviation > 1e-9 else np.nan
            rows.append((log, method, metric, n, mean, deviation, stored[log, method][m], z))
    z = np.array([row[7] for row in rows], dtype=float)
    fixed = [row for row in rows if row[5] <= 1e-9]
    drawn = ~np.isnan(z)
    print(f"{len(rows):,} stored figures ({len(logs)} logs x {len(methods)} settings x {len(METRICS)} metrics).\n")
    print(
        f"Where nothing is left to chance ({', '.join(sorted({row[0] for row in fixed}))}): {len(fixed)} figures, largest difference "
        f"{max((abs(row[4] - row[6]) for row in fixed), default=0):.1e}.\n"
    )
    degrees = np.array([row[3] - 1 for row in rows])[drawn]
    within = {k: np.mean(np.abs(z[drawn]) < k) for k in (3, 2)}
    by_chance = {k: np.mean(2 * student.cdf(k, degrees) - 1) for k in (3, 2)} if drawn.any() else within
    print(
        f"Elsewhere: {within[3]:.1%} of {drawn.sum():,} figures within 3 deviations, {within[2]:.1%} within 2. A deviation that is itself "
        f"estimated from so few seeds would, by Student's distribution, leave {by_chance[3]:.1%} and {by_chance[2]:.1%}.\n"
    )

    def part(name, of):
        groups = defaultdict(list)
        for row in rows:
            if not np.isnan(row[7]):
                groups[of(row)].append(row)
        table = []
        for group, members in sorted(groups.items()):
            zs, differences = np.array([r[7] for r in members]), np.array([r[6] - r[4] for r in members])
            seeds = sorted({r[3] for r in members})
            table.append(
                [group, len(members), "-".join(map(str, dict.fromkeys([seeds[0], seeds[-1]]))), f"{np.mean(np.abs(zs) < 3):.1%}", f"{np.median(zs):+.2f}",
                 f"{differences.mean():+.4f}", f"{np.abs(differences).max():.3f}", f"{np.mean([r[5] for r in members]):.4f}"]
            )  # fmt: skip
        markdown([name, "figures", "seeds", "within 3", "median z", "mean difference", "largest", "deviation over seeds"], table)

    part("metric", lambda row: row[2])
    part("family", lambda row: family(row[1]))
    part("log", lambda row: row[0])

    print("Bias: stored minus ours, the mean of the logs' means with its standard error over the logs:\n")

    def bias(members):
        by_log = [np.mean([r[6] - r[4] for r in members if r[0] == log]) for log in sorted({r[0] for r in members})]
        return f"{np.mean(by_log):+.4f} ± {np.std(by_log, ddof=1) / np.sqrt(len(by_log)):.4f}" if len(by_log) > 1 else "-"

    families = sorted({family(row[1]) for row in rows})
    table = [[name, *(bias([r for r in rows if r[2] == m and family(r[1]) == name]) for m in METRICS)] for name in families]
    markdown(["family", *METRICS], [*table, ["all", *(bias([r for r in rows if r[2] == m]) for m in METRICS)]])
    print("Means over the logs, stored minus ours (mean of our seeds), and the deviation of such a mean from seed to seed:\n")
    table, worst = [], 0.0
    for method in methods:
        cells = []
        n_logs = sum(m == method for _, m in keys)
        for metric in METRICS:
            of_method = [row for row in rows if row[1] == method and row[2] == metric]
            mine, theirs = np.mean([row[4] for row in of_method]), np.mean([row[6] for row in of_method])
            several = all(row[3] > 1 for row in of_method)
            wobble = f", {np.sqrt(sum(row[5] ** 2 for row in of_method)) / len(of_method):.3f}" if several else ""
            worst = max(worst, abs(theirs - mine))
            cells.append(f"{mine:.3f} ({theirs - mine:+.3f}{wobble})")
        table.append([method, n_logs, *cells])
    markdown(["method", "logs", *METRICS], table)
    print(f"Largest difference of a mean over the logs: {worst:.4f}.\n")
    outside = sorted((row for row in rows if abs(row[7]) >= 3), key=lambda row: -abs(row[7]))
    print(f"{len(outside)} figures lie outside 3 deviations; the farthest:\n")
    markdown(
        ["log", "method", "metric", "seeds", "our mean", "deviation", "stored", "z"],
        [[r[0], r[1], r[2], r[3], f"{r[4]:.4f}", f"{r[5]:.4f}", f"{r[6]:.4f}", f"{r[7]:+.1f}"] for r in outside[:25]],
    )


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:] or ["*"])
