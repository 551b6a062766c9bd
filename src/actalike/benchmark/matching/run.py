"""Running the benchmark of matching: take pairs of logs whose partners are known, hide the labels, and score who finds them."""

import copy
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from actalike.benchmark.cell_runs import compute_cells
from actalike.benchmark.efficiency.memory import peak_during
from actalike.benchmark.folders import error_text, note_request, write_json
from actalike.benchmark.logs import LogFiles, find_logs, say_how_read
from actalike.benchmark.matching.cells import NAME, Plan, is_missing, open_pair
from actalike.benchmark.method_cells import Cell, request_of
from actalike.benchmark.processes import check_backend, in_processes
from actalike.benchmark.record import Outcome, Progress, Warn, no_warning
from actalike.benchmark.scoring import Tally, add_tallies, as_lists
from actalike.benchmark.tasks.matchers import MATCHERS, Answer, Matcher
from actalike.benchmark.tasks.matching_problems import (
    CASES,
    KINDS,
    TIME,
    Kind,
    LogPair,
    NamedLog,
    Problem,
    find_pairs,
    find_tasks,
    make_problem,
    takes_place,
)
from actalike.benchmark.tasks.matching_scores import Judged, judge
from actalike.datasets import PaperLog
from actalike.errors import ActalikeError
from actalike.methods import Method, missing_extra
from actalike.support.progress import tracked
from actalike.version import __version__


def takes_log(entry: PaperLog) -> bool:
    """Return whether a log of the paper takes part: all that the intrinsic benchmark has."""
    return entry.intrinsic


def why_not(method: Method) -> str | None:
    """Return why a method cannot take part, if it cannot."""
    return missing_extra(method)


def run(
    *,
    logs: Sequence[str | Path],
    out: Path,
    methods: Sequence[str] | None = None,
    kinds: Sequence[str] | None = None,
    tasks: Sequence[str] | None = None,
    draws: int = 10,
    seed: int = 0,
    jobs: int = 1,
    backend: str = "loky",
    retry_failed: bool = False,
    progress: Progress = tracked,
    warn: Warn = no_warning,
) -> Outcome:
    """Let matchers find the partners of labels that are known to be the same step, with labels hidden.

    ``kinds`` are those of the pairs of logs: ``codes`` (BPIC15), ``vocabulary`` (BPIC20), ``time`` and ``cases`` (halves of each
    log). ``tasks`` are names or wildcards. What depends on chance is drawn ``draws`` times.
    """
    matchers = MATCHERS.choose(methods, warn=warn)
    chosen_kinds, chosen_tasks = _find_kinds(kinds), find_tasks(tasks)
    check_backend(backend)
    files = find_logs(logs, takes_log, warn)
    plan = Plan(seed, draws)
    plan.open(out)
    read = dict(in_processes(_read, ((files, name) for name in files.names), min(jobs, len(files.names)), backend))
    for name in files.names:
        say_how_read(name, read[name].log, warn)
    pairs = {pair.name: pair for pair in find_pairs({name: read[name] for name in files.names}, chosen_kinds, warn)}
    cells = make_cells(pairs, chosen_tasks, matchers)
    if not cells:
        raise ActalikeError(
            f"There is nothing to match: no two logs at {', '.join(map(str, logs))} are in one scheme of labels, no log has 7 "
            "labels and two halves, or no matcher takes part in these tasks. Choose other logs, kinds, tasks or methods."
        )
    opened = {name: (open_pair(out, pair), pair.kind) for name, pair in pairs.items()}
    note_request(out, request_of(cells))
    missing = [cell for cell in cells if is_missing(cell, plan, opened, out, retry_failed)]
    calls = ((cell, pairs[cell.log], opened[cell.log][0], plan, matchers[cell.method], out) for cell in missing)
    return compute_cells(
        "benchmark of matching",
        in_processes(run_cell, calls, jobs, backend),
        lambda cell: f"{cell.log} {cell.task} {cell.method}",
        n_cells=len(cells),
        n_missing=len(missing),
        out=out,
        logs=list(pairs),
        methods=matchers,
        progress=progress,
    )


def _find_kinds(names: Sequence[str] | None) -> list[Kind]:
    if unknown := [name for name in names or () if name not in KINDS]:
        raise ActalikeError(f"No kind of pairs is called {unknown[0]!r}. There are {', '.join(KINDS)}.")
    return [kind for kind in KINDS if names is None or kind in names]


def _read(files: LogFiles, name: str) -> tuple[str, NamedLog]:
    return name, NamedLog.of_file(files, name)


def make_cells(pairs: Mapping[str, LogPair], tasks: Sequence[str], matchers: Mapping[str, Matcher]) -> list[Cell]:
    """Return a cell for each pair, each of its tasks and each matcher.

    Halves of one log have the same labels, so matchers that read labels are not asked there.
    """
    return [
        Cell(name, task, method)
        for name, pair in pairs.items()
        for task in tasks
        if takes_place(task, pair.kind)
        for method, matcher in matchers.items()
        if not (matcher.reads_labels and pair.kind in (TIME, CASES))
    ]


def run_cell(cell: Cell, pair: LogPair, digest: str, plan: Plan, matcher: Matcher, out: Path) -> tuple[Cell, dict[str, str]]:
    """Compute a cell and write its file; return it with the error of its matcher, if there is one."""
    judged: list[Judged] = []
    failure: dict[str, Any] = {}
    for draw in range(plan.draws_of(cell.task, pair.kind, matcher.slow)):
        problem = make_problem(pair, cell.task, plan.seed, draw, "words" if matcher.reads_labels else "codes")
        try:
            judged.append(_judged(copy.deepcopy(matcher), problem, draw))
        except (Exception, SystemExit) as error:  # a matcher may be anybody's: whatever it raises is its result
            failure = {"error": error_text(error), "draw": draw}
            break
    described = {
        "benchmark": NAME,
        "log": cell.log,
        "log_digest": digest,
        "task": cell.task,
        "method": cell.method,
        **asdict(plan),
        "slow": bool(matcher.slow),
        "version": __version__,
    }
    path = cell.file(out)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, {**described, **(failure or _as_plain_data(judged))})
    return cell, {cell.method: failure["error"]} if failure else {}


def _judged(matcher: Matcher, problem: Problem, draw: int) -> Judged:
    """Fit a matcher and judge it; seconds are those of the processor, bytes the growth of the process at its highest."""
    began = time.process_time()
    fitted, peak = peak_during(lambda: matcher.fit(problem.log_a, problem.log_b, dict(problem.known)))
    seconds = time.process_time() - began
    judged = judge(Answer(fitted, problem.log_a, problem.log_b), problem, draw)
    judged.figures["seconds"] = seconds
    judged.figures["bytes"] = None if peak is None else float(peak.peak - peak.before)
    return judged


def _as_plain_data(judged: Sequence[Judged]) -> dict[str, Any]:
    def added(tallies: list[Tally | None]) -> list[list[float]]:
        return as_lists(add_tallies(tally for tally in tallies if tally is not None))

    return {
        "figures": [one.figures for one in judged],
        "proposed": added([one.proposed for one in judged]),
        "best": added([one.best for one in judged]),
    }
