"""Draw the directly-follows graph of a log: its frequent activities and arrows, with the start of a case at the top.

Nodes are laid out in layers: most arrows run downwards, few cross, and nodes stand below their predecessors. The steps are those
of Sugiyama: reverse the arrows that would close a cycle; assign nodes to layers, with a bend wherever an arrow passes a layer;
order each layer so that few arrows cross; and move nodes close to their neighbours.
"""

import textwrap
from collections.abc import Sequence
from graphlib import TopologicalSorter
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from actalike.counting import DirectlyFollows, WindowCounts, directly_follows
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.support.figures import PALETTE, finish, new_figure, shown
from actalike.support.memory import require_memory
from actalike.support.progress import tracked

Curve: TypeAlias = list[tuple[float, float]]  # Bézier curves: a start, then two handles and an end for each piece

START, END = "start", "end"
_LINE = 22  # characters of a line of text
_BOX, _LAYER = 0.52, 1.05  # inches: height of a node, and distance between two layers
_LOOP = 0.42  # inches: width of an arrow from a node to itself
_SWEEPS = 12
_BEND = 0.25  # width that an arrow takes in a layer that it passes


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


class Layout(NamedTuple):
    """Hold the centre of each node (x, and the number of its layer, 0 at the top), and the points of each arrow."""

    places: list[tuple[float, int]]
    routes: list[list[tuple[float, int]]]


@tracked("drawing the graph")
def directly_follows_graph(
    log: EventLog | WindowCounts, top: int = 15, arrows: int | None = None, path: str | Path | None = None
) -> Any:
    """Draw which activity directly follows which, and how often: a box for each activity, an arrow for each pair.

    To stay readable, the picture shows only the ``top`` most frequent activities. Of the arrows between them it shows the most
    frequent one into and out of each activity (if at least a tenth of its events take it), and then the most frequent of all,
    until there are ``arrows`` (by default twice as many as ``top``). A line below the picture says which share of the log that
    is.
    """
    if top < 1 or (arrows is not None and arrows < 0):
        raise ActalikeError(f"top={top}, arrows={arrows}: a graph shows one activity or more, and arrows must not be negative.")
    chosen = frequent_part(directly_follows(log), log.activity_counts.tolist(), top, 2 * top if arrows is None else arrows)
    n = len(chosen.names) - 2
    texts = [_wrapped(name) for name in chosen.names]
    loops = {arrow.start for arrow in chosen.arrows if arrow.start == arrow.end}
    widths = [
        (0.5 if node >= n else max(0.9, 0.25 + 0.075 * max(map(len, texts[node])))) + 2 * _LOOP * (node in loops)
        for node in range(n + 2)
    ]
    layout = layered(widths, [(arrow.start, arrow.end) for arrow in chosen.arrows], chosen.order)
    return finish(_draw(chosen, texts, widths, loops, layout), path)


def _wrapped(name: str) -> list[str]:
    """Return a label as at most two lines."""
    return textwrap.wrap(shown(name, 2 * _LINE - 4), _LINE, break_on_hyphens=False) or [" "]


def _draw(chosen: FrequentPart, texts: list[list[str]], widths: list[float], loops: set[int], layout: Layout) -> Any:
    """Return the figure. One inch of the axes is one inch of the figure, so that texts fit their boxes."""
    n = len(chosen.names) - 2
    bends = [x for route in layout.routes for x, _ in route]
    sides = [x + side * width / 2 for (x, _), width in zip(layout.places, widths, strict=True) for side in (-1, 1)]
    left, right = min(-2.2, *(x - 0.3 for x in bends + sides)), max(2.2, *(x + 0.3 for x in bends + sides))
    depth = max(layer for _, layer in layout.places) * _LAYER
    figure = new_figure(right - left, depth + _BOX + 0.75)
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(left, right)
    axes.set_ylim(depth + _BOX / 2 + 0.5, -_BOX / 2 - 0.25)
    largest = max([arrow.times for arrow in chosen.arrows], default=1)
    taken = [
        (x - width / 2, layer * _LAYER - _BOX / 2, x + width / 2, layer * _LAYER + _BOX / 2)
        for (x, layer), width in zip(layout.places, widths, strict=True)
    ]
    for arrow, route in zip(chosen.arrows, layout.routes, strict=True):
        share = np.sqrt(arrow.times / largest)
        curve = _curve(route) if route else _loop(layout.places[arrow.start], widths[arrow.start])
        _draw_arrow(axes, curve, float(share))
        _draw_count(axes, curve, arrow.times, taken)
    highest = max(chosen.counts[:n])
    for node, (x, layer) in enumerate(layout.places):
        if node >= n:
            axes.text(x, layer * _LAYER, f"{chosen.names[node]}\n{chosen.counts[node]:,}", ha="center", va="center", fontsize=8,
                      bbox={"boxstyle": "circle,pad=0.35", "fc": "#333333", "ec": "none"}, color="white", zorder=3)  # fmt: skip
            continue
        width = widths[node] - 2 * _LOOP * (node in loops)
        _draw_node(axes, (x, layer * _LAYER), width, texts[node], chosen.counts[node], highest)
    axes.text(left + 0.1, depth + _BOX / 2 + 0.38, chosen.remark, fontsize=8, color="#444444")
    return figure


