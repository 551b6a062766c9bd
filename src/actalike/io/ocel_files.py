"""Read the files of object-centric logs (OCEL 2.0), in JSON, XML and SQLite, into the same tables.

XML is read without a DTD, and SQLite only to read. :mod:`actalike.io.ocel` checks what the three formats have in common.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast
from xml.etree.ElementTree import Element, ParseError, XMLPullParser

import msgspec
import polars as pl

from actalike.errors import LogError, shortened
from actalike.io.files import Progress, cut_off_is_an_error, read_pieces, refuse_irregular, to_utf8
from actalike.io.frame import float_text
from actalike.support.files import cannot_read
from actalike.support.memory import require_memory

_MEMORY_A_BYTE, _OF_SQLITE = 5, 8  # of a file, to read it (measured: JSON 3.5, XML 4.5, SQLite 7)
_BYTES_AT_A_TIME = 1 << 24  # between two looks at the memory


@dataclass
class Attributes:
    """Collect the values of those attributes of events whose names are wanted, from the first ``most_events`` or from all.

    In a sample (``most_events`` is given), a value that is no string or number counts as missing.
    """

    wants: Callable[[str], bool] | None
    most_events: int | None = None
    seen: dict[str, bool] = field(default_factory=dict)  # every name so far, and whether it is wanted
    events: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)

    def has(self, name: str) -> bool:
        """Note a name of the file, and return whether its values are to be added."""
        if name not in self.seen:
            self.seen[name] = self.wants is not None and self.wants(name)
        return self.seen[name]

    def add(self, event: int, name: str, value: str | None) -> None:
        """Add a value of the event with this number; None is a missing one."""
        if value is not None and (self.most_events is None or event < self.most_events):
            self.events.append(event)
            self.names.append(name)
            self.values.append(value)


@dataclass(frozen=True)
class Tables:
    """Hold what a file says: the types that it declares, and frames of strings in the order of the file.

    ``events`` has an ``id``, a ``type`` and a ``time``, ``objects`` an ``id`` and a ``type``. ``relations`` has the number of an
    ``event``, from 0, and the id of an ``object``.
    """

    event_types: Sequence[str]
    object_types: Sequence[str]
    events: pl.DataFrame
    objects: pl.DataFrame
    relations: pl.DataFrame
    n_bytes: int  # of the file, unpacked


def _tables(
    types: Mapping[str, Sequence[str]],
    events: Mapping[str, Sequence[str]],
    objects: Mapping[str, Sequence[str]],
    relations: tuple[Sequence[int], Sequence[str]],
    n_bytes: int,
) -> Tables:
    return Tables(
        types["event"],
        types["object"],
        pl.DataFrame(events, schema=dict.fromkeys(("id", "type", "time"), pl.String)),
        pl.DataFrame(objects, schema=dict.fromkeys(("id", "type"), pl.String)),
        pl.DataFrame(dict(zip(("event", "object"), relations, strict=True)), schema={"event": pl.UInt32, "object": pl.String}),
        n_bytes,
    )


def _no_log(path: Path, why: str) -> LogError:
    return LogError(f"{path} is not an object-centric log (OCEL 2.0): {why}. Nothing was read.")


def _require_memory(path: Path, n_bytes: int, a_byte: int = _MEMORY_A_BYTE) -> None:
    require_memory(
        a_byte * n_bytes,
        f"{path} has {n_bytes:,} bytes or more unpacked; reading it",
        "read it on a machine with more memory, or keep fewer objects in the file; nothing was read",
    )


def _pieces(path: Path, max_bytes: int, progress: Progress | None) -> Iterator[bytes]:
    """Yield the bytes of a file, unpacked; a file that is empty, cut off, or does not fit into memory is an error."""
    n_bytes = looked_at = 0
    with cut_off_is_an_error(path):
        for piece in read_pieces(path, max_bytes, progress):
            n_bytes += len(piece)
            if n_bytes - looked_at > _BYTES_AT_A_TIME:
                _require_memory(path, n_bytes)
                looked_at = n_bytes
            yield piece
    if not n_bytes:
        raise LogError(f"{path} is empty: it has no bytes.")


def _value_text(value: str | float | bool | None) -> str | None:
    """Return a value of JSON or SQLite as a string, None if it is missing.

    >>> _value_text(17.0), _value_text(True), _value_text(None)
    ('17', 'true', None)
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return float_text(value) if isinstance(value, float) else str(value)


