"""Those who take part in the benchmark of anomalies: a *detector*, which says how odd each case of a log is.

A detector has ``fit(log)``, which returns itself. The log has the attributes of its events; it is not known which of its cases
are anomalous, and they are among those that the detector learns from. It must leave ``case_scores_``: a number for each case
(higher: odder). It may leave more, which is then judged too:

- ``cell_scores_``: an array with a row for each event and a column for its activity and each of ``log.attributes``.
- ``event_scores_``: a number for each event; without it, the highest of the event's cells.
- ``end_scores_``: how odd the end of each case is. Nothing is planted there, so an alarm there is a false one.
- ``reasons(cases)``, a method: of each of these cases, given by number, the strongest reason as an ``OddEvent``, or None.
"""

import warnings
from collections.abc import Sequence
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.benchmark.participants import ParticipantRegistry
from actalike.benchmark.scoring import Floats
from actalike.errors import ActalikeError
from actalike.log import EventLog, first_equal_cases
from actalike.oddities import OddEvent, odd
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


class Odd:
    """Take the scores and the reasons of ``odd``."""

    name = "odd"
    reads_attributes = True

    def fit(self, log: EventLog) -> Self:
        """Score the log."""
        self._oddities = odd(log, None if self.reads_attributes else [])
        self.case_scores_, self.event_scores_ = self._oddities.case_scores(), self._oddities.event_scores()
        seen = [list(log.attributes).index(name) + 1 for name in self._oddities.attributes]
        self.cell_scores_ = np.zeros((log.n_events, 1 + len(log.attributes)))  # no value that is not looked at is odd
        self.cell_scores_[:, [0, *seen]] = self._oddities.cell_scores()
        return self

    def reasons(self, cases: Sequence[int]) -> list[OddEvent | None]:
        """Return the strongest reason of each case."""
        return [next(iter(self._oddities.explain(case)), None) for case in cases]


class OddActivities(Odd):
    """Let ``odd`` look at activities alone."""

    name = "odd-activities"
    reads_attributes = False


class Naive:
    """Score a case by -ln of the share of cases with the same sequence of activities, as BPAD's Naive."""

    name = "naive"

    def fit(self, log: EventLog) -> Self:
        """Count the variants."""
        first = first_equal_cases(log.codes, log.offsets)
        self.case_scores_ = -np.log(np.bincount(first, minlength=log.n_cases)[first] / log.n_cases)
        return self


Codes = NDArray[np.int64]


class Likelihood:
    """Score a cell by 1 - p, a case by its highest cell, as BPAD's Likelihood.

    p is the share of an activity given the activity before and its last attribute; of the first attribute given the activity; of
    a further attribute given the activity and the attribute before it. Every case ends with an end event.
    """

    name = "likelihood"

    def fit(self, log: EventLog) -> Self:
        """Count the chain."""
        events, is_end = _with_ends(log)
        columns = [np.where(is_end, len(values), codes[events]) for values, codes in _columns(log)]
        starts = np.append(True, is_end[:-1])
        activity, last = columns[0], columns[-1]
        before = np.where(starts, -2, np.append(0, activity[:-1]))
        context = _chain_pairs(before, np.where(starts, -2, np.append(0, last[:-1]))) if len(columns) > 1 else before
        odd = [1 - _share(context, activity)]
        for number, column in enumerate(columns[1:], 1):
            odd.append(1 - _share(activity if number == 1 else _chain_pairs(activity, columns[number - 1]), column))
        cells = np.column_stack(odd)
        case = np.repeat(np.arange(log.n_cases), log.lengths + 1)
        self.case_scores_ = np.zeros(log.n_cases)
        np.maximum.at(self.case_scores_, case, cells.max(axis=1))
        self.cell_scores_, self.end_scores_ = cells[~is_end], cells[is_end, 0]
        return self


def _columns(log: EventLog) -> list[tuple[list[str], NDArray[np.int32]]]:
    return [(log.activities, log.codes), *((attribute.values, attribute.codes) for attribute in log.attributes.values())]


def _with_ends(log: EventLog) -> tuple[Codes, NDArray[np.bool_]]:
    """Return the events case by case with an end after each case, and which of them are ends."""
    is_end = np.zeros(log.n_events + log.n_cases, dtype=bool)
    is_end[log.offsets[1:] + np.arange(log.n_cases)] = True
    return np.minimum(np.cumsum(~is_end) - 1, log.n_events - 1), is_end


def _chain_pairs(first: Codes, second: Codes) -> Codes:
    """Return a number for each pair of codes, which may be -2 and more."""
    return (first + 2) * (second.max() + 3) + second + 2


def _share(context: Codes, value: Codes) -> NDArray[np.float64]:
    """Return the share of each value among the events in the same context."""
    _, contexts, n_context = np.unique(context, return_inverse=True, return_counts=True)
    _, both, n_both = np.unique(_chain_pairs(contexts, value), return_inverse=True, return_counts=True)
    return np.asarray(n_both[both] / n_context[contexts])


SMOOTHING = 0.5  # added to each count


class Links:
    """Score each link by -ln p(next | previous) - ln p(previous | next), and a case by its highest link.

    Probabilities are smoothed shares of the log's adjacent pairs, start and end of cases included.
    """

    name = "links"
    leaves_case_out = False  # whether a case is scored by the counts of the others
    reads_attributes = False

    def fit(self, log: EventLog) -> Self:
        """Count the links."""
        links, is_end = link_surprises(log, self.leaves_case_out)
        attributes = [value_surprises(log, name) for name in log.attributes] if self.reads_attributes else []
        unread = np.zeros((log.n_events, 0 if self.reads_attributes else len(log.attributes)))
        self.cell_scores_ = np.column_stack([links[~is_end], *attributes, unread])
        self.end_scores_ = links[is_end]
        self.case_scores_ = self.end_scores_.copy()
        np.maximum.at(self.case_scores_, np.repeat(np.arange(log.n_cases), log.lengths), self.cell_scores_.max(axis=1))
        return self


