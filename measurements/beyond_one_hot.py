"""What vectors are worth beyond one-hot ones, and what scaling and centring them is worth, from a folder of results.

    actalike benchmark prediction [--setting few-cases] --logs LOGS --methods ... --models evermann ... --out DIR
    python measurements/beyond_one_hot.py DIR [METHOD ...]

Prints, for each model and task: the accuracy of each method, and how much it is beyond one-hot vectors, log by log. If the folder
has the models evermann-unscaled, evermann-scaled and evermann, also what scaling is worth (the second less the first) and what
centring is (the third less the second). 95 % intervals are from resampling logs; a log without a method's figure is left out.
"""

import itertools
import sys

import numpy as np
import polars as pl
from changed_labels import interval, row

from actalike import benchmark

STEPS = ("evermann-unscaled", "evermann-scaled", "evermann")
REFERENCE = "one-hot"


def main(folder, *methods):
    singles = benchmark.read(folder).singles
    task = pl.col("condition").fill_null("") if "condition" in singles.columns else pl.lit("")
    means = singles.group_by("model", task.alias("task"), "method", "log").agg(pl.col("accuracy").mean())
    value = {(model, task, method, log): a for model, task, method, log, a in means.iter_rows()}
    tasks = sorted(means["task"].unique())
    methods = methods or sorted(means.filter(pl.col("model").str.starts_with("evermann"))["method"].unique())
    for model in sorted(name for name in means["model"].unique() if name.startswith("evermann")):
        print(f"\n{model}:\n")
        row("method", *(name for task in tasks for name in (task or "accuracy", f"beyond {REFERENCE}")))
        row(*["---"] * (1 + 2 * len(tasks)))
        for method in methods:
            row(method, *(cell for task in tasks for cell in beyond(value, model, task, method)))
    if set(STEPS) <= set(means["model"].unique()):
        print("\nWhat the steps are worth:\n")
        row("method", "as they are", "scaled", "centred and scaled", "scaling", "centring")
        row(*["---"] * 6)
        for method in methods:
            logs = [log for model, task, name, log in value if (model, task, name) == (STEPS[0], "", method)]
            by_step = [np.array([value[step, "", method, log] for log in logs]) for step in STEPS]
            differences = (interval(after - before) for before, after in itertools.pairwise(by_step))
            row(method, *(float(accuracies.mean()) for accuracies in by_step), *differences)


def beyond(value, model, task, method):
    """The mean accuracy over all logs that have one, and the difference to one-hot vectors."""
    logs = [log for log in sorted({key[3] for key in value}) if (model, task, method, log) in value]
    if not logs:
        return "-", "-"
    own, reference = (np.array([value[model, task, name, log] for log in logs]) for name in (method, REFERENCE))
    return float(own.mean()), interval(own - reference) + (
        "" if len(logs) == len({key[3] for key in value}) else f" ({len(logs)} logs)"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
