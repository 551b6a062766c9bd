"""Weigh slips against none: the odds that a case has a slip, as the sum of the odds of its places.

The odds of a slip are how much more probable the case is with it than without any::

    odds(slip) = P(slip) * P(the case undone) / P(the case) = exp(prior + caution * gain)

The odds of an unusual value are 1 / (L V p), in a case of L events. An inserted event may have ordinary values or any, so its
odds are multiplied by the mean of 1 and of the product of 1 / (V p) over its values. At most one slip is weighed at a time, so
the odds of slips add up. Beside these slips, a case may go on with any step at any place, whatever led there (a *break*), with
the odds p(y) / (2 L p(y | h)) for the step ``y`` after ``h``. Any of the values may be wrong and any of the places may be a
break, so their odds multiply::

    odds(case) = sum of odds(slip) + product of (1 + odds(break)) - 1 + product of (1 + odds(value)) - 1
    score = ln (1 + odds)

``caution`` is 1 unless the slips of the median case had odds above 1. More than half of all cases cannot be odd: where it looks
so, the counts are too thin for so many labels, and all gains are made smaller until these odds are 1. Values have no part in
this: where any value is as likely as another, their odds are about 1 in every case.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from actalike.log import EventLog
from actalike.oddities.case_probabilities import CaseProbabilities
from actalike.oddities.case_slips import Slips
from actalike.oddities.distinct_cases import DistinctCases
from actalike.oddities.odd_data import KINDS

_LARGEST = 60.0  # of ln odds, so that sums stay finite
_BREAK_CHOICES = 2  # a break is half as likely as a slip of another kind, at each place
_HALVINGS = 10  # of the interval in which the caution lies: it is found to within 0.001

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Odds:
    """Hold the odds of each slip, and those of the inserted events and unusual values of each event.

    ``slips`` are for a case of the variant without regard to attributes; those of inserted events are in ``inserted`` for each
    event of the log, with its values. ``values`` has a column for each attribute. ``breaks`` are those of the symbols of the
    variants, the end included.
    """

    caution: float
    slips: Floats
    inserted: Floats
    values: Floats
    breaks: Floats
    cases: Floats


class Weighing:
    """Weigh the slips of a log."""

    def __init__(self, log: EventLog, probabilities: CaseProbabilities, slips: Slips, surprise: Floats) -> None:
        """Prepare the odds of ``slips``. ``surprise`` is -ln (V p) of each event's values, with a column for each attribute."""
        cases = probabilities.cases
        self._log, self._cases, self._slips, self._probabilities = log, cases, slips, probabilities
        places, variants = probabilities.places, probabilities.variants
        self._break_gains = np.log(probabilities.plainest(cases.symbols, places, variants))
        self._break_gains -= probabilities.log_probabilities[places]
        self._break_priors = -np.log(_BREAK_CHOICES * np.maximum(cases.lengths[variants], 1))
        self._case_of_event = np.repeat(np.arange(log.n_cases), log.lengths)
        variant = cases.variant_of_case[self._case_of_event]
        self.event_of_variant = cases.offsets[variant] + np.arange(log.n_events) - log.offsets[self._case_of_event]
        self._values = np.exp(np.minimum(surprise, _LARGEST)) / log.lengths[self._case_of_event][:, None]
        of_values = np.bincount(self._case_of_event, weights=np.log1p(self._values).sum(axis=1), minlength=log.n_cases)
        self._values_of_case = np.expm1(np.minimum(of_values, _LARGEST))
        self._with_values = (1 + np.exp(np.minimum(surprise.sum(axis=1), _LARGEST))) / 2

    def odds(self) -> Odds:
        """Return the odds with the caution that this log needs."""
        caution = 1.0
        if np.median(self._slips_at(caution)[-1]) > 1:
            low = 0.0
            for _ in range(_HALVINGS):
                middle = (low + caution) / 2
                low, caution = (low, middle) if np.median(self._slips_at(middle)[-1]) > 1 else (middle, caution)
        slips, inserted, breaks, of_slips = self._slips_at(caution)
        return Odds(caution, slips, inserted, self._values, breaks, of_slips + self._values_of_case)

    def _slips_at(self, caution: float) -> tuple[Floats, Floats, Floats, Floats]:
        """Return the odds of each slip, of each event to be inserted, of each break, and of each case to have any of them."""
        slips, cases = self._slips, self._cases
        odds = np.exp(np.minimum(slips.priors + caution * slips.gains, _LARGEST))
        others = np.bincount(slips.variants, weights=np.where(slips.is_inserted, 0.0, odds), minlength=len(cases.weights))
        alone = np.zeros(len(cases.places))
        alone[cases.offsets[slips.variants[slips.is_inserted]] + slips.starts[slips.is_inserted]] = odds[slips.is_inserted]
        inserted = alone[self.event_of_variant] * self._with_values
        in_case = np.bincount(self._case_of_event, weights=inserted, minlength=self._log.n_cases)
        breaks = np.zeros(len(cases.symbols))
        odds_of_breaks = np.exp(np.minimum(self._break_priors + caution * self._break_gains, _LARGEST))
        breaks[self._probabilities.places] = odds_of_breaks
        all_breaks = np.bincount(self._probabilities.variants, weights=np.log1p(odds_of_breaks), minlength=len(cases.weights))
        others += np.expm1(np.minimum(all_breaks, _LARGEST))
        return odds, inserted, breaks, np.asarray(others[cases.variant_of_case] + in_case, dtype=np.float64)


def marked_events(cases: DistinctCases, slips: Slips) -> tuple[Ints, Ints]:
    """Return which slips make which events odd: numbers of slips, and of events of the variants.

    These are the events of the block, and for missing or moved steps the event after the gap that they leave.
    """
    first = cases.offsets[slips.variants]
    length = cases.lengths[slips.variants]
    kind = {name: slips.kinds == KINDS.index(name) for name in KINDS}
    numbers, events = [], []
    # where the block stands: at the start of what is replaced, or at its end if it is late
    block = np.where(kind["late"], slips.ends - slips.sizes, slips.starts)
    for i in range(int(slips.sizes.max(initial=0))):
        chosen = np.flatnonzero((slips.sizes > i) & ~kind["skipped"])
        numbers.append(chosen)
        events.append(first[chosen] + block[chosen] + i)
    gap = np.where(kind["early"], slips.ends, slips.starts)  # the event after the gap
    chosen = np.flatnonzero((kind["skipped"] & (length > 0)) | kind["late"] | (kind["early"] & (gap < length)))
    numbers.append(chosen)
    events.append(first[chosen] + np.minimum(gap, length - 1)[chosen])  # a step missing at the end marks the last event
    return np.concatenate(numbers), np.concatenate(events)
