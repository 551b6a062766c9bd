"""The contract of those who take part: a *matcher*, which says which labels of two logs are the same step.

A matcher has ``fit(log_a, log_b, known)``, which returns itself. ``known`` are pairs that are certain: the label of b by the
label of a. It must leave ``scores_``: an array with a row for each of ``log_a.activities`` and a column for each of
``log_b.activities`` (higher: more likely the same step). It may leave more, which is then judged too:

- ``probabilities_``: how likely each pair is the same step, as such an array.
- ``pairs_``: the pairs that it proposes, as (label of a, label of b). A label may be in several, if its step is split.
- ``unmatched_a_``, ``unmatched_b_``: the labels that it says have no partner.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.participants import ParticipantRegistry
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.support.extras import Extra

Floats = NDArray[np.float64]


@runtime_checkable
class Matcher(Protocol):
    """Say which labels of two logs are the same step."""

    name: str
    reads_labels: bool  # whether it uses the text of the labels; default: False. Then it is given logs in words
    needs: Sequence[Extra]  # the extras that it needs; default: none
    slow: bool  # whether it takes so long that each task is drawn only once for it; default: False
    scores_: Floats

    def fit(self, log_a: EventLog, log_b: EventLog, known: Mapping[str, str]) -> Self:
        """Match two logs, set ``scores_`` and what else there is, and return self."""
        ...


class Answer:
    """Hold what a fitted matcher left, checked: arrays of floats, pairs and sets of labels, None where it said nothing."""

    def __init__(self, matcher: Any, log_a: EventLog, log_b: EventLog) -> None:
        shape = len(log_a.activities), len(log_b.activities)
        labels_a, labels_b = set(log_a.activities), set(log_b.activities)
        self.scores = _array(matcher.scores_, shape, "scores_")
        self.probabilities: Floats | None = None
        if (probabilities := getattr(matcher, "probabilities_", None)) is not None:
            self.probabilities = _array(probabilities, shape, "probabilities_")
            if not ((self.probabilities >= 0) & (self.probabilities <= 1)).all():
                raise ActalikeError("its probabilities_ are not probabilities: some are below 0 or above 1")
        self.pairs: set[tuple[str, str]] | None = None
        if (pairs := getattr(matcher, "pairs_", None)) is not None:
            self.pairs = {(a, b) for a, b in pairs}
            if any(a not in labels_a or b not in labels_b for a, b in self.pairs):
                raise ActalikeError("its pairs_ must be pairs of a label of the first log and one of the second")
        self.unmatched_a = _labels(matcher, "unmatched_a_", labels_a)
        self.unmatched_b = _labels(matcher, "unmatched_b_", labels_b)


def _array(values: Any, shape: tuple[int, int], name: str) -> Floats:
    array = np.asarray(values, dtype=np.float64)
    if array.shape != shape or not np.isfinite(array).all():
        raise ActalikeError(f"its {name} must be {shape[0]} x {shape[1]} finite numbers, one for each pair of labels")
    return array


def _labels(matcher: Any, name: str, known: set[str]) -> set[str] | None:
    labels = getattr(matcher, name, None)
    if labels is not None and (isinstance(labels, str) or not known.issuperset(labels)):
        raise ActalikeError(f"its {name} must be labels of the log")
    return None if labels is None else set(labels)


MATCHERS: ParticipantRegistry[Matcher] = ParticipantRegistry(
    "matcher",
    "fit(log_a, log_b, known), which must return itself and leave scores_",
    {"reads_labels": False, "needs": (), "slow": False},
)


def register(name: str, factory: Any) -> None:
    """Register a matcher of your own under a name; ``factory`` is its class, or a function that makes one.

    >>> class Alphabet:
    ...     def fit(self, log_a, log_b, known):
    ...         self.scores_ = np.eye(len(log_a.activities), len(log_b.activities))
    ...         return self
    >>> register("alphabet", Alphabet)
    """
    MATCHERS.register(name, factory)
