"""What the benchmark page shows: the figures of every method on every log, of one or more folders of results."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from actalike.benchmark.efficiency import results as efficiency
from actalike.benchmark.folders import read_description, read_json
from actalike.benchmark.intervals import draws
from actalike.benchmark.intrinsic import results as intrinsic
from actalike.benchmark.intrinsic.metrics import METRICS
from actalike.benchmark.method_names import by_number, name_parts
from actalike.benchmark.prediction import results as prediction
from actalike.benchmark.prediction.run import COMPLEX
from actalike.errors import ActalikeError
from actalike.report.packing import packed

_ABOUT = {
    "I_comp": "1 minus the mean distance within a class of look-alikes, distances scaled to 0..1",
    "I_nn": "how often the nearest other activity is a look-alike",
    "I_prec": "the share of look-alikes among the nearest, as many as there are",
    "I_tri": "how often a look-alike is nearer than an activity that is none",
}


class Column(NamedTuple):
    """One figure of a benchmark: where it is in the results, and how a page shows it."""

    of: str
    title: str
    about: str
    kind: str  # "share" (0 to 1, more is better), "seconds" or "bytes" (less is better, geometric means)
    table: pl.DataFrame
    figure: str


def leaderboard_data(folders: Sequence[str | Path]) -> dict[str, Any]:
    """The figures of some folders of results, as plain data; at most one folder of each benchmark."""
    found: dict[str, Path] = {}
    columns: list[Column] = []
    gaps: list[str] = []
    plans: list[str] = []
    for folder in map(Path, folders):
        kind = read_description(folder)["benchmark"]
        if kind not in _READERS:
            raise ActalikeError(f"{folder} holds results of a benchmark {kind!r}, which this version does not know.")
        if kind in found:
            raise ActalikeError(f"{found[kind]} and {folder} are both results of the {kind} benchmark: give one of each.")
        found[kind] = folder
    found = {kind: found[kind] for kind in _READERS if kind in found}  # in the same order, however they are given
    for kind in found:
        columns += _READERS[kind](found[kind])
        gaps += [f"{kind}: {gap}" for gap in _MODULES[kind].gaps(found[kind])]
        plans.append(_plan(kind, found[kind]))
    if not any(column.table.height for column in columns):
        raise ActalikeError("No method has a figure, so there is nothing to show.")
    logs = sorted({log for column in columns for log in column.table["log"]})
    methods = sorted({method for column in columns for method in column.table["method"]}, key=by_number)
    return {
        "logs": [_log(log, found.values()) for log in logs],
        "methods": [{"name": method, **name_parts(method)._asdict()} for method in methods],
        "columns": [
            {"of": c.of, "title": c.title, "about": c.about, "kind": c.kind, "values": _matrix(c, methods, logs)} for c in columns
        ],
        "failures": _failures(found, methods, logs),
        "draws": {str(n): packed(draws(n).astype(np.uint16 if n > 256 else np.uint8)) for n in range(2, len(logs) + 1)},
        "gaps": gaps,
        "plans": plans,
    }


def _intrinsic(folder: Path) -> list[Column]:
    table = intrinsic.by_log(folder).drop_nulls("I_comp")
    return [Column("Intrinsic", metric, _ABOUT[metric], "share", table, metric) for metric in METRICS]


def _prediction(folder: Path) -> list[Column]:
    table = prediction.by_log(folder).drop_nulls("accuracy")
    about = "accuracy of the next activity, by a network with these vectors ({}), mean over seeds"
    return [
        Column("Next activity", str(model), about.format(model), "share", part, "accuracy")
        for (model,), part in table.group_by("model", maintain_order=True)
    ]


def _efficiency(folder: Path) -> list[Column]:
    table = efficiency.by_log(folder)
    about = "from a log in memory to all distances"
    return [
        Column("Speed", "seconds", f"median wall seconds {about}", "seconds", table.drop_nulls("seconds"), "seconds"),
        Column("Speed", "memory", f"rise of the resident memory {about}", "bytes", table.drop_nulls("rise_bytes"), "rise_bytes"),
    ]


_READERS = {"intrinsic": _intrinsic, "prediction": _prediction, "efficiency": _efficiency}
_MODULES: dict[str, Any] = {"intrinsic": intrinsic, "prediction": prediction, "efficiency": efficiency}


def _matrix(column: Column, methods: list[str], logs: list[str]) -> list[list[float | None]]:
    """A row for each method, a value for each log, null where there is none."""
    rows = column.table.select("method", "log", column.figure).iter_rows()
    found = {(method, log): value for method, log, value in rows if value == value}
    return [[found.get((method, log)) for log in logs] for method in methods]


def _log(name: str, folders: Iterable[Path]) -> dict[str, Any]:
    """A log and its size, from wherever it was noted."""
    noted = [path for folder in folders if (path := folder / name / "log.json").exists()]
    facts = read_json(noted[0], "log") if noted else {}
    return {
        "name": name,
        **{key: facts.get(key) for key in ("cases", "events", "activities")},
        "complex": facts.get("variants_per_case", 0) > COMPLEX,
    }


def _failures(found: dict[str, Path], methods: list[str], logs: list[str]) -> list[dict[str, Any]]:
    """Which methods failed on which logs, and why."""
    said = []
    for kind, folder in found.items():
        table = _MODULES[kind].load_results(folder).filter(pl.col("error").is_not_null())
        for method, log, error in table.select("method", "log", "error").unique(maintain_order=True).iter_rows():
            if method in methods and log in logs:
                said.append({"of": kind, "method": methods.index(method), "log": logs.index(log), "error": error})
    return said


def _plan(kind: str, folder: Path) -> str:
    """What the results of a folder have in common, in words."""
    described = read_description(folder)
    told = [f"{key} {value}" for key, value in described.items() if key not in ("benchmark", "format") and value is not None]
    return f"{kind}: {', '.join(told)}" if told else kind
