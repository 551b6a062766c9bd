"""Test trained models on cases whose labels have changed: what are they worth if new ids are read as weighted sums of old ones?

A network reads an id as a row of its table, t = v K + b, where v is the vector, K the input weights and b the bias. With weights
w of the old ids, a new id is read as Σ w_o t_o + (1 - Σ w_o) b, the row of the vector Σ w_o v_o. Without weights it is read as b,
the row of the mean of all vectors.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from .evaluation import predict
from .models import Models
from .task import Part, Task, load_arrays

TOLD, UNPLACED, PLACED, READ = "told", "unplaced", "placed", "read"  # ways to read new ids

Hits = NDArray[np.bool_]  # (M, events): whether each model was right after each event


class Change(NamedTuple):
    """Hold test cases with new ids. ``meaning`` is the old id of every id; cases count from number ``first`` on.

    ``readings`` are the weights of the old ids (columns) for each new id by which a predictor adapts itself.
    """

    condition: str
    draw: int
    first: int
    test: Part
    meaning: NDArray[np.int64]
    readings: NDArray[np.float32]


def load_changes(path: Path, task: Task) -> list[Change]:
    """Read the changes of a log's labels; there are none if there is no file."""
    if not path.exists():
        return []
    file = load_arrays(path)
    changes = []
    for i, (condition, draw, first) in enumerate(zip(file["conditions"], file["draws"], file["firsts"], strict=True)):
        test = Part(file[f"{i}_ids"].astype(np.int64), task.test.offsets)
        changes.append(Change(str(condition), int(draw), int(first), test, file[f"{i}_meaning"], file[f"{i}_readings"]))
    return changes


def load_placements(folder: Path, methods: Sequence[str]) -> dict[str, list[NDArray[np.float32]]]:
    """Read the weights by which methods place new ids: for each change a table."""
    files = {method: load_arrays(folder / f"{method}.npz") for method in methods}
    return {method: [file[str(i)] for i in range(len(file))] for method, file in files.items()}


def changed_figures(
    models: Models, task: Task, changes: Sequence[Change], placements: dict[str, list[NDArray[np.float32]]]
) -> list[list[dict[str, Any]]]:
    """Return, for each model, the accuracy under each change and with each way to read the new ids."""
    if not changes:
        return [[] for _ in models.names]
    targets = task.targets()
    told = _hits(models, models.tables(), task.test, targets)
    figures: list[list[dict[str, Any]]] = [[] for _ in models.names]
    unplaced: dict[tuple[str, int], Hits] = {}
    for i, change in enumerate(changes):
        ways = {TOLD: told}
        kind = change.condition.partition("-first-")[0], change.draw  # with other first cases, the test cases are the same
        nothing = np.zeros_like(change.readings)
        if kind not in unplaced:
            unplaced[kind] = _read(models, change, [nothing] * len(models.names), targets)
        ways[UNPLACED] = unplaced[kind]
        ways[READ] = _read(models, change, [change.readings] * len(models.names), targets)
        own = [placements[method][i] if method in placements else None for method, _ in models.names]
        if any(table is not None for table in own):
            ways[PLACED] = _read(models, change, [nothing if table is None else table for table in own], targets)
        judged = slice(int(task.test.offsets[change.first]), None)
        for model, table in enumerate(own):
            figures[model] += [
                {"condition": change.condition, "draw": change.draw, "way": way, "accuracy": float(hits[model, judged].mean())}
                for way, hits in ways.items()
                if way != PLACED or table is not None
            ]
    return figures


def _read(models: Models, change: Change, weights: Sequence[NDArray[np.float32]], targets: NDArray[np.int64]) -> Hits:
    """Return where the models are right if they read new ids by these weights, a table for each model."""
    tables = models.tables()
    stacked = torch.from_numpy(np.stack(weights)).to(tables.device)
    bias = models.weights["bias"][:, None].detach()
    rows = torch.bmm(stacked, tables) + (1 - stacked.sum(dim=2, keepdim=True)) * bias
    return _hits(models, torch.cat([tables, rows], dim=1), change.test, targets)


def _hits(models: Models, tables: Tensor, part: Part, targets: NDArray[np.int64]) -> Hits:
    predicted, _ = predict(models, part, targets, tables)
    return predicted == targets
