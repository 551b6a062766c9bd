"""Gather what a page needs to draw the flow of a log: what follows what, and where in a case activities are."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from actalike.counting import DirectlyFollows
from actalike.log import AnyLog, relative_positions
from actalike.report.packing import packed

_MOST_ARROWS = 150_000  # of the directly-follows graph: the most frequent


def follows_data(graph: DirectlyFollows, number: dict[str, int]) -> dict[str, Any]:
    """Return the arrows among shown activities, the most frequent first, and how many cases begin and end with each activity."""
    code = np.array([number.get(label, -1) for label in graph.activities])
    first, second = code[graph.first], code[graph.second]
    shown = np.flatnonzero((first >= 0) & (second >= 0))[:_MOST_ARROWS]
    where = [graph.activities.index(label) for label in number]
    return {
        "first": packed(first[shown].astype(np.uint16)),
        "second": packed(second[shown].astype(np.uint16)),
        "counts": packed(graph.counts[shown].clip(max=2**32 - 1).astype(np.uint32)),
        "starts": graph.starts[where].tolist(),
        "ends": graph.ends[where].tolist(),
    }


def positions_data(log: AnyLog, order: NDArray[np.int64]) -> list[list[float]]:
    """Return the least, the quartiles, the largest and the mean relative position of each shown activity."""
    relative = relative_positions(log)
    rows = np.column_stack([relative.quartiles, relative.means])[order]
    return rows.round(4).tolist()
