"""The definitions of the specification in plain Python: dictionaries of tuples, sparse rows, one cosine a pair.

Written from the definitions, one step after the other; the library must agree with it.
"""

import math
from collections import Counter, defaultdict

import numpy as np


class _Pad:
    def __repr__(self):
        return "PAD"


PAD = _Pad()  # equal to no label

Rows = dict[str, dict]


def windows(trace, n):
    """One window for each event: floor((n-1)/2) symbols left, ceil((n-1)/2) right, PAD outside the case."""
    left = (n - 1) // 2
    right = n - 1 - left
    padded = [PAD] * left + list(trace) + [PAD] * right
    return [tuple(padded[i : i + n]) for i in range(len(trace))]


def window_counts(traces, n):
    counts = Counter()
    for trace in traces:
        counts.update(windows(trace, n))
    return counts


def context_of(window, n, context):
    left = (n - 1) // 2
    symbols = window[:left] + window[left + 1 :]
    if context == "multiset":
        return frozenset(Counter(symbols).items())
    return symbols


def activity_context(traces, n, context) -> Rows:
    """AC(a, c) = number of windows with focal activity a and context c."""
    left = (n - 1) // 2
    rows = defaultdict(Counter)
    for trace in traces:
        for window in windows(trace, n):
            rows[window[left]][context_of(window, n, context)] += 1
    return rows


def activity_position(traces, n) -> Rows:
    """AP(a, (o, x)) = number of windows with focal activity a and symbol x at offset o."""
    left = (n - 1) // 2
    rows = defaultdict(Counter)
    for trace in traces:
        for window in windows(trace, n):
            rows[window[left]].update((i - left, x) for i, x in enumerate(window) if i != left)
    return rows


def positional(traces, weighting, n, shift=1, smoothing=1) -> Rows:
    rows = activity_position(traces, n)
    events = Counter(label for trace in traces for label in trace)
    columns = Counter()
    for row in rows.values():
        columns.update(row)
    if weighting == "raw":
        return rows
    if weighting == "hellinger":
        return {a: {c: math.sqrt(count / events[a]) for c, count in row.items()} for a, row in rows.items()}
    smoothed = {}
    for offset in {o for o, _ in columns}:  # each offset for itself
        smoothed |= smooth({c: count for c, count in columns.items() if c[0] == offset}, smoothing)
    return {"pmi": pmi, "ppmi": ppmi}[weighting](rows, events, smoothed, sum(events.values()), shift)


def activity_activity(ac: Rows) -> Rows:
    """AA(a, b) = sum over the contexts of both of AC(a, c) + AC(b, c)."""
    having = defaultdict(list)
    for a, row in ac.items():
        for c, count in row.items():
            having[c].append((a, count))
    rows = {a: Counter() for a in ac}
    for members in having.values():
        for a, count_a in members:
            row = rows[a]
            for b, count_b in members:
                row[b] += count_a + count_b
    return rows


def smooth(column_counts, alpha):
    """N p(c) with p(c) = n(c)^alpha / sum of n(c')^alpha."""
    if alpha == 1:
        return column_counts
    total, powers = sum(column_counts.values()), sum(n**alpha for n in column_counts.values())
    return {c: total * n**alpha / powers for c, n in column_counts.items()}


def pmi(rows: Rows, row_counts, column_counts, total, shift=1) -> Rows:
    log_k = math.log(shift)
    return {
        a: {c: math.log(n * total / (row_counts[a] * column_counts[c])) - log_k for c, n in row.items()}
        for a, row in rows.items()
    }


def ppmi(rows: Rows, row_counts, column_counts, total, shift=1) -> Rows:
    weights = pmi(rows, row_counts, column_counts, total, shift)
    return {a: {c: max(0.0, w) for c, w in row.items()} for a, row in weights.items()}


def svd(rows: Rows, dimension, exponent) -> Rows:
    """Rows of U_d Sigma_d^p; a millionth of the largest singular value is none, equal ones stay together, below 1e-9 is zero."""
    labels, columns = sorted(rows), {c: j for j, c in enumerate({c for row in rows.values() for c in row})}
    dense = np.zeros((len(labels), max(1, len(columns))))
    for i, a in enumerate(labels):
        for c, w in rows[a].items():
            dense[i, columns[c]] = w
    u, sigma, _ = np.linalg.svd(dense, full_matrices=False)
    last = sigma[min(dimension or len(sigma), len(sigma)) - 1]
    kept = [d for d in range(len(sigma)) if sigma[d] > 1e-6 * sigma[0] and sigma[d] > last * (1 - 1e-6)]
    return {a: {d: u[i, d] * sigma[d] ** exponent for d in kept if abs(u[i, d]) > 1e-9} for i, a in enumerate(labels)}


def vectors(traces, matrix, context, weighting, n, shift=1, smoothing=1) -> Rows:
    ac = activity_context(traces, n, context)
    counts = {a: sum(row.values()) for a, row in ac.items()}
    if matrix == "activity-context":
        rows = ac
        columns = Counter()
        for row in ac.values():
            columns.update(row)
    else:
        rows, columns = activity_activity(ac), counts
    if weighting == "raw":
        return rows
    return {"pmi": pmi, "ppmi": ppmi}[weighting](rows, counts, smooth(columns, smoothing), sum(counts.values()), shift)


