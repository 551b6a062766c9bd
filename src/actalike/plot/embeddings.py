"""Draw embeddings: a map of the activities, dots by principal components or t-SNE, and heat maps."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.counting import directly_follows
from actalike.embedding import Embedding
from actalike.errors import ActalikeError, UnknownActivityError, did_you_mean
from actalike.grouping import group
from actalike.labels import THIN_CASES
from actalike.log import EventLog
from actalike.plot.logs import by_name
from actalike.plot.neighbour_layout import neighbour_layout
from actalike.support.extras import Extra
from actalike.support.figures import GREY, PALETTE, all_shown, boxes_for_missing_glyphs, finish, new_figure, shown
from actalike.support.memory import require_memory
from actalike.support.progress import tracked

_BEND = 0.15  # curvature of an arrow, so that the arrows of both directions do not coincide
SCIKIT_LEARN = Extra("plot", "sklearn")
_SEED = 42
_MANY = 100  # with more activities, dots are smaller
_MAX_COLUMNS = 400  # more would be narrower than a pixel
_ROW, _MAX_HEIGHT = 0.15, 16.0  # inches
_LABEL_GAP = 0.1  # inches between two labels, at least
_STEPS = sorted(range(-12, 13), key=lambda step: (abs(step), step))  # positions above and below a dot, in half lines
_FONT = 8.5


class Projected(NamedTuple):
    """Hold the places of activities, and the share of the variance of each axis (empty for t-SNE, whose axes have no meaning)."""

    places: NDArray[np.float64]
    shares: tuple[float, ...]


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


Projection = Literal["pca", "tsne"]


@tracked("drawing the embedding")
def embedding_scatter(
    embeddings: Mapping[str, Embedding] | Embedding,
    dimensions: Literal[2, 3] = 2,
    projection: Projection = "pca",
    groups: Mapping[str, str] | None = None,
    path: str | Path | None = None,
) -> Any:
    """Draw the activities as dots, a panel for each embedding: by principal components, or by scikit-learn's t-SNE (seed 42).

    Each panel is scaled to its farthest dot, so that panels can be compared by shape. ``groups`` maps activities to groups:
    members of a group have the same colour, other activities are grey. In three dimensions each dot has a line down to the floor;
    the view is from 15 degrees above and 45 degrees to the side.
    """
    if dimensions not in (2, 3):
        raise ActalikeError(f"dimensions={dimensions}: a picture has 2 or 3 dimensions.")
    if projection not in _PROJECTIONS:
        raise ActalikeError(f"projection={projection!r} is none of {', '.join(_PROJECTIONS)}.")
    default = (embeddings.method or "embedding") if isinstance(embeddings, Embedding) else ""
    named = by_name(embeddings, default, "embedding")
    colour_of, names = _colours(named, groups or {})
    columns = min(3, len(named))
    rows = -(-len(named) // columns)
    figure = new_figure(9, 7.5) if len(named) == 1 else new_figure(1 + 5.2 * columns, 0.6 + 4.8 * rows)
    space = {"projection": "3d", "elev": 15, "azim": 45} if dimensions == 3 else {}
    panels = figure.subplots(rows, columns, squeeze=False, subplot_kw=space).ravel()
    drawn: list[tuple[Any, ...]] = []
    for axes, (name, embedding) in zip(panels, named.items(), strict=False):
        projected = _PROJECTIONS[projection](embedding, dimensions)
        places = projected.places / (np.abs(projected.places).max() or 1.0)
        colours = [colour_of.get(label, GREY) for label in embedding.activities]
        draw = _draw_3d if dimensions == 3 else _draw_2d
        area = 12.0 if len(places) > _MANY else 42.0
        draw(axes, places, colours, area)
        for axis, number in zip((axes.xaxis, axes.yaxis, getattr(axes, "zaxis", None)), range(dimensions), strict=False):
            share = f" ({projected.shares[number]:.0%} of the variance)" if projected.shares else ""
            axis.set_label_text(f"{'component' if projected.shares else 't-SNE'} {number + 1}{share}", fontsize=8)
        axes.set_title(shown(name, 60), fontsize=10)
        drawn.append((axes, embedding.activities, places, np.full(len(places), area), colours))
    for axes in panels[len(named) :]:
        axes.remove()
    if names:
        dots = [panels[0].plot([], [], "o", color=colour, label=shown(name))[0] for name, colour in names.items()]
        _add_legend(figure, dots)
    remarks = [figure.supxlabel(" ", fontsize=8)] if not names else []  # reserves room for a remark
    settle(figure)
    left_out = [place_labels(axes, labels, _seen(axes, places), *looks) for axes, labels, places, *looks in drawn]
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


def _draw_2d(axes: Any, places: NDArray[np.float64], colours: list[str], area: float) -> None:
    axes.scatter(places[:, 0], places[:, 1], s=area, c=colours, alpha=0.8, linewidths=0)
    axes.set_xlim(-1.12, 1.12)
    axes.set_ylim(-1.12, 1.12)
    axes.set_xticks([-1, 0, 1], ["", "0", ""])
    axes.set_yticks([-1, 0, 1], ["", "0", ""])
    axes.grid(alpha=0.25)


def _draw_3d(axes: Any, places: NDArray[np.float64], colours: list[str], area: float) -> None:
    floor = places[:, 2].min() - 0.08
    for (x, y, z), colour in zip(places.tolist(), colours, strict=True):
        axes.plot([x, x], [y, y], [floor, z], color=colour, lw=0.7, alpha=0.5 if len(places) <= _MANY else 0.2)
    axes.scatter(*places.T, s=area, c=colours, alpha=0.9, linewidths=0, depthshade=False)
    axes.set_zlim(floor, max(places[:, 2].max(), floor + 0.1))
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.set_ticklabels([])


def _seen(axes: Any, places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where the dots are in the plane of the picture."""
    if places.shape[1] == 2:
        return places
    from mpl_toolkits.mplot3d.proj3d import proj_transform

    x, y, _ = proj_transform(*places.T, axes.get_proj())
    return np.stack([np.asarray(x), np.asarray(y)], axis=1)


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


