"""Tell which activities of two logs are the same step: how likely each pair is, who has no partner, which steps are split.

The log-odds of pairs, and of having a partner, are sums of points of a few figures (:mod:`actalike.support.weights`). The weights
are in ``partner_weights.json``; ``measurements/fit_matching.py`` fits them. The best candidates of each activity are judged; all
other pairs have the probability 0. The probabilities of an activity's partners sum to 1 at most, and alternatives share them.

A step may have one label in one log and several in the other. A label b2 without a partner is a further part of a's step, if a
has been assigned a label b1, and if five things hold. It is more likely than not that b1 or b2 is the partner of a. The
neighbours of b2 agree with those of a (0.7 at least), and better than with those of the partner that b2 could have had. b1 and b2
together are nearer to the frequency of a than b1 alone. And b1 and b2 are seldom in one case, as two names of one step are.
"""

from functools import cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.log import CoOccurrence, Variants
from actalike.methods import Surroundings
from actalike.support.weights import Weights, probability_of, read_weights, shipped_content
from actalike.two_logs.cross_kin import POWERS, VIEWS, CrossKin, neighbour_agreements
from actalike.two_logs.evidence import Codes, Floats, cases_with_events, profile_likeness
from actalike.two_logs.texts import TextEvidence

SideName = Literal["a", "b"]

PAIR_FIGURES = (  # of a pair: _figures has them, and what they are
    *("agreement", "log_agreement", "cases", "lead", "profile", "frequency", "share", "assigned", "seconded"),
    *("all_seconded", "log_cases", "labels"),
)
PARTNER_FIGURES = ("best", "sum", "cases", "agreement", "surplus")
_NEIGHBOUR_WEIGHT, _FREQUENCY_WEIGHT = 6.0, 0.5  # in what it costs to exchange partners
_NO_EVIDENCE = -4.0  # log-odds of a pair of which behaviour says nothing
PROPOSED = 0.5  # a pair is proposed if it is more likely than this
NO_PARTNER = 0.6  # an activity is said to have no partner if that is more likely than this; else it is unknown
_CANDIDATES = 5  # of each activity
_MANY_CASES = 150  # more cases make nothing more certain
_MEAN_CASES = 2.5  # about the mean of their logarithm
_LEAST_SHARE = 0.01
_TIE = 1e-9  # scores that differ by less are equal
RIGHT_SPLITS = 0.98  # the share of right ones among planted splits that are found with a right partner (docs/matching.md)
_AGREEMENT = 0.7  # of the neighbours of a further part with those of the step, at least
_SHARED_CASES = 0.2  # of the rarer part, at most
_ENOUGH_CASES = 5  # of a further part


class MatchedPair(NamedTuple):
    """Hold two activities that are likely the same step, and how likely."""

    a: str
    b: str
    probability: float


class Unmatched(NamedTuple):
    """Hold an activity for which no partner is proposed, and how likely it is that it has none.

    Up to 0.6 it is unknown whether it has one.
    """

    activity: str
    probability: float


class SplitStep(NamedTuple):
    """Hold an activity of one log (``side``) whose step is split into several labels in the other log (``parts``)."""

    activity: str
    side: SideName
    parts: tuple[str, ...]
    probability: float


class Candidates(NamedTuple):
    """Hold the pairs that are judged (codes of both activities), their figures by name, and their shares (:func:`_shares`)."""

    rows: Codes
    columns: Codes
    figures: dict[str, Floats]
    shares: Floats


class PartnerProbabilities(NamedTuple):
    """Hold the probability of every pair, and for each activity of a and of b the probability that it has no partner.

    ``agreement`` is how far the neighbours of every pair agree in the best one-to-one matching; 0 if the pair is certainly apart.
    """

    pairs: Floats
    none_a: Floats
    none_b: Floats
    agreement: Floats


def partner_probabilities(kin: CrossKin, known: Codes, texts: TextEvidence | None = None) -> PartnerProbabilities:
    """Estimate all probabilities; ``known`` has the codes of a known pair in each row, ``texts`` what texts say."""
    agreement = neighbour_agreements(kin)
    candidates = find_candidates(kin, agreement, known)
    weights = shipped_weights()
    likely = pair_probabilities(candidates, weights["pair"], texts)
    pairs = normalised(likely, candidates, kin, known)
    none = []
    for side in (0, 1):
        has_partner = probability_of(weights["partner"].log_odds(partner_figures(kin, pairs, agreement, side)))
        none.append(np.minimum(1 - has_partner, np.clip(1 - pairs.sum(axis=1 - side), 0.0, 1.0)))
        none[side][known[:, side]] = 0.0
        none[side][kin.apart.all(axis=1 - side)] = 1.0
    return PartnerProbabilities(pairs, none[0], none[1], np.where(kin.apart, 0.0, agreement))


