"""Describe a log at a glance: the figures that a report begins with."""

from typing import Any

import numpy as np

from actalike.log import EventLog


def log_facts(log: EventLog) -> dict[str, Any]:
    """Return counts, lengths of cases, and the period: the days of the first and last timestamp, None without timestamps.

    >>> facts = log_facts(EventLog.from_traces([["a", "b", "c"], ["a", "c"]]))
    >>> facts["events"], facts["median_length"], facts["first_day"]
    (5, 2.5, None)
    """
    return {**log.statistics(), "median_length": float(np.median(log.lengths)), **_period(log)}


def _period(log: EventLog) -> dict[str, str | None]:
    known = None if log.timestamps is None else log.timestamps[~np.isnat(log.timestamps)]
    if known is None or not len(known):
        return {"first_day": None, "last_day": None}
    return {"first_day": str(known.min().astype("datetime64[D]")), "last_day": str(known.max().astype("datetime64[D]"))}
