"""Train the models that a prepared folder still lacks: for each log and model all methods at once, with a result file each.

DIR/LOG/task.npz, DIR/LOG/vectors/        the prepared input
DIR/LOG/results/MODEL/METHOD.json         the scores of all seeds
DIR/LOG/results/MODEL/checkpoint-*.npz    the state of a training that is not finished, of a part of the methods
"""

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import torch

from actalike.support.files import write_atomically

from .evermann import JointTrainer, PublishedTrainer, SoundTrainer
from .recurrence import SIZE
from .task import ORIGINAL, TAX, WITHOUT_VECTORS, Task, TaskError, Vectors, load_task, load_vectors
from .tax import TaxPublishedTrainer, TaxSoundTrainer

SAVE_EVERY = 120.0  # seconds between checkpoints
_MEMORY = {"cpu": 2 << 30, "cuda": 48 << 30}  # bytes for the models that are trained at once
_MODELS_AT_ONCE = {"cpu": 40, "cuda": 1 << 30}
_ROTATED = 1000  # the sound models rotate vectors to as many dimensions as there are activities: hardly a log has more

TRAINERS: dict[str, Callable[..., JointTrainer]] = {
    "evermann-published": PublishedTrainer,
    "evermann": SoundTrainer,
    "tax-published": TaxPublishedTrainer,
    "tax": TaxSoundTrainer,
}
_LEARNED = (ORIGINAL, TAX)  # methods without prepared vectors

Progress = Callable[[str, int, int], None]


def missing(folder: Path, model: str, methods: Sequence[str], seeds: int) -> list[str]:
    """Return the methods that have no result for this model and log yet."""
    return [method for method in methods if not _has_result(folder / "results" / model / f"{method}.json", seeds)]


def _has_result(path: Path, seeds: int) -> bool:
    if not path.exists():
        return False
    result = json.loads(path.read_text(encoding="utf-8"))
    return "error" in result or len(result["seeds"]) == seeds


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
    results = folder / "results" / model
    results.mkdir(parents=True, exist_ok=True)
    options = {} if epochs is None else {"epochs": epochs}
    inputs = () if model in WITHOUT_VECTORS else (vectors, ORIGINAL in methods)
    trainer = TRAINERS[model](task, *inputs, range(seeds), device, **options)
    names = [method.method for method in vectors] + [ORIGINAL] * (ORIGINAL in methods)
    inputs_digest = _inputs_digest(task, vectors)
    what = {"methods": names, "seeds": seeds, "epochs": trainer.epochs, "device": device, "inputs": inputs_digest}
    checkpoint = _checkpoint(results, names)
    for done in _epochs(trainer, checkpoint, what):
        progress(folder.name, done, trainer.epochs)
    _write_results(folder, model, task, trainer.outcomes(), device, epochs)
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
            _save(checkpoint, {"what": described, **arrays})
            saved = time.monotonic()


def _save(path: Path, arrays: Mapping[str, Any]) -> None:
    def write(part: Path) -> None:
        with part.open("wb") as file:
            np.savez(file, **arrays)

    write_atomically(path, write)


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


def _digest(folder: Path) -> str:
    return str(json.loads((folder / "log.json").read_text(encoding="utf-8"))["log_digest"])


def _write_result(folder: Path, model: str, content: Mapping[str, Any]) -> None:
    path = folder / "results" / model / f"{content['method']}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    described = {"benchmark": "prediction", "log": folder.name, "task": "", "model": model}
    text = json.dumps({**described, **content}, indent=1) + "\n"
    write_atomically(path, lambda part: part.write_text(text, encoding="utf-8"))
