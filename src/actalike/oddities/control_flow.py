"""What is odd about variants by the order of their activities: scores, and reasons with what was expected instead.

All of it is computed from :class:`~actalike.log.Variants`, the distinct sequences of activities with their numbers of cases: no
events are needed. detection.py adds what only the events of a log have: their attributes, the ids of cases, events at one time.

The odds of a slip are how much more probable the case is with it than without any, in a case of L events (at least 1)::

    odds(slip) = P(slip) * P(the case undone) / P(the case) = exp(prior + caution * gain)

``prior`` and ``gain`` are those of slips.py. The odds of an unusual value are 1 / (L V p), with V and p of attributes.py. An
inserted event may have ordinary values or any, so its odds are multiplied by the mean of 1 and of the product of 1 / (V p) over
its values. At most one slip is weighed at a time, so the odds of slips add up. Beside these slips, a case may go on with any step
at any place, whatever led there and whatever follows (a *break*). With p(y | x) how probable the step (or the end) ``y`` is after
the step ``x``, and p(x | y) how probable ``x`` is before ``y`` (``neighbours`` of model.py), and A labels, its gain is
-ln ((A + 1)^2 p(y | x) p(x | y)): how much rarer the pair is than if anything could come after ``x`` and before ``y``. What is no
rarer is no break, and from e^2 times rarer on, one pair is as good a break as another: a log has some of its own, and what tells
are several in a case. Any of the places may be a break and any of the values may be wrong, so their odds multiply::

    odds(break) = max(0, exp(min(2, caution * gain)) - 1) * 6 / L
    odds(case) = sum of odds(slip) + product of (1 + odds(break)) - 1 + product of (1 + odds(value)) - 1 + odds(whole)
    score = ln (1 + odds)

odds(whole) are those of a case of 100 or more events, all of whose stretches have unusually many surprising events; the gains of
such cases are smaller (stretches.py). These odds are shown where the case is the most surprising.

``caution`` is 1 unless the slips of the median case had odds above 1. More than half of all cases cannot be odd: where it looks
so, the counts are too thin for so many labels, and all gains are made smaller until these odds are 1; the caution is found by
halving its interval ten times. Only slips have a part in it, with the odds that an inserted event has without its values.

So that sums stay finite, the odds of a slip, of a break, of a value and of the values of an inserted event are at most e^60 each,
and products of breaks or of values at most e^600.

Slips that touch the same place of a case are different explanations of one oddity. They are gathered around the most likely one:
the oddity has the sum of their odds, and it is of the kind with the largest part of it. So the odds of the places of a case make
up those of the case. Of explanations that are equally likely, the first in the case counts, and then the first kind. An inserted
event that stands twice in a row is called repeated.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log, log1p
from typing import NamedTuple

import numpy as np

from actalike.log import Variants
from actalike.oddities.model import LONGEST_CONTEXT, CaseProbabilities, DistinctCases, Floats, Ints
from actalike.oddities.slips import KINDS, Kind, Occurrences, find_slips
from actalike.oddities.stretches import OrdinaryStretches, Stretches

ODD = float(np.log(100))  # the score from which on a place is odd: if 1 % of the cases have a slip, this is more likely one
ENOUGH = 20  # times that a context must have been seen to be quoted, if a shorter one was
LARGEST = 60.0  # of ln odds
_LARGEST_PRODUCT = 600.0  # far more than a sum of some odds, so that no event is odder than its case
_BREAKS = 6.0  # how much likelier a break is than a slip of another kind, at each place
_CLEAR_BREAK = 2.0  # gain from which on breaks are alike
_HALVINGS = 10  # of the interval in which the caution lies: it is found to within 0.001
_EXPECTED = 3  # how many alternatives are listed
_CLEARER = 2.0  # by this factor a longer context must be clearer than a shorter one to be quoted
_CLEARER_SEAM = 5.0  # and by this one another seam of a slip than the first
_NEGLIGIBLE = 1e-3  # odds below which an explanation is left out, as a part of the odds of its case; odds of 1 never are
_LAST_RESORT = 0.1  # a part of the odds of an oddity: if slips have less, it is called after its breaks
_CLEAR = 100.0  # odds of slips after which an oddity is called in any case
_TINY = 1e-300  # in place of odds of 0, which have no logarithm
_SCORE_DIGITS = 9  # after the point that logarithms are compared by: further ones depend on the order in which sums are made

_FAR = 6  # links between the ends of a slip that is not judged as a whole

_Key = tuple[str, int, int]


class Expected(NamedTuple):
    """Hold what usually stands where an odd event is: a label (None is the end of the case) or the value of an attribute.

    ``times`` of the events in the same place have it, which is the share ``share`` of them.
    """

    value: str | None
    times: int
    share: float


@dataclass(frozen=True)
class OddEvent:
    """Hold one odd place of a case: the event, what kind of oddity it is, and what was expected instead.

    ``case`` is the id of the case, ``case_number`` its place in the log, and ``position`` that of the event in its case; both
    count from 0. A step that is missing at the end of a case has the position after the last event, and no ``activity``.
    ``events`` are the positions of all events that belong to the same oddity, such as both events of a repeated pair.
    ``score`` is ln (1 + odds): how much more probable the case is with a slip in this place than without.

    ``before`` and ``after`` are the labels of the neighbours, None outside the case.

    What shows best that something is odd here is the event at the position ``seam``: mostly ``position`` itself, or another event
    where the sequence breaks; the length of the case is its end. ``context`` are one to three labels right before that event, the
    nearest last; None is the start of the case. Of the ``total`` times that the context occurs, ``times`` go on as here;
    ``expected`` lists how the others go on, the most frequent first. For the kind "attribute", these are the values that the
    attribute ``attribute`` has for this activity, and ``value`` is the one here (None if it is missing).

    ``missing`` are the steps that were skipped before the event, for the kind "skipped". ``belongs`` is the position before which
    the event would belong, for the kinds "early" and "late"; ``same_time`` says that it would only change places with events of
    the same time. ``occurs`` is for the kind "repeated": how often the activity occurs in this case, in how many cases it occurs
    at least so often, and in how many at all.

    ``probability`` is how probable it is that something is wrong in this place: the part of that of the case which its odds have.

    ``still_open`` says that the end of the case is odd, and that it may not have ended yet.

    Of variants, ``case`` is the name of a variant, and ``cases`` is how many cases follow it.
    """

    case: str
    case_number: int
    position: int
    events: tuple[int, ...]
    activity: str | None
    kind: Kind
    score: float
    before: str | None
    after: str | None
    times: int
    total: int
    expected: tuple[Expected, ...]
    missing: tuple[str, ...] = ()
    belongs: int | None = None
    attribute: str | None = None
    value: str | None = None
    context: tuple[str | None, ...] = ()
    seam: int = 0
    occurs: tuple[int, int, int] | None = None
    same_time: bool = False
    cases: int = 1
    probability: float = 0.0
    still_open: bool = False


class Quotation(NamedTuple):
    """Hold how often a context goes on as here, and otherwise."""

    context: tuple[str | None, ...]
    times: int
    total: int
    expected: tuple[Expected, ...]

    @property
    def share(self) -> float:
        """Return how large a part goes on as here."""
        return self.times / max(self.total, 1)  # a reference may not have the context


class QuotedValue(NamedTuple):
    """Hold the value of an attribute for an event, and which values the attribute has otherwise for the same activity."""

    attribute: str
    value: str | None
    quoted: Quotation


class CaseValues(NamedTuple):
    """Hold what the attributes of a case's events add to its activities.

    ``inserted`` are the odds of each event to be inserted, by its values too; ``odds`` those of each value, with a column for
    each attribute; ``of_case`` those of the whole case. ``quote`` is called with the position of an event and a column.
    """

    inserted: Floats
    odds: Floats
    of_case: float
    quote: Callable[[int, int], QuotedValue] | None = None  # None without attributes


class Usual(NamedTuple):
    """Hold what cases say, each left out of the counts, of how others are judged by them."""

    caution: float
    stretches: OrdinaryStretches


class ControlFlow:
    """Hold how odd each variant and each of its events is by the order of activities alone, and why.

    ``inserted`` are the odds of each event of the variants to be an event too much, ``others`` those of all else that may be
    wrong with each variant, ``slipped`` those of all else that makes each event odd. ``caution`` is by how much the evidence was
    made smaller: 1 is not at all. The counts are those of ``counted``, a reference with the same labels, if it is given, and
    ``usual`` is what its cases say when each is left out; else of the variants themselves.

    >>> variants = Variants(["check", "order", "pay"], np.array([1, 0, 2, 1, 2]), np.array([0, 3, 5]), np.array([50, 1]))
    >>> flow = ControlFlow(variants)
    >>> flow.scores().argmax(), [(one.kind, one.missing) for one in flow.explain(1)]
    (np.int64(1), [('skipped', ('check',))])
    """

    def __init__(self, variants: Variants, counted: Variants | None = None, usual: "Usual | None" = None) -> None:
        self._activities = variants.activities
        self._cases = cases = DistinctCases(variants)
        others = None if counted is None else DistinctCases(counted)
        self._probabilities = CaseProbabilities(cases, others)
        self._occurrences = Occurrences(cases, others)
        stretches = Stretches(cases, others)
        ordinary = stretches.ordinary if usual is None else usual.stretches
        self._expected_surprises = stretches.expected_surprises(None if usual is None else ordinary.rate)
        self._slips = find_slips(cases, self._probabilities, self._occurrences, self._expected_surprises)
        self.caution = self._find_caution() if usual is None else usual.caution
        self._slip_odds = self._slips_at(self.caution)
        self.inserted: Floats = np.zeros(len(cases.places))
        alone = self._slips.is_inserted
        self.inserted[cases.offsets[self._slips.variants[alone]] + self._slips.starts[alone]] = self._slip_odds[alone]
        self._breaks = np.zeros(len(cases.symbols))  # of the symbols of the variants, the end included
        self._breaks[self._probabilities.places] = breaks = self._break_odds()
        self.others: Floats = sum_by(self._slips.variants, np.where(alone, 0.0, self._slip_odds), len(cases.weights))
        self.others += product_odds(sum_by(self._probabilities.variants, np.log1p(breaks), len(cases.weights)))
        whole = ordinary.odds(stretches.shares)
        self.others[stretches.long] += whole
        self._breaks[stretches.oddest] += whole
        self.usual = Usual(self.caution, ordinary)

    @property
    def offsets(self) -> Ints:
        """Return where the events of each variant begin among those of all variants."""
        return self._cases.offsets

    @cached_property
    def odds(self) -> Floats:
        """Return the odds of each variant that anything is wrong with it."""
        return self.others + sum_by(self._cases.variant_of_event, self.inserted, len(self.others))

    def scores(self) -> Floats:
        """Return how odd each variant is; higher is odder."""
        return np.log1p(self.odds)

    def event_scores(self) -> Floats:
        """Return how odd each event of the variants is; higher is odder."""
        return np.log1p(self.slipped + self.inserted)

    @cached_property
    def slipped(self) -> Floats:
        """Return for each event of the variants the odds of all slips that make it odd, but for insertions.

        These are the events of the block, and for missing or moved steps the event after the gap that they leave.
        """
        cases, slips = self._cases, self._slips
        kind = {name: slips.kinds == KINDS.index(name) for name in KINDS}
        first, length = cases.offsets[slips.variants], cases.lengths[slips.variants]
        odds = np.where(slips.is_inserted, 0.0, self._slip_odds)
        swapped = np.flatnonzero(kind["swapped"])
        numbers = [swapped, swapped]
        events = [first[swapped] + slips.starts[swapped], first[swapped] + slips.ends[swapped] - 1]
        # where the block stands: at the start of what is replaced, or at its end if it is late
        block = np.where(kind["late"], slips.ends - slips.sizes, slips.starts)
        in_block = ~kind["skipped"] & ~kind["swapped"]
        for i in range(int(slips.sizes[in_block].max(initial=0))):
            chosen = np.flatnonzero((slips.sizes > i) & in_block)
            numbers.append(chosen)
            events.append(first[chosen] + block[chosen] + i)
        gap = np.where(kind["early"], slips.ends, slips.starts)  # the event after the gap
        chosen = np.flatnonzero((kind["skipped"] & (length > 0)) | kind["late"] | (kind["early"] & (gap < length)))
        numbers.append(chosen)
        events.append(first[chosen] + np.minimum(gap, length - 1)[chosen])  # a step missing at the end marks the last event
        slipped = sum_by(np.concatenate(events), odds[np.concatenate(numbers)], len(cases.places))
        slipped += self._breaks[cases.places]
        long = cases.lengths > 0  # what is odd about the end of a case is odd about its last event
        slipped[cases.offsets[1:][long] - 1] += self._breaks[cases.ends[long]]
        return slipped

    def explain(self, variant: int, values: CaseValues | None = None) -> list[OddEvent]:
        """Return what is odd about a variant, or about a case of it with the ``values`` of its events, the oddest first.

        The case of these odd events has no id, and the number of the variant; events at the same time are not known here.
        """
        if values is None:
            events = slice(*self._cases.offsets[variant : variant + 2])
            values = CaseValues(self.inserted[events], np.zeros((0, 0)), float(self.odds[variant]))
        reasons = []
        for alike in _gathered(self._explanations(variant, values)):
            chosen = _most_likely(alike)
            if chosen.kind == "inserted":
                chosen = self._as_repeated(variant, chosen, alike)
            reasons.append(self._odd_event(variant, values, chosen, sum(place.odds for place in alike)))
        return sorted(reasons, key=lambda one: (-one.score, one.position))

    def _find_caution(self) -> float:
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
        of_variants = sum_by(self._slips.variants, self._slips_at(caution), len(cases.weights))
        return float(np.median(np.repeat(of_variants, cases.weights)))

    def _slips_at(self, caution: float) -> Floats:
        """Return the odds of each slip."""
        gains = caution * self._slips.gains / self._expected_surprises[self._slips.variants]
        return np.asarray(np.exp(np.minimum(self._slips.priors + gains, LARGEST)))

    def _break_odds(self) -> Floats:
        """Return the odds of each break: of the events of the variants, and then of their ends."""
        cases, variants = self._cases, self._probabilities.variants
        forward, backward = self._probabilities.neighbours()
        gains = -np.log((cases.n_labels + 1) ** 2 * forward * backward) / self._expected_surprises[variants]
        excess = np.maximum(np.expm1(np.minimum(self.caution * gains, _CLEAR_BREAK)), 0)
        return np.asarray(_BREAKS / np.maximum(cases.lengths[variants], 1) * excess)

    @cached_property
    def _slips_of_variant(self) -> tuple[Ints, Ints]:
        """Return the slips in the order of their variants, and where those of each variant begin."""
        order = np.argsort(self._slips.variants, kind="stable")
        return order, np.searchsorted(self._slips.variants[order], np.arange(len(self._cases.lengths) + 1))

    def _codes(self, variant: int) -> Ints:
        first = self._cases.first[variant]
        return self._cases.symbols[first : first + self._cases.lengths[variant]]

    def _explanations(self, variant: int, values: CaseValues) -> list["_Place"]:
        """Return all explanations of what is odd about a case, but for those that hardly count."""
        slips, least = self._slips, min(_NEGLIGIBLE * values.of_case, 1.0)
        order, bounds = self._slips_of_variant
        places = []
        for slip in order[bounds[variant] : bounds[variant + 1]].tolist():
            kind = KINDS[slips.kinds[slip]]
            first, last, size = (int(array[slip]) for array in (slips.starts, slips.ends, slips.sizes))
            odds = float(values.inserted[first] if kind == "inserted" else self._slip_odds[slip])
            if odds < least:
                continue
            block = last - size if kind == "late" else first
            events = () if kind == "skipped" else (first, last - 1) if kind == "swapped" else tuple(range(block, block + size))
            missing = tuple(code for code in slips.missing[slip].tolist() if code >= 0)
            if kind == "inserted" and values.odds.size and self._slip_odds[slip] < 1:
                # the values of the event are the evidence, not the event
                column = int(values.odds[first].argmax())
                places.append(_Place("attribute", odds, (first, last), events, column=column))
                continue
            places.append(_Place(kind, odds, (first, last), events, missing=missing))
        first, length = int(self._cases.first[variant]), int(self._cases.lengths[variant])
        breaks = self._breaks[first : first + length + 1]
        for position in np.flatnonzero((breaks >= least) & (breaks > 0)).tolist():
            odds = float(breaks[position])
            # the case goes on, or ends, as it should not: an event too much, or something is missing at the end
            events = (position,) if position < length else ()
            broken: Kind = "inserted" if events else "skipped"
            places.append(_Place(broken, odds, (position, position), events, is_break=True))
        rows, columns = np.nonzero(values.odds >= least)
        for position, column in zip(rows.tolist(), columns.tolist(), strict=True):
            odds = float(values.odds[position, column])
            places.append(_Place("attribute", odds, (position, position), (position,), column=column))
        return places

    def _as_repeated(self, variant: int, inserted: "_Place", alike: Sequence["_Place"]) -> "_Place":
        """Return the repetition that an inserted event is if it stands twice in a row, or else the insertion."""
        codes, event = self._codes(variant), inserted.events[0]
        for place in alike:
            second = place.events[0] if place.kind == "repeated" and len(place.events) == 1 else -1
            if second in (event, event + 1) and codes[second - 1] == codes[second]:
                return place
        return inserted

    def _odd_event(self, variant: int, values: CaseValues, place: "_Place", odds: float) -> OddEvent:
        codes = self._codes(variant)
        position = place.events[0] if place.events else place.links[0]
        labels = [None, *(self._activities[code] for code in codes[max(position - 1, 0) : position + 2].tolist()), None, None]
        before, activity, after = labels[position > 0 :][:3]
        attribute = value = None
        if values.quote is not None and place.kind == "attribute":
            attribute, value, quoted = values.quote(position, place.column)
            seam = position
        else:
            seam, quoted = self._quoted(codes, place)
        return OddEvent(
            case="",
            case_number=variant,
            position=position,
            events=place.events or ((position,) if position < len(codes) else ()),
            activity=activity,
            kind=place.kind,
            score=round(log1p(odds), _SCORE_DIGITS),
            before=before,
            after=after,
            times=quoted.times,
            total=quoted.total,
            expected=quoted.expected,
            context=quoted.context,
            seam=seam,
            missing=tuple(self._activities[code] for code in place.missing),
            belongs={"early": place.links[1], "late": place.links[0], "swapped": place.links[1]}.get(place.kind),
            attribute=attribute,
            value=value,
            occurs=self._occurs(codes, position) if place.kind == "repeated" else None,
        )

    def _occurs(self, codes: Ints, position: int) -> tuple[int, int, int]:
        """Return how often the activity of an event occurs in its case, in how many cases so often, and in how many at all."""
        label, times = int(codes[position]), int((codes == codes[position]).sum())
        return times, self._occurrences.at_least(label, times), self._occurrences.at_least(label, 1)

    def _quoted(self, codes: Ints, place: "_Place") -> tuple[int, Quotation]:
        """Return the event that shows best what is odd about a place, and how its context usually goes on.

        That is the first event of the block or after the gap, unless another seam of the slip is much clearer.
        """
        first, last = place.links
        seams = [first]
        if place.kind in ("early", "late"):
            block = len(place.events)
            seams.append(first + block if place.kind == "early" else last - block)
        if place.kind != "skipped":
            seams.append(last)
        quoted = {seam: self._context(codes, seam) for seam in seams}
        best = first
        for seam in seams:
            if quoted[seam].share * _CLEARER_SEAM < quoted[best].share:
                best = seam
        return best, quoted[best]

    def _context(self, codes: Ints, position: int) -> Quotation:
        """Return how a context usually goes on that shows well that an event is odd.

        That is the shortest one, unless a longer one that was seen often enough is much clearer.
        """
        cases, labels = self._cases, [*self._activities, None, None]
        symbols = np.concatenate([[cases.start], codes[:position]])
        here = int(codes[position]) if position < len(codes) else cases.end
        best: Quotation | None = None
        for length in range(1, min(LONGEST_CONTEXT, len(symbols)) + 1):
            following, times = self._probabilities.following(symbols[-length:])
            context = tuple(labels[symbol] for symbol in symbols[-length:].tolist())
            quoted = quote(context, following, times, here, labels)
            if best is None or (quoted.total >= ENOUGH and quoted.share * _CLEARER < best.share):
                best = quoted
        assert best is not None  # there is always the context of length 1
        return best


def quote(context: tuple[str | None, ...], choices: Ints, times: Ints, here: int, names: Sequence[str | None]) -> Quotation:
    """Return how often ``here`` was chosen in a context, and which of the other choices are the most frequent."""
    total = int(times.sum())
    order = [i for i in np.lexsort((choices, -times)).tolist() if choices[i] != here][:_EXPECTED]
    expected = tuple(Expected(names[choices[i]], int(times[i]), int(times[i]) / max(total, 1)) for i in order)
    return Quotation(context, int(times[choices == here].sum()), total, expected)


def sum_by(groups: Ints, values: Floats, n_groups: int) -> Floats:
    """Return the sum of the values of each group."""
    return np.bincount(groups, weights=values, minlength=n_groups).astype(np.float64)  # without any, it has integers


def product_odds(logs: Floats) -> Floats:
    """Return the odds that any of several things is wrong, the product of 1 + odds, less 1, from the sum of ln (1 + odds)."""
    return np.asarray(np.expm1(np.minimum(logs, _LARGEST_PRODUCT)))


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
    def order(self) -> tuple[float, tuple[int, int], int, int, tuple[int, ...], tuple[int, ...], int]:
        """Return what explanations are sorted by: the most likely first."""
        likely = round(-log(max(self.odds, _TINY)), _SCORE_DIGITS)
        return likely, self.links, len(self.events), KINDS.index(self.kind), self.events, self.missing, self.column

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
        first, last = self.links
        ends = [range(first, last + LONGEST_CONTEXT)]
        if last - first > _FAR:  # what is between its ends stays as it is
            ends = [range(first, first + 1 + LONGEST_CONTEXT), range(last - 1, last + LONGEST_CONTEXT)]
        return [("link", link, 0) for end in ends for link in end]


def _most_likely(alike: Sequence[_Place]) -> _Place:
    """Return the most likely explanation of the kind with the largest odds; a break explains nothing if a slip does."""
    slips = [place for place in alike if not place.is_break]
    if sum(place.odds for place in slips) < min(_LAST_RESORT * sum(place.odds for place in alike), _CLEAR):
        slips = list(alike)
    by_kind: dict[Kind, float] = defaultdict(float)
    for place in slips:
        by_kind[place.kind] += place.odds
    kind = max(by_kind, key=lambda name: round(log(max(by_kind[name], _TINY)), _SCORE_DIGITS))
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
