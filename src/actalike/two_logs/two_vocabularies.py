"""Find vocabularies: parts of a log that name the same steps differently, such as two offices, or before and after a new system.

1. Divide the cases by a column or by period (:mod:`actalike.two_logs.parts`).
2. A label belongs to one of two parts if it is used there in at least 97 % of its cases, as if both parts had as many, and if
   chance does not explain that. Such labels of both parts are matched (:func:`actalike.two_logs.match`); all labels that both
   parts use are known to be the same.
3. If at least half of the labels of the smaller vocabulary have a partner, the two are vocabularies of one flow, and the pairs
   are likely one step. By period there must be two pairs, and only those with a probability of 0.7 or more count, because what
   changes with time changes more than names. All other pairs are candidates: the parts also do different things.

That two adjacent steps have new names hides both from :func:`actalike.same_step`, because the neighbours of both are new as well;
matching the parts finds them.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from actalike.labels import PERIOD, PartnerLabels
from actalike.log import EventLog, Variants
from actalike.two_logs.matching import match_variants
from actalike.two_logs.partners import MatchedPair
from actalike.two_logs.parts import FEWEST_OF_PART, Division, divisions, own_labels, shared_labels, strata

_SAME_FLOW = 0.5  # of the labels of the smaller vocabulary that have a partner
_FEWEST_BY_PERIOD = 2  # pairs: one alone is a change like others, and has a witness of periods
_LIKELY_BY_PERIOD = 0.7  # probability of a pair


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
    divided = strata(log, by) if isinstance(log, Variants) else divisions(log, by)
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


def _compared(division: Division) -> Iterator[Vocabularies]:
    """Yield the vocabularies of the largest part and of each other one, if they have pairs."""
    parts = [part for part in division.parts if part[2].n_cases >= FEWEST_OF_PART]
    for other in parts[1:]:
        (name_a, values_a, a), (name_b, values_b, b) = parts[0], other
        own_a, own_b = own_labels(a, b)
        if own_a and own_b:
            matched = _pairs(a, b, own_a, own_b)
            enough, fewest, least = _SAME_FLOW * min(len(own_a), len(own_b)), 1, 0.0
            if division.by == PERIOD:  # what changes with time changes more than names
                fewest, least = _FEWEST_BY_PERIOD, _LIKELY_BY_PERIOD
            if sum(pair.probability >= least for pair in matched) < max(enough, fewest):
                least = np.inf  # none
            pairs, candidates = (
                tuple(pair for pair in matched if (pair.probability >= least) is accepted) for accepted in (True, False)
            )
            part_a, part_b = Part(name_a, values_a, a.n_cases, own_a), Part(name_b, values_b, b.n_cases, own_b)
            yield Vocabularies(division.by, part_a, part_b, pairs, candidates)


def _pairs(a: Variants, b: Variants, own_a: tuple[str, ...], own_b: tuple[str, ...]) -> list[MatchedPair]:
    """Return the pairs of the labels of two vocabularies; what both parts use is the same step in both."""
    matching = match_variants(a, b, shared_labels(a, b))
    return [pair for pair in matching.pairs if pair.a in own_a and pair.b in own_b]


def partner_labels(found: Sequence[Vocabularies]) -> tuple[PartnerLabels, ...]:
    """Return the pairs of vocabularies as evidence for :func:`actalike.group`.

    Where several columns divide the log, the one that matches the most steps tells the partners of a label. The words of a
    third part for a step are partners of those of the second, if both are partners of the same word.
    """
    column_of: dict[str, str] = {}
    partners: list[PartnerLabels] = []
    for one in found:
        for pair in (*one.pairs, *one.candidates):
            if all(column_of.get(label, one.by) == one.by for label in pair[:2]):
                is_likely = pair in one.pairs
                column_of |= dict.fromkeys(pair[:2], one.by) if is_likely else {}
                partners.append(PartnerLabels(*pair, one.by, (one.a.name, one.b.name), len(one.pairs), is_likely))
    thirds = []
    for first, second in combinations([pair for pair in partners if pair.is_likely], 2):
        if first.a == second.a and first.by == second.by and first.b != second.b:
            probability, parts = first.probability * second.probability, (first.parts[1], second.parts[1])
            thirds.append(PartnerLabels(first.b, second.b, probability, first.by, parts, min(first.steps, second.steps)))
    return (*partners, *thirds)
