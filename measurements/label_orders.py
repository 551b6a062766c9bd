"""Process structure depends on the order of labels: what BPIC13_open_problems gives under every order of its three.

    python measurements/label_orders.py

The inductive miner visits activities in the order of their labels, and where several cuts are possible the first one wins. The
authors relabel activities to 0, 1, 2 in an arbitrary order. In authors' mode all subsets are drawn here, so nothing else is left to
chance; means as the authors take them, the cell without a value (all distances equal) left out of I_comp.
"""

import os
from itertools import permutations
from pathlib import Path

import numpy as np

from actalike import datasets, embed
from actalike.benchmark.intrinsic.ground_truth import make_log, make_recipes
from actalike.benchmark.intrinsic.metrics import METRICS, scores

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))


def main():
    log = datasets.load("BPIC13_open_problems", LOGS)
    print("| order of labels | " + " | ".join(METRICS) + " |\n|" + "---|" * 5)
    for order in permutations(log.activities):
        number = {label: str(i) for i, label in enumerate(order)}
        relabelled = log.relabel(lambda label, number=number: number[label])
        cells = []
        for r in (1, 2, 3):
            for w in (2, 3, 4, 5):
                found = []
                for recipe in make_recipes(relabelled, r, w, 5, 0, "authors"):
                    truth = make_log(relabelled, recipe)
                    score = scores(embed(truth.log, "process-structure").distances(), truth.classes, "authors", w)
                    found.append([np.nan if score.all_equal else score[0], *score[1:4]])
                cells.append(np.mean(found, axis=0))
        print(f"| {', '.join(order)} | " + " | ".join(f"{value:.6f}" for value in np.nanmean(cells, axis=0)) + " |", flush=True)


if __name__ == "__main__":
    main()
