"""The cells of the benchmark of matching: a pair of logs, a task and a matcher, with a small result file.

A file is written whole or not at all, so a run can be stopped at any time, and split over processes. In the folder, a pair of
logs stands where other benchmarks have a log.
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
    TALLY,
    TEXT,
    by_name,
    figures_or_error,
    items,
    one_of,
    record,
    violation,
)
from actalike.benchmark.tasks.matching_problems import KINDS, TASKS, Kind, LogPair, depends_on_chance
from actalike.benchmark.tasks.matching_scores import FIGURES

NAME = "matching"
FORMAT = 1  # of the result files: raise it when what they hold changes

_PLAN = record(seed=int, draws=COUNT)
_PAIR = record(kind=one_of(*KINDS), family=TEXT)
_CELL = figures_or_error(
    {"figures": items(by_name(NUMBER_OR_NULL)), "proposed": TALLY, "best": TALLY},
    {"error": TEXT, "draw": COUNT},
    log=TEXT,
    task=one_of(*TASKS),
    method=TEXT,
    slow=bool,
)


@dataclass(frozen=True)
class Plan:
    """What all cells of a result folder have in common."""

    seed: int = 0
    draws: int = 10

    @classmethod
    def of_folder(cls, folder: ResultFolder) -> "Plan":
        """Return the plan of a result folder."""
        folder.check_format(FORMAT)
        return cls(*folder.described(_PLAN))

    def open(self, out: Path) -> None:
        """Make a result folder, or check that the one that is there belongs to this plan."""
        open_folder(out, {"benchmark": NAME, "format": FORMAT, **asdict(self)})

    def draws_of(self, task: str, kind: Kind, slow: bool = False) -> int:
        """Return how often a task is done: once, where another draw would be the same problem, and for slow matchers."""
        return self.draws if depends_on_chance(task, kind) and not slow else 1


def open_pair(out: Path, pair: LogPair) -> str:
    """Note a pair of logs in the folder, or check that it is the one that was noted; return its digest."""
    digest = pair.digest
    note_log(out, pair.name, digest, pair.facts())
    return digest


def pair_kind(folder: ResultFolder, name: str) -> tuple[Kind, str]:
    """Return of which kind and family the pair of this folder is."""
    facts = folder.logs[name]
    if problem := violation(facts, _PAIR):
        raise unsound(folder.path / name / "log.json", problem)
    return facts["kind"], str(facts["family"])


def read_result(path: Path, plan: Plan, digest: str, kind: Kind) -> dict[str, Any]:
    """Read the file of a cell; one from another run is an error."""
    result = read_json(path, _CELL)
    place = {"log": path.parents[1].name, "task": path.parent.name, "method": path.name.removesuffix(".json")}
    check_same_run(path, result, {**asdict(plan), "log_digest": digest, **place})
    if "error" not in result:
        n = plan.draws_of(result["task"], kind, result["slow"])
        if len(result["figures"]) != n:
            raise unsound(path, f"it does not have the figures of {n:,} draws")
        if unknown := next((name for of_draw in result["figures"] for name in of_draw if name not in FIGURES), None):
            raise unsound(path, f"it has a figure {unknown!r}, which this version does not know")
    return result


def is_missing(cell: Cell, plan: Plan, pairs: Mapping[str, tuple[str, Kind]], out: Path, retry_failed: bool = False) -> bool:
    """Return whether a cell has no result yet; ``pairs`` has the digest and the kind of each pair."""
    path = cell.file(out)
    return not path.exists() or ("error" in read_result(path, plan, *pairs[cell.log]) and retry_failed)