class LinksAll(Links):
    """Score the values of attributes too, by the activity and the value before."""

    name = "links-all"
    reads_attributes = True


class LinksCaseOut(LinksAll):
    """Leave each case out of the counts that it is scored by."""

    name = "links-case-out"
    leaves_case_out = True


def link_surprises(log: EventLog, case_out: bool) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the surprise of each link, case by case, the one to the end last, and which links go to the end.

    >>> log = EventLog.from_traces([["a", "b", "c"]] * 3 + [["a", "c"]])
    >>> link_surprises(log, case_out=False)[0][-3:].round(4).tolist()
    [0.5754, 2.7726, 0.5754]
    """
    outside = len(log.activities)
    size = outside + 1
    n_links = log.n_events + log.n_cases
    ends = log.offsets[1:] + np.arange(log.n_cases)
    is_end = np.zeros(n_links, dtype=bool)
    is_end[ends] = True
    after = np.full(n_links, outside, dtype=np.int64)
    after[~is_end] = log.codes
    before = np.append(outside, after[:-1])
    case = np.repeat(np.arange(log.n_cases), log.lengths + 1)
    counts = [_counts(key, case, case_out) for key in (before * size + after, before, after)]
    pair, of_before, of_after = counts
    forward = (pair + SMOOTHING) / (of_before + SMOOTHING * size)
    backward = (pair + SMOOTHING) / (of_after + SMOOTHING * size)
    return -np.log(forward) - np.log(backward), is_end


def _counts(key: Codes, case: Codes, case_out: bool) -> Codes:
    """Return how many links have the same key, without those of the own case if it is left out."""
    counts = np.bincount(key)[key]
    if not case_out:
        return counts
    _, own, n_own = np.unique(case * (key.max() + 1) + key, return_inverse=True, return_counts=True)
    return np.asarray(counts - n_own[own])


def value_surprises(log: EventLog, name: str) -> Floats:
    """Return the surprise of each value of an attribute, given the activity and the value of the event before.

    The event itself is left out of the counts; a missing value is a value.
    """
    attribute = log.attributes[name]
    value = attribute.codes.astype(np.int64) + 1
    n_values = len(np.unique(value))
    before = np.append(0, value[:-1] + 1)
    before[log.offsets[:-1]] = 0  # the start of a case
    activity = log.codes.astype(np.int64)
    size = int(value.max()) + 2
    with_value, with_before = activity * size + value, activity * size + before
    shares = (_others(with_value) + 0.5) / (_others(activity) + n_values / 2)
    return np.asarray(-2 * np.log((_others(with_before * size + value) + 2 * shares) / (_others(with_before) + 2)))


def _others(key: Codes) -> Codes:
    """Return how many other events have the same key."""
    _, place, counts = np.unique(key, return_inverse=True, return_counts=True)
    return np.asarray(counts[place] - 1)


SKLEARN = Extra("benchmark", "sklearn")
_SAMPLE = 256  # cases that a tree is grown with


class BagForest:
    """Score a case by an isolation forest of 100 trees on how often it has each activity."""

    name = "isolation-forest"
    needs = (SKLEARN,)

    def fit(self, log: EventLog) -> Self:
        """Grow the forest with the bags of all cases, and score each variant once."""
        ensemble = SKLEARN.load("sklearn.ensemble", self.name)
        case = np.repeat(np.arange(log.n_cases, dtype=np.int32), log.lengths)  # trees take no sparse matrix with wider indices
        shape = log.n_cases, len(log.activities)
        bags = csr_array((np.ones(log.n_events, dtype=np.float32), (case, log.codes)), shape=shape)
        forest = ensemble.IsolationForest(max_samples=min(_SAMPLE, log.n_cases), random_state=0).fit(bags)
        first, place = np.unique(first_equal_cases(log.codes, log.offsets), return_inverse=True)
        self.case_scores_ = -forest.score_samples(bags[first])[place]
        return self


GENSIM = Extra("neural", "gensim")
_NEIGHBOURS = 20


class WordVectors:
    """Score a case as BPAD's W2V-LOF: word2vec (100 numbers, window 3, 10 epochs), its mean, standardised, outlier factor."""

    name = "w2v-lof"
    needs = (GENSIM, SKLEARN)

    def fit(self, log: EventLog) -> Self:
        """Train the vectors, and compare the cases."""
        models = GENSIM.load("gensim.models", self.name)
        neighbours = SKLEARN.load("sklearn.neighbors", self.name)
        model = models.Word2Vec(log.traces(), vector_size=100, window=3, epochs=10, min_count=1, seed=0, workers=1)
        vectors = np.array([model.wv[label] for label in log.activities], dtype=np.float64)
        sums = np.add.reduceat(vectors[log.codes], log.offsets[:-1])
        means = sums / log.lengths[:, np.newaxis]
        spread = means.std(axis=0)
        standardised = (means - means.mean(axis=0)) / np.where(spread > 0, spread, 1)
        factor = neighbours.LocalOutlierFactor(n_neighbors=min(_NEIGHBOURS, log.n_cases - 1))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # more than 20 cases of one variant have no distance, which is how it was published
            factor.fit(standardised)
        self.case_scores_ = -factor.negative_outlier_factor_
        return self


for _detector in (Odd, OddActivities, Naive, Likelihood, Links, LinksAll, LinksCaseOut, BagForest, WordVectors):
    DETECTORS.register(_detector.name, _detector)
