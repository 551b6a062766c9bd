"""The definition of what is said of an odd case, as loops: explanations of one oddity are gathered."""

from collections import Counter
from math import log, log1p

KINDS = ("skipped", "inserted", "repeated", "early", "late", "attribute")


def naive_reasons(case, odds, number):
    """What is odd about a case: (kind, events, missing, odds), explanations of one oddity gathered around the most likely one."""
    values, breaks = odds.values[number], odds.breaks[number]
    explanations = [("attribute", [i], (i, i), p, (), column) for i in range(len(case)) for column, p in enumerate(values[i])]
    explanations += [("inserted", [i], (i, i), breaks[i], (), -1) for i in range(len(case))]
    explanations.append(("skipped", [], (len(case), len(case)), breaks[-1], (), -1))
    for (slip, p), (_, alone) in zip(odds.slips[number], odds.alone[number], strict=True):
        kind, column = slip.kind, -1
        if kind == "inserted" and alone < 1 and values[slip.start]:  # its values are the evidence
            kind, column = "attribute", values[slip.start].index(max(values[slip.start]))
        explanations.append((kind, slip.block, (slip.start, slip.end), p, slip.missing, column))
    least = min(odds.cases[number] / 1000, 1)
    left = sorted((one for one in explanations if one[3] >= least), key=order)
    reasons = []
    while left:
        alike = [one for one in left if same_oddity(left[0], one)]
        left = [one for one in left if not same_oddity(left[0], one)]
        by_kind = Counter()
        for one in alike:
            by_kind[one[0]] += one[3]
        kind = max(by_kind, key=lambda name: round(log(by_kind[name]), 9))
        chosen = next(one for one in alike if one[0] == kind)
        if kind == "inserted":
            i = chosen[1][0]
            twice = [one for one in alike if one[0] == "repeated" and one[1] in ([i], [i + 1])]
            chosen = next((one for one in twice if case[one[1][0]] == case[one[1][0] - 1]), chosen)
        reasons.append((chosen[0], chosen[1] or [chosen[2][0]], chosen[4], by_kind.total()))
    return sorted(reasons, key=lambda one: (-round(log1p(one[3]), 9), one[1][0]))


def order(explanation):
    kind, block, links, p, missing, column = explanation
    return -round(log(p), 9), links, KINDS.index(kind), block, missing, column


def same_oddity(one, other):
    if one[0] == other[0] == "attribute":
        return one[1] == other[1] and one[5] == other[5]
    if "attribute" in (one[0], other[0]):
        return "inserted" in (one[0], other[0]) and one[1] == other[1]
    return one[2][0] < other[2][1] + 3 and other[2][0] < one[2][1] + 3  # a slip changes the contexts of the events after it too
