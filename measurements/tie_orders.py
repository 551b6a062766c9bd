"""How far the order of ties moves I_nn and I_prec: the authors break ties by an order of labels that changes from run to run.

    python measurements/tie_orders.py LOG METHOD [METHOD ...]

Runs the grid of the intrinsic benchmark in the authors' mode (seed 0) and breaks ties by 20 random orders of the labels, each
order the same throughout a run, as in their code. Prints the expected value (what actalike reports), the range and the median over
the orders, and the stored figure if REFERENCE names the file of stored results.
"""

import os
import sys
from pathlib import Path

import numpy as np
from compare_intrinsic import stored_figures

from actalike import count_windows, datasets, embed
from actalike.benchmark.intrinsic.ground_truth import make_log, make_recipes
from actalike.benchmark.intrinsic.metrics import METRICS, scores
from actalike.benchmark.seeded_generator import seed_of

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
ORDERS = 20
NEXT = 1e-9  # a step between tied labels: larger than rounding, smaller than any real difference


def main(name, methods):
    log = datasets.load(name, LOGS)
    digest = log.digest
    cells = {method: [] for method in methods}
    for r in range(1, min(10, len(log.activities)) + 1):
        for w in range(2, 6):
            samples = {method: [] for method in methods}
            for recipe in make_recipes(log, r, w, 5, 0, "authors", digest):
                truth = make_log(log, recipe)
                counts = count_windows(truth.log, 9)
                ranks = [
                    np.argsort(np.argsort([seed_of(order, label) for label in truth.log.activities])) for order in range(ORDERS)
                ]
                for method in methods:
                    distances = embed(counts, method).distances()
                    found = [scores(distances, truth.classes, "authors", w)]
                    found += [scores(distances + NEXT * rank, truth.classes, "authors", w) for rank in ranks]
                    samples[method].append([one[:4] for one in found])
            for method in methods:
                cells[method].append(np.mean(samples[method], axis=0))
    stored = stored_figures(os.environ["REFERENCE"]) if "REFERENCE" in os.environ else {}
    for method in methods:
        means = np.mean(cells[method], axis=0)
        for m in (1, 2):
            expected, orders = means[0, m], means[1:, m]
            theirs = stored.get((name, method), [float("nan")] * 4)[m]
            print(
                f"| {name} | {method} | {METRICS[m]} | {expected:.4f} | {orders.min():.4f} to {orders.max():.4f} | {np.median(orders):.4f} | {theirs:.4f} |",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
