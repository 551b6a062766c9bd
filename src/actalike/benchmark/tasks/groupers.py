"""Those who take part in the benchmark of labels: a method by its name, or a *grouper*, which proposes groups of labels itself.

A grouper has ``fit(log)``, which returns itself and leaves three things: ``scores_``, an array with a number for each pair of
labels in the order of ``log.activities`` (higher: more likely one step), or None; ``is_probability``, whether these are
probabilities; and ``groups_``, the groups that it proposes, or None. If it would not merge all of them without asking, it also
leaves ``accepted_``, those that it would. Register it, and it takes part under its name.
"""

import fnmatch
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.participants import ParticipantRegistry, choose_names, make_methods
from actalike.benchmark.record import Warn, WhyNot, no_warning
from actalike.benchmark.scoring import Floats
from actalike.benchmark.tasks.neighbour_similarity import follow_counts, zhu_similarity
from actalike.benchmark.tasks.planted_labels import resource_of
from actalike.benchmark.tasks.text_distances import (
    jaro_winkler_similarities,
    levenshtein_distances,
    text_lengths,
    tf_idf_cosines,
    trigram_jaccard,
)
from actalike.embedding import ENOUGH_CASES
from actalike.errors import ActalikeError, UnknownMethodError, did_you_mean
from actalike.grouping import group as group_labels
from actalike.grouping import same_step
from actalike.log import CoOccurrence, EventLog
from actalike.methods import DEFAULT_METHOD, Method, embed, embedding_of, method_names, missing_extra
from actalike.support.extras import Extra

Groups = Sequence[Sequence[str]]
NOT_PROPOSED = ("belong together", "too rare to judge")  # relations of groups that are no proposal to merge
BOLDNESS = 0.4  # up to which contrast groups are proposed
_MAX_ATTRACTION = 1.3  # between 1 (names that change from event to event) and 2 (steps that every case has once)
_RANDOM = 2 * 1.63  # a label's hours are random if their KS distance to those of other labels is at most this / sqrt(events)
_DEPENDENT = 0.8  # SwiftMend: before or after, from this dependency on
_PARALLEL = 2.0  # SwiftMend: parallel, up to this ratio of both directions


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
        embedding = embedding_of(self.method.fit(log if source is None else source), self.method.name)
        if embedding.activities != log.activities:
            raise ActalikeError("its activities are not those of the log")
        distances = embedding.distances()
        has_scale = embedding.compare == "cosine"  # else its numbers are scores of its own, without a contrast
        self.scores_ = 1 - distances if has_scale else -distances
        self.groups_ = contrast_groups(distances, log) if has_scale else None
        return self

    def get_params(self) -> dict[str, Any]:
        """Return the parameters of the method, if it has some."""
        parameters: dict[str, Any] = self.method.get_params() if hasattr(self.method, "get_params") else {}
        return parameters


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


class GroupersAndMethods:
    """Who takes part in the benchmark of labels: by default all groupers, and the default method."""

    noun = "grouper or method"

    def choose(
        self, patterns: Sequence[str] | None, why_not: WhyNot = missing_extra, warn: Warn = no_warning
    ) -> dict[str, Grouper]:
        """Return those that some names and wildcards stand for; without any, all groupers, and the default method."""
        known = GROUPERS.names()
        names: dict[str, None] = {}
        for pattern in (*known, DEFAULT_METHOD) if patterns is None else patterns:
            is_wildcard = any(sign in pattern for sign in "*?[")
            groupers = fnmatch.filter(known, pattern) if is_wildcard else [name for name in known if name == pattern]
            if not groupers or (is_wildcard and fnmatch.filter(method_names(), pattern)):
                try:
                    names |= dict.fromkeys(choose_names([pattern], why_not, warn))
                except UnknownMethodError:
                    raise _unknown(pattern) from None
            names |= dict.fromkeys(groupers)
        made = {name: _made(name, patterns is None, why_not, warn) for name in names}
        return {name: participant for name, participant in made.items() if participant is not None}


def _made(name: str, is_default: bool, why_not: WhyNot, warn: Warn) -> Grouper | None:
    """Return a participant; one that needs what is not installed is left out if nobody asked for it, else an error."""
    if name in GROUPERS.names():
        return GROUPERS.make_if_possible(name, is_default, warn)
    try:
        return MethodGrouper(make_methods([name], why_not)[name])
    except UnknownMethodError:
        raise _unknown(name) from None


def _unknown(name: str) -> UnknownMethodError:
    suggestion = did_you_mean(name, [*GROUPERS.names(), *method_names()])
    return UnknownMethodError(
        f"No method and no grouper is called {name!r}.{suggestion} 'actalike methods' lists the methods; the groupers are "
        f"{', '.join(GROUPERS.names())}."
    )


# --- ours ---------------------------------------------------------------------------------------------------------------------


