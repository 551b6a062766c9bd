"""Those who take part in the benchmark of anomalies: a *detector*, which says how odd each case of a log is.

A detector has ``fit(log)``, which returns itself. The log has the attributes of its events; it is not known which of its cases
are anomalous, and they are among those that the detector learns from. It must leave ``case_scores_``: a number for each case
(higher: odder). It may leave more, which is then judged too:

- ``cell_scores_``: an array with a row for each event and a column for its activity and each of ``log.attributes``.
- ``event_scores_``: a number for each event; without it, the highest of the event's cells.
- ``end_scores_``: how odd the end of each case is. Nothing is planted there, so an alarm there is a false one.
- ``reasons(cases)``, a method: of each of these cases, given by number, the strongest reason as an ``OddEvent``, or None.
- ``case_probabilities_``: how probable it is that each case is odd.
- ``called()``, a method: which cases it calls odd by itself, as a mask.
- ``alarms(rate)``, a method: which cases it calls odd if it may call that share of the normal cases by mistake, as a mask.

A detector with ``reads_reference`` has ``fit(log, reference=None)``. It learns from the reference, where nothing is planted, and
scores the log.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np

from actalike.benchmark.participants import ParticipantRegistry
from actalike.benchmark.scoring import Floats, Mask
from actalike.benchmark.tasks.counting_detectors import (
    Bag,
    BagForest,
    Likelihood,
    Links,
    LinksAll,
    LinksCaseOut,
    Naive,
    Trigram,
    Waits,
    WordVectors,
)
from actalike.benchmark.tasks.network_detector import Network
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.oddities import OddEvent, odd
from actalike.support.extras import Extra

_REAL = "biuf"  # the kinds of arrays that hold real numbers, or are masks


@runtime_checkable
class Detector(Protocol):
    """Say how odd the cases of a log are."""

    name: str
    needs: Sequence[Extra]  # the extras that it needs; default: none
    reads_reference: bool  # whether it can learn from another log than it scores; default: no
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
        self.probabilities: Floats | None = None
        if (probabilities := getattr(detector, "case_probabilities_", None)) is not None:
            self.probabilities = _array(probabilities, (log.n_cases,), "case_probabilities_", "one for each case")
            if self.probabilities.min() < 0 or self.probabilities.max() > 1:
                raise ActalikeError("its case_probabilities_ must be from 0 to 1")

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

    @cached_property
    def called(self) -> Mask | None:
        """Return which cases the detector calls odd by itself."""
        call = getattr(self._detector, "called", None)
        return _array(call(), self.cases.shape, "called()", "a mask of the cases") > 0 if callable(call) else None

    def alarms(self, rate: float) -> Mask | None:
        """Return which cases it calls if it may call this share of the normal ones by mistake."""
        alarms = getattr(self._detector, "alarms", None)
        return _array(alarms(rate), self.cases.shape, "alarms()", "a mask of the cases") > 0 if callable(alarms) else None


def _array(values: Any, shape: tuple[int, ...], name: str, each: str) -> Floats:
    array = np.asarray(values)
    if array.shape != shape or array.dtype.kind not in _REAL or not np.isfinite(array).all():
        size = " x ".join(f"{n:,}" for n in shape)
        raise ActalikeError(f"its {name} must be {size} finite real numbers, {each}")
    return array.astype(np.float64)  # a copy: the detector may use its array again


DETECTORS: ParticipantRegistry[Detector] = ParticipantRegistry(
    "detector", "fit(log), which must return itself and leave case_scores_", {"needs": (), "reads_reference": False}
)


class Odd:
    """Take the scores, the probabilities, the alarms and the reasons of ``odd``."""

    name = "odd"
    reads_reference = True
    reads_attributes = True

    def fit(self, log: EventLog, reference: EventLog | None = None) -> Self:
        """Score the log, by itself or by a reference."""
        self._oddities = odd(log, None if self.reads_attributes else [], reference=reference)
        self.case_scores_, self.event_scores_ = self._oddities.case_scores(), self._oddities.event_scores()
        self.case_probabilities_ = self._oddities.probabilities()
        seen = [list(log.attributes).index(name) + 1 for name in self._oddities.attributes]
        self.cell_scores_ = np.zeros((log.n_events, 1 + len(log.attributes)))  # no value that is not looked at is odd
        self.cell_scores_[:, [0, *seen]] = self._oddities.cell_scores()
        return self

    def called(self) -> Mask:
        """Return which cases ``odd`` calls so."""
        return self._oddities.called

    def alarms(self, rate: float) -> Mask:
        """Return which cases it calls so at a rate of false alarms."""
        return self._oddities.alarms(rate)

    def reasons(self, cases: Sequence[int]) -> list[OddEvent | None]:
        """Return the strongest reason of each case."""
        return [next(iter(self._oddities.explain(case)), None) for case in cases]


class OddActivities(Odd):
    """Let ``odd`` look at activities alone."""

    name = "odd-activities"
    reads_attributes = False


_ALL = (
    *(Odd, OddActivities, Naive, Likelihood, Links, LinksAll, LinksCaseOut, Trigram, Bag),
    *(BagForest, WordVectors, Waits, Network),
)
for _detector in _ALL:
    DETECTORS.register(_detector.name, _detector)
