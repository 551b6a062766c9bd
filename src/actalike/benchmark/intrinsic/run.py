"""Running the intrinsic benchmark: a grid of cells; what has a result file already is not computed again."""

import copy
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from actalike.benchmark.cell_runs import compute_cells
from actalike.benchmark.folders import error_text, note_request, open_log, parameters_of, write_json
from actalike.benchmark.intrinsic.cells import COUNTS, NAME, Cell, Plan, make_cells, missing_methods, read_cell, request_of
from actalike.benchmark.intrinsic.ground_truth import Mode, make_log, make_recipes
from actalike.benchmark.intrinsic.metrics import scores
from actalike.benchmark.logs import find_logs, read_logs
from actalike.benchmark.participants import choose_names, make_methods
from actalike.benchmark.processes import check_backend, in_processes
from actalike.benchmark.record import Outcome, Progress, Warn, no_warning
from actalike.counting import count_windows
from actalike.datasets import PaperLog
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods import Method, missing_extra
from actalike.support.progress import tracked
from actalike.version import __version__


def takes_log(entry: PaperLog) -> bool:
    """Return whether a log of the paper takes part."""
    return entry.intrinsic


def why_not(method: Method) -> str | None:
    """Return why a method cannot take part, if it cannot."""
    if method.reads_labels:
        return "reads the labels, and ground-truth logs have new ones for old activities"
    return missing_extra(method)


def run(
    *,
    logs: Sequence[str | Path],
    out: Path,
    methods: Sequence[str] | None = None,
    r: Sequence[int] = range(1, 11),
    w: Sequence[int] = range(2, 6),
    samples: int = 5,
    seed: int = 0,
    mode: Mode = "paper",
    jobs: int = 1,
    backend: str = "loky",
    shard: tuple[int, int] = (1, 1),
    retry_failed: bool = False,
    progress: Progress = tracked,
    warn: Warn = no_warning,
) -> Outcome:
    """Split ``r`` activities of each log into ``w`` replacements, and see whether the methods find them again.

    ``samples`` ground-truth logs are made for each r and w. ``shard=(2, 3)`` computes the second third of the cells. ``jobs``
    processes compute, of joblib's ``backend``.
    """
    chosen = make_methods(choose_names(methods, why_not, warn), why_not)
    check_backend(backend)
    files = find_logs(logs, takes_log, warn)
    plan = Plan(seed, mode, samples)
    plan.open(out)
    event_logs = read_logs(files, jobs, backend, warn)
    digests = {name: open_log(out, name, log) for name, log in event_logs.items()}
    activities = {name: len(log.activities) for name, log in event_logs.items()}
    if min(r) > max(activities.values()):
        raise ActalikeError(f"--r {_range_text(r)}: no log has so many activities; the most are {max(activities.values())}.")
    note_request(out, request_of(activities, list(chosen), r, w))
    part, parts = shard
    cells = make_cells(activities, chosen, r, w)[part - 1 :: parts]
    incomplete = [
        replace(cell, methods=missing)
        for cell in cells
        if (missing := missing_methods(cell, plan, digests[cell.log], out, retry_failed))
    ]
    return compute_cells(
        "intrinsic benchmark",
        run_cells(incomplete, event_logs, digests, plan, chosen, out, jobs, backend),
        lambda cell: f"{cell.log} r={cell.r} w={cell.w}",
        n_cells=len(cells),
        n_missing=len(incomplete),
        out=out,
        logs=files.names,
        methods=chosen,
        progress=progress,
    )


def _range_text(numbers: Sequence[int]) -> str:
    return str(min(numbers)) if len(numbers) == 1 else f"{min(numbers)}-{max(numbers)}"


def run_cells(
    cells: Sequence[Cell],
    logs: Mapping[str, EventLog],
    digests: Mapping[str, str],
    plan: Plan,
    methods: Mapping[str, Method],
    out: Path,
    jobs: int = 1,
    backend: str = "loky",
) -> Iterator[tuple[Cell, dict[str, str]]]:
    """Compute cells, in this process or in several; yield each when its file is written, with the errors of its methods."""
    calls = ((cell, logs[cell.log], digests[cell.log], plan, methods, out) for cell in cells)
    yield from in_processes(run_cell, calls, jobs, backend)


def run_cell(
    cell: Cell, log: EventLog, digest: str, plan: Plan, methods: Mapping[str, Method], out: Path
) -> tuple[Cell, dict[str, str]]:
    """Compute a cell and write its file, beside what the file has already; return it with the errors of its methods."""
    recipes = make_recipes(log, cell.r, cell.w, plan.samples, plan.seed, plan.mode, digest)
    described_methods = {name: {"version": __version__, "parameters": parameters_of(methods[name])} for name in cell.methods}
    results: dict[str, dict[str, Any]] = {name: {**described_methods[name], "scores": []} for name in cell.methods}
    for recipe in recipes:
        truth = make_log(log, recipe)
        source: Any = truth.log
        if cell.group == COUNTS:
            source = count_windows(truth.log, max(methods[name].window or 1 for name in cell.methods))
        for name in cell.methods:
            if "error" in results[name]:
                continue
            try:
                embedding = copy.deepcopy(methods[name]).fit(source).embedding_
                if embedding.activities != truth.log.activities:
                    raise ActalikeError("its activities are not those of the log")
                figures = scores(embedding.distances(), truth.classes, plan.mode, cell.w)
            except (Exception, SystemExit) as error:  # a method may be anybody's: whatever it raises is its result
                results[name] = {**described_methods[name], "error": error_text(error), "sample": recipe.sample}
            else:
                results[name]["scores"].append([None if isinstance(v, float) and math.isnan(v) else v for v in figures])
    path = cell.file(out)
    before = read_cell(path, plan, digest)["methods"] if path.exists() else {}
    content = {
        "benchmark": NAME,
        "log": cell.log,
        "log_digest": digest,
        "r": cell.r,
        "w": cell.w,
        **asdict(plan),
        "chosen": [recipe.chosen for recipe in recipes],
        "methods": dict(sorted({**before, **results}.items())),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, content)
    return cell, {name: result["error"] for name, result in results.items() if "error" in result}
