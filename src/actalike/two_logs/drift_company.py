"""Measure how much the company of an activity changed between two logs: the formula of the change, and its parts.

Let n1(a), n2(a) be the events of a before and after, n1_o(a, x) those whose neighbour at offset o is x (an activity, or PAD
outside the case), q_o(x) the share of x at offset o over both logs, s = 2 the shrinkage, and v_o the weight of an offset,
proportional to 1 / |o|, all as in kin (``docs/kin.md``).

1. P1_o(a, x) = (n1_o(a, x) + s q_o(x)) / (n1(a) + s), and P2_o likewise.
2. D(a) = 1 - Σ_o v_o Σ_x sqrt(P1_o(a, x) P2_o(a, x)) = Σ_o v_o Σ_x (sqrt P1_o(a, x) - sqrt P2_o(a, x))² / 2.

So D is 0 if the shares are the same and below 1 always, and each neighbour has an exact part of it, which is never negative.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.counting import PAD, window_columns
from actalike.log import EventLog, first_equal_cases
from actalike.support.arrays import group_rows

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

WINDOW = 5
SHRINKAGE = 2.0
ROUNDING = 1e-12  # two changes that are nearer than this are equal
OFFSETS = (-2, -1, 1, 2)
_WEIGHTS = np.array([1 / abs(offset) for offset in OFFSETS]) / sum(1 / abs(offset) for offset in OFFSETS)


@dataclass(frozen=True)
class ActivityCompany:
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
    has_given: NDArray[np.bool_]  # whether the cases of each profile contain the activity that was given to companies

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

        >>> log = EventLog.from_traces([["x", "a"], ["y", "a"]])
        >>> (company,) = [one for label, one in companies(log, log) if label == "a"]
        >>> company.changes(np.array([[1, 1], [2, 0], [0, 2]])).round(3).tolist()
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


def companies(before: EventLog, after: EventLog, given: str | None = None) -> Iterator[tuple[str, ActivityCompany]]:
    """Yield the label and the company of each activity that both logs have. Codes are positions in :func:`all_activities`.

    Cases with and without the activity ``given`` have profiles of their own.
    """
    activities = all_activities(before, after)
    n = len(activities)
    codes, lengths, cases = _variants(before, after, activities)
    columns = window_columns(codes, lengths, WINDOW)
    per_event = np.repeat(cases.sum(axis=0), lengths)
    sums = [np.bincount(column, weights=per_event, minlength=n + 1) for column in _neighbours(columns, n)]
    usual: Floats = np.stack(sums) / per_event.sum()
    events, bounds = _profiles(codes, lengths, columns, n)
    variant, activity = events.variant[bounds[:-1]], events.activity[bounds[:-1]]
    has_given = np.bincount(events.variant, weights=events.activity == _code(activities, given), minlength=len(lengths)) > 0
    window = np.where(has_given[events.variant], events.window + events.window.max() + 1, events.window).astype(np.int32)
    profile = first_equal_cases(window, bounds)
    sizes = np.stack([np.bincount(profile, weights=one[variant], minlength=len(profile)) for one in cases]).astype(np.int64)
    kept = np.flatnonzero(profile == np.arange(len(profile)))
    table = _cells(events, bounds, kept, _neighbours(columns, n), n)
    in_both = set(before.activities) & set(after.activities)
    limits = np.searchsorted(activity[kept], np.arange(n + 1)).tolist()
    for code, label in enumerate(activities):
        if label in in_both:
            rows = slice(limits[code], limits[code + 1])
            chosen = kept[rows]
            yield label, _company(table[rows], np.diff(bounds)[chosen], sizes[:, chosen], usual, has_given[variant[chosen]])


def _code(activities: list[str], label: str | None) -> int:
    """Return the code of an activity; -1, which no event has, for none."""
    return -1 if label is None else activities.index(label)


def all_activities(before: EventLog, after: EventLog) -> list[str]:
    """Return the activities of both logs, sorted."""
    return sorted({*before.activities, *after.activities})


@dataclass(frozen=True)
class _Events:
    """Hold the events of all variants, ordered by activity, variant and window."""

    place: Integers
    activity: Integers
    variant: Integers
    window: NDArray[np.int32]


def _variants(before: EventLog, after: EventLog, activities: list[str]) -> tuple[NDArray[np.int32], Integers, Integers]:
    """Return the variants of both logs one after the other: activities, lengths, and cases before and after."""
    position = {label: i for i, label in enumerate(activities)}
    codes = [
        np.array([position[label] for label in log.activities], dtype=np.int32)[log.variants.codes] for log in (before, after)
    ]
    lengths = [np.diff(log.variants.offsets) for log in (before, after)]
    weights = [log.variants.weights for log in (before, after)]
    nothing = [np.zeros_like(one) for one in weights]
    cases = np.stack([np.concatenate([weights[0], nothing[1]]), np.concatenate([nothing[0], weights[1]])])
    return np.concatenate(codes), np.concatenate(lengths), cases


def _neighbours(columns: list[NDArray[np.int32]], n: int) -> list[NDArray[np.int32]]:
    """Return the neighbours of each event at each of OFFSETS, with n for outside the case."""
    middle = (WINDOW - 1) // 2
    return [np.where(columns[middle + offset] == PAD, n, columns[middle + offset]) for offset in OFFSETS]


def _profiles(codes: NDArray[np.int32], lengths: Integers, columns: list[NDArray[np.int32]], n: int) -> tuple[_Events, Integers]:
    """Order the events, and return where those of each activity in each variant begin, and the end."""
    variant = np.repeat(np.arange(len(lengths)), lengths)
    _, window = group_rows(columns, n + 1)
    order = np.lexsort((window, variant, codes))
    events = _Events(order, codes[order].astype(np.int64), variant[order], window[order].astype(np.int32))
    is_first = (np.diff(events.activity, prepend=-1) != 0) | (np.diff(events.variant, prepend=-1) != 0)
    return events, np.append(np.flatnonzero(is_first), len(order))


def _cells(events: _Events, bounds: Integers, kept: Integers, neighbours: list[NDArray[np.int32]], n: int) -> csr_array:
    """Return how often each profile has each neighbour at each offset: a row for each profile, n + 1 columns for each offset."""
    lengths = np.diff(bounds)[kept]
    starts = np.repeat(bounds[kept] - np.append(0, np.cumsum(lengths)[:-1]), lengths)
    places = events.place[starts + np.arange(lengths.sum())]
    row = np.repeat(np.arange(len(kept)), lengths)
    rows = np.tile(row, len(OFFSETS))
    columns = np.concatenate([i * (n + 1) + column[places].astype(np.int64) for i, column in enumerate(neighbours)])
    return csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(kept), len(OFFSETS) * (n + 1)))


def _company(table: csr_array, events: Integers, sizes: Integers, usual: Floats, has_given: NDArray[np.bool_]) -> ActivityCompany:
    cells = np.unique(table.indices)
    counts = csr_array((table.data, np.searchsorted(cells, table.indices), table.indptr), shape=(table.shape[0], len(cells)))
    offset, neighbour = np.divmod(cells.astype(np.int64), usual.shape[1])
    return ActivityCompany(offset, neighbour, usual[offset, neighbour], counts, events, sizes[0], sizes[1], has_given)
