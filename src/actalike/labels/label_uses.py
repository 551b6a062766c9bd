"""Collect how labels are used: their neighbours, the time to the steps beside them, who does them, and example cases.

A use is that of one label or of several together. Everything of a use is computed from the events of its labels. So the events
are sorted by label once, and a use costs no more than the number of its events.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.log import EventLog

Integers = NDArray[np.int64]


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


def _gaps(seconds: NDArray[np.float64] | None, events: Integers) -> Gaps | None:
    if seconds is None:
        return None
    known = seconds[events]
    known = known[~np.isnan(known)]
    return Gaps(len(known), *np.quantile(known, (0.25, 0.5, 0.75)).tolist()) if len(known) else None
