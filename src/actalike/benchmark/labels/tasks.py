"""The tasks of the benchmark: recipes that are planted, the log as it is, natural synonyms, and expert classes."""

import fnmatch
from collections.abc import Sequence
from dataclasses import dataclass

from actalike.benchmark.logs import LogFiles
from actalike.benchmark.tasks.known_labels import CLASSES, NAME_ATTRIBUTE, Synonyms, class_names, natural_synonyms, subprocess_of
from actalike.benchmark.tasks.planted_labels import RECIPES, eligible_labels, recipe
from actalike.errors import ActalikeError, LogError, did_you_mean
from actalike.log import EventLog

UNPLANTED = "unplanted"  # what is proposed where nothing is planted
NATURAL = "natural"
CLASS_TASKS = {f"classes-{kind}": kind for kind in CLASSES}
TASKS = (*RECIPES, UNPLANTED, NATURAL, *CLASS_TASKS)


@dataclass(frozen=True)
class Prepared:
    """Hold a log as the tasks need it: with timestamps, with the attributes that say who did it, and its natural synonyms.

    The English names of natural synonyms are taken out of the log, because they are the answer.
    """

    log: EventLog
    synonyms: Synonyms | None = None

    @classmethod
    def of_file(cls, files: LogFiles, name: str) -> "Prepared":
        """Read a log and what the tasks need of it."""
        log = files(name, "people")
        return cls(_without_case_ids(log), _synonyms(files, name, log))


def _without_case_ids(log: EventLog) -> EventLog:
    """Return the log without case ids, which would travel with every cell for nothing."""
    return EventLog(
        log.activities, log.codes, log.offsets, [""] * log.n_cases, log.timestamps, log.reading, attributes=log.attributes
    )


def _synonyms(files: LogFiles, name: str, log: EventLog) -> Synonyms | None:
    if not any(subprocess_of(label) for label in log.activities):  # only BPIC15 has codes, and English names for them
        return None
    try:
        return natural_synonyms(files(name, [NAME_ATTRIBUTE]))
    except LogError:
        return None


def find_tasks(patterns: Sequence[str] | None) -> list[str]:
    """Return the tasks that some names and wildcards stand for; without any, all that are listed.

    >>> find_tasks(["classes-*", "syn-case-2", "swiftmend-40-30"])[-3:]
    ['classes-verb', 'syn-case-2', 'swiftmend-40-30']
    """
    tasks: dict[str, None] = dict.fromkeys(TASKS if patterns is None else ())
    for pattern in patterns or ():
        matches = fnmatch.filter(TASKS, pattern) if any(sign in pattern for sign in "*?[") else [pattern]
        if not matches:
            raise ActalikeError(f"No task matches {pattern!r}. There are {', '.join(TASKS)}.")
        tasks |= dict.fromkeys(matches)
    for task in tasks:
        if task not in TASKS:
            _check_recipe(task)
    return list(tasks)


def _check_recipe(name: str) -> None:
    try:
        recipe(name)
    except ActalikeError as error:
        if suggestion := did_you_mean(name, TASKS):
            raise ActalikeError(f"No task is called {name!r}.{suggestion}") from None
        raise error from None


def is_planted(task: str) -> bool:
    """Return whether a task is a recipe, which is planted several times."""
    return task not in (UNPLANTED, NATURAL) and task not in CLASS_TASKS


def takes_place(task: str, prepared: Prepared) -> bool:
    """Return whether a log has what a task needs."""
    if is_planted(task):
        return len(eligible_labels(prepared.log, recipe(task))) > 0
    if task == NATURAL:
        return prepared.synonyms is not None
    return task == UNPLANTED or CLASS_TASKS[task] in class_names(prepared.log.activities)
