"""Hand the timeline of a log to the page: how often each shown activity was used, by period."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from actalike.log import AnyLog, EventLog, timeline
from actalike.report.packing import packed_runs


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
