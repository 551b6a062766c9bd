"""Running the efficiency benchmark: each cell in a process of its own; what has a result file already is not measured again.

One cell at a time, because cells that share a machine measure each other.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from actalike.benchmark.efficiency import growth as growing
from actalike.benchmark.efficiency.cells import NAME, Cell, Plan, is_missing, request_of
from actalike.benchmark.efficiency.machine import machine, processor, versions
from actalike.benchmark.efficiency.own_process import measure
from actalike.benchmark.folders import note_request, open_log, parameters_of, write_json
from actalike.benchmark.logs import LogFiles, find_logs, read_logs
from actalike.benchmark.participants import choose_names, make_methods
from actalike.benchmark.record import Failure, Outcome, Progress, Warn, no_warning
from actalike.datasets import PaperLog
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods import Method, missing_extra
from actalike.support.progress import tracked


def takes_log(entry: PaperLog) -> bool:
    """Return whether a log of the paper takes part."""
    return entry.efficiency


def why_not(method: Method) -> str | None:
    """Return why a method cannot take part, if it cannot."""
    return missing_extra(method)


def run(
    *,
    out: Path,
    logs: Sequence[str | Path] | None = None,
    methods: Sequence[str] | None = None,
    repeats: int = 10,
    time_limit: float = 600,
    growth: bool = False,
    retry_failed: bool = False,
    progress: Progress = tracked,
    warn: Warn = no_warning,
) -> Outcome:
    """Measure seconds from a log to all distances, with their parts, and memory.

    A method gets ``time_limit`` seconds for a log, and is called ``repeats`` times if that is enough. ``growth`` adds
    made-up logs of growing size, and windows from 3 to 15.
    """
    if not logs and not growth:
        raise ActalikeError("There is nothing to measure on: give --logs, or --growth for made-up logs.")
    names = choose_names(methods or ["*"], why_not, warn)
    files = find_logs(logs, takes_log, warn) if logs else LogFiles(())
    if clash := sorted(set(files.names) & set(growing.GROWTH_LOGS)) if growth else []:
        raise ActalikeError(f"{clash[0]} is what a made-up log is called: rename the file.")
    cells = [Cell(log, method) for log in files.names for method in names] + (growing.growth_cells(names) if growth else [])
    chosen = make_methods(list(dict.fromkeys(cell.method for cell in cells)), why_not)
    plan = Plan(repeats, processor())
    plan.open(out)
    event_logs = (read_logs(files, warn=warn) if logs else {}) | (growing.growth_logs() if growth else {})
    digests = {name: open_log(out, name, log) for name, log in event_logs.items()}
    note_request(out, request_of(cells))
    incomplete = [cell for cell in cells if is_missing(cell, plan, digests[cell.log], out, retry_failed)]
    failures: dict[Cell, str] = {}
    with progress("efficiency benchmark", len(incomplete)) as advance:
        for cell in incomplete:
            result = run_cell(cell, event_logs[cell.log], digests[cell.log], plan, chosen[cell.method], time_limit, out)
            if "error" in result:
                failures[cell] = result["error"]
            advance(f"{cell.log}, {cell.method}")
    failed = tuple(Failure(cell.method, cell.log, error) for cell, error in sorted(failures.items()))
    return Outcome(out, len(cells), len(incomplete), len(failures), failed, tuple(event_logs), tuple(chosen))


def run_cell(cell: Cell, log: EventLog, digest: str, plan: Plan, method: Method, time_limit: float, out: Path) -> dict[str, Any]:
    """Measure a cell and write its file; return the figures, or the error with which it failed."""
    description = {
        "benchmark": NAME,
        "log": cell.log,
        "log_digest": digest,
        "method": cell.method,
        "parameters": parameters_of(method),
        "asked_repeats": plan.repeats,
        "time_limit": time_limit,
        "machine": machine(),
        "versions": versions(method),
    }
    result = measure(cell.method, method, log, plan.repeats, time_limit)
    path = cell.file(out)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, {**description, **result})
    return result
