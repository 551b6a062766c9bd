"""Test which families of labels (*Pay by user 17*, *Pay by user 18*) behave as one step.

Text alone cannot tell *Pay by user 17*, *Pay by user 18* (one step) from *Reminder 1*, *Reminder 2* (two steps). The test
compares the direct neighbours. Each neighbour stands for its family, because neighbours vary too: for the one that is tested, or
else for the largest that could be one step. A coincidence is the probability that two events have the same neighbour on one side.
A family is one step if

- at most half of its neighbours before, and after, are of the same family, unlike the steps of a routine, and of the others
- two events of different members coincide at least 0.7 times as often as two events of the same member, on both sides, and
- they coincide at least 1.5 times as often as an event of a member and one of any other label, in the mean of both sides, and
- at most a fifth of the cases with a member have two or more: *Reminder 1* and *Reminder 2* follow each other, and
- these are not steps that come together, each once in a case (:func:`come_together`), and
- members do not follow each other in the order of their numbers: of the events of members in five or more cases that come next to
  each other in a case (other labels left out), if there are ten such pairs, fewer than 90 % ascend.

The first test is left out where members are too rare to have pairs of events. A family of all labels of a log has no other label
to differ from, so it is not one step: then the varying part is the name of the step. Few numbers are often names too (*Stage 1*,
*Stage 2*), so a family of numbers or names needs ten members, one of ids or dates five, or two if one is the plain label. If a
family with its plain label is not one step, the others are tested without it.

Before these tests, a member leaves the family if it does not behave as the others do: if, on one side, its events coincide with
those of the other members less than half as often as two events of different members do. Each member gets four pseudo-events that
coincide as often as those of different members, so few events prove little: a member of five events leaves only if it has next to
nothing in common with the others, one of fewer never. This is repeated until none leaves.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import pdtr

from actalike.counting import WindowCounts
from actalike.embedding import ENOUGH_CASES
from actalike.labels.label_patterns import LabelFamily, label_families
from actalike.log import AnyLog, CoOccurrence

_ALIKE = 0.7
_UNLIKE_OTHERS = 1.5
_ENOUGH_PAIRS = 20  # of events of the same member, for the first test
_MOST_TOGETHER = 0.2
_BY_CHANCE = 0.01
_ASCENDING = 0.9
_FEWEST_ORDERED = 10  # pairs of events
_MOST_WITHIN = 0.5
_FEWEST_NUMBERS = 10
_FEWEST_IDS = 5
_MEMBER_ALIKE = 0.5
_PSEUDO_EVENTS = 4  # of a member that is compared with the others


def alike_families(log: AnyLog, counts: WindowCounts) -> list[LabelFamily]:
    """Return the families of labels that behave as one step, the largest first. No label is in two of them.

    >>> from actalike import EventLog, count_windows
    >>> log = EventLog.from_traces([["file", f"pay by user {i % 10}", "close"] for i in range(60)])
    >>> [(family.pattern, len(family.members)) for family in alike_families(log, count_windows(log, 3))]
    [('pay by user #', 10)]
    """
    labels = counts.activities
    families_of_text = label_families(labels)
    families_of_text += [_without_plain(family) for family in families_of_text if family.plain is not None]
    candidates = [family for family in families_of_text if _is_large_enough(family) and len(family.members) < len(labels)]
    candidates.sort(key=lambda family: (-len(family.members), family.members, family.pattern))
    if not candidates:
        return []
    families: list[LabelFamily] = []
    taken: set[int] = set()
    neighbours, co_occurrence = _Neighbours(counts, candidates), CoOccurrence(log)
    for candidate in candidates:
        if not taken.isdisjoint(candidate.members):
            continue
        family = _without_outliers(candidate, neighbours)
        if not _is_large_enough(family):
            continue
        any_, several, _ = co_occurrence.cases(family.members)
        if several > _MOST_TOGETHER * any_ or not _is_one_step(neighbours.of(family.members)):
            continue
        if not are_steps(log, co_occurrence, family):
            families.append(family)
            taken.update(family.members)
    return families


def are_steps(log: AnyLog, co_occurrence: CoOccurrence, family: LabelFamily) -> bool:
    """Return whether what varies in a family tells steps apart: they come together in cases, or in the order of their numbers."""
    return come_together(log, co_occurrence, family) or _ascends(log, family)


def come_together(log: AnyLog, co_occurrence: CoOccurrence, family: LabelFamily) -> bool:
    """Return whether members come together in cases as steps do, each once, and not as ids do, which one step gets by chance.

    Of the T pairs of events of members that share a case, S have the same label. If the labels were ids, given by chance, T Σ p²
    would, where p is a label's share of the events. They are steps if S is less than half of that, and so few pairs of the same
    label have a probability below 0.01.
    """
    members = list(family.members)
    events = log.activity_counts[members]
    same, pairs = co_occurrence.pairs_of_events(members)
    expected = pairs * float(((events / events.sum()) ** 2).sum())
    return same < expected / 2 and float(pdtr(same, expected)) < _BY_CHANCE


def _ascends(log: AnyLog, family: LabelFamily) -> bool:
    """Return whether members follow each other in the order of their numbers, as steps do; dates ascend by nature."""
    if family.kind in ("date", "name"):
        return False
    frequent = [member for member in family.members if log.activity_cases[member] >= ENOUGH_CASES]
    labels = log.activities
    frequent.sort(key=lambda member: ([int(number) for number in re.findall(r"\d+", labels[member])], labels[member]))
    rank = np.full(len(log.activities), -1)
    rank[frequent] = np.arange(len(frequent))
    codes, offsets, weights = log.variants.codes, log.variants.offsets, log.variants.weights
    places = np.flatnonzero(rank[codes] >= 0)
    variant, ranks = np.searchsorted(offsets, places, side="right") - 1, rank[codes[places]]
    steps, is_pair = np.diff(ranks), np.diff(variant) == 0
    times = weights[variant[1:]] * is_pair
    ascending, descending = int(times[steps > 0].sum()), int(times[steps < 0].sum())
    n_pairs = ascending + descending
    return n_pairs >= _FEWEST_ORDERED and ascending >= _ASCENDING * n_pairs


def _without_plain(family: LabelFamily) -> LabelFamily:
    """Return a family without the plain label, which may be a step of its own."""
    return _with_members(family, [member for member in family.members if member != family.plain])


def _with_members(family: LabelFamily, members: Sequence[int]) -> LabelFamily:
    return replace(family, members=tuple(members), plain=family.plain if family.plain in members else None)


def _is_large_enough(family: LabelFamily) -> bool:
    if family.kind in ("id", "date"):
        return family.plain is not None or len(family.members) >= _FEWEST_IDS
    return len(family.members) >= _FEWEST_NUMBERS


def _without_outliers(family: LabelFamily, neighbours: "_Neighbours") -> LabelFamily:
    """Return a family without the members that do not behave as the others do."""
    while _is_large_enough(family):
        stays = _behave_as_the_others(neighbours.of(family.members))
        if stays.all():
            break
        family = _with_members(
            family, [member for member, is_alike in zip(family.members, stays.tolist(), strict=True) if is_alike]
        )
    return family


class _Side(NamedTuple):
    """Hold the direct neighbours of a family on one side: columns are families, labels without one, and the end of the case."""

    of_members: csr_array  # how often each member has them
    of_others: NDArray[np.float64]  # how often all other labels have them
    within: float  # the share of the members' neighbours that are of the same family; the columns do not contain these


class _Neighbours:
    """Count the direct neighbours of families of labels."""

    def __init__(self, counts: WindowCounts, families: Sequence[LabelFamily]) -> None:
        table = counts.marginal(3)
        n = len(table.activities)
        self._family_of = np.arange(n + 1)  # the last one is PAD, whose code is -1
        for number, family in reversed(list(enumerate(families, start=n + 1))):  # the largest family of a label comes last
            self._family_of[list(family.members)] = number
        self._tested = n + 1 + len(families)
        cells = [(table.counts.astype(np.float64), (table.focal, table.windows[:, side] % (n + 1))) for side in (0, 2)]
        self._sides = [csr_array(side, shape=(n, n + 1)) for side in cells]
        self._totals = [side.sum(axis=0) for side in self._sides]

    def of(self, members: Sequence[int]) -> list[_Side]:
        """Return the neighbours before and after."""
        family_of = self._family_of.copy()
        family_of[list(members)] = self._tested
        sides = []
        for side, totals in zip(self._sides, self._totals, strict=True):
            rows = csr_array(side[list(members)])
            counts = csr_array((rows.data, family_of[rows.indices], rows.indptr), shape=(len(members), self._tested + 1))
            counts.sum_duplicates()
            others = np.bincount(family_of, weights=totals, minlength=self._tested + 1) - counts.sum(axis=0)
            within = float(counts[:, [self._tested]].sum() / counts.sum())
            sides.append(_Side(csr_array(counts[:, : self._tested]), others[: self._tested], within))
        return sides


def _behave_as_the_others(sides: Sequence[_Side]) -> NDArray[np.bool_]:
    """Return which members coincide with the other members often enough."""
    stays = np.ones(sides[0].of_members.shape[0], dtype=bool)
    for side in sides:
        counts = side.of_members
        events: NDArray[np.float64] = counts.sum(axis=1)
        others = events.sum() - events
        coincide = counts @ counts.sum(axis=0) - csr_array(counts**2).sum(axis=1)
        _, different, _ = _coincidences(side)
        shrunk = coincide + _PSEUDO_EVENTS * different * others
        stays &= shrunk >= (_MEMBER_ALIKE * different - 1e-9) * (events + _PSEUDO_EVENTS) * others  # ties stay
    return stays


def _is_one_step(sides: Sequence[_Side]) -> bool:
    if max(side.within for side in sides) > _MOST_WITHIN:
        return False
    same, different, others = np.transpose([_coincidences(side) for side in sides])
    is_alike = np.isnan(same) | (different >= _ALIKE * same)
    return bool(is_alike.all() and different.sum() > 0 and different.mean() >= _UNLIKE_OTHERS * others.mean())


def _coincidences(side: _Side) -> tuple[float, float, float]:
    """Return how often two events coincide: of the same member, of different members, of a member and another label."""
    counts, rest = side.of_members, side.of_others
    events: NDArray[np.float64] = counts.sum(axis=1)
    total: NDArray[np.float64] = counts.sum(axis=0)
    squares = float((counts.data**2).sum())
    n, pairs_of_same = float(events.sum()), float((events * (events - 1)).sum())
    pairs_of_different = n**2 - float(events @ events)
    same = (squares - n) / pairs_of_same if pairs_of_same >= _ENOUGH_PAIRS else np.nan
    different = (float(total @ total) - squares) / pairs_of_different if pairs_of_different else 0.0
    return same, different, float(total @ rest) / max(n * float(rest.sum()), 1.0)
