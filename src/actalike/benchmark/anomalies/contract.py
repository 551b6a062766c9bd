"""The contract of those who take part: a *detector*, which says how odd each case of a log is.

A detector has ``fit(log)``, which returns itself. The log has the attributes of its events; it is not known which of its cases
are anomalous, and they are among those that the detector learns from. It must leave ``case_scores_``: a number for each case
(higher: odder). It may leave more, which is then judged too:

- ``cell_scores_``: an array with a row for each event and a column for its activity and each of ``log.attributes``.
- ``event_scores_``: a number for each event; without it, the highest of the event's cells.
- ``end_scores_``: how odd the end of each case is. Nothing is planted there, so an alarm there is a false one.
- ``reasons(cases)``, a method: of each of these cases, given by number, the strongest reason as an ``OddEvent``, or None.
"""

from collections.abc import Sequence
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np

from actalike.benchmark.anomalies.metrics import Floats
from actalike.benchmark.participants import ParticipantRegistry
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.oddities import OddEvent
from actalike.support.extras import Extra

_REAL = "biuf"  # the kinds of arrays that hold real numbers


@runtime_checkable
class Detector(Protocol):
    """Say how odd the cases of a log are."""

    name: str
    needs: Sequence[Extra]  # the extras that it needs; default: none
    case_scores_: Floats

    def fit(self, log: EventLog) -> Self:
        """Look at a log, set ``case_scores_`` and what else there is, and return self."""
        ...


class Answer:
    """Hold what a fitted detector left, checked: arrays of finite numbers, None where it said nothing."""

    def __init__(self, detector: Any, log: EventLog) -> None:
        self._detector = detector
        n_columns = 1 + len(log.attributes)
        self.cases: Floats = _array(detector.case_scores_, (log.n_cases,), "case_scores_", "one for each case")
        self.cells: Floats | None = None
        self.events: Floats | None = None
        if (cells := getattr(detector, "cell_scores_", None)) is not None:
            each = "a row for each event, a column for the activity and each attribute"
            self.cells = _array(cells, (log.n_events, n_columns), "cell_scores_", each)
            self.events = np.asarray(self.cells.max(axis=1))
        if (events := getattr(detector, "event_scores_", None)) is not None:
            self.events = _array(events, (log.n_events,), "event_scores_", "one for each event")
        self.ends: Floats = np.empty(0)
        if (ends := getattr(detector, "end_scores_", None)) is not None:
            self.ends = _array(ends, (log.n_cases,), "end_scores_", "one for each case")

    @property
    def gives_reasons(self) -> bool:
        """Return whether the detector gives reasons."""
        return callable(getattr(self._detector, "reasons", None))

    def reasons(self, cases: Sequence[int]) -> list[OddEvent | None]:
        """Return the strongest reason of each of some cases."""
        reasons = list(self._detector.reasons(list(cases)))
        if len(reasons) != len(cases) or not all(one is None or isinstance(one, OddEvent) for one in reasons):
            raise ActalikeError("its reasons() must be an OddEvent or None for each case that it is asked about")
        return reasons


def _array(values: Any, shape: tuple[int, ...], name: str, each: str) -> Floats:
    array = np.asarray(values)
    if array.shape != shape or array.dtype.kind not in _REAL or not np.isfinite(array).all():
        size = " x ".join(f"{n:,}" for n in shape)
        raise ActalikeError(f"its {name} must be {size} finite real numbers, {each}")
    return array.astype(np.float64)  # a copy: the detector may use its array again


DETECTORS: ParticipantRegistry[Detector] = ParticipantRegistry(
    "detector", "fit(log), which must return itself and leave case_scores_", {"needs": ()}
)


def register(name: str, factory: Any) -> None:
    """Register a detector of your own under a name; ``factory`` is its class, or a function that makes one.

    >>> class Longest:
    ...     def fit(self, log):
    ...         self.case_scores_ = log.lengths
    ...         return self
    >>> register("longest", Longest)
    """
    DETECTORS.register(name, factory)
