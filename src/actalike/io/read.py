"""Read an event log from a file or a frame: ``read_log``."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, repeat
from pathlib import Path
from typing import Any, NamedTuple

from actalike.errors import ActalikeError, LogError
from actalike.io.assemble import Events, Lifecycle, Order, assemble, check_options
from actalike.io.attribute_columns import take_attributes
from actalike.io.columns import WantedAttributes, check_wanted, find_attributes, find_columns
from actalike.io.delimited import read_csv
from actalike.io.file_kinds import ENDINGS, LOG_ENDINGS, OBJECT_CENTRIC, is_object_centric, log_kind, refuse_spreadsheet
from actalike.io.frames import ColumnReader, first_rows, take_columns, to_eager
from actalike.io.object_centric.flattening import read_object_centric
from actalike.io.parquet import read_parquet
from actalike.io.pm4py_logs import is_pm4py_log, read_pm4py
from actalike.io.several_files import Cases, LogFiles, check_cases, combine, log_files
from actalike.io.source import DEFAULT_MAX_BYTES, Progress, refuse_irregular
from actalike.io.unused_columns import Unread, worth_a_look
from actalike.io.xes import read_xes
from actalike.log import EventLog, names_people
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
    name: str | None = None,
    cases: Cases | None = None,
    object_type: str | None = None,
) -> EventLog:
    """Read an event log, whole and exact, or raise :class:`actalike.LogError`.

    ``source`` is the path of a ``.xes``, ``.csv``, ``.tsv`` (each also with ``.gz``) or ``.parquet`` file, or a frame: pandas
    (pm4py's too), Polars, pyarrow, or any other that narwhals knows, or an EventLog object of pm4py; or of an object-centric log
    (OCEL 2.0): ``.jsonocel``, ``.xmlocel`` (each also with ``.gz``), ``.json``, ``.xml`` or ``.sqlite``. A folder, or a list of
    paths, is read as one log: the files of a folder in the order of their names, all of them or none;
    ``log.attributes["source"]`` has the file of each event.

    - ``case``, ``activity``, ``timestamp``, ``transition``: the columns, or the XES attributes, if they have unusual names;
      ``timestamp=""`` leaves timestamps out. Timestamps are kept to the microsecond, in UTC; one without a zone is taken as UTC.
    - ``lifecycle``: ``"ignore"`` keeps every event under its name; ``"complete"`` keeps only events whose transition is
      "complete"; ``"append"`` appends the transition to the label (``Check+start``).
    - ``order``: ``"file"`` keeps the order of the events in each case, ``"time"`` sorts them by timestamp, ties in file order.
      By default XES keeps its order, and columns are sorted if they have a timestamp.
    - ``separator``, ``encoding``, ``timestamp_format`` (``"%d.%m.%Y %H:%M"``): for a CSV file with an unusual layout.
    - ``max_bytes``: upper bound of a file's size after decompression.
    - ``progress``: a function that is called with the bytes read so far and the size of the file.
    - ``attributes``: the names of further columns, or of attributes of XES events (of their traces: ``"case:region"``), to keep
      as texts in ``log.attributes``; ``"people"`` keeps those whose names are usual for a resource or an organisation.
    - ``name``: the column, or attribute, with a second name of each activity, to be shown beside labels that are codes:
      ``log.names``. It is never evidence. Of several second names of a label, the most frequent is kept.
    - ``cases``: what a case id means that is in several files: one case that goes on (``"joined"``), or different cases
      (``"separate"``: each is called by its file and its id). Without it, such an id is an error.
    - ``object_type``: of an object-centric log, the type whose objects are the cases. It may be left out if there is only one.

    >>> import polars as pl
    >>> events = pl.DataFrame({"case": ["1", "2", "1"], "activity": ["a", "a", "b"], "user": ["Sue", "Bob", None]})
    >>> read_log(events).traces()
    [['a', 'b'], ['a']]
    >>> read_log(events, attributes=["user"]).attributes["user"].texts()
    ['Sue', None, 'Bob']
    """
    check_options(lifecycle, order)
    check_wanted(attributes)
    columns = {"case": case, "activity": activity, "timestamp": timestamp, "transition": transition}
    wanted = _Wanted(columns, lifecycle != "ignore", timestamp_format, attributes, name, object_type)
    files = None if is_pm4py_log(source) else log_files(source)
    check_cases(cases, files)
    check_object_type(object_type, [source] if files is None else files.paths)
    if files is not None:
        parts: list[Events] = []
        n_bytes = 0
        for path, progress_of_file in zip(files.paths, _of_several(progress, files.paths), strict=True):
            parts.append(_read_file(path, wanted, separator, encoding, max_bytes, progress_of_file))
            n_bytes += parts[-1].n_bytes
            if n_bytes > max_bytes:
                raise _too_many(files, len(parts), max_bytes)
        events = combine(files, parts, cases)
        return assemble(events, lifecycle, order or files.default_order(events))
    if is_pm4py_log(source):
        events = read_pm4py(
            source,
            case=(case or "concept:name").removeprefix("case:"),
            activity=activity or "concept:name",
            timestamp="time:timestamp" if timestamp is None else timestamp,
            transition=transition or "lifecycle:transition",
            needs_transition=wanted.needs_transition,
            attributes=attributes,
            name=name,
        )
        return assemble(wanted.with_second_names(events), lifecycle, order or "file")
    if not isinstance(source, str | Path):
        events = wanted.with_second_names(
            read_frame(source, columns, wanted.needs_transition, timestamp_format, attributes, name)
        )
        return assemble(events, lifecycle, order or order_of_columns(events))
    path = Path(source)
    events = _read_file(path, wanted, separator, encoding, max_bytes, progress)
    return assemble(events, lifecycle, order or ("file" if log_kind(path) == "xes" else order_of_columns(events)))


class _Wanted(NamedTuple):
    """Hold what is to be read of each event, whatever it is read from."""

    columns: dict[str, str | None]
    needs_transition: bool
    timestamp_format: str | None
    attributes: WantedAttributes
    name: str | None
    object_type: str | None

    def with_second_names(self, events: Events) -> Events:
        """Return the events with their second names apart from their attributes, unless these were wanted too."""
        if self.name is None:
            return events
        second = events.attributes[self.name]
        is_wanted = names_people(self.name) if self.attributes == "people" else self.name in (self.attributes or ())
        attributes = {name: each for name, each in events.attributes.items() if is_wanted or name != self.name}
        return replace(events, attributes=attributes, second_name=(self.name, second))


def _read_file(
    path: Path, wanted: _Wanted, separator: str | None, encoding: str | None, max_bytes: int, progress: Progress | None
) -> Events:
    """Read the events of one file."""
    columns, needs_transition, timestamp_format, attributes, name, object_type = wanted
    kind = kind_of(path, separator, encoding, timestamp_format)
    if kind == "xes":
        events = read_xes(
            path,
            case=(columns["case"] or "concept:name").removeprefix("case:"),
            activity=columns["activity"] or "concept:name",
            timestamp=columns["timestamp"] or "time:timestamp",
            transition=(columns["transition"] or "lifecycle:transition") if needs_transition else None,
            max_bytes=max_bytes,
            progress=progress,
            attributes=attributes,
            second_name=name,
        )
    elif kind == "csv":
        events = read_csv(
            path, columns, needs_transition, separator, encoding, timestamp_format, max_bytes, progress, attributes, name
        )
    elif kind in OBJECT_CENTRIC:
        events = read_object_centric(path, kind, columns, object_type, max_bytes, progress, attributes, name)
    else:
        events = read_parquet(path, columns, needs_transition, timestamp_format, max_bytes, attributes, name)
    return wanted.with_second_names(events)


def _of_several(progress: Progress | None, paths: Sequence[Path]) -> Iterator[Progress | None]:
    """Yield the progress of each of several files, as a part of all of them."""
    if progress is None:
        yield from repeat(None, len(paths))
        return
    sizes = [path.stat().st_size if path.exists() else 0 for path in paths]
    total = sum(sizes)
    for before in accumulate(sizes[:-1], initial=0):
        yield partial(_report, progress, before, total)


def _report(progress: Progress, before: int, total: int, done: int, _: int) -> None:
    progress(before + done, total)


def _too_many(files: LogFiles, number: int, max_bytes: int) -> LogError:
    return LogError(
        f"{files.source}: the files up to {files.names[number - 1]} hold more than {max_bytes:,} bytes once unpacked. If this is "
        "intended, allow more with max_bytes=... (--max-bytes); nothing was read."
    )


def kind_of(path: Path, separator: str | None, encoding: str | None, timestamp_format: str | None) -> str:
    """Return the kind of a log by the ending of its name; an option that does not fit the kind is an error."""
    kind = log_kind(path)
    if path.is_dir():
        raise LogError(f"{path} is a folder: name one of its files.")
    refuse_spreadsheet(path)
    refuse_irregular(path)
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
    if kind in ("xes", *OBJECT_CENTRIC) and timestamp_format is not None:
        format_ = "XES" if kind == "xes" else "OCEL"
        raise LogError(f"{path}: timestamp_format= (--timestamp-format) is not for {format_}, whose dates have one format.")
    return kind


def check_object_type(object_type: str | None, sources: Sequence[Any]) -> None:
    """Raise an error if a type of objects was given and no source has objects."""
    if object_type is not None and not any(isinstance(each, str | Path) and is_object_centric(each) for each in sources):
        endings = [ending for kind in OBJECT_CENTRIC for ending in ENDINGS[kind]]
        unknown = [each for each in sources if isinstance(each, str | Path) and log_kind(each) is None and Path(each).is_file()]
        if unknown:
            raise LogError(
                f"{unknown[0]}: an object-centric log is told by the name, which must end in {', '.join(endings)}: rename it; "
                "nothing was read."
            )
        raise ActalikeError(
            f"object_type=... (--object-type) is for object-centric logs ({', '.join(endings)}), and this is none: leave it out."
        )


def order_of_columns(events: Events) -> Order:
    """Return the default order of events in columns: by time if they have timestamps, otherwise that of the rows."""
    return "file" if events.times is None else "time"


def read_frame(
    frame: Any,
    columns: dict[str, str | None],
    needs_transition: bool,
    timestamp_format: str | None,
    attributes: WantedAttributes,
    name: str | None = None,
) -> Events:
    """Return the events of a frame, in the order of its rows; the second name is one of their attributes."""
    source = f"the {type(frame).__name__}"
    eager = to_eager(frame, source)
    reader = ColumnReader(source, find_columns(source, eager.columns, **columns), timestamp_format, needs_transition)
    others = worth_a_look([each for each in eager.columns if each not in reader.names], reader.columns.transition)
    reader.unread = Unread(first_rows(eager, others), reader.columns.timestamp is None and columns["timestamp"] is None)
    further = find_attributes(source, eager.columns, reader.columns, attributes, name)
    texts = take_attributes(eager, further, source, [name] if attributes == "people" else further)
    reader.take(take_columns(eager, reader.names, source), texts)
    return reader.events()
