"""The benchmark of change points: is it found after which case a process changed, and is nothing found where nothing changed?

Changes are planted in real logs, whose cases are first put in an order by chance, so that nothing changes by itself. The public
logs of Adams, Pitsch, Brockhoff and van der Aalst ("An Experimental Evaluation of Process Concept Drift Detection", PVLDB 16(8),
2023) have known changes; they are recognised by their names.

Who takes part is in ``change_detectors``.
"""

import fnmatch
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.benchmark.logs import LogFiles
from actalike.benchmark.record import Warn
from actalike.benchmark.results import Column, Results
from actalike.benchmark.seeded_generator import seed_of
from actalike.benchmark.tables import layout
from actalike.benchmark.task import Source, Task, Unit, option, shares
from actalike.benchmark.tasks.change_detectors import CHANGE_DETECTORS, ChangeDetector, checked_changes
from actalike.datasets import PaperLog
from actalike.errors import ActalikeError
from actalike.log import EventLog, case_beginnings

Traces = list[list[str]]
LAGS = (50, 100, 200)  # cases by which a detection of a known change may be off
SHARE = 0.05  # of the cases, by which a detection of a planted change may be off
MOST_CASES = 2000  # of a log in which changes are planted: some are drawn
FEWEST_CASES = 50
FREQUENT = 0.1  # of the cases have what changes
CHOSEN_ON = ("BPIC12", "BPIC15", "Helpdesk")  # begin the names of the logs on which the settings of change_points were chosen
KINDS = ("left-out", "swapped", "renamed", "more-frequent", "inserted")
THREE, SHUFFLED = "planted-three", "shuffled"
PLANTED = (*(f"planted-{kind}{end}" for kind in KINDS for end in ("", "-gradual")), THREE)
RUNNING = tuple(f"running-{kind}" for kind in KINDS if kind != "more-frequent")  # which changes whole cases
KNOWN = ("known-atomic", "known-composed", "known-two")
TASKS = (*PLANTED, *RUNNING, SHUFFLED, *KNOWN)
PUBLISHED = {
    "RINV": 0.864,
    "EMD": 0.833,
    "J-Measure": 0.790,
    "PGM": 0.765,
    "ADWIN J": 0.750,
    "Window Count": 0.743,
    "LCDD": 0.674,
}  # F1 at lag 200, each with its best settings

# --- the columns of the tables ------------------------------------------------------------------------------------------------

OF_OTHERS = "Planted changes, logs on which nothing was chosen (within 5 % of the cases)"
OF_CHOSEN = "Planted changes, logs on which settings were chosen (within 5 % of the cases)"
MOMENTS = "Changes planted at a moment, of running cases too (within 5 % of the cases)"
PUBLIC = "Public logs with known changes"
NOTHING = "Logs without a change"
_ENDS = ("share", *map(str, LAGS))  # of the names of figures: which detections are right
_TOGETHER = {  # the tables of all changes together: their tasks, whether of logs that were chosen on, and what is right
    OF_OTHERS: (PLANTED, False, ("share",)),
    OF_CHOSEN: (PLANTED, True, ("share",)),
    MOMENTS: (RUNNING, False, ("share",)),
    PUBLIC: (KNOWN, False, ("200", "100", "50")),
}


def _planted(name: str, part: str, tasks: Sequence[str], figure: str, about: str, on_page: bool = False) -> Column:
    units = {"task": tasks, "chosen": (part == OF_CHOSEN,)}
    return Column(name, f"{figure}_share", about, part, units, on_page=on_page)


