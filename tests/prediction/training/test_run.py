"""Training what a prepared folder lacks."""

import json
from pathlib import Path

import numpy as np
import pytest

from actalike.prediction.training import names, run
from actalike.prediction.training.tax_features import seconds_of
from tests.helpers.tax_runs import (
    END,
    V,
    some_task,
)


def written(folder: Path, task):
    arrays = {"vocabulary_size": V, "end": END}
    for name in ("training", "validation", "test"):
        part = getattr(task, name)
        arrays |= {f"{name}_ids": part.ids, f"{name}_offsets": part.offsets, f"{name}_seconds": seconds_of(part)}
    folder.mkdir()
    np.savez(folder / "task.npz", **arrays)
    (folder / "log.json").write_text(json.dumps({"log_digest": "abc"}))


@pytest.mark.parametrize("model", ["tax", "tax-published"])
def test_a_folder_without_vectors_gets_results_of_the_one_method(tmp_path, model):
    folder = tmp_path / "log"
    written(folder, some_task())
    methods = names.methods_of(model, ["aa", "ac"])
    assert methods == run.missing(folder, model, methods, seeds=2) == ["tax"]
    run.train_log(folder, model, methods, 2, "cpu", lambda *_: None, epochs=1)
    found = json.loads((folder / "results" / model / "tax.json").read_text())
    assert (found["method"], found["model"], found["log_digest"], found["predictions"]) == ("tax", model, "abc", 16)
    assert [seed["seed"] for seed in found["seeds"]] == [0, 1]
    assert all(seed["time_mae"] > 0 for seed in found["seeds"])
    assert run.missing(folder, model, methods, seeds=2) == []
