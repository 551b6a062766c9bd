"""The definition of what is said of an odd case, as loops: explanations of one oddity are gathered."""

from collections import Counter
from math import log, log1p
from typing import NamedTuple

KINDS = ("skipped", "inserted", "repeated", "early", "late", "swapped", "replaced", "attribute")


class Explanation(NamedTuple):
    kind: str
    events: list
    links: tuple
    odds: float
    missing: tuple = ()
    column: int = -1
    is_break: bool = False

    @property
    def order(self):
        return (
            -round(log(self.odds), 9),
            self.links,
            len(self.events),
            KINDS.index(self.kind),
            self.events,
            self.missing,
            self.column,
        )


def naive_reasons(case, odds, number):
    """What is odd about a case: (kind, events, missing, odds), explanations of one oddity gathered around the most likely one."""
    least = min(odds.cases[number] / 1000, 1)
    left = sorted(
        (one for one in explanations(case, odds, number) if one.odds >= least and one.odds > 0), key=lambda one: one.order
    )
    reasons = []
    while left:
        alike = [one for one in left if same_oddity(left[0], one)]
        left = [one for one in left if not same_oddity(left[0], one)]
        total = sum(one.odds for one in alike)
        slips = [one for one in alike if not one.is_break]
        chosen = most_likely(slips if sum(one.odds for one in slips) >= min(total / 10, 100) else alike)
        if chosen.kind == "inserted":
            i = chosen.events[0]
            twice = [one for one in alike if one.kind == "repeated" and one.events in ([i], [i + 1])]
            chosen = next((one for one in twice if case[one.events[0]] == case[one.events[0] - 1]), chosen)
        reasons.append((chosen.kind, chosen.events or [chosen.links[0]], chosen.missing, total))
    return sorted(reasons, key=lambda one: (-round(log1p(one[3]), 9), one[1][0]))


def explanations(case, odds, number):
    """All that may be wrong with a case: values, breaks, slips."""
    values, breaks = odds.values[number], odds.breaks[number]
    for i in range(len(case)):
        for column, p in enumerate(values[i]):
            yield Explanation("attribute", [i], (i, i), p, column=column)
        yield Explanation("inserted", [i], (i, i), breaks[i], is_break=True)
    yield Explanation("skipped", [], (len(case), len(case)), breaks[-1], is_break=True)
    for (slip, p), (_, alone) in zip(odds.slips[number], odds.alone[number], strict=True):
        kind, column = slip.kind, -1
        if kind == "inserted" and alone < 1 and values[slip.start]:  # its values are the evidence
            kind, column = "attribute", values[slip.start].index(max(values[slip.start]))
        yield Explanation(kind, slip.block, (slip.start, slip.end), p, slip.missing, column)


def most_likely(alike):
    """The first explanation of the kind with the largest odds."""
    by_kind = Counter()
    for one in alike:
        by_kind[one.kind] += one.odds
    kind = max(by_kind, key=lambda name: round(log(by_kind[name]), 9))
    return next(one for one in alike if one.kind == kind)


def same_oddity(one, other):
    if one.kind == other.kind == "attribute":
        return one.events == other.events and one.column == other.column
    if "attribute" in (one.kind, other.kind):
        return "inserted" in (one.kind, other.kind) and one.events == other.events
    return any(i < end and start < j for i, j in touched(one) for start, end in touched(other))


def touched(one):
    """The links that a slip touches: it changes the contexts of the events after it too. Far moves leave alone what is between."""
    first, last = one.links
    return [(first, first + 4), (last - 1, last + 3)] if last - first > 6 else [(first, last + 3)]