def _draw_node(axes: Any, place: tuple[float, float], width: float, lines: list[str], count: int, highest: int) -> None:
    """Draw the box of an activity, darker if it is more frequent."""
    from matplotlib.patches import FancyBboxPatch

    x, y = place
    box = (x - width / 2 + 0.06, y - _BOX / 2 + 0.06)
    strength = 0.08 + 0.42 * np.sqrt(count / highest)
    colour = tuple(1 - strength * (1 - part) for part in (0.34, 0.7, 0.91))
    axes.add_patch(FancyBboxPatch(box, width - 0.12, _BOX - 0.12, "round,pad=0.06", fc=colour, ec=PALETTE[0], zorder=2.5))
    text = "\n".join(lines)
    size = 8 if len(lines) == 1 else 7
    axes.text(x, y - 0.07, text, ha="center", va="center", fontsize=size, linespacing=0.95, zorder=3)
    axes.text(x, y + 0.165, f"{count:,}", ha="center", va="center", fontsize=6.5, color="#333333", zorder=3)


def _curve(route: list[tuple[float, int]]) -> Curve:
    """Return smooth curves through the points of a route."""
    step = 1 if route[-1][1] > route[0][1] else -1
    points = [(x, layer * _LAYER) for x, layer in route]
    points[0] = (points[0][0], points[0][1] + step * _BOX / 2)
    points[-1] = (points[-1][0], points[-1][1] - step * _BOX / 2)
    if step < 0:  # beside the arrow that runs down, not over it
        points[0], points[-1] = (points[0][0] + 0.18, points[0][1]), (points[-1][0] + 0.18, points[-1][1])
    curve = [points[0]]
    for i, (a, b) in enumerate(pairwise(points)):
        leave = a[1] + (step * _BOX / 2 if i else 0)  # vertical beside the boxes of a layer that the arrow passes
        arrive = b[1] - (step * _BOX / 2 if i < len(points) - 2 else 0)
        middle = (leave + arrive) / 2
        if i:
            curve += [(a[0], a[1]), (a[0], leave), (a[0], leave)]
        curve += [(a[0], middle), (b[0], middle), (b[0], arrive)]
    return curve


def _loop(place: tuple[float, int], width: float) -> Curve:
    """Return a curve from the right side of a box back to it."""
    x, y = place[0] + width / 2 - _LOOP, place[1] * _LAYER
    return [(x, y - 0.14), (x + 1.1 * _LOOP, y - 0.3), (x + 1.1 * _LOOP, y + 0.3), (x, y + 0.14)]


def _draw_arrow(axes: Any, curve: Curve, share: float) -> None:
    """Draw an arrow along a curve, thicker and darker for a larger share."""
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path as DrawnPath

    codes = [DrawnPath.MOVETO, *[DrawnPath.CURVE4] * (len(curve) - 1)]
    grey = 0.72 - 0.47 * share
    axes.add_patch(
        FancyArrowPatch(
            path=DrawnPath(curve, codes),
            arrowstyle="-|>",
            mutation_scale=7 + 4 * share,
            lw=0.6 + 2.6 * share,
            color=(grey, grey, grey),
            shrinkA=0,
            shrinkB=0,
            zorder=1 + share / 2,
        )
    )