# JSON


class _Type(msgspec.Struct, gc=False):
    name: str


class _Object(msgspec.Struct, gc=False):
    id: str
    type: str


class _Relation(msgspec.Struct, gc=False):
    object: str = msgspec.field(name="objectId")


class _Event(msgspec.Struct, gc=False):
    id: str
    type: str
    time: str
    relationships: list[_Relation] = []


class _Attribute(msgspec.Struct, gc=False):
    name: str
    value: msgspec.Raw


class _EventWithAttributes(_Event, gc=False):
    attributes: list[_Attribute] = []


class _Log(msgspec.Struct, rename="camel"):
    event_types: list[_Type]
    object_types: list[_Type]
    events: list[_Event]
    objects: list[_Object]


class _LogWithAttributes(_Log, rename="camel"):
    events: list[_EventWithAttributes]  # type: ignore[assignment]


def read_json(path: Path, attributes: Attributes, max_bytes: int, progress: Progress | None) -> Tables:
    """Read a file with ``eventTypes``, ``objectTypes``, ``events`` and ``objects``, in any order."""
    document = bytearray()
    remedy = "Convert it to UTF-8, which JSON demands"
    for piece in to_utf8(path, _pieces(path, max_bytes, progress), "utf-8", remedy=remedy):
        document += piece
    n_bytes = len(document)
    if b"\0" in document[:2]:
        raise LogError(f"{path} has a NUL byte at its beginning, as UTF-16 does. {remedy}; nothing was read.")
    log = _decoded(path, document.removeprefix(b"\xef\xbb\xbf"), _Log if attributes.wants is None else _LogWithAttributes)
    if isinstance(log, _LogWithAttributes):
        _take_json_attributes(path, log.events, attributes)
    return _tables(
        {"event": [each.name for each in log.event_types], "object": [each.name for each in log.object_types]},
        {key: [getattr(each, key) for each in log.events] for key in ("id", "type", "time")},
        {"id": [each.id for each in log.objects], "type": [each.type for each in log.objects]},
        (
            [number for number, each in enumerate(log.events) for _ in each.relationships],
            [relation.object for each in log.events for relation in each.relationships],
        ),
        n_bytes,
    )


def _decoded(path: Path, document: bytearray, kind: type[_Log]) -> _Log:
    try:
        return msgspec.json.decode(document, type=kind)
    except RecursionError:
        raise LogError(f"{path}: lists and objects are nested too deep for a log; nothing was read.") from None
    except msgspec.ValidationError as error:
        if b'"ocel:' in document[:1000]:
            raise LogError(
                f"{path} is an object-centric log of OCEL 1.0, by its keys: convert it to OCEL 2.0 (pm4py reads the one and "
                "writes the other); nothing was read."
            ) from None
        raise _no_log(path, shortened(str(error), 200)) from None
    except msgspec.DecodeError as error:
        raise LogError(
            f"{path} is cut off or ill-formed ({error}). Get a complete copy or correct the file; nothing was read."
        ) from None


def _take_json_attributes(path: Path, events: Sequence[_EventWithAttributes], attributes: Attributes) -> None:
    for number, event in enumerate(events):
        for each in event.attributes:
            if not attributes.has(each.name):
                continue
            try:
                value = msgspec.json.decode(each.value, type=str | int | float | bool | None)
            except (msgspec.DecodeError, RecursionError) as error:
                if attributes.most_events is not None:
                    continue
                raise LogError(
                    f"{path}: event {number + 1:,} ({shortened(event.id)!r}) has a value of {shortened(each.name)!r} that is no "
                    f"string or number ({shortened(str(error))}): correct it, or leave the attribute out; nothing was read."
                ) from None
            attributes.add(number, each.name, _value_text(value))


# XML


