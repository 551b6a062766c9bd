"""Collect how labels are used: their neighbours and contexts, the time to the steps beside them, who does them, example cases.

A use is that of one label or of several together. Everything of a use is computed from the events of its labels. So the events
are sorted by label once, and a use costs no more than the number of its events. The contexts that two labels have in common, the
neighbours that differ, and those that the members of a group share, are counted from windows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack

from actalike.counting import PAD, WindowCounts
from actalike.errors import UnknownActivityError, did_you_mean
from actalike.log import EventLog
from actalike.matrices import ContextName, ShareKind, activity_context, context_text
from actalike.support.text import counted

Integers = NDArray[np.int64]
EXAMPLES = 5
AROUND = 3  # labels before and after
_CANDIDATES = 100  # cases that are looked at, spread over the period
_MOST_BETWEEN = 4  # labels shown between two that occur together
ANY = -2  # code of a side on which the neighbour does not matter


class Gaps(NamedTuple):
    """Hold the seconds between events and the event directly before or after: how many there are, and their quartiles."""

    events: int
    lower: float
    median: float
    upper: float


class PeopleCounts(NamedTuple):
    """Hold how many events have each value of an attribute, the most frequent first, and how many have none."""

    values: tuple[tuple[str, int], ...]
    not_recorded: int


class ExampleCase(NamedTuple):
    """Hold a part of a case as an example.

    - ``case``: the id of the case.
    - ``labels``: the sequence; None stands for a stretch that is left out.
    - ``marked``: the places in ``labels`` of those that it is an example of.
    - ``before``, ``after``: how many events of the case come before and after the sequence.
    - ``moment``: the timestamp of the first marked event, if it has one.
    """

    case: str
    labels: tuple[str | None, ...]
    marked: tuple[int, ...]
    before: int
    after: int
    moment: np.datetime64 | None

    @property
    def position(self) -> int:
        """Return which event of the case the first marked one is, counted from 1."""
        return self.before + self.marked[0] + 1


class Side(NamedTuple):
    """Hold one side of a comparison: a label, or a group of labels, with its counts, the times beside it, and example cases.

    ``to_previous`` and ``to_next`` are the seconds from the event before and to the event after; None if there are none.
    """

    labels: tuple[str, ...]
    events: int
    cases: int
    to_previous: Gaps | None
    to_next: Gaps | None
    examples: tuple[ExampleCase, ...]

    @property
    def name(self) -> str:
        """Return the label, or the first one and how many others there are."""
        return self.labels[0] if len(self.labels) == 1 else f"{self.labels[0]} and {len(self.labels) - 1} more"

    @property
    def size(self) -> str:
        """Return in words how many events and cases there are."""
        return f"{counted(self.events, 'event')}, {counted(self.cases, 'case')}"


class UseOverTime(NamedTuple):
    """Hold how many events each side has in each period; the fields are those of :class:`actalike.log.Timeline`."""

    unit: Literal["hour", "day", "week", "month", "quarter", "year"]
    starts: NDArray[np.datetime64]
    counts_a: NDArray[np.int64]
    counts_b: NDArray[np.int64]
    undated_a: int
    undated_b: int


class SeparatePeriods(NamedTuple):
    """Hold that one side was used before the other, as the witness of periods says (:mod:`actalike.labels.witnesses`).

    - ``earlier``: which side came first; ``until``: when it was last used; ``since``: when the other one was first used.
    - ``replaces``: whether they also have a tenth of their direct neighbours in common, so that the later side took the place
      of the earlier one. Without it they may be steps of two processes.
    """

    earlier: Literal["a", "b"]
    until: np.datetime64
    since: np.datetime64
    replaces: bool


class PeopleCompared(NamedTuple):
    """Hold who does the steps, by one attribute.

    - ``values``: each value with the events of either side, those with the largest share of a side first.
    - ``not_recorded``: how many events of either side have no value.
    - ``in_common``: Σ min of both shares of each value, of the events that have one; None if one side has none.
    """

    attribute: str
    values: tuple[tuple[str, int, int], ...]
    not_recorded: tuple[int, int]
    in_common: float | None


class Together(NamedTuple):
    """Hold how often both sides occur in one case.

    - ``cases``: the cases with both; 0 means never.
    - ``instants``: how often both occur in a case with the same timestamp; None without timestamps.
    - ``a_before_b``, ``b_before_a``: how often the one directly follows the other.
    """

    cases: int
    instants: int | None
    a_before_b: int
    b_before_a: int


class LabelUses:
    """Compute the uses of a log's labels, which are given by their positions in ``log.activities``.

    >>> uses = LabelUses(EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["a"]]))
    >>> uses.before([0]).tolist(), uses.after([0]).tolist()  # a, b, x, y, outside the case
    ([0, 0, 1, 0, 1], [0, 0, 0, 1, 1])
    """

    def __init__(self, log: EventLog) -> None:
        self.log = log
        self.outside = len(log.activities)  # stands for the place before the first and after the last event of a case
        self.case_of: Integers = np.repeat(np.arange(log.n_cases), log.lengths)
        self._by_label = np.argsort(log.codes, kind="stable")
        self._bounds = np.concatenate([[0], np.cumsum(log.activity_counts)])
        starts, lengths = log.offsets[:-1], log.lengths
        self._is_first = np.zeros(log.n_events, dtype=bool)
        self._is_first[starts[lengths > 0]] = True
        self._is_last = np.zeros(log.n_events, dtype=bool)
        self._is_last[log.offsets[1:][lengths > 0] - 1] = True

    def events_of(self, members: Sequence[int]) -> Integers:
        """Return the numbers of the events of some labels, in the order of the log."""
        parts = [self._by_label[self._bounds[member] : self._bounds[member + 1]] for member in members]
        return parts[0] if len(parts) == 1 else np.sort(np.concatenate(parts))

    def cases_of(self, members: Sequence[int]) -> Integers:
        """Return the numbers of the cases in which some labels occur."""
        return np.unique(self.case_of[self.events_of(members)])

    def before(self, members: Sequence[int]) -> Integers:
        """Return how often each label comes directly before; the last number is how often a case begins there."""
        return np.bincount(self.codes_before[self.events_of(members)], minlength=self.outside + 1)

    def after(self, members: Sequence[int]) -> Integers:
        """Return how often each label comes directly after; the last number is how often a case ends there."""
        return np.bincount(self.codes_after[self.events_of(members)], minlength=self.outside + 1)

    @cached_property
    def codes_before(self) -> NDArray[np.int32]:
        """Return the label before each event, or :attr:`outside`."""
        before = np.concatenate([self.log.codes[-1:], self.log.codes[:-1]])
        before[self._is_first] = self.outside
        return before

    @cached_property
    def codes_after(self) -> NDArray[np.int32]:
        """Return the label after each event, or :attr:`outside`."""
        after = np.concatenate([self.log.codes[1:], self.log.codes[:1]])
        after[self._is_last] = self.outside
        return after

    def to_previous(self, members: Sequence[int]) -> Gaps | None:
        """Return the times from the event before; None if no event of the labels has one, or has a timestamp.

        >>> days = np.array(["2024-01-01", "2024-01-02", "2024-01-05"], dtype="datetime64[D]")
        >>> uses = LabelUses(EventLog(["x", "a"], [0, 1, 1], [0, 3], ["1"], timestamps=days))
        >>> uses.to_previous([0])
        Gaps(events=2, lower=129600.0, median=172800.0, upper=216000.0)
        """
        return _gaps(self._seconds_before, self.events_of(members))

    def to_next(self, members: Sequence[int]) -> Gaps | None:
        """Return the times to the event after; None if no event of the labels has one, or has a timestamp."""
        return _gaps(self._seconds_after, self.events_of(members))

    @cached_property
    def _seconds_before(self) -> NDArray[np.float64] | None:
        """Return the seconds since the event before; not a number where there is none or a timestamp is missing."""
        if self.log.timestamps is None:
            return None
        moments = self.log.timestamps.astype(np.int64)
        seconds = np.diff(moments, prepend=moments[:1]) / 1e6
        missing = np.isnat(self.log.timestamps)
        seconds[self._is_first | missing | np.append(False, missing[:-1])] = np.nan
        return seconds

    @cached_property
    def _seconds_after(self) -> NDArray[np.float64] | None:
        before = self._seconds_before
        return None if before is None else np.append(before[1:], np.nan)

    def people(self, members: Sequence[int]) -> dict[str, PeopleCounts]:
        """Return who does some labels: the values of each attribute that names people or organisations.

        >>> from actalike import Attribute
        >>> users = {"User": Attribute.from_texts(["Sue", "Bob", None, "Sue"])}
        >>> LabelUses(EventLog(["a"], [0, 0, 0, 0], [0, 4], ["1"], attributes=users)).people([0])
        {'User': PeopleCounts(values=(('Sue', 2), ('Bob', 1)), not_recorded=1)}
        """
        events = self.events_of(members)
        counts = {}
        for name, attribute in self.log.people().items():
            codes = attribute.codes[events]
            numbers = np.bincount(codes[codes >= 0], minlength=len(attribute.values))
            order = np.argsort(-numbers, kind="stable")[: np.count_nonzero(numbers)].tolist()
            values = tuple((attribute.values[code], int(numbers[code])) for code in order)
            counts[name] = PeopleCounts(values, int((codes < 0).sum()))
        return counts

    def instants_of(self, members: Sequence[int]) -> Integers:
        """Return the instants (of a case) at which some labels occur, each once; the same instant has the same number."""
        instants = self._instants[self.events_of(members)]
        return np.unique(instants[instants >= 0])

    @cached_property
    def _instants(self) -> Integers:
        """Return a number for the case and the timestamp of each event; -1 without a timestamp."""
        log = self.log
        instants = np.full(log.n_events, -1)
        if log.timestamps is None:
            return instants
        known = np.flatnonzero(~np.isnat(log.timestamps))
        moments = log.timestamps[known].astype(np.int64)
        order = np.lexsort((moments, self.case_of[known]))
        cases, moments = self.case_of[known][order], moments[order]
        changes = (np.diff(cases) != 0) | (np.diff(moments) != 0)
        instants[known[order]] = np.concatenate([[0], np.cumsum(changes)])[: len(known)]
        return instants

    def instants_in_common(self, shown: Integers) -> Integers:
        """Return at how many instants every two of the shown labels occur in the same case: a symmetric array.

        >>> days = np.array(["2024-01-01", "2024-01-01", "2024-01-02"], dtype="datetime64[D]")
        >>> uses = LabelUses(EventLog(["a", "b"], [0, 1, 1], [0, 3], ["1"], timestamps=days))
        >>> uses.instants_in_common(np.array([0, 1])).tolist()
        [[1, 1], [1, 2]]
        """
        known = self._instants >= 0
        shape = int(self._instants.max()) + 1, self.outside
        table = csr_array((np.ones(known.sum(), dtype=np.int64), (self._instants[known], self.log.codes[known])), shape=shape)
        table.sum_duplicates()
        table.data[:] = 1
        table = table[:, shown]
        return (table.T @ table).toarray()


def example_cases(uses: LabelUses, members: Sequence[int], most: int = EXAMPLES) -> list[ExampleCase]:
    """Return up to ``most`` cases with the first event of the labels in each, and up to three labels on either side.

    The cases are ordered by the timestamp of that event (by their place in the log without one), at most 100 of them are taken at
    equal distances, and divided into ``most`` parts of equal size. Of each part the first is taken whose sequence is not yet
    among the examples, else its first.

    >>> from actalike import EventLog
    >>> uses = LabelUses(EventLog.from_traces([["x", "a", "y"], ["x", "a", "y"], ["a"]]))
    >>> [(example.case, example.labels) for example in example_cases(uses, [0], most=2)]
    [('1', ('x', 'a', 'y')), ('3', ('a',))]
    """
    events = uses.events_of(members)
    first = np.flatnonzero(np.append(True, np.diff(uses.case_of[events]) != 0))
    return _spread(_candidates(uses, events[first]).tolist(), lambda event: _example(uses, event, event), most)


def examples_together(uses: LabelUses, a: Sequence[int], b: Sequence[int], most: int = EXAMPLES) -> list[ExampleCase]:
    """Return up to ``most`` cases in which labels of both occur, around the two events that are nearest to each other.

    The cases are chosen as :func:`example_cases` chooses them; of pairs of events that are equally near the first one is taken.
    """
    events_a, events_b = uses.events_of(a), uses.events_of(b)
    cases = np.intersect1d(uses.case_of[events_a], uses.case_of[events_b])
    in_both = np.flatnonzero(np.isin(uses.case_of[events_a], cases))
    first = in_both[np.append(True, np.diff(uses.case_of[events_a[in_both]]) != 0)] if len(in_both) else in_both

    def nearest(event: int) -> ExampleCase:
        start, end = _bounds(uses, event)
        of_a = events_a[np.searchsorted(events_a, start) : np.searchsorted(events_a, end)]
        of_b = events_b[np.searchsorted(events_b, start) : np.searchsorted(events_b, end)]
        right = np.searchsorted(of_b, of_a)
        before, after = of_b[(right - 1).clip(min=0)], of_b[right.clip(max=len(of_b) - 1)]
        other = np.where(np.abs(after - of_a) < np.abs(before - of_a), after, before)
        place = int(np.argmin(np.abs(other - of_a)))
        return _example(uses, int(of_a[place]), int(other[place]))

    return _spread(_candidates(uses, events_a[first]).tolist(), nearest, most)


@dataclass(frozen=True)
class CommonContext:
    """Hold a context of two activities, and how often each of them occurs in it.

    ``kind``, ``symbols`` and ``place`` are those of :class:`actalike.Share`; a symbol is None outside the case.

    >>> CommonContext("between", ("x", None), 1, count_a=1, count_b=2).context
    'x → ● → (end)'
    """

    kind: ShareKind
    symbols: tuple[str | None, ...]
    place: int
    count_a: int
    count_b: int

    @property
    def context(self) -> str:
        """Return the context as text."""
        return context_text(self.kind, self.symbols, self.place)

    def as_dict(self) -> dict[str, Any]:
        """Return the context as text and the two counts, for JSON."""
        return {"context": self.context, "count_a": self.count_a, "count_b": self.count_b}


def common_contexts(
    table: WindowCounts, a: str, b: str, context: ContextName = "sequence", topn: int | None = 10
) -> list[CommonContext]:
    """Return the contexts in which both activities occur, those that are frequent for both first.

    >>> from actalike import EventLog, count_windows
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["x", "b", "y"]])
    >>> common_contexts(count_windows(log, 3), "a", "b")
    [CommonContext(kind='between', symbols=('x', 'y'), place=1, count_a=1, count_b=2)]
    """
    rows = _positions(table, a, b)
    matrix = activity_context(table, context)
    counts_a, counts_b = (matrix.counts[[row]].toarray()[0] for row in rows)
    common = np.flatnonzero((counts_a > 0) & (counts_b > 0))
    order = np.lexsort((-(counts_a + counts_b)[common], -np.minimum(counts_a, counts_b)[common]))[:topn]
    contexts = []
    for column in common[order].tolist():
        codes, place = matrix.contexts.column(column)
        symbols = tuple(None if code < 0 else table.activities[code] for code in codes)
        contexts.append(CommonContext(matrix.contexts.share_kind, symbols, place, int(counts_a[column]), int(counts_b[column])))
    return contexts


def differing_contexts(table: WindowCounts, a: str, b: str, topn: int | None = 5) -> list[CommonContext]:
    """Return the direct neighbours that one activity has more often than the other, the largest difference first.

    The difference is that between the share of a's events with the neighbour and the share of b's. The neighbours before and
    those after are compared separately.

    >>> from actalike import EventLog, count_windows
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["z", "b", "y"]])
    >>> contexts = differing_contexts(count_windows(log, 3), "a", "b")
    >>> [(differing.context, differing.count_a, differing.count_b) for differing in contexts]
    [('x → ●', 1, 1), ('z → ●', 0, 1)]
    """
    rows = _positions(table, a, b)
    table, n = table.marginal(3), len(table.activities)
    contexts: list[tuple[tuple[float, int, int], CommonContext]] = []
    for column, place in ((0, -1), (2, 1)):
        neighbours = table.windows[:, column].astype(np.int64) % (n + 1)  # PAD becomes n
        counts_a, counts_b = (_counted(table, row, neighbours, n) for row in rows)
        difference = np.abs(counts_a / counts_a.sum() - counts_b / counts_b.sum()).round(12)
        for code in np.flatnonzero(difference).tolist():
            count_a, count_b = int(counts_a[code]), int(counts_b[code])
            symbol = table.activities[code] if code < n else None
            order = (-float(difference[code]), -(count_a + count_b), len(contexts))
            contexts.append((order, CommonContext("beside", (symbol,), place, count_a, count_b)))
    return [context for _, context in sorted(contexts, key=lambda one: one[0])][:topn]


class Outside(Enum):
    """Mark the place before the first event and after the last event of a case."""

    CASE = "outside the case"


OUTSIDE = Outside.CASE
Neighbour = str | Outside | None  # an activity's label; OUTSIDE; or None if any neighbour will do


class SharedNeighbours(NamedTuple):
    """Hold the direct neighbours that several members of a group share.

    - ``before``, ``after``: the label of the neighbour, OUTSIDE (the case begins or ends there), or None (any neighbour).
    - ``counts``: how often each member has these neighbours, in the order of the group; 0 for a member that never has them.
    """

    before: Neighbour
    after: Neighbour
    counts: tuple[int, ...]


class NeighbourCounts:
    """Count how often each activity has which direct neighbours: both of them together, and each side alone."""

    def __init__(self, counts: WindowCounts) -> None:
        table = counts.marginal(3)
        matrix = activity_context(table, "sequence")
        self.activities = table.activities
        pairs = matrix.contexts.codes.astype(np.int64)
        sides = []
        for side in (0, 1):
            seen, column = np.unique(pairs[:, side], return_inverse=True)
            summing = csr_array((np.ones(len(column), dtype=np.int64), (np.arange(len(column)), column)))
            codes = np.full((len(seen), 2), ANY)
            codes[:, side] = seen
            sides.append((codes, csr_array(matrix.counts @ summing)))
        self.codes = np.concatenate([pairs, *(codes for codes, _ in sides)])
        self._counts = csr_array(hstack([matrix.counts, *(counts for _, counts in sides)]))
        self._events = table.activity_counts

    def shared_by(self, members: Sequence[int], topn: int, telling: Sequence[int] | None = None) -> list[SharedNeighbours]:
        """Return the neighbours that two or more members (positions in ``activities``) have, the most telling first.

        The order is by the smallest share of a member's events that have these neighbours, then by the mean share; of the
        ``telling`` members only, if they are given. Both neighbours together count twice, because they say twice as much. One
        neighbour alone is left out if it is part of a pair that is listed before it.
        """
        member_counts = self._counts[list(members)]
        columns = np.flatnonzero(np.bincount(member_counts.indices) > 1)
        counts = member_counts[:, columns].toarray()
        shares = counts / self._events[list(members)][:, np.newaxis]
        shares = shares if telling is None else shares[np.isin(members, telling)]
        codes = self.codes[columns]
        weight = np.where((codes == ANY).any(axis=1), 1, 2)
        order = np.lexsort((columns, -(shares.mean(axis=0) * weight).round(12), -(shares.min(axis=0) * weight).round(12)))
        shared: list[SharedNeighbours] = []
        implied: set[tuple[int, int]] = set()
        for column in order.tolist():
            if len(shared) == topn:
                break
            before, after = codes[column].tolist()
            if ANY not in (before, after):
                implied |= {(before, ANY), (ANY, after)}
            elif (before, after) in implied:
                continue
            times = tuple(counts[:, column].tolist())
            shared.append(SharedNeighbours(self._neighbour(before), self._neighbour(after), times))
        return shared

    def _neighbour(self, code: int) -> Neighbour:
        return None if code == ANY else OUTSIDE if code == PAD else self.activities[code]


def _gaps(seconds: NDArray[np.float64] | None, events: Integers) -> Gaps | None:
    if seconds is None:
        return None
    known = seconds[events]
    known = known[~np.isnan(known)]
    return Gaps(len(known), *np.quantile(known, (0.25, 0.5, 0.75)).tolist()) if len(known) else None


def _bounds(uses: LabelUses, event: int) -> tuple[int, int]:
    """Return the first event of an event's case and that of the next case."""
    case = uses.case_of[event]
    return int(uses.log.offsets[case]), int(uses.log.offsets[case + 1])


