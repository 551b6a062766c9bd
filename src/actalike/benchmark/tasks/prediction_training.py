"""Cells of the next-activity benchmark (a model, a method and a log, each with a small result file), and their training.

Parts are trained one after another or in several processes, each with one thread. A part is a log, a model, and some of the
methods; its process writes its result files.
"""

import os
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from actalike.benchmark.folders import FIGURES, TEXT, LogFacts, ResultFolder, read_json, write_json
from actalike.benchmark.processes import in_processes
from actalike.benchmark.record import Advance
from actalike.benchmark.results import Key
from actalike.benchmark.task import option
from actalike.errors import ActalikeError
from actalike.prediction.training.task import MODELS, methods_of
from actalike.support.extras import Extra

TIME = "time_mae"  # the mean absolute error of the time until the next event, in days: less is better
TORCH = Extra("neural", "torch")
STEPS = 100  # of the progress of a part


@dataclass(frozen=True)
class PredictionOptions:
    """Which networks learn from what, how often, and where. Without ``epochs``, each model trains for as many as it has."""

    models: Sequence[str] = option(("evermann",), f"Of {', '.join(MODELS)}. [{MODELS[0]}]", metavar="MODEL...")
    seeds: int = option(5, "Trainings of each method, which differ by chance alone.", plan=True, least=1)
    epochs: int | None = option(
        None, "How often a training goes through all cases, at most. [100, or the model's own]", plan=True, least=1
    )
    device: Literal["auto", "cpu", "cuda"] = option("auto", "Where to train: auto takes a GPU where there is one.")


class _Request(msgspec.Struct):
    logs: list[TEXT]
    methods: list[TEXT]
    models: list[TEXT]


class _Result(msgspec.Struct):
    log: TEXT
    task: TEXT
    model: TEXT
    method: TEXT
    log_digest: TEXT
    seeds: FIGURES = []
    error: TEXT = ""


class Cell(NamedTuple):
    """A piece of work: a model that is trained with a method's vectors on a log."""

    model: str
    method: str
    log: str

    @property
    def key(self) -> Key:
        """Return method, log and the name of the unit, which is the model."""
        return self.method, self.log, self.model

    def file(self, out: Path) -> Path:
        """Return the path of its result."""
        return out / self.log / "results" / self.model / f"{self.method}.json"

    def vectors(self, out: Path) -> Path:
        """Return the file that describes its method's vectors, or says why there are none."""
        return out / self.log / "vectors" / f"{self.method}.json"


def make_cells(logs: Sequence[str], methods: Sequence[str], models: Sequence[str]) -> list[Cell]:
    """Return all cells of some logs, methods and models.

    >>> [cell.method for cell in make_cells(["loan"], ["kin-w5"], ["evermann", "tax"])]
    ['kin-w5', 'original', 'tax']
    """
    return [Cell(model, method, log) for log in logs for model in models for method in methods_of(model, methods)]


def requested(folder: ResultFolder) -> frozenset[Key]:
    """Return what was asked for so far: method, log, unit."""
    return frozenset(
        cell.key
        for request in folder.requests(_Request)
        for cell in make_cells(request["logs"], request["methods"], request["models"])
    )


def read_cell(path: Path, options: PredictionOptions, digest: str) -> dict[str, Any]:
    """Read the file of a cell; one from another run (folders may have been copied together) is an error."""
    cell = read_json(path, _Result)
    own_parts = Cell(*(cell[name] for name in Cell._fields)).file(Path()).parts
    is_of_folder = path.parts[-len(own_parts) :] == own_parts
    has_figures = len(cell.get("seeds", [])) == options.seeds and cell.get("epochs") == options.epochs
    if cell["log_digest"] != digest or not is_of_folder or cell["task"] or not ("error" in cell or has_figures):
        raise ActalikeError(f"{path} is of another run than its folder: results of different runs do not mix. Remove it.")
    return cell


def error_of(path: Path) -> str | None:
    """Return the error that a result file, or the file of a method's vectors, holds; None if there is none, or no file."""
    return read_json(path).get("error") if path.exists() else None


