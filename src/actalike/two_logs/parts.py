"""Divide a log into parts that may name the same steps differently: by a column such as the site, or before and after one moment.

The value of a column that most of a case's events have divides the cases. Values whose cases have much the same labels are one
part; there are as many parts as the largest step in the tree of average linkage says, or as many as are asked for. By period, the
moment divides the cases at which the most labels are replaced by others.
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
_FEWEST_CASES = 5  # of a label that belongs to a part
FEWEST_OF_PART = 20  # cases
_FEWEST_OF_VALUE = 10  # cases; rarer values say too little of their labels
_MOST_VALUES = 500  # of a column: the most frequent ones are looked at
_MOST_PARTS = 6


class Division(NamedTuple):
    """Hold the parts of a log by some column, each with its name, its values and its variants, the largest first."""

    by: str
    parts: list[tuple[str, tuple[str, ...], Variants]]


def divisions(log: EventLog, by: str | None, n_parts: int | None = None) -> Iterator[Division]:
    """Yield the divisions of a log by one column, by all that name people or sites, and by period."""
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
                (_name([values[i] for i in some]), tuple(values[i] for i in some), cases_of(log, np.isin(of_case, some)).variants)
                for some in groups
            ],
        )
    if by in (None, PERIOD) and (moment := _change_of_labels(log)) is not None:
        beginnings = case_beginnings(log)
        day = str(moment.astype("datetime64[D]"))
        before, after = (cases_of(log, chosen).variants for chosen in (beginnings < moment, beginnings >= moment))
        yield Division(PERIOD, [(f"until {day}", (), before), (f"from {day}", (), after)])


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
        summed = [(_name(names), tuple(names), _sum([parts[name] for name in names])) for names in groups]
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


def _name(values: list[str]) -> str:
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
    frequent = np.argsort(-n_cases, kind="stable")[:_MOST_VALUES]
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


def _change_of_labels(log: EventLog) -> np.datetime64 | None:
    """Return the moment from which cases have the most new labels in place of old ones, None if labels are not replaced."""
    if log.timestamps is None:
        return None
    beginnings = case_beginnings(log)
    known = np.flatnonzero(~np.isnat(beginnings))
    order = known[np.argsort(beginnings[known], kind="stable")]
    place = np.full(log.n_cases, -1)
    place[order] = np.arange(len(order))
    of_event = np.repeat(place, log.lengths)
    dated = of_event >= 0
    n_labels = len(log.activities)
    first, last = np.full(n_labels, len(order)), np.full(n_labels, -1)
    np.minimum.at(first, log.codes[dated], of_event[dated])
    np.maximum.at(last, log.codes[dated], of_event[dated])
    cases = np.where((last >= first) & (log.activity_cases >= _FEWEST_CASES), log.activity_cases, 0)
    fewest = max(FEWEST_OF_PART, len(order) // 20)
    candidates = np.unique(np.concatenate([first, last + 1]))
    candidates = candidates[(candidates >= fewest) & (candidates <= len(order) - fewest)]
    replaced = [min(cases[last < one].sum(), cases[first >= one].sum()) for one in candidates.tolist()]
    if not replaced or not max(replaced):
        return None
    return beginnings[order[candidates[int(np.argmax(replaced))]]]


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