def distances(rows: Rows):
    """Cosine distances of all pairs, for the activities in sorted order."""
    labels = sorted(rows)
    norms = {a: math.sqrt(sum(w * w for w in rows[a].values())) for a in labels}
    result = [[0.0] * len(labels) for _ in labels]
    for i, a in enumerate(labels):
        for j in range(i):
            b = labels[j]
            other = rows[b]
            dot = sum(w * other.get(c, 0.0) for c, w in rows[a].items())
            norm = norms[a] * norms[b]
            result[i][j] = result[j][i] = min(2.0, max(0.0, 1.0 - dot / norm)) if norm else 1.0
    return result


def substitution_pairs(ac: Rows):
    """C(a, b): for unlike activities the products of their counts, for one activity the pairs among its own, over contexts."""
    return {
        (a, b): sum(n * (n - 1) / 2 for n in ac[a].values()) if a == b else sum(n * ac[b].get(c, 0) for c, n in ac[a].items())
        for a in ac
        for b in ac
    }


def substitution_from(pairs, labels):
    total = sum(pairs.values())
    if not total:
        return {(a, b): 0.0 for a in labels for b in labels}
    m = {pair: count / total for pair, count in pairs.items()}
    p = {a: sum(m.get((a, b), 0.0) for b in labels) for a in labels}
    scores = {}
    for a in labels:
        for b in labels:
            expected = p[a] ** 2 if a == b else 2 * p[a] * p[b]
            seen = m.get((a, b), 0.0)
            scores[a, b] = 0.0 if expected == 0 else math.log(expected) if seen == 0 else math.log(seen / expected)
    return scores


def substitution(traces, n):
    """Substitution scores as specified, by pair."""
    ac = activity_context(traces, n, "sequence")
    return substitution_from(substitution_pairs(ac), sorted(ac))


def insertion(traces, n):
    """Insertion scores: activity, and the activity to its left."""
    ac = activity_context(traces, n, "sequence")
    labels = sorted(ac)
    left = (n - 1) // 2
    repeats = defaultdict(Counter)
    for a, row in ac.items():
        for c, count in row.items():
            repeats[a][c[left - 1] if left else PAD] += count * (count - 1) / 2
    pairs = substitution_pairs(ac)
    substitutions = {a: sum(pairs[a, b] for b in labels) for a in labels}
    total = sum(substitutions.values())
    scores = {}
    for a in labels:
        all_of_a = sum(repeats[a].values())
        for neighbour in labels:
            seen = repeats[a][neighbour]
            chance = substitutions[a] * substitutions[neighbour] / total**2 if total else 0
            scores[a, neighbour] = math.log(seen / all_of_a / chance) if seen and chance else 0.0
    return scores


def kin(traces, n, rounds, shrinkage):
    """Kin's similarities, a dictionary by pair, with sums instead of matrices."""
    labels, surroundings, weight, alike = _kin_surroundings(traces, n, shrinkage)
    for _ in range(rounds):
        found = _kin_round(labels, surroundings, weight, alike)
        alike.update(found)
    return found


def centred_kin(traces, n, rounds, shrinkage):
    """The similarities of centred kin, a dictionary by pair, with sums instead of matrices."""
    labels, surroundings, weight, alike = _kin_surroundings(traces, n, shrinkage)

    def around(pairs):
        mean = {a: sum(pairs[a, b] for b in labels) / len(labels) for a in labels}
        mean_of_all = sum(mean.values()) / len(labels)
        return {(a, b): pairs[a, b] - mean[a] - mean[b] + mean_of_all for a in labels for b in labels}

    def soft(pairs):
        constant = (1 + 20 / len(labels)) * sum(pairs[a, a] for a in labels) / len(labels) + 1e-6
        return {
            (a, b): (pairs[a, b] + constant) / math.sqrt((pairs[a, a] + constant) * (pairs[b, b] + constant))
            for a in labels
            for b in labels
        }

    for number in range(1, rounds + 1):
        found = soft(around(_kin_round(labels, surroundings, weight, alike)))
        alike.update(found)
        if number == rounds - 1:
            r = around(found)
            squared = soft({(a, b): sum(r[a, c] * r[c, b] for c in labels) for a in labels for b in labels})
            alike.update({pair: (found[pair] + squared[pair]) / 2 for pair in found})
    return found


def _kin_surroundings(traces, n, shrinkage):
    """The labels, H by offset and label, the weight of each offset, and K before the first round."""
    left = (n - 1) // 2
    offsets = [o for o in range(-left, n - left) if o]
    at = {o: defaultdict(Counter) for o in offsets}
    for trace in traces:
        for window in windows(trace, n):
            for o in offsets:
                at[o][window[left]][window[left + o]] += 1
    events = Counter(label for trace in traces for label in trace)
    labels, total = sorted(events), sum(events.values())
    symbols = [*labels, PAD]
    usual = {o: {x: sum(at[o][a][x] for a in labels) / total for x in symbols} for o in offsets}
    h = {
        (o, a): {x: math.sqrt((at[o][a][x] + shrinkage * usual[o][x]) / (events[a] + shrinkage)) for x in symbols}
        for o in offsets
        for a in labels
    }
    weight = {o: 1 / abs(o) / sum(1 / abs(other) for other in offsets) for o in offsets}
    return labels, h, weight, {(x, y): float(x == y) for x in symbols for y in symbols}


def _kin_round(labels, h, weight, alike):
    """S of one round, a dictionary by pair."""
    symbols = [*labels, PAD]
    found = defaultdict(float)
    for o in weight:
        hk = {a: {y: sum(h[o, a][x] * alike[x, y] for x in symbols) for y in symbols} for a in labels}
        g = {(a, b): sum(hk[a][y] * h[o, b][y] for y in symbols) for a in labels for b in labels}
        for a in labels:
            for b in labels:
                found[a, b] += weight[o] * g[a, b] / math.sqrt(g[a, a] * g[b, b])
    return found
