"""Weigh slips against none: the odds that a case has a slip, as the sum of the odds of its places.

The odds of a slip are how much more probable the case is with it than without any, in a case of L events (at least 1)::

    odds(slip) = P(slip) * P(the case undone) / P(the case) = exp(prior + caution * gain)

``prior`` and ``gain`` are those of case_slips.py. The odds of an unusual value are 1 / (L V p), with V and p of
attribute_model.py. An inserted event may have ordinary values or any, so its odds are multiplied by the mean of 1 and of the
product of 1 / (V p) over its values. At most one slip is weighed at a time, so the odds of slips add up. Beside these slips, a
case may go on with any step at any place, whatever led there (a *break*): its gain is ln p(y) / p(y | x) for the step (or the
end) ``y`` after the step ``x``, by their counts as a pair with 1/2 added to each (``after_one`` of case_probabilities.py). The
rarer the pair is than by chance, the larger it is. The prior of a break is -ln 2 L. Any of the values may be wrong and any of the
places may be a break, so their odds multiply::

    odds(break) = exp(-ln 2 L + caution * gain)
    odds(case) = sum of odds(slip) + product of (1 + odds(break)) - 1 + product of (1 + odds(value)) - 1
    score = ln (1 + odds)

``caution`` is 1 unless the slips of the median case had odds above 1. More than half of all cases cannot be odd: where it looks
so, the counts are too thin for so many labels, and all gains are made smaller until these odds are 1; the caution is found by
halving its interval ten times. Only slips have a part in it, with the odds that an inserted event has without its values. Breaks
need none: by the probabilities themselves, p(y) / p(y | x) is 1 on average. Neither do values: where any is as likely as another,
their odds are about 1 in every case.

So that sums stay finite, the odds of a slip, of a break, of a value and of the values of an inserted event are at most e^60 each,
and products of breaks or of values at most e^600.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from actalike.log import EventLog
from actalike.oddities.case_probabilities import CaseProbabilities
from actalike.oddities.case_slips import Slips
from actalike.oddities.distinct_cases import DistinctCases
from actalike.oddities.odd_data import KINDS

_LARGEST = 60.0  # of ln odds
_LARGEST_PRODUCT = 600.0  # far more than a sum of some odds, so that no event is odder than its case
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
        plainest = probabilities.plainest(cases.symbols, places, variants)
        self._break_gains = np.log(plainest / probabilities.after_one())
        self._break_priors = -np.log(_BREAK_CHOICES * np.maximum(cases.lengths[variants], 1))
        self._case_of_event = np.repeat(np.arange(log.n_cases), log.lengths)
        variant = cases.variant_of_case[self._case_of_event]
        self.event_of_variant = cases.offsets[variant] + np.arange(log.n_events) - log.offsets[self._case_of_event]
        self._values = np.exp(np.minimum(surprise, _LARGEST)) / log.lengths[self._case_of_event][:, None]
        of_values = _sums(self._case_of_event, np.log1p(self._values).sum(axis=1), log.n_cases)
        self._values_of_case = _of_product(of_values)
        self._with_values = (1 + np.exp(np.minimum(surprise.sum(axis=1), _LARGEST))) / 2

    def odds(self) -> Odds:
        """Return the odds with the caution that this log needs."""
        caution = self._caution()
        slips, breaks = self._slips_at(caution), self._breaks_at(caution)
        others, alone = self._of_variants(slips)
        others += _of_product(_sums(self._probabilities.variants, np.log1p(breaks), len(others)))
        inserted = alone[self.event_of_variant] * self._with_values
        in_case = _sums(self._case_of_event, inserted, self._log.n_cases)
        of_symbols = np.zeros(len(self._cases.symbols))
        of_symbols[self._probabilities.places] = breaks
        cases = others[self._cases.variant_of_case] + in_case + self._values_of_case
        return Odds(caution, slips, inserted, self._values, of_symbols, cases)

    def _caution(self) -> float:
        caution = 1.0
        if self._median(caution) > 1:
            low = 0.0
            for _ in range(_HALVINGS):
                middle = (low + caution) / 2
                low, caution = (low, middle) if self._median(middle) > 1 else (middle, caution)
        return caution

    def _median(self, caution: float) -> float:
        """Return the odds of the slips of the median case, without regard to attributes."""
        cases = self._cases
        others, alone = self._of_variants(self._slips_at(caution))
        of_variants = others + _sums(cases.variant_of_event, alone, len(others))
        return float(np.median(of_variants[cases.variant_of_case]))

    def _slips_at(self, caution: float) -> Floats:
        """Return the odds of each slip."""
        return np.asarray(np.exp(np.minimum(self._slips.priors + caution * self._slips.gains, _LARGEST)))

    def _breaks_at(self, caution: float) -> Floats:
        """Return the odds of each break: of the events of the variants, and then of their ends."""
        return np.asarray(np.exp(np.minimum(self._break_priors + caution * self._break_gains, _LARGEST)))

    def _of_variants(self, odds: Floats) -> tuple[Floats, Floats]:
        """Return the odds of all slips of each variant but for inserted events, and of each of its events to be inserted."""
        slips, inserted = self._slips, self._slips.is_inserted
        alone = np.zeros(len(self._cases.places))
        alone[self._cases.offsets[slips.variants[inserted]] + slips.starts[inserted]] = odds[inserted]
        return _sums(slips.variants, np.where(inserted, 0.0, odds), len(self._cases.weights)), alone


def any_of(odds: Floats) -> Floats:
    """Return the odds that any of the things in each row is wrong: the product of 1 + odds, less 1."""
    return _of_product(np.log1p(odds).sum(axis=1))


def _sums(groups: Ints, values: Floats, n_groups: int) -> Floats:
    """Return the sum of the values of each group."""
    return np.bincount(groups, weights=values, minlength=n_groups).astype(np.float64)  # without any, it has whole numbers


def _of_product(logs: Floats) -> Floats:
    """Return a product less 1 from the sum of its logarithms."""
    return np.asarray(np.expm1(np.minimum(logs, _LARGEST_PRODUCT)))


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
