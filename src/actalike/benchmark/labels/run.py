"""Running the benchmark of labels: plant defects, let everybody judge which labels are one step, and score that."""

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

from actalike.benchmark.cell_runs import compute_cells
from actalike.benchmark.folders import error_text, note_request, open_log, parameters_of, write_json
from actalike.benchmark.labels.cells import NAME, Cell, Plan, make_cells, missing_methods, request_of
from actalike.benchmark.labels.tasks import CLASS_TASKS, NATURAL, UNPLANTED, Prepared, find_tasks, is_planted, takes_place
from actalike.benchmark.logs import LogFiles, find_logs, say_how_read
from actalike.benchmark.processes import check_backend, in_processes
from actalike.benchmark.record import Outcome, Progress, Warn, no_warning
from actalike.benchmark.scoring import Tally, add_tallies, as_lists
from actalike.benchmark.tasks.groupers import Grouper, MethodGrouper, check_result, choose_participants
from actalike.benchmark.tasks.label_scores import Judged, judge_classes, judge_natural, judge_planted, judge_unplanted
from actalike.benchmark.tasks.planted_labels import Names, Planted, plant, recipe, with_neutral_codes
from actalike.counting import count_windows
from actalike.datasets import PaperLog
from actalike.errors import ActalikeError
from actalike.support.progress import tracked
from actalike.version import __version__


def takes_log(entry: PaperLog) -> bool:
    """Return whether a log of the paper takes part: all that the intrinsic benchmark has."""
    return entry.intrinsic


def run(
    *,
    logs: Sequence[str | Path],
    out: Path,
    methods: Sequence[str] | None = None,
    recipes: Sequence[str] | None = None,
    draws: int = 25,
    seed: int = 0,
    jobs: int = 1,
    backend: str = "loky",
    retry_failed: bool = False,
    progress: Progress = tracked,
    warn: Warn = no_warning,
) -> Outcome:
    """Plant defects by each recipe ``draws`` times into each log, and see whether methods and groupers find them.

    ``recipes`` are names or wildcards of recipes, and of the tasks that need no planting: ``unplanted``, ``natural``,
    ``classes-*``. A log takes part in the tasks that it has the timestamps, resources and frequent labels for.
    """
    participants = choose_participants(methods, warn)
    tasks = find_tasks(recipes)
    check_backend(backend)
    files = find_logs(logs, takes_log, warn)
    plan = Plan(seed, draws)
    plan.open(out)
    prepared = dict(in_processes(_prepare, ((files, name) for name in files.names), min(jobs, len(files.names)), backend))
    for name in files.names:
        say_how_read(name, prepared[name].log, warn)
    digests = {name: open_log(out, name, prepared[name].log) for name in files.names}
    of_logs = {name: [task for task in tasks if takes_place(task, prepared[name])] for name in files.names}
    if not any(of_logs.values()):
        raise ActalikeError(f"No log has what {', '.join(tasks)} need: timestamps, resources, or labels in enough cases.")
    note_request(out, request_of(of_logs, list(participants)))
    cells = make_cells(of_logs, list(participants))
    incomplete = [
        replace(cell, methods=missing)
        for cell in cells
        if (missing := missing_methods(cell, plan, digests[cell.log], out, retry_failed))
    ]
    return compute_cells(
        "benchmark of labels",
        run_cells(incomplete, prepared, digests, plan, participants, out, jobs, backend),
        lambda cell: f"{cell.log} {cell.task}",
        n_cells=len(cells),
        n_missing=len(incomplete),
        out=out,
        logs=files.names,
        methods=participants,
        progress=progress,
    )


def _prepare(files: LogFiles, name: str) -> tuple[str, Prepared]:
    return name, Prepared.of_file(files, name)