_ITEMS = {"event-types": "event-type", "object-types": "object-type", "events": "event", "objects": "object"}
_RELATIONS = ("relationship", "object")  # how a relation is called: by the specification, and by its first schema


def read_xml(path: Path, attributes: Attributes, max_bytes: int, progress: Progress | None) -> Tables:
    """Read a file with ``<event-types>``, ``<object-types>``, ``<events>`` and ``<objects>``, in any order."""
    reading, n_bytes = _XmlReading(path, attributes), 0
    parser: XMLPullParser[Any] = XMLPullParser(("start", "end"))
    try:
        for piece in _pieces(path, max_bytes, progress):
            if b"<!DOCTYPE" in piece:
                raise LogError(
                    f"{path} has a DOCTYPE, which event logs do not use and which can be harmful: remove it; nothing was read."
                )
            n_bytes += len(piece)
            parser.feed(piece)
            reading.take(parser)
        parser.close()
        reading.take(parser)
    except (ParseError, ValueError, LookupError) as error:  # the others are of encodings that the parser does not have
        if isinstance(error, LogError):
            raise
        raise LogError(
            f"{path} is cut off or ill-formed ({error}). Get a complete copy or correct the file; nothing was read."
        ) from None
    if missing := [section for section in _ITEMS if section not in reading.sections]:
        raise _no_log(path, f"it has no <{'> and no <'.join(missing)}>")
    return _tables(reading.types, reading.events, reading.objects, reading.relations, n_bytes)


class _XmlReading:
    """Follow the tags of a document, and take each event, object and type when it ends."""

    def __init__(self, path: Path, attributes: Attributes) -> None:
        self.path, self.attributes = path, attributes
        self.types: dict[str, list[str]] = {"event": [], "object": []}
        self.events: dict[str, list[str]] = {"id": [], "type": [], "time": []}
        self.objects: dict[str, list[str]] = {"id": [], "type": []}
        self.relations: tuple[list[int], list[str]] = ([], [])
        self.sections: set[str] = set()
        self._open: list[Element] = []

    def take(self, parser: "XMLPullParser[Any]") -> None:
        """Take what the parser has read so far."""
        for kind, element in cast("Iterator[tuple[str, Element]]", parser.read_events()):
            if kind == "start":
                element.tag = element.tag.rpartition("}")[2]  # without a namespace
                self._open.append(element)
                self._start(element.tag)
                continue
            self._open.pop()
            if len(self._open) == 2:
                self._take_item(self._open[1].tag, element)
                self._open[1].clear()  # what is taken needs no memory

    def _start(self, name: str) -> None:
        if len(self._open) == 1 and name != "log":
            raise _no_log(self.path, f"its first element is <{shortened(name)}>, not <log>")
        if len(self._open) == 2:
            if name in ("trace", "extension", "global", "classifier"):
                raise _no_log(self.path, f"it has a <{name}>, so it seems to be XES: name it .xes")
            if name in self.sections:
                raise self._fault(f"<{name}> is there twice: put what they hold into one")
            if name in _ITEMS:
                self.sections.add(name)

    def _take_item(self, section: str, element: Element) -> None:
        if section not in _ITEMS:
            return
        if element.tag != _ITEMS[section]:
            raise self._misplaced(element.tag, section, _ITEMS[section])
        if section == "events":
            self._take_event(element)
        elif section == "objects":
            for key, ids in self.objects.items():
                ids.append(self._given(element, key))
        else:
            self.types[section.partition("-")[0]].append(self._given(element, "name"))

    def _take_event(self, event: Element) -> None:
        """Take an event. What it may not have is an error, because it may stand for relations."""
        number = len(self.events["id"])
        for key, values in self.events.items():
            values.append(self._given(event, key).strip() if key == "time" else self._given(event, key))
        for part in event:
            if part.tag not in ("attributes", "objects"):
                raise self._misplaced(part.tag, "event", "attributes", "objects")
            for child in part:
                if part.tag == "attributes":
                    self._take_attribute(number, child)
                    continue
                if child.tag not in _RELATIONS:
                    raise self._misplaced(child.tag, "objects", "relationship")
                self.relations[0].append(number)
                self.relations[1].append(self._given(child, "object-id"))

    def _take_attribute(self, event: int, attribute: Element) -> None:
        if attribute.tag != "attribute":
            raise self._misplaced(attribute.tag, "attributes", "attribute")
        name = self._given(attribute, "name")
        if not self.attributes.has(name):
            return
        if len(attribute) and self.attributes.most_events is None:
            of_event = f"the attribute {shortened(name)!r} of the event {shortened(self.events['id'][event])!r}"
            raise self._fault(f"{of_event} contains an element, not text: leave the attribute out, or correct the file")
        self.attributes.add(event, name, "".join(attribute.itertext()))

    def _given(self, element: Element, key: str) -> str:
        if key not in element.attrib:
            raise self._fault(f"an element <{element.tag}> has no {key!r}")
        return element.attrib[key]

    def _misplaced(self, name: str, inside: str, *known: str) -> LogError:
        names = " or ".join(f"<{each}>" for each in known)
        return self._fault(f"there is an element <{shortened(name)}> in <{inside}>, where OCEL has {names}")

    def _fault(self, why: str) -> LogError:
        event = f", event {len(self.events['id']):,}" if self.events["id"] else ""
        return LogError(f"{self.path}{event}: {why}. Correct the file; nothing was read.")


