"""The cells of the benchmark of anomalies: a log, a task and a detector, with a small result file.

A file is written whole or not at all, so a run can be stopped at any time, and split over processes.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from actalike.benchmark.cell_runs import check_same_run
from actalike.benchmark.folders import ResultFolder, note_log, open_folder, read_json, unsound
from actalike.benchmark.method_cells import Cell
from actalike.benchmark.result_schemas import (
    COUNT,
    NUMBER_OR_NULL,
    SHARE_OR_NULL,
    TEXT,
    figures_or_error,
    items,
    one_of,
    record,
    row,
    structure,
)
from actalike.benchmark.tasks.anomaly_logs import full_digest
from actalike.benchmark.tasks.anomaly_scores import ALWAYS, COST, FIGURES, LEARNT, NO_REASON, TOGETHER
from actalike.benchmark.tasks.planted_anomalies import PLANTED, TASKS
from actalike.log import EventLog
from actalike.oddities import KINDS

NAME = "anomalies"
FORMAT = 2  # of the result files: raise it when what they hold changes

_PLAN = record(seed=int, copies=COUNT)
_KINDS_OF_FIGURES = {**dict.fromkeys(FIGURES, SHARE_OR_NULL), **dict.fromkeys(COST, NUMBER_OR_NULL)}
_FIGURES = structure(
    {name: _KINDS_OF_FIGURES[name] for name in ALWAYS},
    {name: kind for name, kind in _KINDS_OF_FIGURES.items() if name not in ALWAYS},
    only=True,
)
_NAMED = items(row(one_of(*PLANTED), one_of(*KINDS, NO_REASON), COUNT))
_CELL = figures_or_error(
    {"figures": items(_FIGURES), "named": _NAMED},
    {"error": TEXT, "copy": COUNT},
    log=TEXT,
    task=one_of(*TASKS),
    method=TEXT,
)


@dataclass(frozen=True)
class Plan:
    """What all cells of a result folder have in common."""

    seed: int = 0
    copies: int = 5

    @classmethod
    def of_folder(cls, folder: ResultFolder) -> "Plan":
        """Return the plan of a result folder."""
        folder.check_format(FORMAT)
        return cls(*folder.described(_PLAN))

    def open(self, out: Path) -> None:
        """Make a result folder, or check that the one that is there belongs to this plan."""
        open_folder(out, {"benchmark": NAME, "format": FORMAT, **asdict(self)})

    def copies_of(self, task: str) -> int:
        """Return how many copies of a log a task is done with: one of each rate, as published."""
        return 1 if TASKS[task].as_published else self.copies


def open_log(out: Path, name: str, log: EventLog) -> str:
    """Note a log and its attributes in the folder, or check that it is the one that was noted; return its digest."""
    digest = full_digest(log)
    note_log(out, name, digest, {**log.statistics(), "attributes": list(log.attributes)})
    return digest


def read_result(path: Path, plan: Plan, digest: str) -> dict[str, Any]:
    """Read the file of a cell; one from another run is an error."""
    result = read_json(path, _CELL)
    place = {"log": path.parents[1].name, "task": path.parent.name, "method": path.name.removesuffix(".json")}
    check_same_run(path, result, {**asdict(plan), "log_digest": digest, **place})
    if "error" not in result:
        n = plan.copies_of(result["task"])
        if len(result["figures"]) != n:
            raise unsound(path, f"it does not have the figures of {n:,} copies")
        for figures in result["figures"]:
            if lacking := _lacking(figures, learnt=n > 1):
                raise unsound(path, f"it lacks the figure {lacking!r}")
    return result


def _lacking(figures: Mapping[str, Any], learnt: bool) -> str | None:
    """Return a figure that is not there although others are that come with it; ``learnt`` says whether there are more copies."""
    groups = [*TOGETHER, *((f"{name.removesuffix('_learnt_f')}_f", name) for name in LEARNT if learnt)]
    return next((name for group in groups if set(group) & set(figures) for name in group if name not in figures), None)


def is_missing(cell: Cell, plan: Plan, digests: Mapping[str, str], out: Path, retry_failed: bool = False) -> bool:
    """Return whether a cell has no result yet; ``digests`` has that of each log."""
    path = cell.file(out)
    return not path.exists() or ("error" in read_result(path, plan, digests[cell.log]) and retry_failed)
