"""Judge what a matcher says of one problem: its figures by name, and tallies if it gives probabilities.

What has a direction is judged in both, from the same scores, and the mean counts.
"""

import math
from typing import NamedTuple

import numpy as np

from actalike.benchmark.labels.metrics import Mask
from actalike.benchmark.matching.contract import Answer, Floats
from actalike.benchmark.matching.log_pairs import FEWEST
from actalike.benchmark.matching.metrics import (
    Numbers,
    PairScores,
    PartnerScores,
    assign,
    no_partner_ap,
    pair_scores,
    partner_scores,
    surest_precision,
)
from actalike.benchmark.matching.problems import ENOUGH_CASES, Problem, frequent_pairs
from actalike.benchmark.matching.truth import Pairs, one_to_one, partner_mask
from actalike.benchmark.scoring import Tally, tally_answers

OFTEN = tuple(f"{name}_often" for name in PartnerScores._fields)  # of labels in enough cases of both logs
SUREST = {"surest10": 0.1, "surest25": 0.25, "surest50": 0.5}
NONE_COUNTS = ("none_true", "none_said", "none_right")  # labels without a partner: in truth, as answered, both
NONE_COUNTS_OFTEN = tuple(f"{name}_often" for name in NONE_COUNTS)  # of labels in enough cases of their log
COST = ("seconds", "bytes")
FIGURES: tuple[str, ...] = (
    *PartnerScores._fields,
    *OFTEN,
    "chance",
    *SUREST,
    "none_ap",
    *NONE_COUNTS,
    *NONE_COUNTS_OFTEN,
    *PairScores._fields,
    *COST,
)
Figures = dict[str, float | None]  # by the names of FIGURES; None where there is no value


class Judged(NamedTuple):
    """Hold the figures of a matcher, and tallies of its probabilities: of proposed pairs, and of each label's best candidate."""

    figures: Figures
    proposed: Tally | None = None
    best: Tally | None = None


class _Part(NamedTuple):
    """Hold the part of a problem that is not known beforehand: the scores, the truth, and the labels."""

    scores: Floats
    true: Mask
    rows: list[str]
    columns: list[str]


def judge(answer: Answer, problem: Problem, seed: int = 0) -> Judged:
    """Judge an answer. ``seed`` decides how equal scores are assigned."""
    part, probabilities = _unknown_part(answer, problem)
    assigned = assign(part.scores, seed)
    has_truth = len(one_to_one(problem.true)) >= FEWEST
    figures: dict[str, float] = {}
    if has_truth:
        for pairs, names in ((one_to_one(problem.true), PartnerScores._fields), (_frequent(problem), OFTEN)):
            figures |= dict(zip(names, _both_ways(part, assigned, pairs, problem), strict=True))
        figures["chance"] = float(np.mean([1 / n for n in part.scores.shape]))
        figures |= _surest(part, assigned, probabilities)
    figures |= _no_partner(part, answer, probabilities, problem)
    rest = {pair for pair in problem.true if pair[0] in set(part.rows) and pair[1] in set(part.columns)}
    proposed = _proposed(answer, part, assigned)
    figures |= pair_scores(proposed, rest)._asdict()
    tallies = (None, None) if probabilities is None else _tallies(part, probabilities, proposed)
    return Judged(plain(figures), *tallies)


def plain(figures: dict[str, float]) -> Figures:
    """Return figures as result files hold them: None where there is no value."""
    return {name: None if math.isnan(value) else float(value) for name, value in figures.items()}


def _unknown_part(answer: Answer, problem: Problem) -> tuple[_Part, Floats | None]:
    labels_a, labels_b = problem.log_a.activities, problem.log_b.activities
    told = set(problem.known.values())
    rows = [i for i, label in enumerate(labels_a) if label not in problem.known]
    columns = [j for j, label in enumerate(labels_b) if label not in told]
    cells = np.ix_(rows, columns)
    true = partner_mask(labels_a, labels_b, problem.true)[cells]
    names = [labels_a[i] for i in rows], [labels_b[j] for j in columns]
    probabilities = None if answer.probabilities is None else answer.probabilities[cells]
    return _Part(answer.scores[cells], true, *names), probabilities


def _frequent(problem: Problem) -> Pairs:
    return frequent_pairs(problem.log_a, problem.log_b, one_to_one(problem.true))


