"""Measure what speaks for and against two labels being one step: each piece of evidence is a figure for every pair of labels.

All figures come from the windows of the log and from the cases. None of them compares how frequent two labels are: names of one
step may be used equally often or not, and what makes a test easy must not be learnt as evidence. Let d be the distance of two
labels by a method, and m the number of cases of the rarer one.

Neighbours and contexts, more alike is better:

- ``overlap``: the share of neighbours in common: the smaller of Σ_x min(p_a(x), p_b(x)) over the activities directly before and
  over those directly after, where p_a(x) is the share of a's events with the neighbour x. The ends of a case count as neighbours.
  It is shown, and has no points of its own.
- ``rare_overlap``: the same with rare neighbours counting more, Σ_x w(x) min(p_a(x), p_b(x)) / Σ_x w(x) max(p_a(x), p_b(x)). With
  w(x) = -ln of the mean of p_c(x) over all labels c: how surprising it is that a label of this log has this neighbour.
- ``overlap_rank``, ``context_rank``: ln(1 + r), where r is the larger of both ranks among each other's competitors, ties
  averaged: by the overlap, by ac-sequence-raw-w5.
- ``nearness``: ln((d + 0.0001) / (q + 0.0001)), by kin-w5. q is the smaller first quartile of both labels' distances to
  others: with n labels, the one that (n - 2) // 4 distances precede.
- ``position``: the share of positions in common, Σ min of the shares of both labels' events in each tenth of their cases.

Cases, less is better:

- ``shared_cases``: ln((s + 0.5) / (m + 1)), where s cases have both.
- ``attraction``: the logarithm of the attraction (:class:`actalike.log.CoOccurrence`): below 0 if cases keep to one label,
  about 0 if labels change from event to event, above 0 for steps that belong together.
- ``excess``: ln((s max(0, 1 - 1 / attraction) + 0.5) / (m + 1)): shared cases that repetition does not explain.
- ``cases``: ln(m).

Competitors of a label are the labels that could be other names of it: those that share fewer than (m + 1) / 10 cases with it,
apart from what repetition explains. Steps of one routine are near, but no competitors.

Weights say how much each figure counts (:mod:`actalike.support.weights`). More overlap never lowers the log-odds, and more shared
cases never raise them. ``evidence_weights.json`` holds the points and says how they were fitted.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from actalike.counting import WindowCounts, count_windows
from actalike.log import AnyLog, CoOccurrence
from actalike.methods import embed
from actalike.support.arrays import sum_groups
from actalike.support.memory import require_memory
from actalike.support.weights import Weights, read_weights, shipped_content, weights_about

Floats = NDArray[np.float64]
Rows = slice | NDArray[np.int64]  # all labels, or some of them

WINDOW = 5  # of the largest window that a piece of evidence needs
KIN, CONTEXTS = "kin-w5", "ac-sequence-raw-w5"
COMPETES = 0.1  # the share of the rarer label's cases (and one more) below which another label competes
PARTS = 10  # of a case, for positions
_LEAST_SHARE = 1e-9  # of a neighbour that no label has
_ARRAYS = 20  # of all pairs, that are in memory at the same time
_ARRAYS_OF_SOME = 5  # the same, if only some labels are compared with all
_ROWS_AT_ONCE = 512
_FILE = "evidence_weights.json"


class PairEvidence(NamedTuple):
    """Hold the figures of all pairs, each as a symmetric array in the order of ``log.activities``. The diagonals mean nothing."""

    overlap: Floats
    rare_overlap: Floats
    overlap_rank: Floats
    context_rank: Floats
    nearness: Floats
    position: Floats
    shared_cases: Floats
    attraction: Floats
    excess: Floats
    cases: Floats


def require_pairs(n: int, of_some: bool = False) -> None:
    """Raise an error if there is not enough memory to compare n labels in pairs, or some of them with all."""
    require_memory(
        8 * (_ARRAYS_OF_SOME if of_some else _ARRAYS) * n * n,
        f"Comparing {'a label with ' if of_some else ''}{n:,} activities{'' if of_some else ' in pairs'}",
        "merge rare activities first (actalike relabel), or look at the most similar pairs of a count method (actalike similar "
        "--method ac-sequence-pmi-w5)",
    )


def pair_evidence(log: AnyLog, counts: WindowCounts | None = None, of: Sequence[int] | None = None) -> PairEvidence:
    """Measure the evidence for all pairs of labels. ``counts`` are the log's windows of 5 symbols or more, if already counted.

    ``of`` are the positions of some labels, if only these are compared with all others. Then the arrays have a row for each of
    them. What they are ranked among is still all pairs, but of one figure at a time.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> evidence = pair_evidence(log)
    >>> float(evidence.overlap[0, 1]), float(evidence.overlap[0, 2])
    (1.0, 0.0)
    """
    n = len(log.activities)
    require_pairs(n, of is not None)
    counts = count_windows(log, WINDOW) if counts is None else counts.marginal(WINDOW)
    everyone = np.arange(n)
    rows: Rows = slice(None) if of is None else np.array(of, dtype=np.int64)
    in_cases = _InCases.of(log, everyone[rows])
    if of is None:
        competes = in_cases.competes
    else:
        blocks = np.array_split(everyone, range(_ROWS_AT_ONCE, n, _ROWS_AT_ONCE))
        competes = np.concatenate([_InCases.of(log, block).competes for block in blocks])
    np.fill_diagonal(competes, False)
    overlap, rare_overlap = _overlaps(counts)
    overlap_rank = _larger_rank((1 - overlap).round(12), competes, rows)
    overlap, rare_overlap = overlap[rows], rare_overlap[rows]
    evidence = PairEvidence(
        overlap=overlap,
        rare_overlap=rare_overlap,
        overlap_rank=overlap_rank,
        context_rank=_larger_rank(_distances(counts, CONTEXTS), competes, rows),
        nearness=_nearness(_distances(counts, KIN), rows),
        position=_positions_in_common(log, rows),
        shared_cases=np.log((in_cases.shared + 0.5) / (in_cases.rarer + 1)),
        attraction=np.log(in_cases.attraction),
        excess=np.log((in_cases.unexplained + 0.5) / (in_cases.rarer + 1)),
        cases=np.log(in_cases.rarer),
    )
    for figures in evidence:
        figures[np.arange(len(figures)), everyone[rows]] = 0
    return evidence


class _InCases(NamedTuple):
    """Hold how some labels come together with all labels in cases."""

    rarer: Floats
    shared: Floats
    attraction: Floats
    unexplained: Floats

    @classmethod
    def of(cls, log: AnyLog, rows: NDArray[np.int64]) -> Self:
        rarer = np.minimum.outer(log.activity_cases[rows], log.activity_cases).astype(np.float64)
        co_occurrence, everyone = CoOccurrence(log), np.arange(len(log.activities))
        shared = co_occurrence.shared_between(rows, everyone).astype(np.float64)
        attraction = co_occurrence.attraction_between(rows, everyone)
        return cls(rarer, shared, attraction, shared * np.maximum(0, 1 - 1 / attraction))

    @property
    def competes(self) -> NDArray[np.bool_]:
        return self.unexplained < COMPETES * (self.rarer + 1)


def overlaps(counts: WindowCounts) -> Floats:
    """Return the share of neighbours in common of every two activities: before and after, the smaller of the two."""
    return _overlaps(counts)[0]


def _overlaps(counts: WindowCounts) -> tuple[Floats, Floats]:
    """Return the share of neighbours in common, and the same with rare neighbours counting more; the smaller of both sides."""
    table = counts.marginal(3)
    (before, rare_before), (after, rare_after) = (_in_common(table, side) for side in (0, 2))
    return np.minimum(before, after), np.minimum(rare_before, rare_after)


def neighbour_surprises(counts: WindowCounts) -> tuple[dict[int, float], dict[int, float]]:
    """Return how surprising each neighbour is, before and after, least surprising first, by its position in ``activities``.

    The position of the start and the end of a case is one beyond the last.
    """
    table = counts.marginal(3)
    before, after = (_neighbour_shares(table, side) for side in (0, 2))
    return _by_surprise(before), _by_surprise(after)


def _by_surprise(shares: csc_array) -> dict[int, float]:
    surprise = _surprise(shares)
    occur = np.flatnonzero(np.diff(shares.indptr))
    return {i: float(surprise[i]) + 0.0 for i in occur[np.argsort(surprise[occur], kind="stable")].tolist()}


class StepWeights(NamedTuple):
    """Hold the weights that come with the package (:mod:`actalike.support.weights`).

    - ``interchangeable``: the points of the figures of :class:`PairEvidence` but the overlap, by their names.
    - ``too_rare``: its base is the log-odds of any pair; the rarer one of the two is, the more it counts.
    - ``same_step``: the points of the log-odds of being interchangeable, and of all other evidence.
    """

    interchangeable: Weights
    too_rare: Weights
    same_step: Weights


BEHAVIOUR = tuple(name for name in PairEvidence._fields if name != "overlap")
FURTHER = ("interchangeable", "text", "names", "opposites", "pattern", "words", "scheme", "tokens", "periods", "people")


@cache
def shipped_weights() -> StepWeights:
    """Read the weights that come with the package."""
    names = {"interchangeable": BEHAVIOUR, "too rare": (), "same step": FURTHER}
    stored = read_weights(shipped_content(__package__, _FILE), names)
    return StepWeights(*(stored[name] for name in names))


def shipped_weights_about() -> dict[str, Any]:
    """Return what the weights that come with the package were fitted on, and how."""
    return weights_about(shipped_content(__package__, _FILE))


def _distances(counts: WindowCounts, method: str) -> Floats:
    """Return the distances of all pairs, rounded so that the order of the labels in the log changes nothing."""
    return embed(counts, method).distances().round(12)


def _in_common(table: WindowCounts, side: int) -> tuple[Floats, Floats]:
    """Return the overlap, and the one that weighs rare neighbours more, on one side, given by its column in the windows."""
    n, shares = len(table.activities), _neighbour_shares(table, side)
    surprise = _surprise(shares)
    common, weighed = np.zeros((n, n)), np.zeros((n, n))
    for x, (start, end) in enumerate(pairwise(shares.indptr.tolist())):
        activities, values = shares.indices[start:end], shares.data[start:end]
        cells, smaller = np.ix_(activities, activities), np.minimum.outer(values, values)
        common[cells] += smaller
        weighed[cells] += surprise[x] * smaller
    own = shares @ surprise
    either = np.add.outer(own, own) - weighed
    return np.minimum(common, 1), np.clip(weighed / np.where(either > _LEAST_SHARE, either, 1.0), 0, 1)


def _neighbour_shares(table: WindowCounts, side: int) -> csc_array:
    """Return in which share of each label's events (row) each label, or the end of a case, is beside it on one side (column)."""
    n = len(table.activities)
    neighbour = table.windows[:, side].astype(np.int64) % (n + 1)  # PAD becomes n
    shares = csc_array((table.counts / table.activity_counts[table.focal], (table.focal, neighbour)), shape=(n, n + 1))
    shares.sum_duplicates()
    return shares


