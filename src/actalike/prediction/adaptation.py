"""Adapt a predictor to labels that appeared after it was trained, without training again.

Each new label is placed among those that the predictor knows (:mod:`actalike.prediction.label_placement`): with weights w that
sum to 1, what it contributes to the gates is Σ w_o inputs(o). Predictions are in the new words. All
labels that are read as o, now or before, are its names. The probability of o is divided among its names by how many events each
has in the new log; those that were known before have half an event more, because they may come back. A label that is placed
between several is read, but never predicted: when it comes was not learned.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.log import EventLog
from actalike.prediction.label_placement import LabelPlacements, place_labels
from actalike.prediction.past_cases import PastCases
from actalike.prediction.placed_labels import PlacedLabel, RefusedLabel

Floats = NDArray[np.float64]

NEVER = -1e6  # the logit of what is never predicted: its probability is 0
_MAY_COME_BACK = 0.5


class Network(NamedTuple):
    """Hold the parts of a predictor that depend on its labels; see :class:`actalike.Predictor`."""

    activities: Sequence[str]
    inputs: Floats
    out: Floats
    out_bias: Floats
    past: PastCases
    placed: tuple[PlacedLabel, ...]


class Adapted(NamedTuple):
    """Hold a network that also knows new labels, and the labels that could not be placed."""

    network: Network
    refused: tuple[RefusedLabel, ...]


def adapt_network(network: Network, log: EventLog) -> Adapted:
    """Return the network with the labels of a log that can be placed; the given one does not change."""
    past = network.past.log(network.activities)
    placements = place_labels(past, log, network.activities)
    activities = [*network.activities, *(label.label for label in placements.placed)]
    column = {label: i for i, label in enumerate(past.activities)}
    weights = np.zeros((len(placements.placed), len(network.activities)))
    known = [i for i, label in enumerate(network.activities) if label in column]
    weights[:, known] = placements.weights[:, [column[network.activities[i]] for i in known]]
    inputs = np.vstack([network.inputs, weights @ network.inputs])
    out, out_bias = _with_new_columns(network, activities, placements)
    placed = (*network.placed, *placements.placed)
    _divide(out_bias, activities, len(network.activities), placed, log)
    both = network.past.and_of(PastCases.of_log(log, activities))
    return Adapted(Network(activities, inputs, out, out_bias, both, placed), placements.refused)


def _with_new_columns(network: Network, activities: Sequence[str], placements: LabelPlacements) -> tuple[Floats, Floats]:
    """Return the weights and biases of the logits, with a column for each new label, not predicted yet; the end is last."""
    position = {label: i for i, label in enumerate(activities)}
    columns, biases = np.zeros((len(network.out), len(placements.placed))), np.full(len(placements.placed), NEVER)
    for i, label in enumerate(placements.placed):
        if label.read_as is not None:
            columns[:, i] = network.out[:, position[label.read_as]]
    bias = network.out_bias
    return np.insert(network.out, [-1], columns, axis=1), np.concatenate([bias[:-1], biases, bias[-1:]])


def _divide(bias: Floats, activities: Sequence[str], n_before: int, placed: Sequence[PlacedLabel], log: EventLog) -> None:
    """Divide the probability of each label among its names by their events in the log: change ``bias`` in place.

    Names of one label have the same weights, so the sum of exp(bias) over them is the label's own, whatever the shares are.
    """
    events = dict(zip(log.activities, log.activity_counts.tolist(), strict=True))
    for names in _names(activities, placed):
        total = sum(events.get(activities[i], 0) for i in names)
        whole = float(np.logaddexp.reduce(bias[names]))
        if len(names) == 1 or not total or whole < NEVER / 2:
            continue
        counts = np.array([events.get(activities[i], 0) + (_MAY_COME_BACK if i < n_before else 0.0) for i in names])
        bias[names] = whole + np.log(counts / counts.sum())


def _names(activities: Sequence[str], placed: Sequence[PlacedLabel]) -> list[list[int]]:
    """Return the positions of the names of each label: itself, and the labels that are read as one of its names."""
    read_as = {label.label: label.read_as for label in placed if label.read_as is not None}
    names: dict[str, list[int]] = {}
    for i, label in enumerate(activities):
        first = label
        while first in read_as:  # a label is read as one that was known before it, so this ends
            first = read_as[first]
        names.setdefault(first, []).append(i)
    return list(names.values())
