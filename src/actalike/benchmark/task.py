"""What a benchmark is: a task says what is asked of whom, and how answers are judged. All the rest is written once.

A task is a class with a handful of attributes and methods, most of which have a default; ``docs/extending.md`` has one from
beginning to end. The runner asks for the units of work, makes each draw of a unit once for all participants of a batch, has the
participants evaluated, and writes what came of it. How the figures of many units become tables is said by :class:`Results`.
"""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import msgspec
import polars as pl

from actalike.benchmark import results
from actalike.benchmark.folders import ResultFolder, parameters_of, unsound, violation
from actalike.benchmark.logs import LogFiles
from actalike.benchmark.participants import METHODS, Participants
from actalike.benchmark.record import Outcome, Progress, Warn
from actalike.benchmark.results import Column
from actalike.datasets import PaperLog
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods import missing_extra
from actalike.version import __version__

FORMAT = 3  # of folders of results: raise it when what the files hold changes


@dataclass(frozen=True)
class NoOptions:
    """The options of a task that has none."""


def option(
    default: Any,
    help: str,
    *,
    plan: bool = False,
    least: float | None = None,
    metavar: str | None = None,
) -> Any:
    """Declare an option of a task: a field of a frozen dataclass, a keyword of ``benchmark.run``, and a flag of the command.

    ``plan`` says that all results of a folder have it in common, ``least`` is the least value. The type says how the flag looks:
    ``bool`` is a switch, ``Literal`` a choice, ``Sequence[int]`` numbers such as 1-10 or 1,3, ``Sequence[str]`` takes
    several values.
    """
    return field(default=default, metadata={"help": help, "plan": plan, "least": least, "metavar": metavar})


class Source(NamedTuple):
    """What is judged on: a log (or a pair of logs) as the task has read it, with its digest."""

    name: str
    data: Any
    digest: str


@dataclass(frozen=True)
class Unit:
    """A piece of work: one question about one log, asked of all participants.

    ``name`` is its folder below that of the log, ``at`` its values in the columns of tables (``{"r": 3, "w": 2}``), ``draws`` how
    often it is asked with other random numbers.
    """

    log: str
    name: str
    at: Mapping[str, Any]
    draws: int = 1


class Batch(NamedTuple):
    """The participants that are evaluated together on a unit, and share a file."""

    unit: Unit
    name: str
    participants: tuple[str, ...]

    def file(self, out: Path) -> Path:
        """Return where the results are."""
        return out / self.unit.log / self.unit.name / f"{self.name}.json"


class Work(NamedTuple):
    """All that a run has made ready: what is asked of whom, on what, where it goes, and how it is computed."""

    out: Path
    participants: Mapping[str, Any]
    sources: Mapping[str, Source]
    batches: Sequence[Batch]
    jobs: int | None
    retry_failed: bool
    progress: Progress


class Failed(Exception):
    """Say in the words of a task why a participant has no result; ``facts`` are kept beside."""

    def __init__(self, error: str, **facts: Any) -> None:
        super().__init__(error)
        self.facts = facts


