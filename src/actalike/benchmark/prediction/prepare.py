"""Preparing the training: the log as ids, and each method's vectors, as plain arrays in files.

Training needs numpy and torch alone, so it can run where nothing else is installed: on a machine with a GPU, say.

    DIR/LOG/task.npz                the ids of the three parts
    DIR/LOG/vectors/METHOD.npz      a row for each id, sparse
    DIR/LOG/vectors/METHOD.json     what the method is; or why it failed
    DIR/LOG/changes.npz             test cases with changed labels, and how a predictor reads the new ones
    DIR/LOG/placements/METHOD.npz   how a method places the new labels

A setting with several tasks has such a folder for each: DIR/LOG/TASK/task.npz and so on.
"""

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array, vstack

from actalike.benchmark.folders import error_text, parameters_of, write_json
from actalike.benchmark.prediction.data import PredictionData
from actalike.benchmark.prediction.placements import Change, placed_weights, read_weights
from actalike.errors import ActalikeError
from actalike.methods import Method
from actalike.support.files import write_atomically
from actalike.version import __version__


def write_task(path: Path, data: PredictionData) -> None:
    """Write the ids of a log's parts; the times too, where there are any."""
    arrays: dict[str, Any] = {"vocabulary_size": len(data.vocabulary), "end": data.end}
    if data.meaning is not None:
        arrays["meaning"] = data.meaning
    for name in ("training", "validation", "test"):
        part = getattr(data, name)
        arrays |= {f"{name}_ids": part.ids, f"{name}_offsets": part.offsets}
        if part.seconds is not None:
            arrays[f"{name}_seconds"] = part.seconds
    _save(path, arrays)


def write_changes(path: Path, data: PredictionData, changes: Sequence[Change]) -> None:
    """Write test cases with changed labels, and how a predictor that adapts itself reads the new ones."""
    arrays: dict[str, Any] = {
        "conditions": np.array([change.condition.name for change in changes]),
        "draws": np.array([change.condition.draw for change in changes]),
        "firsts": np.array([change.n_known for change in changes]),
    }
    for i, change in enumerate(changes):
        arrays |= {f"{i}_ids": change.changed.test.ids, f"{i}_meaning": change.changed.meaning}
        arrays[f"{i}_readings"] = read_weights(data, change)
    _save(path, arrays)


def frozen_vectors(method: Method, data: PredictionData) -> csr_array:
    """Return a method's vectors, a row for each id: zero for the end symbol, and for activities that only the test cases have."""
    known = data.known()
    embedding = copy.deepcopy(method).fit(known).embedding_
    if sorted(embedding.activities) != known.activities:
        raise ActalikeError("its activities are not those of the log")
    row = {label: i for i, label in enumerate(embedding.activities)}
    vectors = csr_array(embedding.stored_vectors)
    empty = csr_array((1, vectors.shape[1]))
    places = [row.get(label, len(row)) for label in data.vocabulary]
    with np.errstate(over="ignore"):
        frozen = csr_array(vstack([vectors, empty]).tocsr()[places], dtype=np.float32)
    if not np.isfinite(frozen.data).all():
        raise ActalikeError("its vectors have numbers that are too large for training, which uses 32 bits")
    return frozen


def prepare_method(
    name: str, method: Method, data: PredictionData, folder: Path, digest: str, changes: Sequence[Change] = ()
) -> str | None:
    """Write a method's vectors on a log, and how it places new labels; or write and return the error."""
    description: dict[str, Any] = {
        "method": name,
        "log_digest": digest,
        "version": __version__,
        "parameters": parameters_of(method),
    }
    vectors_folder = folder / "vectors"
    vectors_folder.mkdir(parents=True, exist_ok=True)
    try:
        vectors = frozen_vectors(method, data)
        placements = {str(i): placed_weights(data, change, method) for i, change in enumerate(changes)}
    except (Exception, SystemExit) as error:  # a method may be anybody's: whatever it raises is its result
        (vectors_folder / f"{name}.npz").unlink(missing_ok=True)  # from a run that was killed
        write_json(vectors_folder / f"{name}.json", {**description, "error": error_text(error)})
        return error_text(error)
    arrays = {"data": vectors.data, "indices": vectors.indices.astype(np.int32), "indptr": vectors.indptr.astype(np.int64)}
    if changes:
        _save(folder / "placements" / f"{name}.npz", placements)
    _save(vectors_folder / f"{name}.npz", {**arrays, "dimensions": vectors.shape[1]})
    write_json(
        vectors_folder / f"{name}.json", {**description, "dimensions": vectors.shape[1]}
    )  # last: says that the other is whole
    return None


def _save(path: Path, arrays: dict[str, Any]) -> None:
    def write(part: Path) -> None:
        with part.open("wb") as file:
            np.savez_compressed(file, **arrays)

    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, write)
