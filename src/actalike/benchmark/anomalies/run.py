"""Running the benchmark of anomalies: plant anomalies into copies of logs, and score who finds them."""

import copy
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from actalike.benchmark.anomalies.cells import NAME, Plan, is_missing, open_log
from actalike.benchmark.cell_runs import compute_cells
from actalike.benchmark.efficiency.memory import peak_during
from actalike.benchmark.folders import error_text, note_request, write_json
from actalike.benchmark.logs import LogFiles, find_logs, say_how_read
from actalike.benchmark.method_cells import Cell, request_of
from actalike.benchmark.processes import check_backend, in_processes
from actalike.benchmark.record import Outcome, Progress, Warn, no_warning
from actalike.benchmark.tasks.anomaly_logs import read_with_attributes, takes_log
from actalike.benchmark.tasks.anomaly_scores import Judged, judge, learnt_f
from actalike.benchmark.tasks.detectors import DETECTORS, Answer, Detector
from actalike.benchmark.tasks.planted_anomalies import PlantedLog, find_tasks, plant, takes_place
from actalike.errors import ActalikeError
from actalike.log import Attribute, EventLog
from actalike.methods import Method, missing_extra
from actalike.support.progress import tracked
from actalike.version import __version__

_planted: dict[
    tuple[str, str, str, int], PlantedLog
] = {}  # the copies of the last task of a process: the next detector gets them


def why_not(method: Method) -> str | None:
    """Return why a method cannot take part, if it cannot."""
    return missing_extra(method)


def run(
    *,
    logs: Sequence[str | Path],
    out: Path,
    methods: Sequence[str] | None = None,
    tasks: Sequence[str] | None = None,
    attributes: Sequence[str] | None = None,
    copies: int = 5,
    seed: int = 0,
    jobs: int = 1,
    backend: str = "loky",
    retry_failed: bool = False,
    progress: Progress = tracked,
    warn: Warn = no_warning,
) -> Outcome:
    """Let detectors find anomalies that are planted into copies of logs.

    ``tasks`` are names or wildcards: ``bpad-05`` to ``bpad-45`` plant as BPAD does, one copy each; ``known`` and ``known-KIND``
    plant known labels and values into ``copies`` copies. ``attributes`` are those of logs that BPAD does not have; without any,
    those that name people.
    """
    detectors = DETECTORS.choose(methods, warn=warn)
    chosen_tasks = find_tasks(tasks)
    check_backend(backend)
    files = find_logs(logs, takes_log, warn)
    plan = Plan(seed, copies)
    plan.open(out)
    calls = ((files, name, attributes) for name in files.names)
    read = dict(in_processes(_read, calls, min(jobs, len(files.names)), backend))
    for name in files.names:
        say_how_read(name, read[name], warn)
    cells = make_cells({name: read[name] for name in files.names}, chosen_tasks, detectors)
    if not cells:
        raise ActalikeError(
            f"There is nothing to do: no log at {', '.join(map(str, logs))} has attributes, which the tasks need."
        )
    digests = {name: open_log(out, name, read[name]) for name in files.names}
    note_request(out, request_of(cells))
    missing = [cell for cell in cells if is_missing(cell, plan, digests, out, retry_failed)]
    work = ((cell, read[cell.log], digests[cell.log], plan, detectors[cell.method], out) for cell in missing)
    return compute_cells(
        "benchmark of anomalies",
        in_processes(run_cell, work, jobs, backend),
        lambda cell: f"{cell.log} {cell.task} {cell.method}",
        n_cells=len(cells),
        n_missing=len(missing),
        out=out,
        logs=files.names,
        methods=detectors,
        progress=progress,
    )


def _read(files: LogFiles, name: str, attributes: Sequence[str] | None) -> tuple[str, EventLog]:
    return name, read_with_attributes(files, name, attributes)


def make_cells(logs: Mapping[str, EventLog], tasks: Sequence[str], detectors: Mapping[str, Detector]) -> list[Cell]:
    """Return a cell for each log, each of its tasks and each detector."""
    return [
        Cell(name, task, method)
        for name, log in logs.items()
        for task in tasks
        if takes_place(task, bool(log.attributes))
        for method in detectors
    ]


def run_cell(cell: Cell, log: EventLog, digest: str, plan: Plan, detector: Detector, out: Path) -> tuple[Cell, dict[str, str]]:
    """Compute a cell and write its file; return it with the error of its detector, if there is one."""
    judged: list[Judged] = []
    failure: dict[str, Any] = {}
    answers: list[Answer] = []
    n_copies = plan.copies_of(cell.task)
    for number in range(n_copies):
        planted = _plant(log, digest, cell, plan.seed + number)
        try:
            answer, one = _judged(copy.deepcopy(detector), planted)
        except (Exception, SystemExit) as error:  # a detector may be anybody's: whatever it raises is its result
            failure = {"error": error_text(error), "copy": number}
            break
        if judged:  # the thresholds of the copy before, on this one
            one.figures.update(learnt_f(answer, planted, judged[-1].thresholds))
        judged.append(one)
        answers = answers or [answer]
    if n_copies > 1 and not failure:  # and those of the last copy, on the first one
        judged[0].figures.update(learnt_f(answers[0], _plant(log, digest, cell, plan.seed), judged[-1].thresholds))
    described = {
        "benchmark": NAME,
        "log": cell.log,
        "log_digest": digest,
        "task": cell.task,
        "method": cell.method,
        **asdict(plan),
        "version": __version__,
    }
    path = cell.file(out)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, {**described, **(failure or _as_plain_data(judged))})
    return cell, {cell.method: failure["error"]} if failure else {}


def _plant(log: EventLog, digest: str, cell: Cell, seed: int) -> PlantedLog:
    """Plant a task into a log, or take the copy that was planted for another detector."""
    task = (digest, cell.log, cell.task)
    if any(key[:3] != task for key in _planted):
        _planted.clear()
    if (*task, seed) not in _planted:
        _planted[*task, seed] = plant(log, cell.log, cell.task, seed)
    return _planted[*task, seed]


def _judged(detector: Detector, planted: PlantedLog) -> tuple[Answer, Judged]:
    """Fit a detector and judge it; seconds are those of the processor, bytes the growth of the process at its highest."""
    own_log = _own_copy(planted.log)
    began = time.process_time()
    fitted, peak = peak_during(lambda: detector.fit(own_log))
    seconds = time.process_time() - began
    answer = Answer(fitted, planted.log)
    judged = judge(answer, planted)
    judged.figures["seconds"] = seconds
    judged.figures["bytes"] = None if peak is None else float(peak.peak - peak.before)
    return answer, judged


def _own_copy(log: EventLog) -> EventLog:
    """Return a log of its own for a detector: what it changes there, or leaves there, no other detector sees."""
    attributes = {name: Attribute(list(attribute.values), attribute.codes.copy()) for name, attribute in log.attributes.items()}
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes=attributes)


def _as_plain_data(judged: Sequence[Judged]) -> dict[str, Any]:
    named: Counter[tuple[str, str]] = Counter()
    for one in judged:
        named.update(one.named or {})
    return {"figures": [one.figures for one in judged], "named": [[*kinds, n] for kinds, n in sorted(named.items())]}
