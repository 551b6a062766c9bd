"""Compute kin across two logs: an activity of a and one of b are the same step if the activities around them are.

For each log by itself, P_o(a, x) is the share of a's events with x as the neighbour at offset o, shrunk as in kin
(``docs/kin.md``), H_o = sqrt(P_o), and v_o is the offset's weight. Beside the offsets -2, -1, 1 and 2 there are -4 and 4, which
stand for *up to four events before* and *after*: x at a distance d counts 1/d there. If one log has a step that the other lacks,
direct neighbours differ, but these do not by much. T(a, x) says how much more than usual x is in the cases of a.

P is the likeness of profiles (:mod:`actalike.two_logs.evidence`), with 0 for the most alike pair. M says how much each activity
of a counts as each of b; PAD, the outside of a case, counts as PAD only. In each round

1. M = exp(p L), with rows and columns scaled to about the same sums, and divided by its largest cell. The power p grows from 2 to
   16, so that in the end each activity counts as its best partner.
2. S = Σ_o v_o H_o^A M (H_o^B)ᵀ + t T^A M (T^B)ᵀ, and L = ln S + g P, with 0 for the largest.

L starts as P. Known pairs have L = 0, and -∞ with all others, in every round; so have pairs that are certainly
apart. The score of a pair is exp(L) with rows and columns scaled as in step 1, so that an activity that many others resemble is
not the best partner of all of them.

The rounds run twice, with two views of what is evidence. The first trusts frequencies. The second does not, because a step may be
in all cases of one log and in few of another. The view is kept whose one-to-one matching makes the neighbours agree more. Six
last rounds start from there: in place of g P, they use how far frequencies agree, by as much as they do for pairs that are
certain by then (:mod:`actalike.two_logs.evidence`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array

from actalike.counting import WindowCounts, count_windows
from actalike.log import CoOccurrence, EventLog, Variants
from actalike.methods import Surroundings
from actalike.support.memory import require_memory
from actalike.two_logs.evidence import (
    Codes,
    Floats,
    Profiles,
    cases_with_events,
    frequency_agreement,
    profile_likeness,
    profiles_of,
)
from actalike.two_logs.texts import TextEvidence

Mask = NDArray[np.bool_]

REACH = 4  # the farthest neighbour
WEIGHTS = {-REACH: 0.2, -2: 0.1, -1: 0.2, 1: 0.2, 2: 0.1, REACH: 0.2}  # v_o
SHRINKAGE = 0.5  # pseudo-events of an activity: fewer than kin's, because what is rare has to be told apart too
_CASES_BY_CHANCE = 1.0  # pseudo-cases of an activity, with the usual neighbours
_LENGTH_POWER = 0.75  # of the length by which T's rows are divided: an activity with the usual neighbours counts a little less
ROUNDS = 12
POWERS = 2.0, 16.0
LAST_ROUNDS = 6
LAST_POWERS = 6.0, 16.0
FREQUENCY_WEIGHT = 0.5 / POWERS[1]  # of the agreement of frequencies
_ENOUGH_CASES = 3  # of an activity whose frequency says how far frequencies agree
SCALINGS = 20
_ROUNDING = 1e-9  # agreements that differ by less are equal
_LEAST = 1e-9  # of S, before its logarithm: T may make it negative
_ARRAYS = 12  # of all pairs of activities, at the same time


@dataclass(frozen=True)
class Uses:
    """Hold how a log uses its activities: neighbours by offset (H_o), T, profiles, numbers of events and cases.

    ``windows`` are the windows that the neighbours were counted in.
    """

    windows: WindowCounts
    around: tuple[Surroundings, ...]
    together: Floats
    profiles: Profiles
    events: Codes
    cases: Codes
    n_cases: int  # of the log, without empty ones

    def __len__(self) -> int:
        """Return the number of activities."""
        return len(self.events)

    @classmethod
    def of(cls, variants: Variants) -> "Uses":
        """Measure how the activities of a log are used.

        >>> uses = Uses.of(Variants(["a", "b", "c"], np.array([0, 1, 2, 0, 2]), np.array([0, 3, 5]), np.array([1, 1])))
        >>> after = uses.around[3]
        >>> after.offset, (after.row(0) ** 2).round(2).tolist()  # after a come b, c and, by shrinkage, a little of PAD
        (1, [0.0, 0.44, 0.48, 0.08])
        """
        windows = count_windows(variants, 2 * REACH + 1)
        around = tuple(_surroundings(windows, offset, weight) for offset, weight in WEIGHTS.items())
        events, cases = variants.activity_counts, variants.activity_cases
        return cls(windows, around, togetherness(variants), profiles_of(variants), events, cases, cases_with_events(variants))


class View(NamedTuple):
    """Hold the weights of the evidence beside neighbours: t, g, and those of P (see the module)."""

    together: float
    profile: float
    cases: float
    ends: float


VIEWS = (View(together=0.3, profile=0.1, cases=0.6, ends=0.0), View(together=0.0, profile=0.02, cases=0.0, ends=1.0))


class Rounds(NamedTuple):
    """Hold the result of some rounds: the scores, L, the M of the last round with PAD, and the best one-to-one matching.

    ``assigned`` has the codes of the matching, and ``agreement`` tells how far it makes the neighbours agree over the whole logs.
    """

    scores: Floats
    log_scores: Floats
    alike: Floats
    assigned: tuple[Codes, Codes]
    agreement: float


@dataclass(frozen=True)
class CrossKin:
    """Hold the last rounds, the view that was kept, and what else tells how far the scores can be trusted.

    ``frequencies`` is how far the frequencies of each pair agree, ``choices`` the same cautiously.
    ``seconded`` says for each assigned pair whether both views have it. ``apart`` says which pairs are certainly not one step.
    """

    rounds: Rounds
    view: View
    frequencies: Floats
    choices: Floats
    seconded: Mask
    uses_a: Uses
    uses_b: Uses
    apart: Mask


class MatchReason(NamedTuple):
    """Hold one term of a score: the neighbours at an offset that are taken for the same step (None: outside the case).

    The offset 0 stands for anywhere in the same case, and -4 and 4 for up to four events before and after. At offset 0,
    ``seldom`` says that both activities are in fewer cases with these neighbours than usual, which they have in common too.
    """

    share: float
    offset: int
    neighbour_a: str | None
    neighbour_b: str | None
    seldom: bool = False


class _Given(NamedTuple):
    """Hold what is given: known pairs, pairs that are apart, what texts add to L, and how far behaviour counts."""

    known: Codes
    apart: Mask
    texts: Floats
    trust: float


def cross_kin(
    variants_a: Variants, variants_b: Variants, known: Codes, texts: TextEvidence | None = None, apart: Mask | None = None
) -> CrossKin:
    """Compute the scores of all pairs of activities.

    ``known`` has the codes of a known pair in each row. ``texts`` says what the texts of labels are worth, if they count.
    ``apart`` is True for pairs that are certainly not one step.

    >>> logs = [EventLog.from_traces([[x, y, z], [x, z]] * 9) for x, y, z in ("abc", "231")]
    >>> cross_kin(*(log.variants for log in logs), np.empty((0, 2), dtype=np.int64)).rounds.scores.argmax(axis=1).tolist()
    [1, 2, 0]
    """
    n_a, n_b = len(variants_a.activities), len(variants_b.activities)
    cells = _ARRAYS * n_a * n_b + 4 * (n_a**2 + n_b**2)
    require_memory(8 * cells, f"Comparing {n_a:,} with {n_b:,} activities", "merge or filter rare ones first")
    a, b = Uses.of(variants_a), Uses.of(variants_b)
    added, trust = (np.zeros((n_a, n_b)), 1.0) if texts is None else (texts.scores, texts.trust)
    given = _Given(known, np.zeros((n_a, n_b), dtype=bool) if apart is None else apart, added, trust)
    seen = [_seen(a, b, view, given) for view in VIEWS]
    kept = int(seen[1].agreement > seen[0].agreement + _ROUNDING)  # the first if both agree as far
    given_frequencies = a.profiles, a.cases, b.profiles, b.cases, _certain(a, b, seen[kept])
    frequencies = frequency_agreement(*given_frequencies)
    constant = trust * FREQUENCY_WEIGHT * frequencies + added
    powers = np.linspace(*LAST_POWERS, LAST_ROUNDS)
    last = _rounds(a, b, VIEWS[kept], seen[kept].log_scores + constant, constant, powers, given)
    in_both = set.intersection(*(set(zip(*rounds.assigned, strict=True)) for rounds in seen))
    seconded = np.array([pair in in_both for pair in zip(*last.assigned, strict=True)], dtype=bool)
    choices = frequency_agreement(*given_frequencies, cautious=True)
    return CrossKin(last, VIEWS[kept], frequencies, choices, seconded, a, b, given.apart)


def _seen(a: Uses, b: Uses, view: View, given: _Given) -> Rounds:
    """Compute the rounds with one view of what is evidence."""
    profile = profile_likeness(a.profiles, b.profiles, view.cases, view.ends)
    start, constant = (given.trust * weight * profile + given.texts for weight in (1.0, view.profile))
    return _rounds(a, b, view, start, constant, np.linspace(*POWERS, ROUNDS), given)


def _certain(a: Uses, b: Uses, rounds: Rounds) -> tuple[Codes, Codes]:
    """Return the assigned pairs that are the best of both their activities, and not too rare."""
    rows, columns = rounds.assigned
    best = np.maximum(rounds.scores[rows].max(axis=1), rounds.scores[:, columns].max(axis=0))
    is_certain = (rounds.scores[rows, columns] >= best) & (np.minimum(a.cases[rows], b.cases[columns]) >= _ENOUGH_CASES)
    return rows[is_certain], columns[is_certain]


def _rounds(a: Uses, b: Uses, view: View, start: Floats, constant: Floats, powers: Floats, given: _Given) -> Rounds:
    """Compute a round for each power; ``start`` is the first L, and ``constant`` is added to L in each round."""
    alike = np.zeros((len(a) + 1, len(b) + 1))
    alike[-1, -1] = 1.0
    log_scores = _with_certain(start - max(start.max(), -1e9), given)  # it is -∞ if all pairs are apart
    for power in powers:
        alike[:-1, :-1] = balanced(log_scores, power)
        scores = neighbour_scores(a.around, b.around, alike)
        if view.together:
            scores += view.together * (a.together @ alike[:-1, :-1] @ b.together.T)
        log_scores = given.trust * np.log(np.maximum(scores, _LEAST)) + constant
        log_scores = _with_certain(log_scores - log_scores.max(), given)
    scores = balanced(log_scores, POWERS[1]) ** (1 / POWERS[1])
    rows, columns = linear_sum_assignment(scores, maximize=True)
    may_be = ~given.apart[rows, columns]  # labels that are left over may have been assigned to each other
    assigned = rows[may_be], columns[may_be]
    return Rounds(scores, log_scores, alike, assigned, agreement(a, b, assigned))


def unrestricted_log_scores(kin: CrossKin) -> Floats:
    """Return ln S of all pairs by the M of the last round. No pair is excluded, and frequencies do not count."""
    alike = kin.rounds.alike
    scores = neighbour_scores(kin.uses_a.around, kin.uses_b.around, alike)
    if kin.view.together:
        scores += kin.view.together * (kin.uses_a.together @ alike[:-1, :-1] @ kin.uses_b.together.T)
    logarithms: Floats = np.log(np.maximum(scores, _LEAST))
    return logarithms


def neighbour_agreements(kin: CrossKin) -> Floats:
    """Return for all pairs how far their neighbours agree in the best one-to-one matching, from 0 to 1."""
    return agreements(kin.uses_a, kin.uses_b, kin.rounds.assigned)


def neighbour_scores(around_a: Sequence[Surroundings], around_b: Sequence[Surroundings], alike: Floats) -> Floats:
    """Return Σ_o v_o H_o^A M (H_o^B)ᵀ. With H = D + g uᵀ, only the sparse D is multiplied with all of M."""
    total = np.zeros((len(around_a[0].given), len(around_b[0].given)))
    for a, b in zip(around_a, around_b, strict=True):
        seen, usual = a.seen @ alike, a.usual @ alike
        total += a.weight * (b.seen @ seen.T).T
        total += np.outer(a.weight * (seen @ b.usual), b.given)
        total += np.outer(a.weight * a.given, b.seen @ usual + (usual @ b.usual) * b.given)
    return total


def score_terms(kin: CrossKin, i: int, j: int) -> list[tuple[int, Floats]]:
    """Return the terms whose sum is S(i, j), by offset: a row for each x beside i, a column for each y beside j.

    The offset 0 stands for "anywhere in the same case"; its terms are negative where one of the two is seldom with its x.
    """
    parts = zip(kin.uses_a.around, kin.uses_b.around, strict=True)
    terms = [(a.offset, a.weight * np.outer(a.row(i), b.row(j)) * kin.rounds.alike) for a, b in parts]
    if kin.view.together:
        together = np.outer(kin.uses_a.together[i], kin.uses_b.together[j])
        terms.append((0, kin.view.together * together * kin.rounds.alike[:-1, :-1]))
    return terms


def largest_terms(kin: CrossKin, i: int, j: int, topn: int) -> list[MatchReason]:
    """Return the largest terms of S(i, j), up or down, as shares of it; none if that is not positive."""
    labels_a, labels_b = [*kin.uses_a.windows.activities, None], [*kin.uses_b.windows.activities, None]
    together_a, together_b = kin.uses_a.together[i], kin.uses_b.together[j]
    terms = score_terms(kin, i, j)
    total = sum(of_offset.sum() for _, of_offset in terms)
    if total <= 0:
        return []
    reasons = [
        MatchReason(
            float(of_offset[x, y] / total),
            offset,
            labels_a[x],
            labels_b[y],
            seldom=not offset and bool(together_a[x] < 0 and together_b[y] < 0),
        )
        for offset, of_offset in terms
        for x, y in zip(*_largest(of_offset, topn), strict=True)
    ]
    return sorted(reasons, key=lambda reason: -abs(reason.share))[:topn]


def _largest(terms: Floats, topn: int) -> tuple[NDArray[np.intp], ...]:
    """Return the rows and columns of the largest terms, up or down."""
    if 0 < topn < len(terms):
        # the largest terms are in the rows with the largest maxima, so that of large logs only these rows are sorted
        largest = np.maximum(terms.max(axis=1), -terms.min(axis=1))
        rows = np.flatnonzero(largest >= np.partition(largest, -topn)[-topn])
    else:
        rows = np.arange(len(terms))
    sizes = np.abs(terms[rows]).ravel()
    # most terms are small: only the others are sorted
    least = np.partition(sizes, -topn)[-topn] if 0 < topn < len(sizes) else -1.0
    large = np.flatnonzero(sizes >= least)
    x, y = np.unravel_index(large[np.argsort(-sizes[large], kind="stable")][:topn], (len(rows), terms.shape[1]))
    return rows[x], y


def balanced(log_scores: Floats, power: float) -> Floats:
    """Return exp(power x L) with rows and columns scaled in turn by the roots of their sums, divided by the largest cell.

    >>> balanced(np.log([[4.0, 2.0], [2.0, 1.0]]), 1).round(2).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    weights = np.exp(power * log_scores)
    rows, columns = np.ones(len(weights)), np.ones(weights.shape[1])
    for _ in range(SCALINGS):
        sums = rows * (weights @ columns), columns * (rows @ weights)
        rows, columns = rows / np.sqrt(_positive(sums[0])), columns / np.sqrt(_positive(sums[1]))
        largest = max(rows.max(), columns.max())  # of two unequal alphabets, the factors would shrink from round to round
        rows, columns = rows / largest, columns / largest
    weights *= rows[:, np.newaxis]
    weights *= columns
    return weights / (weights.max() or 1.0)


