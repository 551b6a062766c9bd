"""The cells of the efficiency benchmark: a method on a log, each with a small result file."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from actalike.benchmark.folders import ResultFolder, open_folder, read_json
from actalike.errors import ActalikeError

NAME = "efficiency"
FORMAT = 1  # of the result files: raise it when what they hold changes


@dataclass(frozen=True)
class Plan:
    """What all results of a folder have in common. Times of different machines do not compare."""

    repeats: int
    processor: str

    @classmethod
    def of_folder(cls, folder: ResultFolder) -> "Plan":
        """Return the plan of a result folder."""
        folder.check_format(FORMAT)
        return cls(*folder.described("repeats", "processor"))

    def open(self, out: Path) -> None:
        """Make a result folder, or check that the one that is there belongs to this plan."""
        open_folder(out, {"benchmark": NAME, "format": FORMAT, **asdict(self)})


class Cell(NamedTuple):
    """A piece of work: a method on a log."""

    log: str
    method: str

    def file(self, out: Path) -> Path:
        """Return where its result is."""
        return out / self.log / "cells" / f"{self.method}.json"


def request_of(cells: Sequence[Cell]) -> dict[str, Any]:
    """Return what is to be computed, as a folder notes it."""
    return {"cells": sorted(map(list, cells))}


def requested(folder: ResultFolder) -> frozenset[Cell]:
    """Return the cells that were asked for so far."""
    return frozenset(Cell(*cell) for request in folder.requests("cells") for cell in request["cells"])


def read_cell(path: Path, plan: Plan, digest: str) -> dict[str, Any]:
    """Read the file of a cell; one from another run (folders may have been copied together) is an error."""
    cell = read_json(path, "log", "method", "log_digest", "machine", "asked_repeats")
    expected = (digest, plan.repeats, plan.processor)
    if (cell["log_digest"], cell["asked_repeats"], cell["machine"].get("processor")) != expected:
        raise ActalikeError(f"{path} is of another run than its folder: results of different runs do not mix. Remove it.")
    keys = {"seconds", "processor", "items", "as_published"}
    has_figures = (
        {"size", "memory"} <= cell.keys() and bool(cell.get("rounds")) and all(keys <= call.keys() for call in cell["rounds"])
    )
    if "error" not in cell and not has_figures:
        raise ActalikeError(f"{path} is not a sound result file: remove it and run again.")
    return cell


def is_missing(cell: Cell, plan: Plan, digest: str, out: Path, retry_failed: bool = False) -> bool:
    """Return whether a cell has no result yet."""
    path = cell.file(out)
    return not path.exists() or ("error" in read_cell(path, plan, digest) and retry_failed)
