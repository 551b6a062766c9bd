"""Simple detectors by their definitions, which the benchmark of anomalies compares with: shares, links, trigrams, bags, waits.

Each learns from the log that it scores, or from a reference. Both are then put into one log, the reference first, so that labels
and values have the same codes (:class:`Sides`): what is counted is the reference, and what is scored is the rest.
"""

import warnings
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.benchmark.scoring import Floats, Mask, medians
from actalike.benchmark.seeded_generator import random_subset, seed_of
from actalike.benchmark.tasks.planted_anomalies import pairs_of, waits_of
from actalike.log import Attribute, EventLog, first_equal_cases
from actalike.support.extras import Extra

Codes = NDArray[np.int64]
SMOOTHING = 0.5  # added to each count


class Sides(NamedTuple):
    """Hold a log that is scored, behind its reference, as one log; without a reference, all cases are counted and scored."""

    log: EventLog
    n_reference: int  # cases

    @classmethod
    def of(cls, log: EventLog, reference: EventLog | None) -> Self:
        """Put a log behind its reference, where values of attributes that it lacks are missing.

        >>> Sides.of(EventLog.from_traces([["b"]]), EventLog.from_traces([["a", "b"], ["a"]])).log.traces()
        [['a', 'b'], ['a'], ['b']]
        """
        if reference is None:
            return cls(log, 0)
        missing = Attribute([], np.full(reference.n_events, -1, dtype=np.int32))
        attributes = {}
        for name, attribute in log.attributes.items():
            before = reference.attributes.get(name, missing)
            values, codes = _joined(before.values, before.codes, attribute.values, attribute.codes)
            attributes[name] = Attribute(values, codes)
        labels, codes = _joined(reference.activities, reference.codes, log.activities, log.codes)
        offsets = np.append(reference.offsets, log.offsets[1:] + reference.n_events)
        ids = [*reference.case_ids, *log.case_ids]
        return cls(EventLog(labels, codes, offsets, ids, attributes=attributes), reference.n_cases)

    @property
    def counted(self) -> Mask:
        """Return which cases are counted."""
        return np.arange(self.log.n_cases) < (self.n_reference or self.log.n_cases)

    def scored(self, of_cases: Floats) -> Floats:
        """Return what was computed for each case, of the log that is scored."""
        return of_cases[self.n_reference :]


def _joined(
    first: list[str], first_codes: NDArray[np.int32], second: list[str], second_codes: NDArray[np.int32]
) -> tuple[list[str], NDArray[np.int32]]:
    """Return the values of two columns, each once, and the codes of both one after the other; -1 is no value."""
    number = {value: code for code, value in enumerate(dict.fromkeys([*first, *second]))}
    parts = [
        np.array([*(number[value] for value in values), -1], dtype=np.int32)[codes]
        for values, codes in ((first, first_codes), (second, second_codes))
    ]
    return list(number), np.concatenate(parts)


class Steps(NamedTuple):
    """Hold the events case by case with an end after each case: codes, which are ends, the case of each, and which are counted.

    Ends have the code after those of the labels, which also stands for the outside before a case.
    """

    codes: Codes
    is_end: Mask
    case: Codes
    counted: Floats
    outside: int

    @classmethod
    def of(cls, sides: Sides) -> Self:
        """Put an end behind each case."""
        log = sides.log
        is_end = np.zeros(log.n_events + log.n_cases, dtype=bool)
        is_end[log.offsets[1:] + np.arange(log.n_cases)] = True
        codes = np.full(len(is_end), len(log.activities), dtype=np.int64)
        codes[~is_end] = log.codes
        case = np.repeat(np.arange(log.n_cases), log.lengths + 1)
        return cls(codes, is_end, case, sides.counted[case].astype(np.float64), len(log.activities))

    @property
    def before(self) -> Codes:
        """Return the code right before each."""
        return np.append(self.outside, self.codes[:-1])

    @property
    def two_before(self) -> Codes:
        """Return the code before the one before each."""
        return np.where(self.before == self.outside, self.outside, np.append(self.outside, self.before[:-1]))


