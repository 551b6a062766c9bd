"""Count how often each activity was used over the period of a log: by hour, day, week, month, quarter or year."""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.log.event_log import EventLog

Unit = Literal["hour", "day", "week", "month", "quarter", "year"]

_UNITS: tuple[Unit, ...] = ("hour", "day", "week", "month", "quarter", "year")  # the finest first
_MONDAY = 3  # days from the Monday before 1970 to its first day, a Thursday


class Timeline(NamedTuple):
    """Hold how many events each activity has in each period.

    - ``unit``: how long a period is. Weeks start on Monday.
    - ``starts``: the first day of each period, or its hour where the unit is an hour; periods without events are among them.
    - ``counts``: a row for each activity, a column for each period.
    - ``undated``: for each activity, the events in no period: those without a timestamp, and in a log over more years than a
      timeline may have periods, those outside the years that are kept.
    """

    unit: Unit
    starts: NDArray[np.datetime64]
    counts: NDArray[np.int64]
    undated: NDArray[np.int64]


def timeline(log: EventLog, most_periods: int = 120) -> Timeline | None:
    """Count the events of each activity by the finest unit of which the log's period has at most ``most_periods``.

    Return None if no event has a timestamp. If even years are too many, because of a few wrong dates, the ``most_periods``
    successive years with the most events are kept, the earliest of equal ones.

    >>> days = np.array(["2024-01-30", "2024-02-02", "2024-02-05", "NaT"], dtype="datetime64[D]")
    >>> weekly = timeline(EventLog(["a", "b"], [0, 1, 0, 0], [0, 4], ["1"], timestamps=days), most_periods=6)
    >>> weekly.unit, weekly.starts.tolist(), weekly.counts.tolist(), weekly.undated.tolist()
    ('week', [datetime.date(2024, 1, 29), datetime.date(2024, 2, 5)], [[1, 1], [1, 0]], [1, 0])
    """
    if log.timestamps is None or np.isnat(log.timestamps).all():
        return None
    dated = np.flatnonzero(~np.isnat(log.timestamps))
    moments = log.timestamps[dated]
    ends = np.array([moments.min(), moments.max()])
    unit = next((unit for unit in _UNITS[:-1] if np.ptp(_periods(ends, unit)) < most_periods), _UNITS[-1])
    periods = _periods(moments, unit)
    first, last = int(periods.min()), int(periods.max())
    if last - first >= most_periods:
        first = _fullest(periods, most_periods)
        last = first + most_periods - 1
    inside = (periods >= first) & (periods <= last)
    n_activities, n_periods = len(log.activities), last - first + 1
    cells = log.codes[dated[inside]].astype(np.int64) * n_periods + (periods[inside] - first)
    counts = np.bincount(cells, minlength=n_activities * n_periods).reshape(n_activities, n_periods)
    return Timeline(unit, _starts(np.arange(first, last + 1), unit), counts, log.activity_counts - counts.sum(axis=1))


def _periods(moments: NDArray[np.datetime64], unit: Unit) -> NDArray[np.int64]:
    """Return the number of each moment's period, counted from 1970."""
    match unit:
        case "hour":
            return moments.astype("datetime64[h]").astype(np.int64)
        case "day":
            return moments.astype("datetime64[D]").astype(np.int64)
        case "week":
            return (moments.astype("datetime64[D]").astype(np.int64) + _MONDAY) // 7
        case "year":
            return moments.astype("datetime64[Y]").astype(np.int64)
    return moments.astype("datetime64[M]").astype(np.int64) // (3 if unit == "quarter" else 1)


def _starts(periods: NDArray[np.int64], unit: Unit) -> NDArray[np.datetime64]:
    """Return the first day (or the hour) of each period, the inverse of :func:`_periods`."""
    match unit:
        case "hour":
            return periods.astype("datetime64[h]")
        case "day":
            return periods.astype("datetime64[D]")
        case "week":
            return (periods * 7 - _MONDAY).astype("datetime64[D]")
        case "year":
            return periods.astype("datetime64[Y]").astype("datetime64[D]")
    return (periods * (3 if unit == "quarter" else 1)).astype("datetime64[M]").astype("datetime64[D]")


def _fullest(periods: NDArray[np.int64], width: int) -> int:
    """Return the first of the ``width`` successive periods with the most events, the earliest of equal ones."""
    ordered = np.sort(periods)
    events = np.searchsorted(ordered, ordered + width) - np.searchsorted(ordered, ordered)
    return int(ordered[np.argmax(events)])
