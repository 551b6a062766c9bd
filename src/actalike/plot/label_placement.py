"""Place labels beside dots so that none covers a dot or another label. Labels without a free place are left out."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from actalike.support.figures import all_shown, boxes_for_missing_glyphs

_STEPS = sorted(range(-12, 13), key=lambda step: (abs(step), step))  # positions above and below a dot, in half lines
_FONT = 8.5


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