def t_sne(embedding: Embedding, dimensions: int) -> Projected:
    """Return the vectors projected by t-SNE, which starts from the principal components.

    The perplexity is 30, or a third of the number of activities if that is less.
    """
    n = len(embedding.activities)
    manifold = SCIKIT_LEARN.load("sklearn.manifold", "t-SNE")
    if n < 2:
        return Projected(np.zeros((n, dimensions)), ())
    start = principal_components(embedding, dimensions).places
    method = manifold.TSNE(
        dimensions, perplexity=max(1.0, min(30.0, (n - 1) / 3)), init=start / (start[:, 0].std() or 1.0) * 1e-4,
        method="exact", random_state=_SEED,
    )  # fmt: skip
    vectors = embedding.stored_vectors.toarray() if hasattr(embedding.stored_vectors, "toarray") else embedding.stored_vectors
    return Projected(np.asarray(method.fit_transform(vectors), dtype=np.float64), ())


_PROJECTIONS: dict[str, Callable[[Embedding, int], Projected]] = {"pca": principal_components, "tsne": t_sne}


@tracked("drawing the heat map")
def heat_map(
    embedding: Embedding, of: Literal["similarities", "vectors"] = "similarities", path: str | Path | None = None
) -> Any:
    """Draw the similarities of all pairs of activities, from the smallest (dark) to the largest (bright).

    With ``of="vectors"`` it draws the vectors: a row for each activity, colours from blue (negative) over white to red.

    Similar activities are next to each other: rows are in the order of the leaves of a complete-linkage clustering. Of more than
    400 dimensions, those with the largest values (by the sum of squares) are shown. If there are too many activities to label
    them all, every second is labelled, or every third, and so on.
    """
    if of not in ("vectors", "similarities"):
        raise ActalikeError(f"of={of!r} is none of vectors, similarities.")
    n = len(embedding.activities)
    remedy = "draw a part of the activities, or write a report, which shows the frequent ones"
    require_memory(6 * 8 * n * n, f"A heat map of {n:,} activities", remedy)
    order = leaf_order(embedding.distances())
    labels = [embedding.activities[i] for i in order.tolist()]
    height = min(_MAX_HEIGHT, 1.4 + _ROW * n)
    if of == "similarities":
        values = -embedding.distances()[np.ix_(order, order)] + (0.0 if embedding.compare == "scores" else 1.0)
        remark = "activities, in the order of the rows"
        figure = new_figure(height + 3.2, height + 0.6)
    else:
        values, remark = _columns(embedding, order)
        figure = new_figure(9, height)
    axes = figure.subplots()
    limit = float(np.abs(values).max()) or 1.0
    colours = {"cmap": "viridis"} if of == "similarities" else {"cmap": "RdBu_r", "vmin": -limit, "vmax": limit}
    picture = axes.imshow(values, aspect="auto", interpolation="nearest", **colours)
    step = int(np.ceil(_LABEL_GAP * n / (height - 1.4)))
    font_size = min(8.0, 0.9 * 72 * (height - 1.4) / n * step)
    axes.set_yticks(range(0, n, step), all_shown(labels[::step], 34), fontsize=font_size)
    axes.set_xticks([])
    axes.set_xlabel(remark, fontsize=9)
    figure.colorbar(picture, ax=axes, shrink=min(1.0, 4 / height), label="similarity" if of == "similarities" else "value")
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


