"""Running the intrinsic benchmark: a grid of cells, each a small result file; what is there is not computed again.

A cell is a log, r, w and a group of methods: those that start from the same window counts share them, any other method is a
group of its own. A cell's file is written whole or not at all, so a run can be stopped at any time, and split over
processes, machines (shards) or joblib's backends: the files are the same.
"""

import copy
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from threadpoolctl import threadpool_limits

from actalike.benchmark import folders
from actalike.benchmark.folders import error_text, parameters_of, read_json, write_json
from actalike.benchmark.intrinsic.ground_truth import Mode, log_digest, make_log, make_recipes
from actalike.benchmark.intrinsic.metrics import scores
from actalike.benchmark.logs import LogFiles
from actalike.counting import count_windows
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods import Method
from actalike.version import __version__

COUNTS = "_counts"  # the group of the methods that take window counts; no method can have this name
_Result = TypeVar("_Result")


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
    folders.open_folder(out, {"benchmark": "intrinsic", "format": 1, **asdict(plan)})


def read_plan(out: Path) -> Plan:
    """The plan of a result folder."""
    found = folders.read_description(out, "seed", "mode", "samples")
    return Plan(found["seed"], found["mode"], found["samples"])


def note_request(out: Path, activities: Mapping[str, int], methods: Sequence[str], rs: Sequence[int], ws: Sequence[int]) -> None:
    """Note what is to be computed, so that a table can say what is missing; the same for all shards of a run."""
    request = {"logs": dict(sorted(activities.items())), "methods": sorted(methods), "r": list(rs), "w": list(ws)}
    folders.note_request(out, request)


def requested(out: Path) -> set[tuple[str, str, int, int]]:
    """What was asked for so far: method, log, r, w."""
    return {
        (method, log, r, w)
        for request in folders.requests(out, "logs", "methods", "r", "w")
        for log, n in request["logs"].items()
        for r in request["r"]
        if r <= n
        for w in request["w"]
        for method in request["methods"]
    }


def make_cells(activities: Mapping[str, int], methods: Mapping[str, Method], rs: Sequence[int], ws: Sequence[int]) -> list[Cell]:
    """All cells for logs with these numbers of activities; r goes no further than the activities do."""
    groups: dict[str, list[str]] = {}
    for name, method in methods.items():
        groups.setdefault(COUNTS if method.takes == "counts" else name, []).append(name)
    return [
        Cell(log, r, w, group, tuple(names))
        for log, n in activities.items()
        for r in rs
        if r <= n
        for w in ws
        for group, names in groups.items()
    ]


def read_cell(path: Path, plan: Plan, digest: str) -> dict[str, Any]:
    """What the file of a cell holds; one from another run (folders may have been copied together) is an error."""
    found = read_json(path, "log", "r", "w", "methods")
    expected = {**asdict(plan), "log_digest": digest}
    differing = [f"{key} {found.get(key)!r}, not {value!r}" for key, value in expected.items() if found.get(key) != value]
    if differing:
        raise ActalikeError(
            f"{path} is of another run than its folder ({'; '.join(differing)}): results of different runs do not mix. Remove it."
        )
    return found


def missing_methods(cell: Cell, plan: Plan, digest: str, out: Path, retry_failed: bool = False) -> tuple[str, ...]:
    """The methods of a cell that have no result yet."""
    path = cell.file(out)
    if not path.exists():
        return cell.methods
    found = read_cell(path, plan, digest)["methods"]
    return tuple(name for name in cell.methods if name not in found or (retry_failed and "error" in found[name]))


