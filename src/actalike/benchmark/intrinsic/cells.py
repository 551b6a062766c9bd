"""The cells of the intrinsic benchmark: a log, r, w and a group of methods, each with a small result file.

Methods that start from the same window counts share them and are one group, any other method is a group of its own. A cell's
file is written whole or not at all, so a run can be stopped at any time, and split over processes, machines (shards) or joblib's
backends: the files are the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from actalike.benchmark.cell_runs import check_same_run
from actalike.benchmark.folders import ResultFolder, open_folder, read_json, unsound
from actalike.benchmark.intrinsic.ground_truth import Mode
from actalike.benchmark.intrinsic.metrics import METRICS
from actalike.benchmark.result_schemas import (
    COUNT,
    LIST_OF_COUNTS,
    NUMBER_OR_NULL,
    TEXT,
    TEXTS,
    by_name,
    figures_or_error,
    items,
    one_of,
    record,
    row,
)
from actalike.methods import Method

NAME = "intrinsic"
FORMAT = 1  # of the result files: raise it when what they hold changes
COUNTS = "_counts"  # the group of the methods that take window counts; no method can have this name

_PLAN = record(seed=int, mode=one_of("paper", "authors"), samples=COUNT)
_REQUEST = record(logs=by_name(COUNT), methods=TEXTS, r=LIST_OF_COUNTS, w=LIST_OF_COUNTS)
_VALUES = row(*[NUMBER_OR_NULL] * len(METRICS), COUNT, bool)
_RESULT = figures_or_error({"scores": items(_VALUES)}, {"error": TEXT, "sample": COUNT})
_CELL = record(log=TEXT, r=COUNT, w=COUNT, chosen=list[Any], methods=by_name(_RESULT))


@dataclass(frozen=True)
class Plan:
    """What all cells of a result folder have in common."""

    seed: int = 0
    mode: Mode = "paper"
    samples: int = 5

    @classmethod
    def of_folder(cls, folder: ResultFolder) -> "Plan":
        """Return the plan of a result folder."""
        folder.check_format(FORMAT)
        return cls(*folder.described(_PLAN))

    def open(self, out: Path) -> None:
        """Make a result folder, or check that the one that is there belongs to this plan."""
        open_folder(out, {"benchmark": NAME, "format": FORMAT, **asdict(self)})


@dataclass(frozen=True)
class Cell:
    """A piece of work: the methods of one group on the ground-truth logs of one (r, w)."""

    log: str
    r: int
    w: int
    group: str
    methods: tuple[str, ...]

    def file(self, out: Path) -> Path:
        """Return where its result is."""
        return out / self.log / f"r{self.r:02}-w{self.w}" / f"{self.group}.json"


def make_cells(activities: Mapping[str, int], methods: Mapping[str, Method], rs: Sequence[int], ws: Sequence[int]) -> list[Cell]:
    """Return all cells for logs with these numbers of activities; r goes no further than the activities do."""
    groups: dict[str, list[str]] = {}
    for name, method in methods.items():
        groups.setdefault(COUNTS if method.takes == "counts" else name, []).append(name)
    return [
        Cell(log, r, w, group, tuple(names))
        for log, n in activities.items()
        for r in rs
        if r <= n
        for w in ws
        for group, names in groups.items()
    ]


def request_of(activities: Mapping[str, int], methods: Sequence[str], rs: Sequence[int], ws: Sequence[int]) -> dict[str, Any]:
    """Return what is to be computed, as a folder notes it; it is the same for all shards of a run."""
    return {"logs": dict(sorted(activities.items())), "methods": sorted(methods), "r": list(rs), "w": list(ws)}


def requested(folder: ResultFolder) -> frozenset[tuple[str, str, int, int]]:
    """Return what was asked for so far: method, log, r, w."""
    return frozenset(
        (method, log, r, w)
        for request in folder.requests(_REQUEST)
        for log, n in request["logs"].items()
        for r in request["r"]
        if r <= n
        for w in request["w"]
        for method in request["methods"]
    )


def read_cell(path: Path, plan: Plan, digest: str) -> dict[str, Any]:
    """Read the file of a cell; one from another run (folders may have been copied together) is an error."""
    cell = read_json(path, _CELL)
    check_same_run(path, cell, {**asdict(plan), "log_digest": digest})
    for name, result in cell["methods"].items():
        if "error" not in result and len(result["scores"]) != len(cell["chosen"]):
            raise unsound(path, f"{name!r} does not have the scores of {len(cell['chosen']):,} logs")
    return cell


def missing_methods(cell: Cell, plan: Plan, digest: str, out: Path, retry_failed: bool = False) -> tuple[str, ...]:
    """Return the methods of a cell that have no result yet."""
    path = cell.file(out)
    if not path.exists():
        return cell.methods
    results = read_cell(path, plan, digest)["methods"]
    return tuple(name for name in cell.methods if name not in results or (retry_failed and "error" in results[name]))
