"""The tasks of the benchmark: what is planted into a copy of a log, how often, and by which protocol."""

import fnmatch
from collections.abc import Sequence
from typing import NamedTuple

from actalike.errors import ActalikeError, did_you_mean
from actalike.oddities import KINDS

FOREIGN = "foreign"  # attribute values that the activity never has
CUT = "cut"  # only the first part of the case is left
SLIPS = (*KINDS, FOREIGN)  # planted anomalies of the six kinds that a detector names
OTHERS = ("plausible", "swapped", "replaced", CUT, "block")  # planted anomalies outside of these kinds
PLANTED = (*SLIPS, *OTHERS)
NAMED_AS: dict[str, str] = {  # how a detector should call each kind; swapped and replaced events have no name
    **{kind: kind for kind in KINDS},
    FOREIGN: "attribute",
    "plausible": "inserted",
    "block": "inserted",
    CUT: "skipped",
}


class Task(NamedTuple):
    """Say what is planted: kinds of anomalies, drawn uniformly, into a share of the cases.

    As published, inserted events have names of their own, and a draw that cannot be done leaves the case as it is. Otherwise
    names and values are those of the log, draws are repeated until the case differs, and there are several copies.
    """

    rate: float
    kinds: tuple[str, ...]
    as_published: bool = False


RATES = tuple(percent / 100 for percent in range(5, 50, 5))
BPAD = {f"bpad-{round(100 * rate):02}": Task(rate, KINDS, as_published=True) for rate in RATES}
MIXED = "known"
KNOWN_RATE = 0.1
KNOWN = {MIXED: Task(KNOWN_RATE, KINDS), **{f"known-{kind}": Task(KNOWN_RATE, (kind,)) for kind in PLANTED}}
TASKS: dict[str, Task] = {**BPAD, **KNOWN}


def find_tasks(patterns: Sequence[str] | None) -> list[str]:
    """Return the tasks that some names and wildcards stand for; without any, all.

    >>> find_tasks(["bpad-1*", "known"])
    ['bpad-10', 'bpad-15', 'known']
    """
    tasks: dict[str, None] = dict.fromkeys(TASKS if patterns is None else ())
    for pattern in patterns or ():
        matches = fnmatch.filter(TASKS, pattern)
        if not matches:
            raise ActalikeError(f"No task is called {pattern!r}.{did_you_mean(pattern, TASKS)} There are {', '.join(TASKS)}.")
        tasks |= dict.fromkeys(matches)
    return list(tasks)


def takes_place(task: str, has_attributes: bool) -> bool:
    """Return whether a task is done with a log: a log without attributes has no odd values.

    >>> takes_place("known-attribute", False), takes_place("known", False)
    (False, True)
    """
    return has_attributes or any(kind not in ("attribute", FOREIGN) for kind in TASKS[task].kinds)