def run_cell(cell: Cell, log: EventLog, digest: str, plan: Plan, methods: Mapping[str, Method], out: Path) -> dict[str, str]:
    """Compute a cell and write its file, beside what the file has already; returns the errors of the methods that failed."""
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
                found = scores(embedding.distances(), truth.classes, plan.mode, cell.w)
            except (Exception, SystemExit) as error:  # a method may be anybody's: whatever it raises is its result
                results[name] = {**described_methods[name], "error": error_text(error), "sample": recipe.sample}
            else:
                results[name]["scores"].append([None if isinstance(v, float) and math.isnan(v) else v for v in found])
    path = cell.file(out)
    before = read_cell(path, plan, digest)["methods"] if path.exists() else {}
    described = {
        "benchmark": "intrinsic",
        "log": cell.log,
        "log_digest": digest,
        "r": cell.r,
        "w": cell.w,
        **asdict(plan),
        "chosen": [recipe.chosen for recipe in recipes],
        "methods": dict(sorted({**before, **results}.items())),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, described)
    return {name: result["error"] for name, result in results.items() if "error" in result}


def run(
    cells: Sequence[Cell],
    logs: Mapping[str, EventLog],
    plan: Plan,
    methods: Mapping[str, Method],
    out: Path,
    jobs: int = 1,
    backend: str = "loky",
) -> Iterator[tuple[Cell, dict[str, str]]]:
    """Compute cells, in this process or in several; yields each when its file is written, with the errors of its methods."""
    digests = {name: log_digest(log) for name, log in logs.items()}
    calls = ((cell, logs[cell.log], digests[cell.log], plan, methods, out) for cell in cells)
    yield from _in_processes(_run_one, calls, jobs, backend)


def _run_one(
    cell: Cell, log: EventLog, digest: str, plan: Plan, methods: Mapping[str, Method], out: Path
) -> tuple[Cell, dict[str, str]]:
    return cell, run_cell(cell, log, digest, plan, methods, out)


def read_logs(files: LogFiles, jobs: int = 1, backend: str = "loky") -> dict[str, EventLog]:
    """All logs, read by as many processes as will compute: so the work starts early, and with processes that are warm."""
    calls = ((files, name) for name in files.names)
    found = dict(_in_processes(_read_one, calls, min(jobs, len(files.names)), backend))
    return {name: found[name] for name in files.names}


def _read_one(files: LogFiles, name: str) -> tuple[str, EventLog]:
    """A log without case ids and timestamps, which the benchmark does not need and which would travel with every cell."""
    log = files(name)
    return name, EventLog(log.activities, log.codes, log.offsets, [""] * log.n_cases)


def _in_processes(
    function: Callable[..., _Result], calls: Iterable[tuple[Any, ...]], jobs: int, backend: str
) -> Iterator[_Result]:
    """The results of some calls, as they come, each computed with one thread: idle threads of a small product only wait."""
    if jobs == 1:
        for arguments in calls:
            yield _with_one_thread(function, *arguments)
        return
    from joblib import Parallel, delayed, parallel_config
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    tasks = (delayed(_with_one_thread)(function, *arguments) for arguments in calls)
    try:
        with parallel_config(backend=backend, n_jobs=jobs):
            options = {"batch_size": 1, "pre_dispatch": "2*n_jobs"}
            try:
                parallel = Parallel(return_as="generator_unordered", **options)
            except ValueError:  # a backend that gives its results only at the end
                parallel = Parallel(**options)
            yield from parallel(tasks)
    except TerminatedWorkerError:
        raise ActalikeError(
            "A process of the benchmark was ended from outside: for want of memory, or by a method that ends its process. "
            "What is finished is kept; the same command goes on, with fewer --jobs or without that method."
        ) from None


def check_backend(backend: str) -> None:
    """Refuse what joblib does not know."""
    from joblib import parallel_config

    try:
        with parallel_config(backend=backend):
            pass
    except (ValueError, ImportError) as error:
        raise ActalikeError(f"--backend {backend!r} cannot be used: {error}.") from None


def _with_one_thread(function: Callable[..., _Result], *arguments: Any) -> _Result:
    with threadpool_limits(1):  # looked up anew each time, unlike threads.one_thread: a method may have loaded its own libraries
        return function(*arguments)
