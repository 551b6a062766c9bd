"""List what may have gone wrong in a case: single slips that, undone, would make the case more probable.

A slip replaces the events ``start`` to ``end`` (not included) of a case; undoing it puts other labels there:

- *skipped*: one to five steps are missing before an event; undone, they are there.
- *inserted*: an event is too much; undone, it is gone.
- *repeated*: a block of one to three events stands a second time, at most five events after the first; undone, it is gone.
- *early*, *late*: a block of one or two events stands one to five events before or after its place; undone, it is there.
- *swapped*: two events stand in each other's place, one to three events apart; undone, each is in its own.
- *replaced*: an event has another label than it should; undone, it has one of three likely ones.

Farther apart, one event that is early or late, or two that are swapped, are looked for among the six oddest events of a case, and
the six oddest gaps: those whose links to their neighbours are the least probable by the screen below, both links of an event
together.

The *gain* of a slip is ln P(undone) - ln P(as it is), with the probabilities of model.py, the end of the case included. For
skipped, inserted, repeated and replaced events, half of what :class:`Occurrences` gives is added. Its *prior* is -ln (L c), with
L the events of the case, at least 1, and c how many slips of the kind each place allows: 2^k for k missing steps, the number A of
labels for an inserted event and 3 A for a replaced one, 3 * 6 for a repeated block, 2 * 5 for an early and as many for a late
one, 5 for swapped neighbours; L for swapped events that are no neighbours, and for events more than five from their place.

In long cases, of which ordinary ones have more than six surprising events (stretches.py), slips are looked for only where they
begin at most five events from one of these oddest places.

Slips are kept that pass a quick screen: the pairs of neighbours that change must be more probable when the slip is undone. The
screen has probabilities of its own, which look back one symbol only and back off to shares in the whole log. With ``n(xy)`` and
``n(x)`` counted in the whole log without the case, ``T(x)`` the different symbols after ``x`` in the whole log (one less if only
this case has the pair, and at least 1), and ``n(y)`` of all N events and ends of the whole log, A labels::

    p(y | x) = (n(xy) + 16 T(x) s(y)) / (n(x) + 16 T(x)),    s(y) = (n(y) + 1/2) / (N + (A + 2) / 2)

The case itself is left out so of the pairs that it has. Pairs that it would have are judged by the whole log, with the case. For
missing steps only those gaps are looked at where ln p(y | x) of the two neighbours is below -1, and for replaced events only
those places where it is so on both sides; :func:`likely_missing` says which steps are tried there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from actalike.oddities.model import (
    BACK_OFF,
    LONGEST_CONTEXT,
    CaseProbabilities,
    CountTable,
    DistinctCases,
    Floats,
    Ints,
    predicted_places,
)
from actalike.support.arrays import count_rows

Kind = Literal["skipped", "inserted", "repeated", "early", "late", "swapped", "replaced", "attribute"]  # the last one is no slip
KINDS: tuple[Kind, ...] = get_args(Kind)

LONGEST_RUN = 5  # steps that are missing together
_LONGEST_BLOCK = 3  # events that are repeated together
_LONGEST_MOVED = 2  # events that are early or late together
_FARTHEST = 5  # events between a block and its copy, or its proper place
_FARTHEST_SWAP = 3  # of two events that are swapped; others are among the oddest
_ODDEST = 6  # events and gaps of a case that slips across it are looked for at
_AROUND = 5  # events from an oddest place of a case that surprises often to where a slip begins
_REPLACEMENTS = 3  # labels that an event may have instead of its own
_SINGLE_STEPS = 6  # that are tried between two neighbours
_DOUBLE_STEPS = 3
_NEXT_TO = 6  # how many of the most frequent successors and predecessors two missing steps are made of
_OCCURRENCE_WEIGHT = 0.5  # the probabilities reflect occurrences in part, so they count half
_MOST_OCCURRENCES = 9
_PSEUDO_COUNT = 0.5
_SCORE_DIGITS = 9  # after the point that sums of logarithms are compared by: further ones depend on the order of the sum
_AT_ONCE = 1 << 20  # symbols whose probabilities are computed at a time: limits the memory
_GAPS_AT_ONCE = 1 << 21  # candidates for missing steps at a time


class Occurrences:
    """Hold how many cases have each label how often: how unusual a missing or a further event is.

    With ``c(y, k)`` the cases in which the label ``y`` occurs ``k`` times, the case itself left out, a label that occurs ``k``
    times here and would occur ``k'`` times if a slip were undone adds::

        ln (c(y, k') + 1/2) / (c(y, k) + 1/2)

    ``k`` counts up to 9; 9 stands for all from 9 on.
    """

    def __init__(self, cases: DistinctCases, counted: DistinctCases | None = None) -> None:
        self._n_labels = cases.n_labels
        self._left_out = int(counted is None)  # cases that are left out: the one that is judged, if it is among the counted ones
        self._own = _labels_of(cases)
        self._counted, self._weights = (self._own, cases.weights) if counted is None else (_labels_of(counted), counted.weights)
        self.cases_with: Ints = np.zeros((cases.n_labels, _MOST_OCCURRENCES + 1), dtype=np.int64)
        variant, label = np.divmod(self._counted.keys, cases.n_labels)
        np.add.at(self.cases_with, (label, np.minimum(self._counted.counts, _MOST_OCCURRENCES)), self._weights[variant])
        self.cases_with[:, 0] = self._weights.sum() - self.cases_with.sum(axis=1)

    def in_variants(self, variants: Ints, labels: Ints) -> Ints:
        """Return how often a label occurs in a variant, for pairs of them."""
        return self._own.of_keys(variants * self._n_labels + labels)

    def at_least(self, label: int, times: int) -> int:
        """Return in how many cases a label occurs at least so often."""
        if times <= _MOST_OCCURRENCES:
            return int(self.cases_with[label, times:].sum())
        variant, labels = np.divmod(self._counted.keys, self._n_labels)
        often = (labels == label) & (self._counted.counts >= times)
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
        occurrences = np.minimum(occurrences, _MOST_OCCURRENCES)
        others = self.cases_with[labels, occurrences] - self._left_out * (occurrences == np.minimum(here, _MOST_OCCURRENCES))
        return np.asarray(others + _PSEUDO_COUNT, dtype=np.float64)


def _labels_of(cases: DistinctCases) -> CountTable:
    """Return how often each variant has each label."""
    labels = cases.symbols[cases.places]
    return CountTable.of(cases.variant_of_event * cases.n_labels + labels, np.ones(len(labels), dtype=np.int64))[0]


@dataclass(frozen=True)
class Slips:
    """Hold slips as arrays: the kind (a position in KINDS), the variant, the place, and what undoing it gains.

    ``gains`` is ln of how much more probable the case is without the slip; ``priors`` is ln of the probability of this slip among
    all slips of its kind in a case of this length. ``size`` is the number of events of the block, ``missing`` the labels that
    undoing it adds (-1: none). Of swapped events, ``starts`` is the first, and the other is the last before ``ends``.
    """

    kinds: NDArray[np.int8]
    variants: Ints
    starts: Ints
    ends: Ints
    sizes: Ints
    missing: NDArray[np.int32]
    gains: Floats
    priors: Floats

    @property
    def is_inserted(self) -> NDArray[np.bool_]:
        """Return which slips are inserted events."""
        return self.kinds == KINDS.index("inserted")


@dataclass(frozen=True)
class _Candidates:
    """Hold slips of one kind and size: the places ``starts`` to ``ends`` hold the symbols that undoing replaces by ``blocks``.

    ``choices`` is how many slips of the kind each place allows, None if as many as the case has events.
    """

    kind: Kind
    size: int
    choices: int | None
    variants: Ints
    starts: Ints
    ends: Ints
    blocks: Ints


def find_slips(
    cases: DistinctCases, probabilities: CaseProbabilities, occurrences: Occurrences, ordinary: Floats | None = None
) -> Slips:
    """Return the slips that may have happened in each variant, with what undoing each of them gains.

    ``ordinary`` is how many surprising events an ordinary case as long as each variant has, no more than 1 if it is not given.
    """
    screen = _Screen(cases, probabilities, np.ones(len(cases.lengths)) if ordinary is None else ordinary)
    found = [_measured(screen.passing(group), cases, probabilities, occurrences) for group in _all_candidates(cases, screen)]
    found += [_far_moved(cases, probabilities, screen), _far_swapped(cases, probabilities, screen)]
    return Slips(*(np.concatenate([getattr(part, name) for part in found]) for name in Slips.__dataclass_fields__))


def _all_candidates(cases: DistinctCases, screen: "_Screen") -> Iterator[_Candidates]:
    """Yield the slips that the symbols allow, by kind and size. Another kind of slip is tried if it is yielded here."""
    places, variants = cases.places[screen.tried[cases.places]], cases.variant_of_event[screen.tried[cases.places]]
    nothing = np.empty((len(places), 0), dtype=np.int64)
    yield _Candidates("inserted", 1, cases.n_labels, variants, places, places + 1, nothing)
    yield from _repeated(cases, screen.tried)
    yield from _moved(cases, screen.tried)
    yield from _swapped(cases, screen.tried)
    yield from screen.skipped()
    yield from screen.replaced()


def _repeated(cases: DistinctCases, tried: NDArray[np.bool_]) -> Iterator[_Candidates]:
    symbols, left = cases.symbols, cases.lengths[cases.variant_of_event] - cases.position
    for size in range(1, _LONGEST_BLOCK + 1):
        for gap in range(_FARTHEST + 1):
            fits = (cases.position >= size + gap) & (left >= size) & tried[cases.places]
            starts, variants = cases.places[fits], cases.variant_of_event[fits]
            again = np.ones(len(starts), dtype=bool)
            for i in range(size):
                again &= symbols[starts + i] == symbols[starts + i - gap - size]
            starts, variants = starts[again], variants[again]
            nothing = np.empty((len(starts), 0), dtype=np.int64)
            yield _Candidates("repeated", size, _LONGEST_BLOCK * (_FARTHEST + 1), variants, starts, starts + size, nothing)


def _moved(cases: DistinctCases, tried: NDArray[np.bool_]) -> Iterator[_Candidates]:
    left = cases.lengths[cases.variant_of_event] - cases.position
    for size in range(1, _LONGEST_MOVED + 1):
        for distance in range(1 + (size == 1), _FARTHEST + 1):  # two neighbours are swapped
            fits = (left >= size + distance) & tried[cases.places]
            starts, variants = cases.places[fits], cases.variant_of_event[fits]
            window = cases.symbols[starts[:, None] + np.arange(size + distance)]
            kinds: tuple[tuple[Kind, int], ...] = (("early", -size), ("late", size))
            for kind, shift in kinds:
                undone = np.roll(window, shift, axis=1)
                differs = (undone != window).any(axis=1)  # moved among equal events, an event stays where it is
                begins = starts[differs]
                ends, choices = begins + size + distance, _LONGEST_MOVED * _FARTHEST
                yield _Candidates(kind, size, choices, variants[differs], begins, ends, undone[differs])


def _swapped(cases: DistinctCases, tried: NDArray[np.bool_]) -> Iterator[_Candidates]:
    left = cases.lengths[cases.variant_of_event] - cases.position
    for distance in range(1, _FARTHEST_SWAP + 1):
        fits = (left > distance) & tried[cases.places]
        starts, variants = cases.places[fits], cases.variant_of_event[fits]
        undone = cases.symbols[starts[:, None] + np.arange(distance + 1)]
        undone[:, [0, -1]] = undone[:, [-1, 0]]
        differs = undone[:, 0] != undone[:, -1]
        begins = starts[differs]
        choices = _FARTHEST if distance == 1 else None
        yield _Candidates("swapped", distance + 1, choices, variants[differs], begins, begins + distance + 1, undone[differs])


def _far_moved(cases: DistinctCases, probabilities: CaseProbabilities, screen: "_Screen") -> Slips:
    """Return the slips by which an odd event is far from an odd gap where it belongs: it is gone from here, and there."""
    events, gaps = screen.oddest_events, screen.oddest_gaps
    variants, i, j = (index.ravel() for index in np.indices((len(events), _ODDEST, _ODDEST)))
    event, gap = events[variants, i], gaps[variants, j]
    far = (event >= 0) & (gap >= 0) & (np.where(gap > event, gap - event - 1, event - gap) > _FARTHEST)
    variants, event, gap = variants[far], event[far], gap[far]
    label = cases.symbols[event, None]
    gone = _Candidates("inserted", 1, None, variants, event, event + 1, label[:, :0])
    there = _Candidates("skipped", 1, None, variants, gap, gap, label)
    gone, there = _kept([gone, there], screen.gains(gone) + screen.gains(there) > 0)
    is_early, first = there.starts > gone.starts, cases.first[gone.variants]
    return _slips(
        np.where(is_early, KINDS.index("early"), KINDS.index("late")),
        replace(
            gone,
            starts=np.where(is_early, gone.starts, there.starts) - first,
            ends=np.where(is_early, there.starts, gone.ends) - first,
        ),
        _gains(gone, cases, probabilities) + _gains(there, cases, probabilities),
        cases,
    )


def _far_swapped(cases: DistinctCases, probabilities: CaseProbabilities, screen: "_Screen") -> Slips:
    """Return the slips by which two odd events that are far apart stand in each other's place."""
    events = screen.oddest_events
    variants, i, j = (index.ravel() for index in np.indices((len(events), _ODDEST, _ODDEST)))
    one, other = events[variants, i], events[variants, j]
    far = (one >= 0) & (other - one > _FARTHEST_SWAP)
    variants, one, other = variants[far], one[far], other[far]
    symbols = cases.symbols
    here = _Candidates("replaced", 1, None, variants, one, one + 1, symbols[other, None])
    there = _Candidates("replaced", 1, None, variants, other, other + 1, symbols[one, None])
    different = symbols[one] != symbols[other]
    here, there = _kept([here, there], different & (screen.gains(here) + screen.gains(there) > 0))
    first, sizes = cases.first[here.variants], there.ends - here.starts
    slips = _slips(
        np.full(len(first), KINDS.index("swapped")),
        replace(here, starts=here.starts - first, ends=there.ends - first),
        _gains(here, cases, probabilities) + _gains(there, cases, probabilities),
        cases,
    )
    return replace(slips, sizes=sizes)


def _kept(groups: Sequence[_Candidates], kept: NDArray[np.bool_]) -> list[_Candidates]:
    """Return those slips of some groups of equally many that are kept."""
    return [
        replace(one, variants=one.variants[kept], starts=one.starts[kept], ends=one.ends[kept], blocks=one.blocks[kept])
        for one in groups
    ]


class _Screen:
    """Judge slips quickly by pairs of neighbours: only the seams of a slip change, so each costs three look-ups at most."""

    def __init__(self, cases: DistinctCases, probabilities: CaseProbabilities, ordinary: Floats) -> None:
        self._ordinary = ordinary
        self.cases, self._counted, self._base = cases, probabilities.counted, cases.n_symbols
        places, variants = predicted_places(self._counted)
        before, after = self._counted.symbols[places - 1], self._counted.symbols[places]
        weights = self._counted.weights[variants]
        self._pairs, pair = CountTable.of(before * self._base + after, weights)
        self._times = np.bincount(before, weights=weights, minlength=self._base)
        self._distinct = np.bincount(self._pairs.keys // self._base, minlength=self._base)
        self._shares = (np.bincount(after, weights=weights, minlength=self._base) + 0.5) / (weights.sum() + self._base / 2)
        self._as_is = np.zeros(len(cases.symbols))
        if probabilities.leaves_out:
            once = np.ones(len(places), dtype=np.int64)
            own, number = CountTable.of(pair * len(cases.weights) + variants, once)
            own_before, number_before = CountTable.of(before * len(cases.weights) + variants, once)
            elsewhere = self._pairs.counts[pair] - own.counts[number]
            times = self._times[before] - own_before.counts[number_before]
            weight = BACK_OFF * np.maximum(self._distinct[before] - (elsewhere == 0), 1)
            self._as_is[places] = np.log((elsewhere + weight * self._shares[after]) / (times + weight))
        else:
            places = probabilities.places
            self._as_is[places] = self._log_probabilities(cases.symbols[places - 1], cases.symbols[places])

    def _log_probabilities(self, before: Ints, after: Ints) -> Floats:
        """Return ln p(after | before) by pairs alone."""
        weight = BACK_OFF * np.maximum(self._distinct[before], 1)
        times = self._pairs.of_keys(before * self._base + after)
        return np.log((times + weight * self._shares[after]) / (self._times[before] + weight))

    def passing(self, group: _Candidates) -> _Candidates:
        """Return those slips that make the pairs of neighbours more probable when they are undone."""
        return _kept([group], self.gains(group) > 0)[0]

    def gains(self, group: _Candidates) -> Floats:
        """Return by how much more probable the pairs of neighbours are that change when slips are undone."""
        symbols, block = self.cases.symbols, group.blocks
        before, after = symbols[group.starts - 1], symbols[group.ends]
        if block.shape[1]:
            new = self._log_probabilities(before, block[:, 0]) + self._log_probabilities(block[:, -1], after)
        else:
            new = self._log_probabilities(before, after)
        old = self._as_is[group.starts] + self._as_is[group.ends] * (group.ends > group.starts)
        if group.kind in ("early", "late"):  # where the two parts that change places meet
            moved = group.size if group.kind == "early" else block.shape[1] - group.size
            new += self._log_probabilities(block[:, -moved - 1], block[:, -moved])
            old = old + self._as_is[group.starts + moved]
        elif group.kind == "swapped":
            for i in {1, group.size - 1}:
                new += self._log_probabilities(block[:, i - 1], block[:, i])
                old = old + self._as_is[group.starts + i]
        elif group.kind == "skipped":
            for i in range(1, group.size):
                new += self._log_probabilities(block[:, i - 1], block[:, i])
        elif group.size > 1:  # what is removed has links inside
            for i in range(1, group.size):
                old = old + self._as_is[group.starts + i]
        return np.asarray(new - old)

    @cached_property
    def oddest_events(self) -> Ints:
        """Return the places of the oddest events of each variant, by both links, -1 where there are fewer."""
        places = self.cases.places
        return self._oddest(places, self.cases.variant_of_event, self._as_is[places] + self._as_is[places + 1])

    @cached_property
    def oddest_gaps(self) -> Ints:
        """Return the places after the oddest gaps of each variant, -1 where there are fewer."""
        places, variants = predicted_places(self.cases)
        return self._oddest(places, variants, self._as_is[places])

    @cached_property
    def tried(self) -> NDArray[np.bool_]:
        """Return at which symbols slips may begin: in cases that surprise often, around their oddest events and gaps only."""
        long = self._ordinary > _ODDEST
        tried = np.zeros(len(self.cases.symbols), dtype=bool)
        places, variants = predicted_places(self.cases)
        tried[places[~long[variants]]] = True
        oddest = np.concatenate([self.oddest_events[long], self.oddest_gaps[long]], axis=None)
        around = oddest[oddest >= 0, None] + np.arange(-_AROUND, _AROUND + 1)
        tried[np.clip(around, 0, len(tried) - 1)] = True
        return tried

    def _oddest(self, places: Ints, variants: Ints, logs: Floats) -> Ints:
        return _top(variants, places, -logs.round(_SCORE_DIGITS), len(self.cases.lengths), _ODDEST)

    def skipped(self) -> Iterator[_Candidates]:
        """Yield the steps that may be missing where a pair of neighbours is improbable."""
        cases = self.cases
        places = np.concatenate([cases.places, cases.ends])
        variants = np.concatenate([cases.variant_of_event, np.arange(len(cases.lengths))])
        odd = (self._as_is[places] < -1) & self.tried[places]
        places, variants = places[odd], variants[odd]
        pairs, number = np.unique(cases.symbols[places - 1] * self._base + cases.symbols[places], return_inverse=True)
        for labels in likely_missing(self._counted, self._pairs, pairs):
            block = labels[number]
            size, there = block.shape[1], (block >= 0).all(axis=1)
            choices = 2**size  # each further step is half as likely to be missing too
            yield _Candidates("skipped", size, choices, variants[there], places[there], places[there], block[there])

    def replaced(self) -> Iterator[_Candidates]:
        """Yield the labels that an event may have instead of its own where both its links are improbable."""
        cases = self.cases
        odd = (self._as_is[cases.places] < -1) & (self._as_is[cases.places + 1] < -1) & self.tried[cases.places]
        places, variants = cases.places[odd], cases.variant_of_event[odd]
        pairs, number = np.unique(cases.symbols[places - 1] * self._base + cases.symbols[places + 1], return_inverse=True)
        for labels in islice(likely_missing(self._counted, self._pairs, pairs), _REPLACEMENTS):
            block = labels[number]
            there = (block[:, 0] >= 0) & (block[:, 0] != cases.symbols[places])
            yield _Candidates(
                "replaced", 1, _REPLACEMENTS * cases.n_labels, variants[there], places[there], places[there] + 1, block[there]
            )


def _measured(group: _Candidates, cases: DistinctCases, probabilities: CaseProbabilities, occurrences: Occurrences) -> Slips:
    """Return slips with what undoing each of them gains."""
    gains = _gains(group, cases, probabilities)
    if group.kind in ("skipped", "replaced"):  # undone, there are more events, or another one
        gains += _OCCURRENCE_WEIGHT * occurrences.gains(group.variants, group.blocks, 1)
    if group.kind in ("inserted", "repeated", "replaced"):  # or fewer
        removed = cases.symbols[group.starts[:, None] + np.arange(group.size)]
        gains += _OCCURRENCE_WEIGHT * occurrences.gains(group.variants, removed, -1)
    first = cases.first[group.variants]
    kinds = np.full(len(first), KINDS.index(group.kind))
    return _slips(kinds, replace(group, starts=group.starts - first, ends=group.ends - first), gains, cases)


def _slips(kinds: Ints, group: _Candidates, gains: Floats, cases: DistinctCases) -> Slips:
    """Return slips whose places are positions in their cases, with their gains."""
    lengths = np.maximum(cases.lengths[group.variants], 1)
    missing = np.full((len(kinds), LONGEST_RUN), -1, dtype=np.int32)  # the largest of the arrays
    if group.kind in ("skipped", "replaced") and group.choices is not None:
        missing[:, : group.size] = group.blocks
    return Slips(
        kinds=kinds.astype(np.int8),
        variants=group.variants,
        starts=group.starts,
        ends=group.ends,
        sizes=np.full(len(kinds), group.size),
        missing=missing,
        gains=gains,
        priors=-np.log(lengths * (lengths if group.choices is None else group.choices)),
    )


def _gains(group: _Candidates, cases: DistinctCases, probabilities: CaseProbabilities) -> Floats:
    """Return ln P(undone) - ln P(as it is): only the symbols of the block and those whose context it changes differ."""
    after = np.arange(LONGEST_CONTEXT)
    width = LONGEST_CONTEXT + group.blocks.shape[1] + len(after)
    replaced = np.arange(0 if group.kind == "skipped" else max(group.size, group.blocks.shape[1]))
    gains = np.empty(len(group.starts))
    step = max(_AT_ONCE // width, 1)
    for begin in range(0, len(gains), step):
        part = slice(begin, begin + step)
        starts, ends = group.starts[part], group.ends[part]
        windows = np.concatenate(
            [
                cases.symbols[starts[:, None] - np.arange(LONGEST_CONTEXT, 0, -1)],
                group.blocks[part],
                cases.symbols[ends[:, None] + after],
            ],
            axis=1,
        )
        predicted = np.zeros(windows.shape, dtype=bool)
        predicted[:, LONGEST_CONTEXT:] = True
        predicted[:, 1:] &= windows[:, :-1] != cases.end  # after the end of a case, nothing is predicted
        rows, _ = np.nonzero(predicted)
        logs = np.zeros(windows.shape)
        places = np.flatnonzero(predicted)
        logs[predicted] = np.log(probabilities.probabilities(windows.ravel(), places, group.variants[part][rows]))
        as_is = np.concatenate([starts[:, None] + replaced, ends[:, None] + after], axis=1)
        gains[part] = logs.sum(axis=1) - probabilities.log_probabilities[as_is].sum(axis=1)
    return gains


def likely_missing(cases: DistinctCases, pairs: CountTable, gaps: Ints) -> Iterator[Ints]:
    """Yield labels that are likely to be missing in each gap: arrays with one to five columns, -1 where there is none.

    With n(xy) how often ``y`` is right after ``x`` in the whole log, f(y | x) = n(xy) / n(x) its share of all that comes after
    ``x``, and b(x | y) = n(xy) / n(y) the share of ``x`` of all that comes before ``y``, between ``x`` and ``y`` are tried:

    - the 6 single steps ``u`` with the largest f(u | x) b(u | y)
    - the 3 pairs of steps ``u, v`` with the largest f(u | x) sqrt(f(v | u) b(u | v)) b(v | y), where ``u`` is one of the 6 labels
      that come most often after ``x``, and ``v`` one of the 6 that come most often before ``y``
    - of three, of four and of five steps, the run that stands most often between ``x`` and ``y``

    None is tried whose product is 0. Of equal ones, those whose labels come first in ``EventLog.activities`` are taken; of
    equally frequent runs too.

    ``pairs`` counts neighbours, by ``before * n_symbols + after``; so are ``gaps`` given, distinct and in rising order.
    """
    n_symbols, n_labels = cases.n_symbols, cases.n_labels
    forward = _Neighbours(pairs.keys // n_symbols, pairs.keys % n_symbols, pairs.counts, n_symbols)
    backward = _Neighbours(pairs.keys % n_symbols, pairs.keys // n_symbols, pairs.counts, n_symbols)
    before, after = np.divmod(gaps, n_symbols)
    yield from _single(forward, backward, before, after, n_labels)
    yield from _double(forward, backward, before, after, n_labels)
    for size in range(3, LONGEST_RUN + 1):
        yield _run(cases, gaps, size)


class _Neighbours:
    """Hold the neighbours of each symbol on one side, with the share of each."""

    def __init__(self, symbols: Ints, others: Ints, counts: Ints, n_symbols: int) -> None:
        order = np.lexsort((others, symbols))
        self.others = others[order]
        self.bounds = np.searchsorted(symbols[order], np.arange(n_symbols + 1))
        self._keys = symbols[order] * n_symbols + self.others
        self._n_symbols = n_symbols
        totals = np.bincount(symbols, weights=counts, minlength=n_symbols)
        self.shares = counts[order] / totals[symbols[order]]

    def share(self, symbols: Ints, others: Ints) -> Floats:
        """Return the share that each of ``others`` has among the neighbours of each of ``symbols``."""
        keys = symbols * self._n_symbols + others
        found = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[found] == keys, self.shares[found], 0.0)

    def most_frequent(self, n_labels: int) -> Ints:
        """Return the most frequent labels beside each symbol, -1 where there are fewer."""
        symbol = np.repeat(np.arange(self._n_symbols), np.diff(self.bounds))
        labels = self.others < n_labels
        return _top(symbol[labels], self.others[labels], self.shares[labels], self._n_symbols, _NEXT_TO)


def _single(forward: _Neighbours, backward: _Neighbours, before: Ints, after: Ints, n_labels: int) -> Iterator[Ints]:
    best = np.full((len(before), _SINGLE_STEPS), -1)
    degrees = np.diff(forward.bounds)[before]
    running = np.append(0, np.cumsum(degrees))
    start = 0
    while start < len(before):
        end = max(int(np.searchsorted(running, running[start] + _GAPS_AT_ONCE, side="right")) - 1, start + 1)
        gap = np.repeat(np.arange(start, end), degrees[start:end])
        entry = np.arange(running[start], running[end]) - running[gap] + forward.bounds[before[gap]]
        step = forward.others[entry]
        score = forward.shares[entry] * backward.share(after[gap], step)
        likely = (score > 0) & (step < n_labels)
        best[start:end] = _top(gap[likely] - start, step[likely], score[likely], end - start, _SINGLE_STEPS)
        start = end
    for column in range(_SINGLE_STEPS):
        yield best[:, column : column + 1]


def _double(forward: _Neighbours, backward: _Neighbours, before: Ints, after: Ints, n_labels: int) -> Iterator[Ints]:
    best = np.full((len(before), _DOUBLE_STEPS), -1)
    first, second = forward.most_frequent(n_labels), backward.most_frequent(n_labels)
    at_once = _GAPS_AT_ONCE // _NEXT_TO**2
    for start in range(0, len(before), at_once):
        x, y = before[start : start + at_once], after[start : start + at_once]
        gap, i, j = (index.ravel() for index in np.indices((len(x), _NEXT_TO, _NEXT_TO)))
        one, two = first[x[gap], i], second[y[gap], j]
        there = (one >= 0) & (two >= 0)
        gap, one, two = gap[there], one[there], two[there]
        between = np.sqrt(forward.share(one, two) * backward.share(two, one))
        score = forward.share(x[gap], one) * between * backward.share(y[gap], two)
        likely = score > 0
        steps = one * (n_labels + 1) + two
        best[start : start + at_once] = _top(gap[likely], steps[likely], score[likely], len(x), _DOUBLE_STEPS)
    for column in range(_DOUBLE_STEPS):
        step = best[:, column]
        yield np.where(step[:, None] >= 0, np.column_stack(np.divmod(step, n_labels + 1)), -1)


def _run(cases: DistinctCases, gaps: Ints, size: int) -> Ints:
    """Return the run of ``size`` labels that stands most often in each gap."""
    starts = np.concatenate([cases.first - 1, cases.places])  # of the symbol before the run
    variants = np.concatenate([np.arange(len(cases.lengths)), cases.variant_of_event])
    fits = starts + size + 1 <= cases.ends[variants]
    starts, variants = starts[fits], variants[fits]
    key = cases.symbols[starts] * cases.n_symbols + cases.symbols[starts + size + 1]
    gap = np.minimum(np.searchsorted(gaps, key), len(gaps) - 1)
    there = gaps[gap] == key if len(gaps) else np.zeros(len(key), dtype=bool)
    gap, starts, weights = gap[there], starts[there], cases.weights[variants[there]]
    best = np.full((len(gaps), size), -1)
    if len(gap):
        columns = [gap, *(cases.symbols[starts + 1 + i] for i in range(size))]
        rows, times = count_rows(columns, max(len(gaps), cases.n_symbols) + 2, weights)
        top = _top(gap[rows], np.arange(len(rows)), times.astype(np.float64), len(gaps), 1)[:, 0]
        found = top >= 0
        best[found] = cases.symbols[starts[rows[top[found]]][:, None] + 1 + np.arange(size)]
    return best


def _top(groups: Ints, items: Ints, scores: Floats, n_groups: int, most: int) -> Ints:
    """Return the items of each group with the highest scores, the first of equal ones first, -1 where there are fewer."""
    order = np.lexsort((items, -scores, groups))
    groups, items = groups[order], items[order]
    rank = np.arange(len(groups)) - np.searchsorted(groups, groups)
    best = np.full((n_groups, most), -1)
    kept = rank < most
    best[groups[kept], rank[kept]] = items[kept]
    return best
