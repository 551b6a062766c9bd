"""Recognise columns by their usual names, and inspect those that are not read.

A column that is not read, and looks like timestamps or lifecycle transitions, is reported: the user should name it.
"""

import re
import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.errors import LogError, did_you_mean, shortened
from actalike.io.timestamps import fitting_layouts, likely_layouts, parse_series
from actalike.log import Attribute, names_people, plain_name

WantedAttributes = Sequence[str] | Literal["people"] | None  # the attributes to read: by name, or all that name people

# names are compared in lower case, letters and digits only; the most likely name comes first
_USUAL = {
    "case": [
        "case:concept:name", "case id", "case", "case name", "case number", "case key", "trace id", "trace", "trace name",
        "process instance", "process instance id", "concept:name:case",
    ],
    "activity": [
        "concept:name", "activity", "activity name", "activity id", "activity label", "event name", "event", "event type", "task",
        "task name", "action", "step",
    ],
    "timestamp": [
        "time:timestamp", "timestamp", "complete timestamp", "completion timestamp", "complete time", "end timestamp", "end time",
        "event time", "event timestamp", "date time", "time", "date", "start timestamp", "start time",
    ],
    "transition": ["lifecycle:transition", "lifecycle", "lifecycle transition", "transition"],
}  # fmt: skip

_PLAIN = {role: {plain_name(name) for name in names} for role, names in _USUAL.items()}
_PLAIN_OF_ANY = set().union(*_PLAIN.values())

Column = NDArray[Any] | pl.Series

SAMPLE_ROWS = 10_000  # enough to see what a column holds, and few enough to cost nothing
_MOST_LOOKED_AT = 50  # columns
_TIMES_READ = 200  # values of a column that are looked at one by one
_LAYOUTS_TRIED = 30  # values for which all layouts are tried

_TIME_OF_DAY = re.compile(r"\s*\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:[.,]\d{1,9})?)?(?: ?[AaPp]\.?[Mm]\.?)?\s*")
_DATE = r"(?:\d{4}([-./])\d{1,2}\1\d{1,2}|\d{1,2}([-./ ])(?:\d{1,2}|[A-Za-zäéû]{3,9}\.?)\2\d{2,4}|[A-Za-z]{3,9} \d{1,2},? \d{4})"
_TIME = r"[T ,]{1,2}\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:[.,]\d{1,9})?)?(?: ?[AaPp]\.?[Mm]\.?)?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?"
_LOOKS_LIKE_TIME = re.compile(rf"\s*{_DATE}(?:{_TIME})?\s*")
_TELLING_NAME = re.compile(r"time|date|stamp|zeit|datum|epoch|fecha|heure", re.IGNORECASE)
_EPOCH = re.compile(r"\d{10}(?:\d{3}){0,3}(?:\.\d+)?")  # seconds since 1970, or thousandths of them, and so on


class Columns(NamedTuple):
    """Hold the names of the columns to read."""

    case: str
    activity: str
    timestamp: str | None
    transition: str | None


def find_columns(
    source: str,
    present: Sequence[str],
    case: str | None,
    activity: str | None,
    timestamp: str | None,
    transition: str | None,
) -> Columns:
    """Return the columns that the user named, and recognise the others by their names.

    >>> find_columns("log.csv", ["Case ID", "Activity", "Complete Timestamp"], None, None, None, None)
    Columns(case='Case ID', activity='Activity', timestamp='Complete Timestamp', transition=None)
    """
    given = {"case": case, "activity": activity, "timestamp": timestamp, "transition": transition}
    for role, name in given.items():
        if name and name not in present:
            raise LogError(
                f"{source} has no column {_quoted(name)} (given as {role}).{did_you_mean(name, present)} {listing(present)}"
            )
    taken = {name for name in given.values() if name is not None}
    free = [name for name in present if name not in taken]
    by_plain_name: dict[str, list[str]] = {}
    for name in free:
        by_plain_name.setdefault(plain_name(name), []).append(name)
    columns = {role: name if name is not None else _recognise(source, role, by_plain_name) for role, name in given.items()}
    columns |= {role: columns[role] or None for role in ("timestamp", "transition")}  # '' leaves a column out
    for role in ("case", "activity"):
        if not columns[role]:
            raise LogError(
                f"{source}: no column is recognised as the {role}. Name it with {role}=... (--{role}). {listing(present)}"
            )
    return Columns(str(columns["case"]), str(columns["activity"]), columns["timestamp"], columns["transition"])