class SameStep:
    """Propose the groups of :func:`actalike.labels.group`; the scores are the probabilities of ``same_step``."""

    name = "same-step"
    reads_labels = True
    is_probability = True

    def fit(self, log: EventLog) -> Self:
        """Judge all pairs, and group them."""
        same = same_step(log)
        self.scores_: NDArray[np.float64] = same.probabilities()
        groups = group_labels(log, same=same)
        self.groups_ = [proposal.activities for proposal in groups if proposal.relation not in NOT_PROPOSED]
        self.accepted_ = [proposal.activities for proposal in groups if proposal.relation == "synonyms"]
        return self


def contrast_groups(distances: NDArray[np.float64], log: EventLog, boldness: float = BOLDNESS) -> list[tuple[str, ...]]:
    """Return the groups of labels that stand out by contrast, the rule of version 0.1, given all distances; the surest first.

    1. Merge the labels into a tree by complete linkage on their distances.
    2. The contrast of a group is r = h / o: h is the largest distance between two members, o the smallest distance from a member
       to any other label, at most 1. A group stands out if r is less than 1.
    3. A group is proposed if the boldness is at least r; if a member is in fewer than 5 cases, or two members share cases more
       often than two names of one step would (attraction above 1.3), it must be at least (1 + r) / 2.
    4. Of groups that overlap, the one that needs the least boldness is taken.

    Any method takes part in the benchmark of labels by this rule on its distances.

    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> distances = np.ones((5, 5)) - np.eye(5)
    >>> distances[0, 1] = distances[1, 0] = 0.1
    >>> contrast_groups(distances, log)
    [('a', 'b')]
    """
    n = len(log.activities)
    if n < 3:
        return []
    order = np.lexsort((np.arange(n), -log.activity_cases, -log.activity_counts))  # of equal distances, frequent labels first
    ordered = distances[np.ix_(order, order)].round(12).clip(0)
    attraction = CoOccurrence(log).attraction()[np.ix_(order, order)]
    np.fill_diagonal(attraction, 0.0)
    is_rare = log.activity_cases[order] < ENOUGH_CASES
    proposals = []
    for members, height, outside in _merges(ordered):
        if not height < outside:
            continue
        contrast = height / outside
        is_doubtful = attraction[np.ix_(members, members)].max() > _MAX_ATTRACTION or is_rare[members].any()
        proposals.append(((1 + contrast) / 2 if is_doubtful else contrast, -len(members), members.tolist()))
    groups, taken = [], set[int]()
    for needed, _, chosen in sorted(proposals):
        if taken.isdisjoint(chosen):
            taken.update(chosen)
            if needed <= boldness:
                groups.append(tuple(log.activities[order[member]] for member in chosen))
    return groups


def _merges(distances: NDArray[np.float64]) -> list[tuple[NDArray[np.int64], float, float]]:
    """Return each group of the tree but the last: its members, its largest distance, and the smallest one to another label."""
    from scipy.cluster.hierarchy import linkage  # here: it takes long to load, and only groups need it
    from scipy.spatial.distance import squareform

    n = len(distances)
    members = [np.array([label]) for label in range(n)]
    nearest = [np.where(np.arange(n) == label, np.inf, distances[label]) for label in range(n)]
    nodes = []
    for left, right, height, _ in linkage(squareform(distances, checks=False), "complete")[:-1]:
        a, b = int(left), int(right)
        members.append(np.sort(np.concatenate([members[a], members[b]])))
        row = np.minimum(nearest[a], nearest[b])
        row[members[-1]] = np.inf
        nearest.append(row)
        nodes.append((members[-1], float(height), min(float(row.min()), 1.0)))
    return nodes


class Contrast:
    """Propose what ``actalike.group`` proposed in version 0.1: kin, and the groups that stand out at boldness 0.4."""

    name = "contrast"

    def fit(self, log: EventLog) -> Self:
        """Embed the log by kin-w5 and group its labels by contrast."""
        distances = embed(log, "kin-w5").distances()
        self.scores_: NDArray[np.float64] = 1 - distances
        self.groups_ = contrast_groups(distances, log)
        return self


# --- by control flow, resources and times -------------------------------------------------------------------------------------


class Praeclarus:
    """Compare labels by control flow alone, as SwiftMend's comparison did: report pairs above 0.7, whatever their names.

    Sadeghianasl et al. 2019, as Praeclarus codes it: labels with the same relations to other labels.
    """

    name = "praeclarus"
    threshold = 0.7

    def fit(self, log: EventLog) -> Self:
        """Compare all labels, and report pairs."""
        self.scores_ = control_flow_similarity(log)
        self.groups_ = pairs_above(self.scores_, self.threshold, log)
        return self


