"""The times of a method's work: of a whole call, and of its parts one by one.

Every call starts from a log that nobody has looked at yet (its variants are not known), and ends with all distances.
"""

import copy
import inspect
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from actalike.benchmark.efficiency.published import extra_seconds
from actalike.embedding import Embedding
from actalike.log import EventLog
from actalike.methods import Method

FIT, DISTANCES = "fit", "distances"
# the parts of our own methods, in the order of tables; any other part of somebody's method comes before the distances
ITEMS = ("count", "matrix", "weighting", "scores", "rounds", "discovery", "features", "training", FIT, DISTANCES)


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


class Timed(NamedTuple):
    """What a timed call has left: the times, the embedding and the distances."""

    laps: Laps
    embedding: Embedding
    distances: Any


def whole_call(method: Method, log: EventLog) -> Timed:
    """Fit a method and compute all distances."""
    laps = Laps()
    embedding = method.fit(log).embedding_
    laps(method.parts[0] if len(method.parts) == 1 else FIT)
    return _with_distances(laps, embedding)


def call_by_parts(method: Any, log: EventLog) -> Timed:
    """Do the same work with the method's own parts timed."""
    laps = Laps()
    return _with_distances(laps, method.fit(log, laps).embedding_)


def _with_distances(laps: Laps, embedding: Embedding) -> Timed:
    distances = embedding.distances()
    laps(DISTANCES)
    return Timed(laps, embedding, distances)


def has_parts(method: Method) -> bool:
    """Return whether a method names several parts of its work, and its ``fit`` takes a stopwatch for them.

    A class that inherits the parts may have a ``fit`` of its own, which does something else.
    """
    return len(method.parts) > 1 and "lap" in inspect.signature(method.fit).parameters


def timed_round(name: str, method: Method, fresh: Callable[[], EventLog]) -> Round:
    """Time a whole call and the parts, each with a fresh copy of the method and the log."""
    whole = whole_call(copy.deepcopy(method), fresh())
    items = call_by_parts(copy.deepcopy(method), fresh()).laps.seconds if has_parts(method) else whole.laps.seconds
    return Round(whole.laps.total, whole.laps.processor, items, as_published(name, whole, fresh))


def as_published(name: str, whole: Timed, fresh: Callable[[], EventLog] | None) -> float | None:
    """Return the seconds of what the paper's authors timed, given a whole call; None for methods that they did not time.

    Without a fresh log, also None where their protocol needs another embedding.
    """
    seconds = extra_seconds(name, whole.embedding, fresh)
    return None if seconds is None else whole.laps.total + seconds