COLUMNS: tuple[Column, ...] = (
    _planted("planted_f1", OF_OTHERS, PLANTED, "f1", "F1 of planted changes", on_page=True),
    _planted("planted_precision", OF_OTHERS, PLANTED, "precision", "share of right ones among the detections"),
    _planted("planted_recall", OF_OTHERS, PLANTED, "recall", "share of the planted changes that are found"),
    _planted("sudden_f1", OF_OTHERS, [f"planted-{kind}" for kind in KINDS], "f1", "F1 of one change, from one case to the next"),
    _planted("gradual_f1", OF_OTHERS, ["planted-*-gradual"], "f1", "F1 of one change over 10 % of the cases"),
    _planted("three_f1", OF_OTHERS, [THREE], "f1", "F1 of three changes in a log"),
    *(
        _planted(f"{kind.replace('-', '_')}_f1", OF_OTHERS, [f"planted-{kind}*"], "f1", f"F1 of planted changes: {kind}")
        for kind in KINDS
    ),
    _planted("chosen_f1", OF_CHOSEN, PLANTED, "f1", "F1 of planted changes"),
    Column("running_f1", "f1_share", "F1", MOMENTS, {"task": RUNNING, "chosen": (False,)}, on_page=False),
    Column(
        "running_chosen_f1",
        "f1_share",
        "F1, logs on which settings were chosen",
        MOMENTS,
        {"task": RUNNING, "chosen": (True,)},
        on_page=False,
    ),
    *(
        Column(f"{figure}_{lag}", f"{figure}_{lag}", f"{about}, within {lag} cases", PUBLIC, {"task": KNOWN}, on_page=lag == 200)
        for lag in reversed(LAGS)
        for figure, about in (("f1", "F1"), ("precision", "share of right detections"), ("recall", "share of changes found"))
    ),
    *(
        Column(f"{task[6:]}_f1_50", "f1_50", f"F1 within 50 cases, logs of {what}", PUBLIC, {"task": (task,)}, on_page=False)
        for task, what in zip(KNOWN, ("one simple change", "several simple changes in one", "two changes"), strict=True)
    ),
    Column(
        "alarms", "alarm", "share of orders by chance in which a change is found", NOTHING, {"task": (SHUFFLED,)}, ranked=False
    ),
)


# --- what is asked, and how it is judged --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ChangeOptions:
    """What is planted, and how often."""

    tasks: Sequence[str] | None = option(None, "E.g. 'planted-*' shuffled 'known-*'. [all]", metavar="PATTERN...")
    draws: int = option(2, "How often each change is planted in each log.", plan=True, least=1)
    orders: int = option(10, "Orders by chance of each log without a change.", plan=True, least=1)
    seed: int = option(0, "What the draws depend on.", plan=True)

    def __post_init__(self) -> None:
        """Reject patterns that no task has."""
        for pattern in self.tasks or ():
            if not fnmatch.filter(TASKS, pattern):
                raise ActalikeError(f"No task is called {pattern!r}. There are {', '.join(TASKS)}.")


class ChangeResults(Results):
    """Means over the draws, tasks and logs; and precision, recall and F1 of all changes of all logs together."""

    def rows_of_part(self, part: str, rows: pl.DataFrame, columns: list[str], *, by_log: bool) -> pl.DataFrame:
        """Return the rows with the number of logs in this part, and published figures of the public logs."""
        if by_log:
            return rows
        rows = self.with_logs_of_part(rows, columns)
        if part != PUBLIC:
            return rows
        logs = int(rows["logs"].to_numpy().max())
        published = [{"method": f"{name}, published", "logs": logs, "f1_200": f1} for name, f1 in PUBLISHED.items()]
        return pl.concat([rows.cast({"logs": pl.Int64}), pl.DataFrame(published)], how="diagonal")

    def beside_part(self, part: str, form: str, *, by_log: bool) -> list[str]:
        """Return the figures of all changes of all logs together, which logs with several changes weigh more in."""
        tasks, chosen, ends = _TOGETHER.get(part, ((), False, ()))
        some = self.singles.filter(pl.col("task").is_in(tasks), pl.col("chosen") == chosen, pl.col("true").is_not_null())
        tables = []
        for end in () if by_log or not some.height else ends:
            within = "5 % of the cases" if end == "share" else f"{end} cases"
            head = ["method", "changes", "detections", "precision", "recall", "F1", "mean distance"]
            tables.append(f"All changes together, within {within}:\n\n{layout(head, _together(some, end), form)}")
        return tables


def _together(singles: pl.DataFrame, end: str) -> list[list[str]]:
    rows = []
    sums = singles.group_by("method").agg(pl.col("true", "found", f"hits_{end}", f"off_{end}").sum()).sort("method")
    for method, true, found, n_hits, off in sums.iter_rows():
        shown = ["-" if one is None else f"{one:.3f}" for one in _shares(n_hits, found, true).values()]
        rows.append([method, f"{true:,.0f}", f"{found:,.0f}", *shown, f"{off / n_hits:.1f}" if n_hits else "-"])
    return rows


