"""Compare our runs of the intrinsic benchmark with the authors' stored results, as a statistician would.

    python benchmarks/compare_intrinsic.py OUT intrinsic_by_log_mean.csv > figures.md

OUT is what benchmarks/intrinsic.py made. The authors drew their activities once, without a seed, so a stored figure is one more
draw from the distribution that our seeds sample: z = (stored - mean) / (deviation * sqrt(1 + 1/seeds)). Where our seeds all
agree (every subset is drawn), the stored figure must be ours.
"""

import csv
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from actalike.benchmark.intrinsic import METRICS
from actalike.benchmark.results import by_log


def stored_figures(path):
    short = {"activity_context": "ac", "activity_activity": "aa"}
    with open(path) as file:
        return {
            (row["log"], f"{short[row['matrix']]}-{row['context']}-{row['weighting'].replace('none', 'raw')}-w{row['window']}"): [
                float(row[metric]) for metric in METRICS
            ]
            for row in csv.DictReader(file)
            if row["matrix"] in short
        }


def our_figures(out):
    seeds = defaultdict(list)
    for folder in sorted(out.glob("authors-*")):
        table = by_log(folder)
        for row in table.iter_rows(named=True):
            seeds[row["log"], row["method"]].append([row[metric] for metric in METRICS])
    return {key: np.array(values, dtype=float) for key, values in seeds.items()}


def markdown(header, rows):
    print("| " + " | ".join(header) + " |\n|" + "---|" * len(header))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    print()


def main(out, reference):
    ours, stored = our_figures(out), stored_figures(reference)
    keys = sorted(key for key in ours if key in stored)
    logs = sorted({log for log, _ in keys})
    methods = sorted({method for _, method in keys})
    rows = []  # log, method, metric, seeds, mean, deviation, stored, z
    for log, method in keys:
        values = ours[log, method]
        for m, metric in enumerate(METRICS):
            mean, deviation, n = values[:, m].mean(), values[:, m].std(ddof=1), len(values)
            z = (stored[log, method][m] - mean) / (deviation * np.sqrt(1 + 1 / n)) if deviation > 1e-9 else np.nan
            rows.append((log, method, metric, n, mean, deviation, stored[log, method][m], z))
    z = np.array([row[7] for row in rows])
    fixed = [row for row in rows if np.isnan(row[7])]
    drawn = ~np.isnan(z)
    print(f"{len(rows):,} stored figures ({len(logs)} logs x {len(methods)} settings x {len(METRICS)} metrics).\n")
    print(
        f"Where nothing is left to chance ({', '.join(sorted({row[0] for row in fixed}))}): {len(fixed)} figures, largest difference "
        f"{max((abs(row[4] - row[6]) for row in fixed), default=0):.1e}.\n"
    )
    print(
        f"Elsewhere: {np.mean(np.abs(z[drawn]) < 3):.1%} of {drawn.sum():,} figures within 3 deviations, {np.mean(np.abs(z[drawn]) < 2):.1%} within 2.\n"
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
                [group, len(members), "-".join(map(str, {seeds[0], seeds[-1]})), f"{np.mean(np.abs(zs) < 3):.1%}", f"{np.median(zs):+.2f}",
                 f"{differences.mean():+.4f}", f"{np.abs(differences).max():.3f}", f"{np.mean([r[5] for r in members]):.4f}"]
            )  # fmt: skip
        markdown([name, "figures", "seeds", "within 3", "median z", "mean difference", "largest", "deviation over seeds"], table)

    part("metric", lambda row: row[2])
    part("family", lambda row: row[1].rpartition("-w")[0])
    part("log", lambda row: row[0])

    print("Bias: stored minus ours, the mean of the logs' means with its standard error over the logs:\n")

    def bias(members):
        by_log = [np.mean([r[6] - r[4] for r in members if r[0] == log]) for log in logs]
        return f"{np.mean(by_log):+.4f} ± {np.std(by_log, ddof=1) / np.sqrt(len(by_log)):.4f}"

    families = sorted({row[1].rpartition("-w")[0] for row in rows})
    table = [
        [family, *(bias([r for r in rows if r[2] == m and r[1].startswith(f"{family}-w")]) for m in METRICS)]
        for family in families
    ]
    markdown(["family", *METRICS], [*table, ["all", *(bias([r for r in rows if r[2] == m]) for m in METRICS)]])
    print("Means over the logs, stored minus ours (mean of our seeds), and the deviation of such a mean from seed to seed:\n")
    table, worst = [], 0.0
    for method in methods:
        cells = []
        for m in range(len(METRICS)):
            mine = np.mean([ours[log, method][:, m].mean() for log in logs])
            theirs = np.mean([stored[log, method][m] for log in logs])
            wobble = np.sqrt(sum(ours[log, method][:, m].var(ddof=1) for log in logs)) / len(logs)
            worst = max(worst, abs(theirs - mine))
            cells.append(f"{mine:.3f} ({theirs - mine:+.3f}, {wobble:.3f})")
        table.append([method, *cells])
    markdown(["method", *METRICS], table)
    print(f"Largest difference of a mean over the logs: {worst:.4f}.\n")
    outside = sorted((row for row in rows if abs(row[7]) >= 3), key=lambda row: -abs(row[7]))
    print(f"{len(outside)} figures lie outside 3 deviations; the farthest:\n")
    markdown(
        ["log", "method", "metric", "seeds", "our mean", "deviation", "stored", "z"],
        [[r[0], r[1], r[2], r[3], f"{r[4]:.4f}", f"{r[5]:.4f}", f"{r[6]:.4f}", f"{r[7]:+.1f}"] for r in outside[:25]],
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
