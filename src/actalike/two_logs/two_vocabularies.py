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

People of one case may say different words, too: then the parts are not parts of the cases (:func:`words_of_people`). Labels are
matched by how interchangeable they are, if hardly anybody uses both; those of one vocabulary are used by the same people, and
hardly ever by those of the other. Partners are merged, so that their neighbours find theirs in the next round.

That two adjacent steps have new names hides both from :func:`actalike.same_step`, because the neighbours of both are new as well;
matching the parts finds them.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.counting import WindowCounts, count_windows
from actalike.labels import PERIOD, WINDOW, PartnerLabels, SameStep, Usage, compare_labels, distinguishing_tokens, same_step_of
from actalike.log import AnyLog, CoOccurrence, EventLog, Variants
from actalike.support.weights import log_odds_of, probability_of
from actalike.two_logs.matching import match_variants
from actalike.two_logs.partners import MatchedPair
from actalike.two_logs.parts import (
    FEWEST_OF_PART,
    MOST_VALUES,
    Division,
    Replacement,
    divisions,
    own_labels,
    part_name,
    replacements,
    shared_labels,
    strata,
)

_SAME_FLOW = 0.5  # of the labels of the smaller vocabulary that have a partner
_FEWEST = 2  # pairs by period or people: one alone is a change like others, and has a witness of its own
_LIKELY_BY_PERIOD = 0.85  # probability of a pair
_MOMENTS = 4  # at which labels may have been replaced
_ROUNDS = 4  # in which words of people are matched
_SOMEWHAT = log_odds_of(0.15)  # of two words of people, to be interchangeable
_FEWEST_OF_WORD = 10  # cases
_FEW_IN_COMMON, _SOME_IN_COMMON = 0.03, 0.2  # users of labels of two circles of people, and of one
_BY_CHANCE = 0.5  # users in common
_MOST_OF_ONE = 0.8  # of the events of a label that one user may have: a role has words of its own
_MIXED = 0.1  # of the cases that mix both words by chance
_REACHES = (300, 2000)  # cases on either side of a moment, and all


_Pair = tuple[int, int]  # positions of two labels


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
    if min(len(moment.ended), len(moment.began)) < _FEWEST:
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
    yield _judged(PERIOD, part_a, part_b, matched, likely, _FEWEST)


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


def words_of_people(same: SameStep, by: str | None = None, counts: WindowCounts | None = None) -> Iterator[PartnerLabels]:
    """Yield the labels that two circles of people use for one step, whoever works on a case.

    Two labels may be partners if they are interchangeable with a probability of 0.15 or more, at most 3 % of their users are in
    common, where chance would have half, nobody does more than 80 % of either, and no token tells the two apart. The most
    interchangeable pairs come first. There must be two pairs or more: those of one side have a fifth of their users in common
    with another one, and at most 3 % with those of the other side. Half of the labels of the smaller side must have a partner,
    and cases must mix both words: else they are two departments, or parts of the cases, which :func:`vocabularies` matches.
    The log-odds of a pair are those of being interchangeable, and the most that separate people weigh.
    """
    log, usage = same.log, same.usage
    for column in usage.separating if by is None else [one for one in usage.separating if one == by]:
        users = usage.events_by_value(column).toarray()
        users = users[np.argsort(-users.sum(axis=1), kind="stable")[:MOST_VALUES]]
        in_common = _in_common(users)
        pairs = _may_be_partners(log, users, in_common)
        found = _matched_words(same, pairs, in_common, counts) if len(pairs) > 1 else {}
        circles = _circles(list(found), in_common, log.activity_cases)
        if len(found) >= max(_FEWEST, _SAME_FLOW * min(map(len, circles))) and _are_mixed(log, list(found)):
            first, second = (_users(usage, column, [pair[side] for pair in found]) for side in (0, 1))
            evidence = same.weights.same_step.pieces["people"].points[-1]
            for (i, j), log_odds in found.items():
                probability = float(probability_of(np.array(log_odds + evidence)))
                yield PartnerLabels(log.activities[i], log.activities[j], probability, column, (first, second), len(found))


def _matched_words(
    same: SameStep, pairs: list[_Pair], in_common: NDArray[np.float64], counts: WindowCounts | None
) -> dict[_Pair, float]:
    """Return the pairs of words of two circles of people, with the log-odds that they are interchangeable."""
    log = same.log
    counts = count_windows(log, WINDOW) if counts is None else counts
    rows = [log.activities[i] for i in sorted({i for i, _ in pairs})]
    compared = same if same.of is None else same_step_of(log, rows, counts=counts)
    place = list(range(len(log.activities)))  # of each label in what is compared
    log_odds: dict[_Pair, float] = {}
    found: list[_Pair] = []
    for _ in range(_ROUNDS):
        taken = {label for pair in found for label in pair}
        left = [pair for pair in pairs if taken.isdisjoint(pair)]
        odds = [round(float(compared.log_odds_interchangeable[place[i], place[j]]), 9) for i, j in left]
        more = list(found)
        for pair, one in sorted(zip(left, odds, strict=True), key=lambda both: (-both[1], both[0])):
            if one >= _SOMEWHAT and taken.isdisjoint(pair):
                taken |= {*pair}
                more.append(pair)
                log_odds[pair] = log_odds[pair[::-1]] = one
        more = _of_two_circles(more, in_common)
        if len(more) <= max(len(found), 1):
            break
        found = more
        name_of = {log.activities[j]: log.activities[i] for i, j in found}
        rename = partial(_new_name, name_of)
        merged = log.variants.relabel(rename)
        compared = compare_labels(merged, counts.relabel(rename))
        place = [merged.activities.index(rename(label)) for label in log.activities]
    return {pair: log_odds[pair] for pair in found}