class PraeclarusContextual:
    """Compare labels by control flow, resource and time, where the log has them, and report pairs with similar names.

    Each of the parts is a similarity of two labels, or missing; the overall similarity is the mean of those that are there.
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


class SwiftMend:
    """Merge labels while all members of a group are pairwise similar, as SwiftMend (Savandi) does, here offline.

    Labels are similar that have the same relations to other labels; relations are told by how often one follows the other. The
    window is the whole log, with its final counts.
    """

    name = "swiftmend"
    threshold = 0.7

    def fit(self, log: EventLog) -> Self:
        """Compare all labels, and merge them."""
        follows = follow_counts(log)
        dependency = (follows - follows.T) / (follows + follows.T + 1)
        before, after = dependency >= _DEPENDENT, dependency <= -_DEPENDENT
        less, more = np.minimum(follows, follows.T), np.maximum(follows, follows.T)
        parallel = ~before & ~after & (less > 0) & (more <= _PARALLEL * less)
        self.scores_ = shared_relations(before, after, parallel, larger=True)
        groups = merge_all_alike(self.scores_, self.threshold)
        self.groups_ = [tuple(log.activities[label] for label in group) for group in groups]
        return self


def merge_all_alike(scores: NDArray[np.float64], threshold: float) -> list[list[int]]:
    """Merge the most similar groups first, as long as all their members are pairwise similar enough; return those of two or more.

    >>> merge_all_alike(np.array([[1, 0.9, 0.8], [0.9, 1, 0.5], [0.8, 0.5, 1]]), 0.7)
    [[0, 1]]
    """
    group_of = [[label] for label in range(len(scores))]
    rows, columns = np.nonzero(np.triu(scores >= threshold, 1))
    for place in np.argsort(-scores[rows, columns], kind="stable").tolist():
        first, second = group_of[rows[place]], group_of[columns[place]]
        if first is not second and (scores[np.ix_(first, second)] >= threshold).all():
            first += second
            for label in second:
                group_of[label] = first
    distinct = {id(group): sorted(group) for group in group_of}
    return [group for group in distinct.values() if len(group) > 1]


class Zhu:
    """Compare labels by their neighbours in rounds (Zhu et al. 2014); the groups are those that stand out by contrast."""

    name = "zhu"

    def fit(self, log: EventLog) -> Self:
        """Compare all labels."""
        self.scores_ = zhu_similarity(log, log)
        self.groups_ = contrast_groups(1 - self.scores_, log)
        return self


# --- by spelling --------------------------------------------------------------------------------------------------------------


class Spelling(ABC):
    """Compare labels by a measure of their spelling, and report pairs above the threshold of its source; a child says both."""

    name: str
    threshold: float
    reads_labels = True
    scores_: Floats
    groups_: list[tuple[str, ...]]

    def fit(self, log: EventLog) -> Self:
        """Compare all labels, and report pairs."""
        self.scores_ = self.compare(log.activities)
        self.groups_ = list(pairs_above(self.scores_, self.threshold, log))
        return self

    @abstractmethod
    def compare(self, labels: list[str]) -> Floats:
        """Return the similarities of some labels."""


class Levenshtein(Spelling):
    """Report labels that differ by two letters at most; the score is the negative distance."""

    name = "levenshtein"
    threshold = -2.5

    def compare(self, labels: list[str]) -> Floats:
        """Return negative distances."""
        return -levenshtein_distances(labels)


class JaroWinkler(Spelling):
    """Report labels whose Jaro-Winkler similarity exceeds 0.7."""

    name = "jaro-winkler"
    threshold = 0.7

    def compare(self, labels: list[str]) -> Floats:
        """Return Jaro-Winkler similarities."""
        return jaro_winkler_similarities(labels)


class Trigrams(Spelling):
    """Join labels that have 56 % of their character 3-grams in common, directly or by way of others."""

    name = "trigrams"
    threshold = np.nextafter(0.56, 0)  # 0.56 itself counts

    def compare(self, labels: list[str]) -> Floats:
        """Return the Jaccard index of character 3-grams."""
        return trigram_jaccard(labels)

    def fit(self, log: EventLog) -> Self:
        """Compare all labels, and join them."""
        super().fit(log)
        self.groups_ = [tuple(group) for group in join_groups(self.groups_)]
        return self


class TfIdf(Spelling):
    """Report labels whose weighted character 1- to 3-grams have a cosine of 0.4 or more."""

    name = "tf-idf"
    threshold = np.nextafter(0.4, 0)  # 0.4 itself counts

    def compare(self, labels: list[str]) -> Floats:
        """Return cosines."""
        return tf_idf_cosines(labels)


def join_groups(groups: Groups) -> list[list[str]]:
    """Join groups that have a label in common; leave out groups of one.

    >>> join_groups([("a", "b"), ("c", "d"), ("b", "e"), ("f",)])
    [['a', 'b', 'e'], ['c', 'd']]
    """
    parent: dict[str, str] = {}

    def root(label: str) -> str:
        parent.setdefault(label, label)
        while parent[label] != label:
            parent[label] = parent[parent[label]]
            label = parent[label]
        return label

    for group in groups:
        first = root(group[0]) if len(group) else ""
        for label in group[1:]:
            parent[root(label)] = first
    members: dict[str, list[str]] = {}
    for label in parent:
        members.setdefault(root(label), []).append(label)
    return [group for group in members.values() if len(group) > 1]


for _grouper in (
    SameStep,
    Contrast,
    Praeclarus,
    PraeclarusContextual,
    SwiftMend,
    Zhu,
    Levenshtein,
    JaroWinkler,
    Trigrams,
    TfIdf,
):
    GROUPERS.register(_grouper.name, _grouper)
