"""Measure what speaks for and against two labels being one step: each piece of evidence is a figure for every pair of labels.

All figures come from the windows of the log and from the cases. None of them compares how frequent two labels are: names of one
step may be used equally often or not, and what makes a test easy must not be learnt as evidence. With d the distance of two
labels and m the number of cases of the rarer one:

- ``overlap``: the share of neighbours in common: the smaller of Σ_x min(p_a(x), p_b(x)) over the activities directly before and
  over those directly after, where p_a(x) is the share of a's events with the neighbour x. The ends of a case count as neighbours.
- ``nearness``: ln((d + 0.0001) / (q + 0.0001)), by kin-w5. q is the smaller first quartile of both labels' distances to all others.
- ``nearer``: ln(1 + k), by kin-w5. k others are clearly nearer (d' < d / 1.5) to one of the two; the larger number counts.
- ``contexts``: the cosine of the contexts of four neighbours (ac-sequence-raw-w5).
- ``context_rank``: ln(1 + r), by ac-sequence-raw-w3. r is the larger of both ranks among each other's neighbours, ties averaged.
- ``contrast``: ln((d + 0.000001) / (o + 0.000001)), by positional-hellinger-w3. o is the smaller distance to a nearest label.
- ``shared_cases``: ln((s + 0.5) / (m + 1)), where s cases have both.
- ``excess``: the same with s (1 - 1 / attraction), but not less than 0: shared cases that repetition does not explain, see
  :class:`actalike.log.CoOccurrence`.
- ``cases``: ln(m).

:mod:`actalike.labels.evidence_weights` says how much each figure counts.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from actalike.counting import WindowCounts, count_windows
from actalike.log import CoOccurrence, EventLog
from actalike.methods import embed
from actalike.support.memory_estimates import require_memory

Floats = NDArray[np.float64]

WINDOW = 5  # of the largest window that a piece of evidence needs
KIN, EXACT_CONTEXTS, LONG_CONTEXTS, NEIGHBOURS = "kin-w5", "ac-sequence-raw-w3", "ac-sequence-raw-w5", "positional-hellinger-w3"
CLEARLY = 1.5  # another label is clearly nearer if its distance is so many times smaller
_ARRAYS = 16  # of all pairs, that are in memory at the same time


class PairEvidence(NamedTuple):
    """Hold the figures of all pairs, each as a symmetric array in the order of ``log.activities``. The diagonals mean nothing."""

    overlap: Floats
    nearness: Floats
    nearer: Floats
    contexts: Floats
    context_rank: Floats
    contrast: Floats
    shared_cases: Floats
    excess: Floats
    cases: Floats


def pair_evidence(log: EventLog, counts: WindowCounts | None = None) -> PairEvidence:
    """Measure the evidence for all pairs of labels. ``counts`` are the log's windows of 5 symbols or more, if already counted.

    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> evidence = pair_evidence(log)
    >>> float(evidence.overlap[0, 1]), float(evidence.overlap[0, 2]), float(evidence.nearer[0, 1])
    (1.0, 0.0, 0.0)
    """
    n = len(log.activities)
    require_memory(
        8 * _ARRAYS * n * n,
        f"Comparing {n:,} activities in pairs",
        "merge rare activities first (actalike relabel), or look at the most similar pairs of a count method (actalike similar "
        "--method ac-sequence-pmi-w5)",
    )
    counts = count_windows(log, WINDOW) if counts is None else counts.marginal(WINDOW)
    by_kin = _distances(counts, KIN)
    cases, shared, excess = _shares_of_cases(log)
    evidence = PairEvidence(
        overlap=overlaps(counts),
        nearness=_nearness(by_kin),
        nearer=_clearly_nearer(by_kin),
        contexts=1 - _distances(counts, LONG_CONTEXTS),
        context_rank=_larger_rank(_distances(counts, EXACT_CONTEXTS)),
        contrast=_contrast(_distances(counts, NEIGHBOURS)),
        shared_cases=shared,
        excess=excess,
        cases=cases,
    )
    for figures in evidence:
        np.fill_diagonal(figures, 0)
    return evidence


def _distances(counts: WindowCounts, method: str) -> Floats:
    """Return the distances of all pairs, rounded so that the order of the labels in the log changes nothing."""
    return embed(counts, method).distances().round(12)


def overlaps(counts: WindowCounts) -> Floats:
    """Return the share of neighbours in common of every two activities: before and after, the smaller of the two."""
    table = counts.marginal(3)
    before, after = (_overlap(table, side) for side in (0, 2))
    return np.minimum(before, after)


def _overlap(table: WindowCounts, side: int) -> Floats:
    """Return Σ_x min(p_a(x), p_b(x)) of the neighbours on one side, given by its column in the windows."""
    n = len(table.activities)
    neighbour = table.windows[:, side].astype(np.int64) % (n + 1)  # PAD becomes n
    shares = csc_array((table.counts / table.activity_counts[table.focal], (table.focal, neighbour)), shape=(n, n + 1))
    shares.sum_duplicates()
    common = np.zeros((n, n))
    for start, end in zip(shares.indptr[:-1].tolist(), shares.indptr[1:].tolist(), strict=True):
        activities, values = shares.indices[start:end], shares.data[start:end]
        common[np.ix_(activities, activities)] += np.minimum.outer(values, values)
    return np.minimum(common, 1)


def _without_diagonal(distances: Floats) -> Floats:
    """Return a copy in which nothing is near itself."""
    distances = distances.copy()
    np.fill_diagonal(distances, np.inf)
    return distances


def _nearness(distances: Floats) -> Floats:
    n = len(distances)
    others = np.sort(_without_diagonal(distances), axis=1)[:, : max(1, n - 1)]
    quartile = others[:, (others.shape[1] - 1) // 4] if n > 1 else np.ones(1)
    return np.log((distances + 1e-4) / (np.minimum.outer(quartile, quartile) + 1e-4))


def _clearly_nearer(distances: Floats) -> Floats:
    ordered = np.sort(_without_diagonal(distances), axis=1)
    nearer = np.empty_like(distances)
    for row in range(len(distances)):
        nearer[row] = np.searchsorted(ordered[row], distances[row] / CLEARLY)
    return np.log1p(np.maximum(nearer, nearer.T))


def _larger_rank(distances: Floats) -> Floats:
    others = _without_diagonal(distances)
    ordered = np.sort(others, axis=1)
    ranks = np.empty_like(distances)
    for row in range(len(distances)):
        nearer, not_farther = (np.searchsorted(ordered[row], others[row], side) for side in ("left", "right"))
        ranks[row] = (nearer + not_farther + 1) / 2
    return np.log1p(np.maximum(ranks, ranks.T))


def _contrast(distances: Floats) -> Floats:
    nearest = _without_diagonal(distances).min(axis=1)
    return np.log((distances + 1e-6) / (np.minimum.outer(nearest, nearest) + 1e-6))


def _shares_of_cases(log: EventLog) -> tuple[Floats, Floats, Floats]:
    """Return ``cases``, ``shared_cases`` and ``excess``."""
    co_occurrence = CoOccurrence(log)
    rarer = np.minimum.outer(log.activity_cases, log.activity_cases).astype(np.float64)
    shared = co_occurrence.shared_cases().astype(np.float64)
    unexplained = shared * np.maximum(0, 1 - 1 / co_occurrence.attraction())
    return np.log(rarer), np.log((shared + 0.5) / (rarer + 1)), np.log((unexplained + 0.5) / (rarer + 1))
