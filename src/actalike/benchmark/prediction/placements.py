"""Where the new labels of a changed log are placed among the old ones: weights of old ids, for each new id.

There are two ways. *Read* is what ``Predictor.adapt`` does, and does not depend on the method: a label is read as an old one, or
placed between several. *Placed* is by a method's own vectors of a joint count: the weights with which the old vectors come
nearest to the new one. A label that has not been seen, or is too rare, has no weights: the network reads the mean of all vectors.
"""

import copy
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.prediction.changed_labels import ChangedLabels, Condition, change_labels, conditions_of, first_cases
from actalike.benchmark.prediction.data import PredictionData, log_of
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods import Method
from actalike.prediction import blend_weights, place_labels

Floats = NDArray[np.float32]


class Change(NamedTuple):
    """A condition with its test cases, and the logs before and after the change as far as they are known."""

    condition: Condition
    changed: ChangedLabels
    past: EventLog
    now: EventLog

    @property
    def n_known(self) -> int:
        """Return how many of the test cases are known, and so not judged; 0 if all are known and judged."""
        first = self.condition.first
        return 0 if first is None else len(first_cases(self.changed.test, first))


def changes_of(data: PredictionData) -> list[Change]:
    """Return the changes of a log's labels under all conditions that it can have."""
    past = log_of(data.vocabulary, (data.training, data.validation))
    changes = []
    for condition in conditions_of(data):
        changed = change_labels(data, condition)
        now = log_of(changed.vocabulary, (first_cases(changed.test, condition.first),))
        changes.append(Change(condition, changed, past, now))
    return changes


def read_weights(data: PredictionData, change: Change) -> Floats:
    """Return the weights of old ids (columns) for new ids (rows) by which ``Predictor.adapt`` reads them."""
    placements = place_labels(change.past, change.now)
    return _by_id(data, change, [label.label for label in placements.placed], placements.weights)


def placed_weights(data: PredictionData, change: Change, method: Method) -> Floats:
    """Return the weights of old ids (columns) for new ids (rows) by a method's vectors of a joint count."""
    first = first_cases(change.changed.test, change.condition.first)
    joint = log_of(change.changed.vocabulary, (data.training, data.validation, first))
    embedding = copy.deepcopy(method).fit(joint).embedding_
    new = [label for label in change.now.activities if label not in set(change.past.activities)]
    if not {*new, *change.past.activities} <= set(embedding.activities):
        raise ActalikeError("its activities are not those of the log")
    weights = blend_weights(embedding, change.past.activities, new)
    if not np.isfinite(weights).all():
        raise ActalikeError("its vectors have numbers that are too large to place new labels by them")
    return _by_id(data, change, new, weights)


def _by_id(data: PredictionData, change: Change, new: Sequence[str], weights: NDArray[np.float64]) -> Floats:
    """Arrange weights, given for labels, by ids. Labels that only the test cases ever had get none."""
    n = len(data.vocabulary)
    position = {label: i for i, label in enumerate(change.changed.vocabulary)}
    by_id = np.zeros((len(position) - n, n), dtype=np.float32)
    columns = [position[label] for label in change.past.activities]
    for label, row in zip(new, weights, strict=True):
        if position[label] >= n:
            by_id[position[label] - n, columns] = row
    return by_id