def is_usual(role: str, name: str) -> bool:
    """Return whether a name is usual for a role.

    >>> is_usual("case", "Case_ID"), is_usual("case", "Order")
    (True, False)
    """
    return plain_name(name) in _PLAIN[role]


def is_usual_for_any(name: str) -> bool:
    """Return whether a name is usual for any of the roles."""
    return plain_name(name) in _PLAIN_OF_ANY


def _recognise(source: str, role: str, by_plain_name: dict[str, list[str]]) -> str | None:
    """Return the column with the most likely name for a role, None if there is none, or raise an error if two match."""
    for usual in _USUAL[role]:
        matches = by_plain_name.get(plain_name(usual), [])
        exact = [name for name in matches if name == usual]
        if len(exact) == 1:
            return exact[0]
        if len(matches) > 1:
            names = " and ".join(map(_quoted, matches[:3]))
            raise LogError(f"{source}: {names} could both be the {role}. Choose one with {role}=... (--{role}).")
        if matches:
            return matches[0]
    return None


def find_attributes(
    source: str, present: Sequence[str], columns: Columns, wanted: WantedAttributes, name: str | None = None
) -> list[str]:
    """Return the columns to read as attributes of the events, in the order they are asked for; for people in that of the source.

    ``name`` is the column of the second names, which comes last.

    >>> columns = Columns("Case ID", "Activity", None, None)
    >>> find_attributes("log.csv", ["Case ID", "Activity", "Amount", "User", "Team"], columns, "people")
    ['User', 'Team']
    """
    taken = {columns.case: "case", columns.activity: "activity", columns.timestamp: "timestamp"}
    if wanted == "people":
        names = [each for each in present if names_people(each) and each not in taken]
    else:
        names = list(dict.fromkeys(wanted or ()))
        for each in names:
            if each not in present:
                raise no_attribute(source, each, present, "column")
            reject_taken_column(source, each, taken.get(each))
    if name is None:
        return names
    if name not in present:
        raise no_attribute(source, name, present, "column", "as name")
    reject_second_name(source, name, taken.get(name))
    return list(dict.fromkeys([*names, name]))


def reject_taken_column(source: str, name: str, role: str | None) -> None:
    """Raise an error if an attribute has another role already."""
    if role is not None:
        raise LogError(
            f"{source}: {_quoted(name)} is the {role} of the log already, so it cannot be an attribute too: leave it out, or "
            f"name another {role} with {role}=... (--{role}); nothing was read."
        )


def reject_second_name(source: str, name: str, role: str | None) -> None:
    """Raise an error if the column of the second names has another role already."""
    if role is not None:
        raise LogError(
            f"{source}: {_quoted(name)} is the {role} of the log, so it cannot be the second name: give another column as "
            "name=... (--name), or leave it out; nothing was read."
        )


def no_attribute(source: str, name: str, present: Sequence[str], noun: str, given: str = "as an attribute") -> LogError:
    """Return the error about a missing attribute; ``noun`` is what the source calls attributes."""
    return LogError(
        f"{source} has no {noun} {_quoted(name)} (given {given}).{did_you_mean(name, present)} {listing(present, noun)}"
    )


def _quoted(name: str) -> str:
    return repr(shortened(name))


def listing(present: Sequence[str], noun: str = "column") -> str:
    """Return the columns, or attributes, that a source has, for an error."""
    names = ", ".join(map(_quoted, present[:20])) + (", ..." if len(present) > 20 else "")
    return f"Its {noun}s: {names}."


