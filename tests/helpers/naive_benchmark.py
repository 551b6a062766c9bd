"""The intrinsic benchmark by its definitions: loops, and every order of ties."""

from itertools import permutations
from statistics import fmean


def round_robin(traces, chosen, w):
    """Ground truth as the authors make it: pools per activity, popped in ascending order, refilled when empty."""
    pools = {a: [] for a in chosen}
    result = []
    for trace in traces:
        taken = {}
        for label in trace:
            if label in pools and label not in taken:
                pools[label] = pools[label] or list(range(w))
                taken[label] = pools[label].pop(0)
        result.append([f"{label}:{taken[label]}" if label in taken else label for label in trace])
    return result


def orders_of(distances, i):
    """All orders of the other activities by distance from i: those at the same distance in any order."""
    others = [j for j in range(len(distances)) if j != i]
    by_distance = {}
    for j in others:
        by_distance.setdefault(distances[i][j], []).append(j)
    orders = [[]]
    for d in sorted(by_distance):
        orders = [order + list(tied) for order in orders for tied in permutations(by_distance[d])]
    return orders


def scores(distances, classes, averaging, w):
    n = len(distances)
    values = [distances[i][j] for i in range(n) for j in range(n)]
    low, high = min(values), max(values)
    members = {}
    for i, c in enumerate(classes):
        if c >= 0:
            members.setdefault(c, []).append(i)

    def hits(i, k):
        mates = set(members[classes[i]]) - {i}
        k = min(k, n - 1)
        return fmean(sum(j in mates for j in order[:k]) / k for order in orders_of(distances, i)) if k else 0.0

    comp, nn, prec, tri, micro_nn, micro_prec = [], [], [], [], [], []
    for of_class in members.values():
        pairs = [(i, j) for i in of_class for j in of_class if i != j]
        outside = [k for k in range(n) if k not in of_class]
        k = len(of_class) - 1 if averaging == "paper" else w - 1
        micro_nn += [hits(i, 1) if n > 1 else 0.0 for i in of_class]
        micro_prec += [hits(i, k) for i in of_class]
        if not pairs:
            if averaging == "authors":
                comp.append(1.0)
                tri.append(0.0)
            continue
        spread = [(distances[i][j] - low) / (high - low) if high > low else 1.0 for i, j in pairs]
        comp.append(1 - fmean(spread))
        nn.append(fmean(hits(i, 1) for i in of_class))
        prec.append(fmean(hits(i, k) for i in of_class))
        if outside:
            tri.append(fmean(fmean(distances[i][j] < distances[i][k] for k in outside) for i, j in pairs))
        else:
            tri.append(0.0 if averaging == "authors" else float("nan"))
    nothing = float("nan")
    if averaging == "paper":
        return [fmean(values) if values else nothing for values in (comp, nn, prec, tri)]
    return [fmean(comp), fmean(micro_nn), fmean(micro_prec), fmean(tri)]
