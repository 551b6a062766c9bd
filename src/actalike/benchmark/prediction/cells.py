"""The cells of the next-activity benchmark: a model, a method, a log and a task, each with a small result file."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from actalike.benchmark.folders import ResultFolder, open_folder, read_json, write_json
from actalike.benchmark.prediction.changed_labels import MAIN
from actalike.benchmark.prediction.settings import CHANGED_LABELS, SETTINGS, STANDARD, WHOLE, task_names
from actalike.benchmark.result_schemas import (
    COUNT,
    NUMBER_OR_NULL,
    TEXT,
    TEXTS,
    figures_or_error,
    items,
    one_of,
    record,
    structure,
)
from actalike.errors import ActalikeError
from actalike.prediction.training.task import METRICS, WITHOUT_NEW_LABELS, methods_of

NAME = "prediction"
TIME = "time_mae"  # the mean absolute error of the time until the next event, in days: less is better
FORMAT = 2  # of the result files: raise it when what they hold changes

_PLAN = record(seeds=COUNT, setting=one_of(*SETTINGS))
_REQUEST = record(logs=TEXTS, methods=TEXTS, models=TEXTS)
_MAY_FAIL = structure({}, {"error": TEXT})
_CHANGE = record(condition=TEXT, draw=COUNT, way=TEXT, accuracy=NUMBER_OR_NULL)
_FIGURES = structure(
    {"seed": COUNT, **dict.fromkeys(METRICS, NUMBER_OR_NULL), "epoch": COUNT},
    {TIME: NUMBER_OR_NULL, "told": NUMBER_OR_NULL, "changes": items(_CHANGE)},  # of models of times, and where labels change
)
_CELL = figures_or_error(
    {"seeds": items(_FIGURES)},
    {"error": TEXT},
    log=TEXT,
    task=TEXT,
    model=TEXT,
    method=TEXT,
    log_digest=TEXT,
)


@dataclass(frozen=True)
class Plan:
    """What all results of a folder have in common. Without ``epochs``, each model trains for as many as it has of its own."""

    seeds: int = 5
    epochs: int | None = None
    setting: str = STANDARD

    @classmethod
    def of_folder(cls, folder: ResultFolder) -> "Plan":
        """Return the plan of a result folder."""
        folder.check_format(FORMAT)
        seeds, setting = folder.described(_PLAN)
        return cls(seeds, folder.description.get("epochs"), setting)

    def open(self, out: Path) -> None:
        """Make a result folder, or check that the one that is there belongs to this plan."""
        open_folder(out, {"benchmark": NAME, "format": FORMAT, **asdict(self)})


class Cell(NamedTuple):
    """A piece of work: a model that is trained with a method's vectors on a task of a log."""

    model: str
    method: str
    log: str
    task: str = WHOLE

    def folder(self, out: Path) -> Path:
        """Return the folder of its task."""
        return out / self.log / self.task

    def file(self, out: Path) -> Path:
        """Return where its result is."""
        return self.folder(out) / "results" / self.model / f"{self.method}.json"

    def vectors(self, out: Path) -> Path:
        """Return the file that describes its method's vectors, or says why there are none."""
        return self.folder(out) / "vectors" / f"{self.method}.json"


def make_cells(logs: Sequence[str], methods: Sequence[str], models: Sequence[str], tasks: Sequence[str] = (WHOLE,)) -> list[Cell]:
    """Return all cells of some logs, tasks, methods and models.

    Vectors of a joint count are of no use to one-hot and learned vectors, which know nothing of new labels.

    >>> [cell.method for cell in make_cells(["loan"], ["kin-w5"], ["evermann", "tax"])]
    ['kin-w5', 'original', 'tax']
    """
    return [
        Cell(model, method, log, task)
        for log in logs
        for task in tasks
        for model in models
        for method in methods_of(model, methods)
        if task != MAIN.name or method not in WITHOUT_NEW_LABELS
    ]


def request_of(logs: Sequence[str], methods: Sequence[str], models: Sequence[str]) -> dict[str, Any]:
    """Return what is to be computed, as a folder notes it."""
    return {"logs": sorted(logs), "methods": sorted(methods), "models": sorted(models)}


def requested(folder: ResultFolder) -> frozenset[Cell]:
    """Return the cells that were asked for so far."""
    tasks = task_names(Plan.of_folder(folder).setting)
    return frozenset(
        cell
        for request in folder.requests(_REQUEST)
        for cell in make_cells(request["logs"], request["methods"], request["models"], tasks)
    )


def read_cell(path: Path, plan: Plan, digest: str) -> dict[str, Any]:
    """Read the file of a cell; one from another run (folders may have been copied together) is an error."""
    cell = read_json(path, _CELL)
    own = Cell(*(cell[name] for name in Cell._fields))
    own_parts = own.file(Path()).parts
    is_of_folder = path.parts[-len(own_parts) :] == own_parts
    has_figures = len(cell.get("seeds", [])) == plan.seeds and cell.get("epochs") == plan.epochs
    if plan.setting == CHANGED_LABELS and cell["task"] == WHOLE:
        has_figures &= all(figures.get("changes") for figures in cell.get("seeds", []))
    is_known = cell["task"] in task_names(plan.setting)
    if cell["log_digest"] != digest or not is_of_folder or not is_known or not ("error" in cell or has_figures):
        raise ActalikeError(f"{path} is of another run than its folder: results of different runs do not mix. Remove it.")
    return cell


def error_of(path: Path) -> str | None:
    """Return the error that a result file, or the file of a method's vectors, holds; None if there is none, or no file."""
    return read_json(path, _MAY_FAIL).get("error") if path.exists() else None


def write_error(cell: Cell, out: Path, error: str) -> None:
    """Write an error as the result of a cell."""
    path = cell.file(out)
    path.parent.mkdir(parents=True, exist_ok=True)
    digest = read_json(out / cell.log / "log.json", record(log_digest=TEXT))["log_digest"]
    content = {
        "benchmark": NAME,
        "log": cell.log,
        "task": cell.task,
        "model": cell.model,
        "method": cell.method,
        "log_digest": digest,
    }
    write_json(path, {**content, "error": error})