def _positive(sums: Floats) -> Floats:
    """Return sums that can be divided by: 1 for an activity that is apart from all others."""
    return np.where(sums > 0, np.maximum(sums, 1e-300), 1.0)


def agreement(a: Uses, b: Uses, assigned: tuple[Codes, Codes]) -> float:
    """Return how far neighbours agree in a one-to-one matching, from 0 to 1, as a mean over the events of both logs."""
    rows, columns = assigned
    weights = a.events[rows] / a.events.sum() + b.events[columns] / b.events.sum()
    return float(weights @ agreements(a, b, assigned)[rows, columns] / 2)


def agreements(a: Uses, b: Uses, assigned: tuple[Codes, Codes]) -> Floats:
    """Return for all pairs of activities how far their neighbours agree in a one-to-one matching, from 0 to 1."""
    alike = np.zeros((len(a) + 1, len(b) + 1))
    alike[assigned] = alike[-1, -1] = 1.0
    return np.clip(neighbour_scores(a.around, b.around, alike), 0.0, 1.0)


def _with_certain(log_scores: Floats, given: _Given) -> Floats:
    """Return L with 0 for known pairs, and -∞ for all other pairs of their activities and for pairs that are apart."""
    known = given.known
    log_scores = np.where(given.apart, -np.inf, log_scores)
    log_scores[known[:, 0]] = -np.inf
    log_scores[:, known[:, 1]] = -np.inf
    log_scores[known[:, 0], known[:, 1]] = 0.0
    return log_scores


