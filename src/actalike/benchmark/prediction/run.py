"""Running the next-activity benchmark: vectors of all methods on a log, then all of them trained at once, model by model.

Every step leaves a file, written whole or not at all: the vectors of a method, the figures of a method with a model. What is
there is not computed again; a training that was stopped goes on from its last checkpoint.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from actalike.benchmark import folders
from actalike.benchmark.logs import find_logs, say_how_read
from actalike.benchmark.participants import choose_names, make_methods
from actalike.benchmark.prediction.cells import Cell, Plan, error_of, make_cells, read_cell, request_of, write_error
from actalike.benchmark.prediction.data import PredictionData, prediction_data
from actalike.benchmark.prediction.jobs import STEPS, TORCH, Part, choose_jobs, train_parts, training
from actalike.benchmark.prediction.placements import changes_of
from actalike.benchmark.prediction.prepare import prepare_method, write_changes, write_task
from actalike.benchmark.prediction.settings import CHANGED_LABELS, SETTINGS, STANDARD, WHOLE, task_data, task_names
from actalike.benchmark.record import Advance, Failure, Outcome, Progress, Warn, no_warning
from actalike.datasets import PaperLog
from actalike.errors import ActalikeError, did_you_mean
from actalike.log import EventLog
from actalike.methods import Method, missing_extra
from actalike.prediction.training.task import MODELS, ONE_HOT, WITHOUT_VECTORS, methods_of
from actalike.support.progress import tracked


@dataclass(frozen=True)
class PredictionOutcome(Outcome):
    """What a run has done; ``device`` is None if it has prepared the training only."""

    models: tuple[str, ...]
    seeds: int
    device: str | None
    setting: str


def takes_log(entry: PaperLog) -> bool:
    """Return whether a log of the paper takes part."""
    return entry.next_activity


def why_not(method: Method) -> str | None:
    """Return why a method cannot take part, if it cannot."""
    return missing_extra(method)


def reads_labels(method: Method) -> str | None:
    """Return why a method cannot take part if labels change, if it cannot."""
    return "reads the text of labels, which change" if method.reads_labels else missing_extra(method)


def check_setting(setting: str, models: Sequence[str]) -> None:
    """Refuse a setting that does not exist, and one that a model cannot take part in."""
    if setting not in SETTINGS:
        raise ActalikeError(
            f"No setting is called {setting!r}.{did_you_mean(setting, SETTINGS)} There are {', '.join(SETTINGS)}."
        )
    unfit = [model for model in models if model in WITHOUT_VECTORS]
    if setting == CHANGED_LABELS and unfit:
        raise ActalikeError(
            f"{unfit[0]} cannot take part in the setting {setting}: it has no table in which new labels could be placed. "
            "Leave it out of --models."
        )


def run(
    *,
    logs: Sequence[str | Path],
    out: Path,
    methods: Sequence[str] | None = None,
    models: Sequence[str] = ("evermann",),
    setting: str = STANDARD,
    seeds: int = 5,
    epochs: int | None = None,
    device: str = "auto",
    jobs: int | None = 1,
    prepare_only: bool = False,
    retry_failed: bool = False,
    progress: Progress = tracked,
    warn: Warn = no_warning,
) -> PredictionOutcome:
    """Train networks to predict the next activity from the vectors of methods, which they cannot change.

    Each training is done with ``seeds`` seeds. ``setting`` says what they learn from and are tested on
    (:mod:`actalike.benchmark.prediction.settings`). ``one-hot`` always takes part. ``jobs`` processes
    train on a CPU, None for one for each core; the results are the same for any number. ``prepare_only`` writes ids and vectors,
    so that another machine can train.
    """
    for model in models:
        if model not in MODELS:
            raise ActalikeError(f"No model is called {model!r}.{did_you_mean(model, MODELS)} There are {', '.join(MODELS)}.")
    check_setting(setting, models)
    excluded = reads_labels if setting == CHANGED_LABELS else why_not
    names = choose_names(methods, excluded, warn)
    chosen = make_methods(list(dict.fromkeys([*names, ONE_HOT])), excluded)
    for name in [name for model in models for name in methods_of(model, []) if name in chosen]:
        raise ActalikeError(f"{name!r} is what a model alone is called here: register your method under another name.")
    place = None if prepare_only else choose_device(device)
    processes = 1 if place is None else choose_jobs(jobs, place)
    files = find_logs(logs, takes_log, warn)
    plan = Plan(seeds, epochs, setting)
    plan.open(out)
    opened = [open_log(out, name, files, warn) for name in files.names]
    folders.note_request(out, request_of(files.names, list(chosen), models))
    tasks = task_names(setting)
    with progress("vectors", len(opened) * len(tasks) * len(chosen)) as advance:
        for log in opened:
            prepare_log(out, log, setting, chosen, retry_failed, advance)
    trainings = [make_cells([log.name], list(chosen), [model], [task]) for log, task, model in product(opened, tasks, models)]
    failed = {cell: error for cells in trainings for cell, error in note_failures(cells, out, retry_failed).items()}
    computed = 0
    if place is not None:
        digests = {log.name: log.digest for log in opened}
        parts = [part for cells in trainings for part in missing_parts(cells, out, digests[cells[0].log], plan, place)]
        computed = sum(len(part.methods) for part in parts)
        with progress("training", len(parts) * STEPS) as advance:
            train_parts(parts, plan, place, processes, advance)
        for part in parts:
            training().remove_checkpoints(part.folder, part.model)
        failed = {cell: error for cells in trainings for cell in cells if (error := error_of(cell.file(out)))}
    return PredictionOutcome(
        out,
        len(make_cells(files.names, list(chosen), models, tasks)),
        computed,
        len(failed),
        tuple(
            Failure(cell.method, f"{cell.log} {cell.task}".strip(), error, cell.model) for cell, error in sorted(failed.items())
        ),
        tuple(files.names),
        tuple(chosen),
        tuple(models),
        seeds,
        place,
        setting,
    )


def choose_device(device: str) -> str:
    """Return the device to train on; ``auto`` is the GPU, where there is one."""
    torch = TORCH.load(user="The next-activity benchmark")
    if device == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda" and not torch.cuda.is_available():
        raise ActalikeError("There is no GPU here that torch could use: leave --device out, or give --device cpu.")
    return device


class OpenLog(NamedTuple):
    """A log of the benchmark, split."""

    name: str
    digest: str
    data: PredictionData


def open_log(out: Path, name: str, read: Callable[[str], EventLog], warn: Warn = no_warning) -> OpenLog:
    """Read and split a log; note it in the folder, or check that it is the one that was noted."""
    log = read(name)
    say_how_read(name, log, warn)
    try:
        data = prediction_data(_with_times(log))
    except ActalikeError as error:
        raise ActalikeError(f"{name}: {error} Nothing was computed: leave this log out, or mend it.") from None
    return OpenLog(name, folders.open_log(out, name, log), data)


def _with_times(log: EventLog) -> EventLog:
    """Return a log without times, if some of its events have none."""
    if log.timestamps is None or not np.isnat(log.timestamps).any():
        return log
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids)


def prepare_log(
    out: Path, log: OpenLog, setting: str, methods: Mapping[str, Method], retry_failed: bool, advance: Advance
) -> None:
    """Write the ids of all tasks of a log, and the vectors of the methods that have none yet."""
    for task, data in task_data(setting, log.data):
        folder = out / log.name / task
        if not (folder / "task.npz").exists():
            write_task(folder / "task.npz", data)
        has_changes = setting == CHANGED_LABELS and task == WHOLE
        lacking = [name for name in methods if not _is_prepared(folder, name, has_changes, retry_failed)]
        file = folder / "changes.npz"
        changes = changes_of(data) if has_changes and (lacking or not file.exists()) else []
        if has_changes and not file.exists():
            write_changes(file, data, changes)
        for name, method in methods.items():
            if name in lacking:
                prepare_method(name, method, data, folder, log.digest, changes)
            advance(", ".join(filter(None, (log.name, task, name))))


def _is_prepared(folder: Path, method: str, has_changes: bool, retry_failed: bool) -> bool:
    """Return whether a method's vectors (and placements) are there, or the error with which it failed."""
    path = folder / "vectors" / f"{method}.json"
    if not path.exists() or error_of(path):
        return path.exists() and not retry_failed
    placements = folder / "placements" / f"{method}.npz"
    return path.with_suffix(".npz").exists() and (placements.exists() or not has_changes)


