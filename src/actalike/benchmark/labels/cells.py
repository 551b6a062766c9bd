"""The cells of the benchmark of labels: a log and a task, with a small result file for each participant.

A cell plants its logs once for all participants that have no result yet. A file is written whole or not at all, so a run can be
stopped at any time, and split over processes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from actalike.benchmark.cell_runs import check_same_run
from actalike.benchmark.folders import ResultFolder, open_folder, read_json, unsound
from actalike.benchmark.labels.tasks import is_planted
from actalike.benchmark.result_schemas import COUNT, NUMBER_OR_NULL, TALLY, TEXT, TEXTS, by_name, figures_or_error, items, record
from actalike.benchmark.tasks.label_scores import FIGURES

NAME = "labels"
FORMAT = 1  # of the result files: raise it when what they hold changes

_PLAN = record(seed=int, draws=COUNT)
_REQUEST = record(tasks=by_name(TEXTS), methods=TEXTS)
_CELL = figures_or_error(
    {"figures": items(by_name(NUMBER_OR_NULL)), "pairs": TALLY, "nearest": TALLY},
    {"error": TEXT, "draw": COUNT},
    log=TEXT,
    task=TEXT,
    method=TEXT,
)


@dataclass(frozen=True)
class Plan:
    """What all cells of a result folder have in common."""

    seed: int = 0
    draws: int = 25

    @classmethod
    def of_folder(cls, folder: ResultFolder) -> "Plan":
        """Return the plan of a result folder."""
        folder.check_format(FORMAT)
        return cls(*folder.described(_PLAN))

    def open(self, out: Path) -> None:
        """Make a result folder, or check that the one that is there belongs to this plan."""
        open_folder(out, {"benchmark": NAME, "format": FORMAT, **asdict(self)})

    def draws_of(self, task: str) -> int:
        """Return how often a task is done: what is not planted, once."""
        return self.draws if is_planted(task) else 1


@dataclass(frozen=True)
class Cell:
    """A piece of work: participants on one task of one log."""

    log: str
    task: str
    methods: tuple[str, ...]

    def file(self, out: Path, method: str) -> Path:
        """Return where the result of a participant is."""
        return out / self.log / self.task / f"{method}.json"


def make_cells(tasks: Mapping[str, Sequence[str]], methods: Sequence[str]) -> list[Cell]:
    """Return a cell for each log and each of its tasks."""
    return [Cell(log, task, tuple(methods)) for log, of_log in tasks.items() for task in of_log]


def request_of(tasks: Mapping[str, Sequence[str]], methods: Sequence[str]) -> dict[str, Any]:
    """Return what is to be computed, as a folder notes it."""
    return {"tasks": {log: list(of_log) for log, of_log in sorted(tasks.items())}, "methods": sorted(methods)}


def requested(folder: ResultFolder) -> frozenset[tuple[str, str, str]]:
    """Return what was asked for so far: method, log, task."""
    return frozenset(
        (method, log, task)
        for request in folder.requests(_REQUEST)
        for log, tasks in request["tasks"].items()
        for task in tasks
        for method in request["methods"]
    )


def read_result(path: Path, plan: Plan, digest: str) -> dict[str, Any]:
    """Read the file of a participant; one from another run (folders may have been copied together) is an error."""
    result = read_json(path, _CELL)
    place = {"task": path.parent.name, "method": path.name.removesuffix(".json")}
    check_same_run(path, result, {**asdict(plan), "log_digest": digest, **place})
    if "error" not in result:
        if len(result["figures"]) != plan.draws_of(result["task"]):
            raise unsound(path, f"it does not have the figures of {plan.draws_of(result['task']):,} draws")
        if unknown := _unknown(result["figures"]):
            raise unsound(path, f"it has a figure {unknown!r}, which this version does not know")
    return result


def _unknown(figures: Iterable[Mapping[str, Any]]) -> str | None:
    return next((name for of_draw in figures for name in of_draw if name not in FIGURES), None)


def missing_methods(cell: Cell, plan: Plan, digest: str, out: Path, retry_failed: bool = False) -> tuple[str, ...]:
    """Return the participants of a cell that have no result yet."""
    missing = []
    for method in cell.methods:
        path = cell.file(out, method)
        if not path.exists() or ("error" in read_result(path, plan, digest) and retry_failed):
            missing.append(method)
    return tuple(missing)