def look_hint(path: Path) -> str:
    """Return a sentence that names the command ``look``, for an error."""
    return f" actalike look {shlex.quote(str(path))} shows what is in it."


class UnusedColumns(NamedTuple):
    """Hold the first rows of the columns that were not read, and whether a timestamp may be among them.

    It may not if a timestamp was read, or if the user left timestamps out.
    """

    rows: pl.DataFrame
    may_have_time: bool


def worth_a_look(names: Sequence[str], transition: str | None) -> list[str]:
    """Return the columns to inspect, in their order: the transition, those named like timestamps, then the first ones.

    >>> worth_a_look([*map(str, range(100)), "Startzeit", "status"], "status")[-2:]
    ['Startzeit', 'status']
    """
    if len(names) <= _MOST_LOOKED_AT:
        return list(names)
    likely = sorted(names, key=lambda name: 0 if name == transition else 1 if _TELLING_NAME.search(name[:200]) else 2)
    chosen = set(likely[:_MOST_LOOKED_AT])
    return [name for name in names if name in chosen]


def describe(unused: UnusedColumns | None, cases: Column, activities: Column) -> dict[str, Any]:
    """Return facts about the columns that were not read, as arguments of :class:`actalike.log.Reading`.

    ``cases`` and ``activities`` are those of all events, in the order of the rows.
    """
    if unused is None or not len(unused.rows):
        return {}
    rows, facts = unused.rows, dict[str, Any](looked_at=len(unused.rows))
    if unused.may_have_time:
        facts["unused_times"] = times = tuple(name for name in rows.columns if looks_like_time(rows[name]))
        facts["time_layout"] = _layout(rows[times[0]]) if times else None
    for name in transition_columns(rows):
        share = paired_share(cases[: len(rows)], activities[: len(rows)], rows[name])
        if share > facts.get("paired", 0.0):
            facts |= {"paired": share, "paired_by": name}
    return facts


def looks_like_time(column: pl.Series) -> bool:
    """Return whether all values of a column look like points in time.

    >>> looks_like_time(pl.Series("Erfasst", ["31.12.2024 13:45", "1.1.2025 8:00"])), looks_like_time(pl.Series(["1.2", "1.3"]))
    (True, False)
    """
    if isinstance(column.dtype, pl.Datetime) or column.dtype == pl.Date:
        return True
    if column.dtype != pl.String and not column.dtype.is_integer():
        return False
    texts = unnamed(column).drop_nulls().head(_TIMES_READ).cast(pl.String).to_list()
    if not texts:
        return False
    if column.dtype == pl.String and all(_LOOKS_LIKE_TIME.fullmatch(text) for text in texts):
        return True
    # a number of ten digits may be anything, so its name decides
    return bool(_TELLING_NAME.search(column.name)) and all(_EPOCH.fullmatch(text) for text in texts)


def unnamed(column: pl.Series) -> pl.Series:
    """Return a column without its name, which Polars takes for a pattern if it is like ``^x$``."""
    return column.alias("")


def holds_times_of_day(column: pl.Series) -> bool:
    """Return whether all values of a column look like times of a day, without a date.

    >>> holds_times_of_day(pl.Series(["08:00", "13:45:10"])), holds_times_of_day(pl.Series(["2024-01-02 08:00"]))
    (True, False)
    """
    if column.dtype == pl.Time:
        return True
    texts = unnamed(column).drop_nulls().head(_TIMES_READ).to_list() if column.dtype == pl.String else []
    return bool(texts) and all(":" in text and _TIME_OF_DAY.fullmatch(text) for text in texts)


