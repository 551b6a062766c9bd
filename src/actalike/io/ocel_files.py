"""Read the files of object-centric logs (OCEL 2.0), in JSON, XML and SQLite, into the same tables.

XML is read without a DTD, and SQLite read-only. :mod:`actalike.io.ocel` checks what the three formats have in common.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast
from xml.etree.ElementTree import Element, ParseError, XMLPullParser

import msgspec
import polars as pl

from actalike.errors import LogError, shortened
from actalike.io.files import Progress, cut_off_is_an_error, read_pieces, require_regular_file, to_utf8
from actalike.io.frame import float_text
from actalike.support.files import cannot_read
from actalike.support.memory import require_memory

_MEMORY_A_BYTE, _OF_SQLITE = 5, 8  # of a file, to read it (measured: JSON 3.5, XML 4.5, SQLite 7)
_BYTES_AT_A_TIME = 1 << 24  # between two checks of the memory


@dataclass
class Attributes:
    """Collect the values of those attributes of events whose names are wanted.

    One with a value that cannot be read is an error if it is among those that the user named, ``required``, and otherwise no
    longer wanted.
    """

    wants: Callable[[str], bool] | None
    required: frozenset[str] = frozenset()
    seen: dict[str, bool] = field(default_factory=dict)  # every name so far, and whether it is wanted
    rows: list[tuple[int, str, str]] = field(default_factory=list)  # number of the event, name, value

    def is_wanted(self, name: str) -> bool:
        """Note a name, and return whether its values are to be added."""
        if name not in self.seen:
            self.seen[name] = self.wants is not None and self.wants(name)
        return self.seen[name]

    def add(self, path: Path, event: int, name: str, value: object) -> None:
        """Add a value of an event, given by its number; None is a missing one."""
        if isinstance(value, bool):
            value = "true" if value else "false"
        if isinstance(value, int | float):
            value = float_text(value) if isinstance(value, float) else str(value)
        if isinstance(value, str):
            self.rows.append((event, name, value))
        elif value is not None and name not in self.required:
            self.seen[name] = False
        elif value is not None:
            raise LogError(
                f"{path}: the value of {shortened(name)!r} in event {event + 1:,} is neither a string nor a number: correct "
                "it, or leave the attribute out; nothing was read."
            )


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
    event_types: Sequence[str],
    object_types: Sequence[str],
    events: Sequence[tuple[str, str, str]],
    objects: Sequence[tuple[str, str]],
    relations: Sequence[tuple[int, str]],
    n_bytes: int,
) -> Tables:
    return Tables(
        event_types,
        object_types,
        pl.DataFrame(events, schema=dict.fromkeys(("id", "type", "time"), pl.String), orient="row"),
        pl.DataFrame(objects, schema=dict.fromkeys(("id", "type"), pl.String), orient="row"),
        pl.DataFrame(relations, schema={"event": pl.UInt32, "object": pl.String}, orient="row"),
        n_bytes,
    )


def _not_ocel(path: Path, why: str) -> LogError:
    return LogError(f"{path} is not an object-centric log (OCEL 2.0): {why}. Nothing was read.")


def _ill_formed(path: Path, error: Exception) -> LogError:
    return LogError(f"{path} is cut off or ill-formed ({error}). Get a complete copy or correct the file; nothing was read.")


def _require_memory(path: Path, n_bytes: int, a_byte: int = _MEMORY_A_BYTE) -> None:
    require_memory(
        a_byte * n_bytes,
        f"{path} has {n_bytes:,} bytes or more unpacked; reading it",
        "read it on a machine with more memory, or keep fewer objects in the file; nothing was read",
    )


def _pieces(path: Path, max_bytes: int, progress: Progress | None) -> Iterator[bytes]:
    """Yield the bytes of a file, unpacked; a file that is empty, cut off, or does not fit into memory is an error."""
    n_bytes = checked = 0
    with cut_off_is_an_error(path):
        for piece in read_pieces(path, max_bytes, progress):
            n_bytes += len(piece)
            if n_bytes - checked > _BYTES_AT_A_TIME:
                _require_memory(path, n_bytes)
                checked = n_bytes
            yield piece
    if not n_bytes:
        raise LogError(f"{path} is empty: it has no bytes.")


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


class _Attribute(msgspec.Struct):
    name: str
    value: Any = None


class _EventWithAttributes(_Event):
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
    for piece in to_utf8(path, _pieces(path, max_bytes, progress), "utf-8", remedy="Convert it to UTF-8, which JSON demands"):
        document += piece
    n_bytes = len(document)
    try:
        log = _decoded(document.removeprefix(b"\xef\xbb\xbf"), attributes)
    except RecursionError:
        raise LogError(f"{path}: lists and objects are nested too deep for a log; nothing was read.") from None
    except msgspec.ValidationError as error:
        version = " (it seems to be OCEL 1.0: convert it with pm4py)" if b'"ocel:' in document[:1000] else ""
        raise _not_ocel(path, f"{shortened(str(error), 200)}{version}") from None
    except msgspec.DecodeError as error:
        raise _ill_formed(path, error) from None
    if isinstance(log, _LogWithAttributes):
        for number, event in enumerate(log.events):
            for attribute in event.attributes:
                if attributes.is_wanted(attribute.name):
                    attributes.add(path, number, attribute.name, attribute.value)
    return _tables(
        [each.name for each in log.event_types],
        [each.name for each in log.object_types],
        [(each.id, each.type, each.time) for each in log.events],
        [(each.id, each.type) for each in log.objects],
        [(number, relation.object) for number, each in enumerate(log.events) for relation in each.relationships],
        n_bytes,
    )


def _decoded(document: bytes | bytearray, attributes: Attributes) -> _Log:
    """Return the log with the attributes of its events; if these are a fault, and the user named none, without them."""
    if attributes.wants is not None:
        with suppress(*([] if attributes.required else [RecursionError, msgspec.DecodeError])):
            return msgspec.json.decode(document, type=_LogWithAttributes)
    return msgspec.json.decode(document, type=_Log)


# XML


_SECTIONS = {"event-types": "event-type", "object-types": "object-type", "events": "event", "objects": "object"}


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
        if isinstance(error, KeyError):
            where = f"event {len(reading.events) + 1:,}" if reading.events else "its beginning"
            raise _not_ocel(path, f"an element lacks its attribute {error} (near {where})") from None
        raise _ill_formed(path, error) from None
    if missing := [section for section in _SECTIONS if section not in reading.sections]:
        raise _not_ocel(path, f"it has no <{'> and no <'.join(missing)}>")
    return _tables(
        reading.types["event-type"], reading.types["object-type"], reading.events, reading.objects, reading.relations, n_bytes
    )


_OF_EVENT = {"attributes": ("attribute",), "objects": ("relationship", "object")}  # the latter in the first schema


class _XmlReading:
    """Follow the tags of a document, and take each event, object and type when it ends."""

    def __init__(self, path: Path, attributes: Attributes) -> None:
        self.path, self.attributes = path, attributes
        self.types: dict[str, list[str]] = {"event-type": [], "object-type": []}
        self.events: list[tuple[str, str, str]] = []
        self.objects: list[tuple[str, str]] = []
        self.relations: list[tuple[int, str]] = []
        self.sections: set[str] = set()
        self._open: list[Element] = []

    def take(self, parser: "XMLPullParser[Any]") -> None:
        """Take what the parser has read so far."""
        for kind, element in cast("Iterator[tuple[str, Element]]", parser.read_events()):
            if kind == "start":
                element.tag = element.tag.rpartition("}")[2]  # without a namespace
                self._open.append(element)
                if len(self._open) == 2:
                    self.sections.add(element.tag)
                continue
            self._open.pop()
            if len(self._open) == 2:
                section = self._open[1]
                if _SECTIONS.get(section.tag) == element.tag:
                    self._take_item(element)
                elif section.tag in _SECTIONS:
                    raise _not_ocel(self.path, f"there is <{shortened(element.tag)}> in <{section.tag}>")
                section.clear()  # what is taken needs no memory

    def _take_item(self, element: Element) -> None:
        given = element.attrib
        if element.tag == "event":
            number = len(self.events)
            for part in element:
                for child in part if part.tag in _OF_EVENT else [part]:
                    if child.tag not in _OF_EVENT.get(part.tag, ()):  # it may stand for a relation
                        raise _not_ocel(self.path, f"there is <{shortened(child.tag)}> in an event")
                    if part.tag == "objects":
                        self.relations.append((number, child.attrib["object-id"]))
                    elif self.attributes.is_wanted(child.attrib["name"]):
                        value = None if len(child) else "".join(child.itertext())
                        self.attributes.add(self.path, number, child.attrib["name"], [] if value is None else value)
            self.events.append((given["id"], given["type"], given["time"].strip()))
        elif element.tag == "object":
            self.objects.append((given["id"], given["type"]))
        else:
            self.types[element.tag].append(given["name"])


# SQLite

_SETTINGS = ("trusted_schema = off", "cell_size_check = on", "query_only = on", "mmap_size = 0")
_STEPS = 100_000  # of SQLite's machine between two looks at whether Ctrl-C was pressed


def read_sqlite(path: Path, attributes: Attributes, max_bytes: int) -> Tables:
    """Read a file with the tables ``event``, ``object``, ``event_object``, the maps of types, and one for each type of events.

    The order of the events is that of the rows of the table ``event``.
    """
    n_bytes = _check_sqlite(path, max_bytes)
    try:
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"  # so that nothing is written beside it
        with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
            connection.set_progress_handler(lambda: 0, _STEPS)  # Python sees Ctrl-C when it is called
            for setting in _SETTINGS:
                connection.execute(f"PRAGMA {setting}")
            if (found := connection.execute("PRAGMA quick_check(1)").fetchone()) != ("ok",):
                raise sqlite3.DatabaseError(*found)
            return _sqlite_tables(path, connection, attributes, n_bytes)
    except (sqlite3.Error, UnicodeDecodeError, pl.exceptions.PolarsError, TypeError) as error:
        why = shortened(" ".join(str(error).split()), 200)  # SQLite may quote a damaged file
        raise LogError(
            f"{path} cannot be read as an object-centric log in SQLite ({why}). Get an intact copy, or export its events as CSV; "
            "nothing was read."
        ) from error


def _sqlite_tables(path: Path, connection: sqlite3.Connection, attributes: Attributes, n_bytes: int) -> Tables:
    def rows(table: str, *columns: str) -> sqlite3.Cursor:
        # t. makes a missing column an error, + keeps SQLite from reading an index, which has an order of its own
        chosen = ", ".join(f"+t.{_identifier(column)}" for column in columns)
        return connection.execute(f"SELECT {chosen} FROM {_identifier(table)} AS t")

    def strings(table: str, **columns: str) -> pl.DataFrame:
        schema = dict.fromkeys(columns, pl.String)
        frame = pl.DataFrame(rows(table, *columns.values()).fetchall(), schema=schema, orient="row")
        if any(frame.null_count().row(0)):
            raise TypeError(f"a row of the table {table!r} lacks one of {', '.join(columns.values())}")
        return frame

    types = {what: strings(f"{what}_map_type", type="ocel_type", suffix="ocel_type_map") for what in ("event", "object")}
    if types["event"]["suffix"].str.to_lowercase().is_duplicated().any():
        raise TypeError("a table is there twice in 'event_map_type'")
    tables = {type_: f"event_{suffix}" for type_, suffix in types["event"].iter_rows()}
    timed = [strings(table, id="ocel_id", time="ocel_time").with_columns(type=pl.lit(type_)) for type_, table in tables.items()]
    events = strings("event", id="ocel_id", type="ocel_type").with_row_index("event")
    times = pl.concat(timed) if timed else events.select("id", "type", time=pl.lit(None, dtype=pl.String)).clear()
    found = events.join(times, on=["id", "type"], how="left", maintain_order="left")
    if found["time"].has_nulls() or not len(found) == len(events) == len(times):
        wrong = pl.concat([found.filter(pl.col("time").is_null())["id"], times.join(events, on=["id", "type"], how="anti")["id"]])
        example = f", such as {shortened(wrong[0])!r}" if len(wrong) else ""
        raise TypeError(f"the events in the tables of the types are not those of the table 'event'{example}")
    relations = strings("event_object", id="ocel_event_id", object="ocel_object_id")
    numbers = events.unique("id", keep="first", maintain_order=True).select("id", "event")
    numbered = relations.join(numbers, on="id", how="left", maintain_order="left")
    if numbered["event"].has_nulls():
        unknown = shortened(numbered.filter(pl.col("event").is_null())["id"][0])
        raise TypeError(f"the event {unknown!r} in the table 'event_object' is not in the table 'event'")
    if attributes.wants is not None:
        number_of = dict(zip(events["id"], events["event"], strict=True))
        connection.text_factory = _text_or_bytes
        for table in tables.values():
            names = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({_identifier(table)})")]
            names = [
                name
                for name in names
                if isinstance(name, str) and name.lower() not in _OWN_COLUMNS and attributes.is_wanted(name)
            ]
            for id_, *values in rows(table, "ocel_id", *names) if names else ():
                for name, value in zip(names, values, strict=True):
                    attributes.add(path, number_of[id_], name, value)
    return Tables(
        types["event"]["type"].to_list(),
        types["object"]["type"].to_list(),
        found.select("id", "type", "time"),
        strings("object", id="ocel_id", type="ocel_type"),
        numbered.select("event", "object"),
        n_bytes,
    )


def _text_or_bytes(content: bytes) -> str | bytes:
    """Return a text of SQLite, or its bytes if it is not UTF-8, which is a fault of its attribute only."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content


