"""Gather what every page says of a log: figures, how it was understood, what follows what, where and when activities are."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from actalike.counting import DirectlyFollows
from actalike.log import AnyLog, EventLog, Variants, relative_positions, timeline
from actalike.report.packing import packed, packed_runs
from actalike.support.text import visible_spaces

_MOST_ARROWS = 150_000  # of the directly-follows graph: the most frequent


def log_facts(log: AnyLog) -> dict[str, Any]:
    """Return counts, lengths of cases, and the period: the days of the first and last timestamp, None without timestamps.

    >>> from actalike import EventLog
    >>> facts = log_facts(EventLog.from_traces([["a", "b", "c"], ["a", "c"]]))
    >>> facts["events"], facts["median_length"], facts["first_day"]
    (5, 2.5, None)
    """
    return {**log.statistics(), "median_length": _median_length(log.variants), **_period(log)}


def understood(log: AnyLog, labels: Sequence[str]) -> dict[str, Any]:
    """Return the second names of labels, how labels are shown that differ in spaces only, and how the log was read.

    >>> from actalike import EventLog
    >>> understood(EventLog.from_traces([["a", "b", "a "]]), ["a", "b", "a "])
    {'names': None, 'spaced': [[0, 'a'], [2, 'a·']], 'reading': None}
    """
    shown = visible_spaces(log.activities)
    names = {
        "names": [log.names.get(label) for label in labels] if log.names else None,
        "spaced": [[i, shown[label]] for i, label in enumerate(labels) if label in shown],
    }
    reading = log.reading
    if reading is None:
        return {**names, "reading": None}
    facts = {
        "case": reading.case,
        "activity": reading.activity,
        "time": reading.timestamp,
        "order": list(reading.order),
        "transition": reading.transition,
        "lifecycle": reading.lifecycle,
        "left_out": reading.left_out,
        "missing": reading.missing_words(),
        "unnamed_cases": reading.unnamed_cases,
        "name": reading.name,
        "named_labels": reading.named_labels,
        "attributes": list(reading.attributes),
        "files": list(reading.files),
        "joined_cases": reading.joined_cases,
        "remarks": reading.remarks(),
    }
    return {**names, "reading": facts}


def follows_data(graph: DirectlyFollows, number: dict[str, int]) -> dict[str, Any]:
    """Return the arrows among shown activities, the most frequent first, and how many cases begin and end with each activity."""
    code = np.array([number.get(label, -1) for label in graph.activities])
    first, second = code[graph.first], code[graph.second]
    shown = np.flatnonzero((first >= 0) & (second >= 0))[:_MOST_ARROWS]
    starts, ends = (dict(zip(graph.activities, one.tolist(), strict=True)) for one in (graph.starts, graph.ends))
    return {
        "first": packed(first[shown].astype(np.uint16)),
        "second": packed(second[shown].astype(np.uint16)),
        "counts": packed(graph.counts[shown].clip(max=2**32 - 1).astype(np.uint32)),
        "starts": [starts.get(label, 0) for label in number],
        "ends": [ends.get(label, 0) for label in number],
    }


def positions_data(log: AnyLog, order: NDArray[np.int64]) -> list[list[float]]:
    """Return the least, the quartiles, the largest and the mean relative position of each shown activity."""
    relative = relative_positions(log)
    rows = np.column_stack([relative.quartiles, relative.means])[order]
    return rows.round(4).tolist()


def timeline_data(log: AnyLog, order: NDArray[np.int64]) -> dict[str, Any] | None:
    """Return the unit, the starts of the periods and the packed counts of the shown activities; None without timestamps.

    Variants have none: they do not know when each event was. ``undated`` says how many events of each shown activity are in no
    period.

    >>> days = np.array(["2024-01-30", "2024-03-01"], dtype="datetime64[D]")
    >>> log = EventLog(["a", "b"], [0, 1], [0, 2], ["1"], timestamps=days)
    >>> timeline_data(log, np.array([1]))["starts"][:2]
    ['2024-01-30', '2024-01-31']
    >>> timeline_data(EventLog.from_traces([["a"]]), np.array([0])) is None
    True
    """
    periods = timeline(log) if isinstance(log, EventLog) else None
    if periods is None:
        return None
    return {
        "unit": periods.unit,
        "starts": np.datetime_as_string(periods.starts).tolist(),
        "counts": packed_runs(periods.counts[order]),
        "undated": periods.undated[order].tolist(),
    }


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


def _median_length(variants: Variants) -> float:
    order = np.argsort(variants.lengths)
    upto, last = np.cumsum(variants.weights[order]), variants.n_cases - 1
    middle = np.searchsorted(upto, [last // 2, (last + 1) // 2], "right")
    return float(variants.lengths[order][middle].mean())
