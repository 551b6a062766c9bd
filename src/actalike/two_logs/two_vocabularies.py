"""Find vocabularies: parts of a log that name the same steps differently, such as two offices, or before and after a new system.

1. Divide the cases by a column or by period (:mod:`actalike.two_logs.parts`).
2. A label belongs to one of two parts if it is used there in at least 97 % of its cases, as if both parts had as many, and if
   chance does not explain that. Such labels of both parts are matched (:func:`actalike.two_logs.match`); all labels that both
   parts use are known to be the same.
3. If at least half of the labels of the smaller vocabulary have a partner, the two are vocabularies of one flow, and the pairs
   are likely one step. All other pairs are candidates: the parts also do different things.

By period, labels belong together that end and begin at one moment (:func:`actalike.two_logs.parts.replacements`): two or more,
because one alone is a change like others. Other steps change with time, too. So the 300 cases next to the moment are matched on
either side, the 2,000, and all, and a pair has the highest of its probabilities. It is likely one step if that is 0.85 or more,
and no comparison has another partner for one of the two.

That two adjacent steps have new names hides both from :func:`actalike.same_step`, because the neighbours of both are new as well;
matching the parts finds them.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from actalike.labels import PERIOD, PartnerLabels
from actalike.log import EventLog, Variants
from actalike.two_logs.matching import match_variants
from actalike.two_logs.partners import MatchedPair
from actalike.two_logs.parts import (
    FEWEST_OF_PART,
    Division,
    Replacement,
    divisions,
    own_labels,
    replacements,
    shared_labels,
    strata,
)

_SAME_FLOW = 0.5  # of the labels of the smaller vocabulary that have a partner
_FEWEST_BY_PERIOD = 2  # pairs: one alone is a change like others, and has a witness of periods
_LIKELY_BY_PERIOD = 0.85  # probability of a pair
_MOMENTS = 4  # at which labels may have been replaced
_REACHES = (300, 2000)  # cases on either side of a moment, and all


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
    by_column = by != PERIOD
    divided = strata(log, by) if isinstance(log, Variants) else divisions(log, by) if by_column else ()
    found = [one for division in divided for one in _compared(division)]
    if isinstance(log, EventLog) and by in (None, PERIOD):
        found += [one for moment in replacements(log, _MOMENTS) for one in _replaced(log, moment)]
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
            matched = match_variants(a, b, shared_labels(a, b)).pairs
            pairs = [pair for pair in matched if pair.a in own_a and pair.b in own_b]
            part_a, part_b = Part(name_a, values_a, a.n_cases, own_a), Part(name_b, values_b, b.n_cases, own_b)
            yield _judged(division.by, part_a, part_b, pairs, pairs, 1)


def _replaced(log: EventLog, moment: Replacement) -> Iterator[Vocabularies]:
    """Yield the vocabularies of the labels that ended and began at one moment, if they have pairs."""
    if min(len(moment.ended), len(moment.began)) < _FEWEST_BY_PERIOD:
        return
    most = max(moment.place, len(moment.order) - moment.place)
    found = [_at_the_moment(log, moment, reach) for reach in (*(some for some in _REACHES if some < most), most)]
    likeliest = sorted({pair for pairs in found for pair in pairs}, key=lambda pair: (-pair.probability, pair))
    matched, partners = list[MatchedPair](), dict[str, str]()
    doubtful = set[str]()
    for pair in likeliest:
        if pair.a not in partners and pair.b not in partners:
            partners |= {pair.a: pair.b, pair.b: pair.a}
            matched.append(pair)
        elif partners.get(pair.a) != pair.b:
            doubtful |= {pair.a, pair.b, partners.get(pair.a, pair.a), partners.get(pair.b, pair.b)}
    likely = [pair for pair in matched if pair.probability >= _LIKELY_BY_PERIOD and doubtful.isdisjoint(pair[:2])]
    until, since = moment.names()
    part_a = Part(until, (), moment.place, moment.ended)
    part_b = Part(since, (), len(moment.order) - moment.place, moment.began)
    yield _judged(PERIOD, part_a, part_b, matched, likely, _FEWEST_BY_PERIOD)


def _at_the_moment(log: EventLog, moment: Replacement, reach: int) -> list[MatchedPair]:
    """Return the pairs of labels that ended and began at a moment, as so many cases before and after it say."""
    a, b = moment.sides(log, reach)
    replaced = {*moment.ended, *moment.began}
    known = {label: label for label in a.activities if label in set(b.activities) - replaced}
    rest_a, rest_b = ([label for label in part.activities if label not in known] for part in (a, b))
    own_a, own_b = own_labels(a, b)
    apart = {(x, y) for x in rest_a for y in rest_b if x not in {*own_a, *moment.ended} or y not in {*own_b, *moment.began}}
    pairs = match_variants(a, b, known, frozenset(apart)).pairs
    return [pair for pair in pairs if pair.a in moment.ended and pair.b in moment.began]


def _judged(
    by: str, a: Part, b: Part, matched: Sequence[MatchedPair], likely: Sequence[MatchedPair], fewest: int
) -> Vocabularies:
    """Return the vocabularies of two parts: pairs are likely one step if there are enough of them, all others are candidates."""
    if len(likely) < max(fewest, _SAME_FLOW * min(len(a.labels), len(b.labels))):
        likely = ()
    return Vocabularies(by, a, b, tuple(likely), tuple(pair for pair in matched if pair not in likely))


def partner_labels(found: Sequence[Vocabularies]) -> tuple[PartnerLabels, ...]:
    """Return the pairs of vocabularies as evidence for :func:`actalike.group`.

    Where several columns divide the log, the one that matches the most steps tells the partners of a label. The words of a
    third part for a step are partners of those of the second, if both are partners of the same word; so are the words of three
    periods.
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
    for first, second in permutations([pair for pair in partners if pair.is_likely], 2):
        if first.by == second.by and (first.b == second.a or (first.a == second.a and first.b < second.b)):
            place = int(first.a == second.a)
            probability, parts = first.probability * second.probability, (first.parts[place], second.parts[1])
            thirds.append(PartnerLabels(first[place], second.b, probability, first.by, parts, min(first.steps, second.steps)))
    return (*partners, *thirds)
