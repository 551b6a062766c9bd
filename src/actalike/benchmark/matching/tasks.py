"""The tasks of the benchmark: how much is known beforehand, and what is planted into halves of a log."""

import fnmatch
from collections.abc import Sequence
from typing import NamedTuple

from actalike.benchmark.matching.log_pairs import CASES, Kind
from actalike.errors import ActalikeError, did_you_mean


class Task(NamedTuple):
    """Say what is done to a pair of logs before it is matched; all shares are of the true pairs."""

    known: float = 0.0  # share of the pairs that are told beforehand, drawn at random
    frequent: bool = False  # the most frequent ones are told instead
    split: float = 0.0  # share of the labels of B that get two names, by case
    deleted: float = 0.0  # share of the labels of A that are deleted from B, with their events


NOTHING_KNOWN = "known-0"
_KNOWN = {f"known-{percent}": Task(known=percent / 100) for percent in (0, 5, 10, 20)}
_FREQUENT = {f"frequent-{percent}": Task(known=percent / 100, frequent=True) for percent in (5, 10, 20)}
_PLANTED = {
    **{f"renamed-{percent}": Task(known=1 - percent / 100) for percent in (50, 30, 10)},
    "split": Task(split=0.1),
    "split-known-70": Task(split=0.1, known=0.7),
    "deleted-10": Task(deleted=0.1),
    "deleted-30": Task(deleted=0.3),
}
TASKS: dict[str, Task] = {**_KNOWN, **_FREQUENT, **_PLANTED}


def find_tasks(patterns: Sequence[str] | None) -> list[str]:
    """Return the tasks that some names and wildcards stand for; without any, all.

    >>> find_tasks(["known-0", "deleted-*"])
    ['known-0', 'deleted-10', 'deleted-30']
    """
    tasks: dict[str, None] = dict.fromkeys(TASKS if patterns is None else ())
    for pattern in patterns or ():
        matches = fnmatch.filter(TASKS, pattern)
        if not matches:
            raise ActalikeError(f"No task is called {pattern!r}.{did_you_mean(pattern, TASKS)} There are {', '.join(TASKS)}.")
        tasks |= dict.fromkeys(matches)
    return list(tasks)


def takes_place(task: str, kind: Kind) -> bool:
    """Return whether a task is done with pairs of a kind: halves by cases are planted, others get known pairs.

    >>> takes_place("deleted-10", "cases"), takes_place("deleted-10", "time"), takes_place("known-0", "cases")
    (True, False, True)
    """
    return task == NOTHING_KNOWN or (task in _PLANTED) == (kind == CASES)


def depends_on_chance(task: str, kind: Kind) -> bool:
    """Return whether another draw of a task is another problem.

    >>> depends_on_chance("known-0", "time"), depends_on_chance("known-5", "time"), depends_on_chance("known-0", "cases")
    (False, True, True)
    """
    return kind == CASES or (TASKS[task].known > 0 and not TASKS[task].frequent)
