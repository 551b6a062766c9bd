"""The baselines of the benchmark of labels by their definitions: dictionaries and loops."""

from itertools import combinations, pairwise
from statistics import fmean


def follows(traces):
    counts = {}
    for trace in traces:
        for pair in pairwise(trace):
            counts[pair] = counts.get(pair, 0) + 1
    return counts


def praeclarus(traces, labels):
    """Control flow: the share of labels to which both have the same relation."""
    df = follows(traces)

    def relation(a, x):
        return {(True, True): "parallel", (True, False): "before", (False, True): "after"}.get(((a, x) in df, (x, a) in df))

    def similarity(a, b):
        pairs = [(relation(a, x), relation(b, x)) for x in labels]
        some = [pair for pair in pairs if pair != (None, None)]
        return sum(first == second for first, second in some) / len(some) if some else 0.0

    return [[similarity(a, b) for b in labels] for a in labels]


def swiftmend(traces, labels):
    df = follows(traces)

    def relation(x, y):
        there, back = df.get((x, y), 0), df.get((y, x), 0)
        dependency = (there - back) / (there + back + 1)
        if abs(dependency) >= 0.8:
            return "before" if dependency > 0 else "after"
        return "parallel" if min(there, back) and max(there, back) / min(there, back) <= 2 else None

    def similarity(a, b):
        of_a, of_b = ([relation(label, x) for x in labels] for label in (a, b))
        larger = max(sum(r is not None for r in of_a), sum(r is not None for r in of_b))
        return sum(r == q and r is not None for r, q in zip(of_a, of_b, strict=True)) / larger if larger else 0.0

    return [[similarity(a, b) for b in labels] for a in labels]


def zhu(traces, labels, decay=0.8, small=0.001):
    n = len(traces)
    alone = {v: sum(v in trace for trace in traces) / n for v in labels}
    share = {}
    for trace in traces:
        for pair in set(pairwise(trace)):
            share[pair] = share.get(pair, 0) + 1 / n

    def rounds(before):
        """``before[v]``: the neighbours of v with their shares; None is the artificial event."""
        s = {(a, b): 0.0 for a in labels for b in labels}
        while True:
            look = s | {(None, None): 1.0} | {pair: 0.0 for v in labels for pair in ((None, v), (v, None))}

            def one_way(v1, v2):
                best = []
                for u1, f1 in before[v1].items():
                    best.append(
                        max(decay * (1 - abs(f1 - f2) / (f1 + f2)) * look[u1, u2] for u2, f2 in before[v2].items())  # noqa: B023
                    )
                return fmean(best)

            new = {(a, b): (one_way(a, b) + one_way(b, a)) / 2 for a, b in s}
            moved = max(abs(new[pair] - s[pair]) for pair in s)
            s = new
            if moved < small:
                return s

    predecessors = {v: {x: f for (x, y), f in share.items() if y == v} | {None: alone[v]} for v in labels}
    successors = {v: {y: f for (x, y), f in share.items() if x == v} | {None: alone[v]} for v in labels}
    first, second = rounds(predecessors), rounds(successors)
    return [[(first[a, b] + second[a, b]) / 2 for b in labels] for a in labels]


def levenshtein(a, b):
    if not a or not b:
        return len(a) + len(b)
    return min(levenshtein(a[1:], b) + 1, levenshtein(a, b[1:]) + 1, levenshtein(a[1:], b[1:]) + (a[0] != b[0]))


def jaro_winkler(a, b):
    if not a and not b:
        return 1.0
    reach = max(max(len(a), len(b)) // 2 - 1, 0)
    free = list(range(len(b)))
    pairs = []
    for i, letter in enumerate(a):
        near = [j for j in free if abs(i - j) <= reach and b[j] == letter]
        if near:
            free.remove(near[0])
            pairs.append((i, near[0]))
    m = len(pairs)
    if not m:
        return 0.0
    transposed = sum(a[i] != b[j] for (i, _), j in zip(pairs, sorted(j for _, j in pairs), strict=True)) / 2
    jaro = (m / len(a) + m / len(b) + (m - transposed) / m) / 3
    common = 0
    while common < min(4, len(a), len(b)) and a[common] == b[common]:
        common += 1
    return jaro + common * 0.1 * (1 - jaro)


def half_distance(first, second):
    """1 minus this is the similarity of two distributions, given as lists of values."""
    return sum(abs(first.count(v) / len(first) - second.count(v) / len(second)) for v in {*first, *second}) / 2


def contrast(distances, names, attraction, rare, boldness):
    """The rule of version 0.1, from a tree of complete linkage; distances are distinct. ``names``: most frequent first."""
    n = len(names)
    groups, nodes = [frozenset([i]) for i in range(n)], []
    while len(groups) > 2:  # the last merge holds everything
        a, b = min(combinations(groups, 2), key=lambda pair: max(distances[i][j] for i in pair[0] for j in pair[1]))
        groups = [group for group in groups if group not in (a, b)] + [a | b]
        nodes.append(a | b)
    needed = []
    for node in nodes:
        height = max(distances[i][j] for i, j in combinations(node, 2))
        outside = min([1.0, *(distances[i][j] for i in node for j in range(n) if j not in node)])
        if height < outside:
            doubt = any(rare[i] for i in node) or max(attraction[i][j] for i, j in combinations(node, 2)) > 1.3
            needed.append(((1 + height / outside) / 2 if doubt else height / outside, -len(node), sorted(node)))
    taken, proposed = set(), []
    for bold, _, node in sorted(needed):
        if not taken & set(node):
            taken |= set(node)
            if bold <= boldness:
                proposed.append(tuple(names[i] for i in node))
    return proposed