class Counting:
    """Score each cell, and a case by its highest one, the end of the case included. A child says how surprising each step is."""

    reads_reference = True
    reads_attributes = False

    def fit(self, log: EventLog, reference: EventLog | None = None) -> Self:
        """Count the reference, or the log itself."""
        sides = Sides.of(log, reference)
        steps = Steps.of(sides)
        surprise = self.surprises(steps)
        n_columns = len(log.attributes)
        columns = [surprise[~steps.is_end]]
        columns += [value_surprises(sides, name) for name in log.attributes] if self.reads_attributes else []
        cells = np.zeros((sides.log.n_events, 1 + n_columns))
        cells[:, : len(columns)] = np.column_stack(columns)
        self.cell_scores_ = cells[sides.log.offsets[sides.n_reference] :]
        self.end_scores_ = sides.scored(surprise[steps.is_end])
        self.case_scores_ = _highest(log, self.cell_scores_.max(axis=1), self.end_scores_)
        return self

    def surprises(self, steps: Steps) -> Floats:
        """Return how surprising each step of the cases is, ends included."""
        raise NotImplementedError


def _highest(log: EventLog, of_events: Floats, of_cases: Floats) -> Floats:
    """Return for each case the highest of a value of its own and those of its events."""
    highest = of_cases.copy()
    np.maximum.at(highest, np.repeat(np.arange(log.n_cases), log.lengths), of_events)
    return highest


class Naive:
    """Score a case by -ln of the share of cases with the same sequence of activities, as BPAD's Naive.

    A sequence that the reference lacks counts half a case.
    """

    name = "naive"
    reads_reference = True

    def fit(self, log: EventLog, reference: EventLog | None = None) -> Self:
        """Count the variants."""
        sides = Sides.of(log, reference)
        first = first_equal_cases(sides.log.codes, sides.log.offsets)
        times = np.bincount(first, sides.counted, sides.log.n_cases)[first]
        self.case_scores_ = sides.scored(-np.log(np.maximum(times, SMOOTHING) / sides.counted.sum()))
        return self


class Likelihood:
    """Score a cell by 1 - p, a case by its highest cell, as BPAD's Likelihood.

    p is the share of an activity given the activity before and its last attribute; of the first attribute given the activity; of
    a further attribute given the activity and the attribute before it. Every case ends with an end event.
    """

    name = "likelihood"
    reads_reference = True

    def fit(self, log: EventLog, reference: EventLog | None = None) -> Self:
        """Count the chain."""
        sides = Sides.of(log, reference)
        steps = Steps.of(sides)
        columns = [steps.codes]
        for attribute in sides.log.attributes.values():
            column = np.full(len(steps.codes), len(attribute.values) + 1, dtype=np.int64)
            column[~steps.is_end] = attribute.codes.astype(np.int64) + 1
            columns.append(column)
        last_before = np.append(columns[-1][-1], columns[-1][:-1])
        context = numbered(steps.before, last_before) if len(columns) > 1 else steps.before
        odd = [1 - _share(context, steps.codes, steps.counted)]
        for number, column in enumerate(columns[1:], 1):
            given = steps.codes if number == 1 else numbered(steps.codes, columns[number - 1])
            odd.append(1 - _share(given, column, steps.counted))
        cells = np.column_stack(odd)
        self.cell_scores_ = cells[~steps.is_end][sides.log.offsets[sides.n_reference] :]
        self.end_scores_ = sides.scored(cells[steps.is_end, 0])
        ends = sides.scored(cells[steps.is_end].max(axis=1))
        self.case_scores_ = _highest(log, self.cell_scores_.max(axis=1), ends)
        return self


def numbered(*columns: Codes) -> Codes:
    """Return a number for each combination of codes, from 0.

    >>> numbered(np.array([5, 5, 0]), np.array([1, 2, 1])).tolist()
    [1, 2, 0]
    """
    number = columns[0]
    for column in columns[1:]:
        number = np.unique(number * (column.max() + 1) + column, return_inverse=True)[1]
    return number


def _times(key: Codes, counted: Floats) -> Floats:
    """Return how often the key of each is counted."""
    return np.asarray(np.bincount(key, counted)[key])


