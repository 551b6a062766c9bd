"""Read an event log from a file or a frame: ``read_log``."""

from pathlib import Path
from typing import Any

from actalike.errors import LogError
from actalike.io.assemble import Events, Lifecycle, Order, assemble, check_options
from actalike.io.attribute_columns import take_attributes
from actalike.io.columns import WantedAttributes, check_wanted, find_attributes, find_columns
from actalike.io.delimited import read_csv
from actalike.io.file_kinds import LOG_ENDINGS, log_kind, refuse_spreadsheet
from actalike.io.frames import ColumnReader, first_rows, take_columns, to_eager
from actalike.io.parquet import read_parquet
from actalike.io.pm4py_logs import is_pm4py_log, read_pm4py
from actalike.io.source import DEFAULT_MAX_BYTES, Progress
from actalike.io.unused_columns import Unread, worth_a_look
from actalike.io.xes import read_xes
from actalike.log import EventLog
from actalike.support.places import is_utf8
from actalike.support.progress import reading_tracked


@reading_tracked("reading")
def read_log(
    source: Any,
    *,
    case: str | None = None,
    activity: str | None = None,
    timestamp: str | None = None,
    transition: str | None = None,
    lifecycle: Lifecycle = "ignore",
    order: Order | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    timestamp_format: str | None = None,
    max_bytes: int = DEFAULT_MAX_BYTES,
    progress: Progress | None = None,
    attributes: WantedAttributes = None,
) -> EventLog:
    """Read an event log, whole and exact, or raise :class:`actalike.LogError`.

    ``source`` is the path of a ``.xes``, ``.csv``, ``.tsv`` (each also with ``.gz``) or ``.parquet`` file, or a frame: pandas
    (pm4py's too), Polars, pyarrow, or any other that narwhals knows, or an EventLog object of pm4py.

    - ``case``, ``activity``, ``timestamp``, ``transition``: the columns, or the XES attributes, if they have unusual names;
      ``timestamp=""`` leaves timestamps out. Timestamps are kept to the microsecond, in UTC; one without a zone is taken as UTC.
    - ``lifecycle``: ``"ignore"`` keeps every event under its name; ``"complete"`` keeps only events whose transition is
      "complete"; ``"append"`` appends the transition to the label (``Check+start``).
    - ``order``: ``"file"`` keeps the order of the events in each case, ``"time"`` sorts them by timestamp, ties in file order.
      By default XES keeps its order, and columns are sorted if they have a timestamp.
    - ``separator``, ``encoding``, ``timestamp_format`` (``"%d.%m.%Y %H:%M"``): for a CSV file with an unusual layout.
    - ``max_bytes``: upper bound of a file's size after decompression.
    - ``progress``: a function that is called with the bytes read so far and the size of the file.
    - ``attributes``: the names of further columns, or of attributes of XES events, to keep as texts in ``log.attributes``;
      ``"people"`` keeps those whose names are usual for a resource or an organisation, if there are any.

    >>> import polars as pl
    >>> events = pl.DataFrame({"case": ["1", "2", "1"], "activity": ["a", "a", "b"], "user": ["Sue", "Bob", None]})
    >>> read_log(events).traces()
    [['a', 'b'], ['a']]
    >>> read_log(events, attributes=["user"]).attributes["user"].texts()
    ['Sue', None, 'Bob']
    """
    check_options(lifecycle, order)
    check_wanted(attributes)
    names = {"case": case, "activity": activity, "timestamp": timestamp, "transition": transition}
    needs_transition = lifecycle != "ignore"
    if is_pm4py_log(source):
        events = read_pm4py(
            source,
            case=(case or "concept:name").removeprefix("case:"),
            activity=activity or "concept:name",
            timestamp="time:timestamp" if timestamp is None else timestamp,
            transition=transition or "lifecycle:transition",
            needs_transition=needs_transition,
            attributes=attributes,
        )
        return assemble(events, lifecycle, order or "file")
    if not isinstance(source, str | Path):
        events = read_frame(source, names, needs_transition, timestamp_format, attributes)
        return assemble(events, lifecycle, order or order_of_columns(events))
    path = Path(source)
    kind = kind_of(path, separator, encoding, timestamp_format)
    if kind == "xes":
        events = read_xes(
            path,
            case=(case or "concept:name").removeprefix("case:"),
            activity=activity or "concept:name",
            timestamp=timestamp or "time:timestamp",
            transition=(transition or "lifecycle:transition") if needs_transition else None,
            max_bytes=max_bytes,
            progress=progress,
            attributes=attributes,
        )
        return assemble(events, lifecycle, order or "file")
    if kind == "csv":
        events = read_csv(path, names, needs_transition, separator, encoding, timestamp_format, max_bytes, progress, attributes)
    else:
        events = read_parquet(path, names, needs_transition, timestamp_format, max_bytes, attributes)
    return assemble(events, lifecycle, order or order_of_columns(events))


def kind_of(path: Path, separator: str | None, encoding: str | None, timestamp_format: str | None) -> str:
    """Return ``xes``, ``csv`` or ``parquet`` by the ending of the name; an option that does not fit the kind is an error."""
    kind = log_kind(path)
    if path.is_dir():
        raise LogError(f"{path} is a folder: name one of its files.")
    refuse_spreadsheet(path)
    if kind is None:
        raise LogError(f"{path}: the kind of log is told by the name, which must end in {', '.join(LOG_ENDINGS)}.")
    if kind != "csv":
        for option, value in (("separator", separator), ("encoding", encoding)):
            if value is not None:
                raise LogError(f"{path}: {option}= (--{option}) is for CSV files only.")
    if kind == "parquet" and not is_utf8(path):
        raise LogError(
            f"{path} has a name that is not UTF-8, and a Parquet file cannot be opened by it: rename it; nothing was read."
        )
    if kind == "xes" and timestamp_format is not None:
        raise LogError(f"{path}: timestamp_format= (--timestamp-format) is not for XES, whose dates have one format.")
    return kind


def order_of_columns(events: Events) -> Order:
    """Return the default order of events in columns: by time if they have timestamps, otherwise that of the rows."""
    return "file" if events.times is None else "time"


def read_frame(
    frame: Any,
    names: dict[str, str | None],
    needs_transition: bool,
    timestamp_format: str | None,
    attributes: WantedAttributes,
) -> Events:
    """Return the events of a frame, in the order of its rows."""
    source = f"the {type(frame).__name__}"
    eager = to_eager(frame, source)
    reader = ColumnReader(source, find_columns(source, eager.columns, **names), timestamp_format, needs_transition)
    others = worth_a_look([name for name in eager.columns if name not in reader.names], reader.columns.transition)
    reader.unread = Unread(first_rows(eager, others), reader.columns.timestamp is None and names["timestamp"] is None)
    further = find_attributes(source, eager.columns, reader.columns, attributes)
    texts = take_attributes(eager, further, source, skip=attributes == "people")
    reader.take(take_columns(eager, reader.names, source), texts)
    return reader.events()
