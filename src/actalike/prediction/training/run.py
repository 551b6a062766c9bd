"""Train the models that a prepared folder still lacks: for each log and model all methods at once, with a result file each.

DIR/LOG/task.npz, DIR/LOG/vectors/        the prepared input; of a log with several tasks, DIR/LOG/TASK/task.npz and so on
DIR/LOG/results/MODEL/METHOD.json         the scores of all seeds
DIR/LOG/results/MODEL/checkpoint-*.npz    the state of a training that is not finished, of a part of the methods

Trained models are also tested on cases whose labels have changed: what are they worth if new ids are read as weighted sums of old
ones? A network reads an id as a row of its table, t = v K + b, where v is the vector, K the input weights and b the bias. With
weights w of the old ids, a new id is read as Σ w_o t_o + (1 - Σ w_o) b, the row of the vector Σ w_o v_o. Without weights it is
read as b, the row of the mean of all vectors.
"""

import hashlib
import json
import os
import re
import secrets
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from .evermann import EvermannTrainer, JointTrainer, PublishedTrainer, SoundTrainer, predict
from .recurrence import SIZE, Models
from .task import ORIGINAL, TAX, WITHOUT_VECTORS, Part, Task, TaskError, Vectors, load_arrays, load_task, load_vectors
from .tax import TaxPublishedTrainer, TaxSoundTrainer

SAVE_EVERY = 120.0  # seconds between checkpoints
_MEMORY = {"cpu": 2 << 30, "cuda": 48 << 30}  # bytes for the models that are trained at once
_MODELS_AT_ONCE = {"cpu": 40, "cuda": 1 << 30}
_ROTATED = 1000  # the sound models rotate vectors to as many dimensions as there are activities: hardly a log has more

TRAINERS: dict[str, Callable[..., JointTrainer]] = {
    "evermann-published": PublishedTrainer,
    "evermann": SoundTrainer,
    "evermann-scaled": partial(SoundTrainer, centred=False),
    "evermann-unscaled": partial(SoundTrainer, centred=False, scaled=False),
    "tax-published": TaxPublishedTrainer,
    "tax": TaxSoundTrainer,
}
_LEARNED = (ORIGINAL, TAX)  # methods without prepared vectors

Progress = Callable[[str, int, int], None]


def missing(folder: Path, model: str, methods: Sequence[str], seeds: int) -> list[str]:
    """Return the methods that have no result for this model and log yet."""
    return [method for method in methods if not _has_result(folder / "results" / model / f"{method}.json", seeds)]


def prepared(folder: Path) -> list[str]:
    """Return the methods whose vectors are prepared for a log."""
    return [path.stem for path in sorted((folder / "vectors").glob("*.npz"))]


def task_folders(log_folder: Path) -> list[Path]:
    """Return the folders of a log's tasks that are prepared."""
    return [path.parent for path in sorted([*log_folder.glob("task.npz"), *log_folder.glob("*/task.npz")])]


def _has_result(path: Path, seeds: int) -> bool:
    if not path.exists():
        return False
    result = json.loads(path.read_text(encoding="utf-8"))
    return "error" in result or len(result["seeds"]) == seeds


def train_log(
    folder: Path, model: str, methods: Sequence[str], seeds: int, device: str, progress: Progress, epochs: int | None = None
) -> None:
    """Train some methods of a log part by part, and write their results, or the error if it fails."""
    parts = parts_of(folder, model, methods, seeds, device)
    for number, part in enumerate(parts, start=1):
        shown = folder.name if len(parts) == 1 else f"{folder.name} ({number} of {len(parts)})"

        def tell(_: str, done: int, epochs: int, shown: str = shown) -> None:
            progress(shown, done, epochs)

        train_part(folder, model, part, seeds, device, tell, epochs)
    remove_checkpoints(folder, model)


