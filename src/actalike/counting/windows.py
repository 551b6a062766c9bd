"""Count windows: one window around each event of every case. Methods that count compute everything from their table.

The window of an event has its activity in the middle and its neighbours around it, with PAD outside the case. Of ``window``
symbols, ``(window - 1) // 2`` are to the left and the others to the right. So the case (a, b, c) has the windows of 3 symbols
(PAD, a, b), (a, b, c) and (b, c, PAD).
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.errors import ActalikeError, EngineError, LogError
from actalike.io import LogLike, WantedAttributes, as_log, how_to_fetch, is_pm4py_log
from actalike.log import AnyLog, EventLog, Reading, Variants, case_blocks
from actalike.support.arrays import count_rows, sum_groups
from actalike.support.saved import MOST_CHARACTERS, MOST_SYMBOLS, LabelledHeader, StoredFile, write_file

if TYPE_CHECKING:
    from actalike.counting.engines.columns import Ties

PAD = -1  # the symbol outside the case; activities are numbered from 0

_BLOCK = 1 << 23  # symbols counted at a time (events times window): limits the memory for logs of any size


def count_windows(
    log: LogLike | Variants,
    window: int,
    *,
    case: str | None = None,
    activity: str | None = None,
    order: str | Sequence[str] | None = None,
    ties: "Ties | None" = None,
) -> "WindowCounts":
    """Count the windows of a log: one for each event, so the counts sum to the number of events.

    ``log`` is an EventLog, its :class:`Variants`, an event log of pm4py, or a frame of events: Polars (eager or lazy), pandas,
    pyarrow, a DuckDB relation, a Spark frame, or a table of Ibis. Of a frame, the variants are found as by :func:`read_variants`.

    The other arguments are for frames. ``case`` and ``activity`` are the names of columns. ``order`` names the columns that order
    the events of a case, the most important first. A column that is not given is recognised if it has one of the usual names.
    Events of a case with equal values in ``order`` stay in the order of the rows, as when a log is read; ``ties="error"`` makes
    them an error, and ``ties="activity"`` sorts them by their labels. The rows of a database or a cluster have no order: there
    they are an error unless sorted so.

    >>> count_windows(EventLog.from_traces([["a", "b"]] * 1000), 3)
    WindowCounts(window=3, 2 distinct windows, 2,000 events, 2 activities)
    >>> import polars as pl
    >>> events = pl.DataFrame({"order": [7, 8, 7], "step": ["pack", "pack", "send"], "at": [1, 1, 2]})
    >>> count_windows(events, 3, case="order", activity="step", order="at")
    WindowCounts(window=3, 3 distinct windows, 3 events, 2 activities)
    """
    window = check_window(window)
    if not isinstance(log, Variants) and is_pm4py_log(log):
        log = as_log(log, "count_windows")
    if isinstance(log, EventLog | Variants):
        if (case, activity, order, ties) != (None, None, None, None):
            kind = type(log).__name__
            raise ActalikeError(f"case, activity, order and ties are for frames, not for an {kind}: leave them out.")
        return _count_variants(log.variants if isinstance(log, EventLog) else log, window)
    from actalike.counting.reading import variants_of  # here: an EventLog needs no narwhals

    variants = variants_of(log, case=case, activity=activity, order=order, ties=ties)
    table = _count_variants(variants, window)
    table.reading = variants.reading
    return table


class WindowCounts:
    """Hold the distinct windows of a log and their counts; the activities are sorted.

    ``windows[i]`` holds positions in ``activities``, or PAD; the focal activity is in column ``left``. Windows are sorted by
    their contexts (the neighbours from left to right), and windows of the same context by the focal activity.

    >>> from actalike import EventLog, count_windows
    >>> log = EventLog.from_traces([["a", "b", "c"], ["a", "c"]])
    >>> counts = count_windows(log, 3)
    >>> counts.windows.tolist(), counts.counts.tolist()
    ([[-1, 0, 1], [-1, 0, 2], [0, 2, -1], [0, 1, 2], [1, 2, -1]], [1, 1, 1, 1, 1])
    >>> counts + counts == count_windows(EventLog.from_traces(log.traces() * 2), 3)
    True
    """

    def __init__(self, activities: Sequence[str], windows: NDArray[np.int32], counts: NDArray[np.int64]) -> None:
        self.activities = list(activities)
        self.windows = windows
        self.counts = counts
        self.reading: Reading | None = None  # how the events were understood, if an engine counted them
        self.derived: dict[Any, Any] = {}  # cache of marginals and matrices: many methods start from the same ones

    @property
    def window(self) -> int:
        """Return the number of symbols in a window."""
        return self.windows.shape[1]

    @property
    def left(self) -> int:
        """Return the number of neighbours to the left, which is also the column of the focal activity."""
        return (self.window - 1) // 2

    @property
    def n_events(self) -> int:
        """Return the number of events counted."""
        return int(self.counts.sum())

    @property
    def n_cases(self) -> int | None:
        """Return the number of cases, which is that of the windows at an end of their case; None for windows of one symbol.

        >>> from actalike import EventLog, count_windows
        >>> [count_windows(EventLog.from_traces([["a", "b", "b"], ["a"]]), window).n_cases for window in (1, 2, 3)]
        [None, 2, 2]
        """
        if self.window == 1:
            return None
        neighbour = self.windows[:, self.left - 1 if self.left else 1]  # before the event if the window has one, else after it
        return int(self.counts[neighbour == PAD].sum())

    @property
    def focal(self) -> NDArray[np.int32]:
        """Return the activity in the middle of each window."""
        return self.windows[:, self.left]

    @cached_property
    def activity_counts(self) -> NDArray[np.int64]:
        """Return how often each activity occurs."""
        return sum_groups(self.counts, self.focal.astype(np.int64), len(self.activities))

    def marginal(self, window: int) -> "WindowCounts":
        """Return the table of a smaller window, as :func:`count_windows` would count it from the log.

        >>> from actalike import EventLog, count_windows
        >>> log = EventLog.from_traces([["a", "b", "c", "b", "d"]])
        >>> count_windows(log, 9).marginal(3) == count_windows(log, 3)
        True
        """
        window = check_window(window)
        if window == self.window:
            return self
        if window > self.window:
            raise ActalikeError(
                f"A table of window {self.window} cannot give window {window}: count again with count_windows(log, "
                f"window={window})."
            )
        if window not in self.derived:
            start = self.left - (window - 1) // 2
            columns = list(self.windows.T[start : start + window])
            self.derived[window] = count_columns(self.activities, columns, self.counts)
        return self.derived[window]

    def relabel(self, rename: Callable[[str], str]) -> "WindowCounts":
        """Return the table of the log with every activity renamed; activities that get the same name become one.

        >>> from actalike import EventLog, count_windows
        >>> log = EventLog.from_traces([["a", "b", "c"], ["a", "c"]])
        >>> merged = {"b": "a"}
        >>> again = count_windows(log.relabel(lambda label: merged.get(label, label)), 3)
        >>> count_windows(log, 3).relabel(lambda label: merged.get(label, label)) == again
        True
        """
        names = [rename(label) for label in self.activities]
        activities = sorted(set(names))
        position = {label: i for i, label in enumerate(activities)}
        codes = np.array([position[name] for name in names] + [PAD], dtype=np.int32)  # PAD = -1 takes the last entry
        return count_columns(activities, list(codes[self.windows].T), self.counts)

    def __add__(self, other: "WindowCounts") -> "WindowCounts":
        if not isinstance(other, WindowCounts):
            return NotImplemented
        if self.window != other.window:
            raise ActalikeError(
                f"Tables of windows {self.window} and {other.window} do not add: take "
                f".marginal({min(self.window, other.window)}) of the larger one."
            )
        activities = sorted({*self.activities, *other.activities})
        recoded = [_recode(table, activities) for table in (self, other)]
        return count_columns(activities, list(np.concatenate(recoded).T), np.concatenate([self.counts, other.counts]))

    def __radd__(self, other: object) -> "WindowCounts":
        if other == 0:  # the start value of sum()
            return self
        return NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WindowCounts):
            return NotImplemented
        return (
            self.activities == other.activities
            and np.array_equal(self.windows, other.windows)
            and np.array_equal(self.counts, other.counts)
        )

    __hash__ = None  # type: ignore[assignment]  # compared by content

    def __repr__(self) -> str:
        return (
            f"WindowCounts(window={self.window}, {len(self.counts):,} distinct windows, {self.n_events:,} events, "
            f"{len(self.activities):,} activities)"
        )

    def save(self, path: str | Path) -> None:
        """Write the table to a file that :func:`actalike.load` reads; see docs/file_formats.md."""
        problem = excess(self.activities, self.window, MOST_SYMBOLS)
        if problem:
            raise ActalikeError(f"{path} cannot be written: {problem}. Nothing was written.")
        arrays: dict[str, NDArray[Any]] = {"windows": self.windows, "counts": self.counts}
        write_file(path, "window-counts", {"activities": self.activities}, arrays, lambda file: file.header(LabelledHeader))

    @classmethod
    def from_file(cls, file: StoredFile) -> "WindowCounts":
        """Return a stored table, or raise an error if it contradicts itself."""
        file.check_names(("windows", "counts"))
        activities = file.header(LabelledHeader).activities
        windows, counts = file.array("windows", np.int32, 2), file.array("counts", np.int64, 1)
        problem = excess(activities, windows.shape[1], MOST_SYMBOLS) or contradiction(activities, windows, counts)
        if problem is None and len(occurring_codes(windows[:, (windows.shape[1] - 1) // 2], len(activities))) < len(activities):
            problem = "an activity does not occur"
        if problem:
            raise file.unsound(problem)
        return cls(activities, windows, counts)


class DirectlyFollows(NamedTuple):
    """Hold a directly-follows graph: activity ``second[i]`` follows ``first[i]`` directly ``counts[i]`` times.

    ``first`` and ``second`` are positions in ``activities``. The most frequent pair comes first, equally frequent ones in the
    order of their labels; only pairs that occur are listed. ``starts`` and ``ends`` hold for each activity how many cases begin
    and end with it.
    """

    activities: list[str]
    first: NDArray[np.int32]
    second: NDArray[np.int32]
    counts: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def pairs(self) -> list[tuple[str, str, int]]:
        """Return the pairs as labels, with their counts."""
        codes = zip(self.first.tolist(), self.second.tolist(), self.counts.tolist(), strict=True)
        return [(self.activities[a], self.activities[b], count) for a, b, count in codes]


def directly_follows(log: EventLog | Variants | WindowCounts) -> DirectlyFollows:
    """Return the directly-follows graph of a log, or of window counts whose windows have 2 symbols or more.

    >>> graph = directly_follows(EventLog.from_traces([["a", "b", "c"], ["a", "c"], ["a", "c"]]))
    >>> graph.pairs()
    [('a', 'c', 2), ('a', 'b', 1), ('b', 'c', 1)]
    >>> graph.starts.tolist(), graph.ends.tolist()
    ([3, 0, 0], [0, 0, 3])
    """
    if isinstance(log, EventLog | Variants):
        log = count_windows(log, 2)
    check_counts(log)
    if log.window < 2:
        raise ActalikeError("Windows of 1 symbol do not contain successors: count again with count_windows(log, window=2).")
    table = log.marginal(2)
    n = len(table.activities)
    first, second = table.windows.T
    inside = second >= 0  # otherwise PAD, because the case ends
    ends, follows = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    ends[first[~inside]] = table.counts[~inside]
    np.add.at(follows, second[inside], table.counts[inside])
    first, second, counts = first[inside], second[inside], table.counts[inside]
    order = np.lexsort((second, first, -counts))
    starts = table.activity_counts - follows  # events that follow no other event
    return DirectlyFollows(list(table.activities), first[order], second[order], counts[order], starts, ends)


def log_or_variants(source: "LogLike | Variants", user: str, attributes: WantedAttributes = None) -> AnyLog:
    """Return an EventLog or Variants as they are, the variants of an engine's table, and anything else as an EventLog.

    ``user`` is the function that was given the log, for error messages. ``attributes`` are those that it uses.

    >>> log_or_variants(EventLog.from_traces([["a"]]).variants, "group")
    Variants(1 case, 1 event, 1 activity, 1 variant)
    """
    if isinstance(source, Variants):
        return source.whole()
    if isinstance(source, EventLog) or how_to_fetch(source) is None:
        return as_log(source, user, attributes)
    from actalike.counting.reading import read_variants

    try:
        return read_variants(source, attributes=attributes)
    except EngineError:
        raise
    except LogError as error:
        raise LogError(f"{error} Options of reading go to read_variants: {user}(read_variants(table, case=...)).") from None


def _count_variants(variants: Variants, window: int) -> WindowCounts:
    """Count the windows of variants: each is processed once and weighted with its number of cases."""
    codes, offsets, weights = variants.codes, variants.offsets, variants.weights
    tables = []
    for first, end in case_blocks(offsets, max(_BLOCK // window, 1)):
        columns = window_columns(codes[offsets[first] : offsets[end]], np.diff(offsets[first : end + 1]), window)
        per_event = np.repeat(weights[first:end], np.diff(offsets[first : end + 1]))
        tables.append(count_columns(variants.activities, columns, per_event))
    if len(tables) == 1:
        return tables[0]
    windows = np.concatenate([table.windows for table in tables])
    return count_columns(variants.activities, list(windows.T), np.concatenate([table.counts for table in tables]))


def window_columns(codes: NDArray[np.int32], lengths: NDArray[np.int64], window: int) -> list[NDArray[np.int32]]:
    """Return for each offset a column with the neighbour of each event at that offset, PAD outside the case.

    >>> [column.tolist() for column in window_columns(np.array([3, 4, 5], dtype=np.int32), np.array([2, 1]), 3)]
    [[-1, 3, -1], [3, 4, 5], [4, -1, -1]]
    """
    left = (window - 1) // 2
    lengths = lengths[lengths > 0]
    ends = np.cumsum(lengths)
    firsts, lasts = ends - lengths, ends - 1
    columns = [codes]
    for _ in range(left):  # the neighbour at an offset is the next nearer neighbour of the event before
        column = np.empty_like(codes)
        column[1:] = columns[0][:-1]
        column[firsts] = PAD
        columns.insert(0, column)
    for _ in range(window - 1 - left):
        column = np.empty_like(codes)
        column[:-1] = columns[-1][1:]
        column[lasts] = PAD
        columns.append(column)
    return columns


def contexts_first(columns: list[NDArray[np.int32]]) -> list[NDArray[np.int32]]:
    """Return the columns in the order by which windows are sorted: the focal activity last."""
    left = (len(columns) - 1) // 2
    return [*columns[:left], *columns[left + 1 :], columns[left]]


def count_columns(activities: Sequence[str], columns: list[NDArray[np.int32]], weights: NDArray[np.int64]) -> WindowCounts:
    """Count windows that are given column by column, with a weight for each row."""
    rows, counts = count_rows(contexts_first(columns), len(activities) + 1, weights)
    windows = np.empty((len(columns), len(rows)), dtype=np.int32)  # stored column by column, which is how they are used
    for i, column in enumerate(columns):
        windows[i] = column.take(rows)
    return WindowCounts(activities, windows.T, counts)


def _recode(table: WindowCounts, activities: list[str]) -> NDArray[np.int32]:
    """Return the windows of a table with the codes of other activities, which include those of the table."""
    position = {label: i for i, label in enumerate(activities)}
    codes = np.array([position[label] for label in table.activities] + [PAD], dtype=np.int32)
    return codes[table.windows]  # PAD = -1 takes the last entry


def check_counts(counts: object) -> None:
    """Raise an error if the argument is not a WindowCounts."""
    if not isinstance(counts, WindowCounts):
        raise ActalikeError(f"This takes WindowCounts, not {type(counts).__name__}: use count_windows(log, window=3) first.")


def check_window(window: int) -> int:
    """Return a window size as Python's int, or raise an error unless it is an integer from 1 to the most that files hold.

    Integers of numpy may have too few bits to calculate with.

    >>> check_window(np.int8(3))
    3
    """
    if not isinstance(window, int | np.integer) or isinstance(window, bool) or window < 1:
        raise ActalikeError(f"window must be an integer >= 1, not {window!r}.")
    if window > MOST_SYMBOLS:
        raise ActalikeError(
            f"A window of {window:,} symbols is too wide: the most are {MOST_SYMBOLS:,}. (Outside the longest case there "
            "is only padding.)"
        )
    return int(window)


def excess(activities: Sequence[str], window: int, most_symbols: int) -> str | None:
    """Return which limit of saved files windows of this size exceed; None if they fit."""
    if window > most_symbols:
        return f"its windows have {window:,} symbols, and at most {most_symbols:,} are stored"
    if window * max(map(len, activities), default=0) > MOST_CHARACTERS:
        return f"a window may have more than {MOST_CHARACTERS:,} characters"
    return None


def contradiction(activities: Sequence[str], windows: NDArray[np.int32], counts: NDArray[np.int64]) -> str | None:
    """Return what is wrong with a stored table of windows: its order or its numbers; None if it is sound."""
    width, left = windows.shape[1], (windows.shape[1] - 1) // 2
    if not all(a < b for a, b in pairwise(activities)):
        return "its activities are not sorted"
    if not width or len(windows) != len(counts):
        return f"it has {len(windows):,} windows of {width:,} symbols and {len(counts):,} counts"
    if not len(counts):
        return None
    if counts.min() < 1 or counts.sum(dtype=np.float64) >= 2**53:
        return "a count is less than 1, or their sum is more than 2^53"
    if windows.min() < PAD or windows.max() >= len(activities):
        return "a window holds an unknown activity"
    before, after = windows[:, : left + 1], windows[:, left:]
    if ((before[:, :-1] != PAD) & (before[:, 1:] == PAD)).any() or ((after[:, :-1] == PAD) & (after[:, 1:] != PAD)).any():
        return "a window holds an activity outside the case"
    if (windows[:, left] == PAD).any():
        return "a window has no activity in the middle"
    ascends, equal = np.zeros(len(windows) - 1, dtype=bool), np.ones(len(windows) - 1, dtype=bool)
    for column in contexts_first(list(windows.T)):
        ascends |= equal & (column[1:] > column[:-1])
        equal &= column[1:] == column[:-1]
    return None if ascends.all() else "its windows are not sorted, or not distinct"


def occurring_codes(codes: NDArray[np.int32], n: int) -> NDArray[np.int64]:
    """Return the activities, of ``n``, that occur in an array of codes, sorted; PAD is left out."""
    occurs = np.zeros(n + 1, dtype=bool)  # PAD = -1 is the last entry
    occurs[codes] = True
    return np.flatnonzero(occurs[:-1])
