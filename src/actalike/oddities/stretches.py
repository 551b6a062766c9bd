"""Judge long cases as a whole: whether even their most ordinary stretch has unusually many surprising events.

In a case of hundreds of events something rare always happens somewhere, so one place tells little, and what tells is how much of
the case surprises. An event is *surprising* if its probability after the events before it is below e^-2: that of model.py with
contexts of up to five symbols, whose shorter context counts as much as one event for each different symbol. The *share* of a case
is that of surprising events in the 75 events in a row that have the fewest of them; cases with fewer than 75 events have none.

With ``m`` and ``v`` the mean and the variance of the shares of n ordinary cases, each left out of the counts where it is judged,
one case more with the share 1/2 in the mean and a variance of m (1 - m) in ``v``, ordinary shares are taken to follow a beta
distribution with that mean and variance. The odds that a case with the share ``s`` is unusual as a whole are::

    odds(whole) = 1 / P(an ordinary share is s or higher) - 1

with s a little below 1 where all 75 events surprise. And the more surprising events an ordinary case of this length has, the less
each of them tells: the gains of slips and breaks in a case of 75 or more events are divided by their number, at least 1, which is
the length of the case times the share of surprising events in all ordinary cases of such a length.
"""

import numpy as np
from scipy.special import betainc

from actalike.oddities.model import STRETCH, CaseProbabilities, DistinctCases, Floats, Ints

_CONTEXT = 5  # events before an event that its probability depends on
_BACK_OFF = 1.0
_SURPRISING = 2.0  # -ln p
_LARGEST = 60.0  # of ln odds
_LEAST_SIZE = 0.01  # of a beta distribution, which has to be positive


class Stretches:
    """Hold how unusual each long case is as a whole, by the counts of ``counted``, or else by those of the other ``cases``.

    ``odds`` are 0 for cases that are not long, and ``ordinary`` is how many surprising events an ordinary case of the same length
    has, 1 for cases that are not long. ``oddest`` is the place of the most surprising event of each case of ``long``.
    """

    def __init__(self, cases: DistinctCases, counted: DistinctCases | None = None) -> None:
        self.long: Ints = np.flatnonzero(cases.lengths >= STRETCH)
        self.odds: Floats = np.zeros(len(cases.lengths))
        self.ordinary: Floats = np.ones(len(cases.lengths))
        self.oddest: Ints = np.empty(0, dtype=np.int64)
        if not len(self.long):
            return
        here = _Surprises(cases, counted)
        usual = here if counted is None else _Surprises(counted)
        self.odds[self.long] = _odds_of(here.shares, usual.shares, usual.weights)
        self.ordinary[self.long] = np.maximum(cases.lengths[self.long] * usual.rates(self.long if counted is None else None), 1)
        self.oddest = here.oddest


class _Surprises:
    """Hold which events of some cases surprise, by the counts of others or of each other."""

    def __init__(self, cases: DistinctCases, counted: DistinctCases | None = None) -> None:
        self._cases = cases
        self._logs = CaseProbabilities(cases, counted, _CONTEXT, _BACK_OFF).log_probabilities[cases.places]
        self._until = np.append(0, np.cumsum(self._logs < -_SURPRISING))  # how many of the events before each surprise
        self.long = np.flatnonzero(cases.lengths >= STRETCH)
        self.weights: Ints = cases.weights[self.long]

    @property
    def shares(self) -> Floats:
        """Return the share of surprising events in the most ordinary stretch of each long case."""
        until = self._until
        fewest = [(until[begin + STRETCH : end + 1] - until[begin : end + 1 - STRETCH]).min() for begin, end in self._bounds]
        return np.array(fewest, dtype=np.float64) / STRETCH

    def rates(self, left_out: Ints | None) -> Floats:
        """Return which share of the events of all cases surprises: of all but one case of each variant that is left out."""
        cases = self._cases
        own = np.diff(self._until[cases.offsets])
        surprising, events = own @ cases.weights, cases.lengths @ cases.weights
        if left_out is not None:
            surprising, events = surprising - own[left_out], events - cases.lengths[left_out]
        return np.asarray(surprising / np.maximum(events, 1))

    @property
    def oddest(self) -> Ints:
        """Return the place of the most surprising event of each long case, the first of equal ones."""
        return self._cases.places[[begin + int(self._logs[begin:end].argmin()) for begin, end in self._bounds]]

    @property
    def _bounds(self) -> list[tuple[int, int]]:
        begins, ends = self._cases.offsets[self.long], self._cases.offsets[self.long + 1]
        return list(zip(begins.tolist(), ends.tolist(), strict=True))


def _odds_of(shares: Floats, ordinary: Floats, weights: Ints) -> Floats:
    """Return the odds that cases with some shares are unusual, if those of ordinary cases are these, with their weights."""
    n = float(weights.sum())
    mean = (float(ordinary @ weights) + 0.5) / (n + 1)
    largest = mean * (1 - mean)
    variance = (float((ordinary - mean) ** 2 @ weights) + largest) / (n + 1)
    size = max(largest / variance - 1, _LEAST_SIZE)
    beyond = betainc((1 - mean) * size, mean * size, 1 - shares * STRETCH / (STRETCH + 1))
    return np.asarray(1 / np.maximum(beyond, np.exp(-_LARGEST)) - 1)
