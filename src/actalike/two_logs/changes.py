"""Find what changed between two logs that are given as variants: the changes of each activity, tested against chance.

**The change of an activity.** Let n1(a), n2(a) be the events of a before and after, n1_o(a, x) those whose neighbour at offset o
is x (an activity, or PAD outside the case), q_o(x) the share of x at offset o over both logs, s = 2 the shrinkage, and v_o the
weight of an offset, proportional to 1 / |o|, all as in kin (``docs/kin.md``).

1. P1_o(a, x) = (n1_o(a, x) + s q_o(x)) / (n1(a) + s), and P2_o likewise.
2. D(a) = 1 - Σ_o v_o Σ_x sqrt(P1_o(a, x) P2_o(a, x)) = Σ_o v_o Σ_x (sqrt P1_o(a, x) - sqrt P2_o(a, x))² / 2.

So D is 0 if the shares are the same and below 1 always, and each neighbour has an exact part of it, which is never negative.

**Chance.** The null of an activity shuffles the cases *that contain it*, and keeps how many of them are before and after. So an
activity that is only used more often than before, with the same neighbours, did not change. Cases that use the activity in the
same way are equal here, so only their numbers are drawn: variants with weights are enough.

With B shuffles, p = (1 + number of shuffles with D* >= D) / (1 + B). A single activity among m needs a p of 0.05 / m, so B must
be large, but only where the first shuffles leave it open: an activity is done once 10 shuffles reached its change. Such a p is
valid (below u with a probability of at most u), because it is one of 1 + B exchangeable ranks, and stopping early only where it
is large never makes it smaller.

**Causes.** Some changes only follow from others. If cases with a become more frequent, the activities beside a have it as a
neighbour more often, although nobody works in another way. So the cases with and without a are shuffled apart, which keeps how
many of them are before and after. If such shuffles change an activity as much as it changed, the change follows from the number
of cases with a. Cases of both kinds must be on both sides, or else there is nothing to shuffle, and any change would follow.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack
from scipy.special import gammaln

from actalike.counting import PAD, window_columns
from actalike.log import Variants, first_equal_cases
from actalike.support.arrays import group_rows
from actalike.two_logs.evidence import Floats
from actalike.two_logs.matching import match_variants

Integers = NDArray[np.int64]

WINDOW = 5
SHRINKAGE = 2.0
ROUNDING = 1e-12  # two changes that are nearer than this are equal
OFFSETS = (-2, -1, 1, 2)
_WEIGHTS = np.array([1 / abs(offset) for offset in OFFSETS]) / sum(1 / abs(offset) for offset in OFFSETS)
ENOUGH_CASES = 5  # of an activity, in each log; fewer prove nothing
LEVEL = 0.05  # of the false discoveries that are allowed
FIRST_SHUFFLES = 200
_MOST_SHUFFLES = 100_000
_ENOUGH = 10  # shuffles that reach a change: p is known well enough
_FINER = 4  # how many times finer than the level p must be where few activities are left
_CELLS_AT_A_TIME = 1 << 21
_FEW_CASES = 8  # of each profile: then shuffling single cases is faster
_CAUSES = 5  # labels whose number of cases may explain changes: those with the largest difference
_NEIGHBOURS = 20  # that are listed of each activity, of those that came and of those that went
_TIMES_RARER = 20  # from which on an activity counts as new, or gone: a few old cases may still be running
_EQUALLY_LIKELY = 1e-7  # two tables that are equally likely differ by rounding
CONFIDENT = 0.7  # how likely a new label must be the same step as the old one
_LARGEST_CHANGE = 0.25  # of the neighbours: a label that takes the place of another has most of them
_LITTLE_LEFT = 0.25  # of a change, if it only follows from labels that came or went
_CLEARLY_LESS = 0.1  # how much less than with any other label


class NeighbourChange(NamedTuple):
    """Hold how often an activity has a neighbour, as shares of its events.

    - ``offset``: where: -1 is directly before the activity, 2 is two places after it.
    - ``neighbour``: None for outside the case.
    - ``share_before``, ``share_after``: shares of the activity's events, which can be checked in the logs.
    - ``part``: its exact part of the activity's change.
    """

    offset: int
    neighbour: str | None
    share_before: float
    share_after: float
    part: float


class ChangedActivity(NamedTuple):
    """Hold how much the neighbours of an activity changed.

    - ``activity``: its label; the old one if a new label took its place.
    - ``change``: from 0, the same neighbours, to 1, none in common.
    - ``p``: how likely such a change, or a larger one, is by chance: if its cases are shuffled between the two logs.
    - ``came``, ``went``: the neighbours it has more, or less, often than before: up to 20, the largest part of the change first.
    - ``by_chance``: 95 % of the changes by chance are smaller.
    - ``cases_before``, ``cases_after``, ``events_before``, ``events_after``: how often it is used.
    - ``because_of``: the label whose number of cases explains the change, if one does: cases with and without it are as they
      were, and there are more, or fewer, of them; or little of the change is left without the labels that came and went.
    - ``is_rare``: in fewer than 5 cases of a log, too rare to judge. Then it is never among those that changed.
    """

    activity: str
    change: float
    p: float
    came: tuple[NeighbourChange, ...]
    went: tuple[NeighbourChange, ...]
    by_chance: float
    cases_before: int
    cases_after: int
    events_before: int
    events_after: int
    is_rare: bool
    because_of: str | None = None


class PresenceChange(NamedTuple):
    """Hold in how many cases an activity is, before and after, and how likely such a difference is by chance."""

    activity: str
    cases_before: int
    cases_after: int
    p: float


class Replacement(NamedTuple):
    """Hold a label that vanished, and the new label that took its place.

    - ``probability``: how likely they are the same step, by all evidence. It is low where the new one is used far more often.
    - ``shared``: how much of their neighbours they have in common, from 0 to 1.
    """

    old: str
    new: str
    probability: float
    shared: float = 1.0


class PresenceKinds(NamedTuple):
    """Hold the labels that are in more, or fewer, of the cases by kind, the largest difference of shares first."""

    appeared: list[PresenceChange]
    vanished: list[PresenceChange]
    more_often: list[PresenceChange]
    less_often: list[PresenceChange]


class Changes(NamedTuple):
    """Hold what changed between two logs; :class:`actalike.Drift` says what each list is."""

    changed: list[ChangedActivity]
    all: list[ChangedActivity]
    appeared: list[PresenceChange]
    vanished: list[PresenceChange]
    more_often: list[PresenceChange]
    less_often: list[PresenceChange]
    replaced: list[Replacement]


def find_changes(before: Variants, after: Variants, seed: int, advance: Callable[[str], object] = lambda what: None) -> Changes:
    """Find what changed. ``advance`` is called after the shuffles of each activity."""
    labels = all_activities(before, after)
    cases = before.n_cases, after.n_cases
    presence = label_presence(before, after)
    tested = [one for one in presence if one.cases_before + one.cases_after >= ENOUGH_CASES]
    replaced = find_replaced(before, after, [one for one in tested if one.p <= LEVEL / (2 * len(labels))])
    old_name = {one.new: one.old for one in replaced}
    old, new = (relabelled(log, old_name) for log in (before, after))  # in one vocabulary
    table = NeighbourTable(old, new)
    nulls = {
        label: Null(neighbours, np.random.default_rng([seed, number]))
        for number, (label, neighbours) in enumerate(table.by_activity())
    }
    judged = [label for label, null in nulls.items() if not null.neighbours.is_rare]
    for null in nulls.values():
        null.shuffle(FIRST_SHUFFLES)
        advance("shuffled")
    shuffle_further([nulls[label] for label in judged], len(judged) + len(tested))
    every = {label: _changed(label, null, table.activities) for label, null in nulls.items()}
    # one family of tests: of all that is said, at most 5 % is false on average, and a stable log shows anything in 5 % of runs
    is_found = discoveries(np.array([*(every[label].p for label in judged), *(one.p for one in tested)]))
    changed = [every[label] for label, found in zip(judged, is_found[: len(judged)], strict=True) if found]
    # the largest changes beyond chance first: rare labels change much by chance
    changed.sort(key=lambda one: (one.by_chance - one.change, one.activity))
    names = {one.activity for one in changed}
    rest = [one for label, one in every.items() if label not in names]
    rest.sort(key=lambda one: (one.is_rare, one.p, -one.change, one.activity))
    kinds = presence_kinds([one for one, found in zip(tested, is_found[len(judged) :], strict=True) if found], *cases)
    renamed = [one for one in label_presence(old, new) if one.activity in old_name.values() and one.p <= LEVEL]
    possible = _possible_causes([*kinds.more_often, *kinds.less_often, *renamed], *cases)
    causes = find_causes(table, [one.activity for one in changed], possible, seed)
    came_or_went = {one.activity for one in (*kinds.appeared, *kinds.vanished, *renamed)} - {*old_name}
    causes |= find_consequences(old, new, [one for one in changed if one.activity not in causes], came_or_went)
    changed = [one._replace(because_of=causes.get(one.activity)) for one in changed]
    changed.sort(key=lambda one: one.because_of is not None)
    return Changes(changed, [*changed, *rest], *kinds, replaced)


def all_activities(before: Variants, after: Variants) -> list[str]:
    """Return the activities of both logs, sorted."""
    return sorted({*before.activities, *after.activities})


def relabelled(variants: Variants, names: Mapping[str, str], without: frozenset[str] = frozenset()) -> Variants:
    """Return variants with new names for some labels, and without the events of others. Variants may become equal.

    >>> variants = Variants(["a", "b", "c"], np.array([0, 1, 2]), np.array([0, 3]), np.array([5]))
    >>> new = relabelled(variants, {"c": "a"}, frozenset("b"))
    >>> new.activities, new.codes.tolist(), new.offsets.tolist()
    (['a'], [0, 0], [0, 2])
    """
    labels = [names.get(label, label) for label in variants.activities]
    is_kept = np.array([label not in without for label in variants.activities])
    activities = sorted({label for label, kept in zip(labels, is_kept, strict=True) if kept})
    place = {label: i for i, label in enumerate(activities)}
    new_codes = np.array([place.get(label, -1) for label in labels], dtype=np.int32)[variants.codes]
    kept = is_kept[variants.codes]
    lengths = np.bincount(variants.variant_of_event[kept], minlength=variants.n_variants)
    return Variants(activities, new_codes[kept], np.append(0, np.cumsum(lengths)), variants.weights)


def _possible_causes(labels: Sequence[PresenceChange], cases_before: int, cases_after: int) -> list[str]:
    """Return the labels whose share of the cases changed most, of those that are on both sides."""
    shares = [(abs(one.cases_after / cases_after - one.cases_before / cases_before), one.activity) for one in labels]
    return [label for _, label in sorted(shares, key=lambda one: (-one[0], one[1]))[:_CAUSES]]


@dataclass(frozen=True)
class ActivityNeighbours:
    """Hold the neighbours of one activity in two logs.

    A *profile* is a way in which a case uses the activity: with which neighbours, how often. Cases of one profile are equal here,
    so it is enough to know how many there are of each. A *cell* is an offset and a neighbour that the activity has at it.
    """

    offset: Integers  # of each cell, as a position in OFFSETS
    neighbour: Integers  # of each cell: the code of an activity, or the number of activities for outside the case
    usual: Floats  # q of each cell
    counts: csr_array  # of each profile (row) in each cell
    events: Integers  # of each profile
    before: Integers  # cases of each profile
    after: Integers
    has_given: NDArray[np.bool_]  # whether the cases of each profile contain the activity that is ``given``

    @cached_property
    def unseen(self) -> float:
        """Return Σ_o v_o q_o of the neighbours that the activity never has, which pseudo-events alone give it."""
        seen = np.bincount(self.offset, weights=self.usual, minlength=len(OFFSETS))
        return float(_WEIGHTS @ np.maximum(1 - seen, 0))

    @cached_property
    def _totals(self) -> tuple[Floats, float]:
        both = (self.before + self.after).astype(np.float64)
        return self.counts.T @ both, float(self.events @ both)

    def changes(self, before: Integers) -> Floats:
        """Return D for several ways to divide the cases: a row has the number of cases of each profile that are before.

        >>> log = Variants(["a", "x", "y"], np.array([1, 0, 2, 0]), np.array([0, 2, 4]), np.array([1, 1]))
        >>> dict(NeighbourTable(log, log).by_activity())["a"].changes(np.array([[1, 1], [2, 0], [0, 2]])).round(3).tolist()
        [0.0, 0.064, 0.064]
        """
        totals, all_events = self._totals
        cells = (self.counts.T @ before.T.astype(np.float64)).T
        events = before @ self.events
        first, second = events + SHRINKAGE, all_events - events + SHRINKAGE
        pseudo = SHRINKAGE * self.usual
        roots = np.sqrt((cells + pseudo) * (totals - cells + pseudo))
        alike = (roots @ _WEIGHTS[self.offset] + SHRINKAGE * self.unseen) / np.sqrt(first * second)
        changes: Floats = np.where(alike > 1 - ROUNDING, 0.0, 1 - alike)
        return changes

    def parts(self) -> tuple[Floats, Floats, Floats]:
        """Return the share of each cell before and after, without pseudo-events, and its part of the change."""
        counts = [self.counts.T @ cases.astype(np.float64) for cases in (self.before, self.after)]
        events = [float(self.events @ cases) for cases in (self.before, self.after)]
        pseudo = SHRINKAGE * self.usual
        first, second = (np.sqrt((one + pseudo) / (n + SHRINKAGE)) for one, n in zip(counts, events, strict=True))
        shares = [one / max(n, 1) for one, n in zip(counts, events, strict=True)]
        return shares[0], shares[1], _WEIGHTS[self.offset] * (first - second) ** 2 / 2

    @property
    def change(self) -> float:
        """Return D of the cases as they are."""
        return float(self.changes(self.before[np.newaxis])[0])

    @property
    def is_rare(self) -> bool:
        """Return whether the activity is in too few cases of a log."""
        return bool(min(self.before.sum(), self.after.sum()) < ENOUGH_CASES)


class NeighbourTable:
    """Hold the neighbours of all events of two logs, from which those of each activity are taken, whatever is shuffled apart.

    Codes are positions in ``activities``, those of both logs.
    """

    def __init__(self, before: Variants, after: Variants) -> None:
        self.activities = all_activities(before, after)
        self._in_both = set(before.activities) & set(after.activities)
        n = len(self.activities)
        codes, lengths, self._cases = _both(before, after, self.activities)
        columns = window_columns(codes, lengths, WINDOW)
        middle = (WINDOW - 1) // 2
        beside = [columns[middle + offset] for offset in OFFSETS]
        self._neighbours = [np.where(column == PAD, n, column) for column in beside]  # n is the outside of the case
        per_event = np.repeat(self._cases.sum(axis=0), lengths)
        sums = [np.bincount(column, weights=per_event, minlength=n + 1) for column in self._neighbours]
        self._usual: Floats = np.stack(sums) / per_event.sum()
        variant = np.repeat(np.arange(len(lengths)), lengths)
        _, window = group_rows(columns, n + 1)
        # the events by activity, variant and window: those of an activity in a variant stand together
        self._place = np.lexsort((window, variant, codes))
        self._activity = codes[self._place].astype(np.int64)
        self._variant, self._window = variant[self._place], window[self._place].astype(np.int32)
        is_first = (np.diff(self._activity, prepend=-1) != 0) | (np.diff(self._variant, prepend=-1) != 0)
        self._bounds = np.append(np.flatnonzero(is_first), len(codes))

    def by_activity(self, given: str | None = None) -> Iterator[tuple[str, ActivityNeighbours]]:
        """Yield the label and the neighbours of each activity that both logs have.

        Cases with and without the activity ``given`` have profiles of their own.
        """
        n, starts = len(self.activities), self._bounds[:-1]
        variant, activity = self._variant[starts], self._activity[starts]
        code = -1 if given is None else self.activities.index(given)
        has_given = np.bincount(self._variant, weights=self._activity == code, minlength=self._cases.shape[1]) > 0
        window = np.where(has_given[self._variant], self._window + self._window.max() + 1, self._window).astype(np.int32)
        profile = first_equal_cases(window, self._bounds)
        sizes = np.stack([np.bincount(profile, weights=one[variant], minlength=len(profile)) for one in self._cases])
        kept = np.flatnonzero(profile == np.arange(len(profile)))
        counts, events = self._cells(kept), np.diff(self._bounds)
        limits = np.searchsorted(activity[kept], np.arange(n + 1)).tolist()
        for code, label in enumerate(self.activities):
            if label in self._in_both:
                rows = slice(limits[code], limits[code + 1])
                chosen = kept[rows]
                before, after = sizes[:, chosen].astype(np.int64)
                yield label, self._of_activity(counts[rows], events[chosen], before, after, has_given[variant[chosen]])

    def _cells(self, kept: Integers) -> csr_array:
        """Return how often each profile (row) has each neighbour at each offset: n + 1 columns for each offset."""
        n = len(self.activities)
        lengths = np.diff(self._bounds)[kept]
        starts = np.repeat(self._bounds[kept] - np.append(0, np.cumsum(lengths)[:-1]), lengths)
        places = self._place[starts + np.arange(lengths.sum())]
        rows = np.tile(np.repeat(np.arange(len(kept)), lengths), len(OFFSETS))
        columns = np.concatenate([i * (n + 1) + column[places].astype(np.int64) for i, column in enumerate(self._neighbours)])
        return csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(kept), len(OFFSETS) * (n + 1)))

    def _of_activity(
        self, counts: csr_array, events: Integers, before: Integers, after: Integers, has_given: NDArray[np.bool_]
    ) -> ActivityNeighbours:
        """Return the neighbours of an activity, with the cells that it has."""
        cells = np.unique(counts.indices)
        own = csr_array((counts.data, np.searchsorted(cells, counts.indices), counts.indptr), shape=(counts.shape[0], len(cells)))
        offset, neighbour = np.divmod(cells.astype(np.int64), self._usual.shape[1])
        return ActivityNeighbours(offset, neighbour, self._usual[offset, neighbour], own, events, before, after, has_given)


def _both(before: Variants, after: Variants, activities: list[str]) -> tuple[NDArray[np.int32], Integers, Integers]:
    """Return the variants of both logs one after the other: activities, lengths, and cases before and after."""
    position = {label: i for i, label in enumerate(activities)}
    codes = [np.array([position[label] for label in log.activities], dtype=np.int32)[log.codes] for log in (before, after)]
    nothing = [np.zeros_like(log.weights) for log in (before, after)]
    cases = np.stack([np.concatenate([before.weights, nothing[1]]), np.concatenate([nothing[0], after.weights])])
    return np.concatenate(codes), np.concatenate([before.lengths, after.lengths]), cases


class Null:
    """Shuffle the cases of one activity, and count how often the change of a shuffle reaches its change."""

    def __init__(self, neighbours: ActivityNeighbours, rng: np.random.Generator) -> None:
        self.neighbours, self.rng = neighbours, rng
        self.change = neighbours.change
        self.reached = self.shuffles = 0
        self.by_chance = 0.0  # the change that 95 % of the first shuffles stay below
        self._cases = neighbours.before + neighbours.after

    @property
    def p(self) -> float:
        """Return the share of shuffles, and of the log as it is, whose change is not smaller."""
        return (1 + self.reached) / (1 + self.shuffles)

    def shuffle(self, until: int) -> None:
        """Shuffle until there were so many shuffles."""
        at_a_time = max(1, _CELLS_AT_A_TIME // max(self.neighbours.counts.shape))
        is_first = not self.shuffles
        pieces = []
        while self.shuffles < until:
            changes = self.neighbours.changes(self._draw(min(at_a_time, until - self.shuffles)))
            self.reached += int(np.count_nonzero(changes >= self.change - ROUNDING))
            self.shuffles += len(changes)
            pieces.append(changes)
        if is_first:
            self.by_chance = float(np.quantile(np.concatenate(pieces), 0.95))

    def _draw(self, times: int) -> Integers:
        """Draw how many cases of each profile are before. Cases with and without the given activity are shuffled apart."""
        before = np.empty((times, len(self._cases)), dtype=np.int64)
        for part in (self.neighbours.has_given, ~self.neighbours.has_given):
            if part.any():
                cases, drawn = self._cases[part], int(self.neighbours.before[part].sum())
                method: Literal["count", "marginals"] = "count" if cases.sum() < _FEW_CASES * len(cases) else "marginals"
                before[:, part] = self.rng.multivariate_hypergeometric(cases, drawn, times, method=method)
        return before


def _changed(label: str, null: Null, labels: Sequence[str]) -> ChangedActivity:
    of_label = null.neighbours
    shares_before, shares_after, parts = of_label.parts()
    order = np.argsort(-parts, kind="stable")
    came = [i for i in order.tolist() if shares_after[i] > shares_before[i]][:_NEIGHBOURS]
    went = [i for i in order.tolist() if shares_after[i] < shares_before[i]][:_NEIGHBOURS]
    symbols: list[str | None] = [*labels, None]

    def neighbour(i: int) -> NeighbourChange:
        figures = float(shares_before[i]), float(shares_after[i]), float(parts[i])
        return NeighbourChange(OFFSETS[of_label.offset[i]], symbols[of_label.neighbour[i]], *figures)

    return ChangedActivity(
        activity=label,
        change=null.change,
        p=null.p,
        came=tuple(map(neighbour, came)),
        went=tuple(map(neighbour, went)),
        by_chance=null.by_chance,
        cases_before=int(of_label.before.sum()),
        cases_after=int(of_label.after.sum()),
        events_before=int(of_label.events @ of_label.before),
        events_after=int(of_label.events @ of_label.after),
        is_rare=of_label.is_rare,
    )


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


def find_causes(table: NeighbourTable, changed: Sequence[str], causes: Sequence[str], seed: int) -> dict[str, str]:
    """Return for each changed activity the label whose number of cases explains the change best, if any does.

    >>> codes, offsets = np.array([0, 1, 1, 2, 2, 1]), np.array([0, 2, 4, 6])  # a b, b c, c b
    >>> sides = [Variants(["a", "b", "c"], codes, offsets, np.array(cases)) for cases in ([40, 20, 20], [10, 35, 35])]
    >>> find_causes(NeighbourTable(*sides), ["b"], ["a"], seed=0)
    {'b': 'a'}
    """
    best: dict[str, tuple[float, str]] = {}
    for number, cause in enumerate(causes, start=1):
        chosen = set(changed) - {cause}
        for position, (label, neighbours) in enumerate(table.by_activity(given=cause)):
            if label in chosen and _can_be_shuffled(neighbours):
                null = Null(neighbours, np.random.default_rng([seed, position, number]))
                null.shuffle(FIRST_SHUFFLES)
                if null.p > max(LEVEL, best.get(label, (0.0, ""))[0]):
                    best[label] = null.p, cause
    return {label: best[label][1] for label in changed if label in best}


def find_consequences(before: Variants, after: Variants, changed: Sequence[ChangedActivity], labels: set[str]) -> dict[str, str]:
    """Return for each changed activity the label that explains it most, if little is left without the events of some labels.

    These are labels that came, went, or took the place of others in more or fewer cases.

    >>> codes, offsets = np.array([0, 1, 0, 2, 1]), np.array([0, 2, 5])  # a b, a c b
    >>> sides = [Variants(["a", "b", "c"], codes, offsets, np.array(cases)) for cases in ([50, 0], [0, 50])]
    >>> changed = [_changed(label, Null(one, None), ["a", "b", "c"]) for label, one in NeighbourTable(*sides).by_activity()]
    >>> find_consequences(*sides, [one for one in changed if one.activity != "c"], {"c"})
    {'a': 'c', 'b': 'c'}
    """
    if not labels or not changed:
        return {}
    rest = [relabelled(log, {}, without=frozenset(labels)) for log in (before, after)]
    if not all(one.activities for one in rest):
        return {}
    left = {label: neighbours.change for label, neighbours in NeighbourTable(*rest).by_activity()}
    found = {}
    for one in changed:
        parts = [part for part in (*one.came, *one.went) if part.neighbour in labels]
        if parts and left.get(one.activity, 1.0) <= _LITTLE_LEFT * one.change:
            found[one.activity] = str(max(parts, key=lambda part: part.part).neighbour)
    return found


def _can_be_shuffled(neighbours: ActivityNeighbours) -> bool:
    kinds = (neighbours.has_given, ~neighbours.has_given)
    return all(cases[kind].sum() >= ENOUGH_CASES for kind in kinds for cases in (neighbours.before, neighbours.after))


def label_presence(before: Variants, after: Variants) -> list[PresenceChange]:
    """Return in how many cases each activity of either log is, with its p."""
    labels = all_activities(before, after)
    cases = [dict(zip(log.activities, log.activity_cases.tolist(), strict=True)) for log in (before, after)]
    first, second = (np.array([one.get(label, 0) for label in labels]) for one in cases)
    p = presence_p(first, second, before.n_cases, after.n_cases)
    return [PresenceChange(*one) for one in zip(labels, first.tolist(), second.tolist(), p.tolist(), strict=True)]


def presence_kinds(presence: Sequence[PresenceChange], cases_before: int, cases_after: int) -> PresenceKinds:
    """Sort labels into those that appeared or vanished, or nearly so, and those that are in more or fewer of the cases."""

    def shares(one: PresenceChange) -> tuple[float, float]:
        return one.cases_before / cases_before, one.cases_after / cases_after

    kinds = PresenceKinds([], [], [], [])
    for one in sorted(presence, key=lambda one: (-abs(shares(one)[1] - shares(one)[0]), one.activity)):
        before, after = shares(one)
        is_all_or_nothing = _TIMES_RARER * min(before, after) <= max(before, after)
        if after > before:
            (kinds.appeared if is_all_or_nothing else kinds.more_often).append(one)
        elif before > after:
            (kinds.vanished if is_all_or_nothing else kinds.less_often).append(one)
    return kinds


def presence_p(before: Integers, after: Integers, cases_before: int, cases_after: int) -> Floats:
    """Return the p of each activity's numbers of cases, by Fisher's exact test (two-sided).

    Of all ways in which so many cases with the activity can be before and after, p is the probability of those that are not more
    likely than what was seen.

    >>> presence_p(np.array([0, 10]), np.array([10, 10]), 100, 100).round(4).tolist()
    [0.0015, 1.0]
    """
    return np.array(
        [
            _two_sided(first, first + second, cases_before, cases_after)
            for first, second in zip(before.tolist(), after.tolist(), strict=True)
        ]
    )


def _two_sided(first: int, both: int, cases_before: int, cases_after: int) -> float:
    possible = np.arange(max(0, both - cases_after), min(both, cases_before) + 1)
    logarithms = _log_choices(cases_before, possible) + _log_choices(cases_after, both - possible)
    logarithms -= logarithms.max()
    likely = np.exp(logarithms)
    seen = logarithms[first - possible[0]]
    return float(min(likely[logarithms <= seen + _EQUALLY_LIKELY].sum() / likely.sum(), 1.0))


def _log_choices(n: int, k: Integers) -> Floats:
    choices: Floats = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return choices


def find_replaced(before: Variants, after: Variants, presence: Sequence[PresenceChange]) -> list[Replacement]:
    """Find which labels that appeared took the place of which that vanished; all other labels of both logs are the same.

    ``presence`` are the labels whose presence certainly changed. The few events of labels that are nearly gone, or nearly new,
    are left out: they are on the wrong side of the change. First come matches that are likely one step: several adjacent steps
    may have new names at once. Then come labels that share most neighbours, and with no other label nearly as many, however much
    more often the new one is used. The best match of what is left may still be poor, so a new label must have most neighbours of
    the old one in any case.

    >>> codes, offsets, cases = np.array([0, 1, 2, 0, 2]), np.array([0, 3, 5]), np.array([30, 30])
    >>> sides = [Variants(["order", pay, "send"], codes, offsets, cases) for pay in ("pay", "pay by card")]
    >>> [one[:2] for one in find_replaced(*sides, [one for one in label_presence(*sides) if one.p < 0.001])]
    [('pay', 'pay by card')]
    """
    kinds = presence_kinds(presence, before.n_cases, after.n_cases)
    vanished, appeared = (frozenset(one.activity for one in kind) for kind in (kinds.vanished, kinds.appeared))
    if not vanished or not appeared:
        return []
    before, after = relabelled(before, {}, without=appeared), relabelled(after, {}, without=vanished)
    if not (before.activities and after.activities):
        return []
    known = {label: label for label in sorted(set(before.activities) & set(after.activities))}
    matching = match_variants(before, after, known)
    pairs = [pair for pair in matching.pairs if pair.a in vanished and pair.b in appeared and pair.probability >= CONFIDENT]
    old_name = {pair.b: pair.a for pair in pairs}
    table = NeighbourTable(*(relabelled(log, old_name) for log in (before, after)))
    changes = {label: neighbours.change for label, neighbours in table.by_activity()}
    old_name = {new: old for new, old in old_name.items() if changes[old] <= _LARGEST_CHANGE}
    while found := _same_places(before, after, sorted(vanished - {*old_name.values()}), sorted(appeared - {*old_name}), old_name):
        old_name |= found
    likely = matching.probabilities()
    rows, columns = ({label: i for i, label in enumerate(labels)} for labels in (before.activities, after.activities))
    table = NeighbourTable(*(relabelled(log, old_name) for log in (before, after)))
    changes = {label: neighbours.change for label, neighbours in table.by_activity()}
    replaced = [Replacement(old, new, float(likely[rows[old], columns[new]]), 1 - changes[old]) for new, old in old_name.items()]
    return sorted(replaced, key=lambda one: (-one.probability, one.old))


def _same_places(
    before: Variants, after: Variants, old: list[str], new: list[str], old_name: Mapping[str, str]
) -> dict[str, str]:
    """Return the old label of each new one that has most of its neighbours, where no other label has nearly as many."""
    if not old or not new:
        return {}
    symbols = {label: i for i, label in enumerate(sorted({*before.activities, *after.activities} - {*old_name}))}
    profiles = [_root_shares(one, labels, symbols, old_name) for one, labels in ((before, old), (after, new))]
    change = 1 - (profiles[0] @ profiles[1].T).toarray()
    found = {}
    for i, label in enumerate(old):
        j = int(np.argmin(change[i]))
        others = np.append(np.delete(change[i], j), np.delete(change[:, j], i))
        if change[i, j] <= min(_LARGEST_CHANGE, others.min(initial=1.0) - _CLEARLY_LESS):
            found[new[j]] = label
    return found


def _root_shares(variants: Variants, labels: Sequence[str], symbols: Mapping[str, int], old_name: Mapping[str, str]) -> csr_array:
    """Return the roots of the shares of neighbours (columns) of some labels (rows), by offset, each with the root of its weight.

    An event of the same label is a neighbour of its own kind, so that a label and its new name have it in common.
    """
    outside, itself = len(symbols), len(symbols) + 1
    code = np.array([symbols[old_name.get(label, label)] for label in variants.activities], dtype=np.int32)[variants.codes]
    row_of = np.full(len(symbols), -1)
    row_of[[symbols[label] for label in labels]] = np.arange(len(labels))
    columns = window_columns(code, variants.lengths, WINDOW)
    events = np.flatnonzero(row_of[code] >= 0)
    row, weights = row_of[code[events]], variants.weights[variants.variant_of_event[events]].astype(np.float64)
    total = np.bincount(row, weights=weights, minlength=len(labels))
    middle, parts = (WINDOW - 1) // 2, []
    for offset, weight in zip(OFFSETS, _WEIGHTS.tolist(), strict=True):
        beside = columns[middle + offset][events].astype(np.int64)
        beside = np.where(beside == PAD, outside, np.where(beside == code[events], itself, beside))
        counts = csr_array((weights, (row, beside)), shape=(len(labels), itself + 1))
        counts.sum_duplicates()
        counts.data = np.sqrt(weight * counts.data / np.repeat(np.maximum(total, 1), np.diff(counts.indptr)))
        parts.append(counts)
    return csr_array(hstack(parts, format="csr"))