def _new_name(name_of: Mapping[str, str], label: str) -> str:
    return name_of.get(label, label)


def _in_common(users: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return which share of their events two labels have from the same users, for each two."""
    shares = users / users.sum(axis=0).clip(1)
    return np.array([np.minimum(shares, one[:, np.newaxis]).sum(axis=0) for one in shares.T])


def _may_be_partners(log: AnyLog, users: NDArray[np.float64], in_common: NDArray[np.float64]) -> list[_Pair]:
    """Return the pairs of labels with users of their own that chance does not explain, two or more, and no token that differs."""
    n = users.sum(axis=0).clip(1)
    many = np.flatnonzero((log.activity_cases >= _FEWEST_OF_WORD) & ((users / n).max(axis=0, initial=0.0) <= _MOST_OF_ONE))
    pairs = []
    for i in many.tolist():
        others = many[(many > i) & (in_common[i, many] <= _FEW_IN_COMMON)]
        pooled = (users[:, [i]] + users[:, others]) / (n[i] + n[others])
        spread = np.sqrt(2 / np.pi * pooled * (1 - pooled) * (1 / n[i] + 1 / n[others]))
        by_chance = np.maximum(pooled - spread / 2, 0).sum(axis=0)
        pairs += [(i, j) for j in others[by_chance >= _BY_CHANCE].tolist()]
    return [(i, j) for i, j in pairs if distinguishing_tokens(log.activities[i], log.activities[j]) is None]


def _of_two_circles(pairs: Sequence[_Pair], in_common: NDArray[np.float64]) -> list[_Pair]:
    """Return the most pairs whose labels two circles of people use, turned so that those of one circle come first."""
    best: list[_Pair] = []
    for first in pairs:
        circles = [first]
        for pair in pairs:
            for i, j in (pair, pair[::-1]) if pair is not first else ():
                here, there = ([one[side] for one in circles] for side in (0, 1))
                apart = max(in_common[i, there].max(), in_common[j, here].max()) <= _FEW_IN_COMMON
                if apart and min(in_common[i, here].max(), in_common[j, there].max()) >= _SOME_IN_COMMON:
                    circles.append((i, j))
                    break
        if len(circles) > len(best):
            best = circles
    return best


def _circles(pairs: Sequence[_Pair], in_common: NDArray[np.float64], cases: NDArray[np.int64]) -> list[list[int]]:
    """Return the labels that only either circle uses."""
    circles = []
    for side in (0, 1) if pairs else ():
        here, there = [pair[side] for pair in pairs], [pair[1 - side] for pair in pairs]
        own = (in_common[here].max(axis=0) >= _SOME_IN_COMMON) & (in_common[there].max(axis=0) <= _FEW_IN_COMMON)
        circles.append(np.flatnonzero(own & (cases >= _FEWEST_OF_WORD)).tolist())
    return circles or [[], []]


def _are_mixed(log: AnyLog, pairs: Sequence[_Pair]) -> bool:
    """Return whether cases with words of two pairs mix the two sides, at least a tenth as often as by chance."""
    sides = [np.array([pair[side] for pair in pairs]) for side in (0, 1)]
    co_occurrence, others = CoOccurrence(log), ~np.eye(len(pairs), dtype=bool)
    shared = [[float(co_occurrence.shared_between(here, there)[others].sum()) for there in sides] for here in sides]
    both, first = sum(map(sum, shared)), sum(shared[0]) / max(sum(map(sum, shared)), 1.0)
    return shared[0][1] + shared[1][0] >= _MIXED * 2 * first * (1 - first) * both > 0


def _users(usage: Usage, column: str, labels: list[int]) -> str:
    events = usage.events_by_value(column)[:, labels].sum(axis=1)
    order = np.argsort(-events, kind="stable")[: np.count_nonzero(events)]
    return part_name([usage.values(column)[i] for i in order.tolist()])


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
            third, part = (first.b, first.parts[1]) if first.a == second.a else (first.a, first.parts[0])
            probability = first.probability * second.probability
            steps = min(first.steps, second.steps)
            thirds.append(PartnerLabels(third, second.b, probability, first.by, (part, second.parts[1]), steps))
    return (*partners, *thirds)
