"""Adapt a predictor to labels that appeared after it was trained, without training again.

Each new label is placed among those that the predictor knows (:mod:`actalike.prediction.label_placement`): with weights w that
sum to 1, what it contributes to the gates is Σ w_o inputs(o). Predictions are in the new words. If new labels are read as o, the
probability of o is divided among o and them by how many events each has in the new log; o has half an event more, because it may
come back. A label that is placed between several is read, but never predicted: when it comes was not learned.
"""

from typing import Any

import numpy as np

from actalike.errors import ActalikeError
from actalike.io import as_log
from actalike.log import EventLog
from actalike.prediction.label_placement import LabelPlacements, place_labels
from actalike.prediction.past_cases import PastCases
from actalike.prediction.trained_predictor import Floats, Predictor

NEVER = -1e6  # the logit of what is never predicted: its probability is 0
_MAY_COME_BACK = 0.5


def adapted(model: Predictor, log: Any) -> Predictor:
    """Return a predictor that also knows the labels of a log that can be placed; the given one does not change."""
    log = as_log(log, "adapt")
    if model.past is None:
        raise ActalikeError(
            "This predictor was saved without the cases that it was trained on, so there is nothing to compare new labels with: "
            "train it again with actalike.predictor(log)."
        )
    past = model.past.log(model.activities)
    placements = place_labels(past, log)
    activities = [*model.activities, *(label.label for label in placements.placed)]
    column = {label: i for i, label in enumerate(past.activities)}
    weights = placements.weights[:, [column[label] for label in model.activities]]
    out, out_bias = _with_new_words(model, log, placements)
    return Predictor(
        activities,
        model.method,
        np.vstack([model.inputs, weights @ model.inputs]),
        model.recurrent,
        out,
        out_bias,
        held_out=model.held_out,
        past=model.past.and_of(PastCases.of_log(log, activities)),
        placed=(*model.placed, *placements.placed),
        refused=placements.refused,
    )


def _with_new_words(model: Predictor, log: EventLog, placements: LabelPlacements) -> tuple[Floats, Floats]:
    """Return the weights and biases of the logits, with a column for each new label; the end of the case stays last."""
    events = dict(zip(log.activities, log.activity_counts.tolist(), strict=True))
    position = {label: i for i, label in enumerate(model.activities)}
    bias = model.out_bias.copy()
    totals: dict[str, float] = {}
    for label in placements.placed:
        if label.read_as is not None:
            before = totals.get(label.read_as, events.get(label.read_as, 0) + _MAY_COME_BACK)
            totals[label.read_as] = before + events[label.label]
    for old, total in totals.items():
        bias[position[old]] += np.log((events.get(old, 0) + _MAY_COME_BACK) / total)
    columns, biases = np.zeros((len(model.out), len(placements.placed))), np.full(len(placements.placed), NEVER)
    for i, label in enumerate(placements.placed):
        if label.read_as is not None:
            columns[:, i] = model.out[:, position[label.read_as]]
            biases[i] = model.out_bias[position[label.read_as]] + np.log(events[label.label] / totals[label.read_as])
    return np.insert(model.out, [-1], columns, axis=1), np.concatenate([bias[:-1], biases, bias[-1:]])
