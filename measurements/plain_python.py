"""The count methods in careful plain Python: what a good programmer would write without arrays. core.py compares with it.

Equal windows are counted first, and only then made into contexts; only what occurs is stored, and each pair is compared once.
"""

import math
from collections import Counter, defaultdict

PAD = object()  # equal to no label


def activity_context(traces, n, context):
    """How often each activity occurs in each context."""
    left = (n - 1) // 2
    windows = Counter()
    for trace in traces:
        padded = [PAD] * left + trace + [PAD] * (n - 1 - left)
        windows.update(tuple(padded[i : i + n]) for i in range(len(trace)))
    rows = defaultdict(Counter)
    for window, count in windows.items():
        symbols = window[:left] + window[left + 1 :]
        rows[window[left]][frozenset(Counter(symbols).items()) if context == "multiset" else symbols] += count
    return rows


def activity_activity(rows):
    """For each two activities the sum of their counts, over the contexts of both."""
    having = defaultdict(list)
    for a, row in rows.items():
        for c, count in row.items():
            having[c].append((a, count))
    sums = {a: Counter() for a in rows}
    for members in having.values():
        for a, count_a in members:
            for b, count_b in members:
                sums[a][b] += count_a + count_b
    return sums


def vectors(traces, matrix, context, weighting, n):
    """The vectors of a method as rows of weights, by activity."""
    rows = activity_context(traces, n, context)
    counts = {a: sum(row.values()) for a, row in rows.items()}
    if matrix == "activity-context":
        columns = Counter()
        for row in rows.values():
            columns.update(row)
    else:
        rows, columns = activity_activity(rows), counts
    if weighting == "raw":
        return rows
    total, least = sum(counts.values()), 0.0 if weighting == "ppmi" else -math.inf
    return {
        a: {c: max(least, math.log(count * total / (counts[a] * columns[c]))) for c, count in row.items()}
        for a, row in rows.items()
    }


def distances(rows):
    """The cosine distances of all pairs, for the activities in sorted order."""
    labels = sorted(rows)
    norms = {a: math.sqrt(sum(w * w for w in rows[a].values())) for a in labels}
    result = [[0.0] * len(labels) for _ in labels]
    for i, a in enumerate(labels):
        for j in range(i):
            b = labels[j]
            small, large = (rows[a], rows[b]) if len(rows[a]) < len(rows[b]) else (rows[b], rows[a])
            dot = sum(w * large[c] for c, w in small.items() if c in large)
            norm = norms[a] * norms[b]
            result[i][j] = result[j][i] = min(2.0, max(0.0, 1.0 - dot / norm)) if norm else 1.0
    return result
