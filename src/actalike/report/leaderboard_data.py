"""What the benchmark page shows: the figures of every method on every log, of one or more folders of results."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from actalike import benchmark
from actalike.benchmark.logs import COMPLEX
from actalike.benchmark.results import PageColumn, Results
from actalike.benchmark.scoring import draws
from actalike.errors import ActalikeError
from actalike.methods import MethodName, by_number, family_of
from actalike.report.packing import packed


def leaderboard_data(folders: Sequence[str | Path]) -> dict[str, Any]:
    """Return the figures of some folders of results, as plain data; at most one folder of each benchmark."""
    results = _read(folders)
    columns = [(benchmark.get(name).title, column) for name in results for column in results[name].page_columns()]
    if not any(column.table.height for _, column in columns):
        raise ActalikeError("No method has a figure, so there is nothing to show.")
    logs = sorted({log for _, column in columns for log in column.table["log"]})
    methods = sorted({method for _, column in columns for method in column.table["method"]}, key=by_number)
    return {
        "logs": [_log(log, results.values()) for log in logs],
        "methods": [_method(method) for method in methods],
        "columns": [
            {
                "of": title,
                "title": c.title,
                "about": c.about,
                "kind": c.kind,
                "ranked": c.ranked,
                "values": _matrix(c, methods, logs),
            }
            for title, c in columns
        ],
        "failures": _failures(results, methods, logs),
        "draws": {str(n): packed(draws(n).astype(np.uint16 if n > 256 else np.uint8)) for n in range(2, len(logs) + 1)},
        "gaps": [f"{name}: {gap}" for name, of_benchmark in results.items() for gap in of_benchmark.gaps()],
        "plans": [_plan(of_benchmark) for of_benchmark in results.values()],
    }


def _read(folders: Sequence[str | Path]) -> dict[str, Results]:
    """Read some folders; return their results by benchmark, in the same order however they are given."""
    results: dict[str, Results] = {}
    for folder in folders:
        read = benchmark.read(folder)
        if before := results.get(read.benchmark):
            raise ActalikeError(
                f"{before.folder.path} and {folder} are both results of the {read.benchmark} benchmark: give one of each."
            )
        results[read.benchmark] = read
    return {name: results[name] for name in benchmark.BENCHMARKS if name in results}


def _method(name: str) -> dict[str, Any]:
    """Return what filters know of a method; what follows a space is said of its figures, and no part of its name."""
    registered = name.partition(" ")[0]
    return {"name": name, "family": family_of(registered), "window": MethodName.parse(registered).window}


def _matrix(column: PageColumn, methods: list[str], logs: list[str]) -> list[list[float | None]]:
    """Return a row for each method with a value for each log, null where there is none."""
    rows = column.table.select("method", "log", column.figure).iter_rows()
    values = {(method, log): value for method, log, value in rows if value == value}
    return [[values.get((method, log)) for log in logs] for method in methods]


def _log(name: str, results: Iterable[Results]) -> dict[str, Any]:
    """Return a log and its size, from whichever folder has noted it."""
    noted: list[Mapping[str, Any]] = [part.folder.logs[name] for part in results if name in part.folder.logs]
    facts = noted[0] if noted else {}
    return {
        "name": name,
        **{key: facts.get(key) for key in ("cases", "events", "activities")},
        "complex": facts.get("variants_per_case", 0) > COMPLEX,
    }


def _failures(results: Mapping[str, Results], methods: list[str], logs: list[str]) -> list[dict[str, Any]]:
    """Return which methods failed on which logs, and why."""
    failures = []
    for name, of_benchmark in results.items():
        table = of_benchmark.failures.select("method", "log", "error").unique(maintain_order=True)
        for method, log, error in table.iter_rows():
            if method in methods and log in logs:
                failures.append({"of": name, "method": methods.index(method), "log": logs.index(log), "error": error})
    return failures


def _plan(results: Results) -> str:
    """Return what the results of a folder have in common, in words."""
    facts = [
        f"{key} {value}"
        for key, value in results.folder.description.items()
        if key not in ("benchmark", "format") and value is not None
    ]
    return f"{results.benchmark}: {', '.join(facts)}" if facts else results.benchmark
