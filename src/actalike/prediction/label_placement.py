"""Place new labels among old ones, so that a network that knows the old labels can read the new ones too.

A network reads an activity as numbers that depend linearly on its vector. So a new label can be read as a weighted sum of old
ones. If it is likely enough that the label is another name of one old label (:mod:`actalike.prediction.label_readings`), that one
has the weight 1. Otherwise the weights are those with which the vectors of the old labels come nearest to the vector of the new
one (Nyström's method with an intercept, or ordinary kriging): with C the cosines of the vectors of a joint count, centred on the
mean of the old labels,

    minimise  w (C_oo + r I) wᵀ - 2 w c_n    subject to    Σ w = 1.

A label in a single case is refused: its company is one case's. If there are very many of them (ids in labels, say), they are one
label while the others are compared.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from actalike.counting import WindowCounts, count_windows
from actalike.embedding import Embedding
from actalike.log import EventLog
from actalike.methods import DEFAULT_METHOD, make_method
from actalike.prediction.label_readings import LabelReading, read_labels
from actalike.prediction.placed_labels import PlacedLabel, RefusedLabel

Floats = NDArray[np.float64]

LEAST_CASES = 2
SURE_ENOUGH = 0.5
RIDGE = 0.01  # r
_NEAREST = 3
_MANY_RARE = 1000  # labels that are refused


class LabelPlacements(NamedTuple):
    """Hold the weights of the old labels (columns, in the order of the old log's activities) for each placed label (rows)."""

    placed: tuple[PlacedLabel, ...]
    refused: tuple[RefusedLabel, ...]
    weights: Floats


def place_labels(past: EventLog, now: EventLog, known: Collection[str] = ()) -> LabelPlacements:
    """Place each label of ``now`` that neither ``past`` nor ``known`` has.

    >>> past = EventLog.from_traces([["ask", "check", "pay"], ["ask", "refuse"]] * 30)
    >>> now = EventLog.from_traces([["ask", "check", "transfer"], ["ask", "refuse"]] * 30 + [["ask", "oops"]])
    >>> placements = place_labels(past, now)
    >>> [(label.label, label.read_as) for label in placements.placed], placements.weights.round(2).tolist()
    ([('transfer', 'pay')], [[0.0, 0.0, 1.0, 0.0]])
    >>> [label.why for label in placements.refused]
    ['it is in 1 case only, too few to place it']
    """
    not_new = {*past.activities, *known}
    cases = dict(zip(now.activities, now.activity_cases.tolist(), strict=True))
    rare = [label for label in now.activities if label not in not_new and cases[label] < LEAST_CASES]
    refused = tuple(
        RefusedLabel(label, cases[label], f"it is in {cases[label]:,} case only, too few to place it") for label in rare
    )
    if len(rare) > _MANY_RARE:
        now = _with_one_rare_label(now, set(rare), not_new)
    placeable = [reading for reading in read_labels(past, now) if reading.label in cases and reading.label not in not_new]
    placeable = [reading for reading in placeable if reading.cases >= LEAST_CASES]
    position = {label: i for i, label in enumerate(past.activities)}
    weights = np.zeros((len(placeable), len(position)))
    unsure = [i for i, reading in enumerate(placeable) if reading.probability < SURE_ENOUGH]
    for i, reading in enumerate(placeable):
        weights[i, position[reading.read_as]] = 1.0
    if unsure:
        weights[unsure] = blend_weights(_joint_embedding(past, now), past.activities, [placeable[i].label for i in unsure])
    placed = tuple(_placed(reading, row, past.activities) for reading, row in zip(placeable, weights, strict=True))
    return LabelPlacements(placed, refused, weights)


def _with_one_rare_label(now: EventLog, rare: Collection[str], not_new: Collection[str]) -> EventLog:
    """Return the log with all rare labels as one, whose name no label has."""
    name = "rare"
    while name in not_new or name in now.activities:
        name += "'"
    return now.relabel(lambda label: name if label in rare else label)


def _placed(reading: LabelReading, weights: Floats, activities: list[str]) -> PlacedLabel:
    largest = np.argsort(-weights, kind="stable")[:_NEAREST]
    nearest = tuple((activities[i], float(weights[i])) for i in largest.tolist() if weights[i] > 0)
    read_as = reading.read_as if reading.probability >= SURE_ENOUGH else None
    return PlacedLabel(reading.label, reading.cases, read_as, reading.probability, nearest)


def _joint_embedding(past: EventLog, now: EventLog) -> Embedding:
    """Return the default method's vectors of a joint count of both logs."""
    method = make_method(DEFAULT_METHOD)
    counts: list[WindowCounts] = [count_windows(log, method.window or 1) for log in (past, now)]
    return method.fit(counts[0] + counts[1]).embedding_


def blend_weights(embedding: Embedding, old: list[str], new: list[str]) -> Floats:
    """Return the weights (new, old) with which old labels come nearest to new ones; 0 for old labels without a vector.

    >>> vectors = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]])
    >>> blend_weights(Embedding(["a", "b", "c", "new"], vectors), ["a", "b", "c"], ["new"]).round(1).tolist()
    [[-0.2, 0.6, 0.6]]
    """
    row = {label: i for i, label in enumerate(embedding.activities)}
    known = [i for i, label in enumerate(old) if label in row]
    rows = [row[old[i]] for i in known] + [row[label] for label in new]
    cosines = centred_cosines(embedding.stored_vectors[rows], len(known))
    weights = np.zeros((len(new), len(old)))
    weights[:, known] = _nearest_sums(cosines[: len(known), : len(known)], cosines[len(known) :, : len(known)])
    return weights


def centred_cosines(vectors: Any, known: int) -> Floats:
    """Return the cosines of vectors less the mean of the first ``known`` ones; 0 for a vector that equals this mean."""
    product = vectors @ vectors.T
    products = np.asarray(product.toarray() if issparse(product) else product, dtype=np.float64)
    means = products[:, :known].mean(axis=1)
    centred = products - means[:, np.newaxis] - means + means[:known].mean()
    squares = np.diag(centred)
    is_apart = squares > 1e-9 * max(float(np.diag(products).max(initial=0.0)), 1e-300)
    scale = np.where(is_apart, 1 / np.sqrt(np.where(is_apart, squares, 1.0)), 0.0)
    cosines: Floats = centred * scale[:, np.newaxis] * scale
    return cosines


def _nearest_sums(among: Floats, to_new: Floats) -> Floats:
    """Return the weights that sum to 1 and minimise w (C + r I) wᵀ - 2 w c, for each row c of ``to_new``."""
    n = len(among)
    inverse = np.linalg.inv(among + RIDGE * np.eye(n))
    free = to_new @ inverse
    ones = inverse.sum(axis=0)
    weights: Floats = free + np.outer(1 - free.sum(axis=1), ones / ones.sum())
    return weights