def find_candidates(kin: CrossKin, agreement: Floats, known: Codes) -> Candidates:
    """Find the best candidates of each activity by their scores, and the assigned ones, with the figures of these pairs."""
    scores = np.maximum(kin.rounds.scores, 1e-12)
    is_candidate = np.zeros(scores.shape, dtype=bool)
    for of_side, mask in ((scores, is_candidate), (scores.T, is_candidate.T)):
        best = min(_CANDIDATES, of_side.shape[1])
        np.put_along_axis(mask, np.argpartition(-of_side, best - 1, axis=1)[:, :best], values=True, axis=1)
    is_candidate[kin.rounds.assigned] = True
    rows, columns = np.nonzero(is_candidate)
    shares = _shares(kin, agreement, known)[rows, columns]
    return Candidates(rows, columns, _figures(kin, agreement, rows, columns), shares)


def _shares(kin: CrossKin, agreement: Floats, known: Codes) -> Floats:
    """Return how much of the probability assigned pairs get if partners may be exchanged, and what exchanged pairs get.

    With E = 6 closeness of the neighbours + half the cautious agreement of frequencies, exchanging the partners of two assigned
    pairs costs d = E(i, j) + E(k, l) - E(i, l) - E(k, j), and taking a free label in place of j costs d = E(i, j) - E(i, l). E of
    an exchanged pair is that after the exchange, because alternatives may be each other's neighbours. An assigned pair has
    1 / (1 + Σ exp(-d)), and what takes its place exp(-d) times that: alternatives that nothing tells apart have equal shares.
    d is 0 at least, because the assignment has more evidence than E. Other pairs have 0.
    """
    is_known = np.isin(kin.rounds.assigned[0], known[:, 0]) | np.isin(kin.rounds.assigned[1], known[:, 1])
    rows, columns = (codes[~is_known] for codes in kin.rounds.assigned)
    n = len(rows)
    orders = [
        np.concatenate([codes, np.setdiff1d(np.arange(size), [*codes, *given])])
        for codes, size, given in zip((rows, columns), agreement.shape, known.T, strict=True)
    ]
    cells = np.ix_(*orders)  # assigned pairs first, then free labels
    exchanged = agreement[cells]
    for a, b in zip(kin.uses_a.around, kin.uses_b.around, strict=True):
        own_a, own_b = (_dense(around)[np.ix_(order, order)] for around, order in zip((a, b), orders, strict=True))
        less_a, less_b = np.diag(own_a)[:, np.newaxis] - own_a, np.diag(own_b) - own_b.T
        exchanged[:n, :n] += a.weight * less_a[:n, :n] * less_b[:n, :n]
        exchanged[:n, n:] += a.weight * np.diag(own_a)[:n, np.newaxis] * less_b[:n, n:]
        exchanged[n:, :n] += a.weight * less_a[n:, :n] * np.diag(own_b)[:n]
    evidence = _NEIGHBOUR_WEIGHT * _closeness(exchanged) + _FREQUENCY_WEIGHT * kin.choices[cells]
    evidence[kin.apart[cells]] = -np.inf
    own = np.diag(evidence)[:n]
    gain = np.full(evidence.shape, -np.inf)
    gain[:n, :n] = evidence[:n, :n] + evidence[:n, :n].T - own - own[:, np.newaxis]
    gain[:n, n:], gain[n:, :n] = evidence[:n, n:] - own[:, np.newaxis], evidence[n:, :n] - own
    odds = np.exp(np.minimum(gain, 0.0))
    shares = np.zeros(agreement.shape)
    shares[cells] = odds / np.maximum(np.maximum(odds.sum(axis=1, keepdims=True), odds.sum(axis=0)), 1e-300)
    return shares


def _dense(around: Surroundings) -> Floats:
    """Return H_o without PAD."""
    dense: Floats = around.seen.toarray()[:, :-1] + np.outer(around.given, around.usual[:-1])
    return dense


