"""Describe a log at a glance: the figures that a report begins with."""

from typing import Any

import numpy as np

from actalike.log import AnyLog, Variants


def log_facts(log: AnyLog) -> dict[str, Any]:
    """Return counts, lengths of cases, and the period: the days of the first and last timestamp, None without timestamps.

    >>> from actalike import EventLog
    >>> facts = log_facts(EventLog.from_traces([["a", "b", "c"], ["a", "c"]]))
    >>> facts["events"], facts["median_length"], facts["first_day"]
    (5, 2.5, None)
    """
    return {**log.statistics(), "median_length": _median_length(log.variants), **_period(log)}


def _median_length(variants: Variants) -> float:
    order = np.argsort(variants.lengths)
    upto, last = np.cumsum(variants.weights[order]), variants.n_cases - 1
    middle = np.searchsorted(upto, [last // 2, (last + 1) // 2], "right")
    return float(variants.lengths[order][middle].mean())


def _period(log: AnyLog) -> dict[str, str | None]:
    """Return the first and the last day; variants know on which days labels are used first in their cases."""
    if isinstance(log, Variants):
        days = None if log.uses is None or log.uses.days is None else log.uses.days.keys[:, 2]
        if days is None or not len(days):
            return {"first_day": None, "last_day": None}
        return {"first_day": str(np.datetime64(int(days.min()), "D")), "last_day": str(np.datetime64(int(days.max()), "D"))}
    known = None if log.timestamps is None else log.timestamps[~np.isnat(log.timestamps)]
    if known is None or not len(known):
        return {"first_day": None, "last_day": None}
    return {"first_day": str(known.min().astype("datetime64[D]")), "last_day": str(known.max().astype("datetime64[D]"))}
