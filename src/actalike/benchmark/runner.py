"""Run a task: what has a result already is not computed again, whatever a participant raises is its result.

A file is written whole or not at all, so a run can be stopped at any time, and split over processes and machines (shards): the
files are the same.
"""

import copy
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from actalike.benchmark.folders import error_text, note_log, note_request, open_folder, write_json
from actalike.benchmark.logs import LogFiles, find_logs, say_how_read
from actalike.benchmark.processes import in_processes
from actalike.benchmark.record import Failure, Outcome, Progress, Warn, no_warning
from actalike.benchmark.results import read_file
from actalike.benchmark.task import Batch, Failed, Source, Task, Unit, Work
from actalike.errors import ActalikeError
from actalike.support.progress import tracked


def run(
    kind: type[Task],
    *,
    out: Path,
    logs: Sequence[str | Path] | None = None,
    methods: Sequence[str] | None = None,
    jobs: int | None = 1,
    shard: tuple[int, int] = (1, 1),
    retry_failed: bool = False,
    progress: Progress = tracked,
    warn: Warn = no_warning,
    **options: Any,
) -> Outcome:
    """Run a task on some logs with some participants, and return what was done.

    ``jobs`` processes compute; ``shard=(2, 3)`` computes the second third of the work. ``options`` are those of the task.
    """
    task = kind(kind.Options(**options))
    if task.needs_logs and not logs:
        raise ActalikeError("There is nothing to work on: give --logs.")
    participants = task.choose(methods, warn)
    files = find_logs(logs, task.takes_log, warn) if logs else LogFiles(())
    task.check(files.names, jobs)
    open_folder(out, {"benchmark": task.name, "format": task.format, **task.plan()})
    calls = ((task, files, name) for name in files.names)
    data = dict(in_processes(_read, calls, min(jobs or 1, max(len(files.names), 1))))
    for name in files.names:
        say_how_read(name, task.log_of(data[name]), warn)
    sources = {}
    for name, one in task.sources({name: data[name] for name in files.names}, warn).items():
        sources[name] = Source(name, one, task.digest_of(one))
        note_log(out, name, sources[name].digest, task.facts_of(one))
    units = list(task.units(sources))
    _check_units(task, units)
    asked = {(unit.log, unit.name): task.asked(unit, participants) for unit in units}
    if not any(asked.values()):
        raise ActalikeError(task.nothing_to_do())
    note_request(out, task.request(asked, participants))
    part, parts = shard
    batches = list(_batches(task, units, asked, participants))[part - 1 :: parts]
    if task.works_elsewhere:
        work = Work(out, participants, sources, batches, jobs, retry_failed, progress)
        task.prepare(work)
        return task.collect(work, Outcome(out, len(batches), 0, 0, (), tuple(sources), tuple(participants)))
    incomplete = [
        batch._replace(participants=missing)
        for batch in batches
        if (missing := missing_participants(task, batch, sources[batch.unit.log].digest, out, retry_failed))
    ]
    work = Work(out, participants, sources, incomplete, jobs if task.parallel else 1, retry_failed, progress)
    failures: dict[tuple[str, str], str] = {}
    n_failed = 0
    with progress(f"{task.name} benchmark", len(incomplete)) as advance:
        for batch, errors in compute(task, work):
            failures.update({(name, batch.unit.log): error for name, error in errors.items()})
            n_failed += bool(errors)
            advance(" ".join([batch.unit.log, batch.unit.name, *([] if batch.name.startswith("_") else [batch.name])]))
    failed = tuple(Failure(name, log, error) for (name, log), error in sorted(failures.items()))
    return Outcome(out, len(batches), len(incomplete), n_failed, failed, tuple(sources), tuple(participants))


def _check_units(task: Task, units: Iterable[Unit]) -> None:
    """Reject a task whose tables would lack a column, before anything is computed."""
    wanted = {name for unit in units for name in unit.at} | {name for one in task.columns for name in one.units or ()}
    if missing := sorted(wanted - set(task.unit_columns)):
        raise ActalikeError(
            f"The units or columns of the task {task.name!r} have {missing[0]!r}, which its unit_columns lack: add it there with "
            "its type, polars.String say."
        )


