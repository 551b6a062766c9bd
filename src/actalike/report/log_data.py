"""Gather what every page says of a log: figures, how it was understood, what follows what, where and when activities are."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from actalike.counting import DirectlyFollows
from actalike.labels import period_words
from actalike.log import AnyLog, EventLog, Reading, Variants, relative_positions, timeline
from actalike.report.packing import packed, packed_runs
from actalike.support.text import counted, percent, visible_spaces

_SHOWN_FILES = 5
_LIFECYCLES = {"ignore": "ignored", "complete": "only complete, {} left out", "append": "appended to the activity"}
_CASES = {"joined": ", equal case ids are one case", "separate": ", cases called by file and id"}
_MOST_ARROWS = 150_000  # of the directly-follows graph: the most frequent


def log_facts(log: AnyLog) -> dict[str, Any]:
    """Return counts, and the log at a glance (``glance``): terms, their values, remarks.

    >>> from actalike import EventLog
    >>> facts = log_facts(EventLog.from_traces([["a", "b", "c"], ["a", "c"]]))
    >>> facts["events"], facts["glance"][3]
    (5, ['Events per case', '2 to 3', 'median 2.5'])
    """
    counts = log.statistics()
    first, last = _period(log)
    lengths = dict.fromkeys(f"{counts[key]:,}" for key in ("min_length", "max_length"))
    period = ["none", "no timestamps"] if first is None else [first, "one day" if first == last else f"to {last}"]
    glance = [
        ["Cases", f"{counts['cases']:,}", ""],
        ["Events", f"{counts['events']:,}", ""],
        ["Variants", f"{counts['variants']:,}", f"{percent(counts['variants_per_case'])} of cases"],
        ["Events per case", " to ".join(lengths), f"median {_median_length(log.variants):,g}"],
        ["Period", *period],
    ]
    return {key: counts[key] for key in ("cases", "events", "activities")} | {"glance": glance}


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
    return {**names, "reading": None if log.reading is None else _reading_data(log.reading)}


def _reading_data(reading: Reading) -> dict[str, Any]:
    """Return how a log was read: terms with what was taken for them, and remarks on what may be wrong with that.

    >>> data = _reading_data(Reading("orders.csv", case="Order", activity="Step", timestamp="At", order=("At",)))
    >>> data["facts"], data["remarks"]
    ([['Case', 'Order'], ['Activity', 'Step'], ['Time', 'At (events sorted by it)']], [])
    """
    order = "events sorted by it" if reading.order else "events in file order"
    facts = {"Case": reading.case, "Activity": reading.activity, "Time": f"{reading.timestamp or 'none'} ({order})"}
    if reading.transition is not None:
        facts["Lifecycle"] = f"{reading.transition} ({_LIFECYCLES[reading.lifecycle]})".format(counted(reading.left_out, "event"))
    if reading.name is not None:
        facts["Second names"] = f"{reading.name} (of {counted(reading.named_labels, 'label')})"
    if reading.attributes:
        facts["Also read"] = ", ".join(reading.attributes)
    if reading.files:
        more = f", and {len(reading.files) - _SHOWN_FILES:,} more" if len(reading.files) > _SHOWN_FILES else ""
        facts["Files"] = f"{', '.join(reading.files[:_SHOWN_FILES])}{more}{_CASES.get(reading.joined_cases or '', '')}"
    if missing := reading.missing_words():
        facts["Missing values"] = "; ".join(missing)
    if reading.unnamed_cases:
        facts["Cases without a name"] = f"{reading.unnamed_cases:,}, called by their number"
    return {"facts": [list(fact) for fact in facts.items()], "remarks": reading.remarks()}


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
    """Return the median and the mean relative position of each shown activity."""
    relative = relative_positions(log)
    return np.column_stack([relative.quartiles[:, 2], relative.means])[order].round(4).tolist()


def timeline_data(log: AnyLog, order: NDArray[np.int64]) -> dict[str, Any] | None:
    """Return the unit, the periods (their starts, and in words) and the packed counts of the shown activities.

    None without timestamps.

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
        "words": [period_words(start, periods.unit) for start in periods.starts],
        "counts": packed_runs(periods.counts[order]),
        "undated": periods.undated[order].tolist(),
    }


def _period(log: AnyLog) -> tuple[str | None, str | None]:
    """Return the first and the last day; variants know on which days labels are used first in their cases."""
    if isinstance(log, Variants):
        days = None if log.uses is None or log.uses.days is None else log.uses.days.keys[:, 2].astype("datetime64[D]")
    else:
        days = None if log.timestamps is None else log.timestamps[~np.isnat(log.timestamps)].astype("datetime64[D]")
    return (None, None) if days is None or not len(days) else (str(days.min()), str(days.max()))


def _median_length(variants: Variants) -> float:
    order = np.argsort(variants.lengths)
    upto, last = np.cumsum(variants.weights[order]), variants.n_cases - 1
    middle = np.searchsorted(upto, [last // 2, (last + 1) // 2], "right")
    return float(variants.lengths[order][middle].mean())
