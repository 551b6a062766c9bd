"""Count how many cases have each label never, once, twice and so on, to see how unusual a missing or a further event is.

With ``c(y, k)`` the cases in which the label ``y`` occurs ``k`` times, the case itself left out, a label that occurs ``k`` times
here and would occur ``k'`` times if a slip were undone adds::

    ln (c(y, k') + 1/2) / (c(y, k) + 1/2)

``k`` counts up to 9; 9 stands for all from 9 on.
"""

import numpy as np
from numpy.typing import NDArray

from actalike.oddities.count_tables import CountTable
from actalike.oddities.distinct_cases import DistinctCases

MOST_OCCURRENCES = 9
_PSEUDO_COUNT = 0.5

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Occurrences:
    """Hold how many cases have each label how often, and how often each variant has it."""

    def __init__(self, cases: DistinctCases) -> None:
        self._n_labels, self._weights = cases.n_labels, cases.weights
        labels = cases.symbols[cases.places]
        once = np.ones(len(labels), dtype=np.int64)
        self._own, _ = CountTable.of(cases.variant_of_event * cases.n_labels + labels, once)
        self.cases_with: Ints = np.zeros((cases.n_labels, MOST_OCCURRENCES + 1), dtype=np.int64)
        variant, label = np.divmod(self._own.keys, cases.n_labels)
        np.add.at(self.cases_with, (label, np.minimum(self._own.counts, MOST_OCCURRENCES)), cases.weights[variant])
        self.cases_with[:, 0] = cases.n_cases - self.cases_with.sum(axis=1)

    def in_variants(self, variants: Ints, labels: Ints) -> Ints:
        """Return how often a label occurs in a variant, for pairs of them."""
        return self._own.of_keys(variants * self._n_labels + labels)

    def at_least(self, label: int, times: int) -> int:
        """Return in how many cases a label occurs at least so often."""
        if times <= MOST_OCCURRENCES:
            return int(self.cases_with[label, times:].sum())
        variant, labels = np.divmod(self._own.keys, self._n_labels)
        often = (labels == label) & (self._own.counts >= times)
        return int(self._weights[variant[often]].sum())

    def gains(self, variants: Ints, labels: Ints, change: int) -> Floats:
        """Return by how much more usual a case of each variant has its labels if a block of them is added (+1) or removed (-1).

        ``labels`` has a row for each block. Each label of a block is changed after those before it.
        """
        gains = np.zeros(len(labels))
        for column in range(labels.shape[1]):
            label = labels[:, column]
            earlier = (labels[:, :column] == label[:, None]).sum(axis=1)
            here = self.in_variants(variants, label)
            now = here + change * earlier
            gains += np.log(self._others_with(label, now + change, here) / self._others_with(label, now, here))
        return gains

    def _others_with(self, labels: Ints, occurrences: Ints, here: Ints) -> Floats:
        """Return c(y, k) + 1/2: the case itself, which is left out, has the label ``here`` times."""
        occurrences = np.minimum(occurrences, MOST_OCCURRENCES)
        others = self.cases_with[labels, occurrences] - (occurrences == np.minimum(here, MOST_OCCURRENCES))
        return np.asarray(others + _PSEUDO_COUNT, dtype=np.float64)
