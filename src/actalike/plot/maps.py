"""Draw the map of activities, in which similar activities are close together."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from actalike.counting import directly_follows
from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.labels import THIN_CASES, group
from actalike.log import EventLog
from actalike.plot.label_placement import in_points, place_labels, settle
from actalike.plot.neighbour_layout import neighbour_layout
from actalike.support.figures import GREY, PALETTE, finish, new_figure
from actalike.support.progress import tracked

_BEND = 0.15  # curvature of an arrow, so that the arrows of both directions do not coincide


@tracked("drawing the map")
def activity_map(
    embedding: Embedding, log: EventLog | None = None, arrows: int = 0, title: str = "", path: str | Path | None = None
) -> Any:
    """Draw a dot for each activity, with similar activities close together.

    The places come from neighbour ranks: the nearest by the embedding lie around each dot, as far as a plane allows; lengths mean
    nothing. If the log is given, the activities of a group of synonyms or alternatives (:func:`actalike.group`) have the same
    colour, all others are grey, and those that are too rare to judge are faint.
    The area of a dot grows with the frequency of its activity. ``arrows`` is the number of directly-follows pairs to show, the
    most frequent first.
    """
    if arrows and log is None:
        raise ActalikeError(f"arrows={arrows} need the log: pass it as well.")
    if log is not None and log.activities != embedding.activities:
        raise ActalikeError("The log has other activities than the embedding: give the log that was embedded.")
    places = neighbour_layout(embedding.distances())
    n = len(embedding.activities)
    areas = np.full(n, 90.0) if log is None else 30 + 450 * np.sqrt(log.activity_counts / log.activity_counts.max())
    colours = [PALETTE[0]] * n if log is None else _group_colours(log)
    figure = new_figure(11, 8)
    axes = figure.subplots()
    axes.scatter(places[:, 0], places[:, 1], s=areas, c=colours, alpha=_opacities(log, n), linewidths=0)
    axes.margins(0.12, 0.08)
    axes.set_xticks([])
    axes.set_yticks([])
    for side in axes.spines.values():
        side.set_color("#cccccc")
    axes.set_title(title, loc="left", fontsize=12)
    axes.set_xlabel(" ", fontsize=9)  # room for a remark
    settle(figure)
    lines = _draw_arrows(axes, places, areas, log, arrows) if log is not None and arrows else None
    left_out = place_labels(axes, embedding.activities, places, areas, colours, lines)
    if left_out:
        axes.set_xlabel(f"There is no room for the labels of {left_out} more activities.", fontsize=9, loc="left")
    return finish(figure, path)


def _opacities(log: EventLog | None, n: int) -> NDArray[np.float64]:
    """Return the opacity of each dot: faint for an activity in few cases, about which the log says little."""
    return np.full(n, 0.75) if log is None else np.where(log.activity_cases < THIN_CASES, 0.35, 0.75)


def _group_colours(log: EventLog) -> list[str]:
    """Return a colour for each activity: that of its group of synonyms or alternatives, grey for one in neither."""
    groups = [found for found in group(log) if found.relation in ("synonyms", "alternatives")]
    colour = {label: PALETTE[i % len(PALETTE)] for i, proposal in enumerate(groups) for label in proposal.activities}
    return [colour.get(label, GREY) for label in log.activities]


def _draw_arrows(
    axes: Any, places: NDArray[np.float64], areas: NDArray[np.float64], log: EventLog, n_arrows: int
) -> NDArray[np.float64]:
    """Draw curved arrows for the most frequent pairs of different activities, wider if more frequent; return points on them."""
    graph = directly_follows(log)
    pairs = [
        (a, b, count)
        for a, b, count in zip(graph.first.tolist(), graph.second.tolist(), graph.counts.tolist(), strict=True)
        if a != b and np.abs(places[a] - places[b]).max() > 1e-9
    ][:n_arrows]
    along = np.linspace(0, 1, 40)[:, np.newaxis]
    points = in_points(axes, places)
    line_points = [np.zeros((0, 2))]
    for a, b, count in pairs:
        axes.annotate(
            "",
            places[b],
            places[a],
            arrowprops={
                "arrowstyle": "-|>,head_width=0.25,head_length=0.5",
                "connectionstyle": f"arc3,rad={_BEND}",
                "color": "#444444",
                "alpha": 0.4,
                "lw": 0.5 + 2 * np.sqrt(count / pairs[0][2]),
                "shrinkA": np.sqrt(areas[a]) / 2,
                "shrinkB": np.sqrt(areas[b]) / 2,
            },
            zorder=1.5,
        )
        (x, y), (dx, dy) = (points[a] + points[b]) / 2, points[b] - points[a]
        bend = np.array([x + _BEND * dy, y - _BEND * dx])  # the control point that matplotlib uses
        line_points.append((1 - along) ** 2 * points[a] + 2 * along * (1 - along) * bend + along**2 * points[b])
    return np.concatenate(line_points)
