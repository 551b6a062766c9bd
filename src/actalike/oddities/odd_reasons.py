"""Say what is odd about a case: its slips gathered into places, each with what was expected instead.

Slips that touch the same place of a case are different explanations of one oddity. They are gathered around the most likely one:
the oddity has the sum of their odds, and it is of the kind with the largest part of it. So the odds of the places of a case make
up those of the case: see odds.py. Of explanations that are equally likely, the first in the case counts, and then the first kind.
An inserted event that stands twice in a row is called repeated.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import log, log1p
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.log import EventLog
from actalike.oddities.attribute_symbols import Symbols
from actalike.oddities.case_probabilities import CaseProbabilities
from actalike.oddities.case_slips import Slips
from actalike.oddities.distinct_cases import LONGEST_CONTEXT, DistinctCases
from actalike.oddities.occurrences import Occurrences
from actalike.oddities.odd_data import KINDS, Expected, Kind, OddEvent
from actalike.oddities.odds import Odds

_EXPECTED = 3  # how many alternatives are listed
ENOUGH = 20  # times that a context must have been seen to be quoted, if a shorter one was
_CLEARER = 2.0  # by this factor a longer context must be clearer than a shorter one to be quoted
_CLEARER_SEAM = 5.0  # and by this one another seam of a slip than the first
_NEGLIGIBLE = 1e-3  # odds below which an explanation is left out, as a part of the odds of its case; odds of 1 never are
_LAST_RESORT = 0.1  # a part of the odds of an oddity: if slips have less, it is called after its breaks
_TINY = 1e-300  # in place of odds of 0, which have no logarithm
SCORE_DIGITS = 9  # after the point that logarithms are compared by: further ones depend on the order in which sums are made

Ints = NDArray[np.int64]
_Key = tuple[str, int, int]


@dataclass
class _Place:
    """Hold one explanation of an oddity: a slip, or the value of an attribute (``column``) of an event."""

    kind: Kind
    odds: float
    links: tuple[int, int]  # the first and the last link between neighbours that it touches; link i is before event i
    events: tuple[int, ...]
    column: int = -1
    missing: tuple[int, ...] = ()
    is_break: bool = False

    @property
    def order(self) -> tuple[float, tuple[int, int], int, tuple[int, ...], tuple[int, ...], int]:
        """Return what explanations are sorted by: the most likely first."""
        likely = round(-log(max(self.odds, _TINY)), SCORE_DIGITS)
        return likely, self.links, KINDS.index(self.kind), self.events, self.missing, self.column

    @property
    def touches(self) -> list[_Key]:
        """Return what another explanation has to meet to be one of the same oddity: a link between events, or a value."""
        if self.kind == "attribute":
            return [("value", self.events[0], self.column), ("values", self.events[0], 0)]
        return [*self._links, ("inserted", self.events[0], 0)] if self.kind == "inserted" else self._links

    @property
    def meets(self) -> list[_Key]:
        """Return what makes this explanation one of the same oddity as another: unusual values may come from an insertion."""
        if self.kind == "attribute":
            return [("value", self.events[0], self.column), ("inserted", self.events[0], 0)]
        return [*self._links, ("values", self.events[0], 0)] if self.kind == "inserted" else self._links

    @property
    def _links(self) -> list[_Key]:
        """Return the links that a slip touches: its own, and those whose probability it changes as a part of their context."""
        return [("link", link, 0) for link in range(self.links[0], self.links[1] + LONGEST_CONTEXT)]


class Reasons:
    """Make the reasons of cases from the odds of their slips."""

    def __init__(
        self,
        log: EventLog,
        cases: DistinctCases,
        probabilities: CaseProbabilities,
        slips: Slips,
        odds: Odds,
        attributes: Sequence[tuple[str, Symbols]],
        occurrences: Occurrences,
    ) -> None:
        self._log, self._cases, self._probabilities = log, cases, probabilities
        self._slips, self._odds, self._attributes, self._occurrences = slips, odds, attributes, occurrences
        self._order = np.argsort(slips.variants, kind="stable")
        self._bounds = np.searchsorted(slips.variants[self._order], np.arange(len(cases.lengths) + 1))
        self._values_by_activity = {name: _Values(log.codes, symbols) for name, symbols in attributes}

    def of_case(self, case: int) -> list[OddEvent]:
        """Return what is odd about a case, the oddest first."""
        reasons = []
        for alike in _gathered(self._explanations(case)):
            chosen = _most_likely(alike)
            if chosen.kind == "inserted":
                chosen = self._as_repeated(case, chosen, alike)
            reasons.append(self._odd_event(case, chosen, sum(place.odds for place in alike)))
        return sorted(reasons, key=lambda one: (-one.score, one.position))

    def _as_repeated(self, case: int, inserted: _Place, alike: Sequence[_Place]) -> _Place:
        """Return the repetition that an inserted event is if it stands twice in a row, or else the insertion."""
        start, event = int(self._log.offsets[case]), inserted.events[0]
        for place in alike:
            second = place.events[0] if place.kind == "repeated" and len(place.events) == 1 else -1
            if second in (event, event + 1) and self._log.codes[start + second - 1] == self._log.codes[start + second]:
                return place
        return inserted

    def _explanations(self, case: int) -> list[_Place]:
        """Return all explanations of what is odd about a case, but for those that hardly count."""
        variant = int(self._cases.variant_of_case[case])
        start, end = self._log.offsets[case : case + 2].tolist()
        least = min(_NEGLIGIBLE * float(self._odds.cases[case]), 1.0)
        places = []
        for slip in self._order[self._bounds[variant] : self._bounds[variant + 1]].tolist():
            kind = KINDS[self._slips.kinds[slip]]
            first, last, size = (int(array[slip]) for array in (self._slips.starts, self._slips.ends, self._slips.sizes))
            odds = float(self._odds.inserted[start + first] if kind == "inserted" else self._odds.slips[slip])
            if odds < least:
                continue
            block = last - size if kind == "late" else first
            events = () if kind == "skipped" else tuple(range(block, block + size))
            missing = tuple(code for code in self._slips.missing[slip].tolist() if code >= 0)
            if kind == "inserted" and self._odds.slips[slip] < 1:  # the values of the event are the evidence, not the event
                column = int(self._odds.values[start + first].argmax()) if len(self._attributes) else -1
                places.append(_Place("attribute" if column >= 0 else kind, odds, (first, last), events, column=column))
                continue
            places.append(_Place(kind, odds, (first, last), events, missing=missing))
        first, length = int(self._cases.first[variant]), end - start
        for position in np.flatnonzero(self._odds.breaks[first : first + length + 1] >= least).tolist():
            odds = float(self._odds.breaks[first + position])
            # the case goes on, or ends, as it should not: an event too much, or something is missing at the end
            events = (position,) if position < length else ()
            broken: Kind = "inserted" if events else "skipped"
            places.append(_Place(broken, odds, (position, position), events, is_break=True))
        rows, columns = np.nonzero(self._odds.values[start:end] >= least)
        for position, column in zip(rows.tolist(), columns.tolist(), strict=True):
            odds = float(self._odds.values[start + position, column])
            places.append(_Place("attribute", odds, (position, position), (position,), column=column))
        return places

    def _odd_event(self, case: int, place: _Place, odds: float) -> OddEvent:
        log, start = self._log, int(self._log.offsets[case])
        codes = log.codes[start : log.offsets[case + 1]]
        position = place.events[0] if place.events else place.links[0]
        seam, quoted = self._quoted(codes, place)
        moved = {"early": place.links[1], "late": place.links[0]}.get(place.kind)
        attribute = value = None
        if place.kind == "attribute":
            attribute, symbols = self._attributes[place.column]
            value = symbols.names[symbols.codes[start + position]]
            seam, quoted = position, self._values_by_activity[attribute].of_event(start + position)
        return OddEvent(
            case=log.case_ids[case],
            case_number=case,
            position=position,
            events=place.events or ((position,) if position < len(codes) else ()),
            activity=log.activities[codes[position]] if position < len(codes) else None,
            kind=place.kind,
            score=round(log1p(odds), SCORE_DIGITS),
            before=log.activities[codes[position - 1]] if position else None,
            after=log.activities[codes[position + 1]] if position + 1 < len(codes) else None,
            times=quoted.times,
            total=quoted.total,
            expected=quoted.expected,
            context=quoted.context,
            seam=seam,
            missing=tuple(log.activities[code] for code in place.missing),
            belongs=moved,
            attribute=attribute,
            value=value,
            occurs=self._occurs(codes, position) if place.kind == "repeated" else None,
            same_time=place.kind in ("early", "late") and self._same_time(start, place),
        )

    def _occurs(self, codes: NDArray[np.int32], position: int) -> tuple[int, int, int]:
        """Return how often the activity of an event occurs in its case, in how many cases so often, and in how many at all."""
        label, times = int(codes[position]), int((codes == codes[position]).sum())
        return times, self._occurrences.at_least(label, times), self._occurrences.at_least(label, 1)

    def _same_time(self, start: int, place: _Place) -> bool:
        """Return whether all events that a slip moves or jumps over have the same time: then their order says nothing."""
        if self._log.timestamps is None:
            return False
        times = self._log.timestamps[start + place.links[0] : start + place.links[1]]
        return bool((times == times[0]).all())  # a time that is missing equals none

    def _quoted(self, codes: NDArray[np.int32], place: _Place) -> tuple[int, "_Quoted"]:
        """Return the event that shows best what is odd about a place, and how its context usually goes on.

        That is the first event of the block or after the gap, unless another seam of the slip is much clearer.
        """
        first, last = place.links
        seams = [first]
        if place.kind in ("early", "late"):
            block = len(place.events)
            seams.append(first + block if place.kind == "early" else last - block)
        if place.kind not in ("skipped", "attribute"):
            seams.append(last)
        quoted = {seam: self._context(codes, seam) for seam in seams}
        best = first
        for seam in seams:
            if quoted[seam].share * _CLEARER_SEAM < quoted[best].share:
                best = seam
        return best, quoted[best]

    def _context(self, codes: NDArray[np.int32], position: int) -> "_Quoted":
        """Return how a context usually goes on that shows well that an event is odd.

        That is the shortest one, unless a longer one that was seen often enough is much clearer.
        """
        cases, labels = self._cases, [*self._log.activities, None, None]
        symbols = np.concatenate([[cases.start], codes[:position]])
        here = int(codes[position]) if position < len(codes) else cases.end
        best: _Quoted | None = None
        for length in range(1, min(LONGEST_CONTEXT, len(symbols)) + 1):
            following, times = self._probabilities.following(symbols[-length:])
            context = tuple(labels[symbol] for symbol in symbols[-length:].tolist())
            quoted = _quotation(context, following, times, here, labels)
            if best is None or (quoted.total >= ENOUGH and quoted.share * _CLEARER < best.share):
                best = quoted
        assert best is not None  # there is always the context of length 1
        return best


class _Quoted(NamedTuple):
    """Hold how often a context goes on as here, and otherwise."""

    context: tuple[str | None, ...]
    times: int
    total: int
    expected: tuple[Expected, ...]

    @property
    def share(self) -> float:
        return self.times / self.total


def _quotation(context: tuple[str | None, ...], choices: Ints, times: Ints, here: int, names: Sequence[str | None]) -> _Quoted:
    """Return how often ``here`` was chosen in a context, and which of the other choices are the most frequent."""
    total = int(times.sum())
    order = [i for i in np.lexsort((choices, -times)).tolist() if choices[i] != here][:_EXPECTED]
    expected = tuple(Expected(names[choices[i]], int(times[i]), int(times[i]) / total) for i in order)
    return _Quoted(context, int(times[choices == here].sum()), total, expected)


class _Values:
    """Hold which values of an attribute each activity has."""

    def __init__(self, codes: NDArray[np.int32], symbols: Symbols) -> None:
        self._codes, self._symbols = codes, symbols
        self._keys, self._counts = np.unique(codes.astype(np.int64) * len(symbols.names) + symbols.codes, return_counts=True)

    def of_event(self, event: int) -> _Quoted:
        """Return how often the activity of an event has its value, how often it occurs, and which values it has otherwise."""
        n_values, activity, value = len(self._symbols.names), int(self._codes[event]), int(self._symbols.codes[event])
        begin, end = np.searchsorted(self._keys, [activity * n_values, (activity + 1) * n_values])
        values = self._keys[begin:end] - activity * n_values
        return _quotation((), values, self._counts[begin:end], value, self._symbols.names)


def _most_likely(alike: Sequence[_Place]) -> _Place:
    """Return the most likely explanation of the kind with the largest odds; a break explains nothing if a slip does."""
    slips = [place for place in alike if not place.is_break]
    if sum(place.odds for place in slips) < _LAST_RESORT * sum(place.odds for place in alike):
        slips = list(alike)
    by_kind: dict[Kind, float] = defaultdict(float)
    for place in slips:
        by_kind[place.kind] += place.odds
    kind = max(by_kind, key=lambda name: round(log(max(by_kind[name], _TINY)), SCORE_DIGITS))
    return next(place for place in slips if place.kind == kind)


def _gathered(explanations: Sequence[_Place]) -> list[list[_Place]]:
    """Return the explanations of each oddity, the most likely first: each belongs to the most likely one that it meets."""
    oddities: list[list[_Place]] = []
    touched: dict[_Key, int] = {}
    for place in sorted(explanations, key=lambda place: place.order):
        number = min((touched[key] for key in place.meets if key in touched), default=len(oddities))
        if number == len(oddities):
            oddities.append([])
            for key in place.touches:
                touched.setdefault(key, number)
        oddities[number].append(place)
    return oddities