def _share(context: Codes, value: Codes, counted: Floats) -> Floats:
    """Return the share of each value among what is counted in the same context; 0 in a context that is not."""
    both, alone = _times(numbered(context, value), counted), _times(context, counted)
    return np.divide(both, alone, out=np.zeros(len(both)), where=alone > 0)


class Links(Counting):
    """Score each link by -ln p(next | previous) - ln p(previous | next).

    Probabilities are smoothed shares of the adjacent pairs, start and end of cases included.
    """

    name = "links"
    leaves_case_out = False  # whether a case is scored by the counts of the others

    def surprises(self, steps: Steps) -> Floats:
        """Return the surprise of each link, the one to the end last.

        >>> log = EventLog.from_traces([["a", "b", "c"]] * 3 + [["a", "c"]])
        >>> Links().surprises(Steps.of(Sides(log, 0)))[-3:].round(4).tolist()
        [0.5754, 2.7726, 0.5754]
        """
        keys = numbered(steps.before, steps.codes), steps.before, steps.codes
        pair, of_before, of_after = (_times(key, steps.counted) - self._own(key, steps) for key in keys)
        n_symbols = steps.outside + 1
        forward = (pair + SMOOTHING) / (of_before + SMOOTHING * n_symbols)
        backward = (pair + SMOOTHING) / (of_after + SMOOTHING * n_symbols)
        return np.asarray(-np.log(forward) - np.log(backward))

    def _own(self, key: Codes, steps: Steps) -> Floats | float:
        return _times(numbered(steps.case, key), steps.counted) if self.leaves_case_out else 0.0


class LinksAll(Links):
    """Score the values of attributes too, by the activity and the value before."""

    name = "links-all"
    reads_attributes = True


class LinksCaseOut(LinksAll):
    """Leave each case out of the counts that it is scored by."""

    name = "links-case-out"
    leaves_case_out = True


def value_surprises(sides: Sides, name: str) -> Floats:
    """Return the surprise of each value of an attribute, given the activity and the value of the event before.

    The event itself is left out of the counts; a missing value is a value.
    """
    log = sides.log
    counted = np.repeat(sides.counted.astype(np.float64), log.lengths)
    value = log.attributes[name].codes.astype(np.int64) + 1
    before = np.append(0, value[:-1] + 1)
    before[log.offsets[:-1]] = 0  # the start of a case
    activity = log.codes.astype(np.int64)

    def others(*columns: Codes) -> Floats:
        return _times(numbered(*columns), counted) - counted

    shares = (others(activity, value) + 0.5) / (others(activity) + len(np.unique(value)) / 2)
    return np.asarray(-2 * np.log((others(activity, before, value) + 2 * shares) / (others(activity, before) + 2)))


class Trigram(Counting):
    """Score a step by -ln p(step | the two before), smoothed by p(step | the one before), and that by p(step).

    As by Witten and Bell: if y follows the context h n(hy) times, and T(h) distinct steps follow it, p(y | h) =
    (n(hy) + T(h) p(y | h')) / (n(h) + T(h)), where h' is h without its farthest step; p(y) has 1/2 added to each count.
    """

    name = "trigram"

    def surprises(self, steps: Steps) -> Floats:
        """Return the surprise of each step, ends included."""
        times = _times(steps.codes, steps.counted) + SMOOTHING
        p = times / (steps.counted.sum() + SMOOTHING * (steps.outside + 1))
        for context in (steps.before, numbered(steps.before, steps.two_before)):
            both = numbered(context, steps.codes)
            _, one_of = np.unique(both, return_index=True)
            is_known = np.bincount(both, steps.counted)[both[one_of]] > 0
            distinct = np.bincount(context[one_of], is_known, context.max() + 1)[context]
            n, n_both = _times(context, steps.counted), _times(both, steps.counted)
            p = np.divide(n_both + distinct * p, n + distinct, out=p, where=n > 0)
        return np.asarray(-np.log(p))


# --- bags of activities -------------------------------------------------------------------------------------------------------


_COMPARED = 2000  # cases that others are compared with
_NEAREST = 10
_AT_ONCE = 1000


