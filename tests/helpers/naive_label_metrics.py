"""The metrics of the benchmark of labels by their definitions: loops, sets, and every order of ties."""

from itertools import combinations, permutations
from statistics import fmean


def orders(scores):
    """All orders of some items by score, highest first: those with the same score in any order."""
    by_score = {}
    for item, score in scores.items():
        by_score.setdefault(score, []).append(item)
    result = [[]]
    for score in sorted(by_score, reverse=True):
        result = [order + list(tied) for order in result for tied in permutations(by_score[score])]
    return result


def nearest(scores, partners, query, candidates):
    """hit@1 and reciprocal rank of one label, the mean over all orders."""
    hits, reciprocals = [], []
    for order in orders({j: scores[query][j] for j in candidates}):
        hits.append(order[0] in partners[query])
        reciprocals.append(next(1 / (place + 1) for place, j in enumerate(order) if j in partners[query]))
    return fmean(hits), fmean(reciprocals)


def ranking(scores, groups):
    n = len(scores)
    partners = {i: {j for group in groups if i in group for j in group if j != i} for i in range(n)}
    planted = [i for i in range(n) if partners[i]]
    found = [nearest(scores, partners, i, [j for j in range(n) if j != i]) for i in planted]
    pairs = {(i, j): scores[i][j] for i, j in combinations(range(n), 2) if partners[i] or partners[j]}
    precisions = []
    for order in orders(pairs):
        relevant = [j in partners[i] for i, j in order]
        precisions.append(fmean(fmean(relevant[: place + 1]) for place, is_hit in enumerate(relevant) if is_hit))
    return fmean(hit for hit, _ in found), fmean(reciprocal for _, reciprocal in found), fmean(precisions)


def components(groups):
    joined = []
    for group in map(set, groups):
        touching = [one for one in joined if one & group]
        joined = [one for one in joined if not one & group] + [group.union(*touching)]
    return [one for one in joined if len(one) > 1]


def share(part, whole):
    return part / whole if whole else 0.0


def groups(proposed, truth, counts):
    """Precision, recall, F, precision over pairs with a planted name, whole, exact, restored, other groups, other labels."""
    detected = {frozenset(pair) for group in proposed for pair in combinations(set(group), 2)}
    true = {frozenset(pair) for group in truth for pair in combinations(set(group), 2)}
    planted = {label for group in truth for label in group}
    sure = {pair for pair in detected if pair & planted}
    p, r = share(len(detected & true), len(detected)), share(len(detected & true), len(true))
    joined = components(proposed)
    others = [group for group in joined if not group & planted]
    lesser, restored = 0, 0
    for group in truth:
        largest = sorted(group, key=lambda label: (-counts[label], label))[0]
        for label in group:
            if label == largest:
                continue
            lesser += counts[label]
            home = [one for one in joined if label in one]
            if home and sorted(home[0], key=lambda other: (-counts[other], other))[0] == largest:
                restored += counts[label]
    return (
        p,
        r,
        share(2 * p * r, p + r),
        share(len(detected & true), len(sure)),
        share(sum(any(set(group) <= one for one in joined) for group in truth), len(truth)),
        share(sum(any(set(group) == one for one in joined) for group in truth), len(truth)),
        share(restored, lesser),
        len(others),
        share(sum(map(len, others)), len(counts)),
    )


def calibration_error(pairs, bins):
    """ECE of (probability, is one step): sorted, cut into bins of equal count, ties with the first of them."""
    pairs = sorted(pairs)
    parts = {}
    for _place, (p, y) in enumerate(pairs):
        first = next(i for i, (q, _) in enumerate(pairs) if q == p)
        parts.setdefault(first * bins // len(pairs), []).append((p, y))
    means = [(len(part), fmean(p for p, _ in part), fmean(y for _, y in part)) for part in parts.values()]
    return sum(n * abs(p - y) for n, p, y in means) / len(pairs)
