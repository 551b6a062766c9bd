"""Draw the directly-follows graph of a log: its frequent activities and arrows, with the start of a case at the top."""

import textwrap
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from actalike.counting import WindowCounts, directly_follows
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.plot.frequent_part import FrequentPart, frequent_part
from actalike.plot.layered_layout import Layout, layered
from actalike.support.figures import PALETTE, finish, new_figure, shown
from actalike.support.progress import tracked

Curve: TypeAlias = list[tuple[float, float]]  # Bézier curves: a start, then two handles and an end for each piece

_LINE = 22  # characters of a line of text
_BOX, _LAYER = 0.52, 1.05  # inches: height of a node, and distance between two layers
_LOOP = 0.42  # inches: width of an arrow from a node to itself


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
