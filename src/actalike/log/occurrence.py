"""Relative positions, timelines and co-occurrence of activities: what needs no windows."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from actalike.log.event_log import EventLog
from actalike.log.variants import Variants
from actalike.support.memory import require_memory

BY_CHANCE = 5  # pseudo-counts: how many randomly mixed pairs are added to every estimate, so that few observations prove little
_SMALL = np.uint16  # numpy sorts 16-bit numbers with a fast radix sort


class Positions(NamedTuple):
    """Hold the quartiles, mean and standard deviation of the relative positions of each activity.

    ``quartiles`` has a row for each activity: minimum, first quartile, median, third quartile, maximum.
    """

    activities: list[str]
    quartiles: NDArray[np.float64]
    means: NDArray[np.float64]
    deviations: NDArray[np.float64]


def relative_positions(log: EventLog | Variants) -> Positions:
    """Summarise for each activity the relative positions of its events.

    The relative position of an event is its index in its case, from 0, divided by the number of events of the case. So a case
    begins at 0, and its last event is at ``(n - 1) / n``: 1 is never reached. Quartiles are interpolated linearly. The standard
    deviation is that of the events themselves, not an estimate for a population.

    >>> positions = relative_positions(EventLog.from_traces([["a", "b"], ["a", "a", "b", "a"]]))
    >>> positions.quartiles.tolist()
    [[0.0, 0.0, 0.125, 0.375, 0.75], [0.5, 0.5, 0.5, 0.5, 0.5]]
    >>> positions.means.tolist(), positions.deviations.round(3).tolist()
    ([0.25, 0.5], [0.306, 0.0])
    """
    variants = _variants_of(log)
    lengths = variants.lengths
    index = np.arange(len(variants.codes)) - np.repeat(variants.offsets[:-1], lengths)
    relative = index / np.repeat(lengths, lengths)
    are_small = len(variants.activities) <= np.iinfo(_SMALL).max + 1
    codes = variants.codes.astype(_SMALL) if are_small else variants.codes
    order = np.argsort(codes, kind="stable")
    bounds = np.cumsum(np.bincount(codes, minlength=len(variants.activities)))[:-1]
    weights = variants.weights[variants.variant_of_event]
    of_activities = zip(np.split(relative[order], bounds), np.split(weights[order], bounds), strict=True)
    quartiles, means, deviations = [], [], []
    for distinct, times in of_activities:  # one after the other: an engine may have counted very many events
        values = np.repeat(distinct, times)
        quartiles.append(np.quantile(values, (0, 0.25, 0.5, 0.75, 1)))
        means.append(values.mean())
        deviations.append(values.std())
    return Positions(list(variants.activities), np.array(quartiles), np.array(means), np.array(deviations))


class CoOccurrence:
    """Count the cases that activities share, and compare these counts with chance.

    Activities are given by their positions in ``log.activities``.

    >>> co_occurrence = CoOccurrence(EventLog.from_traces([["a", "c"], ["b", "c"], ["c", "b"]]))
    >>> co_occurrence.cases([0, 1]), co_occurrence.cases([1, 2])
    ((3, 0, 0), (3, 2, 2))
    """

    def __init__(self, log: EventLog | Variants) -> None:
        variants = _variants_of(log)
        self._weights = variants.weights
        shape = variants.n_variants, len(variants.activities)
        once = np.ones(len(variants.codes), dtype=np.int64)
        self._counts = csc_array((once, (variants.variant_of_event, variants.codes)), shape=shape)
        self._counts.sum_duplicates()
        self._weighted = self._counts.copy()
        self._weighted.data *= self._weights[self._counts.indices]
        activity = np.repeat(np.arange(shape[1]), np.diff(self._counts.indptr))
        squares = np.bincount(activity, weights=self._counts.data * self._weighted.data, minlength=shape[1])
        self._squares = squares.astype(np.float64)  # Σ n² over the cases, where n is the number of events of the activity
        self._events = variants.activity_counts

    def cases(self, members: Sequence[int]) -> tuple[int, int, int]:
        """Return how many cases contain at least one of the activities ``members``, at least two of them, and all of them."""
        n_present = np.bincount(self._counts[:, list(members)].indices, minlength=len(self._weights))
        any_, several, all_ = (int(self._weights[n_present >= minimum].sum()) for minimum in (1, 2, len(members)))
        return any_, several, all_

    def pairs_of_events(self, members: Sequence[int]) -> tuple[int, int]:
        """Return how many pairs of events of the activities ``members`` share a case: of the same activity, and in all.

        >>> CoOccurrence(EventLog.from_traces([["a", "b", "a"], ["b", "c"]])).pairs_of_events([0, 1])
        (1, 3)
        """
        of_members = self._counts[:, list(members)]
        same = self._weights[of_members.indices] @ (of_members.data * (of_members.data - 1) // 2)
        events: NDArray[np.int64] = of_members.sum(axis=1)
        return int(same), int(self._weights @ (events * (events - 1) // 2))

    def shared_cases(self) -> NDArray[np.int64]:
        """Return in how many cases two activities both occur: a symmetric array, on its diagonal the cases of each activity.

        >>> CoOccurrence(EventLog.from_traces([["a", "c"], ["b", "c"], ["c", "b", "b"]])).shared_cases().tolist()
        [[1, 0, 1], [0, 2, 2], [1, 2, 3]]
        """
        everyone = np.arange(len(self._events))
        return self.shared_between(everyone, everyone)

    def shared_between(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return in how many cases each of some activities occurs together with each of others."""
        occurs, weighted = self._counts[:, rows], self._counts[:, columns]
        occurs.data = np.ones_like(occurs.data)
        weighted.data = self._weights[weighted.indices]
        return (occurs.T @ weighted).toarray()

    def attraction(self) -> NDArray[np.float64]:
        """Return how much more often two activities share a case than two names of one step would: a symmetric array.

        Take all pairs of events in the same case whose activities are a or b. There are T of them. M of them are mixed: one
        event is a, the other b. Suppose that a and b are names of one step and that each event gets its name by chance. Then a
        share of 2pq of the pairs is mixed, where p and q are the shares of a and b among the events of both. The attraction is
        (M + 5 · 2pq) / (T + 5) / 2pq. It is about 1 if names change from event to event, less if each case keeps to one name,
        and near 1 / 2pq, which is 2 or more, if a and b are two steps that every case has once.

        >>> CoOccurrence(EventLog.from_traces([["a", "c"], ["b", "c"]] * 50)).attraction().round(1).tolist()
        [[1.0, 1.0, 2.1], [1.0, 1.0, 2.1], [2.1, 2.1, 1.0]]
        """
        everyone = np.arange(len(self._events))
        return self.attraction_between(everyone, everyone)

    def attraction_between(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the attraction of each of some activities to each of others."""
        n_bytes = 8 * 8 * len(rows) * len(columns)
        require_memory(n_bytes, f"What {len(rows):,} x {len(columns):,} activities have to do with each other", "merge rare ones")
        mixed = (self._counts[:, rows].T @ self._weighted[:, columns]).toarray().astype(np.float64)
        same = (self._squares - self._events) / 2  # pairs of events of the same activity
        events = self._events.astype(np.float64)
        by_chance = 2 * np.outer(events[rows], events[columns]) / (events[columns] + events[rows, np.newaxis]) ** 2
        pairs = same[columns] + same[rows, np.newaxis] + mixed
        attraction: NDArray[np.float64] = (mixed + BY_CHANCE * by_chance) / (pairs + BY_CHANCE) / by_chance
        attraction[rows[:, np.newaxis] == columns] = 1.0
        return attraction


Unit = Literal["hour", "day", "week", "month", "quarter", "year"]

_UNITS: tuple[Unit, ...] = ("hour", "day", "week", "month", "quarter", "year")  # the finest first
_MONDAY = 3  # days from the Monday before 1970 to its first day, a Thursday


class Timeline(NamedTuple):
    """Hold how many events each activity has in each period.

    - ``unit``: how long a period is. Weeks start on Monday.
    - ``starts``: the first day of each period, or its hour where the unit is an hour; periods without events are among them.
    - ``counts``: a row for each activity, a column for each period.
    - ``undated``: for each activity, the events in no period: those without a timestamp, and in a log over more years than a
      timeline may have periods, those outside the years that are kept.
    """

    unit: Unit
    starts: NDArray[np.datetime64]
    counts: NDArray[np.int64]
    undated: NDArray[np.int64]


def timeline(log: EventLog, most_periods: int = 120) -> Timeline | None:
    """Count the events of each activity by the finest unit of which the log's period has at most ``most_periods``.

    Return None if no event has a timestamp. If even years are too many, because of a few wrong dates, the ``most_periods``
    successive years with the most events are kept, the earliest of equal ones.

    >>> days = np.array(["2024-01-30", "2024-02-02", "2024-02-05", "NaT"], dtype="datetime64[D]")
    >>> weekly = timeline(EventLog(["a", "b"], [0, 1, 0, 0], [0, 4], ["1"], timestamps=days), most_periods=6)
    >>> weekly.unit, weekly.starts.tolist(), weekly.counts.tolist(), weekly.undated.tolist()
    ('week', [datetime.date(2024, 1, 29), datetime.date(2024, 2, 5)], [[1, 1], [1, 0]], [1, 0])
    """
    if log.timestamps is None or np.isnat(log.timestamps).all():
        return None
    dated = np.flatnonzero(~np.isnat(log.timestamps))
    moments = log.timestamps[dated]
    ends = np.array([moments.min(), moments.max()])
    unit = next((unit for unit in _UNITS[:-1] if np.ptp(_periods(ends, unit)) < most_periods), _UNITS[-1])
    periods = _periods(moments, unit)
    first, last = int(periods.min()), int(periods.max())
    if last - first >= most_periods:
        first = _fullest(periods, most_periods)
        last = first + most_periods - 1
    inside = (periods >= first) & (periods <= last)
    n_activities, n_periods = len(log.activities), last - first + 1
    cells = log.codes[dated[inside]].astype(np.int64) * n_periods + (periods[inside] - first)
    counts = np.bincount(cells, minlength=n_activities * n_periods).reshape(n_activities, n_periods)
    return Timeline(unit, _starts(np.arange(first, last + 1), unit), counts, log.activity_counts - counts.sum(axis=1))


def _periods(moments: NDArray[np.datetime64], unit: Unit) -> NDArray[np.int64]:
    """Return the number of each moment's period, counted from 1970."""
    match unit:
        case "hour":
            return moments.astype("datetime64[h]").astype(np.int64)
        case "day":
            return moments.astype("datetime64[D]").astype(np.int64)
        case "week":
            return (moments.astype("datetime64[D]").astype(np.int64) + _MONDAY) // 7
        case "year":
            return moments.astype("datetime64[Y]").astype(np.int64)
    return moments.astype("datetime64[M]").astype(np.int64) // (3 if unit == "quarter" else 1)


def _starts(periods: NDArray[np.int64], unit: Unit) -> NDArray[np.datetime64]:
    """Return the first day (or the hour) of each period, the inverse of :func:`_periods`."""
    match unit:
        case "hour":
            return periods.astype("datetime64[h]")
        case "day":
            return periods.astype("datetime64[D]")
        case "week":
            return (periods * 7 - _MONDAY).astype("datetime64[D]")
        case "year":
            return periods.astype("datetime64[Y]").astype("datetime64[D]")
    return (periods * (3 if unit == "quarter" else 1)).astype("datetime64[M]").astype("datetime64[D]")


def _fullest(periods: NDArray[np.int64], width: int) -> int:
    """Return the first of the ``width`` successive periods with the most events, the earliest of equal ones."""
    ordered = np.sort(periods)
    events = np.searchsorted(ordered, ordered + width) - np.searchsorted(ordered, ordered)
    return int(ordered[np.argmax(events)])


def _variants_of(log: EventLog | Variants) -> Variants:
    """Return the variants of a log, or the variants that were given."""
    return log if isinstance(log, Variants) else log.variants
