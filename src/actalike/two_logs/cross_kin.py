"""Compute kin across two logs: an activity of a and one of b are the same step if the activities around them are.

H_o and v_o are the shares of neighbours at offset o and their weights, and T(a, x) says how much more than usual x is in the
cases of a (:mod:`actalike.two_logs.company`), for each log by itself. P is the likeness of profiles
(:mod:`actalike.two_logs.activity_profiles`), with 0 for the most alike pair. M says how much each activity of a counts as each
of b; PAD, the outside of a case, counts as PAD only. In each round

1. M = exp(p L), with rows and columns scaled to about the same sums, and divided by its largest cell. The power p grows from 2 to
   16, so that in the end each activity counts as its best partner.
2. S = Σ_o v_o H_o^A M (H_o^B)ᵀ + t T^A M (T^B)ᵀ, and L = ln S + g P, with 0 for the largest.

L starts as P. Known pairs have L = 0, and -∞ with all others, in every round; so have pairs that are certainly
apart. The score of a pair is exp(L) with rows and columns scaled as in step 1, so that an activity that many others resemble is
not the best partner of all of them.

The rounds run twice, with two views of what is evidence. The first trusts frequencies. The second does not, because a step may be
in all cases of one log and in few of another. The view is kept whose one-to-one matching makes the neighbours agree more. Six
last rounds start from there: in place of g P, they use how far frequencies agree, by as much as they do for pairs that are
certain by then (:mod:`actalike.two_logs.frequency_agreement`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from actalike.log import EventLog
from actalike.methods import Surroundings
from actalike.support.memory import require_memory
from actalike.two_logs.activity_profiles import profile_likeness
from actalike.two_logs.company import Company, company_of
from actalike.two_logs.frequency_agreement import frequency_agreement

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
Mask = NDArray[np.bool_]

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

    ``frequencies`` is how far the frequencies of each pair agree. ``seconded`` says for each assigned pair whether both views
    have it. ``apart`` says which pairs are certainly not one step.
    """

    rounds: Rounds
    view: View
    frequencies: Floats
    seconded: Mask
    company_a: Company
    company_b: Company
    apart: Mask


class _Certain(NamedTuple):
    """Hold what is given: the codes of a known pair in each row, and a mask of the pairs that are certainly not one step."""

    known: Codes
    apart: Mask


def cross_kin(
    log_a: EventLog, log_b: EventLog, known: Codes, likeness: Floats | None = None, apart: Mask | None = None
) -> CrossKin:
    """Compute the scores of all pairs of activities.

    ``known`` has the codes of a known pair in each row. ``likeness`` says how alike the labels of each pair are, 0 to 1, if they
    are evidence: likeness - 1 is added to L in every round. ``apart`` is True for pairs that are certainly not one step.

    >>> logs = [EventLog.from_traces([[x, y, z], [x, z]] * 9) for x, y, z in ("abc", "231")]
    >>> cross_kin(*logs, np.empty((0, 2), dtype=np.int64)).rounds.scores.argmax(axis=1).tolist()
    [1, 2, 0]
    """
    n_a, n_b = len(log_a.activities), len(log_b.activities)
    cells = _ARRAYS * n_a * n_b + 4 * (n_a**2 + n_b**2)
    require_memory(8 * cells, f"Comparing {n_a:,} with {n_b:,} activities", "merge or filter rare ones first")
    a, b = company_of(log_a), company_of(log_b)
    further = np.zeros((n_a, n_b)) if likeness is None else likeness - 1
    given = _Certain(known, np.zeros((n_a, n_b), dtype=bool) if apart is None else apart)
    seen = [_seen(a, b, view, given, further) for view in VIEWS]
    kept = int(seen[1].agreement > seen[0].agreement + _ROUNDING)  # the first if both agree as far
    frequencies = frequency_agreement(a.profiles, a.cases, b.profiles, b.cases, _certain(a, b, seen[kept]))
    constant = FREQUENCY_WEIGHT * frequencies + further
    powers = np.linspace(*LAST_POWERS, LAST_ROUNDS)
    last = _rounds(a, b, VIEWS[kept], seen[kept].log_scores + constant, constant, powers, given)
    in_both = set.intersection(*(set(zip(*rounds.assigned, strict=True)) for rounds in seen))
    seconded = np.array([pair in in_both for pair in zip(*last.assigned, strict=True)], dtype=bool)
    return CrossKin(last, VIEWS[kept], frequencies, seconded, a, b, given.apart)


def _seen(a: Company, b: Company, view: View, given: _Certain, further: Floats) -> Rounds:
    """Compute the rounds with one view of what is evidence."""
    profile = profile_likeness(a.profiles, b.profiles, view.cases, view.ends)
    return _rounds(a, b, view, profile + further, view.profile * profile + further, np.linspace(*POWERS, ROUNDS), given)