# SQLite

_NEEDED = {  # tables and their columns
    "event": ("ocel_id", "ocel_type"),
    "object": ("ocel_id", "ocel_type"),
    "event_object": ("ocel_event_id", "ocel_object_id"),
    "event_map_type": ("ocel_type", "ocel_type_map"),
    "object_map_type": ("ocel_type", "ocel_type_map"),
}
_OWN_COLUMNS = ("ocel_id", "ocel_time", "ocel:activity")  # of the table of a type; the last is a copy that pm4py writes
_SETTINGS = ("trusted_schema = off", "cell_size_check = on", "query_only = on", "mmap_size = 0")
_STEPS = 100_000  # of SQLite's machine between two looks at whether Ctrl-C was pressed
_ROWS_AT_A_TIME = 1 << 16


def read_sqlite(path: Path, attributes: Attributes, max_bytes: int) -> Tables:
    """Read a file with the tables ``event``, ``object``, ``event_object``, the maps of types, and one for each type of events.

    The order of the events is that of the rows of the table ``event``.
    """
    n_bytes = _check_sqlite(path, max_bytes)
    with closing(_connected(path)) as connection:
        file = _SqliteFile(path, connection)
        for table, columns in _NEEDED.items():
            file.require(table, columns)
        types = {what: file.strings(f"{what}_map_type", ("ocel_type", "ocel_type_map")) for what in ("event", "object")}
        tables = {type_: f"event_{suffix}" for type_, suffix in types["event"].iter_rows()}
        if len({table.lower() for table in tables.values()}) < types["event"].height:
            twice = types["event"].filter(pl.col("column_1").is_duplicated() | pl.col("column_0").is_duplicated()).row(0)
            raise LogError(
                f"{path}: in the table 'event_map_type', the type {shortened(twice[0])!r} or its table {shortened(twice[1])!r} "
                "is there twice: correct one; nothing was read."
            )
        return Tables(
            types["event"]["column_0"].to_list(),
            types["object"]["column_0"].to_list(),
            events := _sqlite_events(file, tables, attributes),
            file.strings("object", _NEEDED["object"]).rename({"column_0": "id", "column_1": "type"}),
            _sqlite_relations(file, events),
            n_bytes,
        )


