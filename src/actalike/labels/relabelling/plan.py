"""Plan what relabelling does to each event: rename it, keep it, or drop it because it repeats the event before it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.errors import ActalikeError
from actalike.io import (
    NO_ACTIVITY,
    Events,
    Missing,
    Order,
    ReadOptions,
    encode,
    numbered,
    reading_of,
    sorted_rows,
    without_missing,
)
from actalike.labels.mapping import changes, unnamed
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
    unnamed: int = 0  # labels that kept their names because the new ones were blank

    def as_dict(self) -> dict[str, Any]:
        """Return the numbers as a dictionary."""
        return {name: value for name, value in self._asdict().items() if name not in ("reading", "digest")}


@dataclass(frozen=True)
class Plan:
    """Hold the labels, the new name of each (None if it keeps its own) and, in file order, what happens to each event."""

    labels: list[str]
    names: list[str | None]
    codes: NDArray[np.int32]  # -1 for an event without an activity
    renamed: Bools
    dropped: Bools
    result: Relabelled


def make_plan(events: Events, mapping: Mapping[str, str], collapse: bool, options: ReadOptions, order: Order) -> Plan:
    """Check a mapping against the events of a log, and return what it does to each event.

    Those without an activity, if that is no error, stay as they are.
    """
    _refuse_original(events)
    frame, complete, missing = without_missing(events, replace(options, lifecycle="ignore"), order)
    log = encode(events, frame, complete)
    labels, codes = (log.labels, log.codes) if complete.all() and not missing else numbered(events.frame["activity"])
    new_names = changes_of(mapping, log.labels, options.missing)
    names = [new_names.get(label) for label in labels]
    dropped = np.zeros(len(codes), dtype=bool)
    by_case = sorted_rows(frame, log.cases, order)
    sorted_codes = log.codes[by_case]
    if collapse:
        rows = np.flatnonzero(complete)[by_case]
        dropped[rows] = repeats(log.cases[by_case], sorted_codes, new_codes(log.labels, new_names)[sorted_codes])
        dropped &= events.frame["activity"].is_not_null().to_numpy()
    renamed = np.array([*(name is not None for name in names), False])[codes] & complete & ~dropped
    kept = complete & ~dropped
    activities = {new_names.get(log.labels[code], log.labels[code]) for code in np.unique(log.codes[kept[complete]]).tolist()}
    numbers = int(kept.sum()), int(renamed.sum()), int(dropped.sum()), len(activities), len(log.labels)
    reading = replace(reading_of(events, "ignore", order), cases=len(log.case_ids), events=len(frame), **missing)
    reading = replace(reading, skipped_cases=log.skipped_cases)
    digest = EventLog(log.labels, sorted_codes, log.offsets, log.case_ids).digest
    return Plan(labels, names, codes, renamed, dropped, Relabelled(*numbers, reading, digest, unnamed(mapping)))


def changes_of(mapping: Mapping[str, str], labels: Collection[str], missing: Missing) -> dict[str, str]:
    """Return the labels of a log that a mapping changes, with their new names.

    What events without an activity are called is no label that could be changed.
    """
    if missing != "label":
        return changes(mapping, labels)
    return {label: name for label, name in changes(mapping, [*labels, NO_ACTIVITY]).items() if label != NO_ACTIVITY}


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
