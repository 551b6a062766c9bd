"""The contract of those who take part: a method by its name, or a *grouper*, which proposes groups of labels itself.

A grouper has ``fit(log)``, which returns itself and leaves three things: ``scores_``, an array with a number for each pair of
labels in the order of ``log.activities`` (higher: more likely one step), or None; ``is_probability``, whether these are
probabilities; and ``groups_``, the groups that it proposes, or None. Register it, and it takes part under its name.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.labels.contrast_groups import contrast_groups
from actalike.benchmark.participants import ParticipantRegistry
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods import Method
from actalike.support.extras import Extra

Floats = NDArray[np.float64]


@runtime_checkable
class Grouper(Protocol):
    """Say which labels of a log are likely one step."""

    name: str
    reads_labels: bool  # whether it uses the text of the labels; default: False. Then it is given a log in its own words
    needs: Sequence[Extra]  # the extras that it needs; default: none
    is_probability: bool  # whether scores_ are probabilities; default: False
    scores_: Floats | None
    groups_: Sequence[Sequence[str]] | None

    def fit(self, log: EventLog) -> Self:
        """Learn from a log, set ``scores_`` and ``groups_``, and return self."""
        ...


GROUPERS: ParticipantRegistry[Grouper] = ParticipantRegistry(
    "grouper",
    "fit(log), which must return itself and leave scores_ and groups_",
    {"reads_labels": False, "needs": (), "is_probability": False},
)


def register(name: str, factory: Callable[[], Any]) -> None:
    """Register a grouper of your own under a name; ``factory`` is its class, or a function that makes one.

    >>> class Nothing:
    ...     def fit(self, log):
    ...         self.scores_, self.groups_ = None, []
    ...         return self
    >>> register("nothing", Nothing)
    >>> GROUPERS.make("nothing").fit(EventLog.from_traces([["a"]])).groups_
    []
    """
    GROUPERS.register(name, factory)


class MethodGrouper:
    """Let a method take part: its similarities are the scores, and the rule of version 0.1 makes groups of its distances."""

    is_probability = False

    def __init__(self, method: Method) -> None:
        self.method = method
        self.name = method.name
        self.reads_labels = method.reads_labels
        self.needs = method.needs
        self.scores_: Floats | None = None
        self.groups_: Sequence[Sequence[str]] | None = None

    def fit(self, log: EventLog, source: Any = None) -> Self:
        """Embed the log, or a count of its windows, and group the labels."""
        embedding = self.method.fit(log if source is None else source).embedding_
        if embedding.activities != log.activities:
            raise ActalikeError("its activities are not those of the log")
        distances = embedding.distances()
        has_scale = embedding.compare == "cosine"  # else its numbers are scores of its own, without a contrast
        self.scores_ = 1 - distances if has_scale else -distances
        self.groups_ = contrast_groups(distances, log) if has_scale else None
        return self


def check_result(grouper: Grouper, log: EventLog) -> None:
    """Refuse what a grouper leaves if it does not keep to the contract."""
    n = len(log.activities)
    if grouper.scores_ is not None:
        scores = np.asarray(grouper.scores_, dtype=np.float64)
        if scores.shape != (n, n) or not np.isfinite(scores).all():
            raise ActalikeError(f"its scores_ must be {n} x {n} finite numbers, one for each pair of labels")
        if not np.allclose(scores, scores.T, atol=1e-9):
            raise ActalikeError("its scores_ are not symmetric: both labels of a pair must have the same score")
        if grouper.is_probability and not ((scores >= 0) & (scores <= 1)).all():
            raise ActalikeError("its scores_ are not probabilities: some are below 0 or above 1")
    known = set(log.activities)
    for group in grouper.groups_ or ():
        if isinstance(group, str) or not known.issuperset(group):
            raise ActalikeError("its groups_ must be lists of labels of the log")
