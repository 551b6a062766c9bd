"""Draw embeddings: a map of the activities, dots by principal components, and heat maps."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.embedding import Embedding
from actalike.errors import ActalikeError, UnknownActivityError, did_you_mean
from actalike.grouping import group
from actalike.labels import THIN_CASES
from actalike.log import EventLog
from actalike.plot.logs import by_name
from actalike.plot.neighbour_layout import neighbour_layout
from actalike.support.figures import GREY, PALETTE, all_shown, boxes_for_missing_glyphs, finish, new_figure, shown
from actalike.support.memory import require_memory
from actalike.support.progress import tracked

_MANY = 100  # with more activities, dots are smaller
_ROW, _MAX_HEIGHT = 0.15, 16.0  # inches
_LABEL_GAP = 0.1  # inches between two labels, at least
_STEPS = sorted(range(-12, 13), key=lambda step: (abs(step), step))  # positions above and below a dot, in half lines
_FONT = 8.5


class Projected(NamedTuple):
    """Hold the positions of activities, and the share of the variance of each axis."""

    places: NDArray[np.float64]
    shares: tuple[float, ...]


@tracked("drawing the map")
def activity_map(embedding: Embedding, log: EventLog | None = None, title: str = "", path: str | Path | None = None) -> Any:
    """Draw a dot for each activity, with similar activities close together.

    The places come from neighbour ranks: the nearest by the embedding lie around each dot, as far as a plane allows; lengths mean
    nothing. If the log is given, the activities of a group of synonyms or alternatives (:func:`actalike.group`) have the same
    colour, all others are grey, and those that are too rare to judge are faint.
    The area of a dot grows with the frequency of its activity.
    """
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
    left_out = place_labels(axes, embedding.activities, places, areas, colours)
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


@tracked("drawing the embedding")
def embedding_scatter(
    embeddings: Mapping[str, Embedding] | Embedding, groups: Mapping[str, str] | None = None, path: str | Path | None = None
) -> Any:
    """Draw the activities as dots by the first two principal components, a panel for each embedding.

    Each panel is scaled to its farthest dot, so that panels can be compared by shape. ``groups`` maps activities to groups:
    members of a group have the same colour, other activities are grey.
    """
    default = (embeddings.method or "embedding") if isinstance(embeddings, Embedding) else ""
    named = by_name(embeddings, default, "embedding")
    colour_of, names = _colours(named, groups or {})
    columns = min(3, len(named))
    rows = -(-len(named) // columns)
    figure = new_figure(9, 7.5) if len(named) == 1 else new_figure(1 + 5.2 * columns, 0.6 + 4.8 * rows)
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    drawn: list[tuple[Any, ...]] = []
    for axes, (name, embedding) in zip(panels, named.items(), strict=False):
        projected = principal_components(embedding, 2)
        places = projected.places / (np.abs(projected.places).max() or 1.0)
        colours = [colour_of.get(label, GREY) for label in embedding.activities]
        area = 12.0 if len(places) > _MANY else 42.0
        _draw_dots(axes, places, colours, area)
        for axis, number, share in zip((axes.xaxis, axes.yaxis), (1, 2), projected.shares, strict=True):
            axis.set_label_text(f"component {number} ({share:.0%} of the variance)", fontsize=8)
        axes.set_title(shown(name, 60), fontsize=10)
        drawn.append((axes, embedding.activities, places, np.full(len(places), area), colours))
    for axes in panels[len(named) :]:
        axes.remove()
    if names:
        dots = [panels[0].plot([], [], "o", color=colour, label=shown(name))[0] for name, colour in names.items()]
        _add_legend(figure, dots)
    remarks = [figure.supxlabel(" ", fontsize=8)] if not names else []  # reserves room for a remark
    settle(figure)
    left_out = [place_labels(*panel) for panel in drawn]
    if any(left_out) and remarks:
        remarks[0].set_text(f"There is no room for the labels of {max(left_out)} more activities.")
    return finish(figure, path)


def _add_legend(figure: Any, dots: list[Any]) -> None:
    """Put a legend below the panels, in as many columns, four at most, as the figure is wide enough for."""
    for columns in range(min(len(dots), 4), 0, -1):
        legend = figure.legend(handles=dots, loc="outside lower center", ncols=columns, fontsize=9, frameon=False)
        if columns == 1 or legend.get_window_extent().width <= figure.bbox.width:
            break
        legend.remove()


def _draw_dots(axes: Any, places: NDArray[np.float64], colours: list[str], area: float) -> None:
    axes.scatter(places[:, 0], places[:, 1], s=area, c=colours, alpha=0.8, linewidths=0)
    axes.set_xlim(-1.12, 1.12)
    axes.set_ylim(-1.12, 1.12)
    axes.set_xticks([-1, 0, 1], ["", "0", ""])
    axes.set_yticks([-1, 0, 1], ["", "0", ""])
    axes.grid(alpha=0.25)


def _colours(named: Mapping[str, Embedding], groups: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the colour of each activity that is in a group, and the colour of each group."""
    known = {label for embedding in named.values() for label in embedding.activities}
    for label in groups:
        if label not in known:
            raise UnknownActivityError(f"groups: no activity is called {label!r}.{did_you_mean(label, sorted(known))}")
    names = {name: PALETTE[i % len(PALETTE)] for i, name in enumerate(dict.fromkeys(groups.values()))}
    return {label: names[name] for label, name in groups.items()}, names


