"""Is the order of the context worth anything? Compare each sequence setting with the multiset setting that is the same otherwise.

    python measurements/sequence_or_multiset.py DIR     # a folder of: actalike benchmark intrinsic --methods 'a[ac]-*' --out DIR

Prints, for both kinds of vectors and each window, the mean difference (sequence less multiset) over logs and weights, with 95 %
intervals: families of logs (all BPIC12, BPIC13, BPIC15 and BPIC20 are one each) are resampled.
"""

import sys
from pathlib import Path

import numpy as np
import polars as pl
from kin_geometry import interval_over_families

from actalike import benchmark
from actalike.benchmark.intrinsic import METRICS

WEIGHTS = ("raw", "pmi", "ppmi")


def differences(table, vectors, window):
    """Return the logs, and for each the differences of the metrics, means over the weights."""
    logs = sorted(set(table["log"]))
    by_weight = []
    for weight in WEIGHTS:
        sequence, multiset = (
            table.filter(pl.col("method") == f"{vectors}-{order}-{weight}-w{window}").sort("log").select(METRICS).to_numpy()
            for order in ("sequence", "multiset")
        )
        by_weight.append(sequence - multiset)
    return logs, np.mean(by_weight, axis=0)


def main():
    table = benchmark.read(Path(sys.argv[1])).by_log()
    print(f"| sequence less multiset | {' | '.join(METRICS)} |\n|{'---|' * (len(METRICS) + 1)}")
    for vectors in ("aa", "ac"):
        for window in (3, 5, 9):
            logs, gain = differences(table, vectors, window)
            low, high = interval_over_families(logs, gain)
            cells = [f"{m:+.3f} ({a:+.3f} to {b:+.3f})" for m, a, b in zip(gain.mean(axis=0), low, high, strict=True)]
            print(f"| {vectors}, window {window} | {' | '.join(cells)} |")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: sequence_or_multiset.py DIR")
    main()