def _certain(a: Company, b: Company, rounds: Rounds) -> tuple[Codes, Codes]:
    """Return the assigned pairs that are the best of both their activities, and not too rare."""
    rows, columns = rounds.assigned
    best = np.maximum(rounds.scores[rows].max(axis=1), rounds.scores[:, columns].max(axis=0))
    is_certain = (rounds.scores[rows, columns] >= best) & (np.minimum(a.cases[rows], b.cases[columns]) >= _ENOUGH_CASES)
    return rows[is_certain], columns[is_certain]


def _rounds(a: Company, b: Company, view: View, start: Floats, constant: Floats, powers: Floats, given: _Certain) -> Rounds:
    """Compute a round for each power; ``start`` is the first L, and ``constant`` is added to L in each round."""
    alike = np.zeros((len(a) + 1, len(b) + 1))
    alike[-1, -1] = 1.0
    log_scores = _with_certain(start - max(start.max(), -1e9), given)  # it is -∞ if all pairs are apart
    for power in powers:
        alike[:-1, :-1] = balanced(log_scores, power)
        scores = neighbour_scores(a.around, b.around, alike)
        if view.together:
            scores += view.together * (a.together @ alike[:-1, :-1] @ b.together.T)
        log_scores = np.log(np.maximum(scores, _LEAST)) + constant
        log_scores = _with_certain(log_scores - log_scores.max(), given)
    scores = balanced(log_scores, POWERS[1]) ** (1 / POWERS[1])
    rows, columns = linear_sum_assignment(scores, maximize=True)
    may_be = ~given.apart[rows, columns]  # labels that are left over may have been assigned to each other
    assigned = rows[may_be], columns[may_be]
    return Rounds(scores, log_scores, alike, assigned, agreement(a, b, assigned))


def unrestricted_log_scores(kin: CrossKin) -> Floats:
    """Return ln S of all pairs by the M of the last round. No pair is excluded, and frequencies do not count."""
    alike = kin.rounds.alike
    scores = neighbour_scores(kin.company_a.around, kin.company_b.around, alike)
    if kin.view.together:
        scores += kin.view.together * (kin.company_a.together @ alike[:-1, :-1] @ kin.company_b.together.T)
    logarithms: Floats = np.log(np.maximum(scores, _LEAST))
    return logarithms


def neighbour_agreements(kin: CrossKin) -> Floats:
    """Return for all pairs how far their neighbours agree in the best one-to-one matching, from 0 to 1."""
    return agreements(kin.company_a, kin.company_b, kin.rounds.assigned)


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
    parts = zip(kin.company_a.around, kin.company_b.around, strict=True)
    terms = [(a.offset, a.weight * np.outer(a.row(i), b.row(j)) * kin.rounds.alike) for a, b in parts]
    if kin.view.together:
        together = np.outer(kin.company_a.together[i], kin.company_b.together[j])
        terms.append((0, kin.view.together * together * kin.rounds.alike[:-1, :-1]))
    return terms


def are_seldom(kin: CrossKin, i: int, j: int, x: int, y: int) -> bool:
    """Tell whether i is in fewer cases with x than usual, and j in fewer cases with y."""
    return bool(kin.company_a.together[i, x] < 0 and kin.company_b.together[j, y] < 0)


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


def agreement(a: Company, b: Company, assigned: tuple[Codes, Codes]) -> float:
    """Return how far neighbours agree in a one-to-one matching, from 0 to 1, as a mean over the events of both logs."""
    rows, columns = assigned
    weights = a.events[rows] / a.events.sum() + b.events[columns] / b.events.sum()
    return float(weights @ agreements(a, b, assigned)[rows, columns] / 2)


def agreements(a: Company, b: Company, assigned: tuple[Codes, Codes]) -> Floats:
    """Return for all pairs of activities how far their neighbours agree in a one-to-one matching, from 0 to 1."""
    alike = np.zeros((len(a) + 1, len(b) + 1))
    alike[assigned] = alike[-1, -1] = 1.0
    return np.clip(neighbour_scores(a.around, b.around, alike), 0.0, 1.0)


def _with_certain(log_scores: Floats, given: _Certain) -> Floats:
    """Return L with 0 for known pairs, and -∞ for all other pairs of their activities and for pairs that are apart."""
    known = given.known
    log_scores = np.where(given.apart, -np.inf, log_scores)
    log_scores[known[:, 0]] = -np.inf
    log_scores[:, known[:, 1]] = -np.inf
    log_scores[known[:, 0], known[:, 1]] = 0.0
    return log_scores
