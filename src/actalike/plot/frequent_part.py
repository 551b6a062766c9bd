"""Select the part of a directly-follows graph that fits into a picture, and order its activities from start to end."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.counting import DirectlyFollows
from actalike.support.memory import require_memory

START, END = "start", "end"


class Arrow(NamedTuple):
    """Hold how often the node ``end`` directly follows the node ``start``; nodes are numbered."""

    start: int
    end: int
    times: int


class FrequentPart(NamedTuple):
    """Hold the nodes and arrows to show. The last two nodes are the start and the end of the cases.

    ``order`` lists the nodes from start to end; ``remark`` says which share of the log is shown.
    """

    names: list[str]
    counts: list[int]
    arrows: list[Arrow]
    order: list[int]
    remark: str


def frequent_part(graph: DirectlyFollows, counts: Sequence[int], top: int, n_arrows: int) -> FrequentPart:
    """Return the ``top`` most frequent activities and about ``n_arrows`` arrows between them.

    The most frequent arrow into and out of each activity is included if at least a tenth of its events take it; then follow the
    most frequent arrows of all.
    """
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
    chosen: dict[Arrow, None] = {}
    for place in (0, 1) if n_arrows else ():  # out of each node, and into it
        seen = {start, end}
        for arrow in arrows:
            node = arrow[place]
            if arrow.start != arrow.end and node not in seen:
                seen.add(node)
                if arrow.times >= counts[kept[node]] / 10:
                    chosen[arrow] = None
    for arrow in arrows:
        if len(chosen) < n_arrows:
            chosen[arrow] = None
    shown = [arrow for arrow in arrows if arrow in chosen]
    steps = int(graph.counts.sum() + graph.starts.sum() + graph.ends.sum())
    n_all = len(graph.counts) + int((graph.starts > 0).sum() + (graph.ends > 0).sum())
    remark = (
        f"{len(kept)} of {len(counts):,} activities, {len(shown)} of {n_all:,} arrows: "
        f"{sum(arrow.times for arrow in shown) / steps:.1%} of all steps"
    )
    names = [graph.activities[activity] for activity in kept]
    numbers = [counts[activity] for activity in kept]
    progress = expected_progress(graph)[kept]
    order = [start, *np.argsort(progress, kind="stable").tolist(), end]
    return FrequentPart([*names, START, END], [*numbers, int(graph.starts.sum()), int(graph.ends.sum())], shown, order, remark)


def expected_progress(graph: DirectlyFollows) -> NDArray[np.float64]:
    """Return how far a case has come at each activity, from 0 (start) to 1 (end), estimated from the graph alone.

    Take a random walk along the arrows, with probabilities proportional to their counts. h is the mean number of steps from an
    activity to the end, g the same backwards to the start. The progress is ``g / (g + h)``.

    >>> from actalike import EventLog
    >>> from actalike.counting import directly_follows
    >>> expected_progress(directly_follows(EventLog.from_traces([["a", "b", "c"]]))).tolist()
    [0.25, 0.5, 0.75]
    """
    n = len(graph.activities)
    require_memory(5 * 8 * n * n, f"The order of {n:,} activities", "merge rare activities first (actalike relabel)")
    follows = np.zeros((n, n))
    follows[graph.first, graph.second] = graph.counts
    steps = []
    for matrix, leaving in ((follows.T, graph.starts), (follows, graph.ends)):
        probabilities = matrix / (matrix.sum(axis=1) + leaving)[:, np.newaxis]
        steps.append(np.linalg.solve(np.eye(n) - probabilities, np.ones(n)))
    from_start, to_end = steps
    return np.asarray((from_start / (from_start + to_end)).round(12))