def principal_components(embedding: Embedding, dimensions: int) -> Projected:
    """Return the first principal components of the vectors, computed from inner products so that sparse vectors stay sparse.

    The sign of each component is chosen so that the coordinate farthest from 0 is positive.

    >>> projected = principal_components(Embedding(["a", "b", "c"], np.array([[0.0, 1.0], [0.0, 2.0], [0.0, 6.0]])), 2)
    >>> projected.places.round(6).tolist(), projected.shares
    ([[-2.0, 0.0], [-1.0, 0.0], [3.0, 0.0]], (1.0, 0.0))
    """
    n = len(embedding.activities)
    require_memory(5 * 8 * n * n, f"A scatter plot of {n:,} activities", "draw a part of them")
    product = embedding.stored_vectors @ embedding.stored_vectors.T
    inner = product.toarray() if hasattr(product, "toarray") else product
    centring = np.eye(n) - 1 / n
    values, axes = np.linalg.eigh(centring @ inner @ centring)
    values = np.where(values > 1e-12 * np.abs(inner).max(), values, 0.0)[::-1]  # zeros after rounding errors
    places = np.zeros((n, dimensions))
    kept = min(n, dimensions)
    places[:, :kept] = axes[:, ::-1][:, :kept] * np.sqrt(values[:kept])
    farthest = np.abs(places).round(9).argmax(axis=0)
    places *= np.where(places[farthest, range(dimensions)] < 0, -1.0, 1.0)
    shares = [*(values[:kept] / (values.sum() or 1.0)).tolist(), *[0.0] * (dimensions - kept)]
    return Projected(places + 0.0, tuple(shares))


@tracked("drawing the heat map")
def heat_map(embedding: Embedding, path: str | Path | None = None) -> Any:
    """Draw the similarities of all pairs of activities, from the smallest (dark) to the largest (bright).

    Similar activities are next to each other: rows are in the order of the leaves of a complete-linkage clustering. If there are
    too many activities to label them all, every second is labelled, or every third, and so on.
    """
    n = len(embedding.activities)
    remedy = "draw a part of the activities, or write a report, which shows the frequent ones"
    require_memory(6 * 8 * n * n, f"A heat map of {n:,} activities", remedy)
    order = leaf_order(embedding.distances())
    labels = [embedding.activities[i] for i in order.tolist()]
    height = min(_MAX_HEIGHT, 1.4 + _ROW * n)
    values = -embedding.distances()[np.ix_(order, order)] + (0.0 if embedding.compare == "scores" else 1.0)
    figure = new_figure(height + 3.2, height + 0.6)
    axes = figure.subplots()
    picture = axes.imshow(values, aspect="auto", interpolation="nearest", cmap="viridis")
    step = int(np.ceil(_LABEL_GAP * n / (height - 1.4)))
    font_size = min(8.0, 0.9 * 72 * (height - 1.4) / n * step)
    axes.set_yticks(range(0, n, step), all_shown(labels[::step], 34), fontsize=font_size)
    axes.set_xticks([])
    axes.set_xlabel("activities, in the order of the rows", fontsize=9)
    figure.colorbar(picture, ax=axes, shrink=min(1.0, 4 / height), label="similarity")
    axes.set_title(shown(embedding.method or "", 60), fontsize=10)
    return finish(figure, path)