def _draw_count(axes: Any, curve: Curve, count: int, taken: list[tuple[float, float, float, float]]) -> None:
    """Write a count on its arrow, at the free place nearest to the middle; in the middle if no place is free."""
    text = f"{count:,}"
    width, height = 0.06 * len(text) + 0.04, 0.13
    boxes = [
        (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        for x, y in (_at(curve, t) for t in (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82))
    ]
    free = [box for box in boxes if not any(_overlap(box, other) for other in taken)]
    box = free[0] if free else boxes[0]
    taken.append(box)
    axes.text(
        (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, text, ha="center", va="center", fontsize=6.5, zorder=2,
        bbox={"boxstyle": "square,pad=0.08", "fc": "white", "ec": "none", "alpha": 0.85},
    )  # fmt: skip


def _at(curve: Curve, share: float) -> tuple[float, float]:
    """Return the point after a share of the pieces of a curve."""
    pieces = (len(curve) - 1) // 3
    piece = min(int(share * pieces), pieces - 1)
    t = share * pieces - piece
    handles = np.array(curve[3 * piece : 3 * piece + 4])
    weights = np.array([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
    x, y = weights @ handles
    return float(x), float(y)


def _overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


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


def layered(widths: Sequence[float], arrows: Sequence[tuple[int, int]], order: Sequence[int], gap: float = 0.3) -> Layout:
    """Return places for nodes, given their widths; nodes are numbered from 0. An arrow from a node to itself has no route.

    If not all arrows can run downwards, those that come first in ``arrows`` do. The first node of ``order`` stands alone at the
    top and the last one alone at the bottom. A node that no downward arrow leads to stands below a node that precedes it in the
    order.

    >>> layered([1, 1, 1], [(0, 1), (1, 2), (2, 1)], order=[0, 1, 2]).places
    [(0.0, 0), (0.0, 1), (0.0, 2)]
    """
    n = len(widths)
    below = _downwards(arrows, order)
    down = [(a, b) if b in below[a] else (b, a) for a, b in arrows if a != b]
    layer = _layers(below)
    chains, layer, wide = _bends(down, layer, list(widths))
    rows = _ordered_rows(layer, [pair for chain in chains for pair in pairwise(chain)])
    x = _coordinates(rows, chains, wide, gap, n)
    routes: list[list[tuple[float, int]]] = []
    remaining = iter(chains)
    for a, b in arrows:
        chain = [] if a == b else next(remaining)
        routes.append([(x[node], layer[node]) for node in (chain if b in below[a] else chain[::-1])])
    return Layout([(x[node], layer[node]) for node in range(n)], routes)


def _downwards(arrows: Sequence[tuple[int, int]], order: Sequence[int]) -> dict[int, set[int]]:
    """Return which nodes must stand below each node, without cycles."""
    below: dict[int, set[int]] = {node: set() for node in order}
    first, last = order[0], order[-1]
    below[first] |= set(order) - {first}
    for node in order:
        below[node] |= {last} - {node}

    for a, b in arrows:
        if not _reaches(below, b, a):
            below[a].add(b)
    followed = {b for a, b in arrows if b in below[a]}
    for i, node in enumerate(order[1:-1], start=1):
        if node not in followed:
            above = (before for before in order[i - 1 : 0 : -1] if not _reaches(below, node, before))
            below[next(above, first)].add(node)
    return below


def _reaches(below: dict[int, set[int]], a: int, b: int) -> bool:
    """Return whether a path leads down from a to b."""
    seen, todo = {a}, [a]
    while todo:
        node = todo.pop()
        if node == b:
            return True
        new = below[node] - seen
        seen |= new
        todo += new
    return False


def _layers(below: dict[int, set[int]]) -> list[int]:
    """Return the layer of each node: one below the lowest node that must stand above it."""
    above = {node: [other for other in below if node in below[other]] for node in below}
    layer: dict[int, int] = {}
    for node in TopologicalSorter(above).static_order():
        layer[node] = max((layer[other] + 1 for other in above[node]), default=0)
    return [layer[node] for node in range(len(below))]


def _bends(
    down: Sequence[tuple[int, int]], layer: list[int], widths: list[float]
) -> tuple[list[list[int]], list[int], list[float]]:
    """Return the arrows as chains of nodes in adjacent layers, with new nodes (bends) in the layers that they pass.

    The layers and widths are returned with those of the bends appended.
    """
    layer, widths = list(layer), list(widths)
    chains = []
    for a, b in down:
        bends = list(range(len(layer), len(layer) + layer[b] - layer[a] - 1))
        layer += range(layer[a] + 1, layer[b])
        widths += [_BEND] * len(bends)
        chains.append([a, *bends, b])
    return chains, layer, widths


def _ordered_rows(layer: Sequence[int], segments: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return the nodes of each layer in an order with few crossings, sorted repeatedly by the mean place of neighbours."""
    rows: list[list[int]] = [[] for _ in range(max(layer) + 1)]
    for node, number in enumerate(layer):
        rows[number].append(node)
    best, fewest = [list(row) for row in rows], crossings(rows, segments)
    above: dict[int, list[int]] = {node: [] for node in range(len(layer))}
    below: dict[int, list[int]] = {node: [] for node in range(len(layer))}
    for a, b in segments:
        above[b].append(a)
        below[a].append(b)
    for sweep in range(_SWEEPS):
        neighbours = above if sweep % 2 == 0 else below
        for row in rows if sweep % 2 == 0 else rows[::-1]:
            place = {node: i for other in rows for i, node in enumerate(other)}
            mean = {
                node: np.mean([place[other] for other in neighbours[node]]) if neighbours[node] else place[node] for node in row
            }
            row.sort(key=lambda node: (mean[node], place[node]))
        n_crossings = crossings(rows, segments)
        if n_crossings < fewest:
            best, fewest = [list(row) for row in rows], n_crossings
    return best


def crossings(rows: Sequence[Sequence[int]], segments: Sequence[tuple[int, int]]) -> int:
    """Count the pairs of arrows that cross between the layers.

    >>> crossings([[0, 1], [2, 3]], [(0, 3), (1, 2)])
    1
    """
    place = {node: i for row in rows for i, node in enumerate(row)}
    number = {node: i for i, row in enumerate(rows) for node in row}
    a = np.array([(number[a], place[a], place[b]) for a, b in segments]).reshape(-1, 3)
    same = a[:, np.newaxis, 0] == a[:, 0]
    crossed = (a[:, np.newaxis, 1] < a[:, 1]) & (a[:, np.newaxis, 2] > a[:, 2])
    return int((same & crossed).sum())


def _coordinates(
    rows: Sequence[Sequence[int]], chains: Sequence[Sequence[int]], widths: Sequence[float], gap: float, n: int
) -> dict[int, float]:
    """Return the x of each node: as near to the mean of its neighbours as the order and the widths allow."""
    x: dict[int, float] = {}
    for row in rows:
        ends = np.cumsum([widths[node] + gap for node in row])
        x.update({node: float(end - (widths[node] + gap) / 2 - ends[-1] / 2) for node, end in zip(row, ends, strict=True)})
    neighbours: dict[int, list[tuple[int, float]]] = {node: [] for node in x}
    for chain in chains:
        for a, b in pairwise(chain):
            weight = 8.0 if a >= n and b >= n else 2.0 if a >= n or b >= n else 1.0  # long arrows should be straight
            neighbours[a].append((b, weight))
            neighbours[b].append((a, weight))
    for sweep in range(6 * _SWEEPS):
        for row in rows if sweep % 2 == 0 else rows[::-1]:
            weights = [sum((w for _, w in neighbours[a]), 0.1) for a in row]
            sums = [sum((x[b] * w for b, w in neighbours[a]), 0.1 * x[a]) for a in row]
            targets = [total / weight for total, weight in zip(sums, weights, strict=True)]
            min_gaps = [(widths[a] + widths[b]) / 2 + gap for a, b in pairwise(row)]
            x.update(zip(row, spread(targets, min_gaps, weights), strict=True))
    middle = (min(x[node] for node in range(n)) + max(x[node] for node in range(n))) / 2
    return {node: round(value - middle, 6) + 0.0 for node, value in x.items()}


def spread(targets: Sequence[float], min_gaps: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Return the numbers nearest to the targets (weighted least squares) that keep a minimal gap between successive numbers.

    >>> spread([0, 0, 5], min_gaps=[2, 2], weights=[1, 1, 1])
    [-1.0, 1.0, 5.0]
    """
    offsets = np.concatenate([[0.0], np.cumsum(min_gaps)])
    numbers: list[float] = (isotonic_regression(targets - offsets, weights=weights).x + offsets).tolist()
    return numbers