def _bags(log: EventLog) -> csr_array:
    """Return how often each case has each activity."""
    case = np.repeat(np.arange(log.n_cases, dtype=np.int32), log.lengths)  # trees take no sparse matrix with wider indices
    shape = log.n_cases, len(log.activities)
    return csr_array((np.ones(log.n_events, dtype=np.float32), (case, log.codes)), shape=shape)


class Bag:
    """Score a case by 1 - the cosine of its bag of activities and that of the tenth nearest of up to 2,000 cases.

    A bag has ln (1 + n) for an activity that the case has n times.
    """

    name = "bag"
    reads_reference = True

    def fit(self, log: EventLog, reference: EventLog | None = None) -> Self:
        """Compare each variant with some cases of the reference, or of the log itself."""
        sides = Sides.of(log, reference)
        bags = _bags(sides.log)
        bags.sum_duplicates()
        bags.data = np.log1p(bags.data)
        lengths = np.sqrt(bags.power(2).sum(axis=1))
        bags.data /= np.repeat(lengths, np.diff(bags.indptr))
        n_counted = int(sides.counted.sum())
        others = bags[random_subset(seed_of("bag", n_counted), n_counted, min(_COMPARED, n_counted))].T.tocsr()
        first = first_equal_cases(sides.log.codes, sides.log.offsets)[sides.n_reference :]
        variants, variant = np.unique(first, return_inverse=True)
        nearest = min(_NEAREST, n_counted)
        scores = np.empty(len(variants))
        for start in range(0, len(variants), _AT_ONCE):
            cosines = (bags[variants[start : start + _AT_ONCE]] @ others).toarray()
            scores[start : start + _AT_ONCE] = 1 - np.partition(cosines, -nearest, axis=1)[:, -nearest]
        self.case_scores_ = scores[variant]
        return self


SKLEARN = Extra("benchmark", "sklearn")
_SAMPLE = 256  # cases that a tree is grown with


class BagForest:
    """Score a case by an isolation forest of 100 trees on how often it has each activity."""

    name = "isolation-forest"
    needs = (SKLEARN,)
    reads_reference = True

    def fit(self, log: EventLog, reference: EventLog | None = None) -> Self:
        """Grow the forest with the bags of the reference, or of all cases, and score each variant once."""
        ensemble = SKLEARN.load("sklearn.ensemble", self.name)
        sides = Sides.of(log, reference)
        bags = _bags(sides.log)
        counted = bags[: int(sides.counted.sum())]
        forest = ensemble.IsolationForest(max_samples=min(_SAMPLE, counted.shape[0]), random_state=0).fit(counted)
        first = first_equal_cases(sides.log.codes, sides.log.offsets)[sides.n_reference :]
        variants, variant = np.unique(first, return_inverse=True)
        self.case_scores_ = -forest.score_samples(bags[variants])[variant]
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


# --- waits --------------------------------------------------------------------------------------------------------------------


_PRIOR = 5.0  # waits of all pairs that the spread of a pair is mixed with
_SMALL = 1e-3  # a deviation, where all waits of a pair are equal
_NORMAL = 1.4826  # times the median distance from the median is the deviation of a normal distribution


class Waits:
    """Score an event by how far its wait, as ln (1 + seconds), is from the median of its pair of activities, in deviations.

    The deviation is that of a normal distribution with the same median distance from the median; of a rare pair, it is drawn
    towards that of all waits. Where a time is missing, the score is 0.
    """

    name = "waits"

    def fit(self, log: EventLog) -> Self:
        """Find the median wait of each pair."""
        self.event_scores_ = np.zeros(log.n_events)
        seconds = waits_of(log)
        at = np.flatnonzero(seconds >= 0)
        if len(at):
            waits, pair = np.log1p(seconds[at]), np.unique(pairs_of(log)[at], return_inverse=True)[1]
            distance, n = np.abs(waits - medians(waits, pair)), np.bincount(pair)[pair]
            spread = (n * medians(distance, pair) + _PRIOR * np.median(distance)) / (n + _PRIOR)
            self.event_scores_[at] = distance / (_NORMAL * spread + _SMALL)
        self.case_scores_ = _highest(log, self.event_scores_, np.zeros(log.n_cases))
        return self