def _sqlite_events(file: "_SqliteFile", tables: Mapping[str, str], attributes: Attributes) -> pl.DataFrame:
    """Return the events with their times, which are in the tables of their types, and take their attributes."""
    schema = {"id": pl.String, "time": pl.String, "type": pl.String}
    timed = [pl.DataFrame(schema=schema)]
    for type_, table in tables.items():
        file.require(table, _OWN_COLUMNS[:2])
        rows = file.strings(table, _OWN_COLUMNS[:2]).rename({"column_0": "id", "column_1": "time"})
        if (twice := rows["id"].is_duplicated()).any():
            raise file.fault(table, twice.arg_true()[0], f"the event {shortened(rows['id'].filter(twice)[0])!r} is there twice")
        timed.append(rows.with_columns(type=pl.lit(type_)))
    times = pl.concat(timed)
    events = file.strings("event", _NEEDED["event"]).rename({"column_0": "id", "column_1": "type"})
    joined = events.join(times, on=["id", "type"], how="left", maintain_order="left")
    if (untimed := joined["time"].is_null()).any():
        row = untimed.arg_true()[0]
        id_, type_ = events.row(row)
        why = f"the event {shortened(id_)!r} is not in the table {shortened(tables.get(type_, ''))!r}, so it has no time"
        if type_ not in tables:
            why = f"the type {shortened(type_)!r} is not in the table 'event_map_type'"
        raise file.fault("event", row, why)
    if (unknown := times.join(events, on=["id", "type"], how="anti")).height:
        id_, _, type_ = unknown.row(0)
        raise LogError(
            f"{file.path}: the event {shortened(id_)!r} is in the table {shortened(tables[type_])!r}, and not with that type in "
            "the table 'event': correct one of them; nothing was read."
        )
    if attributes.wants is not None:
        _take_sqlite_attributes(file, dict(zip(events["id"], range(events.height), strict=True)), tables, attributes)
    return joined.select("id", "type", "time")


def _sqlite_relations(file: "_SqliteFile", events: pl.DataFrame) -> pl.DataFrame:
    """Return the relations with the numbers of their events; an id that two events have is not looked for here."""
    relations = file.strings("event_object", _NEEDED["event_object"]).rename({"column_0": "id", "column_1": "object"})
    numbers = events.with_row_index("event").unique("id", keep="first", maintain_order=True).select("id", "event")
    numbered = relations.join(numbers, on="id", how="left", maintain_order="left")
    if (missing := numbered["event"].is_null()).any():
        row = missing.arg_true()[0]
        raise file.fault("event_object", row, f"the event {shortened(relations['id'][row])!r} is not in the table 'event'")
    return numbered.select("event", "object")


def _take_sqlite_attributes(
    file: "_SqliteFile", numbers: Mapping[str, int], tables: Mapping[str, str], attributes: Attributes
) -> None:
    for table in tables.values():
        names = [name for name in file.columns(table) if name.lower() not in _OWN_COLUMNS and attributes.has(name)]
        if not names:
            continue
        for row, (id_, *values) in enumerate(file.rows(table, ("ocel_id", *names))):
            for name, value in zip(names, values, strict=True):
                if isinstance(value, bytes):
                    if attributes.most_events is None:
                        raise file.fault(table, row, f"the value of {shortened(name)!r} is bytes, not a string or a number")
                    continue
                attributes.add(numbers[id_], name, _value_text(value))


def _check_sqlite(path: Path, max_bytes: int) -> int:
    """Return the size of a file, which must be SQLite by its first bytes, whole, and without a journal beside it."""
    refuse_irregular(path)
    try:
        with path.open("rb") as file:
            header = file.read(100)
        size = path.stat().st_size
        journals = [Path(f"{each}{ending}") for each in (path, path.resolve()) for ending in ("-wal", "-journal")]
        unfinished = [journal for journal in journals if journal.exists() and journal.stat().st_size]
    except OSError as error:
        raise LogError(cannot_read(path, error)) from None
    if not size:
        raise LogError(f"{path} is empty: it has no bytes.")
    if not header.startswith(b"SQLite format 3\0"):
        raise LogError(f"{path} is not SQLite, by its first bytes. Get an intact copy; nothing was read.")
    if size > max_bytes:
        raise LogError(
            f"{path} has more than {max_bytes:,} bytes. If this is intended, allow more with max_bytes=... (--max-bytes); "
            "nothing was read."
        )
    if unfinished:
        raise LogError(
            f"{path} has changes that are not in it yet, but in {unfinished[0].name}: close the program that writes it, or open "
            "it once with sqlite3, and read it again; nothing was read."
        )
    page = int.from_bytes(header[16:18], "big")
    page = 1 << 16 if page == 1 else max(page, 1)  # a page size that cannot be is for SQLite to reject
    is_counted = header[24:28] == header[92:96]  # the number of pages holds if its counter of changes is the file's
    if size % page or size < (page * int.from_bytes(header[28:32], "big") if is_counted else 100):
        raise LogError(f"{path} is damaged: it has fewer bytes than its header says. Get a complete copy; nothing was read.")
    _require_memory(path, size, _OF_SQLITE)
    return size


