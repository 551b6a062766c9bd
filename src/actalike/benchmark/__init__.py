"""Benchmarks: how well, and at what cost, a method tells which activities act alike.

A benchmark is a module that offers its :class:`actalike.benchmark.task.Task` as ``TASK``, and a line in ``BENCHMARKS``. Commands,
tables, pictures and the benchmark page know nothing else of it.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl

    from actalike.benchmark.record import Outcome
    from actalike.benchmark.results import Results
    from actalike.benchmark.task import Task

BENCHMARKS: "dict[str, str | type[Task]]" = {  # each by its package, which is loaded when it is used
    "intrinsic": "actalike.benchmark.tasks.intrinsic",
    "prediction": "actalike.benchmark.tasks.prediction",
    "efficiency": "actalike.benchmark.tasks.efficiency",
    "labels": "actalike.benchmark.tasks.labels",
    "matching": "actalike.benchmark.tasks.matching",
    "anomalies": "actalike.benchmark.tasks.anomalies",
    "change_points": "actalike.benchmark.tasks.change_points",
}

_REGISTRIES = {  # of participants with a name of their own: where those of each kind are
    "grouper": ("actalike.benchmark.tasks.groupers", "GROUPERS"),
    "matcher": ("actalike.benchmark.tasks.matchers", "MATCHERS"),
    "detector": ("actalike.benchmark.tasks.detectors", "DETECTORS"),
    "change-detector": ("actalike.benchmark.tasks.change_detectors", "CHANGE_DETECTORS"),
}

__all__ = ["BENCHMARKS", "frame", "get", "plots", "read", "register", "register_task", "run", "table"]


def get(name: str) -> "type[Task]":
    """Return the class of a benchmark.

    >>> get("intrinsic").title, [column.name for column in get("intrinsic").columns]
    ('Intrinsic', ['I_comp', 'I_nn', 'I_prec', 'I_tri'])
    """
    from actalike.errors import ActalikeError, did_you_mean

    if name not in BENCHMARKS:
        raise ActalikeError(
            f"No benchmark is called {name!r}.{did_you_mean(name, BENCHMARKS)} There are {', '.join(BENCHMARKS)}."
        )
    found = BENCHMARKS[name]
    task: type[Task] = import_module(found).TASK if isinstance(found, str) else found
    return task


def register_task(task: "type[Task]") -> None:
    """Let a benchmark of your own take part: commands, tables, pictures and the benchmark page know it by its name."""
    BENCHMARKS[task.name] = task


def register(kind: str, name: str, factory: "Callable[[], Any]") -> None:
    """Let a ``grouper``, ``matcher``, ``detector`` or ``change-detector`` of your own take part.

    ``factory`` is its class, or a function.

    >>> class Nothing:
    ...     def fit(self, log):
    ...         self.scores_, self.groups_ = None, []
    ...         return self
    >>> register("grouper", "nothing", Nothing)
    """
    from actalike.errors import ActalikeError, did_you_mean

    if kind not in _REGISTRIES:
        raise ActalikeError(
            f"No kind of participants is called {kind!r}.{did_you_mean(kind, _REGISTRIES)} There are {', '.join(_REGISTRIES)}."
        )
    module, registry = _REGISTRIES[kind]
    getattr(import_module(module), registry).register(name, factory)


def run(name: str, *, out: str | Path, **options: Any) -> "Outcome":
    """Run a benchmark and return what was computed and what failed. What the folder ``out`` has already is not computed again.

    All benchmarks take ``logs`` (files or folders), ``methods`` (names or wildcards), ``retry_failed``, ``progress`` and
    ``warn``; the other options are those of the benchmark's own ``run`` and of its command. Needs the extra ``benchmark``.

    >>> import tempfile
    >>> from actalike import EventLog, write_log
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_log(EventLog.from_traces([["a", "b", "c"], ["a", "c", "b"]] * 5), f"{folder}/log.csv")
    ...     outcome = run("intrinsic", logs=[f"{folder}/log.csv"], methods=["one-hot"], r=[1], w=[2], out=f"{folder}/results")
    ...     print(table(f"{folder}/results"))
    | method  | I_comp | I_nn  | I_prec | I_tri |
    |---------|--------|-------|--------|-------|
    | one-hot | 0.000  | 0.333 | 0.333  | 0.000 |
    >>> outcome.cells, outcome.computed, outcome.failures
    (1, 1, ())
    """
    from actalike.benchmark.runner import run as run_task
    from actalike.support.extras import Extra

    chosen = get(name)
    for package in ("cloudpickle", "joblib"):
        Extra("benchmark", package).load(user="A benchmark")
    return run_task(chosen, out=Path(out), **options)


def read(results: "str | Path | Results") -> "Results":
    """Read the results of a folder, of whichever benchmark they are; results that were read already are returned as they are."""
    from actalike.benchmark.folders import ResultFolder
    from actalike.benchmark.results import Results
    from actalike.errors import ActalikeError

    if isinstance(results, Results):
        return results
    folder = ResultFolder.open(results)
    if folder.benchmark not in BENCHMARKS:
        raise ActalikeError(
            f"{results} has results of a benchmark {folder.benchmark!r}, which this version does not know. "
            "If it is your own, name its file with --plugin, or import it."
        )
    task = get(folder.benchmark)
    return task.Results.read(task.of_folder(folder), folder)


def frame(results: "str | Path | Results", *, by: str | None = None) -> "pl.DataFrame":
    """Return the figures of a table as a frame: means over the logs, or with ``by="log"`` a row for each log."""
    results = read(results)
    results.check_layout(by=by)
    return results.frame(by_log=by is not None)


def table(results: "str | Path | Results", *, form: str = "md", by: str | None = None, intervals: bool = False) -> str:
    """Return the results as a table: Markdown (``md``), ``latex`` or ``csv``.

    ``by="log"`` gives the figures of each log, ``intervals`` adds 95 % bootstrap intervals over the logs to the means.
    """
    results = read(results)
    results.check_layout(form=form, by=by, intervals=intervals)
    return results.table(form=form, by_log=by is not None, intervals=intervals)


def plots(results: "str | Path | Results", output: str | Path, *, form: str = "png", logs: list[str] | None = None) -> list[Path]:
    """Draw all pictures of some results (``png``, ``svg`` or ``pdf``), of all logs or of those named; return their paths."""
    from actalike.support.figures import save_figures

    results = read(results).of_logs(logs)
    figures = results.pictures()
    if not figures:
        raise results.nothing_to_draw()
    return save_figures({f"{name}.{form}": figure for name, figure in figures.items()}, Path(output))
