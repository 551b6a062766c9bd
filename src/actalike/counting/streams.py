"""Count the windows of events while they arrive; the counts of all events so far are available at any moment."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from actalike.counting.numberings import Numbering, are_texts, numbers_of
from actalike.counting.open_cases import OpenCases
from actalike.counting.stream_events import case_keys, event_keys
from actalike.counting.stream_file import StreamState, read_stream, write_stream
from actalike.counting.stream_moments import Moment
from actalike.counting.window_counts import PAD, WindowCounts, check_counts, check_window
from actalike.counting.window_keys import add_tables
from actalike.errors import ActalikeError, LogError
from actalike.log import check_characters
from actalike.support.container import StoredFile

_BLOCK = 1 << 16  # as many waiting events are processed, and as many distinct windows added: limits the memory
_SYMBOLS_PER_EVENT = 16  # so many windows of 16 symbols are packed at a time; of larger ones fewer
_LISTS = (list, tuple)


class StreamCounter:
    """Count the windows of events that arrive in batches, while cases are interleaved and still open.

    ``counts()`` always equals what :func:`actalike.count_windows` returns for a log of all events added so far: an open case is
    counted as if it ended now. The memory grows with the open cases and the distinct windows, not with the events.

    An interruption leaves the counter as it was before the call, or as it is after it. A counter is for one thread at a time.

    >>> import actalike
    >>> counter = StreamCounter(window=3)
    >>> counter.add(["1", "2", "1"], ["a", "a", "b"])
    >>> counter.add(["2", "1"], ["c", "c"])
    >>> counter.counts() == actalike.count_windows(actalike.EventLog.from_traces([["a", "b", "c"], ["a", "c"]]), 3)
    True
    >>> counter.close("1")
    >>> counter
    StreamCounter(window=3, 5 events, 1 open cases, 3 activities)
    """

    def __init__(self, window: int) -> None:
        check_window(window)
        self._window = int(window)
        self._now = Moment.first(self._window)  # all that counts; replaced by one assignment, see stream_moments.py
        self._whole = True  # False during a change, and after one that was interrupted
        self._closing: tuple[Moment, Sequence[Any], list[Any]] | None = None  # what is removed of this moment

    @property
    def window(self) -> int:
        """Return the number of symbols in a window."""
        return self._window

    @property
    def n_events(self) -> int:
        """Return the number of events added so far, including those of closed cases and forgotten ones.

        After a restart, skip this many events of the source.
        """
        return self._now.n_events

    @property
    def open_cases(self) -> int:
        """Return the number of cases that have events and are not closed."""
        return self._now.n_open

    @property
    def revision(self) -> int:
        """Return how often events were added, cases closed or counts forgotten; by this, users see that the counts changed."""
        return self._now.revision

    def add(self, cases: Any, activities: Any) -> None:
        """Add events: the case and the activity of each. The events of a case must be in their order.

        Both are lists, numpy arrays, or columns of Polars, pandas or pyarrow, of equal length. Activities are texts; cases are
        texts or whole numbers, and 7 means the case "7". An event of a closed case starts a new case. If there is an error, no
        event is added.
        """
        if not self._whole or self._now.n_waiting >= _BLOCK:
            self._begin()
        if not (_may_be_texts(cases) and _may_be_texts(activities) and self._take(cases, activities)):
            ids, labels = event_keys(cases, activities)
            if not self._take(ids, labels):
                check_characters([*sorted(map(str, set(ids))), *sorted(set(labels))])
                raise LogError("Something among the cases or the activities cannot be looked up: give texts. Nothing was taken.")

    def close(self, cases: Any) -> None:
        """Close a case, or several cases. Their windows stay counted; nothing else of them is kept.

        >>> counter = StreamCounter(3)
        >>> counter.add([1, 2, 1], ["a", "a", "b"])
        >>> counter.close([1, 2])
        >>> counter.open_cases, counter.counts().n_events
        (0, 3)
        """
        if not self._whole or self._now.n_closed >= _BLOCK:
            self._begin()
        if isinstance(cases, str):
            cases = [cases]
        if not (_may_be_texts(cases) and not self._now.kept.cases.slots.by_number and self._remove(cases)):
            ids: list[Any] = list(dict.fromkeys(self._now.kept.cases.named(case_keys(cases))))
            unknown = sorted(str(case) for case in ids if case not in self._now.kept.cases.slots.numbers)
            if unknown:
                raise LogError(f"{len(unknown):,} of the cases to close are not open, such as {unknown[0]!r}. None was closed.")
            self._remove(ids)

    def counts(self) -> WindowCounts:
        """Return the window counts of all events so far, without the forgotten ones; open cases count as if they ended now."""
        self._tidy()
        kept, n_activities = self._now.kept, self._now.n_activities
        rows = kept.cases.rows
        unsettled = (kept.cases.unsettled(rows[some], n_activities) for some in self._pieces(len(rows)))
        columns, counts = add_tables([kept.settled, *unsettled], n_activities)
        if not len(counts):
            raise LogError("No events are counted, so there is nothing to compare: add some first.")
        return WindowCounts(list(kept.codes), columns.T, counts)

    def forget(self, counts: WindowCounts) -> None:
        """Subtract the windows of closed cases, for example those of an old period.

        An activity without any events left is removed. If there is an error, nothing is forgotten.

        >>> import actalike
        >>> counter = StreamCounter(3)
        >>> counter.add([1, 1, 2], ["a", "b", "b"])
        >>> counter.close([1, 2])
        >>> counter.forget(actalike.count_windows(actalike.EventLog.from_traces([["a", "b"]]), 3))
        >>> counter.counts().activities, counter.n_events
        (['b'], 3)
        """
        check_counts(counts)
        if counts.window != self.window:
            raise ActalikeError(
                f"Windows of {self.window} are counted here, and the table to forget has windows of {counts.window}. "
                "Nothing was forgotten."
            )
        remedy = "forget only what was counted of whole cases that are closed. Nothing was forgotten."
        self._tidy()
        now = self._now
        kept, n_activities = now.kept, now.n_activities
        unknown = [label for label in counts.activities if label not in kept.codes]
        if unknown:
            raise ActalikeError(f"The table to forget has the activity {unknown[0]!r}, which is not there: {remedy}")
        old = kept.codes.of(counts.activities)[counts.windows.T]
        remaining, remaining_counts = add_tables([kept.settled, (old, -counts.counts)], n_activities)
        missing = int((remaining_counts < 0).sum())
        if missing:
            raise ActalikeError(f"The table to forget has {missing:,} windows more often than they are there: {remedy}")
        left = (self.window - 1) // 2
        occurs, used = (np.zeros(n_activities + 1, dtype=bool) for _ in range(2))  # PAD = -1 is the last entry
        tails = kept.cases.tails
        occurs[remaining[left]] = occurs[tails[:, left:]] = occurs[PAD] = True
        used[remaining] = used[tails] = True
        labels = list(kept.codes)
        only_neighbour = used & ~occurs
        if only_neighbour.any():
            label = labels[int(only_neighbour.argmax())]
            raise ActalikeError(
                f"The table to forget has all events of {label!r}, which is still a neighbour of others: {remedy}"
            )
        left_over = [label for label, is_left in zip(labels, occurs.tolist(), strict=False) if is_left]
        after = now.recoded(left_over, (remaining, remaining_counts))
        self._take_over(after._replace(revision=now.revision + 1))

    def save(self, path: str | Path) -> None:
        """Write the state to a file that :func:`actalike.load` reads; see docs/file_formats.md.

        The bytes depend on what was added, closed and forgotten, but not on the batches.
        """
        write_stream(self.state(), path)

    def state(self) -> StreamState:
        """Return all that the stream remembers: the settled windows, and the tails of the open cases."""
        self._tidy()
        kept = self._now.kept
        columns, counts = kept.settled
        cases = kept.cases
        return StreamState(
            list(kept.codes), columns.T, counts, list(map(str, cases.slots)), cases.tails, cases.lengths, self.n_events
        )

    @classmethod
    def from_file(cls, file: StoredFile) -> "StreamCounter":
        """Return the counter of a stored state, or raise an error if the state contradicts itself."""
        state = read_stream(file)
        counter = cls(state.windows.shape[1])
        cases = OpenCases(counter.window, state.cases)
        cases.restore(state.tails, state.lengths)
        kept = replace(counter._now.kept, codes=Numbering(state.activities), cases=cases, settled=(state.windows.T, state.counts))
        counter._now = Moment(kept, state.n_events, 0, 0, 0, len(state.cases), len(state.activities))
        return counter

    def __repr__(self) -> str:
        return (
            f"StreamCounter(window={self.window}, {self.n_events:,} events, {self.open_cases:,} open cases, "
            f"{self._now.n_activities:,} activities)"
        )

    def __getstate__(self) -> dict[str, Any]:
        self._begin()  # so that a copy, too, has only what counts
        return vars(self)

    def __copy__(self) -> "StreamCounter":
        return deepcopy(self)

    def _begin(self) -> None:
        """Take back what an interrupted change has left, and process the waiting events if they are many.

        They are processed before a batch and not after it: then there is nothing left that could fail when a batch is taken.
        """
        if not self._whole:
            self._mend()
        if max(self._now.n_waiting, self._now.n_closed) >= _BLOCK:
            self._process()

    def _mend(self) -> None:
        """Have what counts at this moment, and nothing else. If this is interrupted too, the next call begins anew."""
        now = self._now
        if self._closing is not None and self._closing[0] is now:
            now.kept.cases.put_back(*self._closing[1:])
        self._closing = None
        now.cut()
        now.write()
        self._whole = True

    def _take(self, cases: Sequence[str] | Sequence[int], activities: Sequence[str]) -> bool:
        """Take events whose cases are texts, or all of them whole numbers. If anything else is among the texts, take nothing.

        Only the numbers of cases and activities are looked up here. The events are processed when there are many of them, or when
        somebody asks.
        """
        if len(cases) != len(activities):
            return False
        kept, n_events, revision, n_waiting, n_closed, n_open, n_activities = self._now
        self._whole = taken = False
        try:
            slots, codes = kept.cases.slots_of(cases), numbers_of(kept.codes, activities)
            taken = kept.cases.are_sound(n_open) and are_texts(kept.codes.numbers, n_activities)
        except TypeError:  # something cannot be looked up, such as a list
            pass
        if not taken:
            self._mend()
            return False
        kept.event_slots.frombytes(slots)
        kept.event_codes.frombytes(codes)
        n = len(cases)
        n_open, n_activities = len(kept.cases.slots.numbers), len(kept.codes.numbers)
        after = kept, n_events + n, revision + 1, n_waiting + n, n_closed, n_open, n_activities
        self._now = tuple.__new__(Moment, after)  # in half the time of Moment(...), which one sees in batches of a few events
        self._whole = True
        return True

    def _remove(self, cases: Sequence[str] | Sequence[int]) -> bool:
        """Close cases by the names that they have. If one is not open, or is given twice, close none."""
        kept, n_events, revision, n_waiting, n_closed, n_open, n_activities = now = self._now
        numbers = kept.cases.slots.numbers
        self._whole = False
        try:
            slots: list[Any] = list(map(numbers.get, cases))
            if None not in slots:
                self._closing = now, cases, slots
                for case in cases:
                    del numbers[case]  # a KeyError if one is given twice
                kept.closed.fromlist(slots)
                n = len(slots)
                after = kept, n_events, revision + 1, n_waiting, n_closed + n, n_open - n, n_activities
                self._now = tuple.__new__(Moment, after)
                self._closing = None
                self._whole = True
                return True
        except (TypeError, KeyError):  # one of them is a list or the like, or is given twice
            pass
        self._mend()
        return False

    def _take_over(self, moment: Moment) -> None:
        """Go to the next moment."""
        self._whole = False
        self._now = moment
        moment.write()
        self._whole = True

    def _process(self) -> None:
        """Process the waiting events, and settle the windows of the cases that were closed after them."""
        while self._now.n_waiting or self._now.n_closed:
            self._take_over(self._now.after_piece(self._piece, _BLOCK))
        if self._now.kept.cases.is_sparse:
            self._take_over(self._now._replace(kept=replace(self._now.kept, cases=self._now.kept.cases.compacted())))

    @property
    def _piece(self) -> int:
        """Return how many events or cases are processed at a time. With wide windows, they are fewer."""
        return max(_SYMBOLS_PER_EVENT * _BLOCK // self.window, 1)

    def _pieces(self, n: int) -> Iterator[slice]:
        """Yield the slices in which so many cases are processed."""
        return (slice(start, start + self._piece) for start in range(0, n, self._piece))

    def _tidy(self) -> None:
        """Process all that waits, and number the activities in the order of their labels."""
        self._begin()
        self._process()
        tidied = self._now.tidied()
        if tidied is not self._now:
            self._take_over(tidied)


def _may_be_texts(values: Any) -> bool:
    """Return whether these values are given in a list or a tuple, and the first of them is a text."""
    return isinstance(values, _LISTS) and (not values or type(values[0]) is str)
