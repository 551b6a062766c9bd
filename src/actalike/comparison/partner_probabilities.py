"""Estimate how likely two activities of two logs are the same step, and how likely an activity has no partner at all.

Both are logistic functions of a few figures. Their weights are in ``partner_weights.json``; ``measurements/fit_matching.py`` fits
them. The best candidates of each activity are judged; all other pairs have the probability 0. The probabilities of an activity's
partners sum to 1 at most.
"""

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from actalike.comparison.activity_profiles import profile_likeness
from actalike.comparison.cross_kin import FREQUENCIES, POWERS, VIEWS, CrossKin, neighbour_scores

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

PAIR_FIGURES = ("agreement", "log_agreement", "cases", "lead", "profile", "frequency", "share", "assigned", "labels")
PARTNER_FIGURES = (
    *("agreement", "log_agreement", "cases", "agreement_x_cases", "log_agreement_x_cases"),
    *("profile", "frequency", "assigned", "candidates", "labels", "log_agreement_x_labels"),
)
_CANDIDATES = 5  # of each activity
_MANY_CASES = 150  # more cases make nothing more certain
_LEAST_SHARE = 0.01


class Candidates(NamedTuple):
    """Hold the pairs that are judged (codes of both activities), their figures, and whether they are in the best assignment."""

    rows: Codes
    columns: Codes
    figures: Floats
    is_assigned: NDArray[np.bool_]


class PartnerProbabilities(NamedTuple):
    """Hold the probability of every pair, and for each activity of a and of b the probability that it has no partner.

    ``assigned`` has the codes of the best one-to-one assignment, and ``agreement`` how far the neighbours of every pair agree
    under it.
    """

    pairs: Floats
    none_a: Floats
    none_b: Floats
    assigned: tuple[Codes, Codes]
    agreement: Floats


def partner_probabilities(kin: CrossKin, known: Codes) -> PartnerProbabilities:
    """Estimate all probabilities; ``known`` has the codes of a known pair in each row."""
    assigned, agreement = assignment(kin)
    candidates = find_candidates(kin, assigned, agreement)
    weights = shipped_weights()
    pairs = np.zeros(kin.scores.shape)
    pairs[candidates.rows, candidates.columns] = logistic(candidates.figures @ weights["pair"][1:] + weights["pair"][0])
    _make_certain(pairs, known)
    pairs /= np.maximum(pairs.sum(axis=1, keepdims=True), 1.0)
    pairs /= np.maximum(pairs.sum(axis=0), 1.0)
    none = []
    for side in (0, 1):
        figures = partner_figures(kin, candidates, pairs, side)
        left = np.clip(1 - pairs.sum(axis=1 - side), 0.0, 1.0)
        none.append(np.minimum(1 - logistic(figures @ weights["partner"][1:] + weights["partner"][0]), left))
        none[side][known[:, side]] = 0.0
    return PartnerProbabilities(pairs, none[0], none[1], assigned, agreement)


def assignment(kin: CrossKin) -> tuple[tuple[Codes, Codes], Floats]:
    """Return the best one-to-one assignment, and how far the neighbours of every pair agree under it, 0 to 1."""
    rows, columns = linear_sum_assignment(kin.scores, maximize=True)
    alike = np.zeros_like(kin.alike)
    alike[rows, columns] = alike[-1, -1] = 1.0
    return (rows, columns), np.clip(neighbour_scores(kin.company_a.around, kin.company_b.around, alike), 0.0, 1.0)


