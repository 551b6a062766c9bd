"""Hold the distinct cases of a log (its variants) laid out with their start and end, and the variant of each case."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from actalike.log import EventLog, first_equal_cases

LONGEST_CONTEXT = 3  # events before an event that its probability depends on
MARGIN = LONGEST_CONTEXT + 1  # starts and ends around each variant, so that no window leaves it

Ints = NDArray[np.int64]


class DistinctCases:
    """Hold each variant once, as symbols: the activity codes, then ``start`` and ``end``.

    Event ``i`` of variant ``v`` is ``symbols[first[v] + i]``. ``MARGIN`` starts come before the events of a variant, and as many
    ends after them.

    >>> cases = DistinctCases(EventLog.from_traces([["a", "b"], ["b"], ["a", "b"]]))
    >>> cases.variant_of_case.tolist(), cases.weights.tolist(), cases.lengths.tolist(), cases.start, cases.end
    ([0, 1, 0], [2, 1], [2, 1], 2, 3)
    """

    def __init__(self, log: EventLog) -> None:
        first_equal = first_equal_cases(log.codes, log.offsets)
        first_cases, self.variant_of_case = np.unique(first_equal, return_inverse=True)
        self.weights: Ints = np.bincount(self.variant_of_case)
        self.lengths: Ints = log.lengths[first_cases]
        self.n_labels = len(log.activities)
        self.start, self.end, self.n_symbols = self.n_labels, self.n_labels + 1, self.n_labels + 2
        bounds = np.append(0, np.cumsum(self.lengths + 2 * MARGIN))
        self.first: Ints = bounds[:-1] + MARGIN
        self.variant_of_event: Ints = np.repeat(np.arange(len(self.lengths)), self.lengths)
        self.offsets: Ints = np.append(0, np.cumsum(self.lengths))  # of the variants among their events
        self.position: Ints = np.arange(self.offsets[-1]) - self.offsets[self.variant_of_event]
        self.places: Ints = self.first[self.variant_of_event] + self.position  # of the events among the symbols
        self.symbols: Ints = np.full(bounds[-1], self.start)
        self.symbols[self.places] = log.codes[log.offsets[first_cases][self.variant_of_event] + self.position]
        self.symbols[(self.first + self.lengths)[:, None] + np.arange(MARGIN)] = self.end

    @cached_property
    def ends(self) -> Ints:
        """Return the place of the first end after each variant."""
        return self.first + self.lengths

    @property
    def n_cases(self) -> int:
        """Return the number of cases."""
        return len(self.variant_of_case)
