"""The map of activities: alike activities lie close together."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from actalike.counting import directly_follows
from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.labels import group
from actalike.log import EventLog
from actalike.plot.label_placement import in_points, place_labels, settle
from actalike.support.figures import GREY, PALETTE, finish, new_figure

_BEND = 0.15  # of an arrow, so that there and back are two


def activity_map(
    embedding: Embedding, log: EventLog | None = None, arrows: int = 0, title: str = "", path: str | Path | None = None
) -> Any:
    """Draw the map: a dot for each activity, alike activities close together.

    The places are found by metric scaling of the distances, scaled to 0..1. With the log, the activities of a group that
    :func:`actalike.group` proposes have one colour, an activity in no group is grey; a dot's area grows with how often its
    activity occurs; and ``arrows`` shows so many of the most frequent pairs of which one directly follows the other.
    """
    if arrows and log is None:
        raise ActalikeError(f"arrows={arrows} need the log: give it too.")
    if log is not None and log.activities != embedding.activities:
        raise ActalikeError("The log has other activities than the embedding: give the log that was embedded.")
    distances = scaled(embedding.distances())
    places = positions(distances)
    n = len(embedding.activities)
    areas = np.full(n, 90.0) if log is None else 30 + 450 * np.sqrt(log.activity_counts / log.activity_counts.max())
    colours = [PALETTE[0]] * n if log is None else _group_colours(embedding, log)
    figure = new_figure(11, 8)
    axes = figure.subplots()
    axes.scatter(places[:, 0], places[:, 1], s=areas, c=colours, alpha=0.75, linewidths=0)
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


def _group_colours(embedding: Embedding, log: EventLog) -> list[str]:
    """Return a colour for each activity: that of its group, grey for one in no group. Scores have no scale, so no groups."""
    groups = group(log, embedding=embedding) if embedding.compare == "cosine" else []
    colour = {label: PALETTE[i % len(PALETTE)] for i, proposal in enumerate(groups) for label in proposal.activities}
    return [colour.get(label, GREY) for label in embedding.activities]


def scaled(distances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distances from 0 to 1, the least to the most; 0 for an activity and itself, also where scores say otherwise.

    >>> scaled(np.array([[-4.0, -1.0], [-1.0, -3.0]])).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    low, high = distances.min(), distances.max()
    found = (distances - low) / (high - low) if high > low else np.zeros_like(distances)
    np.fill_diagonal(found, 0.0)
    return found


def positions(distances: NDArray[np.float64], rounds: int = 200) -> NDArray[np.float64]:
    """Places in the plane whose distances are as near to the given ones as can be (metric scaling).

    Classical scaling gives the start, stress majorisation the rest; nothing is left to chance, and the signs of the axes are
    fixed, so the same distances give the same map.

    >>> positions(np.array([[0.0, 1.0], [1.0, 0.0]])).round(6).tolist()
    [[0.5, 0.0], [-0.5, 0.0]]
    """
    n = len(distances)
    centring = np.eye(n) - 1 / n
    values, axes = np.linalg.eigh(-centring @ distances**2 @ centring / 2)
    order = np.argsort(values)[::-1][:2]
    places = np.zeros((n, 2))
    places[:, : len(order)] = axes[:, order] * np.sqrt(values[order].clip(min=0))
    places += _apart(places, distances)
    for _ in range(rounds):  # each round moves every dot to where the others, on average, want it
        actual = np.sqrt(((places[:, np.newaxis] - places) ** 2).sum(axis=2))
        pull = np.divide(distances, actual, out=np.zeros_like(actual), where=actual > 1e-9)
        places = (pull.sum(axis=1)[:, np.newaxis] * places - pull @ places) / n
    places[:, np.abs(places).max(axis=0) < 1e-9] = 0.0
    largest = np.abs(places).round(9).argmax(axis=0)
    return places * np.where(places[largest, range(2)] < 0, -1.0, 1.0)


def _apart(places: NDArray[np.float64], distances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Small steps, along a spiral, for dots that lie on another one although they are not alike: else nothing parts them."""
    gaps = np.abs(places[:, np.newaxis] - places).max(axis=2)
    stuck = ((gaps < 1e-6) & (distances > 1e-3)).any(axis=1)
    turn = np.arange(len(places)) * 2.399963  # the golden angle: no two directions are the same
    radius = 0.01 * np.sqrt(np.arange(len(places)) + 1)
    return np.where(stuck[:, np.newaxis], np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1), 0.0)


def _draw_arrows(
    axes: Any, places: NDArray[np.float64], areas: NDArray[np.float64], log: EventLog, most: int
) -> NDArray[np.float64]:
    """Curved arrows for the most frequent pairs of different activities, wider for more frequent ones; points along them."""
    graph = directly_follows(log)
    pairs = [
        (a, b, count)
        for a, b, count in zip(graph.first.tolist(), graph.second.tolist(), graph.counts.tolist(), strict=True)
        if a != b and np.abs(places[a] - places[b]).max() > 1e-9
    ][:most]
    along = np.linspace(0, 1, 40)[:, np.newaxis]
    points = in_points(axes, places)
    passed = [np.zeros((0, 2))]
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
        bend = np.array([x + _BEND * dy, y - _BEND * dx])  # where matplotlib has it
        passed.append((1 - along) ** 2 * points[a] + 2 * along * (1 - along) * bend + along**2 * points[b])
    return np.concatenate(passed)