def find_candidates(kin: CrossKin, assigned: tuple[Codes, Codes], agreement: Floats) -> Candidates:
    """Find the best candidates of each activity by their scores, and the assigned ones, with the figures of these pairs."""
    scores = np.maximum(kin.scores, 1e-12)
    is_candidate = np.zeros(scores.shape, dtype=bool)
    for of_side, mask in ((scores, is_candidate), (scores.T, is_candidate.T)):
        best = min(_CANDIDATES, of_side.shape[1])
        np.put_along_axis(mask, np.argpartition(-of_side, best - 1, axis=1)[:, :best], values=True, axis=1)
    is_candidate[assigned] = True
    rows, columns = np.nonzero(is_candidate)
    is_assigned = np.zeros(scores.shape, dtype=bool)
    is_assigned[assigned] = True
    leads = [np.tanh(6 * np.log(of_side / _best_other(of_side))) for of_side in (scores, scores.T)]
    weights = scores ** POWERS[1]
    share = (weights / weights.sum(axis=1, keepdims=True) * (weights / weights.sum(axis=0)))[rows, columns]
    a, b = kin.company_a, kin.company_b
    profile = profile_likeness(a.profiles, b.profiles, VIEWS[0].cases, VIEWS[0].ends)
    n = len(rows)
    figures = [
        _closeness(agreement[rows, columns]),
        np.full(n, _closeness(np.array(kin.agreement))),
        _logarithm(np.minimum(a.cases[rows], b.cases[columns])),
        (leads[0] + leads[1].T)[rows, columns],
        np.clip(profile[rows, columns], -4.0, 0.0),
        np.clip(kin.constant[rows, columns] * POWERS[1] / FREQUENCIES, -6.0, 0.0),
        _logit(share),
        is_assigned[rows, columns],
        np.full(n, np.log(min(scores.shape))),
    ]
    return Candidates(rows, columns, np.column_stack(figures).astype(np.float64), is_assigned[rows, columns])


def partner_figures(kin: CrossKin, candidates: Candidates, pairs: Floats, side: int) -> Floats:
    """Return the figures of each activity of a (side 0) or b (side 1), by its assigned partner or its best candidate."""
    own = candidates.columns if side else candidates.rows
    scores = kin.scores[candidates.rows, candidates.columns]
    order = np.lexsort((-scores, ~candidates.is_assigned, own))
    first = order[np.unique(own[order], return_index=True)[1]]
    agreement, log_agreement, _, _, profile, frequency, _, assigned, labels = candidates.figures[first].T
    cases = _logarithm((kin.company_b if side else kin.company_a).cases)
    figures = [
        *(agreement, log_agreement, cases, agreement * cases, log_agreement * cases, profile, frequency, assigned),
        *(_logit(np.minimum(pairs.sum(axis=1 - side), 1.0)), labels, log_agreement * labels),
    ]
    return np.column_stack(figures)


@cache
def shipped_weights() -> dict[str, Floats]:
    """Read the weights that come with the package: of each function the base, then those of its figures."""
    stored = json.loads(files(__package__).joinpath("partner_weights.json").read_text("utf-8"))
    names = {"pair": PAIR_FIGURES, "partner": PARTNER_FIGURES}
    return {kind: np.array([stored[kind][name] for name in ("base", *figures)]) for kind, figures in names.items()}


def logistic(log_odds: Floats) -> Floats:
    """Return the probability of log-odds."""
    probability: Floats = 1 / (1 + np.exp(-np.clip(log_odds, -500, 500)))
    return probability


def _make_certain(pairs: Floats, known: Codes) -> None:
    pairs[known[:, 0]] = 0.0
    pairs[:, known[:, 1]] = 0.0
    pairs[known[:, 0], known[:, 1]] = 1.0


def _best_other(scores: Floats) -> Floats:
    """Return for each cell the largest score of the others in its row."""
    if scores.shape[1] == 1:
        return np.full(scores.shape, 1e-12)
    second, first = np.partition(scores, -2, axis=1)[:, -2:].T[:, :, np.newaxis]
    return np.where(scores >= first, second, first)


def _closeness(agreement: Floats) -> Floats:
    """Return -ln(1.01 - agreement) - 2: how near an agreement is to 1."""
    closeness: Floats = -np.log(1.01 - np.clip(agreement, 0.0, 1.0)) - 2
    return closeness


def _logarithm(cases: NDArray[np.int64]) -> Floats:
    logarithm: Floats = np.log(np.minimum(cases, _MANY_CASES)) - 2.5
    return logarithm


def _logit(share: Floats) -> Floats:
    share = np.clip(share, _LEAST_SHARE, 1 - _LEAST_SHARE)
    logit: Floats = np.log(share / (1 - share))
    return logit
