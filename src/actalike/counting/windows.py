"""Count windows: take one window around each event of every case, and count equal windows."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from actalike.counting.window_counts import PAD, WindowCounts, check_window, count_columns
from actalike.errors import ActalikeError
from actalike.io import as_log, is_pm4py_log
from actalike.log import EventLog, Reading, case_blocks

if TYPE_CHECKING:
    from actalike.counting.engines.columns import Ties
    from actalike.counting.engines.spilled_csv import SpilledEvents

_BLOCK = 1 << 23  # symbols counted at a time (events times window): limits the memory for logs of any size


def count_windows(
    log: Any,
    window: int,
    *,
    case: str | None = None,
    activity: str | None = None,
    order: str | Sequence[str] | None = None,
    ties: "Ties" = "error",
) -> WindowCounts:
    """Count the windows of a log: one for each event, so the counts sum to the number of events.

    ``log`` is an EventLog, an event log of pm4py, or a frame of events: Polars (eager or lazy), pandas, pyarrow, a DuckDB
    relation, a Spark frame, or a table of Ibis.
    DuckDB, Spark and the databases of Ibis count where the events are; only the table of distinct windows is returned.

    The other arguments are for frames. ``case`` and ``activity`` are the names of columns. ``order`` names the columns that order
    the events of a case, the most important first. A column that is not given is recognised if it has one of the usual names.
    Two events of a case with equal values in ``order`` are an error, unless ``ties="row"`` keeps the order of the rows. (The rows
    of a database have no order.)

    >>> count_windows(EventLog.from_traces([["a", "b"]] * 1000), 3)
    WindowCounts(window=3, 2 distinct windows, 2,000 events, 2 activities)
    >>> import polars as pl
    >>> events = pl.DataFrame({"order": [7, 8, 7], "step": ["pack", "pack", "send"], "at": [1, 1, 2]})
    >>> count_windows(events, 3, case="order", activity="step", order="at")
    WindowCounts(window=3, 3 distinct windows, 3 events, 2 activities)
    """
    window = check_window(window)
    if is_pm4py_log(log):
        log = as_log(log, "count_windows")
    if isinstance(log, EventLog):
        if (case, activity, order, ties) != (None, None, None, "error"):
            raise ActalikeError(
                "case, activity, order and ties say how a frame is read, and this is an EventLog: leave them out."
            )
        return _count_log(log, window)
    return count_frame(log, f"the {type(log).__name__}", window, case, activity, order, ties)


def count_frame(
    frame: Any,
    source: str,
    window: int,
    case: str | None,
    activity: str | None,
    order: str | Sequence[str] | None,
    ties: "Ties" = "error",
) -> WindowCounts:
    """Count the windows of a frame. ``source`` is what error messages call the frame."""
    import narwhals.stable.v2 as nw  # imported here: an EventLog needs no narwhals

    from actalike.counting.engines.columns import find_event_columns, open_frame
    from actalike.counting.engines.failures import engine_errors, engine_of
    from actalike.counting.engines.ibis_tables import counting_with_ibis
    from actalike.counting.engines.lazy_frames import arrange_lazily
    from actalike.counting.engines.local import arrange
    from actalike.counting.engines.query import distinct_windows, is_remote
    from actalike.counting.engines.supervision import supervise

    with engine_errors(source, engine_of(frame)):
        opened = open_frame(frame, source)
        columns = find_event_columns(opened, source, case, activity, order, ties)
        schema = opened.collect_schema()

        def count() -> WindowCounts:
            if is_remote(opened):
                with counting_with_ibis(opened, source):
                    distinct = distinct_windows(opened, columns, ties, window)
                return count_columns(*distinct)
            if isinstance(opened, nw.LazyFrame):
                with closing(arrange_lazily(opened, columns, ties)) as logs:  # at Ctrl-C its temporary files are removed at once
                    return _count_logs(logs, window)
            return _count_log(arrange(opened.select(columns.names), columns, ties), window)

        table = supervise(opened, count)
    time = next((name for name in columns.order if schema[name].is_temporal()), None)
    table.reading = Reading(
        source,
        columns.case,
        columns.activity,
        timestamp=time,
        order=columns.order,
        cases=table.n_cases,
        events=table.n_events,
    )
    return table


def event_columns(
    frame: Any, source: str, case: str | None, activity: str | None, order: str | Sequence[str] | None
) -> list[str]:
    """Return the columns of a frame that :func:`count_frame` counts."""
    from actalike.counting.engines.columns import find_event_columns, open_frame
    from actalike.counting.engines.failures import engine_errors, engine_of

    with engine_errors(source, engine_of(frame)):
        return find_event_columns(open_frame(frame, source), source, case, activity, order, "error").names


def count_spilled(frame: Any, spilled: "SpilledEvents", window: int) -> WindowCounts:
    """Count the windows of events that were read from CSV files and stored for an engine, whose frame they are."""
    from actalike.counting.engines.columns import open_frame
    from actalike.counting.engines.failures import engine_errors, engine_of
    from actalike.counting.engines.query import is_remote, spilled_windows
    from actalike.counting.engines.supervision import supervise

    with engine_errors(spilled.columns.source, engine_of(frame)):
        events = open_frame(frame, spilled.columns.source)
        assert is_remote(events)
        table = supervise(events, lambda: count_columns(*spilled_windows(events, spilled, window)))
    table.reading = replace(spilled.reading, cases=table.n_cases)
    return table


def _count_logs(logs: Iterable[EventLog], window: int) -> WindowCounts:
    """Count the windows of all logs, one log at a time. Tables of like size are added, so that large ones are added seldom."""
    tables: list[WindowCounts] = []
    for log in logs:
        tables.append(_count_log(log, window))
        while len(tables) > 1 and len(tables[-2].counts) < 2 * len(tables[-1].counts):
            last = tables.pop()
            tables[-1] += last
    return sum(tables[1:], tables[0])


def _count_log(log: EventLog, window: int) -> WindowCounts:
    """Count the windows of a log. Each variant is processed once and weighted with its number of cases."""
    codes, offsets, weights = log.variants
    tables = []
    for first, end in case_blocks(offsets, max(_BLOCK // window, 1)):
        columns = window_columns(codes[offsets[first] : offsets[end]], np.diff(offsets[first : end + 1]), window)
        per_event = np.repeat(weights[first:end], np.diff(offsets[first : end + 1]))
        tables.append(count_columns(log.activities, columns, per_event))
    if len(tables) == 1:
        return tables[0]
    windows = np.concatenate([table.windows for table in tables])
    return count_columns(log.activities, list(windows.T), np.concatenate([table.counts for table in tables]))


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