def _both_ways(part: _Part, assigned: Numbers, pairs: Pairs, problem: Problem) -> PartnerScores:
    """Return the mean of both directions: each label that has a partner is asked for, among all of the other log."""
    unknown = [(a, b) for a, b in pairs if a not in problem.known]
    partners = partner_mask(part.rows, part.columns, unknown)
    back = np.full(len(part.columns), -1, dtype=np.int64)
    back[assigned[assigned >= 0]] = np.flatnonzero(assigned >= 0)
    counts_a, counts_b = (
        dict(zip(log.activities, log.activity_counts.tolist(), strict=True)) for log in (problem.log_a, problem.log_b)
    )
    there = _one_way(part.scores, partners, assigned, np.array([counts_a[label] for label in part.rows]))
    return_ = _one_way(part.scores.T, partners.T, back, np.array([counts_b[label] for label in part.columns]))
    return PartnerScores(*np.mean([there, return_], axis=0).tolist())


def _one_way(scores: Floats, partners: Mask, assigned: Numbers, counts: Numbers) -> PartnerScores:
    queries = partners.any(axis=1)
    return partner_scores(scores[queries], partners[queries], assigned[queries], counts[queries])


def _surest(part: _Part, assigned: Numbers, probabilities: Floats | None) -> dict[str, float]:
    """Return how many of the surest assigned pairs are right; a matcher without probabilities is as sure as its scores say."""
    rows = np.flatnonzero(assigned >= 0)
    sureness = (part.scores if probabilities is None else probabilities)[rows, assigned[rows]]
    right = part.true[rows, assigned[rows]]
    return {name: surest_precision(sureness, right, share) for name, share in SUREST.items()}


def _no_partner(part: _Part, answer: Answer, probabilities: Floats | None, problem: Problem) -> dict[str, float]:
    """Judge how labels without a partner are told, by how sure the best pair is, and by what the matcher says itself."""
    sure = part.scores if probabilities is None else probabilities
    precisions = [no_partner_ap(rows.max(axis=1), _any(true)) for rows, true in ((sure, part.true), (sure.T, part.true.T))]
    known = [value for value in precisions if not math.isnan(value)]
    figures = {"none_ap": float(np.mean(known)) if known else math.nan}
    if answer.unmatched_a is None or answer.unmatched_b is None:
        return figures
    counts = np.zeros((2, 3))
    for labels, has_partner, said, log in (
        (part.rows, _any(part.true), answer.unmatched_a, problem.log_a),
        (part.columns, _any(part.true.T), answer.unmatched_b, problem.log_b),
    ):
        often = {label for label, n in zip(log.activities, log.activity_cases.tolist(), strict=True) if n >= ENOUGH_CASES}
        alone = {label for label, has in zip(labels, has_partner.tolist(), strict=True) if not has}
        answered = said & set(labels)
        counts += [[len(alone & of), len(answered & of), len(answered & alone & of)] for of in (set(labels), often)]
    return figures | dict(zip((*NONE_COUNTS, *NONE_COUNTS_OFTEN), counts.ravel().tolist(), strict=True))


def _any(true: Mask) -> Mask:
    return np.asarray(true.any(axis=1))


def _proposed(answer: Answer, part: _Part, assigned: Numbers) -> set[tuple[str, str]]:
    """Return the pairs that a matcher proposes; one that proposes none is taken at its assignment."""
    if answer.pairs is None:
        return {(part.rows[i], part.columns[j]) for i, j in enumerate(assigned.tolist()) if j >= 0}
    rows, columns = set(part.rows), set(part.columns)
    return {(a, b) for a, b in answer.pairs if a in rows and b in columns}


def _tallies(part: _Part, probabilities: Floats, proposed: set[tuple[str, str]]) -> tuple[Tally, Tally]:
    """Tally the proposed pairs, and the best candidate of each label of both logs; of equally probable ones, the mean counts."""
    mask = partner_mask(part.rows, part.columns, proposed)
    of_pairs = tally_answers(probabilities[mask], part.true[mask].astype(np.float64))
    values, right = [], []
    for rows, true in ((probabilities.round(12), part.true), (probabilities.T.round(12), part.true.T)):
        best = rows == rows.max(axis=1, keepdims=True)
        values.append(rows.max(axis=1))
        right.append((best & true).sum(axis=1) / best.sum(axis=1))
    return of_pairs, tally_answers(np.concatenate(values), np.concatenate(right))
