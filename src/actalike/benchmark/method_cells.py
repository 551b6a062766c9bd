"""The cells of a benchmark that runs one method at a time: a log (or a pair of logs), a task and a method, each with a file."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from actalike.benchmark.folders import ResultFolder
from actalike.benchmark.result_schemas import TEXTS, by_name, record

_REQUEST = record(methods=by_name(by_name(TEXTS)))


@dataclass(frozen=True)
class Cell:
    """A piece of work: a method on one task of one log, or of one pair of logs.

    >>> Cell("orders", "known", "odd").file(Path("results")).as_posix()
    'results/orders/known/odd.json'
    """

    log: str
    task: str
    method: str

    def file(self, out: Path) -> Path:
        """Return where its result is."""
        return out / self.log / self.task / f"{self.method}.json"


def request_of(cells: Sequence[Cell]) -> dict[str, Any]:
    """Return what is to be computed, as a folder notes it."""
    wanted: dict[str, dict[str, list[str]]] = {}
    for cell in sorted(cells, key=lambda cell: (cell.method, cell.log, cell.task)):
        wanted.setdefault(cell.method, {}).setdefault(cell.log, []).append(cell.task)
    return {"methods": wanted}


def requested(folder: ResultFolder) -> frozenset[tuple[str, str, str]]:
    """Return what was asked for so far: method, log, task."""
    return frozenset(
        (method, log, task)
        for request in folder.requests(_REQUEST)
        for method, logs in request["methods"].items()
        for log, tasks in logs.items()
        for task in tasks
    )
