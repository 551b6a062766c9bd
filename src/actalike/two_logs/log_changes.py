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
from html import escape
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.errors import ActalikeError, LogError, shortened
from actalike.io import LogLike, as_log, how_to_fetch
from actalike.log import EventLog, Variants, case_beginnings, first_equal_cases, some_cases
from actalike.support.arrays import one_thread
from actalike.support.frames import FrameKind, as_kind
from actalike.support.progress import tracked
from actalike.support.text import and_more, card, counted, one_line, percent
from actalike.two_logs.change_detection import (
    FALSE_ALARMS,
    CaseProperties,
    FoundChange,
    Property,
    Ran,
    Running,
    case_properties,
    find_changes,
    is_clear,
    likely_places,
    squared_z,
)
from actalike.two_logs.evidence import Floats

Integers = NDArray[np.int64]

SMALLEST = 0.05  # difference of the shares of cases that is worth a change
_DIFFERENCES = 5  # that are listed of a change
_LIKELIER = 10.0  # by how much, in log-likelihood, a change at a moment must fit better than one of new cases
_ROUNDS = 4  # in which a moment is sought
_ITS_COLUMNS = 10  # of a change: the properties that are looked at elsewhere
_LEFT_OVER = 0.4  # of z²: if less is left, something else explains the change
_MOST_COMPARED = 5000  # cases before a change that are cut as those after it
_FEWEST_COMPARED = 20  # cases
_CLEAR_ENOUGH = 0.25  # of the strength of a change, for others to bound the cases that are compared before and after it
OPEN_CASES, SEASON = "open cases", "season"
_EXPLAINED = {
    OPEN_CASES: "explained by cases that are still open when the log ends",
    SEASON: "seasonal: the same change occurs a year earlier or later",
}
_MANY_PERIODS = 30  # in fewer, shuffles too often look like a change
_SHOWN_DATES = 3
_SHOWN = 12  # in a card
_YEAR = np.timedelta64(31_556_952, "s")  # of the calendar, on average
_HALF_A_YEAR = _YEAR // 2
_SEASONAL = 0.5  # of a change, that there must be a year before or after
_COLUMNS: dict[str, Any] = {
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


class ShareChange(NamedTuple):
    """Hold a property of cases whose share changed: the property, and its shares of the cases before and after."""

    what: Property
    share_before: float
    share_after: float


class ChangePoint(NamedTuple):
    """Hold a change of a process.

    - ``case``: the last case before it, in the order of starts, counted from 0.
    - ``time``: when it came, in UTC: the start of the first case after it. None if the log has no timestamps.
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
    differences: tuple[ShareChange, ...]
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

    def neighbours(self, point: ChangePoint) -> tuple[ChangePoint | None, ChangePoint | None]:
        """Return the changes before and after a change that are not much less clear, None if there are none.

        Where cases are open at the end of the log, the part after the change ends as well.
        """
        bounds = [one for one in self.points if one.strength >= _CLEAR_ENOUGH * point.strength]
        bounds += [one for one in self.explained if one.explained_by == OPEN_CASES]
        earlier = [one for one in bounds if one.case < point.case]
        later = [one for one in bounds if one.case > point.case]
        return max(earlier, key=lambda one: one.case, default=None), min(later, key=lambda one: one.case, default=None)

    def sides(self, point: ChangePoint) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which cases of the log are before and after a change, between its ``neighbours``.

        Cases in a transition, or that ran when the process changed, are on neither side.
        """
        if self.in_order is None:
            raise ActalikeError("Variants have no cases: give the log.")
        earlier, later = self.neighbours(point)
        low = 0 if earlier is None else earlier.case + 1
        high = self.n_cases if later is None else later.case + 1 - later.running_cases
        last, first = point.case + 1 - point.running_cases, point.case + 1
        if point.is_gradual:
            last, first = min(last, point.first_case + 1), point.last_case + 1
        before, after = (np.zeros(self.n_cases + self.left_out, dtype=bool) for _ in range(2))
        before[self.in_order[low : max(last, low + 1)]] = True
        after[self.in_order[first : max(high, first + 1)]] = True
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
        columns = {name: pl.Series([_plain_time(row[name]) for row in rows], dtype=dtype) for name, dtype in _COLUMNS.items()}
        native = "polars" if isinstance(self.log, Variants) else self.log.frame_kind
        return as_kind(pl.DataFrame(columns), kind or native)

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        dates = ", ".join("?" if one.time is None else str(one.time.astype("datetime64[D]")) for one in self.points[:3])
        more = ", ..." if len(self.points) > 3 else ""
        where = f": {dates}{more}" if self.order != "file" and self.points else ""
        return f"ChangePoints({counted(self.n_cases, 'case')}; {counted(len(self.points), 'change')}{where})"

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        return change_points_card(self)


def _plain_time(value: Any) -> Any:
    return value.astype("datetime64[us]").item() if isinstance(value, np.datetime64) else value


def change_points(log: LogLike | Variants, *, at_least: float = SMALLEST, seed: int = 0) -> ChangePoints:
    """Find when a process changed: after which case, at which time, and what is different since then.

    ``log`` is an EventLog, a frame of events, an event log of pm4py, variants in strata by period
    (:func:`actalike.read_variants` with ``by="month"``), or an engine's table, whose variants are read by day. Cases are compared
    in the order of their starts; without timestamps, in the order of the log. Changes that move no share of cases by ``at_least``
    are counted, and not listed. In a log without a change one is found with a probability of 1 %, whatever its size. ``seed`` is
    that of the shuffles.

    >>> found = change_points(EventLog.from_traces([["order", "pay"]] * 60 + [["order", "check", "pay"]] * 40))
    >>> found
    ChangePoints(100 cases; 1 change)
    >>> found.points[0].case, found.points[0].differences[0].what
    (59, Property(kind='contains', a='check', b=None, times=1))
    """
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise ActalikeError(f"seed must be an integer of 0 or more, not {seed!r}.")
    if not isinstance(at_least, int | float) or not 0 <= at_least <= 1:
        raise ActalikeError(f"at_least must be a share from 0 to 1, not {at_least!r}.")
    if not isinstance(log, EventLog | Variants) and how_to_fetch(log) is not None:
        from actalike.counting import read_variants  # here: for a log, no engine is needed

        log = read_variants(log, by="day", attributes=())
    cases = _periods(log) if isinstance(log, Variants) else _cases(as_log(log, "change_points"))
    with tracked("looking for changes") as advance, one_thread():
        found = find_changes(cases.counts, cases.sizes, int(seed), cases.running, advance)
        points = _points(found, cases)
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


def property_words(what: Property) -> str:
    """Return what is true of a case that has a property (of :mod:`actalike.two_logs.change_detection`).

    >>> property_words(Property("contains", "Pay", None, 1)), property_words(Property("followed", "Pay", None, 1))
    ("with 'Pay'", "that end with 'Pay'")
    >>> property_words(Property("followed", "Pay", "Send", 2))
    "in which 'Send' comes directly after 'Pay', 2 times or more"
    """
    times = "" if what.times == 1 else f", {what.times} times or more"
    if what.kind == "contains":
        return f"with {what.a!r}{times}"
    if what.kind == "later":
        return f"in which {what.b!r} comes 2 to 4 steps after {what.a!r}"
    if what.a is None:
        return f"that begin with {what.b!r}"
    if what.b is None:
        return f"that end with {what.a!r}"
    return f"in which {what.b!r} comes directly after {what.a!r}{times}"


def change_point_title(point: ChangePoint) -> str:
    """Return when a process changed, and after which case."""
    case = f"after case {point.case + 1:,}"
    if point.time is None:
        return case
    when = str(point.time.astype("datetime64[D]"))
    if point.is_gradual and point.begins is not None and point.ends is not None:
        first, last = (str(moment.astype("datetime64[D]")) for moment in (point.begins, point.ends))
        when = when if first == last else f"{first} to {last}"
    return f"{when} ({case})"


def change_point_words(point: ChangePoint, most: int = 3) -> list[str]:
    """Return what changed, in shares of cases, and what is to be known of the change."""
    words = [
        f"cases {property_words(one.what)}: {percent(one.share_after)}, before: {percent(one.share_before)}"
        for one in point.differences[:most]
    ]
    if point.is_gradual:
        words.append("gradual: old and new behaviour coexist for a while")
    if point.running_cases:
        are = "was" if point.running_cases == 1 else "were"
        words.append(f"affects running cases too ({point.running_cases:,} {are} open at the time)")
    if point.last_case > point.first_case and not point.is_gradual:
        words.append(f"95 % interval: after case {point.first_case + 1:,} to after case {point.last_case + 1:,}")
    if point.explained_by is not None:
        words.append(_EXPLAINED[point.explained_by])
    return words


def change_points_headline(changes: ChangePoints) -> str:
    """Return when a process changed in one sentence."""
    cases = counted(changes.n_cases, "case")
    if not changes.points:
        return f"No change found in {cases}."
    when = [change_point_title(point) for point in changes.points[:_SHOWN_DATES]]
    more = len(changes.points) - len(when)
    listed = ", ".join(when) + (f", and {more:,} more" if more else "")
    return f"{counted(len(changes.points), 'change')} in {cases}, the clearest first: {listed}."


def chance_words(changes: ChangePoints) -> str:
    """Return how often chance alone would show a change."""
    return f"Of logs without a change, {percent(changes.false_alarms)} show one by chance."


def change_points_limits(changes: ChangePoints) -> list[str]:
    """Return what was left out."""
    sentences = []
    if changes.order == "file":
        sentences.append("The log has no timestamps: its cases are compared in the order of the log.")
    n_periods = len(period_begins(changes.log)) if isinstance(changes.log, Variants) else _MANY_PERIODS
    if n_periods < _MANY_PERIODS:
        sentences.append(
            f"Among {n_periods} periods only a very clear change is found: read the variants in shorter ones (by='day')."
        )
    if changes.left_out:
        is_or_are = "is" if changes.left_out == 1 else "are"
        sentences.append(f"{counted(changes.left_out, 'case')} without a timestamp {is_or_are} left out.")
    if changes.n_small:
        smaller = counted(changes.n_small, "smaller change")
        is_or_are = "is" if changes.n_small == 1 else "are"
        sentences.append(f"{smaller} (each in less than {percent(changes.at_least)} of the cases) {is_or_are} not listed.")
    return sentences


def change_points_card(changes: ChangePoints) -> str:
    """Return the HTML of the changes of a process."""
    facts = [("result", change_points_headline(changes)), ("by chance", chance_words(changes))]
    rows = []
    shown = [*changes.points, *changes.explained][:_SHOWN]
    for point in shown:
        words = "<br>".join(f"<small><bdi>{escape(one_line(line, 300))}</bdi></small>" for line in change_point_words(point))
        rows.append((f"{escape(change_point_title(point))}<br>{words}", f"{point.strength:.0f}", min(point.strength / 100, 1.0)))
    more = and_more(len(changes.points) + len(changes.explained) - len(shown), "change", "changes")
    notes = "".join(f"<div><small>{escape(one_line(sentence, 400))}</small></div>" for sentence in change_points_limits(changes))
    return f"<div>{card('ChangePoints', facts, ('changed', 'strength'), rows, more)}{notes}</div>"


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
    running: Running | None


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
        return _Sequence("file", log, properties, counts, sizes, None, in_order, 0, None)
    running = _RunningCases(log, in_order, starts[in_order])
    left_out = log.n_cases - len(in_order)
    return _Sequence("start", log, properties, counts, sizes, starts[in_order], in_order, left_out, running)


def has_order(log: EventLog | Variants) -> bool:
    """Return whether a log can be searched for changes: its cases have an order, or its strata are three periods or more."""
    return isinstance(log, EventLog) or len(period_begins(log)) > 2


def period_begins(variants: Variants) -> NDArray[np.datetime64]:
    """Return the first day of each period that has a name; nothing if the strata are not periods."""
    try:
        return np.array([date.fromisoformat(name) for name in variants.strata if name], dtype="datetime64[us]")
    except ValueError:
        return np.array([], dtype="datetime64[us]")


def _periods(variants: Variants) -> _Sequence:
    """Return the periods of variants, which are their strata."""
    starts = period_begins(variants)
    if len(starts) < 2:
        what = "no strata" if not variants.strata else f"strata that are not periods, such as {shortened(variants.strata[0])!r}"
        raise LogError(f"The variants have {what}, and changes are found in time: read them with by='day', 'week' or 'month'.")
    names = [name for name in variants.strata if name]
    properties = case_properties(variants)
    place = np.array([names.index(name) if name else -1 for name in variants.strata])[variants.stratum]
    dated = np.flatnonzero(place >= 0)
    weights = variants.weights[dated].astype(np.float64)
    members = csr_array((weights, (place[dated], dated)), shape=(len(names), variants.n_variants))
    sizes = np.bincount(place[dated], weights=weights, minlength=len(names)).astype(np.int64)
    left_out = variants.n_cases - int(sizes.sum())
    counts = csr_array(members @ properties.table)
    return _Sequence("period", variants, properties, counts, sizes, starts, None, left_out, None)


def _points(found: Sequence[FoundChange], cases: _Sequence) -> list[ChangePoint]:
    """Return changes with their dates, what is different, and what explains them."""
    before = np.append(0, np.cumsum(cases.sizes))
    points: list[ChangePoint] = []
    low = unexplained = 0
    for i, one in enumerate(found):
        high = found[i + 1].running if i + 1 < len(found) else len(cases.sizes)
        explained_by = None
        if _is_end_of_log(one, cases, unexplained, high):
            explained_by = OPEN_CASES
        elif cases.starts is not None and _is_season(one, cases, low, high):
            explained_by = SEASON
        low = one.place
        unexplained = unexplained if explained_by == OPEN_CASES else low  # the end of a log often shows in several steps
        moments: list[np.datetime64 | None] = [None] * 3
        if cases.starts is not None:
            moments = [cases.starts[min(place, len(cases.starts) - 1)] for place in (one.place, one.start, one.end)]
        points.append(
            ChangePoint(
                case=int(before[one.place]) - 1,
                time=moments[0],
                first_case=int(before[one.first]) - 1,
                last_case=int(before[one.last]) - 1,
                is_gradual=one.start < one.end,
                begins=moments[1],
                ends=moments[2],
                running_cases=int(before[one.place] - before[one.running]),
                strength=one.strength,
                differences=_differences(one, cases.properties),
                explained_by=explained_by,
            )
        )
    return points


def _differences(one: FoundChange, properties: CaseProperties) -> tuple[ShareChange, ...]:
    """Return what changed most. Of properties with the same shares, which the same cases have, the first is named."""
    seen: set[tuple[float, float]] = set()
    differences = []
    for column, before, after in zip(one.columns.tolist(), one.before.tolist(), one.after.tolist(), strict=True):
        if (before, after) not in seen and (1 - before, 1 - after) not in seen:
            seen.add((before, after))
            differences.append(ShareChange(properties.name(column), before, after))
        if len(differences) == _DIFFERENCES:
            break
    return tuple(differences)


class _RunningCases:
    """Decide whether a change is one of new cases, or holds from a moment on, for running cases too."""

    def __init__(self, log: EventLog, in_order: Integers, starts: NDArray[np.datetime64]) -> None:
        codes, offsets = some_cases(log.codes, log.offsets, in_order)
        assert log.timestamps is not None
        lengths = np.diff(offsets)
        of_event = np.repeat(np.arange(len(in_order)), lengths)
        events = np.repeat(log.offsets[in_order] - offsets[:-1], lengths) + np.arange(len(codes))
        times = log.timestamps[events].astype("datetime64[us]").astype(np.int64)
        self._starts = starts.astype("datetime64[us]").astype(np.int64)
        times = np.where(times == np.iinfo(np.int64).min, self._starts[of_event], times)
        self._outside = len(log.activities)
        self._from = np.append(self._outside, codes[:-1])[: len(codes)].astype(np.int64)
        self._from[offsets[:-1][lengths > 0]] = self._outside
        self._to, self._times, self._case, self._offsets = codes, times, of_event, offsets
        self._ends = np.maximum.reduceat(times, offsets[:-1]) if lengths.all() else self._starts

    def __call__(self, low: int, place: int, high: int) -> Ran | None:
        """Return the place of a change of running cases; None if it is one of new cases.

        Events are divided in three orders: by the start of their case, by their own time, and by the time at which their case
        came to the changed step. The change has the first of these orders unless two Markov chains, one before the split and one
        after it, are clearly likelier in another.
        """
        moment = self._starts[place]
        if not (self._ends[low:place] >= moment).any():
            return None
        events = slice(self._offsets[low], self._offsets[high])
        row, of_case, times = self._from[events], self._case[events], self._times[events]
        _, pair = np.unique(row * (self._outside + 1) + self._to[events], return_inverse=True)
        as_cases = _best_split(pair, row, int(np.count_nonzero(of_case < place)))
        best, moments = as_cases, times
        for keys in (times, self._reached(pair, row, of_case - low, times, place - low)):
            order = np.argsort(keys, kind="stable")
            found = _best_split(pair[order], row[order], int(np.searchsorted(keys[order], moment)))
            if found.likelihood >= best.likelihood + _LIKELIER:
                best, moments = found, keys[order]
        if best is as_cases:
            return None
        chosen = moments[[min(split, len(moments) - 1) for split in (best.split, best.first, best.last)]]
        place, first, last = (low + np.searchsorted(self._starts[low:high], chosen)).tolist()
        left = place - int(np.count_nonzero(self._ends[low:place] >= chosen[0]))
        return Ran(left, place, first, last) if low < left < place < high else None

    def _reached(self, pair: Integers, row: Integers, case: Integers, times: Integers, n_before: int) -> Integers:
        """Return for each event when its case came to the changed step: when it first did what tells old and new cases apart.

        That is the first event after an activity that has other successors in more, or fewer, cases than before. For a case
        without any it is the first event.
        """
        n = int(case[-1]) + 1
        having = csr_array((np.ones(len(case)), (case, pair)), shape=(n, int(pair.max()) + 1))
        having.sum_duplicates()
        having.data[:] = 1
        before = having[:n_before].sum(axis=0)[np.newaxis]
        clear = is_clear(squared_z(before, having.sum(axis=0), np.array([float(n_before)]), float(n))[0])
        is_changed = np.zeros(self._outside + 1, dtype=bool)
        is_changed[row[clear[pair]]] = True
        reached = np.full(n, np.iinfo(np.int64).max)
        np.minimum.at(reached, case, np.where(is_changed[row], times, np.iinfo(np.int64).max))
        first = np.full(n, np.iinfo(np.int64).max)
        np.minimum.at(first, case, times)
        return np.where(reached == np.iinfo(np.int64).max, first, reached)[case]


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
        best = _Split(likelihood, split, *likely_places(gains))
    return best


def _is_end_of_log(one: FoundChange, cases: _Sequence, low: int, high: int) -> bool:
    """Return whether cases before a change differ little from those after it once they are cut, or chosen, by the same ages.

    The ages are those at the last event of the log, or at the last start of a case: a few late events may follow for years.
    """
    log = cases.log
    if not isinstance(log, EventLog) or log.timestamps is None or cases.in_order is None or cases.starts is None:
        return False
    rng = np.random.default_rng(0)
    before, after = np.arange(low, one.running), np.arange(one.place, high)
    if len(before) > _MOST_COMPARED:
        before = np.sort(rng.choice(before, _MOST_COMPARED, replace=False))
    drawn = cases.starts[rng.choice(after, len(before))]
    chosen = cases.in_order[before]
    codes, offsets = some_cases(log.codes, log.offsets, chosen)
    events = np.repeat(log.offsets[chosen] - offsets[:-1], np.diff(offsets)) + np.arange(len(codes))
    of_case = np.repeat(np.arange(len(chosen)), np.diff(offsets))
    ages = log.timestamps[events] - cases.starts[before][of_case]
    columns = one.columns[:_ITS_COLUMNS]
    having = cases.counts[after][:, columns].sum(axis=0)
    as_they_are = cases.counts[before][:, columns]
    left_over = []
    for end in (np.nanmax(log.timestamps), cases.starts[-1]):
        is_seen = ~(ages > (end - drawn)[of_case])
        is_done = np.bincount(of_case, weights=~is_seen, minlength=len(chosen)) == 0
        if is_done.all():
            continue
        seen = np.bincount(of_case[is_seen], minlength=len(chosen))
        cut = Variants(log.activities, codes[is_seen], np.append(0, np.cumsum(seen)), np.ones(len(chosen), dtype=np.int64))
        left_over.append(_sum_of_z(_same_columns(cut, cases.properties, columns), len(before), having, len(after)))
        if is_done.sum() >= _FEWEST_COMPARED:
            done = as_they_are[is_done].sum(axis=0) * len(before) / is_done.sum()
            left_over.append(_sum_of_z(done, len(before), having, len(after)))
    observed = _sum_of_z(as_they_are.sum(axis=0), len(before), having, len(after))
    return bool(left_over) and min(left_over) < _LEFT_OVER * observed


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
