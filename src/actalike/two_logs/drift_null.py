"""Test changes against chance: shuffle cases between two logs, and allow for testing many activities at once.

The null of an activity shuffles the cases *that contain it*, and keeps how many of them are before and after. So an activity that
is only used more often than before, in the same company, did not change.

With B shuffles, p = (1 + number of shuffles with D* >= D) / (1 + B). A single activity among m needs a p of 0.05 / m, so B must
be large, but only where the first shuffles leave it open: an activity is done once 10 shuffles reached its change. Such a p is
valid (below u with a probability of at most u), because it is one of 1 + B exchangeable ranks, and stopping early only where it
is large never makes it smaller.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from actalike.two_logs.drift_company import ROUNDING, ActivityCompany, Floats, Integers

LEVEL = 0.05  # of the false discoveries that are allowed
FIRST_SHUFFLES = 200
_MOST_SHUFFLES = 100_000
_ENOUGH = 10  # shuffles that reach a change: p is known well enough
_FINER = 4  # how many times finer than the level p must be where few activities are left
_CELLS_AT_A_TIME = 1 << 21
_FEW_CASES = 8  # of each profile: then shuffling single cases is faster


class Null:
    """Shuffle the cases of one activity, and count how often the change of a shuffle reaches its change."""

    def __init__(self, company: ActivityCompany, rng: np.random.Generator) -> None:
        self.company, self.rng = company, rng
        self.change = float(company.changes(company.before[np.newaxis])[0])
        self.reached = self.shuffles = 0
        self.by_chance = 0.0  # the change that 95 % of the first shuffles stay below
        self._cases = company.before + company.after

    @property
    def p(self) -> float:
        """Return the share of shuffles, and of the log as it is, whose change is not smaller."""
        return (1 + self.reached) / (1 + self.shuffles)

    def shuffle(self, until: int) -> None:
        """Shuffle until there were so many shuffles."""
        at_a_time = max(1, _CELLS_AT_A_TIME // max(self.company.counts.shape))
        is_first = not self.shuffles
        pieces = []
        while self.shuffles < until:
            changes = self.company.changes(self._draw(min(at_a_time, until - self.shuffles)))
            self.reached += int(np.count_nonzero(changes >= self.change - ROUNDING))
            self.shuffles += len(changes)
            pieces.append(changes)
        if is_first:
            self.by_chance = float(np.quantile(np.concatenate(pieces), 0.95))

    def _draw(self, times: int) -> Integers:
        """Draw how many cases of each profile are before. Cases with and without the given activity are shuffled apart."""
        before = np.empty((times, len(self._cases)), dtype=np.int64)
        for part in (self.company.has_given, ~self.company.has_given):
            if part.any():
                cases, drawn = self._cases[part], int(self.company.before[part].sum())
                method: Literal["count", "marginals"] = "count" if cases.sum() < _FEW_CASES * len(cases) else "marginals"
                before[:, part] = self.rng.multivariate_hypergeometric(cases, drawn, times, method=method)
        return before


def shuffle_further(nulls: Sequence[Null], tests: int) -> None:
    """Shuffle further where it is open whether a change is by chance, until p is fine enough for so many ``tests``."""
    target = FIRST_SHUFFLES
    while open_ones := [null for null in nulls if null.reached < _ENOUGH]:
        needed = min(int(_FINER * tests / (LEVEL * len(open_ones))), _MOST_SHUFFLES)
        if target >= needed:
            return
        target = min(needed, 4 * target)  # in stages: most of those that are open by chance are done after the next
        for null in open_ones:
            null.shuffle(target)


def discoveries(p: Floats) -> NDArray[np.bool_]:
    """Return which tests are discoveries by Benjamini and Hochberg: at most a share LEVEL of them is false, on average.

    >>> discoveries(np.array([0.01, 0.02, 0.2, 0.04])).tolist()
    [True, True, False, False]
    """
    ordered = np.sort(p)
    passed = np.flatnonzero(ordered <= LEVEL * np.arange(1, len(p) + 1) / max(len(p), 1))
    return p <= ordered[passed[-1]] if len(passed) else np.zeros(len(p), dtype=bool)