class Task:
    """A benchmark. A child sets the attributes that have no value here, and defines ``units``, ``problem`` and ``evaluate``.

    The docstring of a child is the help of its command.
    """

    name: ClassVar[str]  # of its command, and in the description of a folder of results
    title: ClassVar[str]  # over its columns on the benchmark page
    metrics: ClassVar[Mapping[str, Any]]  # the figures of a draw, with their types in frames
    has_own_metrics: ClassVar[bool] = False  # whether participants may have figures besides, which are numbers
    details: ClassVar[Sequence[str]] = ()  # the names of what ``result`` returns beside figures
    columns: ClassVar[Sequence[Column]]  # of the tables and of the benchmark page
    Options: ClassVar[type] = NoOptions
    Results: ClassVar[type[results.Results]] = results.Results
    participants: ClassVar[Participants] = METHODS  # who can take part
    participants_help: ClassVar[str] = "Methods, e.g. 'aa-*' act2vec-cbow-w3. [those that count]"
    default_participants: ClassVar[Sequence[str] | None] = None  # names or wildcards; None: all that the kind takes by itself
    unit_columns: ClassVar[Mapping[str, Any]] = {}  # the columns that units have in frames, with their types
    parallel: ClassVar[bool] = True  # False: one at a time, because work side by side would be measured
    default_jobs: ClassVar[int | None] = 1  # None: the task chooses the number of processes itself
    jobs_help: ClassVar[str] = "Processes at a time."
    can_be_split: ClassVar[bool] = True  # whether the work can be divided into shards
    format: ClassVar[int] = FORMAT  # of its folders
    needs_logs: ClassVar[bool] = True  # False: it may make logs of its own
    verb: ClassVar[str] = "computed"  # what the command says that it has done

    def __init__(self, options: Any = None) -> None:
        self.options = self.Options() if options is None else options

    # --- what is asked ---------------------------------------------------------------------------------------------------

    def check(self, logs: Sequence[str], jobs: int | None) -> None:
        """Reject options that do not fit together, or not to logs of these names, before anything is read or written."""

    def choose(self, patterns: Sequence[str] | None, warn: Warn) -> dict[str, Any]:
        """Return those who take part, by name: what names and wildcards stand for, or all that do so by themselves."""
        return dict(self.participants.choose(patterns or self.default_participants, self.why_not, warn))

    def takes_log(self, entry: PaperLog) -> bool:
        """Return whether a log of the paper takes part, if a folder has logs of the paper."""
        return entry.intrinsic

    def why_not(self, participant: Any) -> str | None:
        """Return why a participant cannot take part, if it cannot."""
        return missing_extra(participant)

    def read(self, files: LogFiles, name: str) -> Any:
        """Read a log, as it travels to all processes: by default without case ids and timestamps."""
        log = files(name)
        return EventLog(log.activities, log.codes, log.offsets, [""] * log.n_cases, reading=log.reading)

    def log_of(self, data: Any) -> EventLog:
        """Return the log in what ``read`` returned."""
        log: EventLog = data
        return log

    def sources(self, read: Mapping[str, Any], warn: Warn) -> dict[str, Any]:
        """Return what is judged on, by name: by default each log."""
        return dict(read)

    def digest_of(self, data: Any) -> str:
        """Return what distinguishes sources of the same name."""
        return self.log_of(data).digest

    def facts_of(self, data: Any) -> dict[str, Any]:
        """Return what a folder notes of a source: numbers of cases, events, activities and variants at least."""
        log = self.log_of(data)
        return {"activities": len(log.activities), **log.statistics()}

    def units(self, sources: Mapping[str, Source]) -> Iterable[Unit]:
        """Yield the units of all sources, in the order in which they are computed."""
        for log in sources:
            yield Unit(log, "whole", {})

    def takes(self, name: str, participant: Any, unit: Unit) -> bool:
        """Return whether a participant is asked on a unit."""
        return True

    def asked(self, unit: Unit, participants: Mapping[str, Any]) -> list[str]:
        """Return the names of those who are asked on a unit."""
        return [name for name, one in participants.items() if self.takes(name, one, unit)]

    def request(self, asked: Mapping[tuple[str, str], Sequence[str]], participants: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is to be computed, as a folder notes it, given who is asked by log and unit: the same for all shards."""
        return request_of(asked)

    def nothing_to_do(self) -> str:
        """Return the sentence for logs that have no unit."""
        return "There is nothing to do: no log has what is asked for."

    # --- how it is judged ------------------------------------------------------------------------------------------------

    def batch(self, name: str, participant: Any) -> str:
        """Return the name of the participants that are evaluated together, and share a file: by default each alone.

        Batches are what processes work on side by side. No participant can have a name that begins with an underscore.
        """
        return name

    def draws(self, unit: Unit, participant: Any) -> int:
        """Return how often a participant is asked: those that are slow may be asked less often."""
        return unit.draws

    def problem(self, source: Source, unit: Unit, draw: int, participants: Mapping[str, Any]) -> Any:
        """Make a draw of a unit, once for all participants of a batch: windows are counted here, not by each of them."""
        return source.data

    def evaluate(self, participant: Any, problem: Any) -> Any:
        """Return the figures of a participant (a fresh copy) on a draw, by metric; whatever it raises is its result."""
        raise NotImplementedError

    def result(self, outcomes: Sequence[Any]) -> dict[str, Any]:
        """Return what is kept of all draws: ``figures`` of each, and whatever else of JSON the tables need."""
        return {"figures": list(outcomes)}

    def notes(self, source: Source, unit: Unit) -> dict[str, Any]:
        """Return what a file says of its unit besides: what was drawn, say."""
        return {}

    def described(self, participant: Any) -> dict[str, Any]:
        """Return what a file says of a participant."""
        return {"version": __version__, "parameters": parameters_of(participant)}

    # --- work that is done elsewhere -------------------------------------------------------------------------------------

    works_elsewhere: ClassVar[bool] = False  # whether ``prepare`` and ``collect`` take the place of ``problem`` and ``evaluate``

    def prepare(self, work: Work) -> None:
        """Write what is needed to do the work: another machine may do it."""

    def collect(self, work: Work, outcome: Outcome) -> Outcome:
        """Do the work if it is to be done here, and return what was done; ``outcome`` has what is known already."""
        return outcome

    # --- folders ---------------------------------------------------------------------------------------------------------

    def plan(self) -> dict[str, Any]:
        """Return what all results of a folder have in common."""
        return {name: getattr(self.options, name) for name in plan_names(self.Options)}

    @classmethod
    def of_folder(cls, folder: ResultFolder) -> "Task":
        """Return the task as a folder of results describes it."""
        check_format(folder, cls.format)
        described = {name: folder.description[name] for name in plan_names(cls.Options) if name in folder.description}
        missing = [name for name in plan_names(cls.Options) if name not in described]
        if missing:
            raise unsound(folder.plan_file, f"Object missing required field `{missing[0]}`")
        if problem := violation(described, cls.Options):
            raise unsound(folder.plan_file, problem)
        return cls(msgspec.convert(described, cls.Options))


def request_of(asked: Mapping[tuple[str, str], Sequence[str]]) -> dict[str, Any]:
    """Return what is to be computed, as a folder notes it: the same for all shards of a run.

    >>> request_of({("orders", "r01-w2"): ["b", "a"], ("orders", "r02-w2"): ["a", "b"]})
    {'asked': [{'participants': ['a', 'b'], 'units': {'orders': ['r01-w2', 'r02-w2']}}]}
    """
    together: dict[tuple[str, ...], dict[str, list[str]]] = {}
    for (log, unit), names in sorted(asked.items()):
        if names:
            together.setdefault(tuple(sorted(names)), {}).setdefault(log, []).append(unit)
    return {"asked": [{"participants": list(names), "units": units} for names, units in sorted(together.items())]}


def plan_names(options: type) -> list[str]:
    """Return the options that all results of a folder have in common."""
    return [one.name for one in dataclasses.fields(options) if one.metadata["plan"]]


def check_format(folder: ResultFolder, expected: int = FORMAT) -> None:
    """Reject a folder of another version."""
    if folder.description.get("format") != expected:
        raise ActalikeError(
            f"{folder.path} holds results in format {folder.description.get('format')} of another version, and this one reads "
            f"format {expected}: run 'actalike benchmark {folder.benchmark}' again into another folder."
        )


def shares(*names: str) -> dict[str, Any]:
    """Return metrics that are numbers.

    >>> shares("precision", "recall")
    {'precision': Float64, 'recall': Float64}
    """
    return dict.fromkeys(names, pl.Float64)
