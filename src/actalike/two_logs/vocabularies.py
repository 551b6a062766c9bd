"""Find vocabularies: parts of a log that name the same steps differently, such as two offices, or before and after a new system.

1. Divide the cases: by the value of a column (that of most of a case's events), or by the moment at which the most labels are
   replaced. Values whose cases have much the same labels are one part; there are as many parts as the largest step in the tree of
   average linkage says.
2. A label belongs to one of two parts if it is used there in at least 97 % of its cases, as if both parts had as many, and if
   chance does not explain that. Such labels of both parts are matched (:func:`actalike.two_logs.match`); all labels that both
   parts use are known to be the same.
3. If at least half of the labels of the smaller vocabulary have a partner, the two are vocabularies of one flow, and the pairs
   are likely one step; by period only those with a probability of 0.8 or more, because what changes with time changes more than
   names. All other pairs are candidates: the parts also do different things.

That two adjacent steps have new names hides both from :func:`actalike.same_step`, because the neighbours of both are new as well;
matching the parts finds them.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from actalike.errors import LogError, did_you_mean
from actalike.log import EventLog, Variants, case_beginnings, cases_of
from actalike.two_logs.matching import match_variants
from actalike.two_logs.partners import MatchedPair

PERIOD = "period"  # in place of a column: before and after one moment
_OWN = 0.97  # of the use of a label, for it to belong to a part
_BY_CHANCE = 0.01
_FEWEST_CASES = 5  # of a label that belongs to a part
_FEWEST_OF_PART = 20  # cases
_FEWEST_OF_VALUE = 10  # cases; rarer values say too little of their labels
_MOST_VALUES = 500  # of a column: the most frequent ones are looked at
_MOST_PARTS = 6
_SAME_FLOW = 0.5  # of the labels of the smaller vocabulary that have a partner
_LIKELY_BY_PERIOD = 0.8  # probability of a pair


class Part(NamedTuple):
    """Hold a part of a log: its name, the values of the column that it has, its cases, and the labels used only there."""

    name: str
    values: tuple[str, ...]
    n_cases: int
    labels: tuple[str, ...]


class Vocabularies(NamedTuple):
    """Hold two parts of a log, and the pairs of their labels that are likely one step, the most likely first.

    ``by`` is the column that divides the cases, or ``"period"``. ``candidates`` are pairs that may be one step, or one step and
    another in its place.
    """

    by: str
    a: Part
    b: Part
    pairs: tuple[MatchedPair, ...]
    candidates: tuple[MatchedPair, ...]


def vocabularies(log: EventLog | Variants, by: str | None = None) -> list[Vocabularies]:
    """Return the vocabularies of a log, those with the most pairs first; each pair of labels is in one of them.

    ``by`` is a column that was read with the log, or ``"period"``. By default all columns that name people, organisations or
    sites are tried, and periods. Variants have no columns: their strata are compared.

    >>> names = {"north": ["order", "check", "pay", "send"], "south": ["order", "verify", "settle", "send"]}
    >>> from actalike import read_log
    >>> import polars as pl
    >>> rows = [(f"{site}{i}", step, site) for site in names for i in range(60) for step in names[site]]
    >>> events = pl.DataFrame(rows, schema=["case", "activity", "site"], orient="row")
    >>> [found] = vocabularies(read_log(events, attributes=["site"]))
    >>> found.by, sorted(pair[:2] for pair in found.pairs)
    ('site', [('check', 'verify'), ('pay', 'settle')])
    """
    divided = _strata(log, by) if isinstance(log, Variants) else _divisions(log, by)
    found = [one for division in divided for one in _compared(division)]
    found.sort(key=lambda one: (-len(one.pairs), -len(one.candidates), one.by))
    known: set[frozenset[str]] = set()
    distinct = []
    for one in found:
        pairs, candidates = (tuple(pair for pair in some if frozenset(pair[:2]) not in known) for some in one[-2:])
        known |= {frozenset(pair[:2]) for pair in (*pairs, *candidates)}
        if pairs or candidates:
            distinct.append(one._replace(pairs=pairs, candidates=candidates))
    return distinct


class _Division(NamedTuple):
    """Hold the parts of a log by some column, each with its name, its values and its variants, the largest first."""

    by: str
    parts: list[tuple[str, tuple[str, ...], Variants]]


def _divisions(log: EventLog, by: str | None) -> Iterator[_Division]:
    """Yield the divisions of a log by one column, by all that name people or sites, and by period."""
    if by is not None and by != PERIOD and by not in log.attributes:
        others = did_you_mean(by, [*log.attributes, PERIOD])
        raise LogError(f"The log has no column {by!r}, or it was not read: read it with attributes=[{by!r}].{others}")
    columns = list(log.people()) if by is None else [by] if by != PERIOD else []
    for name in columns:
        values, of_case = _value_of_cases(log, name)
        use = _cases_with_labels(log, of_case, len(values))
        part_of = _alike_values(use, np.bincount(of_case[of_case >= 0], minlength=len(values)))
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
        yield _Division(PERIOD, [(f"until {day}", (), before), (f"from {day}", (), after)])


def _strata(variants: Variants, by: str | None) -> Iterator[_Division]:
    """Yield the division of variants by their strata, if they have some."""
    if by is not None and not variants.strata:
        raise LogError(f"The variants have no strata: read them with by={by!r}.")
    if variants.strata:
        parts = {name: variants.part(name) for name in variants.strata}
        labels = {label: i for i, label in enumerate(variants.activities)}
        use = np.zeros((len(parts), len(labels)), dtype=np.int64)
        for row, part in zip(use, parts.values(), strict=True):
            row[[labels[label] for label in part.activities]] = part.activity_cases
        part_of = _alike_values(use, np.array([part.n_cases for part in parts.values()]))
        groups = [[variants.strata[i] for i in np.flatnonzero(part_of == one)] for one in range(part_of.max(initial=-1) + 1)]
        summed = [(_name(names), tuple(names), _sum([parts[name] for name in names])) for names in groups]
        yield _division("stratum" if by is None else by, summed)


def _sum(parts: list[Variants]) -> Variants:
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def _division(by: str, parts: list[tuple[str, tuple[str, ...], Variants]]) -> _Division:
    return _Division(by, sorted(parts, key=lambda part: (-part[2].n_cases, part[0])))


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


def _alike_values(use: NDArray[np.int64], n_cases: NDArray[np.int64]) -> NDArray[np.int64]:
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
    fewest = max(_FEWEST_OF_PART, len(order) // 20)
    candidates = np.unique(np.concatenate([first, last + 1]))
    candidates = candidates[(candidates >= fewest) & (candidates <= len(order) - fewest)]
    replaced = [min(cases[last < one].sum(), cases[first >= one].sum()) for one in candidates.tolist()]
    if not replaced or not max(replaced):
        return None
    return beginnings[order[candidates[int(np.argmax(replaced))]]]


def _compared(division: _Division) -> Iterator[Vocabularies]:
    """Yield the vocabularies of the largest part and of each other one, if they have pairs."""
    parts = [part for part in division.parts if part[2].n_cases >= _FEWEST_OF_PART]
    for other in parts[1:]:
        (name_a, values_a, a), (name_b, values_b, b) = parts[0], other
        own_a, own_b = _own_labels(a, b)
        if own_a and own_b:
            matched = _pairs(a, b, own_a, own_b)
            likely = _LIKELY_BY_PERIOD if division.by == PERIOD else 0.0
            if len(matched) < _SAME_FLOW * min(len(own_a), len(own_b)):
                likely = np.inf  # none
            pairs, candidates = (
                tuple(pair for pair in matched if (pair.probability >= likely) is accepted) for accepted in (True, False)
            )
            part_a, part_b = Part(name_a, values_a, a.n_cases, own_a), Part(name_b, values_b, b.n_cases, own_b)
            yield Vocabularies(division.by, part_a, part_b, pairs, candidates)


def _own_labels(a: Variants, b: Variants) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the labels that only a uses, and those that only b uses."""
    cases_a, cases_b = (dict(zip(one.activities, one.activity_cases.tolist(), strict=True)) for one in (a, b))
    return _only(cases_a, cases_b, a.n_cases, b.n_cases), _only(cases_b, cases_a, b.n_cases, a.n_cases)


def _only(cases: Mapping[str, int], others: Mapping[str, int], n: int, n_others: int) -> tuple[str, ...]:
    def belongs(label: str) -> bool:
        here, there = cases[label] / n, others.get(label, 0) / n_others
        by_chance = (n / (n + n_others)) ** cases[label]  # that none is elsewhere
        return cases[label] >= _FEWEST_CASES and here >= _OWN * (here + there) and by_chance <= _BY_CHANCE

    return tuple(sorted((label for label in cases if belongs(label)), key=lambda label: (-cases[label], label)))


def _pairs(a: Variants, b: Variants, own_a: tuple[str, ...], own_b: tuple[str, ...]) -> list[MatchedPair]:
    """Return the pairs of the labels of two vocabularies; what both parts use is the same step in both."""
    of_b = set(b.activities) - set(own_a) - set(own_b)
    shared = {label: label for label in a.activities if label in of_b and label not in own_a and label not in own_b}
    matching = match_variants(a, b, shared)
    return [pair for pair in matching.pairs if pair.a in own_a and pair.b in own_b]
