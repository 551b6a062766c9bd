"""Divide one log into the two sides of a comparison: by a date, or by the two values of an attribute."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from actalike.errors import ActalikeError, LogError, did_you_mean, shortened
from actalike.log import EventLog, case_beginnings, cases_of

_SHOWN_VALUES = 5  # of an attribute with too many, in an error


class Sides(NamedTuple):
    """Hold the two logs that are compared.

    - ``names``: what they are called: before and after, or the two values of an attribute.
    - ``by``: that attribute, or None.
    - ``left_out``: how many cases are in neither, because they have no timestamp, or no value.
    - ``sources``: the files that two logs were read from; None if that does not tell them apart.
    """

    before: EventLog
    after: EventLog
    names: tuple[str, str]
    by: str | None = None
    left_out: int = 0
    sources: tuple[str, str] | None = None


def two_sides(before: EventLog, after: EventLog) -> Sides:
    """Take two logs as the sides. A file is called by its name, or by its path if both files have the same name.

    >>> from actalike.log import Reading
    >>> files = "2023/log.csv", "2024/log.csv"
    >>> logs = [EventLog(["a"], [0], [0, 1], ["1"], reading=Reading(file, "case", "activity")) for file in files]
    >>> two_sides(*logs).names, two_sides(*logs).sources
    (('before', 'after'), ('2023/log.csv', '2024/log.csv'))
    """
    names = "before", "after"
    if before.reading is None or after.reading is None or before.reading.source == after.reading.source:
        return Sides(before, after, names)
    paths = before.reading.source, after.reading.source
    files = Path(paths[0]).name, Path(paths[1]).name
    return Sides(before, after, names, sources=paths if files[0] == files[1] else files)


def divide_at(log: EventLog, at: Any) -> Sides:
    """Divide a log at a moment: cases that begin before it, and those that begin at it or later.

    A case begins with its earliest timestamp. Cases without any are left out. Both are in UTC, as all timestamps of a log are.

    >>> days = np.array(["2024-01-01", "2024-01-02", "2024-01-01"], dtype="datetime64[D]")
    >>> sides = divide_at(EventLog(["a", "b"], [0, 1, 1], [0, 1, 3], ["1", "2"], timestamps=days), "2024-01-01T12:00")
    Traceback (most recent call last):
    actalike.errors.LogError: All cases begin before 2024-01-01 12:00 (they begin from 2024-01-01 to 2024-01-01, in UTC), so
    there is nothing to compare: give a date that divides them.
    """
    moment = moment_of(at)
    if log.timestamps is None or np.isnat(log.timestamps).all():
        raise LogError(
            "The log has no timestamps, so no date can divide it: read it with its timestamp column (--timestamp), or give two "
            "logs, or an attribute that divides the cases (by, --by)."
        )
    starts = case_beginnings(log)
    is_dated = ~np.isnat(starts)
    first, last = starts[is_dated].min(), starts[is_dated].max()
    if moment <= first or moment > last:
        where = "at or after" if moment <= first else "before"
        raise LogError(
            f"All cases begin {where} {_written(moment)} (they begin from {_written(first)} to {_written(last)}, in UTC), so "
            "there is nothing to compare: give a date that divides them."
        )
    before, after = (is_dated & (starts < moment)), (is_dated & (starts >= moment))
    names = f"before {_written(moment)} UTC", f"from {_written(moment)} UTC on"
    return Sides(cases_of(log, before), cases_of(log, after), names, None, int((~is_dated).sum()))


def divide_by(log: EventLog, by: str) -> Sides:
    """Divide a log by the two values of an attribute, in the order of the alphabet.

    The value of a case is that of its events. Events without a value do not count, cases without any value are left out, and a
    case with both values is an error.

    >>> from actalike import Attribute
    >>> offices = Attribute.from_texts(["north", None, "south"])
    >>> sides = divide_by(EventLog(["a", "b"], [0, 1, 1], [0, 2, 3], ["1", "2"], attributes={"office": offices}), "office")
    >>> sides.before.traces(), sides.after.traces(), sides.names
    ([['a', 'b']], [['b']], ('north', 'south'))
    """
    if by not in log.attributes:
        raise LogError(
            f"The log has no attribute {shortened(str(by))!r}: read it with read_log(..., attributes=[{shortened(str(by))!r}])."
            f"{did_you_mean(str(by), log.attributes)}"
        )
    values, codes = log.attributes[by]
    if len(values) != 2:
        listed = ", ".join(repr(shortened(value)) for value in values[:_SHOWN_VALUES])
        more = ", ..." if len(values) > _SHOWN_VALUES else ""
        raise LogError(
            f"The attribute {shortened(by)!r} has {len(values):,} value{'s' * (len(values) != 1)} ({listed}{more}), and drift "
            "compares two: give an attribute with two values, or two logs."
        )
    case = np.repeat(np.arange(log.n_cases), log.lengths)
    has = [np.bincount(case[codes == value], minlength=log.n_cases) > 0 for value in (0, 1)]
    if (has[0] & has[1]).any():
        mixed = shortened(log.case_ids[int(np.flatnonzero(has[0] & has[1])[0])])
        raise LogError(
            f"{int((has[0] & has[1]).sum()):,} of {log.n_cases:,} cases have both values of {shortened(by)!r} (the first is case "
            f"{mixed!r}, with {shortened(values[0])!r} and {shortened(values[1])!r}), and drift compares "
            "whole cases: give an attribute that has one value in each case."
        )
    return Sides(cases_of(log, has[0]), cases_of(log, has[1]), (values[0], values[1]), by, int((~has[0] & ~has[1]).sum()))


def moment_of(at: Any) -> np.datetime64:
    """Return a moment, in UTC as the timestamps of logs are."""
    if isinstance(at, np.datetime64) and not np.isnat(at):
        return at.astype("datetime64[us]")
    given = at
    if isinstance(at, str):
        try:
            given = datetime.fromisoformat(at.strip())
        except ValueError:
            raise ActalikeError(
                f"{shortened(at)!r} is not a date: write it as 2018-01-31, or with a time as 2018-01-31T08:30."
            ) from None
    if isinstance(given, date) and not isinstance(given, datetime):
        given = datetime(given.year, given.month, given.day)
    if not isinstance(given, datetime):
        raise ActalikeError(f"at takes a date or a text such as '2018-01-31', not {type(at).__name__}.")
    try:
        return np.datetime64(given.astimezone(UTC).replace(tzinfo=None) if given.tzinfo else given, "us")
    except OverflowError:
        raise ActalikeError(f"{given.isoformat()!r} is outside the years 1 to 9999 in UTC: give a date within them.") from None


def _written(moment: np.datetime64) -> str:
    """Return a moment as people write it: without the time if it is midnight.

    >>> _written(np.datetime64("2018-01-01", "us")), _written(np.datetime64("2018-01-01T08:30:00", "us"))
    ('2018-01-01', '2018-01-01 08:30')
    """
    if moment == moment.astype("datetime64[D]"):
        return str(moment.astype("datetime64[D]"))
    unit = "m" if moment == moment.astype("datetime64[m]") else "s"
    return str(moment.astype(f"datetime64[{unit}]")).replace("T", " ")
