"""Compare kin and centred kin (kin2): rank quality, geometry, clusters of expert classes and speed, in one run.

    python measurements/kin_geometry.py [--methods kin-w5 kin2-w5] [--seed 7] [--parts ranks quantiles classes speed]

- ranks: the intrinsic benchmark (mode paper, full grid, one sample a cell). Gains have 95 % intervals: families of logs
  (all BPIC12, BPIC13, BPIC15 and BPIC20 are one each) are resampled.
- quantiles: 5, 50 and 95 % of the similarities of all pairs, means over the logs with more than 30 activities and over the others.
- classes: labels in 10 or more cases whose class has two or more of them. Of BPIC15 the subprocess (``01_HOOFD``) and the phase (the
  subprocess, and the first digit of the first group of just three digits after it), of PermitLog the document. Average linkage,
  as many clusters as classes: the adjusted Rand index, and the share of labels whose nearest other has their class.
- speed: from the log to all similarities, on BPIC15_1 and on 400 activities with 1.5 million events, and the intervals of ten pairs
  (20 resamples) on BPIC15_1 and on 1,000 activities; ratios to the first method.

Whether the intervals are right: python measurements/confidence.py --methods kin-w5 kin2-w5.
"""

import argparse
import os
import re
import tempfile
from collections import Counter
from itertools import pairwise
from math import comb
from pathlib import Path

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from timing import fastest, fresh

from actalike import EventLog, benchmark, datasets, embed
from actalike.benchmark.intrinsic import METRICS

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
DOCUMENTS = ("Declaration", "Permit", "Request For Payment")
FEWEST_CASES = 10
REPEATS = 15


def ranks(methods, seed):
    with tempfile.TemporaryDirectory() as folder:
        benchmark.run("intrinsic", logs=[LOGS], out=Path(folder), methods=methods, seed=seed, samples=1)
        table = benchmark.read(Path(folder)).by_log()
    logs = sorted(set(table["log"]))
    values = {method: table.filter(table["method"] == method).sort("log").select(METRICS).to_numpy() for method in methods}
    print(f"Rank quality on {len(logs)} logs, seed {seed}:\n\n| method | {' | '.join(METRICS)} |\n|---|---|---|---|---|")
    for method in methods:
        print(f"| {method} | " + " | ".join(f"{value:.3f}" for value in values[method].mean(axis=0)) + " |")
    for method in methods[1:]:
        gain = values[method] - values[methods[0]]
        low, high = interval_over_families(logs, gain)
        texts = [f"{m:+.3f} ({a:+.3f} to {b:+.3f})" for m, a, b in zip(gain.mean(axis=0), low, high, strict=True)]
        print(f"| gain of {method} (95 % over families) | {' | '.join(texts)} |")
        print("\nGain in I_nn, log by log: " + ", ".join(f"{log} {one:+.3f}" for log, one in zip(logs, gain[:, 1], strict=True)))


def interval_over_families(logs, gain):
    """95 % of the means over logs when families are drawn with replacement."""
    family = np.array([match[0] if (match := re.match(r"BPIC\d\d", log)) else log for log in logs])
    members = [np.flatnonzero(family == one) for one in sorted(set(family))]
    random = np.random.default_rng(0)
    drawn = [np.concatenate([members[k] for k in random.integers(0, len(members), len(members))]) for _ in range(5000)]
    return np.quantile([gain[rows].mean(axis=0) for rows in drawn], [0.025, 0.975], axis=0)


def quantiles(methods, seed):
    rows = {}
    for name in sorted(datasets.find(LOGS)):
        if not datasets.paper_log(name).intrinsic:
            continue
        log = datasets.load(name, LOGS)
        n = len(log.activities)
        for method in methods:
            cosines = 1 - embed(log, method).distances()
            part = np.quantile(cosines[np.triu_indices(n, 1)], [0.05, 0.5, 0.95])
            rows.setdefault((method, n > 30), []).append(part)
    print("\n| similarities: 5, 50 and 95 % | logs with more than 30 activities | other logs |\n|---|---|---|")
    for method in methods:
        cells = [" ".join(f"{value:.2f}" for value in np.mean(rows[method, large], axis=0)) for large in (True, False)]
        print(f"| {method} | {' | '.join(cells)} |")


def subprocess_of(label):
    match = re.match(r"^(\d\d)_([A-Z]+\d*)_(.*)$", label)
    return None if match is None or match[2] == "NOCODE" else f"{match[1]}_{match[2]}"