def _connected(path: Path) -> sqlite3.Connection:
    """Open a file only to read, as one that does not change, so that nothing is written beside it."""
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)
    except (sqlite3.Error, ValueError) as error:
        raise LogError(f"{path} cannot be opened as SQLite ({error}). Get an intact copy; nothing was read.") from error
    connection.set_progress_handler(lambda: 0, _STEPS)  # Python sees Ctrl-C when it is called
    return connection


class _SqliteFile:
    """Read the tables of an open file; damaged pages are an error."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path, self._connection = path, connection
        for setting in _SETTINGS:
            list(self._asked(f"PRAGMA {setting}"))
        self._tables = {name.lower() for (name,) in self._asked("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")}
        answers = [answer for (answer,) in self._asked("PRAGMA quick_check(1)")]
        if answers != ["ok"]:
            words = shortened(" ".join(str(answers[:1]).split()), 200)
            raise LogError(f"{path} is damaged ({words}). Get an intact copy; nothing was read.")

    def require(self, table: str, columns: Sequence[str]) -> None:
        """Raise an error unless the file has a table of this name with these columns."""
        if table.lower() not in self._tables:
            raise _no_log(
                self.path, f"it has no table {shortened(table)!r}; if it holds events in another way, export them as CSV"
            )
        present = {name.lower() for name in self.columns(table)}
        if missing := [column for column in columns if column not in present]:
            raise _no_log(self.path, f"its table {shortened(table)!r} has no column {missing[0]!r}")

    def columns(self, table: str) -> list[str]:
        """Return the columns of a table."""
        return [name for _, name, *_ in self._asked(f"PRAGMA table_info({_identifier(table)})")]

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Yield the values of some columns, in the order in which the rows are stored."""
        # the + keeps SQLite from reading an index that holds these columns, in its own order
        return self._asked(f"SELECT {', '.join(f'+{_identifier(column)}' for column in columns)} FROM {_identifier(table)}")

    def strings(self, table: str, columns: tuple[str, str]) -> pl.DataFrame:
        """Return two columns of strings, called column_0 and column_1; anything but a string in them is an error."""
        found: tuple[list[str], list[str]] = [], []
        for row, pair in enumerate(self.rows(table, columns)):
            for name, value, values in zip(columns, pair, found, strict=True):
                if not isinstance(value, str):
                    kind = "empty (NULL)" if value is None else "bytes" if isinstance(value, bytes) else "a number"
                    raise self.fault(table, row, f"{name!r} is {kind}, not a string")
                values.append(value)
        return pl.DataFrame(found, schema={"column_0": pl.String, "column_1": pl.String})

    def fault(self, table: str, row: int, why: str) -> LogError:
        """Return the error about a row, which is counted from 0."""
        where = f"row {row + 1:,} of the table {shortened(table)!r}"
        return LogError(f"{self.path}, {where}: {why}. Correct the file; nothing was read.")

    def _asked(self, query: str) -> Iterator[tuple[Any, ...]]:
        try:
            cursor = self._connection.execute(query)
            while rows := cursor.fetchmany(_ROWS_AT_A_TIME):
                yield from rows
        except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite may complain in words that it took from a damaged file
            why = shortened(" ".join(str(error).split()), 200)
            raise LogError(f"{self.path} cannot be read by SQLite ({why}). Get an intact copy; nothing was read.") from error


def _identifier(name: str) -> str:
    """Return a name of a table or column as SQL takes it.

    >>> print(_identifier('a "b" c'))
    "a ""b"" c"
    """
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