class Problem(NamedTuple):
    """A log whose cases are in order, and the last case before each change."""

    log: EventLog
    true: list[int]


class ChangePoints(Task):
    """Run the benchmark of change points: plant changes in logs, and see who finds when.

    The cases of a log are put in an order by chance. From a case on, an activity is left out, swapped with the next one, renamed,
    more frequent, or followed by another; at once, or over 10 % of the cases; or three of these. In the tasks called running, the
    cases keep their durations, and all events from a moment on are changed. The tasks called known are for public logs with known
    changes (ceravolo_..., ostovar_...), and shuffled is for false alarms.

    Stop it at any time; the same command continues where it stopped. Then: actalike benchmark table DIR

    Examples:

    actalike benchmark change_points --logs event_logs/ --tasks 'planted-*' --out results --jobs 2

    actalike benchmark change_points --logs drift_logs/ --methods change-points 'rinv-*' --out results
    """

    name = "change_points"
    title = "Change points"
    metrics: ClassVar[Mapping[str, Any]] = shares(
        *("true", "found", "alarm"),
        *(f"{name}_{end}" for end in _ENDS for name in ("f1", "precision", "recall", "hits", "off")),
    )
    columns = COLUMNS
    unit_columns: ClassVar[Mapping[str, Any]] = {"task": pl.String, "chosen": pl.Boolean}
    Options = ChangeOptions
    Results = ChangeResults
    participants = CHANGE_DETECTORS
    participants_help = "Change detectors, e.g. change-points 'rinv-*'. [all but rinv-*]"

    def choose(self, patterns: Sequence[str] | None, warn: Warn) -> dict[str, Any]:
        """Return those who take part: without names all, also those of plugins, but not the nine settings of RINV."""
        names = patterns or [name for name in CHANGE_DETECTORS.names() if not name.startswith("rinv-")]
        return super().choose(names, warn)

    def takes_log(self, entry: PaperLog) -> bool:
        """Return whether a log of the paper takes part: those that are not tiny."""
        return True

    def read(self, files: LogFiles, name: str) -> EventLog:
        """Read a log with its timestamps, and put its cases in the order of their first events."""
        log = files(name)
        bare = EventLog(log.activities, log.codes, log.offsets, [""] * log.n_cases, log.timestamps, reading=log.reading)
        return in_order_of_start(bare)

    def units(self, sources: Mapping[str, Source]) -> Iterable[Unit]:
        """Yield the tasks of each log: public ones with known changes, any other with planted changes or none."""
        patterns = self.options.tasks or TASKS
        for name, source in sources.items():
            is_wanted = {task for pattern in patterns for task in fnmatch.filter(TASKS, pattern)}
            at = {"chosen": name.startswith(CHOSEN_ON)}
            known = known_changes(name, source.data.n_cases)
            tasks = [known[0]] if known else [*PLANTED, *RUNNING, SHUFFLED] if source.data.n_cases >= FEWEST_CASES else []
            if np.isnat(case_beginnings(source.data)).any():
                tasks = [task for task in tasks if task not in RUNNING]
            for task in tasks:
                draws = {SHUFFLED: self.options.orders}.get(task, 1 if known else self.options.draws)
                if task in is_wanted:
                    yield Unit(name, task, {"task": task, **at}, draws)

    def nothing_to_do(self) -> str:
        """Return the sentence for logs without any unit."""
        return (
            f"There is nothing to do: no log has {FEWEST_CASES} cases or known changes, as these tasks need. Choose other logs "
            "or tasks."
        )

    def problem(self, source: Source, unit: Unit, draw: int, participants: Mapping[str, Any]) -> Problem:
        """Plant changes, or shuffle; a public log stays as it is."""
        if known := known_changes(source.name, source.data.n_cases):
            return Problem(source.data, known[1])
        rng = np.random.default_rng(seed_of("change_points", source.digest, unit.name, self.options.seed, draw))
        every = source.data.traces()
        if unit.name == SHUFFLED:
            return Problem(EventLog.from_traces([every[i] for i in rng.permutation(len(every))]), [])
        some = rng.choice(len(every), min(MOST_CASES, len(every)), replace=False)
        if unit.name in RUNNING:
            return plant_at_moment(source.data, some, unit.name.removeprefix("running-"), rng)
        kinds = [kind for kind in KINDS if unit.name.startswith(f"planted-{kind}")]
        kinds = kinds or rng.choice(KINDS, 3, replace=False).tolist()
        traces, true = plant([every[i] for i in some], kinds, unit.name.endswith("-gradual"), rng)
        return Problem(EventLog.from_traces(traces), true)

    def evaluate(self, participant: ChangeDetector, problem: Problem) -> dict[str, float | None]:
        """Return the figures of what a detector finds."""
        found = checked_changes(participant.fit(problem.log).changes_, problem.log.n_cases)
        return figures(found, problem.true, problem.log.n_cases)


