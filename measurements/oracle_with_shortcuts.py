"""The definitions in careful plain Python, with shortcuts: equal windows are counted first, and only then made into contexts.

measurements/core.py compares with it beside tests/oracle.py, which has no shortcuts, and whose windows and contexts it takes. It is what a good programmer would write
without arrays, so it is the harder of the two to beat.
"""

import math
from collections import Counter, defaultdict

from tests.oracle import Rows, activity_activity, context_of, window_counts


def activity_context(traces, n, context) -> Rows:
    left = (n - 1) // 2
    rows = defaultdict(Counter)
    for window, count in window_counts(traces, n).items():
        rows[window[left]][context_of(window, n, context)] += count
    return rows


def pmi(rows: Rows, row_counts, column_counts, total) -> Rows:
    return {a: {c: math.log(n * total / (row_counts[a] * column_counts[c])) for c, n in row.items()} for a, row in rows.items()}


def ppmi(rows: Rows, row_counts, column_counts, total) -> Rows:
    weights = pmi(rows, row_counts, column_counts, total)
    return {a: {c: max(0.0, w) for c, w in row.items()} for a, row in weights.items()}


def vectors(traces, matrix, context, weighting, n) -> Rows:
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
    return {"pmi": pmi, "ppmi": ppmi}[weighting](rows, counts, columns, sum(counts.values()))


def distances(rows: Rows):
    """Cosine distances of all pairs, for the activities in sorted order."""
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