def _figures(kin: CrossKin, agreement: Floats, rows: Codes, columns: Codes) -> dict[str, Floats]:
    """Return the figures of some pairs. What is said of the logs is the same for all."""
    a, b = kin.uses_a, kin.uses_b
    scores = np.maximum(kin.rounds.scores, 1e-12)
    is_clear, is_seconded = np.zeros((2, *scores.shape), dtype=bool)
    is_clear[kin.rounds.assigned] = are_clear = _are_clear(kin.rounds.scores, kin.rounds.assigned)
    is_seconded[kin.rounds.assigned] = kin.seconded & are_clear
    leads = [np.tanh(6 * np.log(of_side / _best_other(of_side))) for of_side in (scores, scores.T)]
    weights = scores ** POWERS[1]
    share = weights / weights.sum(axis=1, keepdims=True) * (weights / weights.sum(axis=0))
    profile = profile_likeness(a.profiles, b.profiles, VIEWS[0].cases, VIEWS[0].ends)
    of_pairs = {
        "agreement": _closeness(agreement[rows, columns]),
        "cases": _logarithm(np.minimum(a.cases[rows], b.cases[columns])),
        "lead": (leads[0] + leads[1].T)[rows, columns],
        "profile": np.clip(profile[rows, columns], -4.0, 0.0),
        "frequency": np.clip(kin.frequencies[rows, columns], -6.0, 0.0),
        "share": _logit(share[rows, columns]),
        "assigned": is_clear[rows, columns].astype(np.float64),
        "seconded": is_seconded[rows, columns].astype(np.float64),
    }
    of_logs = {
        "log_agreement": _closeness(np.array(kin.rounds.agreement)),
        "all_seconded": _seconded_share(kin),
        "log_cases": _logarithm(np.array(min(a.n_cases, b.n_cases))),
        "labels": np.log(min(scores.shape)),
    }
    return of_pairs | {name: np.full(len(rows), value) for name, value in of_logs.items()}


def pair_probabilities(candidates: Candidates, weights: Weights, texts: TextEvidence | None = None) -> Floats:
    """Return the probability of each candidate pair; texts say how far behaviour counts, and add to the log-odds.

    If the smaller log has m cases, behaviour alone never makes a pair more likely than 3m / (3m + 1), nor an assigned pair than
    its share among partners that may be exchanged; these are as likely as their shares of what the assigned pair would have.
    """
    cases = np.exp(candidates.figures["log_cases"] + _MEAN_CASES)
    by_behaviour = np.minimum(weights.log_odds(candidates.figures), np.log(3 * cases))
    is_assigned, likely = candidates.figures["assigned"] > 0, probability_of(by_behaviour)
    rows, columns, shares = candidates.rows, candidates.columns, candidates.shares
    whole_a, whole_b = np.ones(rows.max() + 1), np.ones(columns.max() + 1)  # of the assigned pair of each activity
    whole_a[rows[is_assigned]], whole_b[columns[is_assigned]] = likely[is_assigned], likely[is_assigned]
    shared = shares * np.minimum(whole_a[rows], whole_b[columns])
    likely = np.where(is_assigned, np.minimum(likely, shares), np.maximum(likely, shared))
    by_behaviour = np.log(np.maximum(likely, 1e-12)) - np.log(np.maximum(1 - likely, 1e-12))
    if texts is None:
        return probability_of(by_behaviour)
    by_behaviour = texts.trust * by_behaviour + (1 - texts.trust) * _NO_EVIDENCE
    points = texts.points[candidates.rows, candidates.columns]
    return probability_of(np.where(points > 0, np.maximum(by_behaviour, _NO_EVIDENCE) + points, by_behaviour))


def normalised(likely: Floats, candidates: Candidates, kin: CrossKin, known: Codes) -> Floats:
    """Return the probabilities of all pairs: known pairs are certain, pairs apart excluded; an activity's sum to 1 at most.

    What is over 1 is taken from the candidates that are not assigned, because assigned pairs are what is stated. Pairs that only
    the order of labels has assigned are treated as the others.
    """
    pairs, assigned = np.zeros((2, *kin.rounds.scores.shape))
    pairs[candidates.rows, candidates.columns] = likely
    pairs[known[:, 0]] = 0.0
    pairs[:, known[:, 1]] = 0.0
    pairs[known[:, 0], known[:, 1]] = 1.0
    pairs[kin.apart] = 0.0
    is_assigned = candidates.figures["assigned"] > 0
    place = candidates.rows[is_assigned], candidates.columns[is_assigned]
    assigned[place] = pairs[place]
    others = pairs - assigned
    left_a, left_b = 1 - assigned.sum(axis=1, keepdims=True), 1 - assigned.sum(axis=0)
    of_a, of_b = others.sum(axis=1, keepdims=True), others.sum(axis=0)
    fits_a, fits_b = (np.minimum(left / np.maximum(of, 1e-300), 1.0) for left, of in ((left_a, of_a), (left_b, of_b)))
    return assigned + others * np.minimum(fits_a, fits_b)  # at once, so that it does not matter which log is called a


def partner_figures(kin: CrossKin, pairs: Floats, agreement: Floats, side: int) -> dict[str, Floats]:
    """Return the figures of each activity of a (side 0) or b (side 1), by name.

    They are its likeliest pair, the sum of all, its cases, how far the neighbours of the one agree that agrees most, and the
    share of labels that its log has more than the other.
    """
    n, others = pairs.shape[side], pairs.shape[1 - side]
    return {
        "best": _logit(pairs.max(axis=1 - side)),
        "sum": _logit(pairs.sum(axis=1 - side)),
        "cases": _logarithm((kin.uses_b if side else kin.uses_a).cases),
        "agreement": _closeness(agreement.max(axis=1 - side)),
        "surplus": np.full(n, (n - others) / max(n, others)),
    }


