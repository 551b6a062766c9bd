"""How high can the intrinsic benchmark's figures be? Compare kin with a method that is told the harder half of the answer.

    python measurements/ceiling.py [LOG ...] [--seed 7]

The benchmark splits activities, and a method must find the parts again by what is around them; but what is around them is split as
well. The *told* method knows the true names of all neighbours, and how alike these are in the log before the split (kin's K). It
only has to compare the labels by them: S = Σ_o v_o unit(H_o K H_oᵀ), as in the last round of kin. Mode paper, full grid, one sample a cell; logs from ACTALIKE_LOGS.
"""

import argparse
import os
from itertools import pairwise
from pathlib import Path

import numpy as np

from actalike import datasets, embed
from actalike.benchmark.intrinsic import METRICS
from actalike.benchmark.intrinsic.ground_truth import make_log, make_recipes
from actalike.benchmark.intrinsic.metrics import scores

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
METHOD = "kin-w5"
OFFSETS = {-2: 1 / 6, -1: 1 / 3, 1: 1 / 3, 2: 1 / 6}  # the weights of kin-w5: as 1 / |offset|
SHRINKAGE = 2
BOUNDS = [1, 5, 20, 100]  # events of a label


def told_distances(log, split):
    """Return the distances of the split log's labels, compared by the true names of their neighbours."""
    n, n_split = len(log.activities), len(split.activities)
    alike = embed(log, METHOD).explanation.alike  # K of the last round; its last row and column are PAD
    case = np.repeat(np.arange(log.n_cases), log.lengths)
    events = np.bincount(split.codes, minlength=n_split)[:, np.newaxis]
    similarities = np.zeros((n_split, n_split))
    for offset, weight in OFFSETS.items():
        places = np.arange(len(case)) + offset
        inside = (places >= 0) & (places < len(case))
        places[~inside] = 0
        inside &= case[places] == case
        neighbour = np.where(inside, log.codes[places].astype(np.int64), n)
        counts = np.bincount(split.codes.astype(np.int64) * (n + 1) + neighbour, minlength=n_split * (n + 1)).reshape(
            n_split, n + 1
        )
        usual = counts.sum(axis=0) / counts.sum()
        roots = np.sqrt((counts + SHRINKAGE * usual) / (events + SHRINKAGE))
        products = roots @ alike @ roots.T
        scale = np.sqrt(products.diagonal())
        similarities += weight * products / np.outer(scale, scale)
    distances = 1 - (similarities + similarities.T) / 2
    np.fill_diagonal(distances, 0)
    return distances


def nearest_is_right(distances, classes):
    """Return of each label with a mate whether its nearest other label is one; of ties the share that is."""
    distances = distances + np.diag(np.full(len(distances), np.inf))
    queries = [a for a in np.flatnonzero(classes >= 0) if (classes == classes[a]).sum() > 1]
    nearest = [np.flatnonzero(distances[a] == distances[a].min()) for a in queries]
    return queries, [float((classes[near] == classes[a]).mean()) for a, near in zip(queries, nearest, strict=True)]


def measure(log, seed):
    """Return the metrics of the told method and of kin, means over cells, and the nearest neighbours of each label with its number of events."""
    values, neighbours = {"told": [], METHOD: []}, {"told": [], METHOD: []}
    for r in range(1, min(10, len(log.activities)) + 1):
        for w in range(2, 6):
            for recipe in make_recipes(log, r, w, samples=1, seed=seed, mode="paper"):
                truth = make_log(log, recipe)
                events = np.bincount(truth.log.codes, minlength=len(truth.log.activities))
                for name in values:
                    distances = told_distances(log, truth.log) if name == "told" else embed(truth.log, METHOD).distances()
                    values[name].append(scores(distances, truth.classes)[:4])
                    queries, right = nearest_is_right(distances, truth.classes)
                    neighbours[name] += list(zip(events[queries], right, strict=True))
    return {name: np.nanmean(values[name], axis=0) for name in values}, neighbours


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("logs", nargs="*")
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    files = datasets.find(LOGS)
    names = asked.logs or [entry.name for entry in datasets.paper_logs() if entry.intrinsic and entry.name in files]
    means, neighbours = {"told": [], METHOD: []}, {"told": [], METHOD: []}
    for name in names:
        of_log, found = measure(datasets.load(name, LOGS), asked.seed)
        for method in means:
            means[method].append(of_log[method])
            neighbours[method] += found[method]
        print(name, {method: [round(float(one), 3) for one in of_log[method]] for method in means}, flush=True)
    spans = [f"{low} to {high - 1}" for low, high in pairwise(BOUNDS)] + [f"{BOUNDS[-1]} or more"]
    print(f"\n| | {' | '.join(METRICS)} | {' | '.join(f'nearest right, {span} events' for span in spans)} |\n|{'---|' * 9}")
    for method in means:
        events, right = np.array(neighbours[method]).T
        at = np.digitize(events, BOUNDS) - 1
        cells = [*np.mean(means[method], axis=0), *(right[at == one].mean() for one in range(len(BOUNDS)))]
        print(f"| {method} | {' | '.join(f'{cell:.3f}' for cell in cells)} |")


if __name__ == "__main__":
    main()
