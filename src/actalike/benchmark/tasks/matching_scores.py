"""Score how two logs are matched: scores of all pairs, an assignment, and answers, against the true partners.

Rows are queries, columns are candidates. What has a direction is judged in both, from the same scores, and the mean counts.
Rankings are scored exactly on ties: equal scores (to 12 decimals) may stand in any order, and the value is the mean over all
of them.
"""

import math
from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.scoring import Floats, Mask, Tally, average_precision, plain_figures, tally_answers
from actalike.benchmark.seeded_generator import random_words, seed_of
from actalike.benchmark.tasks.matchers import Answer
from actalike.benchmark.tasks.matching_problems import (
    ENOUGH_CASES,
    FEWEST,
    Pairs,
    Problem,
    frequent_pairs,
    one_to_one,
    partner_mask,
)

Numbers = NDArray[np.int64]


class PartnerScores(NamedTuple):
    """Hold how well the partners of some queries are found; NaN without a query.

    - ``hit1``, ``hit5``: how often the partner is the best candidate, one of the best five.
    - ``mrr``: the mean of 1 / rank of the partner; of tied candidates, the mean rank counts.
    - ``assigned``: how often the partner is assigned to the query, if each label gets one partner at most.
    - ``events``: the same, weighted by the events of the query.
    """

    hit1: float
    hit5: float
    mrr: float
    assigned: float
    events: float


class PairScores(NamedTuple):
    """Hold how many of the proposed pairs are true, how many true pairs are proposed, and F; 0 where a share is of nothing."""

    precision: float
    recall: float
    f: float


def partner_scores(scores: Floats, partners: Mask, assigned: Numbers, counts: Numbers) -> PartnerScores:
    """Score rows of scores (higher: more likely the same step), each with one true partner, among all columns.

    ``assigned`` is the column that the assignment gives each row (-1: none), ``counts`` the events of each row's label. Leave
    out rows that are no queries and columns that are no candidates.

    >>> scores = np.array([[0.9, 0.1, 0.1], [0.9, 0.5, 0.5]])
    >>> partners = np.array([[True, False, False], [False, True, False]])
    >>> partner_scores(scores, partners, np.array([0, 2]), np.array([30, 10]))
    PartnerScores(hit1=0.5, hit5=1.0, mrr=0.7, assigned=0.5, events=0.75)
    """
    if not len(scores):
        return PartnerScores(*[float("nan")] * 5)
    better, tied = _places(scores, partners)
    right = (assigned >= 0) & partners[np.arange(len(partners)), assigned]
    return PartnerScores(
        _hits(better, tied, 1),
        _hits(better, tied, 5),
        float((1 / (1 + better + (tied - 1) / 2)).mean()),
        float(right.mean()),
        float((right * counts).sum() / counts.sum()),
    )


def _places(scores: Floats, partners: Mask) -> tuple[Numbers, Numbers]:
    """Return for each row how many candidates are better than the partner, and how many as good, itself included."""
    values = scores.round(12)
    own = values[partners][:, np.newaxis]  # one in each row, in the order of the rows
    return (values > own).sum(axis=1), (values == own).sum(axis=1)


def _hits(better: Numbers, tied: Numbers, m: int) -> float:
    return float(np.clip((m - better) / tied, 0, 1).mean())


def assign(scores: Floats, seed: int = 0) -> Numbers:
    """Give each row at most one column, so that the sum of scores is as large as possible; -1 where columns are too few.

    Rows and columns are shuffled before, so that equal scores are not decided by the order of the labels.

    >>> assign(np.array([[0.9, 0.8], [0.9, 0.1]])).tolist()
    [1, 0]
    """
    from scipy.optimize import linear_sum_assignment

    rows, columns = (np.argsort(random_words(seed_of("assign", seed, axis), n)) for axis, n in enumerate(scores.shape))
    i, j = linear_sum_assignment(scores[np.ix_(rows, columns)], maximize=True)
    assigned = np.full(len(scores), -1, dtype=np.int64)
    assigned[rows[i]] = columns[j]
    return assigned


def surest_precision(sureness: Floats, right: Mask, share: float) -> float:
    """Return the share of right answers among the surest ones, in expectation over all orders of ties; NaN without an answer.

    ``share`` says how many are taken: that part of all answers, rounded up.

    >>> surest_precision(np.array([0.9, 0.8, 0.8, 0.1]), np.array([True, True, False, False]), 0.5)
    0.75
    """
    n = int(np.ceil(share * len(right) - 1e-9))
    if not n:
        return float("nan")
    values = sureness.round(12)
    last = np.sort(values)[-n]
    surer, tied = values > last, values == last
    return float((right[surer].sum() + (n - surer.sum()) * right[tied].mean()) / n)


def no_partner_ap(sureness: Floats, has_partner: Mask) -> float:
    """Return the average precision of telling labels without a partner by how sure their best pair is; NaN if there is none.

    >>> no_partner_ap(np.array([0.9, 0.8, 0.1]), np.array([True, False, False])).__round__(3)
    1.0
    """
    return average_precision(-sureness, ~has_partner)


def pair_scores(proposed: Collection[tuple[str, str]], true: Collection[tuple[str, str]]) -> PairScores:
    """Score pairs of labels, of which a label may have several.

    >>> pair_scores([("a", "x"), ("b", "y")], [("a", "x"), ("a", "z")])
    PairScores(precision=0.5, recall=0.5, f=0.5)
    """
    n_right = len(set(proposed) & set(true))
    precision, recall = _share(n_right, len(set(proposed))), _share(n_right, len(set(true)))
    return PairScores(precision, recall, _share(2 * precision * recall, precision + recall))


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else 0.0


# --- an answer, judged --------------------------------------------------------------------------------------------------------


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
    return Judged(plain_figures(figures), *tallies)


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
