"""The part of a directly-follows graph that a picture has room for, and in which order a case goes through it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.counting import DirectlyFollows

START, END = "start", "end"


class Arrow(NamedTuple):
    """How often one node directly follows another, by number."""

    start: int
    end: int
    times: int


class FrequentPart(NamedTuple):
    """What of a graph is shown: names and counts of the nodes (the last two: where cases start and end), arrows, an order."""

    names: list[str]
    counts: list[int]
    arrows: list[Arrow]
    order: list[int]
    remark: str


def frequent_part(graph: DirectlyFollows, counts: Sequence[int], top: int, most: int) -> FrequentPart:
    """The ``top`` most frequent activities and ``most`` arrows: the most frequent in and out of each, then the most frequent."""
    kept = sorted(sorted(range(len(counts)), key=lambda i: (-counts[i], i))[:top])
    number = {activity: i for i, activity in enumerate(kept)}
    start, end = len(kept), len(kept) + 1
    arrows = [
        Arrow(number[a], number[b], count)
        for a, b, count in zip(graph.first.tolist(), graph.second.tolist(), graph.counts.tolist(), strict=True)
        if a in number and b in number
    ]
    arrows += [Arrow(start, i, int(graph.starts[activity])) for activity, i in number.items() if graph.starts[activity]]
    arrows += [Arrow(i, end, int(graph.ends[activity])) for activity, i in number.items() if graph.ends[activity]]
    arrows.sort(key=lambda arrow: (-arrow.times, arrow.start, arrow.end))
    wanted: dict[Arrow, None] = {}
    for place in (0, 1) if most else ():  # out of each node, and into it
        seen = {start, end}
        for arrow in arrows:
            node = arrow[place]
            if arrow.start != arrow.end and node not in seen:
                seen.add(node)
                if arrow.times >= counts[kept[node]] / 10:
                    wanted[arrow] = None
    for arrow in arrows:
        if len(wanted) < most:
            wanted[arrow] = None
    found = [arrow for arrow in arrows if arrow in wanted]
    steps = int(graph.counts.sum() + graph.starts.sum() + graph.ends.sum())
    n_all = len(graph.counts) + int((graph.starts > 0).sum() + (graph.ends > 0).sum())
    remark = (
        f"{len(kept)} of {len(counts):,} activities, {len(found)} of {n_all:,} arrows: "
        f"{sum(arrow.times for arrow in found) / steps:.1%} of all steps"
    )
    names = [graph.activities[activity] for activity in kept]
    numbers = [counts[activity] for activity in kept]
    progress = expected_progress(graph)[kept]
    order = [start, *np.argsort(progress, kind="stable").tolist(), end]
    return FrequentPart([*names, START, END], [*numbers, int(graph.starts.sum()), int(graph.ends.sum())], found, order, remark)


def expected_progress(graph: DirectlyFollows) -> NDArray[np.float64]:
    """For each activity how far its case is, on average, from 0 (start) to 1 (end), as the graph alone tells.

    With h the mean number of steps to the end of a walk along the arrows, as frequent as they are, and g the same backwards to
    the start: ``g / (g + h)``.

    >>> from actalike import EventLog
    >>> from actalike.counting import directly_follows
    >>> expected_progress(directly_follows(EventLog.from_traces([["a", "b", "c"]]))).tolist()
    [0.25, 0.5, 0.75]
    """
    n = len(graph.activities)
    follows = np.zeros((n, n))
    follows[graph.first, graph.second] = graph.counts
    steps = []
    for matrix, leaving in ((follows.T, graph.starts), (follows, graph.ends)):
        chances = matrix / (matrix.sum(axis=1) + leaving)[:, np.newaxis]
        steps.append(np.linalg.solve(np.eye(n) - chances, np.ones(n)))
    since, until = steps
    return np.asarray((since / (since + until)).round(12))