def _candidates(uses: LabelUses, events: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return at most 100 events at equal distances in time order; those without a timestamp come last."""
    if uses.log.timestamps is not None:
        events = events[np.argsort(uses.log.timestamps[events], kind="stable")]
    if len(events) <= _CANDIDATES:
        return events
    return events[np.arange(_CANDIDATES) * (len(events) - 1) // (_CANDIDATES - 1)]


def _spread(events: Sequence[int], example: Callable[[int], ExampleCase], most: int) -> list[ExampleCase]:
    """Return an example from each of ``most`` parts: the first whose sequence was not yet taken, else that of the first event."""
    chosen: list[ExampleCase] = []
    taken: set[tuple[str | None, ...]] = set()
    for part in np.array_split(np.array(events, dtype=np.int64), min(most, len(events)) or 1):
        candidates = (example(event) for event in part.tolist())
        new = next((one for one in candidates if one.labels not in taken), None)
        if new is not None or len(part):
            chosen.append(new or example(int(part[0])))
            taken.add(chosen[-1].labels)
    return chosen


def _example(uses: LabelUses, a: int, b: int) -> ExampleCase:
    """Return the sequence around two events of a case, which may be the same one."""
    log, (start, end) = uses.log, _bounds(uses, a)
    low, high = min(a, b), max(a, b)
    from_, to = max(start, low - AROUND), min(end, high + AROUND + 1)
    labels: list[str | None] = [log.activities[code] for code in log.codes[from_:to].tolist()]
    marked = [low - from_] if low == high else [low - from_, high - from_]
    if high - low - 1 > _MOST_BETWEEN:
        first_left_out, last_left_out = low - from_ + 1 + _MOST_BETWEEN // 2, high - from_ - _MOST_BETWEEN // 2
        labels[first_left_out:last_left_out] = [None]
        marked[1] -= last_left_out - first_left_out - 1
    moment = None if log.timestamps is None or np.isnat(log.timestamps[low]) else log.timestamps[low]
    case = int(uses.case_of[a])
    return ExampleCase(log.case_ids[case], tuple(labels), tuple(marked), from_ - start, end - to, moment)


def _counted(table: WindowCounts, row: int, neighbours: NDArray[np.int64], n: int) -> NDArray[np.float64]:
    """Return how often an activity has each neighbour; the last one stands for the outside of the case."""
    of_row = table.focal == row
    return np.bincount(neighbours[of_row], weights=table.counts[of_row], minlength=n + 1).astype(np.float64)


def _positions(table: WindowCounts, *labels: str) -> list[int]:
    for label in labels:
        if label not in table.activities:
            raise UnknownActivityError(f"No activity is called {label!r}.{did_you_mean(label, table.activities)}")
    return [table.activities.index(label) for label in labels]
