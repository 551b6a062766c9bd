"""Results of the efficiency benchmark: from a folder of cells to tidy tables, beside the times of the paper."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import polars as pl

from actalike.benchmark.efficiency.cells import Cell, Plan, read_cell, requested
from actalike.benchmark.efficiency.parts import DISTANCES, ITEMS
from actalike.benchmark.efficiency.published import WITHOUT_DISCOVERY, is_the_papers, published_seconds
from actalike.benchmark.folders import ResultFolder
from actalike.benchmark.results import Results, not_there_yet
from actalike.errors import ActalikeError
from actalike.methods import by_number


@dataclass(frozen=True)
class EfficiencyResults(Results):
    """``singles`` has a row for each round of each method on each log; a failure has a row with ``error`` and no figures.

    ``cells`` are the result files as they are; where a model was discovered, there is also a cell without that.
    """

    has_means: ClassVar[bool] = False

    cells: Sequence[Mapping[str, Any]]
    items: Sequence[str]  # the parts that were timed
    requested: frozenset[Cell]

    @classmethod
    def of(cls, results: "str | Path | EfficiencyResults") -> "EfficiencyResults":
        """Read the results of a folder, if they are not read yet."""
        return results if isinstance(results, EfficiencyResults) else read(ResultFolder.open(results))

    def of_logs(self, logs: Collection[str] | None) -> Self:
        """Return the results of these logs alone; of all, if none are named."""
        part = super().of_logs(logs)
        return part if logs is None else replace(part, cells=[cell for cell in self.cells if cell["log"] in logs])

    def by_log(self) -> pl.DataFrame:
        """Return a row for each method on each log: medians over the rounds, spread, the paper's seconds, sizes and memory.

        ``seconds`` is from a log to all distances, ``processor`` what the process took of them. ``as_published`` is what the
        authors timed, ``paper`` their figure, and ``ratio`` the latter over the former. ``rise_bytes`` is how far the resident
        memory rose during a call.
        """
        papers = {log["log"] for log in self.folder.logs.values() if is_the_papers(log)}
        rows = [_log_row(cell, self.items, cell["log"] in papers) for cell in self.cells]
        return pl.DataFrame(rows, schema=_by_log_schema(self.items), orient="row")

    def over_logs(self, resamples: int = 0) -> pl.DataFrame:
        """Refuse: means of seconds over logs of different sizes would say nothing."""
        raise ActalikeError(f"{self.folder.path} has times, of which there are no means over logs.")

    def gaps(self) -> list[str]:
        """Return what a reader of the figures must know: what is not there yet, failures, other versions."""
        cells = [cell for cell in self.cells if "versions" in cell]  # those that were measured, not derived
        done = {Cell(cell["log"], cell["method"]) for cell in cells}
        wanted = self.requested | done
        missing = wanted - done
        gaps = not_there_yet(len(missing), len(wanted), (cell.method for cell in missing))
        failures: dict[tuple[str, str], list[str]] = {}
        for cell in cells:
            if "error" in cell:
                failures.setdefault((cell["method"], cell["error"]), []).append(cell["log"])
        gaps += [
            f"{method} failed on {', '.join(logs)}: {error.rstrip('.')}" for (method, error), logs in sorted(failures.items())
        ]
        versions = sorted({cell["versions"]["actalike"] for cell in cells})
        if len(versions) > 1:
            gaps.append(f"the figures are of different versions of actalike ({', '.join(versions)}), so they do not compare")
        return gaps


def read(folder: ResultFolder) -> EfficiencyResults:
    """Read all cells of a folder."""
    plan = Plan.of_folder(folder)
    cells: list[dict[str, Any]] = []
    for path in sorted(folder.path.glob("*/cells/*.json")):
        cell = read_cell(path, plan, folder.digest(path.parents[1].name))
        cells.append(cell)
        if any("discovery" in call["items"] for call in cell.get("rounds", [])):
            cells.append(_without_discovery(cell))
    if not cells:
        raise ActalikeError(f"{folder.path} has no results yet.")
    cells.sort(key=lambda cell: (by_number(cell["log"]), by_number(cell["method"])))
    own = {item: None for cell in cells for call in cell.get("rounds", []) for item in call["items"] if item not in ITEMS}
    items = (*ITEMS[:-1], *own, DISTANCES)
    singles = pl.DataFrame(list(_single_rows(cells, items)), schema=_single_schema(items), orient="row")
    return EfficiencyResults(folder, singles, cells, items, requested(folder))


def _without_discovery(cell: dict[str, Any]) -> dict[str, Any]:
    rounds = []
    for call in cell["rounds"]:
        items = {item: seconds for item, seconds in call["items"].items() if item != "discovery"}
        seconds = sum(items.values())
        rounds.append(
            {
                "seconds": seconds,
                "processor": None,
                "items": items,
                "as_published": None if call["as_published"] is None else seconds,
            }
        )
    return {"log": cell["log"], "method": cell["method"] + WITHOUT_DISCOVERY, "rounds": rounds, "size": {}, "memory": None}


def _single_schema(items: Sequence[str]) -> dict[str, Any]:
    return {
        "log": pl.String,
        "method": pl.String,
        "round": pl.Int64,
        **dict.fromkeys(("seconds", "processor", "as_published", *items), pl.Float64),
        "error": pl.String,
    }


def _single_rows(cells: Sequence[Mapping[str, Any]], items: Sequence[str]) -> Iterator[tuple[object, ...]]:
    for cell in cells:
        where = cell["log"], cell["method"]
        if "error" in cell:
            yield (*where, *[None] * (4 + len(items)), cell["error"])
            continue
        for number, call in enumerate(cell["rounds"]):
            parts = (call["items"].get(item) for item in items)
            yield (*where, number, call["seconds"], call["processor"], call["as_published"], *parts, None)


def _by_log_schema(items: Sequence[str]) -> dict[str, Any]:
    return {
        "log": pl.String,
        "method": pl.String,
        "repeats": pl.Int64,
        **dict.fromkeys(("seconds", "least", "lower_quartile", "upper_quartile", "most", "processor"), pl.Float64),
        **dict.fromkeys(("as_published", "paper", "ratio", *items), pl.Float64),
        **dict.fromkeys(("rows", "dimension", "dense_bytes", "stored_bytes"), pl.Int64),
        "stored": pl.String,
        "rise_bytes": pl.Int64,
        "peak_bytes": pl.Int64,
        "more_than": pl.Float64,
        "error": pl.String,
    }


def _log_row(cell: Mapping[str, Any], items: Sequence[str], of_paper: bool) -> dict[str, Any]:
    paper = published_seconds().get((cell["log"], cell["method"])) if of_paper else None
    row = {"log": cell["log"], "method": cell["method"], "paper": paper}
    if "error" in cell:
        return {**row, "error": cell["error"], "more_than": cell.get("more_than")}
    rounds = cell["rounds"]
    least, lower, median, upper, most = np.quantile([call["seconds"] for call in rounds], [0, 0.25, 0.5, 0.75, 1]).tolist()
    as_published = _median([call["as_published"] for call in rounds])
    memory = cell["memory"] or {}
    return {
        **row,
        "repeats": len(rounds),
        "seconds": median,
        "least": least,
        "lower_quartile": lower,
        "upper_quartile": upper,
        "most": most,
        "processor": _median([call["processor"] for call in rounds]),
        "as_published": as_published,
        "ratio": paper / as_published if paper and as_published else None,
        **{item: _median([call["items"].get(item) for call in rounds]) for item in items},
        **cell["size"],
        "peak_bytes": memory.get("peak_bytes"),
        "rise_bytes": memory["peak_bytes"] - memory["before_bytes"] if memory else None,
    }


def _median(values: list[float | None]) -> float | None:
    """Return the median of the values that are known."""
    known = [value for value in values if value is not None]
    return float(np.median(known)) if known else None
