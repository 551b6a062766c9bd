"""Running the intrinsic benchmark: a grid of cells, each a small result file; what is there is not computed again.

A cell is a log, r, w and a group of methods: those that start from the same window counts share them, any other method is a
group of its own. A cell's file is written whole or not at all, so a run can be stopped at any time, and split over
processes, machines (shards) or joblib's backends: the files are the same.
"""

import copy
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import actalike
from actalike.benchmark.ground_truth import Mode, log_digest, make_log, make_recipes
from actalike.benchmark.intrinsic import scores
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods.registry import Method
from actalike.storage import write_atomically
from actalike.windows import count_windows

COUNTS = "counts"  # the group of the methods that take window counts
_PLAN_FILE = "benchmark.json"


@dataclass(frozen=True)
class Plan:
    """What all cells of a result folder have in common."""

    seed: int = 0
    mode: Mode = "paper"
    samples: int = 5


@dataclass(frozen=True)
class Cell:
    """A piece of work: the methods of one group on the ground-truth logs of one (r, w)."""

    log: str
    r: int
    w: int
    group: str
    methods: tuple[str, ...]

    def file(self, out: Path) -> Path:
        """Where its result is."""
        return out / self.log / f"r{self.r:02}-w{self.w}" / f"{self.group}.json"


def open_folder(out: Path, plan: Plan) -> None:
    """Make a result folder, or check that the one that is there belongs to this plan."""
    described = {"benchmark": "intrinsic", "format": 1, **asdict(plan)}
    path = out / _PLAN_FILE
    if path.exists():
        found = read_json(path)
        differing = [f"{key} {found.get(key)!r}, not {value!r}" for key, value in described.items() if found.get(key) != value]
        if differing:
            raise ActalikeError(f"{out} holds results of another plan ({'; '.join(differing)}): choose another --out.")
        return
    try:
        out.mkdir(parents=True, exist_ok=True)
        strangers = any(out.iterdir())
    except OSError as error:
        raise ActalikeError(f"{out} cannot be made: {error.strerror}.") from None
    if strangers:
        raise ActalikeError(f"{out} is neither empty nor a folder of results: choose another --out.")
    _write_json(path, described)


def read_plan(out: Path) -> Plan:
    """The plan of a result folder."""
    path = out / _PLAN_FILE
    if not path.exists():
        raise ActalikeError(
            f"{out} is not a folder of results: it has no {_PLAN_FILE}. 'actalike benchmark intrinsic' makes one."
        )
    found = read_json(path)
    return Plan(found["seed"], found["mode"], found["samples"])


def open_log(out: Path, name: str, log: EventLog) -> str:
    """Note a log in the folder, or check that it is the one that was noted; its digest."""
    digest = log_digest(log)
    path = out / name / "log.json"
    if path.exists():
        if read_json(path).get("log_digest") != digest:
            raise ActalikeError(
                f"{out} holds results of another log that is also called {name!r}: rename one, or choose another --out."
            )
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_json(path, {"log": name, "log_digest": digest, "activities": len(log.activities), **log.statistics()})
    return digest


def make_cells(activities: Mapping[str, int], methods: Mapping[str, Method], rs: Sequence[int], ws: Sequence[int]) -> list[Cell]:
    """All cells for logs with these numbers of activities; r goes no further than the activities do."""
    groups: dict[str, list[str]] = {}
    for name, method in methods.items():
        groups.setdefault(COUNTS if getattr(method, "takes_counts", False) else name, []).append(name)
    return [
        Cell(log, r, w, group, tuple(names))
        for log, n in activities.items()
        for r in rs
        if r <= n
        for w in ws
        for group, names in groups.items()
    ]


def missing_methods(cell: Cell, out: Path, retry_failed: bool = False) -> tuple[str, ...]:
    """The methods of a cell that have no result yet."""
    path = cell.file(out)
    if not path.exists():
        return cell.methods
    found = read_json(path)["methods"]
    return tuple(name for name in cell.methods if name not in found or (retry_failed and "error" in found[name]))


def run_cell(cell: Cell, log: EventLog, digest: str, plan: Plan, methods: Mapping[str, Method], out: Path) -> int:
    """Compute a cell and write its file, beside what the file has already; returns how many methods failed."""
    recipes = make_recipes(log, cell.r, cell.w, plan.samples, plan.seed, plan.mode, digest)
    results: dict[str, dict[str, Any]] = {name: {"scores": []} for name in cell.methods}
    for recipe in recipes:
        truth = make_log(log, recipe)
        source: Any = truth.log
        if cell.group == COUNTS:
            source = count_windows(truth.log, max(methods[name].window for name in cell.methods))  # type: ignore[attr-defined]
        for name in cell.methods:
            if "error" in results[name]:
                continue
            try:
                embedding = copy.deepcopy(methods[name]).fit(source).embedding_  # type: ignore[attr-defined]
                if embedding.activities != truth.log.activities:
                    raise ActalikeError("its activities are not those of the log")
                found = scores(embedding.distances(), truth.classes, plan.mode, cell.w)
            except Exception as error:  # a method may be anybody's: whatever it raises is its result
                results[name] = {"error": f"{type(error).__name__}: {error}", "sample": recipe.sample}
            else:
                results[name]["scores"].append([None if isinstance(v, float) and math.isnan(v) else v for v in found])
    path = cell.file(out)
    before = read_json(path)["methods"] if path.exists() else {}
    described = {
        "benchmark": "intrinsic",
        "version": actalike.__version__,
        "log": cell.log,
        "log_digest": digest,
        "r": cell.r,
        "w": cell.w,
        **asdict(plan),
        "chosen": [recipe.chosen for recipe in recipes],
        "methods": dict(sorted({**before, **results}.items())),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    _write_json(path, described)
    return sum("error" in result for result in results.values())


def run(
    cells: Sequence[Cell],
    logs: Mapping[str, EventLog],
    plan: Plan,
    methods: Mapping[str, Method],
    out: Path,
    jobs: int = 1,
    backend: str = "loky",
) -> Iterator[tuple[Cell, int]]:
    """Compute cells, in this process or in several; yields each when its file is written, with its number of failures."""
    digests = {name: log_digest(log) for name, log in logs.items()}
    if jobs == 1:
        for cell in cells:
            yield _run_one(cell, logs[cell.log], digests[cell.log], plan, methods, out)
        return
    from joblib import Parallel, delayed

    parallel = Parallel(n_jobs=jobs, backend=backend, return_as="generator_unordered", batch_size=1, pre_dispatch="2*n_jobs")
    yield from parallel(delayed(_run_one)(cell, logs[cell.log], digests[cell.log], plan, methods, out) for cell in cells)


def _run_one(cell: Cell, log: EventLog, digest: str, plan: Plan, methods: Mapping[str, Method], out: Path) -> tuple[Cell, int]:
    return cell, run_cell(cell, log, digest, plan, methods, out)


def without_names(log: EventLog) -> EventLog:
    """A log without case ids and timestamps, which the benchmark does not need and which would travel with every cell."""
    return EventLog(log.activities, log.codes, log.offsets, [""] * log.n_cases)


def read_json(path: Path) -> dict[str, Any]:
    """What a result file holds; a damaged one is an error."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ActalikeError(f"{path} is not a sound result file ({error}): remove it and run again.") from None
    if not isinstance(found, dict):
        raise ActalikeError(f"{path} is not a sound result file: remove it and run again.")
    return found


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
    write_atomically(path, lambda part: part.write_text(text, encoding="utf-8"))