def _checked(task: Task, result: dict[str, Any]) -> dict[str, Any]:
    """Reject a figure that is not a metric: the tables would not read its file."""
    for figures in result.get("figures", []):
        unknown = [] if task.has_own_metrics else sorted(set(figures) - set(task.metrics))
        if unknown:
            raise ActalikeError(
                f"The task {task.name!r} returned a figure {unknown[0]!r}, which its metrics lack: {', '.join(task.metrics)}."
            )
    return result


def _read(task: Task, files: LogFiles, name: str) -> tuple[str, Any]:
    return name, task.read(files, name)


def _batches(
    task: Task, units: Iterable[Unit], asked: Mapping[tuple[str, str], Sequence[str]], participants: Mapping[str, Any]
) -> Iterator[Batch]:
    for unit in units:
        together: dict[str, list[str]] = {}
        for name in asked[unit.log, unit.name]:
            together.setdefault(task.batch(name, participants.get(name)), []).append(name)
        for batch, names in together.items():
            yield Batch(unit, batch, tuple(names))


def missing_participants(task: Task, batch: Batch, digest: str, out: Path, retry_failed: bool = False) -> tuple[str, ...]:
    """Return the participants of a batch that have no result yet."""
    path = batch.file(out)
    if not path.exists():
        return batch.participants
    results = read_file(path, task, task.plan(), digest)["participants"]
    return tuple(name for name in batch.participants if name not in results or (retry_failed and "error" in results[name]))


def compute(task: Task, work: Work) -> Iterator[tuple[Batch, dict[str, str]]]:
    """Compute batches, in this process or in several; yield each when its file is written, with the errors in it."""
    calls = (
        (task, work.out, batch, work.sources[batch.unit.log], {name: work.participants[name] for name in batch.participants})
        for batch in work.batches
    )
    yield from in_processes(compute_batch, calls, work.jobs or 1)


def compute_batch(
    task: Task, out: Path, batch: Batch, source: Source, participants: Mapping[str, Any]
) -> tuple[Batch, dict[str, str]]:
    """Compute a batch and write its file, beside what the file has already; return it with the errors of its participants."""
    outcomes: dict[str, list[Any]] = {name: [] for name in participants}
    failed: dict[str, dict[str, Any]] = {}
    n_draws = {name: task.draws(batch.unit, one) for name, one in participants.items()}
    for draw in range(max(n_draws.values())):
        left = {name: one for name, one in participants.items() if name not in failed and draw < n_draws[name]}
        if not left:
            break
        problem = task.problem(source, batch.unit, draw, left)
        for name, participant in left.items():
            try:
                outcomes[name].append(task.evaluate(copy.deepcopy(participant), problem))
            except Failed as error:
                failed[name] = {"error": str(error), "draw": draw, **error.facts}
            except (Exception, SystemExit) as error:  # a participant may be anybody's: whatever it raises is its result
                failed[name] = {"error": error_text(error), "draw": draw}
    results = {
        name: {**task.described(one), **(failed.get(name) or _checked(task, task.result(outcomes[name])))}
        for name, one in participants.items()
    }
    path = batch.file(out)
    before = read_file(path, task, task.plan(), source.digest)["participants"] if path.exists() else {}
    content = {
        "benchmark": task.name,
        "log": source.name,
        "log_digest": source.digest,
        "unit": batch.unit.name,
        "at": dict(batch.unit.at),
        **task.plan(),
        **task.notes(source, batch.unit),
        "participants": dict(sorted({**before, **results}.items())),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, _without_nan(content))
    return batch, {name: failure["error"] for name, failure in failed.items()}


def _without_nan(value: Any) -> Any:
    """Write no value where a figure is not a number: JSON has no NaN, nor numbers of numpy."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Mapping):
        return {key: _without_nan(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(one) for one in value]
    return None if isinstance(value, float) and math.isnan(value) else value