def split_steps(
    side: SideName, one: Variants, other: Variants, probabilities: PartnerProbabilities, assigned: tuple[Codes, Codes]
) -> list[SplitStep]:
    """Find the steps that are one label in the log ``side``, whose variants are ``one``, and several in the ``other``.

    ``assigned`` are the codes of the best one-to-one assignment. The first part is the partner by it.
    """
    agreement, likely = probabilities.agreement, probabilities.pairs
    rows, columns = (codes.tolist() for codes in assigned)
    if side == "b":
        agreement, likely, rows, columns = agreement.T, likely.T, columns, rows
    partner_of, could_have = dict(zip(rows, columns, strict=True)), dict(zip(columns, rows, strict=True))
    shared = CoOccurrence(other).shared_cases()
    cases = np.diag(shared)
    share_one, share_other = one.activity_cases / cases_with_events(one), cases / cases_with_events(other)
    further: dict[int, list[int]] = {}
    for part in range(len(other.activities)):
        own = could_have.get(part)
        if cases[part] < _ENOUGH_CASES or (own is not None and likely[own, part] > PROPOSED):
            continue
        best = int(agreement[:, part].argmax())
        if best not in partner_of or best == own or agreement[best, part] < _AGREEMENT:
            continue
        first = partner_of[best]
        together = abs(np.log((share_other[first] + share_other[part]) / share_one[best]))
        is_likely = likely[best, first] + likely[best, part] > PROPOSED
        is_better = own is None or (agreement[own, part] < agreement[best, part] and likely[own, part] < 0.9 * likely[best, part])
        is_nearer = together < abs(np.log(share_other[first] / share_one[best]))
        is_apart = shared[first, part] <= _SHARED_CASES * min(cases[first], cases[part])
        if is_likely and is_better and is_nearer and is_apart:
            further.setdefault(best, [first]).append(part)
    splits = []
    for step, parts in sorted(further.items()):
        labels = tuple(other.activities[part] for part in parts)
        splits.append(SplitStep(one.activities[step], side, labels, float(likely[step, parts].sum()) * RIGHT_SPLITS))
    return splits


@cache
def shipped_weights() -> dict[str, Weights]:
    """Read the weights that come with the package."""
    return read_weights(shipped_content(__package__, "partner_weights.json"), {"pair": PAIR_FIGURES, "partner": PARTNER_FIGURES})


def _seconded_share(kin: CrossKin) -> float:
    """Return the share of the events of both logs whose activities have the same partner in all views."""
    rows, columns = (codes[kin.seconded] for codes in kin.rounds.assigned)
    events_a, events_b = kin.uses_a.events, kin.uses_b.events
    return float(events_a[rows].sum() / events_a.sum() + events_b[columns].sum() / events_b.sum()) / 2


def _are_clear(scores: Floats, assigned: tuple[Codes, Codes]) -> NDArray[np.bool_]:
    """Return for each assigned pair whether another partner would cost something; if not, the order of labels has chosen it."""
    rows, columns = assigned
    own, crossed = scores[rows, columns], scores[np.ix_(rows, columns)]
    cost = own[:, np.newaxis] + own - crossed - crossed.T  # of exchanging the partners of two pairs
    np.fill_diagonal(cost, np.inf)
    free_rows, free_columns = np.delete(scores, rows, axis=0)[:, columns], np.delete(scores, columns, axis=1)[rows]
    least = np.minimum(
        cost.min(axis=1, initial=np.inf), own - np.maximum(free_rows.max(axis=0, initial=0), free_columns.max(axis=1, initial=0))
    )
    is_clear: NDArray[np.bool_] = least > _TIE
    return is_clear


def _best_other(scores: Floats) -> Floats:
    """Return for each cell the largest score of the others in its row."""
    if scores.shape[1] == 1:
        return scores  # nothing to compare with: no lead
    second, first = np.partition(scores, -2, axis=1)[:, -2:].T[:, :, np.newaxis]
    return np.where(scores >= first, second, first)


def _closeness(agreement: Floats) -> Floats:
    """Return -ln(1.01 - agreement) - 2: how near an agreement is to 1."""
    closeness: Floats = -np.log(1.01 - np.clip(agreement, 0.0, 1.0)) - 2
    return closeness


def _logarithm(cases: NDArray[np.int64]) -> Floats:
    logarithm: Floats = np.log(np.minimum(cases, _MANY_CASES)) - _MEAN_CASES
    return logarithm


def _logit(share: Floats) -> Floats:
    share = np.clip(share, _LEAST_SHARE, 1 - _LEAST_SHARE)
    logit: Floats = np.log(share / (1 - share))
    return logit
