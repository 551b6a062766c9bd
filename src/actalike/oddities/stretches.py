"""Judge long cases as a whole: whether even their most ordinary stretch has unusually many surprising events.

In a case of hundreds of events something rare always happens somewhere, so one place tells little, and what tells is how much of
the case surprises. An event is *surprising* if its probability after the events before it is below e^-2: that of model.py with
contexts of up to five symbols, whose shorter context counts as much as one event for each different symbol. The *share* of a case
is that of surprising events in the 100 events in a row that have the fewest of them; cases with fewer than 100 events have none.

With ``m`` and ``v`` the mean and the variance of the shares of the long cases of the log, or of its reference, each left out of
the counts where it is judged, one case more with the share 1/2 in the mean and a variance of m (1 - m) in ``v``, ordinary shares
are taken to follow a beta distribution with that mean and variance. The odds that a case with the share ``s`` is unusual as a
whole are::

    odds(whole) = 1 / P(an ordinary share is s or higher) - 1

with s a little below 1 where all 100 events surprise. And the more surprising events an ordinary case of this length has, the
less each of them tells: the gains of slips and breaks in a long case are divided by their number, at least 1, which is the length
of the case times the share of surprising events in the log, or in its reference.

A length that parts long cases from others is a choice: with 75 to 150 events, what is found among system calls is about the same.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import betainc

from actalike.oddities.model import STRETCH, CaseProbabilities, DistinctCases, Floats, Ints

_CONTEXT = 5  # events before an event that its probability depends on
_BACK_OFF = 1.0
_SURPRISING = 2.0  # -ln p
_LARGEST = 60.0  # of ln odds
_LEAST_SIZE = 0.01  # of a beta distribution, which has to be positive


class OrdinaryStretches(NamedTuple):
    """Hold what ordinary cases say: mean and variance of the shares of long ones, and which share of all events surprises."""

    mean: float
    variance: float
    rate: float

    def odds(self, shares: Floats) -> Floats:
        """Return the odds that cases with some shares are unusual as a whole."""
        size = max(self.mean * (1 - self.mean) / self.variance - 1, _LEAST_SIZE)
        beyond = betainc((1 - self.mean) * size, self.mean * size, 1 - shares * STRETCH / (STRETCH + 1))
        return np.asarray(1 / np.maximum(beyond, np.exp(-_LARGEST)) - 1)


class Stretches:
    """Hold the ``shares`` of the ``long`` cases, and the place of the most surprising event of each (``oddest``).

    The counts are those of ``counted``, or else those of the other ``cases``.
    """

    def __init__(self, cases: DistinctCases, counted: DistinctCases | None = None) -> None:
        self._cases = cases
        self.long: Ints = np.flatnonzero(cases.lengths >= STRETCH)
        logs = np.zeros(len(cases.places))
        if len(self.long):  # else nothing is asked of them
            logs = CaseProbabilities(cases, counted, _CONTEXT, _BACK_OFF).log_probabilities[cases.places]
        until = np.append(0, np.cumsum(logs < -_SURPRISING))  # how many of the events before each surprise
        self._surprising = np.diff(until[cases.offsets])
        fewest, oddest = [], []
        for begin, end in zip(cases.offsets[self.long].tolist(), cases.offsets[self.long + 1].tolist(), strict=True):
            fewest.append((until[begin + STRETCH : end + 1] - until[begin : end + 1 - STRETCH]).min())
            oddest.append(begin + int(logs[begin:end].argmin()))
        self.shares: Floats = np.array(fewest, dtype=np.float64) / STRETCH
        self.oddest: Ints = cases.places[np.array(oddest, dtype=np.int64)]

    def expected_surprises(self, rate: float | None) -> Floats:
        """Return how many events of an ordinary case as long as each surprise, 1 or more; 1 for cases that are not long.

        Of its events, ``rate`` surprise; if it is None, as many as in the other cases.
        """
        cases, own = self._cases, self._surprising[self.long]
        lengths = cases.lengths[self.long]
        surprising, events = self._surprising @ cases.weights, cases.lengths @ cases.weights
        rates = (surprising - own) / np.maximum(events - lengths, 1) if rate is None else rate
        expected = np.ones(len(cases.lengths))
        expected[self.long] = np.maximum(rates * lengths, 1)
        return expected

    @property
    def ordinary(self) -> OrdinaryStretches:
        """Return what these cases say, if they are ordinary."""
        cases, weights = self._cases, self._cases.weights[self.long]
        n = float(weights.sum())
        mean = (float(self.shares @ weights) + 0.5) / (n + 1)
        variance = (float((self.shares - mean) ** 2 @ weights) + mean * (1 - mean)) / (n + 1)
        rate = float(self._surprising @ cases.weights) / max(int(cases.lengths @ cases.weights), 1)
        return OrdinaryStretches(mean, variance, rate)
