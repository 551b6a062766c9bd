"""What relabelling does to each event: a new name, nothing, or, where neighbours have become equal, leaving it out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.io import Events, Order
from actalike.labels.mapping import changes

ORIGINAL = "actalike:original"  # the attribute, or column, that keeps the label of an event that was renamed

Bools = NDArray[np.bool_]


class Relabelled(NamedTuple):
    """What was done to a log."""

    events: int
    renamed: int
    dropped: int
    activities: int
    activities_before: int

    def as_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        return self._asdict()


@dataclass(frozen=True)
class Plan:
    """For each label its new name, None if it keeps its own; for each event, in the order of the file, what becomes of it."""

    names: list[str | None]
    codes: NDArray[np.int32]
    renamed: Bools
    dropped: Bools
    result: Relabelled


def make_plan(events: Events, mapping: Mapping[str, str], collapse: bool, order: Order) -> Plan:
    """Check a mapping against a log that was read, and say what it does to each event."""
    found = changes(mapping, events.labels)
    names = [found.get(label) for label in events.labels]
    codes = events.codes
    dropped = np.zeros(len(codes), dtype=bool)
    if collapse:
        by = (events.cases,) if order == "file" or events.times is None else (events.times, events.cases)
        arranged = np.lexsort(by)
        dropped[arranged] = repeats(events.cases[arranged], codes[arranged], new_codes(events.labels, found)[codes[arranged]])
    renamed = np.array([name is not None for name in names], dtype=bool)[codes] & ~dropped
    left = {events.labels[code] if names[code] is None else names[code] for code in np.unique(codes[~dropped]).tolist()}
    result = Relabelled(int((~dropped).sum()), int(renamed.sum()), int(dropped.sum()), len(left), len(events.labels))
    return Plan(names, codes, renamed, dropped, result)


def new_codes(labels: Sequence[str], found: Mapping[str, str]) -> NDArray[np.int64]:
    """A number for the new name of each label: equal only for equal names."""
    known: dict[str, int] = {}
    return np.array([known.setdefault(found.get(label, label), len(known)) for label in labels], dtype=np.int64)


def repeats(cases: NDArray[Any], old: NDArray[Any], new: NDArray[Any]) -> Bools:
    """Which events, laid out case by case, have come to repeat the one before them: the same new name, but another old one.

    What repeated itself before, a loop of the process, is left as it is.

    >>> repeats(np.array([0, 0, 0, 0, 1]), old=np.array([1, 2, 2, 3, 4]), new=np.array([7, 7, 7, 8, 8])).tolist()
    [False, True, False, False, False]
    """
    found = np.zeros(len(cases), dtype=bool)
    found[1:] = (cases[1:] == cases[:-1]) & (new[1:] == new[:-1]) & (old[1:] != old[:-1])
    return found
