"""Hold what a stream knows at one moment, so that an interruption at any place leaves one moment or the next, and none between.

A change is prepared beside what counts, and then a stream takes over the next moment with one assignment. Names, queues and rows
are too large to be copied for each change:

- Names and queues are appended to before the assignment. A moment holds their sizes: what is beyond them does not count.
- Rows of open cases are written after the assignment. A moment holds what is to be written: to write it twice does no harm.
"""

from array import array
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from actalike.counting.numberings import Numbering
from actalike.counting.open_cases import OpenCases, Rows
from actalike.counting.window_counts import PAD
from actalike.counting.window_keys import Table, add_tables


def _queue() -> "array[int]":
    return array("i")


@dataclass
class Kept:
    """Hold the names, queues and tables of a stream."""

    codes: Numbering  # code of each activity
    cases: OpenCases
    settled: Table
    tables: tuple[Table, ...] = ()  # settled windows that are added to the others once there are many
    event_slots: "array[int]" = field(default_factory=_queue)  # of events that wait to be processed
    event_codes: "array[int]" = field(default_factory=_queue)
    closed: "array[int]" = field(default_factory=_queue)  # slots of cases that are closed after these events
    rows: Rows | None = None  # to be written
    freed: tuple[int, ...] = ()  # slots to be released


class Moment(NamedTuple):
    """Hold what a stream keeps, and how much of it counts."""

    kept: Kept
    n_events: int
    revision: int
    n_waiting: int
    n_closed: int
    n_open: int
    n_activities: int

    @classmethod
    def first(cls, window: int) -> "Moment":
        """Return the moment before the first event."""
        nothing = np.empty((window, 0), dtype=np.int32), np.empty(0, dtype=np.int64)
        return cls(Kept(Numbering(), OpenCases(window), nothing), 0, 0, 0, 0, 0, 0)

    def write(self) -> None:
        """Write what is to be written."""
        kept = self.kept
        if kept.rows is not None:
            kept.cases.write(kept.rows)
            kept.rows = None
        if kept.freed:
            freed, kept.freed = kept.freed, ()  # an interruption here costs the room of these slots; releasing twice cost more
            kept.cases.slots.release(freed)

    def cut(self) -> None:
        """Remove what does not count.

        >>> now = Moment.first(window=3)
        >>> now.kept.codes.numbers["a"]  # and then the lookup of the next label is interrupted
        0
        >>> now.cut()
        >>> list(now.kept.codes)
        []
        """
        kept = self.kept
        kept.cases.slots.shrink(self.n_open)
        kept.codes.shrink(self.n_activities)
        del kept.event_slots[self.n_waiting :], kept.event_codes[self.n_waiting :], kept.closed[self.n_closed :]

    def after_piece(self, size: int, block: int) -> "Moment":
        """Process up to ``size`` of the waiting events, or if none waits, settle the windows of as many of the closed cases.

        Settled windows wait until they are more than those in the table, and than ``block``, so that each costs little.
        """
        kept, n_waiting, n_closed = self.kept, self.n_waiting, self.n_closed
        if n_waiting:
            slots, codes = (np.array(queue[:size], dtype=np.int32) for queue in (kept.event_slots, kept.event_codes))
            table, rows = kept.cases.follow(slots, codes, self.n_activities)
            after = replace(kept, event_slots=kept.event_slots[size:], event_codes=kept.event_codes[size:], rows=rows)
            n_waiting = len(after.event_slots)
        else:
            slots = np.array(kept.closed[:size], dtype=np.int32)
            table = kept.cases.unsettled(slots, self.n_activities)
            rows = Rows(slots, np.full((1, kept.cases.window - 1), PAD, dtype=np.int32), np.zeros(1, dtype=np.int64))
            after = replace(kept, closed=kept.closed[size:], rows=rows, freed=tuple(slots[::-1].tolist()))
            n_closed = len(after.closed)
        if len(table[1]):
            after.tables = *kept.tables, table
            if sum(len(counts) for _, counts in after.tables) > max(block, len(kept.settled[1])):
                after.settled, after.tables = add_tables([kept.settled, *after.tables], self.n_activities), ()
        return self._replace(kept=after, n_waiting=n_waiting, n_closed=n_closed)

    def tidied(self) -> "Moment":
        """Add all settled windows, and number the activities in the order of their labels. Nothing may wait."""
        now, kept = self, self.kept
        if kept.tables:
            settled = add_tables([kept.settled, *kept.tables], self.n_activities)
            now = self._replace(kept=replace(kept, settled=settled, tables=()))
        labels = sorted(kept.codes)
        return now if labels == list(kept.codes) else now.recoded(labels, now.kept.settled)

    def recoded(self, labels: list[str], settled: Table) -> "Moment":
        """Number the activities in the order of ``labels``, which holds all that occur. Nothing may wait."""
        codes = Numbering(labels)
        recoding = codes.of([*self.kept.codes])
        columns, counts = settled
        settled = add_tables([(recoding[columns], counts)], len(labels))
        kept = replace(self.kept, codes=codes, settled=settled, cases=self.kept.cases.recoded(recoding))
        return self._replace(kept=kept, n_activities=len(labels))