def phase_of(label):
    match = re.match(r"^(\d\d_[A-Z]+\d*)_(.*)$", label)
    digits = match and re.search(r"(?<!\d)\d{3}(?!\d)", match[2])
    return f"{match[1]}_{digits[0][0]}" if digits and subprocess_of(label) else None


def document_of(label):
    return next((document for document in DOCUMENTS if re.match(f"{document} [A-Z]{{2}}", label)), None)


def classes(methods, seed):
    bpic15 = ["BPIC15_1", "BPIC15_2", "BPIC15_4", "BPIC15_5"]
    truths = {"subprocess": (bpic15, subprocess_of), "phase": (bpic15, phase_of), "document": (["BPIC20_PermitLog"], document_of)}
    print(
        "\n| ARI, NN | "
        + " | ".join(f"{name} ({', '.join(logs)})" for name, (logs, _) in truths.items())
        + " |\n|---|---|---|---|"
    )
    for method in methods:
        cells = []
        for names, class_of in truths.values():
            figures = np.mean([agreement(datasets.load(name, LOGS), method, class_of) for name in names], axis=0)
            cells.append(f"{figures[0]:.2f}, {figures[1]:.2f}")
        print(f"| {method} | {' | '.join(cells)} |")


def agreement(log, method, class_of):
    """The adjusted Rand index of clusters and classes, and the share of labels whose nearest other has their class."""
    found = [
        class_of(label) if cases >= FEWEST_CASES else None
        for label, cases in zip(log.activities, log.activity_cases, strict=True)
    ]
    sizes = Counter(found)
    kept = [i for i, one in enumerate(found) if one is not None and sizes[one] > 1]
    distances = embed(log, method).distances()[np.ix_(kept, kept)]
    truth = [found[i] for i in kept]
    clusters = fcluster(linkage(squareform(distances, checks=False), "average"), len(set(truth)), "maxclust").tolist()
    np.fill_diagonal(distances, np.inf)
    return ari(truth, clusters), np.mean([truth[i] == truth[j] for i, j in enumerate(distances.argmin(axis=1))])


def ari(truth, clusters):
    """The adjusted Rand index of two partitions."""
    together, rows, columns = (
        sum(comb(size, 2) for size in Counter(part).values()) for part in (zip(truth, clusters, strict=True), truth, clusters)
    )
    expected = rows * columns / comb(len(truth), 2)
    return 1.0 if rows == columns == together else (together - expected) / ((rows + columns) / 2 - expected)


def speed(methods, seed):
    bpic15 = datasets.load("BPIC15_1", LOGS)
    print("\n| seconds | " + " | ".join(methods) + " | ratio |\n" + "|---" * (len(methods) + 2) + "|")
    for name, log, work, repeats in (
        ("BPIC15_1", bpic15, similarities, REPEATS),
        ("400 activities, 1.5 million events", made_log(400, 50_000, 30, seed), similarities, 3),
        ("BPIC15_1, intervals", bpic15, intervals, 3),
        ("1,000 activities, intervals", made_log(1000, 10_000, 10, seed), intervals, 1),
    ):
        seconds = [fastest(lambda: work(fresh(log), method), repeats) for method in methods]  # noqa: B023
        ratios = ", ".join(f"{one / seconds[0]:.2f}" for one in seconds[1:])
        print(f"| {name} | " + " | ".join(f"{one:.3f}" for one in seconds) + f" | {ratios} |")


def similarities(log, method):
    embed(log, method).distances()


def intervals(log, method):
    frequent = [label for label, cases in zip(log.activities, log.activity_cases, strict=True) if cases >= FEWEST_CASES]
    embed(log, method).confidences(list(pairwise(frequent[:11])), resamples=20)


def made_log(n, cases, length, seed):
    """A log of cases that go through consecutive steps from a random one on; each step has ten names."""
    random = np.random.default_rng(seed)
    steps = random.integers(0, n // 10, cases)[:, np.newaxis] + np.arange(length)
    codes = steps % (n // 10) * 10 + random.integers(0, 10, (cases, length))
    labels = [f"a{i:05}" for i in range(n)]
    return EventLog(labels, codes.ravel().astype(np.int32), np.arange(cases + 1) * length, [str(i) for i in range(cases)])


if __name__ == "__main__":
    parts = {"ranks": ranks, "quantiles": quantiles, "classes": classes, "speed": speed}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--methods", nargs="+", default=["kin-w5", "kin2-w5"])
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--parts", nargs="+", choices=parts, default=list(parts))
    options = parser.parse_args()
    for part in options.parts:
        parts[part](options.methods, options.seed)