def note_failures(cells: Sequence[Cell], out: Path, retry_failed: bool) -> dict[Cell, str]:
    """Write the error of each method without vectors as its result; failures that are to be tried again are forgotten."""
    failed = {cell: error for cell in cells if (error := error_of(cell.vectors(out)))}
    for cell, error in failed.items():
        write_error(cell, out, error)
    if retry_failed:
        for cell in cells:
            if cell not in failed and error_of(path := cell.file(out)):
                path.unlink()
    return failed


def missing_parts(cells: Sequence[Cell], out: Path, digest: str, plan: Plan, device: str) -> list[Part]:
    """Return what is to be trained of the cells of a log, task and model, in parts; each without what has a result.

    All methods that have vectors are divided, whether they have results or not, so that a run that was stopped has the same
    parts again.
    """
    for cell in cells:
        if (path := cell.file(out)).exists():
            read_cell(path, plan, digest)
    model, log, task, folder = cells[0].model, cells[0].log, cells[0].task, cells[0].folder(out)
    methods = [cell.method for cell in cells if not error_of(cell.vectors(out))]
    missing = set(training().missing(folder, model, methods, plan.seeds))
    left = [
        [method for method in part if method in missing]
        for part in training().parts_of(folder, model, methods, plan.seeds, device)
    ]
    name = ", ".join(filter(None, (log, task, model)))
    return [Part(name, folder, model, tuple(part)) for part in left if part]
