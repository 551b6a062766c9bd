"""Adapt a predictor to labels that appeared after it was trained, without training again.

Each new label is placed among those that the predictor knows (:mod:`actalike.prediction.label_placement`): with weights w that
sum to 1, what it contributes to the gates is Σ w_o inputs(o). Predictions are in the new words. If new labels are read as o, the
probability of o is divided among o and them by how many events each has in the new log; o has half an event more, because it may
come back. A label that is placed between several is read, but never predicted: when it comes was not learned.
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


class Adapted(NamedTuple):
    """Hold a network that also knows new labels, and what became of each of them."""

    network: Network
    placed: tuple[PlacedLabel, ...]
    refused: tuple[RefusedLabel, ...]


def adapt_network(network: Network, log: EventLog) -> Adapted:
    """Return the network with the labels of a log that can be placed; the given one does not change."""
    past = network.past.log(network.activities)
    placements = place_labels(past, log)
    activities = [*network.activities, *(label.label for label in placements.placed)]
    column = {label: i for i, label in enumerate(past.activities)}
    weights = placements.weights[:, [column[label] for label in network.activities]]
    inputs = np.vstack([network.inputs, weights @ network.inputs])
    both = network.past.and_of(PastCases.of_log(log, activities))
    return Adapted(
        Network(activities, inputs, *_with_new_words(network, log, placements), both), placements.placed, placements.refused
    )


def _with_new_words(network: Network, log: EventLog, placements: LabelPlacements) -> tuple[Floats, Floats]:
    """Return the weights and biases of the logits, with a column for each new label; the end of the case stays last."""
    events = dict(zip(log.activities, log.activity_counts.tolist(), strict=True))
    position = {label: i for i, label in enumerate(network.activities)}
    bias = network.out_bias.copy()
    totals: dict[str, float] = {}
    for label in placements.placed:
        if label.read_as is not None:
            before = totals.get(label.read_as, events.get(label.read_as, 0) + _MAY_COME_BACK)
            totals[label.read_as] = before + events[label.label]
    for old, total in totals.items():
        bias[position[old]] += np.log((events.get(old, 0) + _MAY_COME_BACK) / total)
    columns, biases = np.zeros((len(network.out), len(placements.placed))), np.full(len(placements.placed), NEVER)
    for i, label in enumerate(placements.placed):
        if label.read_as is not None:
            columns[:, i] = network.out[:, position[label.read_as]]
            biases[i] = network.out_bias[position[label.read_as]] + np.log(events[label.label] / totals[label.read_as])
    return np.insert(network.out, [-1], columns, axis=1), np.concatenate([bias[:-1], biases, bias[-1:]])
