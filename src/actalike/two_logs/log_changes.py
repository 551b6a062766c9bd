"""Find when a process changed: the changes of a log in the order of time, their dates, and what only looks like one.

How changes of a sequence are found is in :mod:`actalike.two_logs.change_detection`. Here the sequence is made: the cases in the
order of their starts, or the periods of variants. And each change is looked at:

- **Do running cases change too?** A new rule may hold for new cases, or for all events from a moment on. Both are fitted as two
  Markov chains, one for each side, and the likelier one counts. If running cases change, the change is placed at the moment, and
  the cases that ran then are on neither side.
- **Open cases.** The cases that begin last are not done when the log ends. If the cases before a change, cut to the ages that
  those after it reached, or only those that were done at such an age, differ from these by little, the log's end explains it.
- **Seasons.** If the same change is there a year before or after, at the same days, it is one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.errors import ActalikeError, LogError, shortened
from actalike.io import LogLike, as_log
from actalike.log import EventLog, Variants, case_beginnings, first_equal_cases
from actalike.log.variants import some_cases
from actalike.support.arrays import one_thread
from actalike.support.frames import FrameKind, as_kind
from actalike.support.progress import tracked
from actalike.two_logs.change_detection import (
    FALSE_ALARMS,
    CaseProperties,
    FoundChange,
    Property,
    Ran,
    Running,
    case_properties,
    find_changes,
    only_new_cases,
    squared_z,
)
from actalike.two_logs.describe import change_point_words, change_points_card, change_points_headline, property_words
from actalike.two_logs.evidence import Floats

Integers = NDArray[np.int64]

SMALLEST = 0.05  # difference of the shares of cases that is worth a change
_DIFFERENCES = 5  # that are listed of a change
_LIKELIER = 10.0  # by how much, in log-likelihood, a change at a moment must fit better than one of new cases
_SURE_OF_PLACE = 0.95
_ROUNDS = 4  # in which a moment is sought
_ITS_COLUMNS = 10  # of a change: the properties that are looked at elsewhere
_LEFT_OVER = 0.25  # of z²: if less is left, something else explains the change
_MOST_COMPARED = 5000  # cases before a change that are cut as those after it
_FEWEST_COMPARED = 20  # cases
_YEAR = np.timedelta64(31_556_952, "s")  # of the calendar, on average
_HALF_A_YEAR = _YEAR // 2
_SEASONAL = 0.5  # of a change, that there must be a year before or after
_COLUMNS = {
    "case": pl.Int64,
    "time": pl.Datetime("us"),
    "first_case": pl.Int64,
    "last_case": pl.Int64,
    "is_gradual": pl.Boolean,
    "begins": pl.Datetime("us"),
    "ends": pl.Datetime("us"),
    "running_cases": pl.Int64,
    "strength": pl.Float64,
    "explained_by": pl.String,
    "words": pl.String,
}


class Difference(NamedTuple):
    """Hold a property of cases whose share changed: the property, and its shares of the cases before and after."""

    what: Property
    share_before: float
    share_after: float


class ChangePoint(NamedTuple):
    """Hold a change of a process.

    - ``case``: the last case before it, in the order of starts, counted from 0.
    - ``time``: when it came, in UTC: the start of the first case after it, or the moment from which on running cases are different
      too. None if the log has no timestamps.
    - ``first_case``, ``last_case``: the interval of ``case``, with a probability of 95 %.
    - ``is_gradual``: whether old and new were mixed for a while, ``begins`` to ``ends``; both are ``time`` if not.
    - ``running_cases``: how many cases that ran at this time are different too; 0 if the change is one of new cases.
    - ``strength``: how clear it is: how far beyond the shuffles, in their standard deviations.
    - ``differences``: what changed most, by the shares of cases.
    - ``explained_by``: None, or what only looks like a change: "open cases" at the end of the log, or a "season".
    """

    case: int
    time: np.datetime64 | None
    first_case: int
    last_case: int
    is_gradual: bool
    begins: np.datetime64 | None
    ends: np.datetime64 | None
    running_cases: int
    strength: float
    differences: tuple[Difference, ...]
    explained_by: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as plain values; times as ISO 8601 in UTC."""
        facts = self._asdict()
        for name in ("time", "begins", "ends"):
            facts[name] = None if facts[name] is None else f"{facts[name].astype('datetime64[s]')}Z"
        facts["differences"] = [
            {**one.what._asdict(), "share_before": one.share_before, "share_after": one.share_after}
            | {"words": property_words(one.what)}
            for one in self.differences
        ]
        return {**facts, "words": change_point_words(self)}