def write_error(cell: Cell, out: Path, error: str) -> None:
    """Write an error as the result of a cell."""
    path = cell.file(out)
    path.parent.mkdir(parents=True, exist_ok=True)
    digest = read_json(out / cell.log / "log.json", LogFacts)["log_digest"]
    described = {"benchmark": "prediction", "log": cell.log, "task": "", "model": cell.model, "method": cell.method}
    write_json(path, {**described, "log_digest": digest, "error": error})


class Part(NamedTuple):
    """Some methods that are trained at once with a model on a log, and what the training is called in the progress."""

    name: str
    folder: Path
    model: str
    methods: tuple[str, ...]


def note_failures(cells: Sequence[Cell], out: Path, retry_failed: bool) -> None:
    """Write the error of each method without vectors as its result; failures that are to be tried again are forgotten."""
    for cell in cells:
        if error := error_of(cell.vectors(out)):
            write_error(cell, out, error)
        elif retry_failed and error_of(path := cell.file(out)):
            path.unlink()


def missing_parts(cells: Sequence[Cell], out: Path, digest: str, options: PredictionOptions, device: str) -> list[Part]:
    """Return what is to be trained of the cells of a log and model, in parts; each without what has a result.

    All methods that have vectors are divided, whether they have results or not, so that a run that was stopped has the same
    parts again.
    """
    for cell in cells:
        if (path := cell.file(out)).exists():
            read_cell(path, options, digest)
    model, log = cells[0].model, cells[0].log
    folder = out / log
    methods = [cell.method for cell in cells if not error_of(cell.vectors(out))]
    missing = set(training().missing(folder, model, methods, options.seeds))
    left = [
        [method for method in part if method in missing]
        for part in training().parts_of(folder, model, methods, options.seeds, device)
    ]
    return [Part(f"{log}, {model}", folder, model, tuple(part)) for part in left if part]


def choose_device(device: str) -> str:
    """Return the device to train on; ``auto`` is the GPU, where there is one."""
    torch = TORCH.load(user="The next-activity benchmark")
    if device == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda" and not torch.cuda.is_available():
        raise ActalikeError("There is no GPU here that torch could use: leave --device out, or give --device cpu.")
    return device


def choose_jobs(jobs: int | None, device: str) -> int:
    """Return the number of processes: if none is given, one for each core of the CPU. A GPU has one process."""
    if device != "cpu":
        if jobs not in (None, 1):
            raise ActalikeError(f"--jobs {jobs} is for a CPU: a GPU trains all methods at once in one process. Leave it out.")
        return 1
    if jobs is not None:
        return jobs
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def training() -> Any:
    """Load the code that trains, which needs torch."""
    TORCH.load(user="The next-activity benchmark")
    from actalike.prediction.training import run

    return run


def train_parts(parts: Sequence[Part], seeds: int, epochs: int | None, device: str, jobs: int, advance: Advance) -> None:
    """Train parts in so many processes; each of them advances the progress by 100 steps in the end."""
    if min(jobs, len(parts)) > 1:
        calls = ((part, seeds, epochs, device) for part in parts)
        for name in in_processes(_train_in_process, calls, min(jobs, len(parts))):
            advance(name, STEPS)
        return
    for part in parts:
        steps = _Steps(part.name, advance)
        training().train_part(part.folder, part.model, part.methods, seeds, device, steps, epochs)
        steps.advance_to(STEPS)


class _Steps:
    """Report the progress of one training; if it ends early, the rest is reported at once."""

    def __init__(self, name: str, advance: Advance) -> None:
        self.name, self.advance, self.done = name, advance, 0

    def __call__(self, _: str, done: int, epochs: int) -> None:
        self.advance_to(done * STEPS // epochs)

    def advance_to(self, done: int) -> None:
        """Report that so many steps are done."""
        self.advance(self.name, done - self.done)
        self.done = done


def _train_in_process(part: Part, seeds: int, epochs: int | None, device: str) -> str:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal; the parent ends this one
    training().train_part(part.folder, part.model, part.methods, seeds, device, lambda *_: None, epochs)
    return part.name
