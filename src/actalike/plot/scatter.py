"""Draw embeddings as dots in two or three dimensions."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.embedding import Embedding
from actalike.errors import ActalikeError, UnknownActivityError, did_you_mean
from actalike.plot.label_placement import place_labels, settle
from actalike.plot.log_styles import by_name
from actalike.support.extras import Extra
from actalike.support.figures import GREY, PALETTE, finish, new_figure, shown
from actalike.support.memory import require_memory
from actalike.support.progress import tracked

Projection = Literal["pca", "tsne"]

SCIKIT_LEARN = Extra("plot", "sklearn")
_SEED = 42
_MANY = 100  # with more activities, dots are smaller


class Projected(NamedTuple):
    """Hold the places of activities, and the share of the variance of each axis (empty for t-SNE, whose axes have no meaning)."""

    places: NDArray[np.float64]
    shares: tuple[float, ...]


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