_OWN_COLUMNS = ("ocel_id", "ocel_time", "ocel:activity")  # of the table of a type; the last is a copy that pm4py writes


def _check_sqlite(path: Path, max_bytes: int) -> int:
    """Return the size of a file, which must not be too large and have no journal beside it."""
    require_regular_file(path)
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            header = file.read(100)
        journals = [Path(f"{each}{ending}") for each in (path, path.resolve()) for ending in ("-wal", "-journal")]
        unfinished = [journal for journal in journals if journal.exists() and journal.stat().st_size]
    except OSError as error:
        raise LogError(cannot_read(path, error)) from None
    if not size:
        raise LogError(f"{path} is empty: it has no bytes.")
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
    page = int.from_bytes(header[16:18], "big")  # a file that is cut off reads as zeros; 1 stands for 65,536
    page = 1 << 16 if page == 1 else max(page, 1)
    is_counted = header[24:28] == header[92:96]  # then the header knows the number of pages
    if size % page or (is_counted and size < page * int.from_bytes(header[28:32], "big")):
        raise LogError(f"{path} is damaged: it has fewer bytes than its header says. Get a complete copy; nothing was read.")
    _require_memory(path, size, _OF_SQLITE)
    return size


def _identifier(name: str) -> str:
    """Return the name of a table or column in quotes, as SQL takes it.

    >>> print(_identifier('a "b" c'))
    "a ""b"" c"
    """
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
