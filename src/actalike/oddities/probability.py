"""How probable it is that something is wrong with a case, from its score and from those of all cases.

Scores are evidence, and rare is not wrong: logs in which nothing was planted have high scores, too. So each score is compared
with two shapes that real logs were found to have in common: how the scores of ordinary cases are distributed, and how those of
cases with a planted oddity. With l(s) how many times more frequent the score s is among the latter, and r the share of cases
with an oddity::

    p(case) = r l(s) / (1 - r + r l(s))

Logs differ in how many ordinary cases have high scores: from the score 1 on, their distribution is multiplied by the square root
of how many times more frequent scores of 1 to 3 are in this log. What else a log says of itself is r: its most probable value,
given the scores of all cases, as if of 100 more cases one had an oddity, and at least 0.5 %. Of a reference, all cases are
ordinary: l(s) is then what its cases, each left out of the counts, say of ordinary scores, with as much weight on the common
shape as on 100 cases.

A case is called odd by its *false alarms*: the share of ordinary cases among all others that score as high or higher, each case
being ordinary with the probability 1 - p. Of a reference of n cases, k of which score as high or higher where they are left out,
it is (k + 1) / (n + 1): were the case one of them, this is how probable it is that it scores as high.
"""

import numpy as np

from actalike.oddities.model import Floats, Ints

_EDGES = np.array([0, 0.25, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 10, 12, 15, 20, np.inf])  # of the bins of scores
# the share of cases in each bin: of ordinary cases and of those with a planted oddity, means over six logs and several kinds
# fmt: off
_ORDINARY = np.array([
    0.496, 0.104, 0.171, 0.0433, 0.0464, 0.0404, 0.0324, 0.0225, 0.015, 0.0136, 0.00765, 0.00371, 0.00195, 0.00131, 0.0004,
    0.00027, 0.00012, 0.00003,
])
_ODD = np.array([
    0.0226, 0.0116, 0.0162, 0.0116, 0.0217, 0.0362, 0.0346, 0.0383, 0.0487, 0.1639, 0.1646, 0.1729, 0.0882, 0.0851, 0.0362,
    0.0303, 0.0144, 0.0035,
])
# fmt: on
_USUAL_RATE = 0.01
_LEAST_RATE = 0.005
_USUAL_CASES = 100  # that the usual rate, and the common shape of a reference's scores, count as
_MIDDLE = 1.0, 3.0  # scores that few odd cases have, and that tell how frequent higher ones of ordinary cases are
_ROUNDS = 100  # of expectation maximisation


class Calibration:
    """Hold what the scores of a log say: ``rate`` is the share of its cases with an oddity.

    ``reference`` are the scores of the cases of a reference.

    >>> calibration = Calibration(np.array([0.0] * 98 + [9.0, 9.5]), np.ones(100, dtype=np.int64))
    >>> calibration.probabilities(np.array([0.0, 3.0, 9.0])).round(2).tolist()
    [0.0, 0.02, 0.49]
    """

    def __init__(
        self, scores: Floats, weights: Ints, reference: Floats | None = None, reference_weights: Ints | None = None
    ) -> None:
        ordinary = _of_log(scores, weights)
        if reference is not None:
            counts, _ = np.histogram(reference, _EDGES, weights=reference_weights)
            ordinary = (counts + _USUAL_CASES * _of_log(reference, reference_weights)) / (counts.sum() + _USUAL_CASES)
        self._reference = None if reference is None else (reference, reference_weights)
        # no higher score is less evidence
        self._ratios = np.maximum.accumulate(np.log(_ODD / ordinary))
        self.rate = self._found_rate(scores, weights)
        self._scores, self._weights = scores, weights

    def probabilities(self, scores: Floats) -> Floats:
        """Return how probable it is that something is wrong with cases of these scores."""
        return self._at(scores, self.rate)

    def false_alarms(self) -> Floats:
        """Return for each case which share of ordinary cases is called odd, if the case is, beside the case itself."""
        if self._reference is not None:
            of, weights = self._reference
            assert weights is not None
            return (_at_least(of, weights.astype(float), self._scores) + 1) / (weights.sum() + 1)
        ordinary = (1 - self.probabilities(self._scores)) * self._weights
        own = ordinary / np.maximum(self._weights, 1)
        return np.maximum(_at_least(self._scores, ordinary, self._scores) - own, 0) / np.maximum(ordinary.sum() - own, 1)

    def _at(self, scores: Floats, rate: float) -> Floats:
        middles = np.append((_EDGES[:-2] + _EDGES[1:-1]) / 2, _EDGES[-2])
        ratios = np.exp(np.interp(scores, middles, self._ratios))
        return np.asarray(rate * ratios / (1 - rate + rate * ratios))

    def _found_rate(self, scores: Floats, weights: Ints) -> float:
        rate = _USUAL_RATE
        for _ in range(_ROUNDS):
            found = float(self._at(scores, rate) @ weights)
            rate = (found + _USUAL_RATE * _USUAL_CASES) / (float(weights.sum()) + _USUAL_CASES)
        return max(rate, _LEAST_RATE)


def _of_log(scores: Floats, weights: Ints | None) -> Floats:
    """Return the shape of ordinary scores, with higher ones rarer or more frequent where those of the middle are."""
    counts, _ = np.histogram(scores, _EDGES, weights=weights)
    middle = (_EDGES[:-1] >= _MIDDLE[0]) & (_EDGES[1:] <= _MIDDLE[1])
    usual = float(_ORDINARY[middle].sum())
    ratio = (float(counts[middle].sum()) + usual * _USUAL_CASES) / (usual * (float(counts.sum()) + _USUAL_CASES))
    return np.asarray(np.where(_EDGES[:-1] >= _MIDDLE[0], _ORDINARY * np.sqrt(ratio), _ORDINARY))


def _at_least(scores: Floats, weights: Floats, limits: Floats) -> Floats:
    """Return the weight of all scores that are at least as high as each limit."""
    order = np.argsort(scores)
    above = np.append(np.cumsum(weights[order][::-1])[::-1], 0.0)
    return np.asarray(above[np.searchsorted(scores[order], limits)])