TASK = ChangePoints


def figures(found: Sequence[int], true: Sequence[int], n_cases: int) -> dict[str, float | None]:
    """Return precision, recall and F1 within each lag; without a true change, whether there was a false alarm.

    >>> some = figures([120, 700], true=[100], n_cases=1000)
    >>> some["precision_50"], some["recall_50"], round(some["f1_50"], 3), some["off_50"]
    (0.5, 1.0, 0.667, 20)
    """
    if not true:
        return {"alarm": float(len(found) > 0)}
    result: dict[str, float | None] = {"true": len(true), "found": len(found)}
    for end in _ENDS:
        distances = hits(found, true, SHARE * n_cases if end == "share" else int(end))
        shares_here = _shares(len(distances), len(found), len(true))
        result |= {f"{name}_{end}": value for name, value in shares_here.items()}
        result |= {f"hits_{end}": len(distances), f"off_{end}": sum(distances)}
    return result


def hits(found: Sequence[int], true: Sequence[int], lag: float) -> list[int]:
    """Return how far detections are from the changes that they find: the nearest first, each change and detection once.

    >>> hits([90, 100, 400], [98, 300], lag=50)
    [2]
    """
    pairs = sorted((abs(a - b), i, j) for i, a in enumerate(found) for j, b in enumerate(true) if abs(a - b) <= lag)
    used_found: set[int] = set()
    used_true: set[int] = set()
    distances = []
    for distance, i, j in pairs:
        if i not in used_found and j not in used_true:
            used_found.add(i)
            used_true.add(j)
            distances.append(distance)
    return distances


def _shares(n_hits: float, n_found: float, n_true: float) -> dict[str, float | None]:
    precision = n_hits / n_found if n_found else None
    return {"precision": precision, "recall": n_hits / n_true, "f1": 2 * n_hits / (n_found + n_true)}


# --- logs with changes --------------------------------------------------------------------------------------------------------


def in_order_of_start(log: EventLog) -> EventLog:
    """Return the log with its cases in the order of their first timestamps; those without any last, as they were."""
    order = np.argsort(case_beginnings(log), kind="stable")
    lengths = log.lengths[order]
    offsets = np.append(0, np.cumsum(lengths))
    events = np.repeat(log.offsets[:-1][order] - offsets[:-1], lengths) + np.arange(log.n_events)
    times = None if log.timestamps is None else log.timestamps[events]
    case_ids = [log.case_ids[i] for i in order.tolist()]
    return EventLog(log.activities, log.codes[events], offsets, case_ids, times, reading=log.reading)


