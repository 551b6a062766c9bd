"""The map of activities: alike activities lie close together."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.storage import write_atomically


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


def groups(distances: NDArray[np.float64], cut: float = 0.1) -> NDArray[np.int64]:
    """Groups of activities of which any two are nearer than ``cut`` times the largest distance (complete linkage), from 1.

    >>> groups(np.array([[0.0, 0.05, 1.0], [0.05, 0.0, 1.0], [1.0, 1.0, 0.0]])).tolist()
    [1, 1, 2]
    """
    if len(distances) < 2:
        return np.ones(len(distances), dtype=np.int64)
    return np.asarray(fcluster(linkage(squareform(distances), "complete"), cut * distances.max(), "distance"), dtype=np.int64)


def save_map(embedding: Embedding, counts: NDArray[np.int64], path: str | Path, title: str = "") -> None:
    """Draw the map: a dot for each activity, sized by how often it occurs; activities of one group share a colour."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise ActalikeError("Pictures need matplotlib: pip install 'actalike[plot]'.") from None

    distances = embedding.distances()
    places = positions(distances)
    group = groups(distances)
    figure = Figure(figsize=(11, 8), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    sizes = 30 + 450 * np.sqrt(counts / counts.max())
    members = np.bincount(group)
    shared = [number for number in range(1, len(members)) if members[number] > 1]
    palette = [
        "#0072b2",
        "#d55e00",
        "#009e73",
        "#cc79a7",
        "#e69f00",
        "#56b4e9",
        "#7f3c8d",
        "#4b6a53",
        "#a5142a",
        "#b49467",
    ]
    colour = {number: palette[i % len(palette)] for i, number in enumerate(shared)}
    colours = [colour.get(int(number), "#777777") for number in group]
    axes.scatter(places[:, 0], places[:, 1], s=sizes, c=colours, alpha=0.75, linewidths=0)
    axes.margins(0.12, 0.08)
    axes.set_xticks([])
    axes.set_yticks([])
    for side in axes.spines.values():
        side.set_color("#cccccc")
    axes.set_title(title, loc="left", fontsize=12)
    axes.set_xlabel(" ", fontsize=9)  # room for a remark
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # from here on, places in pixels stay as they are
    left_out = _place_labels(axes, embedding.activities, places, sizes, colours)
    if left_out:
        axes.set_xlabel(f"There is no room for the labels of {left_out} more activities.", fontsize=9, loc="left")
    ending = Path(path).suffix.lstrip(".") or "png"
    fixed = {"Software": None} if ending == "png" else {}
    write_atomically(path, lambda part: figure.savefig(part, format=ending, metadata=fixed))


def _place_labels(
    axes: Any, labels: list[str], places: NDArray[np.float64], sizes: NDArray[np.float64], colours: list[str]
) -> int:
    """Write each label beside its dot, where it covers no other label and no other dot; returns how many found no place.

    Frequent activities choose first.
    """
    from matplotlib.transforms import Bbox

    scale = axes.figure.dpi / 72
    pixels = axes.transData.transform(places)
    radii = np.sqrt(sizes) / 2 * scale
    dots = [Bbox.from_bounds(x - r, y - r, 2 * r, 2 * r) for (x, y), r in zip(pixels, radii, strict=True)]
    taken: list[Any] = []
    left_out = 0
    back = axes.transData.inverted()
    for i in np.argsort(-sizes, kind="stable").tolist():
        text = axes.text(*places[i], labels[i].replace("$", r"\$"), fontsize=9, va="center", color=colours[i])
        width, height = text.get_window_extent().width, text.get_window_extent().height
        others = [*taken, *(dot for j, dot in enumerate(dots) if np.abs(pixels[i] - pixels[j]).max() > 1)]
        box = _free_place(pixels[i], radii[i] + 3 * scale, width, height, others, axes.bbox)
        if box is None:
            text.remove()
            left_out += 1
            continue
        taken.append(box)
        text.set_position(back.transform((box.x0, (box.y0 + box.y1) / 2)))
        if abs((box.y0 + box.y1) / 2 - pixels[i, 1]) > height / 2:
            near = np.clip(pixels[i], (box.x0, box.y0), (box.x1, box.y1))
            line = back.transform([pixels[i], near])
            axes.plot(line[:, 0], line[:, 1], color="#bbbbbb", lw=0.6, zorder=0)
    return left_out


def _free_place(dot: NDArray[np.float64], gap: float, width: float, height: float, others: list[Any], frame: Any) -> Any | None:
    """The nearest free place beside a dot for a text of this size, or None."""
    from matplotlib.transforms import Bbox

    x, y = dot
    for step in sorted(range(-12, 13), key=lambda step: (abs(step), step)):
        for left in (x + gap, x - gap - width):
            box = Bbox.from_bounds(left, y + step * height * 0.55 - height / 2, width, height)
            inside = frame.x0 < box.x0 and box.x1 < frame.x1 and frame.y0 < box.y0 and box.y1 < frame.y1
            if inside and not any(box.overlaps(other) for other in others):
                return box
    return None
