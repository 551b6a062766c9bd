"""Result files of the next-activity benchmark with made-up figures, in the settings few-cases and changed-labels."""

import json
import random

from actalike import EventLog
from actalike.benchmark.folders import note_request, open_folder, write_json
from actalike.benchmark.tasks.prediction_data import task_names
from actalike.benchmark.tasks.prediction_training import make_cells
from actalike.prediction.training.task import METRICS
from tests.helpers.benchmark_runs import open_log

LOGS = {"loan": [list("abc"), list("acb")], "orders": [list("ab")] * 9, "plain": [list("abcd")] * 8}
METHODS = ("ac-sequence-pmi-w3", "kin-w5", "one-hot")
SEEDS = 2
CONDITIONS = (("rename-30", 0), ("rename-30", 1), ("rename-30", 2), ("split-10", 0), ("rename-30-first-10", 0))
WAYS = ("told", "unplaced", "read", "placed")


def write_results(out, setting, models=("evermann",), logs=tuple(LOGS)):
    """Write a result file for each cell that a run of the setting would have."""
    chance = random.Random(setting)
    open_folder(out, {"benchmark": "prediction", "format": 2, "seeds": SEEDS, "epochs": None, "setting": setting})
    note_request(out, {"logs": sorted(logs), "methods": sorted(METHODS), "models": sorted(models)})
    for log in logs:
        digest = open_log(out, log, EventLog.from_traces(LOGS[log]))
        for cell in make_cells([log], METHODS, models, task_names(setting)):
            described = {"benchmark": "prediction", **cell._asdict(), "log_digest": digest, "epochs": None}
            figures = [_figures(chance, cell, setting, seed) for seed in range(SEEDS)]
            cell.file(out).parent.mkdir(parents=True, exist_ok=True)
            write_json(cell.file(out), {**described, "seeds": figures})


def _figures(chance, cell, setting, seed):
    figures = {"seed": seed, "epoch": 3, **{metric: chance.random() for metric in METRICS}}
    if setting != "changed-labels":
        return figures
    if cell.task:
        return {**figures, "told": chance.random()}
    least = {"unplaced": 0.1, "told": 0.7}  # so that most is possible
    changes = [
        {"condition": condition, "draw": draw, "way": way, "accuracy": least.get(way, 0.3) + chance.random() / 5}
        for condition, draw in CONDITIONS
        for way in WAYS
        if way != "placed" or cell.method != "original"
    ]
    return {**figures, "changes": changes}


def read_files(out):
    """The contents of all result files."""
    return [json.loads(path.read_text()) for path in sorted(out.rglob("results/*/*.json"))]


def accuracies(out):
    """The accuracies of changed labels by log, method, condition and way, each a list of draw and accuracy."""
    found = {}
    for cell in read_files(out):
        for figures in cell.get("seeds", []):
            rows = [(one["condition"], one["way"], one["draw"], one["accuracy"]) for one in figures.get("changes", [])]
            if cell["task"]:
                rows += [
                    (cell["task"], "retrained", 0, figures["accuracy"]),
                    (cell["task"], "retrained, told", 0, figures["told"]),
                ]
            for condition, way, draw, accuracy in rows:
                found.setdefault((cell["log"], cell["method"], condition, way), []).append((draw, accuracy))
    return found