def time_layouts(column: pl.Series) -> list[str]:
    """Return the layouts by which all values of a column are dates; none if they are ISO 8601 or no dates.

    >>> time_layouts(pl.Series(["02/01/2024", "31/01/2024"])), time_layouts(pl.Series(["02/01/2024"]))
    (['%d/%m/%Y'], ['%d/%m/%Y', '%m/%d/%Y'])
    """
    column = unnamed(column)
    if column.dtype.is_integer():
        column = column.cast(pl.String)
    if column.dtype != pl.String or parse_series(texts := column.drop_nulls().head(_TIMES_READ))[1] is None:
        return []
    layouts = [likely_layouts(text) for text in texts.unique(maintain_order=True).head(_LAYOUTS_TRIED)]
    return fitting_layouts([layout for layout in layouts[0] if all(layout in others for others in layouts)], column)


def _layout(column: pl.Series) -> str | None:
    """Return the layout of a column of dates, if it is not ISO 8601 and only one fits all of its first values.

    >>> _layout(pl.Series(["02/01/2024", "31/01/2024"])), _layout(pl.Series(["2024-01-31"])), _layout(pl.Series(["02/01/2024"]))
    ('%d/%m/%Y', None, None)
    """
    layouts = time_layouts(column)
    return layouts[0] if len(layouts) == 1 else None


def transition_columns(rows: pl.DataFrame) -> list[str]:
    """Return the string columns whose values include both start and complete.

    >>> transition_columns(pl.DataFrame({"Status": ["Start", "complete", "suspend"], "Type": ["a", "start", "b"]}))
    ['Status']
    """
    texts = [name for name in rows.columns if rows[name].dtype == pl.String]
    return [name for name in texts if {"start", "complete"} <= {text.lower() for text in set(rows[name].to_list()) if text}]


def paired_share(cases: Column, activities: Column, transitions: pl.Series) -> float:
    """Return the share of events that are a start or a complete with a counterpart: the same activity in the same case.

    >>> paired_share(np.array([1, 1, 1, 1]), np.array([4, 4, 5, 5]), pl.Series(["start", "COMPLETE", "start", "schedule"]))
    0.5
    """
    # in Python: for so few rows, Polars takes longer to start
    kinds = [(transition or "").lower() for transition in transitions.to_list()]
    steps = Counter(zip(np.asarray(cases).tolist(), np.asarray(activities).tolist(), kinds, strict=True))
    starts = [(step, n) for (*step, kind), n in steps.items() if kind == "start"]
    return 2 * sum(min(n, steps[*step, "complete"]) for step, n in starts) / len(kinds)


def choose_names(labels: Sequence[str], codes: NDArray[np.int32], names: Attribute) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the most frequent second name of each label, of equally frequent ones the first, and facts for ``Reading``.

    An event without a second name, or with a blank one, does not count. A label of which no event has one gets none.

    >>> names = Attribute(["Pay", "Check", "Verify"], np.array([1, 2, 1, -1], dtype=np.int32))
    >>> choose_names(["01", "02"], np.array([0, 0, 0, 1], dtype=np.int32), names)[0]
    {'01': 'Check'}
    """
    is_blank = np.array([not value.strip() for value in names.values] + [True], dtype=bool)  # the last is for the code -1
    named = np.flatnonzero(~is_blank[names.codes])
    width = max(len(names.values), 1)
    pairs, first, counts = np.unique(
        codes[named].astype(np.int64) * width + names.codes[named], return_index=True, return_counts=True
    )
    by_label: dict[int, list[int]] = {}  # the second names of each label, the chosen one first
    for i in np.lexsort((first, -counts)).tolist():
        label, name = divmod(int(pairs[i]), width)
        by_label.setdefault(label, []).append(name)
    chosen = {labels[code]: names.values[by_label[code][0]] for code in sorted(by_label)}
    several = [code for code in sorted(by_label) if len(by_label[code]) > 1]
    facts: dict[str, Any] = {"named_labels": len(chosen), "ambiguous_names": len(several)}
    facts["unnamed_labels"] = len(np.unique(codes)) - len(chosen)
    if several:
        facts["ambiguous_example"] = (labels[several[0]], *(names.values[name] for name in by_label[several[0]][:2]))
    return chosen, facts
