"""The cells of the efficiency benchmark: a method on a log, each with a small result file."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from actalike.benchmark.folders import ResultFolder, open_folder, read_json
from actalike.benchmark.result_schemas import (
    COUNT,
    NUMBER,
    NUMBER_OR_NULL,
    TEXT,
    by_name,
    figures_or_error,
    items,
    record,
    row,
    structure,
)
from actalike.errors import ActalikeError

NAME = "efficiency"
FORMAT = 1  # of the result files: raise it when what they hold changes

_PLAN = record(repeats=COUNT, processor=TEXT)
_REQUEST = record(cells=items(row(TEXT, TEXT)))
_SIZES = ("rows", "dimension", "dense_bytes", "stored_bytes")
_ROUND = record(seconds=NUMBER, processor=NUMBER_OR_NULL, items=by_name(NUMBER), as_published=NUMBER_OR_NULL)
_FIGURES = {
    "size": structure({}, {**dict.fromkeys(_SIZES, COUNT), "stored": TEXT}, only=True),
    "memory": record(before_bytes=COUNT, peak_bytes=COUNT) | None,
    "rounds": items(_ROUND, least=1),
}
_CELL = figures_or_error(
    _FIGURES,
    {"error": TEXT},
    {"more_than": NUMBER, "versions": record(actalike=TEXT)},
    log=TEXT,
    method=TEXT,
    log_digest=TEXT,
    machine=dict[str, Any],
    asked_repeats=COUNT,
)


@dataclass(frozen=True)
class Plan:
    """What all results of a folder have in common. Times of different machines do not compare."""

    repeats: int
    processor: str

    @classmethod
    def of_folder(cls, folder: ResultFolder) -> "Plan":
        """Return the plan of a result folder."""
        folder.check_format(FORMAT)
        return cls(*folder.described(_PLAN))

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
    return frozenset(Cell(*cell) for request in folder.requests(_REQUEST) for cell in request["cells"])


def read_cell(path: Path, plan: Plan, digest: str) -> dict[str, Any]:
    """Read the file of a cell; one from another run (folders may have been copied together) is an error."""
    cell = read_json(path, _CELL)
    expected = (digest, plan.repeats, plan.processor)
    if (cell["log_digest"], cell["asked_repeats"], cell["machine"].get("processor")) != expected:
        raise ActalikeError(f"{path} is of another run than its folder: results of different runs do not mix. Remove it.")
    return cell


def is_missing(cell: Cell, plan: Plan, digest: str, out: Path, retry_failed: bool = False) -> bool:
    """Return whether a cell has no result yet."""
    path = cell.file(out)
    return not path.exists() or ("error" in read_cell(path, plan, digest) and retry_failed)
