"""Look at the first rows of columns that are not read: one that looks like time, or like transitions, should be named."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.io.timestamp_layouts import fitting_layouts, likely_layouts
from actalike.io.timestamps import parse_series

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


class Unread(NamedTuple):
    """Hold the first rows of the columns that were not read, and whether a column of time may be among them.

    There is none if a timestamp was read, or if the user left timestamps out.
    """

    rows: pl.DataFrame
    may_have_time: bool


def worth_a_look(names: Sequence[str], transition: str | None) -> list[str]:
    """Return the columns to look at, in their order: the transition, those whose names tell of time, then the first ones.

    >>> worth_a_look([*map(str, range(100)), "Startzeit", "status"], "status")[-2:]
    ['Startzeit', 'status']
    """
    if len(names) <= _MOST_LOOKED_AT:
        return list(names)
    likely = sorted(names, key=lambda name: 0 if name == transition else 1 if _TELLING_NAME.search(name[:200]) else 2)
    chosen = set(likely[:_MOST_LOOKED_AT])
    return [name for name in names if name in chosen]


def describe(unread: Unread | None, cases: Column, activities: Column) -> dict[str, Any]:
    """Return what the columns that were not read say about a log, as arguments of :class:`actalike.log.Reading`.

    ``cases`` and ``activities`` are those of all events, in the order of the rows.
    """
    if unread is None or not len(unread.rows):
        return {}
    rows, facts = unread.rows, dict[str, Any](looked_at=len(unread.rows))
    if unread.may_have_time:
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
    texts = column.drop_nulls().head(_TIMES_READ).cast(pl.String).to_list()
    if not texts:
        return False
    if column.dtype == pl.String and all(_LOOKS_LIKE_TIME.fullmatch(text) for text in texts):
        return True
    # a number of ten digits may be anything, so its name must tell
    return bool(_TELLING_NAME.search(column.name)) and all(_EPOCH.fullmatch(text) for text in texts)


def holds_times_of_day(column: pl.Series) -> bool:
    """Return whether all values of a column look like times of a day, without a date.

    >>> holds_times_of_day(pl.Series(["08:00", "13:45:10"])), holds_times_of_day(pl.Series(["2024-01-02 08:00"]))
    (True, False)
    """
    if column.dtype == pl.Time:
        return True
    texts = column.drop_nulls().head(_TIMES_READ).to_list() if column.dtype == pl.String else []
    return bool(texts) and all(":" in text and _TIME_OF_DAY.fullmatch(text) for text in texts)


def time_layouts(column: pl.Series) -> list[str]:
    """Return the layouts by which all values of a column are dates; none if they are ISO 8601 or no dates.

    >>> time_layouts(pl.Series(["02/01/2024", "31/01/2024"])), time_layouts(pl.Series(["02/01/2024"]))
    (['%d/%m/%Y'], ['%d/%m/%Y', '%m/%d/%Y'])
    """
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
    """Return the columns of texts among whose values are both start and complete.

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
    # In Python: for so few rows, to start the engine of Polars takes longer.
    kinds = [(transition or "").lower() for transition in transitions.to_list()]
    steps = Counter(zip(np.asarray(cases).tolist(), np.asarray(activities).tolist(), kinds, strict=True))
    starts = [(step, n) for (*step, kind), n in steps.items() if kind == "start"]
    return 2 * sum(min(n, steps[*step, "complete"]) for step, n in starts) / len(kinds)
