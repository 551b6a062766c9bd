"""Score how two logs are matched: scores of all pairs, an assignment, and answers, against the true partners.

All functions look in one direction: rows are queries, columns are candidates. Transpose for the other one. Rankings are scored
exactly on ties: equal scores (to 12 decimals) may stand in any order, and the value is the mean over all of them.
"""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.labels.metrics import Floats, Mask, average_precision
from actalike.benchmark.seeded_generator import random_words, seed_of

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