@dataclass(frozen=True, repr=False)
class ChangePoints:
    """Hold when a process changed. :func:`change_points` makes it.

    - ``points``: the changes, the clearest first.
    - ``explained``: what looks like a change, but is explained by cases that are open at the end of the log, or by a season.
    - ``n_small``: how many further changes move no share of cases by ``at_least``.
    - ``order``: of what the sequence is: "start" of the cases, "file" if there are no timestamps, or "period".
    - ``n_cases``: how many cases were compared; ``left_out``: those without a timestamp, which have no place.
    - ``false_alarms``: the share of logs without a change in which one is found.
    - ``log``: the log, or its variants; ``in_order``: its cases in the order in which they were compared, None for variants.
    """

    points: list[ChangePoint]
    explained: list[ChangePoint]
    n_small: int
    order: str
    n_cases: int
    left_out: int
    at_least: float
    false_alarms: float
    log: EventLog | Variants
    in_order: Integers | None

    def in_time(self) -> list[ChangePoint]:
        """Return the changes in the order of time."""
        return sorted(self.points, key=lambda one: one.case)

    def sides(self, point: ChangePoint) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which cases of the log are before and after a change, from the change before it to the one after it.

        Cases in a transition, or that ran when the process changed, are on neither side.
        """
        if self.in_order is None:
            raise ActalikeError("Variants have no cases: give the log.")
        places = self.in_time()
        i = places.index(point)
        low = places[i - 1].case + 1 if i else 0
        high = places[i + 1].case + 1 - places[i + 1].running_cases if i + 1 < len(places) else self.n_cases
        before, after = (np.zeros(len(self.in_order) + self.left_out, dtype=bool) for _ in range(2))
        last, first = point.case + 1 - point.running_cases, point.case + 1
        if point.is_gradual:
            last, first = min(last, point.first_case + 1), point.last_case + 1
        before[self.in_order[low:last]] = True
        after[self.in_order[first:high]] = True
        return before, after

    def to_dict(self) -> dict[str, Any]:
        """Return the facts that ``actalike drift LOG --json`` prints (docs/reference/json.md)."""
        return {
            "schema": "actalike/change-points/1",
            "verdict": change_points_headline(self),
            "order": self.order,
            "cases": self.n_cases,
            "left_out": self.left_out,
            "at_least": self.at_least,
            "false_alarms": self.false_alarms,
            "small": self.n_small,
            "points": [one.to_dict() for one in self.points],
            "explained": [one.to_dict() for one in self.explained],
        }

    def to_frame(self, kind: FrameKind | None = None) -> Any:
        """Return a frame with a row for each change, the clearest first, then those that are explained."""
        rows = [
            {**one._asdict(), "words": "; ".join(change_point_words(one)), "differences": None}
            for one in (*self.points, *self.explained)
        ]
        columns = {
            name: pl.Series([_plain_time(row[name]) for row in rows], dtype=dtype) for name, dtype in _COLUMNS.items()
        }
        native = "polars" if isinstance(self.log, Variants) else self.log.frame_kind
        return as_kind(pl.DataFrame(columns), kind or native)

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        dates = ", ".join("?" if one.time is None else str(one.time.astype("datetime64[D]")) for one in self.points[:3])
        more = ", ..." if len(self.points) > 3 else ""
        where = f": {dates}{more}" if self.order != "file" and self.points else ""
        return f"ChangePoints({self.n_cases:,} cases; {len(self.points):,} changes{where})"

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        return change_points_card(self)


def _plain_time(value: Any) -> Any:
    return value.astype("datetime64[us]").item() if isinstance(value, np.datetime64) else value


def change_points(log: LogLike | Variants, *, at_least: float = SMALLEST, seed: int = 0) -> ChangePoints:
    """Find when a process changed: after which case, at which time, and what is different since then.

    ``log`` is an EventLog, a frame of events, an event log of pm4py, or variants in strata by period
    (:func:`actalike.read_variants` with ``by="month"``). Cases are compared in the order of their starts; without timestamps, in
    the order of the log. Changes that move no share of cases by ``at_least`` are counted, and not listed. In a log without a
    change one is found with a probability of 1 %, whatever its size. ``seed`` is that of the shuffles.

    >>> found = change_points(EventLog.from_traces([["order", "pay"]] * 60 + [["order", "check", "pay"]] * 40))
    >>> found
    ChangePoints(100 cases; 1 changes)
    >>> found.points[0].case, found.points[0].differences[0].what
    (59, Property(kind='contains', a='check', b=None, times=1))
    """
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise ActalikeError(f"seed must be an integer of 0 or more, not {seed!r}.")
    if not isinstance(at_least, int | float) or not 0 <= at_least <= 1:
        raise ActalikeError(f"at_least must be a share from 0 to 1, not {at_least!r}.")
    cases = _periods(log) if isinstance(log, Variants) else _cases(as_log(log, "change_points"))
    with tracked("looking for changes") as advance, one_thread():
        found = find_changes(cases.counts, cases.sizes, int(seed), cases.running, advance)
        points = [_point(one, cases, found) for one in found]
    large = [one for one in points if any(abs(part.share_after - part.share_before) >= at_least for part in one.differences)]
    large.sort(key=lambda one: (-one.strength, one.case))
    return ChangePoints(
        [one for one in large if one.explained_by is None],
        [one for one in large if one.explained_by is not None],
        len(points) - len(large),
        cases.kind,
        int(cases.sizes.sum()),
        cases.left_out,
        float(at_least),
        FALSE_ALARMS,
        cases.log,
        cases.in_order,
    )


@dataclass(frozen=True)
class _Sequence:
    """Hold what is compared: places (cases, or periods) in their order."""

    kind: str
    log: EventLog | Variants
    properties: CaseProperties
    counts: csr_array  # of the cases at each place with each property
    sizes: Integers
    starts: NDArray[np.datetime64] | None  # of each place
    in_order: Integers | None
    left_out: int
    running: Running


def _cases(log: EventLog) -> _Sequence:
    """Return the cases of a log in the order of their starts; in that of the log if it has no timestamps."""
    starts = case_beginnings(log)
    is_dated = ~np.isnat(starts)
    in_order = np.flatnonzero(is_dated)[np.argsort(starts[is_dated], kind="stable")] if is_dated.any() else np.arange(log.n_cases)
    first, variant = np.unique(first_equal_cases(log.codes, log.offsets), return_inverse=True)
    codes, offsets = some_cases(log.codes, log.offsets, first)
    properties = case_properties(Variants(log.activities, codes, offsets, np.bincount(variant)))
    counts, sizes = properties.table[variant[in_order]], np.ones(len(in_order), dtype=np.int64)
    if not is_dated.any():
        return _Sequence("file", log, properties, counts, sizes, None, in_order, 0, only_new_cases)
    running = _RunningCases(log, in_order, starts[in_order])
    left_out = log.n_cases - len(in_order)
    return _Sequence("start", log, properties, counts, sizes, starts[in_order], in_order, left_out, running)


def _periods(variants: Variants) -> _Sequence:
    """Return the periods of variants, which are their strata."""
    names = [name for name in variants.strata if name]
    try:
        starts = np.array([date.fromisoformat(name) for name in names], dtype="datetime64[us]")
    except ValueError:
        starts = np.array([], dtype="datetime64[us]")
    if len(starts) < 2:
        what = "no strata" if not variants.strata else f"strata that are not periods, such as {shortened(variants.strata[0])!r}"
        raise LogError(f"The variants have {what}, and a change is one in time: read them with by='day', by='week' or by='month'.")
    properties = case_properties(variants)
    place = np.array([names.index(name) if name else -1 for name in variants.strata])[variants.stratum]
    dated = np.flatnonzero(place >= 0)
    weights = variants.weights[dated].astype(np.float64)
    members = csr_array((weights, (place[dated], dated)), shape=(len(names), variants.n_variants))
    sizes = np.bincount(place[dated], weights=weights, minlength=len(names)).astype(np.int64)
    left_out = variants.n_cases - int(sizes.sum())
    counts = csr_array(members @ properties.table)
    return _Sequence(
        "period", variants, properties, counts, sizes, starts, None, left_out, only_new_cases
    )


def _point(one: FoundChange, cases: _Sequence, found: Sequence[FoundChange]) -> ChangePoint:
    """Return a change with its dates, what is different, and what explains it."""
    before = np.append(0, np.cumsum(cases.sizes))
    time, begins, ends = None, None, None
    if cases.starts is not None:
        time, begins, ends = (cases.starts[min(place, len(cases.starts) - 1)] for place in (one.place, one.start, one.end))
    i = found.index(one)
    low = found[i - 1].place if i else 0
    high = found[i + 1].running if i + 1 < len(found) else len(cases.sizes)
    return ChangePoint(
        case=int(before[one.place]) - 1,
        time=time,
        first_case=int(before[one.first]) - 1,
        last_case=int(before[one.last]) - 1,
        is_gradual=one.start < one.end,
        begins=begins,
        ends=ends,
        running_cases=int(before[one.place] - before[one.running]),
        strength=one.strength,
        differences=_differences(one, cases.properties),
        explained_by=_explanation(one, cases, low, high),
    )


def _differences(one: FoundChange, properties: CaseProperties) -> tuple[Difference, ...]:
    """Return what changed most. Of properties with the same shares, which the same cases have, the first is named."""
    seen: set[tuple[float, float]] = set()
    differences = []
    for column, before, after in zip(one.columns.tolist(), one.before.tolist(), one.after.tolist(), strict=True):
        if (before, after) not in seen and (1 - before, 1 - after) not in seen:
            seen.add((before, after))
            differences.append(Difference(properties.name(column), before, after))
        if len(differences) == _DIFFERENCES:
            break
    return tuple(differences)


class _RunningCases:
    """Decide whether a change is one of new cases, or of all events from a moment on."""

    def __init__(self, log: EventLog, in_order: Integers, starts: NDArray[np.datetime64]) -> None:
        codes, offsets = some_cases(log.codes, log.offsets, in_order)
        assert log.timestamps is not None
        lengths = np.diff(offsets)
        place_of_event = np.repeat(np.arange(len(in_order)), lengths)
        events = np.repeat(log.offsets[in_order] - offsets[:-1], lengths) + np.arange(len(codes))
        times = log.timestamps[events].astype("datetime64[us]").astype(np.int64)
        times = np.where(times == np.iinfo(np.int64).min, starts.astype(np.int64)[place_of_event], times)
        n = len(log.activities)
        is_first = np.zeros(len(codes), dtype=bool)
        is_first[offsets[:-1][lengths > 0]] = True
        earlier = np.where(is_first, n, np.append(n, codes[:-1])[: len(codes)]).astype(np.int64)
        self._from, self._to = earlier, codes.astype(np.int64)
        self._times, self._place, self._offsets, self._n = times, place_of_event, offsets, n
        self._starts = starts.astype("datetime64[us]").astype(np.int64)
        self._ends = np.maximum.reduceat(times, offsets[:-1]) if lengths.all() else self._starts

    def __call__(self, low: int, place: int, high: int) -> Ran | None:
        """Return the place of a change of running cases; None if it is one of new cases."""
        moment = self._starts[place]
        if not (self._ends[low:place] >= moment).any():
            return None
        events = slice(self._offsets[low], self._offsets[high])
        _, pair = np.unique(self._from[events] * (self._n + 1) + self._to[events], return_inverse=True)
        row = self._from[events]
        of_case, times = self._place[events], self._times[events]
        by_time = np.argsort(times, kind="stable")
        as_cases = _best_split(pair, row, int(np.count_nonzero(of_case < place)))
        as_moment = _best_split(pair[by_time], row[by_time], int(np.searchsorted(times[by_time], moment)))
        if as_moment.likelihood < as_cases.likelihood + _LIKELIER:
            return None
        times = times[by_time]
        moments = times[[min(split, len(times) - 1) for split in (as_moment.split, as_moment.first, as_moment.last)]]
        place, first, last = (low + np.searchsorted(self._starts[low:high], moments)).tolist()
        left = place - int(np.count_nonzero(self._ends[low:place] >= moments[0]))
        return Ran(left, place, first, last) if low < left < place < high else None


class _Split(NamedTuple):
    """Hold the best split of events, its log-likelihood, and the interval in which it is with a probability of 95 %."""

    likelihood: float
    split: int
    first: int
    last: int


def _best_split(pair: Integers, row: Integers, split: int) -> _Split:
    """Return where two Markov chains, one before a split of the events and one after it, are likeliest.

    ``pair`` is the transition of each event, ``row`` the activity that it comes from.
    """
    best = _Split(-np.inf, split, split, split)
    row_of_pair = np.zeros(pair.max() + 1, dtype=np.int64)
    row_of_pair[pair] = row
    for _ in range(_ROUNDS):
        if not 0 < split < len(pair):
            break
        chances = []
        for side in (slice(split), slice(split, None)):
            pairs = np.bincount(pair[side], minlength=len(row_of_pair)) + 0.5
            chances.append(np.log(pairs / np.bincount(row_of_pair, weights=pairs)[row_of_pair]))
        before, after = chances
        gains = np.append(0.0, np.cumsum(before[pair] - after[pair]))
        split = int(np.argmax(gains))
        likelihood = float(gains[split] + after[pair].sum())
        if likelihood <= best.likelihood + 1e-6:
            break
        likely = np.exp(gains - gains[split])
        order = np.argsort(-likely, kind="stable")
        chosen = order[: int(np.searchsorted(np.cumsum(likely[order]), _SURE_OF_PLACE * likely.sum())) + 1]
        best = _Split(likelihood, split, int(chosen.min()), int(chosen.max()))
    return best


def _explanation(one: FoundChange, cases: _Sequence, low: int, high: int) -> str | None:
    """Return what explains a change: "open cases" at the end of the log, or a "season"; None if neither does."""
    if isinstance(cases.log, EventLog) and cases.starts is not None and high == len(cases.sizes):
        if _is_end_of_log(one, cases.log, cases, low):
            return "open cases"
    return "season" if cases.starts is not None and _is_season(one, cases, low, high) else None


def _is_end_of_log(one: FoundChange, log: EventLog, cases: _Sequence, low: int) -> bool:
    """Return whether cases before a change differ little from those after it once they are cut, or chosen, by the same ages."""
    assert cases.in_order is not None
    assert cases.starts is not None
    assert log.timestamps is not None
    rng = np.random.default_rng(0)
    before, after = np.arange(low, one.running), np.arange(one.place, len(cases.sizes))
    if len(before) > _MOST_COMPARED:
        before = np.sort(rng.choice(before, _MOST_COMPARED, replace=False))
    ages = np.nanmax(log.timestamps) - cases.starts[rng.choice(after, len(before))]
    chosen = cases.in_order[before]
    codes, offsets = some_cases(log.codes, log.offsets, chosen)
    lengths = np.diff(offsets)
    events = np.repeat(log.offsets[chosen] - offsets[:-1], lengths) + np.arange(len(codes))
    of_case = np.repeat(np.arange(len(chosen)), lengths)
    is_seen = ~(log.timestamps[events] - cases.starts[before][of_case] > ages[of_case])
    is_done = np.bincount(of_case, weights=~is_seen, minlength=len(chosen)) == 0
    if is_done.all():
        return False  # all were done at these ages
    columns = one.columns[:_ITS_COLUMNS]
    seen = np.bincount(of_case[is_seen], minlength=len(chosen))
    cut = Variants(log.activities, codes[is_seen], np.append(0, np.cumsum(seen)), np.ones(len(chosen), dtype=np.int64))
    having = cases.counts[after][:, columns].sum(axis=0)
    as_they_are = cases.counts[before][:, columns]
    observed = _sum_of_z(as_they_are.sum(axis=0), len(before), having, len(after))
    left_over = [_sum_of_z(_same_columns(cut, cases.properties, columns), len(before), having, len(after))]
    if is_done.sum() >= _FEWEST_COMPARED:
        done = as_they_are[is_done].sum(axis=0) * len(before) / is_done.sum()
        left_over.append(_sum_of_z(done, len(before), having, len(after)))
    return min(left_over) < _LEFT_OVER * observed


def _same_columns(cut: Variants, properties: CaseProperties, columns: Integers) -> Floats:
    """Return how many cases of other variants have the same properties."""
    theirs = case_properties(cut)
    place = {theirs.name(column): column for column in range(theirs.table.shape[1])}
    having = theirs.table.sum(axis=0)
    names = [properties.name(column) for column in columns.tolist()]
    return np.array([having[place[name]] if name in place else 0.0 for name in names])


def _sum_of_z(before: Floats, n_before: int, after: Floats, n_after: int) -> float:
    sizes = np.array([float(n_before)])
    return float(squared_z(before[np.newaxis], before + after, sizes, float(n_before + n_after)).sum())


def _is_season(one: FoundChange, cases: _Sequence, low: int, high: int) -> bool:
    """Return whether the same change is there a year before or after, wherever the log has cases of these days."""
    assert cases.starts is not None
    starts, columns = cases.starts, one.columns[:_ITS_COLUMNS]
    moment = starts[min(one.place, len(starts) - 1)]
    step = one.after[:_ITS_COLUMNS] - one.before[:_ITS_COLUMNS]
    earliest, latest = max(starts[low], moment - _HALF_A_YEAR), moment + _HALF_A_YEAR
    if high < len(starts):
        latest = min(latest, starts[high])
    effects = []
    for shift in (-_YEAR, _YEAR):
        bounds = np.searchsorted(starts, [earliest + shift, moment + shift, latest + shift])
        sides = [slice(*bounds[:2]), slice(*bounds[1:])]
        sizes = [int(cases.sizes[side].sum()) for side in sides]
        if min(sizes) >= _FEWEST_COMPARED:
            shares = [cases.counts[side][:, columns].sum(axis=0) / size for side, size in zip(sides, sizes, strict=True)]
            effects.append(float(step @ (shares[1] - shares[0]) / max(step @ step, 1e-12)))
    return bool(effects) and min(effects) >= _SEASONAL