def leaf_order(distances: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the activities in an order that puts similar ones next to each other.

    >>> leaf_order(np.array([[0.0, 1.0, 0.1], [1.0, 0.0, 1.0], [0.1, 1.0, 0.0]])).tolist()
    [1, 0, 2]
    """
    if len(distances) < 3:
        return np.arange(len(distances))
    from scipy.cluster.hierarchy import leaves_list, linkage  # here: it takes long to load
    from scipy.spatial.distance import squareform

    rounded = scaled(distances).round(12)
    return np.asarray(leaves_list(linkage(squareform(rounded, checks=False), "complete")), dtype=np.int64)


def scaled(distances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scale distances to 0..1. The distance of an activity to itself becomes 0, even if it was not (as with scores).

    >>> scaled(np.array([[-4.0, -1.0], [-1.0, -3.0]])).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    low, high = distances.min(), distances.max()
    relative = (distances - low) / (high - low) if high > low else np.zeros_like(distances)
    np.fill_diagonal(relative, 0.0)
    return relative


def place_labels(
    axes: Any,
    labels: Sequence[str],
    places: NDArray[np.float64],
    areas: NDArray[np.float64],
    colours: Sequence[str],
) -> int:
    """Write labels beside the dots of a scatter plot, and return how many were left out.

    Large dots get their labels first; of equally large dots, those that are farthest from their nearest neighbour.

    ``places`` are in data coordinates, ``areas`` in square points, as matplotlib's ``scatter`` takes them. The distance between a
    label and its dot is in points, so the layout of the figure must be final: call :func:`settle` first.
    """
    from matplotlib.patheffects import withStroke

    points = in_points(axes, places)
    frame = axes.bbox.get_points() * 72 / axes.figure.dpi
    radii = np.sqrt(areas) / 2
    dots = np.concatenate([points - radii[:, np.newaxis], points + radii[:, np.newaxis]], axis=1)
    taken = np.zeros((0, 4))
    left_out = 0
    texts = all_shown(labels, 32)
    for i in np.lexsort((-_room(points), -areas)).tolist():
        size = _size(axes, texts[i])
        other_dots = dots[np.abs(points - points[i]).max(axis=1) > 1]  # dots in the same place look like one dot
        box = _free_place(points[i], radii[i] + 2, size, np.concatenate([taken, other_dots]), frame)
        if box is None:
            left_out += 1
            continue
        taken = np.concatenate([taken, box[np.newaxis]])
        middle = (box[1] + box[3]) / 2
        far = abs(middle - points[i, 1]) > size[1] / 2
        on_right = box[0] > points[i, 0]
        axes.annotate(
            texts[i],
            places[i],
            (box[0 if on_right else 2] - points[i, 0], middle - points[i, 1]),
            textcoords="offset points",
            ha="left" if on_right else "right",
            va="center",
            fontsize=_FONT,
            color=_darker(colours[i]),
            path_effects=[withStroke(linewidth=2, foreground="white")],  # keeps it readable across a line
            arrowprops={"arrowstyle": "-", "color": "#bbbbbb", "lw": 0.6, "shrinkA": 0, "shrinkB": radii[i]} if far else None,
            annotation_clip=False,
        )
    return left_out


def in_points(axes: Any, places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Convert data coordinates to points of the figure (72 to the inch)."""
    points: NDArray[np.float64] = axes.transData.transform(places) * 72 / axes.figure.dpi
    return points


def settle(figure: Any) -> None:
    """Compute the layout of the figure and freeze it, so that coordinates in points stay valid."""
    with boxes_for_missing_glyphs():
        figure.draw_without_rendering()
    figure.set_layout_engine("none")


def _room(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the distance of each dot to the nearest other dot."""
    gaps = np.abs(points[:, np.newaxis] - points).max(axis=2)
    np.fill_diagonal(gaps, np.inf)
    return gaps.min(axis=1).round(6)


def _darker(colour: str) -> tuple[float, ...]:
    """Return a colour that is dark enough for text on white."""
    from matplotlib.colors import to_rgb

    return tuple(0.72 * part for part in to_rgb(colour))


def _size(axes: Any, text: str) -> tuple[float, float]:
    """Return the width and height of a text in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.text import Text

    with boxes_for_missing_glyphs():
        extent = Text(text=text, figure=axes.figure, fontproperties=FontProperties(size=_FONT)).get_window_extent()
    scale = 72 / axes.figure.dpi
    return float(extent.width * scale), float(extent.height * scale)


def _free_place(
    dot: NDArray[np.float64],
    gap: float,
    size: tuple[float, float],
    boxes: NDArray[np.float64],
    frame: NDArray[np.float64],
) -> NDArray[np.float64] | None:
    """Return the nearest box beside a dot for a text of this size (left, bottom, right, top) that overlaps with no other box.

    None if there is none.
    """
    x, y = dot
    width, height = size
    candidates = np.array(
        [
            (left, middle - height / 2, left + width, middle + height / 2)
            for middle in (y + step * height * 0.55 for step in _STEPS)
            for left in (x + gap, x - gap - width)
        ]
    )
    inside = (candidates[:, :2] > frame[0]).all(axis=1) & (candidates[:, 2:] < frame[1]).all(axis=1)
    free = inside & _clear(candidates, boxes)
    return candidates[np.argmax(free)] if free.any() else None


def _clear(candidates: NDArray[np.float64], boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which of the candidates overlap with none of the boxes."""
    low, high = candidates[:, :2].min(axis=0), candidates[:, 2:].max(axis=0)
    near = boxes[((boxes[:, 2:] > low) & (boxes[:, :2] < high)).all(axis=1)]
    left, bottom, right, top = candidates.T[:, :, np.newaxis]
    covers = (left < near[:, 2]) & (right > near[:, 0]) & (bottom < near[:, 3]) & (top > near[:, 1])
    return ~covers.any(axis=1)
