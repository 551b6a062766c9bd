"""Sadeghianasl et al. 2019, as Praeclarus codes it: labels with the same relations to other labels, done by the same people, in
the same hours.

Each of the parts is a similarity of two labels, or missing; the overall similarity is the mean of those that are there.
"""

from typing import Self

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.follows import follow_counts
from actalike.benchmark.labels.groupers.text_distances import levenshtein_distances, text_lengths
from actalike.benchmark.labels.naming import resource_of
from actalike.log import EventLog

Floats = NDArray[np.float64]
_RANDOM = 2 * 1.63  # a label's hours are random if their KS distance to those of other labels is at most this / sqrt(events)


class Praeclarus:
    """Compare labels by control flow alone, as SwiftMend's comparison did: report pairs above 0.7, whatever their names."""

    name = "praeclarus"
    threshold = 0.7

    def fit(self, log: EventLog) -> Self:
        """Compare all labels, and report pairs."""
        self.scores_ = control_flow_similarity(log)
        self.groups_ = pairs_above(self.scores_, self.threshold, log)
        return self


class PraeclarusContextual:
    """Compare labels by control flow, resource and time, where the log has them, and report pairs with similar names.

    Durations and other attributes, which Praeclarus compares too, are not in the logs of the benchmark.
    """

    name = "praeclarus-contextual"
    reads_labels = True
    threshold = 0.6
    name_threshold = 0.5

    def fit(self, log: EventLog) -> Self:
        """Compare all labels, and report pairs."""
        parts = np.stack([control_flow_similarity(log), resource_similarity(log), time_similarity(log)])
        self.scores_ = np.nanmean(parts, axis=0)
        lengths = text_lengths(log.activities)
        longer = np.maximum(lengths, lengths[:, np.newaxis]).clip(1)
        names = 1 - levenshtein_distances([label.lower() for label in log.activities]) / longer
        self.groups_ = pairs_above(np.where(names > self.name_threshold, self.scores_, 0.0), self.threshold, log)
        return self


def pairs_above(scores: Floats, threshold: float, log: EventLog) -> list[tuple[str, str]]:
    """Return the pairs of labels whose score exceeds a threshold."""
    first, second = np.nonzero(np.triu(scores > threshold, 1))
    return [(log.activities[a], log.activities[b]) for a, b in zip(first.tolist(), second.tolist(), strict=True)]


def control_flow_similarity(log: EventLog) -> Floats:
    """Return the share of labels to which two labels have the same relation: before, after, or parallel (both ways).

    >>> control_flow_similarity(EventLog.from_traces([["x", "a"], ["x", "b"], ["c", "a"]])).round(2).tolist()[0]
    [1.0, 0.5, 0.0, 0.0]
    """
    follows = follow_counts(log) > 0
    before, after, parallel = follows & ~follows.T, follows.T & ~follows, follows & follows.T
    return shared_relations(before, after, parallel, larger=False)


def shared_relations(before: NDArray[np.bool_], after: NDArray[np.bool_], parallel: NDArray[np.bool_], *, larger: bool) -> Floats:
    """Return equal relations of two labels over all that either has, or over the ``larger`` number of both; 0 without any."""
    same = sum(relation.astype(np.float64) @ relation.T.astype(np.float64) for relation in (before, after, parallel))
    some = (before | after | parallel).astype(np.float64)
    n = some.sum(axis=1)
    whole = np.maximum(n, n[:, np.newaxis]) if larger else n + n[:, np.newaxis] - some @ some.T
    return np.divide(same, whole, out=np.zeros_like(whole), where=whole > 0)


def resource_similarity(log: EventLog) -> Floats:
    """Return how alike the resources of two labels are; 0 if only one has any, NaN if none has."""
    n, attribute = len(log.activities), resource_of(log)
    if attribute is None:
        return np.full((n, n), np.nan)
    counts = np.zeros((n, len(attribute.values)))
    known = attribute.codes >= 0
    np.add.at(counts, (log.codes[known], attribute.codes[known]), 1)
    has_any = counts.sum(axis=1) > 0
    similarity = np.where(np.logical_or.outer(has_any, has_any), 0.0, np.nan)
    both = np.logical_and.outer(has_any, has_any)
    similarity[both] = (1 - half_distance(_shares(counts)))[both]
    return similarity


def time_similarity(log: EventLog) -> Floats:
    """Return how alike the times of two labels are: the best of hours, weekdays and months; NaN if all of them are random."""
    n = len(log.activities)
    if log.timestamps is None:
        return np.full((n, n), np.nan)
    known = ~np.isnat(log.timestamps)
    times, codes = log.timestamps[known], log.codes[known]
    days = times.astype("datetime64[D]")
    hour = (times - days).astype("timedelta64[h]").astype(np.int64) // 4
    weekday = (days.astype(np.int64) + 3) % 7  # day 0, 1 January 1970, was a Thursday
    month = times.astype("datetime64[M]").astype(np.int64) % 12
    best = np.full((n, n), np.nan)
    for numbers, size in ((hour, 6), (weekday, 7), (month, 12)):
        counts = np.zeros((n, size))
        np.add.at(counts, (codes, numbers), 1)
        shares, is_random = _shares(counts), _is_random(counts)
        similarity = 1 - (_root_mean_square(shares) if size == 12 else half_distance(shares))
        similarity[np.logical_or.outer(is_random, is_random)] = 0.0
        similarity[np.logical_and.outer(is_random, is_random)] = np.nan
        best = np.fmax(best, similarity)
    return best


def _is_random(counts: Floats) -> NDArray[np.bool_]:
    """Return which labels are spread over the bins much as all other labels together."""
    n, others = counts.sum(axis=1), counts.sum(axis=0) - counts
    distance = np.abs(np.cumsum(_shares(counts), axis=1) - np.cumsum(_shares(others), axis=1)).max(axis=1)
    is_random: NDArray[np.bool_] = distance <= _RANDOM / np.sqrt(n.clip(1))
    return is_random


def _shares(counts: Floats) -> Floats:
    shares: Floats = counts / counts.sum(axis=1, keepdims=True).clip(1)
    return shares


def half_distance(shares: Floats) -> Floats:
    """Return half the sum of the differences of two distributions, for each two rows."""
    return np.stack([np.abs(shares - row).sum(axis=1) / 2 for row in shares])


def _root_mean_square(shares: Floats) -> Floats:
    return np.stack([np.sqrt(((shares - row) ** 2).mean(axis=1)) for row in shares])