def run_cells(
    cells: Sequence[Cell],
    prepared: Mapping[str, Prepared],
    digests: Mapping[str, str],
    plan: Plan,
    participants: Mapping[str, Grouper],
    out: Path,
    jobs: int = 1,
    backend: str = "loky",
) -> Iterator[tuple[Cell, dict[str, str]]]:
    """Compute cells, in this process or in several; yield each when its files are written, with the errors of its methods."""
    calls = (
        (cell, prepared[cell.log], digests[cell.log], plan, {name: participants[name] for name in cell.methods}, out)
        for cell in cells
    )
    yield from in_processes(run_cell, calls, jobs, backend)


def run_cell(
    cell: Cell, prepared: Prepared, digest: str, plan: Plan, participants: Mapping[str, Grouper], out: Path
) -> tuple[Cell, dict[str, str]]:
    """Compute a cell and write a file for each participant; return it with the errors of its participants."""
    judged: dict[str, list[Judged]] = {name: [] for name in participants}
    errors: dict[str, tuple[str, int]] = {}
    for draw in range(plan.draws_of(cell.task)):
        source = _Source(cell.task, prepared, plan, draw, digest, participants)
        for name, participant in participants.items():
            if name in errors:
                continue
            try:
                judged[name].append(source.judge(copy.deepcopy(participant)))
            except (Exception, SystemExit) as error:  # a method may be anybody's: whatever it raises is its result
                errors[name] = (error_text(error), draw)
    for name, participant in participants.items():
        path = cell.file(out, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        result: dict[str, Any] = (
            {"error": errors[name][0], "draw": errors[name][1]} if name in errors else _as_plain_data(judged[name])
        )
        write_json(path, {**_described(cell, name, participant, plan, digest), **result})
    return cell, {name: error for name, (error, _) in errors.items()}


def _described(cell: Cell, name: str, participant: Grouper, plan: Plan, digest: str) -> dict[str, Any]:
    parameters = parameters_of(participant.method) if isinstance(participant, MethodGrouper) else {}
    return {
        "benchmark": NAME,
        "log": cell.log,
        "log_digest": digest,
        "task": cell.task,
        "method": name,
        **asdict(plan),
        "version": __version__,
        "parameters": parameters,
    }


def _as_plain_data(judged: Sequence[Judged]) -> dict[str, Any]:
    def added(tallies: list[Tally | None]) -> list[list[float]]:
        return as_lists(add_tallies(tally for tally in tallies if tally is not None))

    return {
        "figures": [one.figures for one in judged],
        "pairs": added([one.pairs for one in judged]),
        "nearest": added([one.nearest for one in judged]),
    }


class _Source:
    """Hold one draw of a task: its logs, planted and counted once for all participants."""

    def __init__(
        self, task: str, prepared: Prepared, plan: Plan, draw: int, digest: str, participants: Mapping[str, Grouper]
    ) -> None:
        self.task = task
        self.prepared = prepared
        methods = [one.method for one in participants.values() if isinstance(one, MethodGrouper)]
        self._window = max((method.window or 1 for method in methods if method.takes == "counts"), default=1)

        @cache
        def planted(names: Names) -> Planted:
            if task in CLASS_TASKS:  # the classes are in the labels
                return with_neutral_codes(prepared.log, plan.seed, digest)
            if not is_planted(task):
                return Planted(prepared.log, (), {})
            return plant(prepared.log, recipe(task), plan.seed, draw, names, digest)

        self._planted = planted
        self._counted = cache(lambda names: count_windows(planted(names).log, self._window))

    def judge(self, participant: Grouper) -> Judged:
        """Fit a participant and judge it."""
        names: Names = "words" if participant.reads_labels else "codes"
        planted = self._planted(names)
        fitted: Grouper
        if isinstance(participant, MethodGrouper) and participant.method.takes == "counts":
            fitted = participant.fit(planted.log, self._counted(names))
        else:
            fitted = participant.fit(planted.log)
        check_result(fitted, planted.log)
        if is_planted(self.task):
            return judge_planted(fitted, planted)
        if self.task == UNPLANTED:
            return judge_unplanted(fitted, planted.log)
        if self.task == NATURAL and self.prepared.synonyms is not None:
            return judge_natural(fitted, self.prepared.synonyms)
        return judge_classes(fitted, planted, CLASS_TASKS[self.task])