def parts_of(folder: Path, model: str, methods: Sequence[str], seeds: int, device: str) -> list[list[str]]:
    """Divide methods into parts, each of which is trained at once: those with few dimensions first.

    A part fits into memory. On a CPU it has about 40 models at most, so that several processes can train; on a GPU, more models
    at once cost little. Parts do not depend on the number of processes, and so the results do not, either.
    """
    kind = torch.device(device).type
    dimensions = {method: _dimensions(folder, model, method) for method in methods}
    ordered = sorted(methods, key=lambda method: (dimensions[method], method))
    most = max(1, _MODELS_AT_ONCE[kind] // seeds)
    size = -(-len(ordered) // max(1, -(-len(ordered) // most)))  # as many parts as are needed, of about the same size
    parts: list[list[str]] = []
    used = 0
    for method in ordered:
        # for each seed inputs of a batch, and weights, gradients, velocities, best weights; vectors are small beside them
        needed = 4 * dimensions[method] * seeds * (2 * 400 + 128 * 5)
        if not parts or len(parts[-1]) == size or used + needed > _MEMORY[kind]:
            parts.append([])
            used = 0
        parts[-1].append(method)
        used += needed
    return parts


def _dimensions(folder: Path, model: str, method: str) -> int:
    """Return how many dimensions the model's inputs have."""
    if method in _LEARNED:
        return SIZE
    dimensions = int(json.loads((folder / "vectors" / f"{method}.json").read_text(encoding="utf-8"))["dimensions"])
    return dimensions if model == "evermann-published" else min(dimensions, _ROTATED)


def train_part(
    folder: Path, model: str, methods: Sequence[str], seeds: int, device: str, progress: Progress, epochs: int | None = None
) -> None:
    """Train some methods of a log at once, and write their results, or the error if it fails."""
    try:
        _train_part(folder, model, methods, seeds, device, progress, epochs)
    except (ValueError, MemoryError, RuntimeError) as error:  # torch raises RuntimeError if memory runs out
        text = str(error) if isinstance(error, TaskError) else f"{type(error).__name__}: {error}"
        for method in missing(folder, model, methods, seeds):
            described = {"method": method, "log_digest": _digest(folder), "error": text}
            _write_result(folder, model, described)


def _train_part(
    folder: Path, model: str, methods: Sequence[str], seeds: int, device: str, progress: Progress, epochs: int | None
) -> None:
    if torch.device(device).type == "cpu":
        torch.set_num_threads(1)  # the products are small: more threads wait for each other, the longer the busier the machine
    else:
        torch.backends.cuda.matmul.allow_tf32 = True
    task = load_task(folder / "task.npz")
    vectors = load_vectors(folder / "vectors", [method for method in methods if method not in _LEARNED])
    changes = load_changes(folder / "changes.npz", task)
    results = folder / "results" / model
    results.mkdir(parents=True, exist_ok=True)
    remove_parts(results)
    options = {} if epochs is None else {"epochs": epochs}
    inputs = () if model in WITHOUT_VECTORS else (vectors, ORIGINAL in methods)
    trainer = TRAINERS[model](task, *inputs, range(seeds), device, **options)
    names = [method.method for method in vectors] + [ORIGINAL] * (ORIGINAL in methods)
    inputs_digest = _inputs_digest(task, vectors)
    what = {"methods": names, "seeds": seeds, "epochs": trainer.epochs, "device": device, "inputs": inputs_digest}
    checkpoint = _checkpoint(results, names)
    for done in _epochs(trainer, checkpoint, what):
        progress(folder.name, done, trainer.epochs)
    outcomes = trainer.outcomes()
    if changes and isinstance(trainer, EvermannTrainer):
        placements = load_placements(folder / "placements", [method.method for method in vectors])
        for outcome, figures in zip(outcomes, changed_figures(trainer.models, task, changes, placements), strict=True):
            outcome["changes"] = figures
    _write_results(folder, model, task, outcomes, device, epochs)
    checkpoint.unlink(missing_ok=True)


def _inputs_digest(task: Task, vectors: Sequence[Vectors]) -> str:
    """Return a fingerprint of what is learned from, by which a checkpoint knows its training."""
    digest = hashlib.sha256()
    parts = [task.training, task.validation]
    for array in [*(part.ids for part in parts), *(part.offsets for part in parts), *(one.data for one in vectors)]:
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]


def _checkpoint(results: Path, methods: Sequence[str]) -> Path:
    """Return where the state of the training of some methods is kept: a file of their own."""
    return results / f"checkpoint-{hashlib.sha256(repr(list(methods)).encode()).hexdigest()[:8]}.npz"


def remove_checkpoints(folder: Path, model: str) -> None:
    """Remove the checkpoints of a log and model whose training is finished: some may be of methods divided otherwise."""
    for path in (folder / "results" / model).glob("checkpoint*.npz"):
        path.unlink(missing_ok=True)


def _epochs(trainer: JointTrainer, checkpoint: Path, what: Mapping[str, Any]) -> Iterator[int]:
    """Train, and yield the number of epochs done. Continue from the checkpoint if there is one of the same training."""
    described = np.frombuffer(json.dumps(what, sort_keys=True).encode(), dtype=np.uint8)
    if checkpoint.exists():
        damaged = suppress(ValueError, OSError, KeyError, EOFError, BadZipFile)  # then start from the beginning
        with damaged, checkpoint.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            state = {name: torch.from_numpy(file[name]) for name in file.files if name != "what"}
            if np.array_equal(file["what"], described):
                trainer.load(state)
    saved = time.monotonic()
    for done in trainer.run():
        yield done
        if time.monotonic() - saved > SAVE_EVERY and done < trainer.epochs:
            arrays = {
                name: np.asarray(value.cpu() if torch.is_tensor(value) else value) for name, value in trainer.save().items()
            }
            write_whole(checkpoint, lambda part, arrays=arrays: np.savez(part, what=described, **arrays))  # type: ignore[misc]
            saved = time.monotonic()


def _write_results(
    folder: Path, model: str, task: Task, outcomes: Sequence[dict[str, Any]], device: str, epochs: int | None
) -> None:
    for method in dict.fromkeys(outcome["method"] for outcome in outcomes):
        described: dict[str, Any] = {"method": method, "log_digest": _digest(folder)}
        if method not in _LEARNED:
            described = json.loads((folder / "vectors" / f"{method}.json").read_text(encoding="utf-8"))
        figures = {
            "device": torch.device(device).type,
            "vocabulary": task.vocabulary_size,
            "predictions": len(task.test.ids),
            "epochs": epochs,  # None: the model's own number
            "seeds": [_plain_figures(outcome) for outcome in outcomes if outcome["method"] == method],
        }
        _write_result(folder, model, {**described, **figures})


def _plain_figures(outcome: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of a training as JSON can hold them: one that is not a number, as after a divergence, is null."""
    return {name: None if value != value else value for name, value in outcome.items() if name != "method"}


def _log_folder(folder: Path) -> Path:
    """Return the folder of a task's log: that of the task itself, or the one above it."""
    return folder if (folder / "log.json").exists() else folder.parent


def _digest(folder: Path) -> str:
    return str(json.loads((_log_folder(folder) / "log.json").read_text(encoding="utf-8"))["log_digest"])


def _write_result(folder: Path, model: str, content: Mapping[str, Any]) -> None:
    path = folder / "results" / model / f"{content['method']}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    log = _log_folder(folder)
    described = {"benchmark": "prediction", "log": log.name, "task": "" if log == folder else folder.name, "model": model}
    text = json.dumps({**described, **content}, indent=1) + "\n"
    write_whole(path, lambda part: part.write(text.encode()))


TOLD, UNPLACED, PLACED, READ, MATCHED = "told", "unplaced", "placed", "read", "matched"  # ways to read new ids

Hits = NDArray[np.bool_]  # (M, events): whether each model was right after each event


class Change(NamedTuple):
    """Hold test cases with new ids. ``meaning`` is the old id of every id; cases count from number ``first`` on.

    ``readings`` are the weights of the old ids (columns) for each new id by which a predictor adapts itself; ``matched`` those of
    a matching of labels, which files of version 0.2 have not.
    """

    condition: str
    draw: int
    first: int
    test: Part
    meaning: NDArray[np.int64]
    readings: NDArray[np.float32]
    matched: NDArray[np.float32] | None = None


def load_changes(path: Path, task: Task) -> list[Change]:
    """Read the changes of a log's labels; there are none if there is no file."""
    if not path.exists():
        return []
    file = load_arrays(path)
    changes = []
    for i, (condition, draw, first) in enumerate(zip(file["conditions"], file["draws"], file["firsts"], strict=True)):
        test = Part(file[f"{i}_ids"].astype(np.int64), task.test.offsets)
        tables = file[f"{i}_meaning"], file[f"{i}_readings"], file.get(f"{i}_matched")
        changes.append(Change(str(condition), int(draw), int(first), test, *tables))
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
        if change.matched is not None:
            ways[MATCHED] = _read(models, change, [change.matched] * len(models.names), targets)
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


_SHAPE = re.compile(r"\.training-([0-9a-f]{8})-(\d+)-[0-9a-f]{8}\.part")


def write_whole(path: Path, write: Callable[[Any], object]) -> None:
    """Write a file whole or not at all: ``write`` fills an open temporary file, which then becomes ``path``."""
    part = path.with_name(f".training-{_machine()}-{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        with part.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()


def remove_parts(folder: Path) -> None:
    """Remove the temporary files in a folder whose processes, of this machine, do not run any more."""
    for path in folder.glob(".training-*.part"):
        match = _SHAPE.fullmatch(path.name)
        if match is not None and match[1] == _machine() and not _runs(int(match[2])):
            path.unlink(missing_ok=True)


def _runs(pid: int) -> bool:
    """Tell whether there is a process of this number. If in doubt, there is."""
    if os.name != "posix":  # os.kill would end the process there
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


def _machine() -> str:
    """Return a short digest of what tells apart machines, and containers with processes of their own on one machine."""
    try:
        container = os.readlink("/proc/self/ns/pid")
    except OSError:
        container = ""
    return hashlib.sha256(f"{socket.gethostname()} {container}".encode()).hexdigest()[:8]