def _surprise(shares: csc_array) -> Floats:
    """Return -ln of the mean share of each neighbour."""
    mean: Floats = shares.sum(axis=0) / shares.shape[0]
    return -np.log(np.maximum(mean, _LEAST_SHARE))


def _nearness(distances: Floats, rows: Rows) -> Floats:
    n = len(distances)
    to_others = distances.copy()
    np.fill_diagonal(to_others, np.inf)
    quartile = np.sort(to_others, axis=1)[:, (n - 2) // 4] if n > 1 else np.ones(1)
    return np.log((distances[rows] + 1e-4) / (np.minimum.outer(quartile[rows], quartile) + 1e-4))


def _larger_rank(distances: Floats, competes: NDArray[np.bool_], rows: Rows) -> Floats:
    def ranks(row: int, columns: Rows) -> Floats:
        ordered, competitors = np.sort(distances[row, competes[row]]), competes[row, columns]
        nearer, not_farther = (np.searchsorted(ordered, distances[row, columns], side) for side in ("left", "right"))
        equal = not_farther - nearer - competitors  # other competitors at the same distance
        return 1 + nearer + equal / 2

    return np.log1p(_larger(ranks, len(distances), rows))


def _larger(figure: Callable[[int, Rows], Floats], n: int, rows: Rows) -> Floats:
    """Return a figure of some labels and all, the larger of both ways; ``figure`` returns that of one label to some."""
    to_these = np.empty((n, n if isinstance(rows, slice) else len(rows)))
    for row in range(n):
        to_these[row] = figure(row, rows)
    from_these = to_these if isinstance(rows, slice) else np.array([figure(row, slice(None)) for row in rows.tolist()])
    return np.maximum(from_these, to_these.T)


def _positions_in_common(log: AnyLog, rows: Rows) -> Floats:
    variants, n = log.variants, len(log.activities)
    lengths = np.repeat(variants.lengths, variants.lengths)
    place = np.arange(len(variants.codes)) - np.repeat(variants.offsets[:-1], variants.lengths)
    part = PARTS * (2 * place + 1) // (2 * lengths)  # in whole numbers, so that rounding moves nothing
    events = sum_groups(variants.weights[variants.variant_of_event], variants.codes * PARTS + part, n * PARTS)
    shares = events.reshape(n, PARTS) / log.activity_counts[:, np.newaxis]
    common = np.zeros((len(shares[rows]), n))
    for column in shares.T:
        common += np.minimum.outer(column[rows], column)
    return common
