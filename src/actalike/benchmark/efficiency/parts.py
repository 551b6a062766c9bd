"""The parts of a method's work, timed one by one; and what the paper's authors timed besides.

Everything starts from a log that nobody has looked at yet (its variants are not known), and ends with all distances.
"""

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from actalike.counting import WindowCounts, count_windows
from actalike.embedding import Embedding
from actalike.log import EventLog
from actalike.matrices import CountMatrix, activity_context, activity_position, raw
from actalike.methods import (
    MATRICES,
    Act2VecEmbedder,
    AutoencoderEmbedder,
    CountEmbedder,
    KinEmbedder,
    Method,
    OneHotEmbedder,
    PositionalEmbedder,
    ProcessStructureEmbedder,
    SubstitutionEmbedder,
    discover_tree,
    switches_in_name,
)

ITEMS = ("count", "matrix", "weighting", "scores", "rounds", "discovery", "features", "training", "fit", "distances")

# A matrix is kept with the table that it is made from. So a method that is then fitted to the table finds it there, and what
# takes time is the rest: each part is timed in the method's own code. By exact type: a child may do something else.
_MATRIX: dict[type, Callable[[Any, WindowCounts], CountMatrix]] = {
    CountEmbedder: lambda method, table: MATRICES[method.matrix](table, method.context),
    PositionalEmbedder: lambda method, table: activity_position(table),
    SubstitutionEmbedder: lambda method, table: activity_context(table, "sequence"),
}
_AFTER_COUNTING = {
    CountEmbedder: "weighting",
    PositionalEmbedder: "weighting",
    SubstitutionEmbedder: "scores",
    KinEmbedder: "rounds",
}
_TRAINED = (Act2VecEmbedder, AutoencoderEmbedder)


class Laps:
    """A stopwatch: each call names what was done since the last.

    >>> laps = Laps()
    >>> laps("count")
    >>> list(laps.seconds), laps.total >= 0
    (['count'], True)
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.processor = 0.0  # seconds for which this process was computing: other work of the machine does not count
        self._busy_before = time.process_time()
        self._since = time.perf_counter()

    def __call__(self, part: str) -> None:
        """Note how long a part took."""
        self.seconds[part] = time.perf_counter() - self._since
        self.processor = time.process_time() - self._busy_before
        self._since = time.perf_counter()

    @property
    def total(self) -> float:
        """The seconds of all laps."""
        return sum(self.seconds.values())


@dataclass(frozen=True)
class Round:
    """Seconds of a whole call, and of the processor in it; its parts, in a call of their own; all that the authors timed."""

    seconds: float
    processor: float
    items: dict[str, float]
    as_published: float | None


class Whole(NamedTuple):
    """What a whole call has left."""

    laps: Laps
    embedding: Embedding
    distances: Any


def whole_call(method: Any, log: EventLog) -> Whole:
    """Fit a method and compute all distances."""
    laps = Laps()
    embedding = method.fit(log).embedding_
    laps("training" if type(method) in _TRAINED else "fit")
    distances = embedding.distances()
    laps("distances")
    return Whole(laps, embedding, distances)


class Parts(NamedTuple):
    """What a call in parts has left: the times, the distances, and the matrix, if there is one."""

    laps: Laps
    distances: Any
    matrix: CountMatrix | None


def call_by_parts(method: Any, log: EventLog) -> Parts | None:
    """The same work in parts; None where a method has no other parts than fitting and distances."""
    laps, matrix = Laps(), None
    if type(method) in _AFTER_COUNTING:
        table = count_windows(log, method.window)
        laps("count")
        if type(method) in _MATRIX:
            matrix = _MATRIX[type(method)](method, table)
            laps("matrix")
        embedding = method.fit(table).embedding_
        laps(_AFTER_COUNTING[type(method)])
    elif type(method) is ProcessStructureEmbedder:
        tree = discover_tree(log)
        laps("discovery")
        embedding = method.embed_tree(log, tree)
        laps("features")
    else:
        return None
    distances = embedding.distances()
    laps("distances")
    return Parts(laps, distances, matrix)


def timed_round(method: Method, fresh: Callable[[], EventLog]) -> Round:
    """Time a whole call and the parts, each with a fresh copy of the method and the log."""
    whole = whole_call(copy.deepcopy(method), fresh())
    parts = call_by_parts(copy.deepcopy(method), fresh())
    items = (parts or whole).laps.seconds
    return Round(whole.laps.total, whole.laps.processor, items, as_published(method, whole, parts.matrix if parts else None))


def as_published(method: Any, whole: Whole, matrix: CountMatrix | None) -> float | None:
    """The seconds of what the authors timed, given a whole call; None for methods that they did not time.

    With PMI and PPMI they timed the distances of the raw counts besides (which takes the matrix), with act2vec and the
    autoencoder all distances once more.
    """
    kind, seconds, activities = type(method), whole.laps.total, whole.embedding.activities
    if kind is CountEmbedder and not switches_in_name(method.get_params()):
        if method.weighting == "raw":
            return seconds
        return None if matrix is None else seconds + _seconds_of_distances(activities, raw(*matrix[:4]))
    if (kind is Act2VecEmbedder and not method.span) or (kind is AutoencoderEmbedder and not method.masked):
        return seconds + _seconds_of_distances(activities, whole.embedding.vectors)
    is_timed = kind in (SubstitutionEmbedder, OneHotEmbedder) or (kind is ProcessStructureEmbedder and not method.fixed)
    return seconds if is_timed else None


def _seconds_of_distances(activities: list[str], vectors: Any) -> float:
    laps = Laps()
    Embedding(activities, vectors).distances()  # a new one: an embedding remembers some of its work
    laps("distances")
    return laps.total
