"""Draw heat maps of an embedding: its vectors, or the similarities of all pairs."""

from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.support.figures import all_shown, finish, new_figure, shown
from actalike.support.memory import require_memory
from actalike.support.progress import tracked

_MAX_COLUMNS = 400  # more would be narrower than a pixel
_ROW, _MAX_HEIGHT = 0.15, 16.0  # inches
_LABEL_GAP = 0.1  # inches between two labels, at least


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
