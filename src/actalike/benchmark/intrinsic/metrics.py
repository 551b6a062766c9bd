"""The four intrinsic metrics: do the replacements of one activity lie together?

All work on any square array of distances with a class for each row (-1: no class). Classes of one member have no pairs: they
are left out, and ``singletons`` says how many. Equal distances (to 12 decimals) are ties; the value is the expectation over all
orders of the tied. Of two averagings, ``paper`` takes the mean of each class, then of the classes; ``authors`` does what the
paper's code did (over all members for I_nn and I_prec, k = w - 1 for all classes, singletons counted in).
"""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from actalike.errors import ActalikeError

Averaging = Literal["paper", "authors"]
Floats = NDArray[np.float64]
METRICS = ("I_comp", "I_nn", "I_prec", "I_tri")


class Scores(NamedTuple):
    """The four metrics (higher is better; NaN where no class has two members).

    And what a reader should know: how many classes have one member, and whether all distances are equal (then I_comp is 0).
    """

    I_comp: float
    I_nn: float
    I_prec: float
    I_tri: float
    singletons: int
    all_equal: bool


def scores(distances: ArrayLike, classes: ArrayLike, averaging: Averaging = "paper", w: int | None = None) -> Scores:
    """Return all four metrics. Averaging ``authors`` needs ``w``, the number of replacements of an activity.

    >>> near, far = 0.1, 0.9
    >>> distances = np.array([[0, near, far], [near, 0, far], [far, far, 0]])
    >>> scores(distances, np.array([0, 0, -1])).I_nn
    1.0
    """
    distances = np.asarray(distances, dtype=np.float64)
    classes = np.asarray(classes)
    n = len(distances)
    if distances.shape != (n, n) or classes.shape != (n,):
        raise ActalikeError(f"Distances of shape {distances.shape} do not match classes of shape {classes.shape}.")
    if not np.issubdtype(classes.dtype, np.integer):
        raise ActalikeError("Classes are whole numbers, -1 for none.")
    if not np.isfinite(distances).all():
        raise ActalikeError("Some distance is infinite or none (NaN).")
    if averaging not in ("paper", "authors"):
        raise ActalikeError(f"averaging={averaging!r} is none of paper, authors.")
    if averaging == "authors" and w is None:
        raise ActalikeError("The authors' averaging needs w.")
    queries = np.flatnonzero(classes >= 0)
    if not len(queries):
        raise ActalikeError("There is no class, so there is nothing to measure.")
    class_of_query = np.unique(classes[queries], return_inverse=True)[1]
    sizes = np.bincount(class_of_query)
    same = classes[queries][:, np.newaxis] == classes  # also a query and itself
    itself = np.zeros_like(same)
    itself[np.arange(len(queries)), queries] = True
    mates = same & ~itself
    rows = distances[queries].round(12)
    k = sizes[class_of_query] - 1 if averaging == "paper" else np.full(len(queries), min(int(w or 0) - 1, n - 1))
    low, high = distances.min().round(12), distances.max().round(12)
    comp = _mean_to_mates(_normalised(rows, low, high), mates)
    nn = _hits_among_nearest(rows, mates, itself, np.ones(len(queries), dtype=np.int64))
    prec = _hits_among_nearest(rows, mates, itself, k)
    tri = _triplets(rows, mates, same)
    singletons = int((sizes == 1).sum())
    if averaging == "paper":
        values = [_by_class(value, class_of_query, sizes, skip=True) for value in (1 - comp, nn, prec, tri)]
    else:
        values = [
            1 - _by_class(np.nan_to_num(comp), class_of_query, sizes, skip=False),
            float(nn.mean()),
            float(prec.mean()),
            _by_class(np.nan_to_num(tri), class_of_query, sizes, skip=False),
        ]
    return Scores(values[0], values[1], values[2], values[3], singletons, bool(low == high))


def _normalised(rows: Floats, low: float, high: float) -> Floats:
    """Scale distances to 0..1; return 1 for all if all are equal: then nothing is nearer than anything else."""
    return (rows - low) / (high - low) if high > low else np.ones_like(rows)


def _mean_to_mates(rows: Floats, mates: NDArray[np.bool_]) -> Floats:
    """Return the mean distance of each query to the others of its class; NaN if there are none."""
    n = mates.sum(axis=1)
    return np.divide((rows * mates).sum(axis=1), n, out=np.full(len(rows), np.nan), where=n > 0)


def _hits_among_nearest(rows: Floats, mates: NDArray[np.bool_], itself: NDArray[np.bool_], k: NDArray[np.int64]) -> Floats:
    """Return the expected share of class members among the k nearest others, over all orders of ties; 0 for k = 0."""
    others = np.where(itself, np.inf, rows)
    last = np.take_along_axis(np.sort(others, axis=1), np.maximum(k - 1, 0)[:, np.newaxis], axis=1)
    nearer, tied = others < last, others == last
    n_nearer = nearer.sum(axis=1)
    part_of_tied = (k - n_nearer) / np.maximum(tied.sum(axis=1), 1)
    hits = (mates & nearer).sum(axis=1) + (mates & tied).sum(axis=1) * part_of_tied
    return np.where(k > 0, hits / np.maximum(k, 1), 0.0)


def _triplets(rows: Floats, mates: NDArray[np.bool_], same: NDArray[np.bool_]) -> Floats:
    """Return, for each query, the mean over its class mates j of the share of activities outside the class farther than j."""
    n_mates, n_outside = mates.sum(axis=1), (~same).sum(axis=1)
    n_columns = max(int(n_mates.max()), 1)
    mate = np.argsort(~mates, axis=1, kind="stable")[:, :n_columns]  # the mates first; what follows is left out again below
    is_mate = np.arange(n_columns) < n_mates[:, np.newaxis]
    to_mate = np.take_along_axis(rows, mate, axis=1)
    farther = ((rows[:, np.newaxis] > to_mate[:, :, np.newaxis]) & ~same[:, np.newaxis]).sum(axis=2)
    pairs = n_mates * n_outside
    return np.divide((farther * is_mate).sum(axis=1), pairs, out=np.full(len(rows), np.nan), where=pairs > 0)


def _by_class(values: Floats, class_of_query: NDArray[np.int64], sizes: NDArray[np.int64], *, skip: bool) -> float:
    """Return the mean of the means of the classes; ``skip`` leaves out singletons."""
    keep = sizes > 1 if skip else sizes > 0
    if not keep.any():
        return float("nan")
    means = np.bincount(class_of_query, weights=values) / sizes
    return float(means[keep].mean())
