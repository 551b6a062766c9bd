"""Divide a log into parts that may name the same steps differently: by a column such as the site, or before and after one moment.

The value of a column that most of a case's events have divides the cases. Values whose cases have much the same labels are one
part; there are as many parts as the largest step in the tree of average linkage says, or as many as are asked for.

By period, a moment divides the cases by their first event. Labels are *replaced* then: some end and others begin. A label that
is in the share r of the n cases before the moment, and not in the last g of them, ends then if such a gap is no surprise,
(1 - r)^g >= 0.001. That it ends just then, and not at any other time, is evidence of ln(n r) - r g. Labels that begin are judged
likewise. The moment has the evidence of the labels that end or of those that begin, whichever is less. The labels of the best
moment are set aside to find the next.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from actalike.errors import LogError, did_you_mean
from actalike.labels import PERIOD
from actalike.log import EventLog, Variants, case_beginnings, cases_of

_OWN = 0.97  # of the use of a label, for it to belong to a part
_BY_CHANCE = 0.01
_NO_SURPRISE = 0.001  # that a label has such a gap beside the moment at which it ends or begins
_FEWEST_CASES = 5  # of a label that belongs to a part
FEWEST_OF_PART = 10  # cases
_FEWEST_OF_VALUE = 10  # cases; rarer values say too little of their labels
MOST_VALUES = 500  # of a column: the most frequent ones are looked at
_MOST_PARTS = 6


class Division(NamedTuple):
    """Hold the parts of a log by some column, each with its name, its values and its variants, the largest first."""

    by: str
    parts: list[tuple[str, tuple[str, ...], Variants]]


class Replacement(NamedTuple):
    """Hold a moment at which labels were replaced: those that ended and those that began, and the cases in the order of time.

    ``place`` is the number of cases that began before the moment.
    """

    moment: np.datetime64
    place: int
    order: NDArray[np.int64]
    ended: tuple[str, ...]
    began: tuple[str, ...]

    def sides(self, log: EventLog, reach: int | None = None) -> tuple[Variants, Variants]:
        """Return the variants before and after the moment, of so many cases at most on either side."""
        chosen = np.zeros((2, log.n_cases), dtype=bool)
        reach = len(self.order) if reach is None else reach
        chosen[0, self.order[max(self.place - reach, 0) : self.place]] = True
        chosen[1, self.order[self.place : self.place + reach]] = True
        before, after = (cases_of(log, some).variants for some in chosen)
        return before, after

    def names(self) -> tuple[str, str]:
        """Return what the two periods are called."""
        day = str(self.moment.astype("datetime64[D]"))
        return f"until {day}", f"from {day}"


def divisions(log: EventLog, by: str | None, n_parts: int | None = None) -> Iterator[Division]:
    """Yield the divisions of a log by one column, or by all that name people or sites; by period at the surest moment."""
    if by is not None and by != PERIOD and by not in log.attributes:
        others = did_you_mean(by, [*log.attributes, PERIOD])
        raise LogError(f"The log has no column {by!r}, or it was not read: read it with attributes=[{by!r}].{others}")
    columns = list(log.people()) if by is None else [by] if by != PERIOD else []
    for name in columns:
        values, of_case = _value_of_cases(log, name)
        use = _cases_with_labels(log, of_case, len(values))
        part_of = _alike_values(use, np.bincount(of_case[of_case >= 0], minlength=len(values)), n_parts)
        groups = [tuple(np.flatnonzero(part_of == part).tolist()) for part in range(part_of.max(initial=-1) + 1)]
        yield _division(
            name,
            [
                (
                    part_name([values[i] for i in some]),
                    tuple(values[i] for i in some),
                    cases_of(log, np.isin(of_case, some)).variants,
                )
                for some in groups
            ],
        )
    for found in replacements(log, 1) if by == PERIOD else ():
        yield Division(PERIOD, [(name, (), part) for name, part in zip(found.names(), found.sides(log), strict=True)])


def strata(variants: Variants, by: str | None, n_parts: int | None = None) -> Iterator[Division]:
    """Yield the division of variants by their strata, if they have some."""
    if by is not None and not variants.strata:
        raise LogError(f"The variants have no strata: read them with by={by!r}.")
    if variants.strata:
        parts = {name: variants.part(name) for name in variants.strata}
        labels = {label: i for i, label in enumerate(variants.activities)}
        use = np.zeros((len(parts), len(labels)), dtype=np.int64)
        for row, part in zip(use, parts.values(), strict=True):
            row[[labels[label] for label in part.activities]] = part.activity_cases
        part_of = _alike_values(use, np.array([part.n_cases for part in parts.values()]), n_parts)
        groups = [[variants.strata[i] for i in np.flatnonzero(part_of == one)] for one in range(part_of.max(initial=-1) + 1)]
        summed = [(part_name(names), tuple(names), _sum([parts[name] for name in names])) for names in groups]
        yield _division("stratum" if by is None else by, summed)


def _sum(parts: list[Variants]) -> Variants:
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def two_parts(log: EventLog | Variants, by: str) -> Division:
    """Return the division of a log into two parts by a column, or by period."""
    divided = list(strata(log, by, 2) if isinstance(log, Variants) else divisions(log, by, 2))
    if not divided or len(divided[0].parts) != 2:
        what = (
            "no label is replaced by another over time" if by == PERIOD else f"the column {by!r} has no two values in many cases"
        )
        raise LogError(f"The log cannot be divided into two parts by {by!r}: {what}.")
    return divided[0]


def shared_labels(a: Variants, b: Variants) -> dict[str, str]:
    """Return the labels that both parts of a log use, each with itself: they are the same step in both."""
    own = {*own_labels(a, b)[0], *own_labels(a, b)[1]}
    of_b = set(b.activities) - own
    return {label: label for label in a.activities if label in of_b}


def _division(by: str, parts: list[tuple[str, tuple[str, ...], Variants]]) -> Division:
    return Division(by, sorted(parts, key=lambda part: (-part[2].n_cases, part[0])))


def part_name(values: list[str]) -> str:
    """Return what a part is called by the values of a column that it has."""
    shown = ", ".join(values[:2])
    return shown if len(values) <= 2 else f"{shown} and {len(values) - 2} more"


def _value_of_cases(log: EventLog, name: str) -> tuple[list[str], NDArray[np.int64]]:
    """Return the values of an attribute, and for each case which one most of its events have, -1 if none."""
    attribute = log.attributes[name]
    case = np.repeat(np.arange(log.n_cases), log.lengths)
    known = attribute.codes >= 0
    keys, events = np.unique(case[known] * len(attribute.values) + attribute.codes[known], return_counts=True)
    of_case, value = np.divmod(keys, max(len(attribute.values), 1))
    order = np.lexsort((-value, events))  # the most frequent is written last, of equally many the first
    most = np.full(log.n_cases, -1, dtype=np.int64)
    most[of_case[order]] = value[order]
    return list(attribute.values), most


def _cases_with_labels(log: EventLog, part_of_case: NDArray[np.int64], n_parts: int) -> NDArray[np.int64]:
    """Return in how many cases of each part (row) each label (column) occurs."""
    n_labels = len(log.activities)
    case = np.repeat(np.arange(log.n_cases), log.lengths)
    case, label = np.divmod(np.unique(case * n_labels + log.codes), n_labels)
    some = part_of_case[case] >= 0
    table = np.bincount(part_of_case[case[some]] * n_labels + label[some], minlength=n_parts * n_labels)
    return table.reshape(n_parts, n_labels)


def _alike_values(use: NDArray[np.int64], n_cases: NDArray[np.int64], n_parts: int | None) -> NDArray[np.int64]:
    """Return the part of each value of a column, -1 for rare ones: values whose cases have the same labels are one part."""
    part_of = np.full(len(n_cases), -1, dtype=np.int64)
    frequent = np.argsort(-n_cases, kind="stable")[:MOST_VALUES]
    frequent = np.sort(frequent[n_cases[frequent] >= max(_FEWEST_OF_VALUE, n_cases.sum() / 200)])
    if len(frequent) < 2:
        return part_of
    share = use[frequent] / n_cases[frequent, np.newaxis]
    apart = np.array([1 - np.minimum(row, share).sum(axis=1) / np.maximum(row, share).sum(axis=1) for row in share])
    np.fill_diagonal(apart, 0)
    tree = linkage(squareform(apart, checks=False), "average")
    if n_parts is None:
        heights = np.append(0.0, tree[:, 2])[-_MOST_PARTS:]
        n_parts = len(heights) - int(np.argmax(np.diff(heights))) if len(heights) > 1 else 2
    part_of[frequent] = fcluster(tree, max(n_parts, 2), "maxclust") - 1
    return part_of


def replacements(log: EventLog, most: int) -> Iterator[Replacement]:
    """Yield the moments at which labels were replaced, the surest first, so many at most; no label ends or begins at two."""
    if log.timestamps is None:
        return
    beginnings = case_beginnings(log)
    known = np.flatnonzero(~np.isnat(beginnings))
    order = known[np.argsort(beginnings[known], kind="stable")]
    uses = _LabelUses(log, order)
    can_end, can_begin = np.ones((2, len(log.activities)), dtype=bool)
    for _ in range(most):
        found = uses.surest(can_end, can_begin)
        if found is None:
            return
        place, ended, began = found
        can_end &= ~ended
        can_begin &= ~began
        labels = (tuple(log.activities[i] for i in np.flatnonzero(some)) for some in (ended, began))
        yield Replacement(beginnings[order[place]], place, order, *labels)


class _LabelUses:
    """Look up which cases, in the order of time, each label is in: how many before a place, the last and the next one."""

    def __init__(self, log: EventLog, order: NDArray[np.int64]) -> None:
        self.n, n_labels = len(order), len(log.activities)
        place = np.full(log.n_cases, -1)
        place[order] = np.arange(self.n)
        of_event = np.repeat(place, log.lengths)
        dated = of_event >= 0
        self._keys = np.unique(log.codes[dated].astype(np.int64) * self.n + of_event[dated])
        label, self._places = np.divmod(self._keys, max(self.n, 1))
        self._cases = np.bincount(label, minlength=n_labels)
        self._starts = np.cumsum(self._cases) - self._cases
        self._labels = np.arange(n_labels)

    def surest(
        self, can_end: NDArray[np.bool_], can_begin: NDArray[np.bool_]
    ) -> tuple[int, NDArray[np.bool_], NDArray[np.bool_]] | None:
        """Return the place with the most evidence that labels were replaced, those that ended and those that began."""
        best, found = 0.0, None
        some = (can_end | can_begin) & (self._cases >= _FEWEST_CASES)
        starts, few = self._starts[some], np.floor((1 - _OWN) * self._cases[some]).astype(np.int64)
        ends = starts + self._cases[some] - 1
        candidates = np.concatenate(
            [self._places[at] + plus for at, plus in ((starts, 0), (starts + few, 0), (ends, 1), (ends - few, 1))]
        )
        fewest = max(FEWEST_OF_PART, self.n // 20)
        for place in np.unique(candidates[(candidates >= fewest) & (candidates <= self.n - fewest)]).tolist():
            (ended, ending), (began, beginning) = self._at(place)
            ended, began = ended & can_end, began & can_begin
            evidence = min(float(ending[ended].sum()), float(beginning[began].sum()))
            if evidence > best:
                best, found = evidence, (place, ended, began)
        return found

    def _at(self, place: int) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.float64]]]:
        """Yield which labels end at a place, with the evidence that they do, and the same of those that begin."""
        before = np.searchsorted(self._keys, self._labels * self.n + place) - self._starts
        last = self._places[np.maximum(self._starts + before - 1, 0)]
        following = self._places[np.minimum(self._starts + before, len(self._places) - 1)]
        sides = (before, place, place - 1 - last), (self._cases - before, self.n - place, following - place)
        rates = [cases / n for cases, n, _ in sides]
        for (cases, n, gap), rate in zip(sides, rates, strict=True):
            by_chance = (n / self.n) ** self._cases  # that none is on the other side
            with np.errstate(divide="ignore"):
                is_sharp = gap * np.log1p(-np.minimum(rate, 1 - 1e-9)) >= np.log(_NO_SURPRISE)
                evidence = np.log(self.n * rate) - rate * gap
            here = (cases >= _FEWEST_CASES) & (rate >= _OWN * (rates[0] + rates[1])) & (by_chance <= _BY_CHANCE)
            yield here & is_sharp, np.maximum(evidence, 0)


def own_labels(a: Variants, b: Variants) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the labels that only a uses, and those that only b uses."""
    cases_a, cases_b = (dict(zip(one.activities, one.activity_cases.tolist(), strict=True)) for one in (a, b))
    return _only(cases_a, cases_b, a.n_cases, b.n_cases), _only(cases_b, cases_a, b.n_cases, a.n_cases)


def _only(cases: Mapping[str, int], others: Mapping[str, int], n: int, n_others: int) -> tuple[str, ...]:
    def belongs(label: str) -> bool:
        here, there = cases[label] / n, others.get(label, 0) / n_others
        by_chance = (n / (n + n_others)) ** cases[label]  # that none is elsewhere
        return cases[label] >= _FEWEST_CASES and here >= _OWN * (here + there) and by_chance <= _BY_CHANCE

    return tuple(sorted((label for label in cases if belongs(label)), key=lambda label: (-cases[label], label)))
