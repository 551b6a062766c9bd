"""Read variants of files, frames, databases and clusters; count windows of logs and streams."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from actalike.counting.engines.open import (
    EngineLimits,
    OpenedEvents,
    alternatives,
    csv_files,
    duckdb_events,
    local_name,
    spark_events,
)
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
    count_windows,
    directly_follows,
    log_or_variants,
    window_columns,
)

if TYPE_CHECKING:
    from actalike.counting.engines.columns import PERIODS, Ties, Wanted
    from actalike.counting.engines.csv import CsvOptions
    from actalike.counting.engines.ibis import database_file, database_source, ibis_events
    from actalike.counting.reading import (
        csv_cases,
        opened_cases,
        queries_of,
        read_cases,
        read_csv_events,
        read_opened,
        read_variants,
    )

__all__ = [
    "PAD",
    "PERIODS",
    "CsvOptions",
    "DirectlyFollows",
    "EngineLimits",
    "OpenedEvents",
    "StreamCounter",
    "StreamState",
    "Ties",
    "Wanted",
    "WindowCounts",
    "alternatives",
    "cases_to_close",
    "check_counts",
    "check_window",
    "contexts_first",
    "count_windows",
    "csv_cases",
    "csv_files",
    "database_file",
    "database_source",
    "directly_follows",
    "duckdb_events",
    "event_texts",
    "for_one_thread",
    "ibis_events",
    "local_name",
    "log_or_variants",
    "opened_cases",
    "queries_of",
    "read_cases",
    "read_csv_events",
    "read_opened",
    "read_variants",
    "spark_events",
    "window_columns",
]

_WITH_NARWHALS = {  # loaded at first use: to read a log from a file, narwhals is not needed
    "PERIODS": "engines.columns",
    "Ties": "engines.columns",
    "Wanted": "engines.columns",
    "CsvOptions": "engines.csv",
    "database_file": "engines.ibis",
    "database_source": "engines.ibis",
    "ibis_events": "engines.ibis",
    "csv_cases": "reading",
    "opened_cases": "reading",
    "queries_of": "reading",
    "read_cases": "reading",
    "read_csv_events": "reading",
    "read_opened": "reading",
    "read_variants": "reading",
}


if not TYPE_CHECKING:  # a type checker would take every name for there

    def __getattr__(name: str) -> Any:
        if name not in _WITH_NARWHALS:
            raise AttributeError(f"module 'actalike.counting' has no attribute {name!r}")
        return getattr(import_module(f"actalike.counting.{_WITH_NARWHALS[name]}"), name)