def togetherness(variants: Variants) -> Floats:
    """Return T: the square root of the share of a's cases that have x too, less the usual one, scaled row by row.

    The usual share is the mean over all activities, weighted by their cases. Rows are divided by their length to the power 0.75.
    """
    cases = variants.activity_cases.astype(np.float64)
    usual = cases / cases_with_events(variants)
    shares = (CoOccurrence(variants).shared_cases() + _CASES_BY_CHANCE * usual) / (cases[:, np.newaxis] + _CASES_BY_CHANCE)
    together = np.sqrt(shares) - np.sqrt(cases @ shares / cases.sum())
    lengths = np.sqrt((together**2).sum(axis=1, keepdims=True))
    return together / np.maximum(lengths, 1e-12) ** _LENGTH_POWER


def _surroundings(table: WindowCounts, offset: int, weight: float) -> Surroundings:
    """Compute H_o of one offset, with the weight v_o."""
    n = len(table.activities)
    counts = _neighbours(table, {offset: 1.0} if abs(offset) < REACH else _nearer(offset))
    usual = np.asarray(counts.sum(axis=0)).ravel() / table.n_events
    events = table.activity_counts + SHRINKAGE
    given = np.sqrt(SHRINKAGE / events)
    row = np.repeat(np.arange(n), np.diff(counts.indptr))
    roots = np.sqrt((counts.data + SHRINKAGE * usual[counts.indices]) / events[row])
    seen = csr_array((roots - given[row] * np.sqrt(usual)[counts.indices], counts.indices, counts.indptr), shape=counts.shape)
    return Surroundings(offset, weight, seen, given, np.sqrt(usual))


