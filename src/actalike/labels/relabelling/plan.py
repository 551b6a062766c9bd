"""Plan what relabelling does to each event: rename it, keep it, or drop it because it repeats the event before it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.errors import ActalikeError
from actalike.io import Events, Order, reading_of
from actalike.labels.mapping import changes
from actalike.log import EventLog, Reading

ORIGINAL = "actalike:original"  # the attribute, or column, that keeps the label of an event that was renamed

Bools = NDArray[np.bool_]


class Relabelled(NamedTuple):
    """Hold how many events and activities a relabelled log has, how many events were renamed or dropped, and how it was read."""

    events: int
    renamed: int
    dropped: int
    activities: int
    activities_before: int
    reading: Reading | None = None
    digest: str = ""  # of the log before

    def as_dict(self) -> dict[str, Any]:
        """Return the numbers as a dictionary."""
        return {name: value for name, value in self._asdict().items() if name not in ("reading", "digest")}


@dataclass(frozen=True)
class Plan:
    """Hold the new name of each label (None if it keeps its own) and, in file order, what happens to each event."""

    names: list[str | None]
    codes: NDArray[np.int32]
    renamed: Bools
    dropped: Bools
    result: Relabelled


def make_plan(events: Events, mapping: Mapping[str, str], collapse: bool, order: Order) -> Plan:
    """Check a mapping against the events of a log, and return what it does to each event."""
    _refuse_original(events)
    new_names = changes(mapping, events.labels)
    names = [new_names.get(label) for label in events.labels]
    codes = events.codes
    dropped = np.zeros(len(codes), dtype=bool)
    keys = (events.cases,) if order == "file" or events.times is None else (events.times, events.cases)
    by_case = np.lexsort(keys)
    if collapse:
        dropped[by_case] = repeats(events.cases[by_case], codes[by_case], new_codes(events.labels, new_names)[codes[by_case]])
    renamed = np.array([name is not None for name in names], dtype=bool)[codes] & ~dropped
    activities = {events.labels[code] if names[code] is None else names[code] for code in np.unique(codes[~dropped]).tolist()}
    numbers = int((~dropped).sum()), int(renamed.sum()), int(dropped.sum()), len(activities), len(events.labels)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(events.cases, minlength=len(events.case_ids)))])
    digest = EventLog(events.labels, codes[by_case], offsets, events.case_ids).digest
    result = Relabelled(*numbers, reading_of(events, "ignore", order, len(codes)), digest)
    return Plan(names, codes, renamed, dropped, result)


def _refuse_original(events: Events) -> None:
    """Raise an error if the log is read from the very column that keeps the old labels: one of the two would be lost."""
    columns = events.columns
    for role, name in (("case", columns.case), ("activity", columns.activity), ("timestamp", columns.timestamp)):
        if name == ORIGINAL:
            raise ActalikeError(
                f"{events.source}: the {role} is in {ORIGINAL!r}, where relabelling keeps the old labels: rename that column (or "
                "attribute) first. Nothing was relabelled."
            )


def check_earlier(source: str, kind: pl.DataType) -> None:
    """Raise an error if the column of an earlier relabelling has a type that cannot hold labels."""
    if kind.is_nested() or kind in (pl.Binary, pl.Object):
        raise ActalikeError(
            f"{source}: the column {ORIGINAL!r} is of type {kind}, and relabelling keeps the old labels there: rename or convert "
            "it. Nothing was relabelled."
        )


def new_codes(labels: Sequence[str], new_names: Mapping[str, str]) -> NDArray[np.int64]:
    """Return a number for the new name of each label; equal names get equal numbers."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(new_names.get(label, label), len(numbers)) for label in labels], dtype=np.int64)


def repeats(cases: NDArray[Any], old: NDArray[Any], new: NDArray[Any]) -> Bools:
    """Return which events repeat the event before them in their case only because of the renaming.

    Their new names are the same, their old names were not. Events that had the same name before, as in a loop of the process,
    are no such repeats. The events of a case must stand together.

    >>> repeats(np.array([0, 0, 0, 0, 1]), old=np.array([1, 2, 2, 3, 4]), new=np.array([7, 7, 7, 8, 8])).tolist()
    [False, True, False, False, False]
    """
    repeated = np.zeros(len(cases), dtype=bool)
    repeated[1:] = (cases[1:] == cases[:-1]) & (new[1:] == new[:-1]) & (old[1:] != old[:-1])
    return repeated
