"""Show how far normal variants that are merely rare fill the list of odd events.

    python measurements/odd_rare.py LOG [LOG ...] [--rate 0.01]

A case is *rare* here if no other case has its sequence of activities, and *called odd* if one of its places is listed. Prints, for
each log as it is, how many cases are rare, and how many of the rare and of the other cases are called odd. Then 1 % of the cases
are changed as the task ``known`` of the benchmark does: the precision and the recall of the cases that are called odd, and how many
of the false ones are rare. Beside it the same number of cases with the rarest variants (``naive``; equal ones count by chance).
"""

import argparse
from pathlib import Path

import numpy as np

from actalike import odd
from actalike.benchmark.anomalies.benchmark_logs import read_with_attributes, takes_log
from actalike.benchmark.anomalies.metrics import recall_of_highest
from actalike.benchmark.anomalies.planting import plant
from actalike.benchmark.logs import find_logs
from actalike.oddities.distinct_cases import DistinctCases

TASK = "known"


def variant_counts(log):
    """Return for each case how many cases have its sequence of activities."""
    cases = DistinctCases(log)
    return cases.weights[cases.variant_of_case]


def called_odd(log):
    """Return which cases have a place that is listed."""
    called = np.zeros(log.n_cases, dtype=bool)
    called[[place.case_number for place in odd(log).most(None)]] = True
    return called


def share(part, whole):
    """Return the share of some cases that are among others, as text; "-" if there are none."""
    if not whole.any():
        return "-"
    value = 100 * part[whole].mean()
    return f"{value:.0f} %" if value >= 1 else f"{value:.2g} %"


def listed(log):
    """Return what is called odd in a log as it is: cases, the share of rare ones, and how many of both are called odd."""
    rare, called = variant_counts(log) == 1, called_odd(log)
    everything = np.ones(log.n_cases, dtype=bool)
    return [
        f"{log.n_cases:,}",
        f"{rare.sum():,} ({share(rare, everything)})",
        f"{called.sum():,}",
        share(called, rare),
        share(called, ~rare),
    ]


def planted_and_listed(log, name, rate, seed):
    """Return how many cases are planted and called odd, and the counts of true and false ones, beside those of naive."""
    planted = plant(log, name, TASK, seed, rate)
    truth, counts, called = planted.planted_cases, variant_counts(planted.log), called_odd(planted.log)
    n_called, n_false = int(called.sum()), int((called & ~truth).sum())
    alarms = n_called / log.n_cases
    recall = recall_of_highest(-np.log(counts / log.n_cases), truth, alarms) if n_called else 0.0
    return {
        "planted": int(truth.sum()),
        "called": n_called,
        "right": n_called - n_false,
        "false": n_false,
        "false and rare": int((called & ~truth & (counts == 1)).sum()),
        "right by naive": recall * int(truth.sum()),
    }


def percent(part, whole):
    return f"{100 * part / whole:.0f} %" if whole else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("logs", type=Path, nargs="+")
    parser.add_argument("--rate", type=float, default=0.01)
    parser.add_argument("--copies", type=int, default=5)
    options = parser.parse_args()
    files = find_logs(options.logs, takes_log)
    logs = {name: read_with_attributes(files, name) for name in files.names}
    print("| log as it is | cases | rare | called odd | of the rare | of the others |\n|---|---|---|---|---|---|")
    for name, log in logs.items():
        print(f"| {name} | {' | '.join(listed(log))} |", flush=True)
    print(
        f"\n| {100 * options.rate:g} % planted, {options.copies} copies | planted | called odd | precision | recall | false ones that are rare",
        end="",
    )
    print(" | naive: precision | naive: recall |\n|---|---|---|---|---|---|---|---|")
    for name, log in logs.items():
        copies = [planted_and_listed(log, name, options.rate, seed) for seed in range(options.copies)]
        total = {key: sum(copy[key] for copy in copies) for key in copies[0]}
        figures = [
            f"{total['planted']:,}",
            f"{total['called']:,}",
            percent(total["right"], total["called"]),
            percent(total["right"], total["planted"]),
            percent(total["false and rare"], total["false"]),
            percent(total["right by naive"], total["called"]),
            percent(total["right by naive"], total["planted"]),
        ]
        print(f"| {name} | {' | '.join(figures)} |", flush=True)


if __name__ == "__main__":
    main()