def _nearer(offset: int) -> dict[int, float]:
    """Return the offsets on the same side up to the given one, with weights of 1/d that sum to 1."""
    distances = range(1, abs(offset) + 1)
    total = sum(1 / d for d in distances)
    return {d if offset > 0 else -d: 1 / d / total for d in distances}


def _neighbours(table: WindowCounts, weights: dict[int, float]) -> csr_array:
    """Return how many events of each activity have each neighbour at some offsets, weighted; the last column is PAD."""
    n = len(table.activities)
    columns = np.concatenate([table.windows[:, table.left + offset] for offset in weights]).astype(np.int64)
    columns[columns < 0] = n
    counts = [table.counts * weight for weight in weights.values()]
    rows = np.tile(table.focal.astype(np.int64), len(weights))
    total = csr_array((np.concatenate(counts), (rows, columns)), shape=(n, n + 1))
    total.sum_duplicates()
    return total


class NewLabels(NamedTuple):
    """Hold what is known of each new label (columns) and each old one (rows).

    ``codes`` are the new labels' positions in the activities of the later log, and ``is_used`` says which old labels it still
    has. ``likeness`` is ln S, how alike the neighbours of a pair are; ``frequency`` how far their frequencies agree, weighted as
    in the matching of logs, 0 at best; ``agreement`` how far their neighbours agree if each label has one partner, 0 to 1.
    """

    codes: Codes
    is_used: Mask
    likeness: Floats
    frequency: Floats
    agreement: Floats


