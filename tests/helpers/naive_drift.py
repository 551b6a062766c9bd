"""Drift by its definitions: loops over traces, sums by hand, and every way to divide the cases."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt

OFFSETS = (-2, -1, 1, 2)
SHRINKAGE = 2
WEIGHTS = {offset: (1 / abs(offset)) / 3 for offset in OFFSETS}


def neighbour(trace, place, offset):
    """The label at an offset; None outside the case."""
    return trace[place + offset] if 0 <= place + offset < len(trace) else None


def shares(traces, offset, label=None):
    """How often which neighbour stands at an offset of a label's events, or of all events."""
    return Counter(neighbour(trace, place, offset) for trace in traces for place, one in enumerate(trace) if label in (one, None))


def parts(before, after, label):
    """The part of the change of each offset and neighbour."""
    found = {}
    for offset in OFFSETS:
        usual = shares([*before, *after], offset)
        counts = [shares(side, offset, label) for side in (before, after)]
        for x in usual:
            q = usual[x] / usual.total()
            first, second = ((one[x] + SHRINKAGE * q) / (one.total() + SHRINKAGE) for one in counts)
            found[offset, x] = WEIGHTS[offset] * (sqrt(first) - sqrt(second)) ** 2 / 2
    return found


def change(before, after, label):
    """D of a label: 1 minus the sum of the roots of the products of its shares."""
    total = 0.0
    for offset in OFFSETS:
        usual = shares([*before, *after], offset)
        counts = [shares(side, offset, label) for side in (before, after)]
        for x in usual:
            q = usual[x] / usual.total()
            first, second = ((one[x] + SHRINKAGE * q) / (one.total() + SHRINKAGE) for one in counts)
            total += WEIGHTS[offset] * sqrt(first * second)
    return 1 - total


def exact_p(before, after, label):
    """The share of all ways to divide the cases with the label in which its change is not smaller."""
    holders = [trace for trace in [*before, *after] if label in trace]
    rest = [trace for trace in before if label not in trace], [trace for trace in after if label not in trace]
    seen = change(before, after, label)
    n = sum(label in trace for trace in before)
    reached = []
    for chosen in combinations(range(len(holders)), n):
        first = [holders[i] for i in chosen] + rest[0]
        second = [holders[i] for i in range(len(holders)) if i not in chosen] + rest[1]
        reached.append(change(first, second, label) >= seen - 1e-12)
    return sum(reached) / len(reached)


def fisher(first, second, cases_before, cases_after):
    """Fisher's exact test, two-sided, in fractions."""
    both = first + second
    ways = {
        k: Fraction(comb(cases_before, k) * comb(cases_after, both - k), comb(cases_before + cases_after, both))
        for k in range(both + 1)
    }
    return float(sum(way for way in ways.values() if way <= ways[first]))


def benjamini_hochberg(p, level):
    """Which tests are discoveries: all up to the largest rank k with p at most level * k / m."""
    ordered = sorted(p)
    ranks = [k for k in range(1, len(p) + 1) if ordered[k - 1] <= level * k / len(p)]
    return [bool(ranks) and one <= ordered[max(ranks) - 1] for one in p]
