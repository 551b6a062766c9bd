"""Running the next-activity benchmark: vectors of all methods on a log, then all of them trained at once, model by model.

Every step leaves a file, written whole or not at all: the vectors of a method, the figures of a method with a model. What is
there is not computed again; a training that was stopped goes on from its last checkpoint.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from actalike.benchmark import folders
from actalike.benchmark.logs import LogFiles
from actalike.benchmark.prediction.data import PredictionData, prediction_data
from actalike.benchmark.prediction.prepare import prepare_method, write_task
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods import Method
from actalike.prediction.training.names import methods_of
from actalike.support.extras import Extra

TORCH = Extra("neural", "torch")
COMPLEX = 0.9  # variants per case above which the paper calls a log complex


@dataclass(frozen=True)
class Plan:
    """What all results of a folder have in common; without ``epochs``, each model trains for as many as it has of its own."""

    seeds: int = 5
    epochs: int | None = None


def open_folder(out: Path, plan: Plan) -> None:
    """Make a result folder, or check that the one that is there belongs to this plan."""
    folders.open_folder(out, {"benchmark": "prediction", "format": 1, **asdict(plan)})


def read_plan(out: Path) -> Plan:
    """The plan of a result folder."""
    found = folders.read_description(out, "seeds")
    return Plan(found["seeds"], found.get("epochs"))


def read_result(path: Path, plan: Plan) -> dict[str, Any]:
    """What a result file holds; one from another run (folders may have been copied together) is an error."""
    found = folders.read_json(path, "log", "model", "method", "log_digest")
    digest = folders.read_json(path.parents[2] / "log.json", "log_digest")["log_digest"]
    has_figures = "error" in found or (len(found.get("seeds", [])) == plan.seeds and found.get("epochs") == plan.epochs)
    if found["log_digest"] != digest or not has_figures:
        raise ActalikeError(f"{path} is of another run than its folder: results of different runs do not mix. Remove it.")
    return found


def training() -> Any:
    """The code that trains, which needs torch."""
    TORCH.load(user="The next-activity benchmark")
    from actalike.prediction.training import run

    return run


def choose_device(device: str) -> str:
    """``auto`` is the GPU, where there is one."""
    torch = TORCH.load(user="The next-activity benchmark")
    if device == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda" and not torch.cuda.is_available():
        raise ActalikeError("There is no GPU here that torch could use: leave --device out, or give --device cpu.")
    return device


def note_request(out: Path, logs: Sequence[str], methods: Sequence[str], models: Sequence[str]) -> None:
    """Note what is to be computed, so that a table can say what is missing."""
    folders.note_request(out, {"logs": sorted(logs), "methods": sorted(methods), "models": sorted(models)})


def requested(out: Path) -> set[tuple[str, str, str]]:
    """What was asked for so far: model, method, log."""
    return {
        (model, method, log)
        for request in folders.requests(out, "logs", "methods", "models")
        for model in request["models"]
        for log in request["logs"]
        for method in methods_of(model, request["methods"])
    }


class OpenLog(NamedTuple):
    """A log of the benchmark, split."""

    name: str
    digest: str
    data: PredictionData


def open_log(out: Path, name: str, files: LogFiles) -> OpenLog:
    """Read and split a log; note it in the folder, or check that it is the one that was noted."""
    log = files(name)
    try:
        data = prediction_data(_with_times(log))
    except ActalikeError as error:
        raise ActalikeError(f"{name}: {error} Nothing was computed: leave this log out, or mend it.") from None
    return OpenLog(name, folders.open_log(out, name, log), data)


def prepare_log(
    out: Path, log: OpenLog, methods: Mapping[str, Method], retry_failed: bool, advance: Callable[[str], None]
) -> None:
    """Write a log's ids and the vectors of the methods that have none yet."""
    folder = out / log.name
    if not (folder / "task.npz").exists():
        write_task(folder / "task.npz", log.data)
    for name, method in methods.items():
        if not _has_vectors(folder / "vectors" / f"{name}.json", retry_failed):
            prepare_method(name, method, log.data, folder / "vectors", log.digest)
        advance(f"{log.name}, {name}")


def _with_times(log: EventLog) -> EventLog:
    """A log some of whose events have no time is one without times."""
    if log.timestamps is None or not np.isnat(log.timestamps).any():
        return log
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids)


def _has_vectors(path: Path, retry_failed: bool) -> bool:
    """Whether a method's vectors are there, or the error with which it failed."""
    return path.exists() and (not retry_failed if _error(path) else path.with_suffix(".npz").exists())


def note_failures(folder: Path, model: str, methods: Sequence[str], retry_failed: bool) -> dict[str, str]:
    """Where a method has no vectors on a log, its error is its result with a model; failures to be tried again are forgotten."""
    asked = methods_of(model, methods)
    failed = {method: error for method in asked if (error := _error(folder / "vectors" / f"{method}.json"))}
    for method, error in failed.items():
        _write_error(folder, model, method, error)
    if retry_failed:
        for method in asked:
            if method not in failed and _error(path := folder / "results" / model / f"{method}.json"):
                path.unlink()
    return failed


def train_log(
    out: Path,
    name: str,
    model: str,
    methods: Sequence[str],
    plan: Plan,
    device: str,
    retry_failed: bool,
    progress: Callable[[str, int, int], None],
) -> dict[str, str]:
    """Train what is missing of a model on a log; returns the errors, by method."""
    run = training()
    folder = out / name
    asked = methods_of(model, methods)
    note_failures(folder, model, methods, retry_failed)
    for method in asked:
        if (path := folder / "results" / model / f"{method}.json").exists():
            read_result(path, plan)
    missing = run.missing(folder, model, asked, plan.seeds)
    if missing:
        run.train_log(folder, model, missing, plan.seeds, device, progress, plan.epochs)
    errors = {method: _error(folder / "results" / model / f"{method}.json") for method in asked}
    return {method: error for method, error in errors.items() if error}


def _error(path: Path) -> str | None:
    return folders.read_json(path).get("error") if path.exists() else None


def _write_error(folder: Path, model: str, method: str, error: str) -> None:
    path = folder / "results" / model / f"{method}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    digest = json.loads((folder / "log.json").read_text(encoding="utf-8"))["log_digest"]
    described = {"benchmark": "prediction", "log": folder.name, "model": model, "method": method, "log_digest": digest}
    folders.write_json(path, {**described, "error": error})
