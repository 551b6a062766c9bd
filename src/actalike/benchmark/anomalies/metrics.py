"""Score rankings of cases, events or cells against what was planted. Scores that are equal (to 12 decimals) are one threshold."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


class RankingScores(NamedTuple):
    """Hold how well scores find what was planted; NaN if nothing was.

    - ``f``: the largest F over all thresholds, so the threshold is chosen with the answers.
    - ``ap``: average precision, the sum over thresholds of the gain in recall times the precision.
    - ``share``: the share of planted ones, which is the ``ap`` of scores without information.
    - ``threshold``: the score from which on alarm is given for ``f``.
    """

    f: float
    ap: float
    share: float
    threshold: float


def ranking_scores(scores: Floats, planted: Mask) -> RankingScores:
    """Score a ranking, higher scores first.

    >>> ranking_scores(np.array([3.0, 2.0, 2.0, 1.0]), np.array([True, True, False, False]))
    RankingScores(f=0.8, ap=0.8333333333333333, share=0.5, threshold=2.0)
    """
    n_planted = int(planted.sum())
    if not n_planted:
        return RankingScores(math.nan, math.nan, 0.0, math.nan)
    values = scores.round(12)
    order = np.argsort(-values, kind="stable")
    ordered = values[order]
    ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))  # the last of each group of equal scores
    hits = np.cumsum(planted[order])[ends]
    precision = hits / (ends + 1)
    f = 2 * hits / (ends + 1 + n_planted)
    best = int(np.argmax(f))
    ap = float((np.diff(hits, prepend=0) * precision).sum() / n_planted)
    return RankingScores(float(f[best]), ap, n_planted / len(planted), float(ordered[ends[best]]))


def f_at(scores: Floats, planted: Mask, threshold: float) -> float:
    """Return F if alarm is given from a score on; NaN if nothing was planted.

    >>> f_at(np.array([3.0, 2.0, 1.0]), np.array([True, False, False]), 2.0).__round__(3)
    0.667
    """
    alarm = scores.round(12) >= threshold
    n_planted = int(planted.sum())
    return 2 * int((alarm & planted).sum()) / (int(alarm.sum()) + n_planted) if n_planted else math.nan


def recall_of_highest(scores: Floats, planted: Mask, share: float) -> float:
    """Return how many of the planted ones are in the highest share of the scores, in expectation over all orders of ties.

    The share is rounded up to whole ones. NaN if nothing was planted.

    >>> recall_of_highest(np.array([3.0, 2.0, 2.0, 1.0]), np.array([True, True, False, False]), 0.5)
    0.75
    """
    if not planted.any():
        return math.nan
    n = int(np.ceil(share * len(scores) - 1e-9))
    values = scores.round(12)
    last = np.partition(values, len(values) - n)[len(values) - n]
    higher, tied = values > last, values == last
    return float((planted[higher].sum() + (n - higher.sum()) * planted[tied].mean()) / planted.sum())