def known_changes(name: str, n_cases: int) -> tuple[str, list[int]] | None:
    """Return the task of a public log with known changes, and the last case before each; None for any other log.

    >>> known_changes("ceravolo_noise0_1000_IOR", 1000), known_changes("Helpdesk", 1000)
    (('known-composed', [499]), None)
    """
    if name.startswith("ostovar_"):
        return "known-two", [999, 1999]
    if name.startswith("ceravolo_"):
        return "known-composed" if name.rsplit("_", 1)[1].isupper() else "known-atomic", [n_cases // 2 - 1]
    return None


def plant(traces: Traces, kinds: Sequence[str], gradual: bool, rng: np.random.Generator) -> tuple[Traces, list[int]]:
    """Return traces in an order by chance with changes, and the last case before each: the middle of gradual ones.

    A kind of change for which a log has nothing is left out.
    """
    n = len(traces)
    traces = [traces[i] for i in rng.permutation(n)]
    places = np.sort(rng.integers(int(0.2 * n), int(0.8 * n), len(kinds)))
    while len(kinds) > 1 and np.diff(places).min() < 0.15 * n:
        places = np.sort(rng.integers(int(0.2 * n), int(0.8 * n), len(kinds)))
    found, true = list(traces), []
    for kind, place in zip(kinds, places.tolist(), strict=True):
        if change := _planted_change(traces, kind, rng):
            chances = np.clip((np.arange(n) - place) / (0.1 * n) + 0.5, 0, 1) if gradual else np.arange(n) >= place
            is_new = rng.random(n) < chances
            found = [change(trace) if new else trace for trace, new in zip(found, is_new, strict=True)]
            true.append(place - 1)
    return found, true


def plant_at_moment(log: EventLog, cases: NDArray[np.int64], kind: str, rng: np.random.Generator) -> Problem:
    """Return some cases of a log in an order by chance, with a change of all events from a moment on.

    Each case keeps the times between its events, and begins when another case of the log did.
    """
    begins = case_beginnings(log)
    starts = np.sort(begins[cases])
    moment = starts[int(rng.integers(int(0.2 * len(cases)), int(0.8 * len(cases))))]
    every = log.traces()
    change = _planted_change([every[case] for case in cases.tolist()], kind, rng)
    if change is None or log.timestamps is None:
        return Problem(EventLog.from_traces([every[case] for case in cases.tolist()]), [])
    traces, times = [], []
    for case, start in zip(cases.tolist(), starts, strict=True):
        own = log.timestamps[log.offsets[case] : log.offsets[case + 1]] + (start - begins[case])
        first = int(np.searchsorted(own, moment))
        changed = change(every[case][first:]) if first < len(own) else []
        traces.append(every[case][:first] + changed)
        times += [own[:first], own[np.minimum(np.arange(first, first + len(changed)), len(own) - 1)]]
    bare = EventLog.from_traces(traces)
    planted = EventLog(bare.activities, bare.codes, bare.offsets, bare.case_ids, np.concatenate(times))
    return Problem(planted, [int(np.searchsorted(starts, moment)) - 1])


def _planted_change(traces: Traces, kind: str, rng: np.random.Generator) -> Callable[[list[str]], list[str]] | None:
    """Return a function that changes a trace; None if the log has nothing that is frequent enough."""
    n = len(traces)
    use = Counter(label for trace in traces for label in set(trace))
    most = 0.45 * n if kind == "more-frequent" else n
    frequent: list[Any] = sorted(label for label, cases in use.items() if FREQUENT * n <= cases <= most)
    if kind == "swapped":
        pairs = Counter(pair for trace in traces for pair in set(itertools.pairwise(trace)) if pair[0] != pair[1])
        frequent = sorted(pair for pair, cases in pairs.items() if cases >= FREQUENT * n)
    if not frequent:
        return None
    chosen, other = frequent[rng.integers(len(frequent))], sorted(use)[rng.integers(len(use))]
    having = [trace for trace in traces if chosen in trace]

    def left_out(trace: list[str]) -> list[str]:
        return [label for label in trace if label != chosen] or trace if rng.random() < 0.5 else trace

    def swapped(trace: list[str]) -> list[str]:
        changed, place = list(trace), 0
        while place + 1 < len(changed):
            if (changed[place], changed[place + 1]) == chosen:
                changed[place : place + 2] = chosen[::-1]
                place += 1
            place += 1
        return changed

    def renamed(trace: list[str]) -> list[str]:
        return [f"{label} (new)" if label == chosen else label for label in trace]

    def more_frequent(trace: list[str]) -> list[str]:
        share = len(having) / n
        return trace if chosen in trace or rng.random() >= share / (1 - share) else having[rng.integers(len(having))]

    def inserted(trace: list[str]) -> list[str]:
        return [label for step in trace for label in ([step, other] if step == chosen else [step])]

    return dict(zip(KINDS, (left_out, swapped, renamed, more_frequent, inserted), strict=True))[kind]