def _columns(embedding: Embedding, order: NDArray[np.int64]) -> tuple[NDArray[np.float64], str]:
    """Return the values to show, and a text that says what the columns are."""
    vectors = embedding.stored_vectors
    d = vectors.shape[1]
    if d <= _MAX_COLUMNS:
        kept = vectors
        remark = f"{d:,} dimension{'s' * (d != 1)}"
    else:
        squares = np.asarray((vectors * vectors).sum(axis=0)).ravel()
        chosen = np.sort(np.argsort(-squares, kind="stable")[:_MAX_COLUMNS])
        kept = vectors[:, chosen]
        remark = f"the {_MAX_COLUMNS} of {d:,} dimensions with the largest values"
    dense = kept.toarray() if hasattr(kept, "toarray") else np.asarray(kept)
    return dense[order], remark


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
    lines: NDArray[np.float64] | None = None,
) -> int:
    """Write labels beside the dots of a scatter plot, and return how many were left out.

    Large dots get their labels first; of equally large dots, those that are farthest from their nearest neighbour.

    ``places`` are in data coordinates, ``areas`` in square points, as matplotlib's ``scatter`` takes them. ``lines`` are points
    (see :func:`in_points`) that labels avoid if there is another place. The distance between a label and its dot is in points, so
    the layout of the figure must be final: call :func:`settle` first.
    """
    from matplotlib.patheffects import withStroke

    points = in_points(axes, places)
    frame = axes.bbox.get_points() * 72 / axes.figure.dpi
    radii = np.sqrt(areas) / 2
    dots = np.concatenate([points - radii[:, np.newaxis], points + radii[:, np.newaxis]], axis=1)
    taken = np.zeros((0, 4))
    line_boxes = np.zeros((0, 4)) if lines is None else np.tile(lines, 2)
    left_out = 0
    texts = all_shown(labels, 32)
    for i in np.lexsort((-_room(points), -areas)).tolist():
        size = _size(axes, texts[i])
        other_dots = dots[np.abs(points - points[i]).max(axis=1) > 1]  # dots in the same place look like one dot
        box = _free_place(points[i], radii[i] + 2, size, np.concatenate([taken, other_dots]), line_boxes, frame)
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
    lines: NDArray[np.float64],
    frame: NDArray[np.float64],
) -> NDArray[np.float64] | None:
    """Return the nearest free box beside a dot for a text of this size (left, bottom, right, top); None if there is none.

    It overlaps with no other box, and with no line if there is such a place.
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
    for choice in (free & _clear(candidates, lines), free):
        if choice.any():
            return candidates[np.argmax(choice)]
    return None


def _clear(candidates: NDArray[np.float64], boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which of the candidates overlap with none of the boxes."""
    low, high = candidates[:, :2].min(axis=0), candidates[:, 2:].max(axis=0)
    near = boxes[((boxes[:, 2:] > low) & (boxes[:, :2] < high)).all(axis=1)]
    left, bottom, right, top = candidates.T[:, :, np.newaxis]
    covers = (left < near[:, 2]) & (right > near[:, 0]) & (bottom < near[:, 3]) & (top > near[:, 1])
    return ~covers.any(axis=1)
