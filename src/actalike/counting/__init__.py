"""Count windows of logs, streams, databases and clusters. This is the only pass over events."""

from actalike.counting.engines.ibis_sessions import database_file, database_source, ibis_events
from actalike.counting.engines.sessions import OpenedEvents, duckdb_events, spark_events
from actalike.counting.engines.sources import alternatives, local_name
from actalike.counting.engines.spill import EngineLimits
from actalike.counting.engines.spilled_csv import CsvOptions
from actalike.counting.engines.stored_parquet import check_counted, check_stored
from actalike.counting.stream_events import cases_to_close, event_texts
from actalike.counting.stream_file import StreamState
from actalike.counting.streams import StreamCounter, for_one_thread
from actalike.counting.windows import (
    PAD,
    DirectlyFollows,
    WindowCounts,
    check_counts,
    check_window,
    contexts_first,
    count_frame,
    count_spilled,
    count_windows,
    directly_follows,
    event_columns,
    window_columns,
)

__all__ = [
    "PAD",
    "CsvOptions",
    "DirectlyFollows",
    "EngineLimits",
    "OpenedEvents",
    "StreamCounter",
    "StreamState",
    "WindowCounts",
    "alternatives",
    "cases_to_close",
    "check_counted",
    "check_counts",
    "check_stored",
    "check_window",
    "contexts_first",
    "count_frame",
    "count_spilled",
    "count_windows",
    "database_file",
    "database_source",
    "directly_follows",
    "duckdb_events",
    "event_columns",
    "event_texts",
    "for_one_thread",
    "ibis_events",
    "local_name",
    "spark_events",
    "window_columns",
]
