"""The benchmark of matching by its definitions: metrics, profiles, and Zhu's similarity of two logs, as loops."""

from itertools import pairwise, permutations
from math import exp, log, sqrt
from statistics import fmean


def hit(row, partner, m):
    """The share of all orders of tied candidates in which the partner is among the best m."""
    orders = [order for order in permutations(range(len(row))) if all(row[i] >= row[j] for i, j in pairwise(order))]
    return fmean(partner in order[:m] for order in orders)


def reciprocal_rank(row, partner):
    better = sum(value > row[partner] for value in row)
    ties = sum(value == row[partner] for value in row)
    return 1 / (1 + better + (ties - 1) / 2)


def best_assignment_sum(scores):
    """The largest sum of scores of an assignment, by trying all."""
    if len(scores) > len(scores[0]):
        scores = [list(column) for column in zip(*scores, strict=True)]
    return max(sum(scores[i][j] for i, j in enumerate(columns)) for columns in permutations(range(len(scores[0])), len(scores)))


def surest(sureness, right, n):
    """The share of right ones among the n surest, the mean over all orders of ties."""
    orders = [o for o in permutations(range(len(right))) if all(sureness[i] >= sureness[j] for i, j in pairwise(o))]
    return fmean(fmean(right[i] for i in order[:n]) for order in orders)


def profile(traces, other_traces, a, b):
    def parts(cases, label):
        with_label = [case for case in cases if label in case]
        events = [(i, len(case)) for case in with_label for i, one in enumerate(case) if one == label]
        bins = [sum(int(5 * i / n) == k for i, n in events) / len(events) for k in range(5)]
        return bins, len(with_label) / len(cases), len(events) / len(with_label)

    (pi_a, c_a, r_a), (pi_b, c_b, r_b) = parts(traces, a), parts(other_traces, b)
    overlap = sum(sqrt(x * y) for x, y in zip(pi_a, pi_b, strict=True))
    return overlap * exp(-abs(log((c_a + 0.002) / (c_b + 0.002)))) * exp(-abs(log(r_a / r_b)))


def zhu(traces_a, traces_b, labels_a, labels_b, known, decay=0.8, small=0.001):
    """The similarity of two graphs; known pairs are 1 all the time, and 0 with all others."""

    def graph(traces, labels):
        before, after = ({v: {None: sum(v in t for t in traces) / len(traces)} for v in labels} for _ in range(2))
        for trace in traces:
            for x, y in set(pairwise(trace)):
                before[y][x] = before[y].get(x, 0) + 1 / len(traces)
                after[x][y] = after[x].get(y, 0) + 1 / len(traces)
        return before, after

    def fixed(a, b, value):
        if (a, b) in known.items():
            return 1.0
        return 0.0 if a in known or b in known.values() else value

    def rounds(of_a, of_b):
        s = {(a, b): fixed(a, b, 0.0) for a in labels_a for b in labels_b}
        while True:
            look = s | {(None, None): 1.0}

            def factor(f1, f2):
                return decay * (1 - abs(f1 - f2) / (f1 + f2))

            def value(a, b):
                there = fmean(
                    max(factor(f, g) * look.get((x, y), 0.0) for y, g in of_b[b].items())  # noqa: B023
                    for x, f in of_a[a].items()
                )
                back = fmean(
                    max(factor(f, g) * look.get((x, y), 0.0) for x, f in of_a[a].items())  # noqa: B023
                    for y, g in of_b[b].items()
                )
                return (there + back) / 2

            new = {(a, b): fixed(a, b, value(a, b)) for a, b in s}
            moved = max(abs(new[pair] - s[pair]) for pair in s)
            s = new
            if moved < small:
                return s

    (before_a, after_a), (before_b, after_b) = graph(traces_a, labels_a), graph(traces_b, labels_b)
    first, second = rounds(before_a, before_b), rounds(after_a, after_b)
    return [[(first[a, b] + second[a, b]) / 2 for b in labels_b] for a in labels_a]
