"""List what may have gone wrong in a case: single slips that, undone, would make the case more probable.

A slip replaces the events ``start`` to ``end`` (not included) of a case; undoing it puts other labels there:

- *skipped*: one to five steps are missing before an event; undone, they are there.
- *inserted*: an event is too much; undone, it is gone.
- *repeated*: a block of one to three events stands a second time, at most five events after the first; undone, it is gone.
- *early*, *late*: a block of one or two events stands one to five events before or after its place; undone, it is there.

The *gain* of a slip is ln P(undone) - ln P(as it is), with the probabilities of case_probabilities.py, the end of the case
included. For skipped, inserted and repeated events, half of what occurrences.py gives is added. Its *prior* is -ln (L c), with L
the events of the case, at least 1, and c how many slips of the kind each place allows: 2^k for k missing steps, the number of
labels for an inserted event, 3 * 6 for a repeated block, 2 * 5 for an early and as many for a late one.

Slips are kept that pass a quick screen: the pairs of neighbours that change must be more probable when the slip is undone. The
screen has probabilities of its own, which look back one symbol only and back off to shares in the whole log. With ``n(xy)`` and
``n(x)`` counted in the whole log without the case, ``T(x)`` the different symbols after ``x`` in the whole log (one less if only
this case has the pair, and at least 1), and ``n(y)`` of all N events and ends of the whole log, A labels::

    p(y | x) = (n(xy) + 16 T(x) s(y)) / (n(x) + 16 T(x)),    s(y) = (n(y) + 1/2) / (N + (A + 2) / 2)

The case itself is left out so of the pairs that it has. Pairs that it would have are judged by the whole log, with the case. For
missing steps only those gaps are looked at where ln p(y | x) of the two neighbours is below -1; which steps are tried there says
missing_steps.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from actalike.oddities.case_probabilities import BACK_OFF, CaseProbabilities
from actalike.oddities.count_tables import CountTable
from actalike.oddities.distinct_cases import LONGEST_CONTEXT, DistinctCases
from actalike.oddities.missing_steps import LONGEST_RUN, likely_missing
from actalike.oddities.occurrences import Occurrences
from actalike.oddities.odd_data import KINDS, Kind

LONGEST_BLOCK = 3  # events that are repeated together
LONGEST_MOVED = 2  # events that are early or late together
FARTHEST = 5  # events between a block and its copy, or its proper place
OCCURRENCE_WEIGHT = 0.5  # occurrences are partly told by the probabilities already, so they count half
_AT_ONCE = 1 << 20  # symbols whose probabilities are computed at a time: limits the memory

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Slips:
    """Hold slips as arrays: the kind (a position in KINDS), the variant, the place, and what undoing it gains.

    ``gains`` is ln of how much more probable the case is without the slip; ``priors`` is ln of the probability of this slip among
    all slips of its kind in a case of this length. ``size`` is the number of events of the block, ``missing`` the labels that
    undoing it adds (-1: none).
    """

    kinds: NDArray[np.int8]
    variants: Ints
    starts: Ints
    ends: Ints
    sizes: Ints
    missing: Ints
    gains: Floats
    priors: Floats

    @property
    def is_inserted(self) -> NDArray[np.bool_]:
        """Return which slips are inserted events."""
        return self.kinds == KINDS.index("inserted")


@dataclass(frozen=True)
class _Candidates:
    """Hold slips of one kind and size: the places ``starts`` to ``ends`` hold the symbols that undoing replaces by ``blocks``."""

    kind: Kind
    size: int
    variants: Ints
    starts: Ints
    ends: Ints
    blocks: Ints


def find_slips(cases: DistinctCases, probabilities: CaseProbabilities, occurrences: Occurrences) -> Slips:
    """Return the slips that may have happened in each variant, with what undoing each of them gains."""
    screen = _Screen(cases, probabilities)
    found = [_measured(screen.passing(group), cases, probabilities, occurrences) for group in _all_candidates(cases, screen)]
    return Slips(*(np.concatenate([getattr(part, name) for part in found]) for name in Slips.__dataclass_fields__))


def _all_candidates(cases: DistinctCases, screen: "_Screen") -> Iterator[_Candidates]:
    """Yield the slips that the symbols allow, by kind and size."""
    nothing = np.empty((len(cases.places), 0), dtype=np.int64)
    yield _Candidates("inserted", 1, cases.variant_of_event, cases.places, cases.places + 1, nothing)
    yield from _repeated(cases)
    yield from _moved(cases)
    yield from screen.skipped()


def _repeated(cases: DistinctCases) -> Iterator[_Candidates]:
    symbols, left = cases.symbols, cases.lengths[cases.variant_of_event] - cases.position
    for size in range(1, LONGEST_BLOCK + 1):
        for gap in range(FARTHEST + 1):
            room = (cases.position >= size + gap) & (left >= size)
            starts, variants = cases.places[room], cases.variant_of_event[room]
            again = np.ones(len(starts), dtype=bool)
            for i in range(size):
                again &= symbols[starts + i] == symbols[starts + i - gap - size]
            starts, variants = starts[again], variants[again]
            yield _Candidates("repeated", size, variants, starts, starts + size, np.empty((len(starts), 0), dtype=np.int64))


def _moved(cases: DistinctCases) -> Iterator[_Candidates]:
    left = cases.lengths[cases.variant_of_event] - cases.position
    for size in range(1, LONGEST_MOVED + 1):
        for distance in range(1, FARTHEST + 1):
            room = left >= size + distance
            starts, variants = cases.places[room], cases.variant_of_event[room]
            window = cases.symbols[starts[:, None] + np.arange(size + distance)]
            kinds: tuple[tuple[Kind, int], ...] = (("early", -size), ("late", size))
            for kind, shift in kinds:
                undone = np.roll(window, shift, axis=1)
                differs = (undone != window).any(axis=1)  # an event that is moved among its likes stays where it is
                begins = starts[differs]
                yield _Candidates(kind, size, variants[differs], begins, begins + size + distance, undone[differs])


class _Screen:
    """Judge slips quickly by pairs of neighbours: only the seams of a slip change, so each costs three look-ups at most."""

    def __init__(self, cases: DistinctCases, probabilities: CaseProbabilities) -> None:
        self.cases, self._base = cases, cases.n_symbols
        places, variants = probabilities.places, probabilities.variants
        before, after = cases.symbols[places - 1], cases.symbols[places]
        weights = cases.weights[variants]
        self._pairs, pair = CountTable.of(before * self._base + after, weights)
        self._times = np.bincount(before, weights=weights, minlength=self._base)
        self._distinct = np.bincount(self._pairs.keys // self._base, minlength=self._base)
        self._shares = (np.bincount(after, weights=weights, minlength=self._base) + 0.5) / (weights.sum() + self._base / 2)
        once = np.ones(len(places), dtype=np.int64)
        own, number = CountTable.of(pair * len(cases.weights) + variants, once)
        own_before, number_before = CountTable.of(before * len(cases.weights) + variants, once)
        elsewhere = self._pairs.counts[pair] - own.counts[number]
        times = self._times[before] - own_before.counts[number_before]
        weight = BACK_OFF * np.maximum(self._distinct[before] - (elsewhere == 0), 1)
        self._as_is = np.zeros(len(cases.symbols))
        self._as_is[places] = np.log((elsewhere + weight * self._shares[after]) / (times + weight))

    def _log_probabilities(self, before: Ints, after: Ints) -> Floats:
        """Return ln p(after | before) by pairs alone."""
        weight = BACK_OFF * np.maximum(self._distinct[before], 1)
        times = self._pairs.of_keys(before * self._base + after)
        return np.log((times + weight * self._shares[after]) / (self._times[before] + weight))

    def passing(self, group: _Candidates) -> _Candidates:
        """Return those slips that make the pairs of neighbours more probable when they are undone."""
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
        elif group.kind == "skipped":
            for i in range(1, group.size):
                new += self._log_probabilities(block[:, i - 1], block[:, i])
        elif group.size > 1:  # what is removed has links inside
            for i in range(1, group.size):
                old = old + self._as_is[group.starts + i]
        kept = new > old
        return _Candidates(group.kind, group.size, group.variants[kept], group.starts[kept], group.ends[kept], block[kept])

    def skipped(self) -> Iterator[_Candidates]:
        """Yield the steps that may be missing where a pair of neighbours is improbable."""
        cases = self.cases
        places = np.concatenate([cases.places, cases.ends])
        variants = np.concatenate([cases.variant_of_event, np.arange(len(cases.lengths))])
        odd = self._as_is[places] < -1
        places, variants = places[odd], variants[odd]
        pairs, number = np.unique(cases.symbols[places - 1] * self._base + cases.symbols[places], return_inverse=True)
        for labels in likely_missing(cases, self._pairs, pairs):
            block = labels[number]
            there = (block >= 0).all(axis=1)
            yield _Candidates("skipped", block.shape[1], variants[there], places[there], places[there], block[there])


def _measured(group: _Candidates, cases: DistinctCases, probabilities: CaseProbabilities, occurrences: Occurrences) -> Slips:
    """Return slips with what undoing each of them gains."""
    change = {"skipped": 1, "inserted": -1, "repeated": -1}.get(group.kind, 0)
    gains = _gains(group, cases, probabilities)
    if change > 0:
        gains += OCCURRENCE_WEIGHT * occurrences.gains(group.variants, group.blocks, change)
    elif change < 0:
        removed = cases.symbols[group.starts[:, None] + np.arange(group.size)]
        gains += OCCURRENCE_WEIGHT * occurrences.gains(group.variants, removed, change)
    n_slips = len(group.starts)
    missing = np.full((n_slips, LONGEST_RUN), -1)
    if group.kind == "skipped":
        missing[:, : group.size] = group.blocks
    choices = {  # how many slips of a kind each place allows
        "skipped": 2**group.size,  # each further step is half as likely to be missing too
        "inserted": cases.n_labels,
        "repeated": LONGEST_BLOCK * (FARTHEST + 1),
        "early": LONGEST_MOVED * FARTHEST,
        "late": LONGEST_MOVED * FARTHEST,
    }[group.kind]
    first = cases.first[group.variants]
    return Slips(
        kinds=np.full(n_slips, KINDS.index(group.kind), dtype=np.int8),
        variants=group.variants,
        starts=group.starts - first,
        ends=group.ends - first,
        sizes=np.full(n_slips, group.size),
        missing=missing,
        gains=gains,
        priors=-np.log(np.maximum(cases.lengths[group.variants], 1) * choices),
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
