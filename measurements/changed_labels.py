"""What the setting changed-labels shows, from a folder of its results.

    actalike benchmark prediction --setting changed-labels --logs LOGS --methods kin-w5 ... --out DIR
    python measurements/changed_labels.py DIR [MODEL]

Prints, for the condition rename-30: each log; means with intervals over logs; the difference between adapting (``read``,
``placed``) and training again with vectors of a joint count (``retrained``), of the draw that both have; and then how far each
way gets under every condition. 95 % intervals are from resampling logs, and families of logs (all BPIC12 are one, and so on).
"""

import sys

import numpy as np
import polars as pl

from actalike import benchmark

MAIN, METHOD = "rename-30", "kin-w5"
NOT_FITTED_ON = ("BPIC13", "BPIC15", "Env", "NASA")  # families that measurements/label_readings.py did not fit weights on


def family(log):
    return log.split("_")[0]


def interval(values, groups=None):
    """The mean, and the bounds of 95 % of the means of resampled logs, or of resampled groups of them."""
    draw = np.random.default_rng(0)
    groups = np.arange(len(values)) if groups is None else np.asarray(groups)
    parts = [values[groups == name] for name in np.unique(groups)]
    means = [np.concatenate([parts[i] for i in draw.integers(0, len(parts), len(parts))]).mean() for _ in range(2000)]
    low, high = np.quantile(means, [0.025, 0.975])
    return f"{values.mean():+.3f} [{low:+.3f}, {high:+.3f}]"


def shown_share(row):
    if row is None:
        return "-"
    bounds = "" if row["reached_low"] is None else f" [{row['reached_low']:.2f}, {row['reached_high']:.2f}]"
    return f"{row['reached']:.2f}{bounds}"


def row(*cells):
    print("| " + " | ".join(f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in cells) + " |")


def main(folder, model="evermann"):
    results = benchmark.read(folder)
    show(results, model)
    others = sorted(log for log in results.singles["log"].unique() if family(log) in NOT_FITTED_ON)
    if others:
        print(f"\n\n# Logs of families that the readings were not fitted on: {', '.join(others)}\n")
        show(results.of_logs(others), model)


def show(results, model):
    singles = results.singles.filter(pl.col("model") == model)
    by_log = results.by_log().filter((pl.col("model") == model) & (pl.col("condition") == MAIN))
    logs = sorted(by_log["log"].unique())
    value = {(m, w, log): a for m, w, log, a in by_log.select("method", "way", "log", "accuracy").iter_rows()}
    print(f"{MAIN}, {len(logs)} logs, {singles['seed'].n_unique()} seeds, accuracy:\n")
    columns = [
        ("one-hot", "unplaced"),
        ("one-hot", "told"),
        (METHOD, "told"),
        (METHOD, "placed"),
        (METHOD, "retrained"),
        (METHOD, "read"),
    ]
    row("log", *(f"{method}, {way}" for method, way in columns))
    row(*["---"] * (1 + len(columns)))
    for log in logs:
        row(log, *(value.get((*column, log), float("nan")) for column in columns))
    row("mean", *(float(np.mean([value.get((*column, log), np.nan) for log in logs])) for column in columns))
    print("\nAdapted less retrained, the same draw, mean [95 % interval over logs], over families:\n")
    first = (
        singles.filter((pl.col("condition") == MAIN) & (pl.col("draw") == 0))
        .group_by("method", "way", "log")
        .agg(pl.col("accuracy").mean())
    )
    one = {(m, w, log): a for m, w, log, a in first.iter_rows()}
    row("method", "read", "placed", "read, families")
    row(*["---"] * 4)
    for method in sorted({m for m, w, _ in one if w == "retrained"}):
        there = [log for log in logs if (method, "retrained", log) in one]
        differences = {
            w: np.array([one[method, w, log] - one[method, "retrained", log] for log in there]) for w in ("read", "placed")
        }
        row(
            method,
            interval(differences["read"]),
            interval(differences["placed"]),
            interval(differences["read"], [family(log) for log in there]),
        )
    print(f"\n{METHOD} less other methods, the same way, {MAIN}:\n")
    row("method", "placed", "retrained", "placed, families")
    row(*["---"] * 4)
    for method in sorted({m for m, w, _ in value if w == "placed"} - {METHOD}):
        there = [log for log in logs if (method, "placed", log) in value]
        gains = {
            w: np.array([value[METHOD, w, log] - value.get((method, w, log), np.nan) for log in there])
            for w in ("placed", "retrained")
        }
        row(
            method,
            *(interval(gain) if np.isfinite(gain).all() else "-" for gain in gains.values()),
            interval(gains["placed"], [family(log) for log in there]),
        )
    print("\nOf the way from one-hot vectors without placing to being told, sums over logs [95 % interval]:\n")
    means = results.over_logs().filter(
        (pl.col("model") == model) & pl.col("way").is_in(["placed", "read", "retrained"]) & pl.col("reached").is_not_null()
    )
    row("condition", "logs", f"read ({METHOD})", "read (one-hot)", f"placed ({METHOD})", f"retrained ({METHOD})")
    row(*["---"] * 6)
    cells = {(r["condition"], r["way"], r["method"]): r for r in means.iter_rows(named=True)}
    for condition in sorted({key[0] for key in cells}):
        wanted = [
            (condition, "read", METHOD),
            (condition, "read", "one-hot"),
            (condition, "placed", METHOD),
            (condition, "retrained", METHOD),
        ]
        shown = [shown_share(cells.get(key)) for key in wanted]
        row(condition, cells[wanted[0]]["logs"], *shown)


if __name__ == "__main__":
    main(*sys.argv[1:])
