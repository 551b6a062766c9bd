"""Results of the efficiency benchmark: from a folder of cells to tidy tables, beside the times of the paper."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from actalike.benchmark import folders
from actalike.benchmark.efficiency.parts import ITEMS
from actalike.benchmark.efficiency.published import WITHOUT_DISCOVERY, is_the_papers, published_seconds
from actalike.benchmark.efficiency.run import Cell, read_cell, read_plan, requested
from actalike.benchmark.method_names import by_number
from actalike.errors import ActalikeError

_SINGLE = {
    "log": pl.String,
    "method": pl.String,
    "round": pl.Int64,
    "seconds": pl.Float64,
    "processor": pl.Float64,
    "as_published": pl.Float64,
    **dict.fromkeys(ITEMS, pl.Float64),
    "error": pl.String,
}
_BY_LOG = {
    "log": pl.String,
    "method": pl.String,
    "repeats": pl.Int64,
    **dict.fromkeys(("seconds", "least", "lower_quartile", "upper_quartile", "most", "processor"), pl.Float64),
    **dict.fromkeys(("as_published", "paper", "ratio", *ITEMS), pl.Float64),
    **dict.fromkeys(("rows", "dimension", "dense_bytes", "stored_bytes"), pl.Int64),
    "stored": pl.String,
    "rise_bytes": pl.Int64,
    "peak_bytes": pl.Int64,
    "more_than": pl.Float64,
    "error": pl.String,
}


def _cells(out: Path) -> list[dict[str, Any]]:
    """What all files hold; where a model was discovered, also the cell without that."""
    plan = read_plan(out)
    found = []
    for path in sorted(out.glob("*/cells/*.json")):
        cell = read_cell(path, plan)
        found.append(cell)
        if any("discovery" in one["items"] for one in cell.get("rounds", [])):
            found.append(_without_discovery(cell))
    if not found:
        raise ActalikeError(f"{out} has no results yet.")
    return sorted(found, key=lambda cell: (by_number(cell["log"]), by_number(cell["method"])))


def _without_discovery(cell: dict[str, Any]) -> dict[str, Any]:
    rounds = []
    for one in cell["rounds"]:
        items = {item: seconds for item, seconds in one["items"].items() if item != "discovery"}
        seconds = sum(items.values())
        rounds.append(
            {
                "seconds": seconds,
                "processor": None,
                "items": items,
                "as_published": None if one["as_published"] is None else seconds,
            }
        )
    return {"log": cell["log"], "method": cell["method"] + WITHOUT_DISCOVERY, "rounds": rounds, "size": {}, "memory": None}


def load_results(out: str | Path) -> pl.DataFrame:
    """One row for each round of each method on each log; a failure has a row with ``error`` and no figures."""
    return pl.DataFrame(list(_single_rows(_cells(Path(out)))), schema=_SINGLE, orient="row")


def _single_rows(cells: list[dict[str, Any]]) -> Iterator[tuple[object, ...]]:
    for cell in cells:
        where = cell["log"], cell["method"]
        if "error" in cell:
            yield (*where, None, None, None, None, *[None] * len(ITEMS), cell["error"])
        for number, one in enumerate(cell.get("rounds", [])):
            items = (one["items"].get(item) for item in ITEMS)
            yield (*where, number, one["seconds"], one["processor"], one["as_published"], *items, None)


def by_log(out: str | Path) -> pl.DataFrame:
    """A row for each method on each log: medians over the rounds, their spread, the paper's seconds, sizes and memory.

    ``seconds`` is from a log to all distances, ``processor`` what the process took of them. ``as_published`` is what the authors
    timed, ``paper`` their figure, and ``ratio`` the latter over the former. ``rise_bytes`` is how far the resident memory rose
    during a call.
    """
    out = Path(out)
    noted = [folders.read_json(path, "log", "cases", "activities") for path in sorted(out.glob("*/log.json"))]
    papers = {log["log"] for log in noted if is_the_papers(log)}
    rows = [_log_row(cell, cell["log"] in papers) for cell in _cells(out)]
    return pl.DataFrame(rows, schema=_BY_LOG, orient="row")


def _log_row(cell: dict[str, Any], of_paper: bool) -> dict[str, Any]:
    paper = published_seconds().get((cell["log"], cell["method"])) if of_paper else None
    row = {"log": cell["log"], "method": cell["method"], "paper": paper}
    if "error" in cell:
        return {**row, "error": cell["error"], "more_than": cell.get("more_than")}
    rounds = cell["rounds"]
    seconds = [one["seconds"] for one in rounds]
    least, lower, median, upper, most = np.quantile(seconds, [0, 0.25, 0.5, 0.75, 1]).tolist()
    as_published = _median([one["as_published"] for one in rounds])
    memory = cell["memory"] or {}
    return {
        **row,
        "repeats": len(rounds),
        "seconds": median,
        "least": least,
        "lower_quartile": lower,
        "upper_quartile": upper,
        "most": most,
        "processor": _median([one["processor"] for one in rounds]),
        "as_published": as_published,
        "ratio": paper / as_published if paper and as_published else None,
        **{item: _median([one["items"].get(item) for one in rounds]) for item in ITEMS},
        **cell["size"],
        "peak_bytes": memory.get("peak_bytes"),
        "rise_bytes": memory["peak_bytes"] - memory["before_bytes"] if memory else None,
    }


def _median(values: list[float | None]) -> float | None:
    """The median of what there is."""
    known = [value for value in values if value is not None]
    return float(np.median(known)) if known else None


def gaps(out: str | Path) -> list[str]:
    """What a reader of the figures must know: what is not there yet, failures, other versions."""
    out = Path(out)
    cells = [cell for cell in _cells(out) if "versions" in cell]
    done = {Cell(cell["log"], cell["method"]) for cell in cells}
    wanted = requested(out) | done
    said = []
    if rest := wanted - done:
        methods = sorted({cell.method for cell in rest})
        said.append(
            f"{len(rest):,} of {len(wanted):,} results are not there yet, of {', '.join(methods[:3])}"
            f"{', ...' if len(methods) > 3 else ''}"
        )
    failures: dict[tuple[str, str], list[str]] = {}
    for cell in cells:
        if "error" in cell:
            failures.setdefault((cell["method"], cell["error"]), []).append(cell["log"])
    said += [f"{method} failed on {', '.join(logs)}: {error.rstrip('.')}" for (method, error), logs in sorted(failures.items())]
    versions = sorted({cell["versions"]["actalike"] for cell in cells})
    if len(versions) > 1:
        said.append(f"the figures are of different versions of actalike ({', '.join(versions)}), so they do not compare")
    return said