def compare_new_labels(past: EventLog, now: EventLog) -> NewLabels | None:
    """Compare each label that only ``now`` has with all labels of ``past``; None if there is no such label.

    Labels that both logs have are known pairs: the comparison starts from them.

    >>> past = EventLog.from_traces([["ask", "check", "pay"], ["ask", "refuse"]] * 30)
    >>> now = EventLog.from_traces([["ask", "check", "transfer"], ["ask", "refuse"]] * 30)
    >>> new = compare_new_labels(past, now)
    >>> [now.activities[code] for code in new.codes], past.activities[new.likeness[:, 0].argmax()]
    (['transfer'], 'pay')
    """
    old, present = ({label: i for i, label in enumerate(log.activities)} for log in (past, now))
    shared = sorted(old.keys() & present.keys())
    known = np.array([(old[label], present[label]) for label in shared], dtype=np.int64).reshape(-1, 2)
    codes = np.array([code for label, code in present.items() if label not in old], dtype=np.int64)
    if not len(codes):
        return None
    kin = cross_kin(past.variants, now.variants, known)
    is_used = np.zeros(len(old), dtype=bool)
    is_used[known[:, 0]] = True
    pairs = unrestricted_log_scores(kin), FREQUENCY_WEIGHT * kin.frequencies, neighbour_agreements(kin)
    return NewLabels(codes, is_used, *(of_all[:, codes] for of_all in pairs))
