"""Read the files of object-centric logs (OCEL 2.0), in JSON, XML and SQLite, into the same tables.

A file may have been written to do harm, so it is read within bounds: XML without a DTD, SQLite only to read and without
running anything that the file brings along. What is said in a place that OCEL does not have is an error where it may stand for
events or relations; :mod:`actalike.io.ocel` checks what the three formats have in common.
"""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.parsers import expat

import msgspec
import polars as pl

from actalike.errors import LogError, shortened
from actalike.io.files import Progress, cut_off_is_an_error, read_pieces, refuse_irregular, to_utf8
from actalike.io.frame import float_text
from actalike.support.files import cannot_read
from actalike.support.memory import require_memory

_MEMORY_A_BYTE, _OF_SQLITE = 5, 8  # of a file, to read it (measured: JSON 3.5, XML 4.5, SQLite 7)
_BYTES_AT_A_TIME = 1 << 24  # between two looks at the memory
_LONGEST = 1 << 24  # bytes of a text in XML, and of a row in SQLite
_MOST_ELEMENTS = 250_000  # of XML in one event or object
_DEEPEST = 100  # elements of XML inside each other; OCEL has five


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


_SECTIONS: dict[str, tuple[str, ...]] = {  # the keys at the top, and those of their items
    "eventTypes": ("name", "attributes"),
    "objectTypes": ("name", "attributes"),
    "events": ("id", "type", "time", "attributes", "relationships"),
    "objects": ("id", "type", "attributes", "relationships"),
}
_RELATION_WORDS = ("relation", "object", "omap", "objectid")  # words that others have for relationships, as _plain returns them
_KEY = re.compile(rb'\s*[{,]\s*"(?:[^"\\]|\\.)*"\s*:\s*')
_END = re.compile(rb"\s*\{?\s*\}\s*")


def read_json(path: Path, attributes: Attributes, max_bytes: int, progress: Progress | None) -> Tables:
    """Read a file with ``eventTypes``, ``objectTypes``, ``events`` and ``objects``, in any order."""
    document = bytearray()
    remedy = "Convert it to UTF-8, which JSON demands"
    for piece in to_utf8(path, _pieces(path, max_bytes, progress), "utf-8", remedy=remedy):
        document += piece
    n_bytes = len(document)
    if b"\0" in document[:2]:
        raise LogError(f"{path} has a NUL byte at its beginning, as UTF-16 does. {remedy}; nothing was read.")
    document = document.removeprefix(b"\xef\xbb\xbf")
    sections = _sections(path, document)
    types = {what: [each.name for each in _items(path, sections, f"{what}Types", list[_Type])] for what in ("event", "object")}
    objects = _items(path, sections, "objects", list[_Object])
    kind: Any = list[_Event] if attributes.wants is None else list[_EventWithAttributes]
    events = _items(path, sections, "events", kind)
    if attributes.wants is not None:
        _take_json_attributes(path, events, attributes)
    return _tables(
        types,
        {key: [getattr(each, key) for each in events] for key in ("id", "type", "time")},
        {"id": [each.id for each in objects], "type": [each.type for each in objects]},
        (
            [number for number, each in enumerate(events) for _ in each.relationships],
            [relation.object for each in events for relation in each.relationships],
        ),
        n_bytes,
    )


def _sections(path: Path, document: bytearray) -> dict[str, msgspec.Raw]:
    """Return what is at the top of a document by its key, unread."""
    sections: dict[str, msgspec.Raw] = _decoded(path, document, dict[str, msgspec.Raw], "")
    for key in sections:
        if key.startswith("ocel:"):
            raise LogError(
                f"{path} is an object-centric log of OCEL 1.0, by its key {shortened(key)!r}: convert it to OCEL 2.0 (pm4py "
                "reads the one and writes the other); nothing was read."
            )
        if key not in _SECTIONS:
            _refuse_look_alike(path, key, [*_SECTIONS, "relationships"], "at its top")
    if missing := [key for key in _SECTIONS if key not in sections]:
        raise _no_log(path, f"it has no {' and no '.join(map(repr, missing))}")
    end = 0
    for section in sections.values():  # of equal keys msgspec keeps the last: then these are not all there is
        key_at = _KEY.match(document, end)
        end = len(document) if key_at is None else key_at.end() + memoryview(section).nbytes
    if not _END.fullmatch(document, end):
        raise LogError(f"{path} has a key twice at its top: put what they hold under one; nothing was read.")
    return sections


def _items(path: Path, sections: Mapping[str, msgspec.Raw], name: str, kind: Any) -> Any:
    """Return the items of a section. A key that OCEL does not have must not look like one that may hold relations."""
    known = _SECTIONS[name]
    for number, item in enumerate(_decoded(path, sections[name], list[dict[str, msgspec.Raw]], name), start=1):
        for key in item.keys() - known:
            where = f"in item {number:,} of {name!r}"
            _refuse_look_alike(path, key, known, where)
            if "relationships" in known and bytes(memoryview(item[key])[:1]) in (b"[", b"{"):
                raise LogError(
                    f"{path}, {where}: its key {shortened(key)!r} holds a list or an object, and OCEL has only "
                    f"{', '.join(map(repr, known))} there: rename or remove the key; nothing was read."
                )
    return _decoded(path, sections[name], kind, name)


def _decoded(path: Path, document: bytearray | msgspec.Raw, kind: Any, name: str) -> Any:
    try:
        return msgspec.json.decode(document, type=kind)
    except RecursionError:
        raise LogError(f"{path}: lists and objects are nested too deep for a log; nothing was read.") from None
    except msgspec.ValidationError as error:
        if not name:
            raise _no_log(path, f"its content cannot be used ({shortened(str(error), 200)})") from None
        words = shortened(str(error).replace("`$", f"`{name}"), 200)
        raise LogError(f"{path}: in {name!r}, {words}. Correct the file; nothing was read.") from None
    except msgspec.DecodeError as error:
        raise LogError(
            f"{path} is cut off or ill-formed ({error}). Get a complete copy or correct the file; nothing was read."
        ) from None


def _refuse_look_alike(path: Path, key: str, known: Iterable[str], where: str) -> None:
    """Raise an error for ``Relationship``, ``omap`` and the like: what it holds would not be read."""
    for each in known:
        if _plain(key) == _plain(each) or (each == "relationships" and _plain(key) in _RELATION_WORDS):
            raise LogError(f"{path} has a key {shortened(key)!r} {where}: in OCEL it is called {each!r}; nothing was read.")


def _plain(key: str) -> str:
    """Return the letters of a key without capitals and plural."""
    return "".join(filter(str.isalpha, key[:100])).lower().rstrip("s")


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


@dataclass
class _Element:
    """Hold an element inside an event or an object, with what it contains."""

    name: str
    attributes: dict[str, str]
    children: list["_Element"] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.texts)


_ITEMS = {"event-types": "event-type", "object-types": "object-type", "events": "event", "objects": "object"}
_RELATIONS = ("relationship", "object")  # how a relation is called: by the specification, and by its first schema


def read_xml(path: Path, attributes: Attributes, max_bytes: int, progress: Progress | None) -> Tables:
    """Read a file with ``<event-types>``, ``<object-types>``, ``<events>`` and ``<objects>``, in any order."""
    return _XmlReading(path, attributes).read(max_bytes, progress)


class _XmlReading:
    """Follow the tags of a document, and take each event, object and type when it ends."""

    def __init__(self, path: Path, attributes: Attributes) -> None:
        self.path, self.attributes = path, attributes
        self.types: dict[str, list[str]] = {"event": [], "object": []}
        self.events: dict[str, list[str]] = {"id": [], "type": [], "time": []}
        self.objects: dict[str, list[str]] = {"id": [], "type": []}
        self.related_events: list[int] = []
        self.related_objects: list[str] = []
        self.sections: set[str] = set()
        self._open: list[_Element] = []
        self._elements = 0  # of the event or object that is open
        self._unparsed = 0  # bytes since the last tag
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype

    def read(self, max_bytes: int, progress: Progress | None) -> Tables:
        n_bytes = 0
        try:
            for piece in _pieces(self.path, max_bytes, progress):
                n_bytes += len(piece)
                self._unparsed += len(piece)
                self._parser.Parse(piece, False)
                if self._unparsed > _LONGEST:
                    raise self._fault(f"a tag or a text has more than {_LONGEST:,} bytes, as none of a log has")
            self._parser.Parse(b"", True)
        except (expat.ExpatError, ValueError, LookupError) as error:  # the others are of encodings that expat does not have
            raise LogError(
                f"{self.path} is cut off or ill-formed ({error}). Get a complete copy or correct the file; nothing was read."
            ) from None
        if missing := [section for section in _ITEMS if section not in self.sections]:
            raise _no_log(self.path, f"it has no <{'> and no <'.join(missing)}>")
        return _tables(self.types, self.events, self.objects, (self.related_events, self.related_objects), n_bytes)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        depth = len(self._open)
        self._unparsed = 0
        self._elements += 1
        if depth == 0 and name != "log":
            raise _no_log(self.path, f"its first element is <{shortened(name)}>, not <log>")
        if depth == 1:
            self._start_section(name)
        if depth >= _DEEPEST or self._elements > _MOST_ELEMENTS:
            raise self._fault(
                f"there are more than {_DEEPEST} elements inside each other, or {_MOST_ELEMENTS:,} in one, as no log has"
            )
        element = _Element(name, attributes)
        if depth > 2 and self._open[1].name in _ITEMS:
            self._open[-1].children.append(element)
        self._open.append(element)

    def _start_section(self, name: str) -> None:
        if name in ("trace", "extension", "global", "classifier"):
            raise _no_log(self.path, f"it has a <{name}>, so it seems to be XES: name it .xes")
        if name in self.sections:
            raise self._fault(f"<{name}> is there twice: put what they hold into one")
        if name in _ITEMS:
            self.sections.add(name)
            return
        # another section is skipped, unless it seems to be one that is read (<x:events>, <Events>) or to hold relations
        meant = name.rpartition(":")[2].lower().rstrip("s")
        if meant in ("relation", "relationship") or meant in [each.rstrip("s") for each in _ITEMS]:
            raise self._misplaced(name, "log", *_ITEMS)

    def _text(self, text: str) -> None:
        if len(self._open) > 2 and self._open[1].name == "events":
            self._open[-1].texts.append(text)

    def _end(self, _: str) -> None:
        self._unparsed = 0
        element = self._open.pop()
        if len(self._open) != 2:
            return
        self._elements = 0
        section = self._open[1]
        if section.name not in _ITEMS:
            return
        if element.name != _ITEMS[section.name]:
            raise self._misplaced(element.name, section.name, _ITEMS[section.name])
        if section.name == "events":
            self._take_event(element)
        elif section.name == "objects":
            for key, ids in self.objects.items():
                ids.append(self._given(element, key))
        else:
            self.types[section.name.partition("-")[0]].append(self._given(element, "name"))

    def _take_event(self, event: _Element) -> None:
        """Take an event. What it may not have is an error, because it may stand for relations."""
        number = len(self.events["id"])
        for key, values in self.events.items():
            values.append(self._given(event, key).strip() if key == "time" else self._given(event, key))
        for part in event.children:
            if text := part.text.strip():
                raise self._fault(f"there is the text {shortened(text)!r} in <{part.name}>, where OCEL has elements")
            if part.name == "objects":
                for relation in part.children:
                    if relation.name not in _RELATIONS or relation.children:
                        raise self._misplaced((relation.children or [relation])[0].name, "objects", "relationship")
                    self.related_events.append(number)
                    self.related_objects.append(self._given(relation, "object-id"))
            elif part.name == "attributes":
                for attribute in part.children:
                    self._take_attribute(number, attribute)
            else:
                raise self._misplaced(part.name, "event", "attributes", "objects")

    def _take_attribute(self, event: int, attribute: _Element) -> None:
        if attribute.name != "attribute":
            raise self._misplaced(attribute.name, "attributes", "attribute")
        name = self._given(attribute, "name")
        if not self.attributes.has(name):
            return
        if attribute.children and self.attributes.most_events is None:
            of_event = f"the attribute {shortened(name)!r} of the event {shortened(self.events['id'][event])!r}"
            raise self._fault(f"{of_event} contains an element, not text: leave the attribute out, or correct the file")
        self.attributes.add(event, name, attribute.text)

    def _refuse_doctype(self, *_: object) -> None:
        raise LogError(
            f"{self.path} has a DOCTYPE, which event logs do not use and which can be harmful: remove it; nothing was read."
        )

    def _given(self, element: _Element, key: str) -> str:
        if key not in element.attributes:
            raise self._fault(f"an element <{element.name}> has no {key!r}")
        return element.attributes[key]

    def _misplaced(self, name: str, inside: str, *known: str) -> LogError:
        names = " or ".join(f"<{each}>" for each in known)
        return self._fault(f"there is an element <{shortened(name)}> in <{inside}>, where OCEL has {names}")

    def _fault(self, why: str) -> LogError:
        return LogError(f"{self.path}, line {self._parser.CurrentLineNumber:,}: {why}. Correct the file; nothing was read.")


# SQLite

_NEEDED = {  # tables and their columns
    "event": ("ocel_id", "ocel_type"),
    "object": ("ocel_id", "ocel_type"),
    "event_object": ("ocel_event_id", "ocel_object_id"),
    "event_map_type": ("ocel_type", "ocel_type_map"),
    "object_map_type": ("ocel_type", "ocel_type_map"),
}
_OWN_COLUMNS = ("ocel_id", "ocel_time", "ocel:activity")  # of the table of a type; the last is a copy that pm4py writes
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: _LONGEST,
    sqlite3.SQLITE_LIMIT_COLUMN: 2000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
}
_SETTINGS = (
    "trusted_schema = off",
    "cell_size_check = on",
    "query_only = on",
    "mmap_size = 0",
    "ignore_check_constraints = on",  # or quick_check would compute them
    "temp_store = memory",
)
_COMPUTED = (2, 3)  # how table_xinfo marks computed columns
_STEPS_AT_A_TIME = 100_000  # of SQLite's machine between two looks
_STEPS_A_BYTE, _FIRST_STEPS = 100, 100_000_000  # more of them than any sound file takes
_ROWS_AT_A_TIME = 1 << 16


def read_sqlite(path: Path, attributes: Attributes, max_bytes: int) -> Tables:
    """Read a file with the tables ``event``, ``object``, ``event_object``, the maps of types, and one for each type of events.

    The order of the events is that of the rows of the table ``event``.
    """
    n_bytes = _check_sqlite(path, max_bytes)
    with closing(_connected(path)) as connection:
        file = _SqliteFile(path, connection, n_bytes)
        for table, columns in _NEEDED.items():
            file.require(table, columns)
        types = {what: file.strings(f"{what}_map_type", ("ocel_type", "ocel_type_map")) for what in ("event", "object")}
        tables = {type_: f"event_{suffix}" for type_, suffix in types["event"].iter_rows()}
        if len({table.translate(_SMALL) for table in tables.values()}) < types["event"].height:
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
        size, names = path.stat().st_size, path.stat().st_nlink
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
    if names > 1 and 2 in header[18:20]:  # the log of changes is beside one of the names, and nothing says which
        raise LogError(
            f"{path} has {names:,} names (hard links) and keeps changes in a file beside one of them (WAL): copy it with "
            "sqlite3's .backup, or set PRAGMA journal_mode = delete; nothing was read."
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
    connection = None
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)
        for limit, value in _LIMITS.items():
            connection.setlimit(limit, value)
        for setting in _SETTINGS:
            connection.execute(f"PRAGMA {setting}")
        connection.set_authorizer(_authorized)
    except (sqlite3.Error, ValueError) as error:
        if connection is not None:
            connection.close()
        raise LogError(f"{path} cannot be opened as SQLite ({error}). Get an intact copy; nothing was read.") from error
    return connection


def _authorized(action: int, first: str | None, *_: str | None) -> int:
    """Allow reading tables, and the two questions about them that are asked here; nothing else, and no functions."""
    reads = action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ)
    asks = action == sqlite3.SQLITE_PRAGMA and first in ("quick_check", "table_xinfo")
    return sqlite3.SQLITE_OK if reads or asks else sqlite3.SQLITE_DENY


class _SqliteFile:
    """Read the tables of an open file. Damaged pages, and what would be computed while reading, are errors.

    Views, virtual tables and computed columns run expressions that the file brings along. Triggers never run, because nothing
    is written.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, n_bytes: int) -> None:
        self.path, self._connection = path, connection
        self._steps, self._most_steps = 0, _FIRST_STEPS + _STEPS_A_BYTE * n_bytes
        connection.set_progress_handler(self._is_too_much, _STEPS_AT_A_TIME)
        self._tables: dict[str, str] = {}
        for kind, name, root in self._asked("SELECT type, name, rootpage FROM sqlite_master"):
            if kind == "table" and not root:
                raise LogError(
                    f"{path}: {shortened(str(name))!r} is a virtual table, which runs code while reading: remove it, or store it "
                    "as a table; nothing was read."
                )
            if kind in ("table", "view") and isinstance(name, str):
                self._tables[name.translate(_SMALL)] = kind
        answers = [answer for (answer,) in self._asked("PRAGMA quick_check(1)")]
        if answers != ["ok"]:
            words = shortened(" ".join(str(answers[:1]).split()), 200)
            raise LogError(f"{path} is damaged ({words}). Get an intact copy; nothing was read.")

    def require(self, table: str, columns: Sequence[str]) -> None:
        """Raise an error unless the file has a table of this name, a real one, with these columns."""
        kind = self._tables.get(table.translate(_SMALL))
        if kind is None:
            raise _no_log(
                self.path, f"it has no table {shortened(table)!r}; if it holds events in another way, export them as CSV"
            )
        if kind != "table":
            raise LogError(
                f"{self.path}: {shortened(table)!r} is a view, which would be computed while reading: store it as a table; "
                "nothing was read."
            )
        present = {name.translate(_SMALL) for name in self.columns(table)}
        if missing := [column for column in columns if column not in present]:
            raise _no_log(self.path, f"its table {shortened(table)!r} has no column {missing[0]!r}")

    def columns(self, table: str) -> list[str]:
        """Return the columns of a table; a computed one is an error."""
        rows = list(self._asked(f"PRAGMA table_xinfo({_identifier(table)})"))
        if computed := [name for _, name, *_, hidden in rows if hidden in _COMPUTED]:
            raise LogError(
                f"{self.path}: the column {shortened(computed[0])!r} of the table {shortened(table)!r} is computed while "
                "reading: store its values; nothing was read."
            )
        return [name for _, name, *_ in rows]

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Yield the values of some columns, in the order in which the rows are stored."""
        # without an index: one that holds these columns would give them in its own order, and might be out of step
        return self._asked(f"SELECT {', '.join(map(_identifier, columns))} FROM {_identifier(table)} NOT INDEXED")

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
            if self._steps > self._most_steps:
                why = "takes more work than a file of its size can need"
            elif getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
                raise KeyboardInterrupt from None  # in _is_too_much, where SQLite loses it
            else:
                why = f"cannot be read by SQLite ({shortened(' '.join(str(error).split()), 200)})"
            raise LogError(f"{self.path} {why}. Get an intact copy; nothing was read.") from error

    def _is_too_much(self) -> bool:
        """Return whether a query takes more steps than a file of this size can need, and so has to end."""
        self._steps += _STEPS_AT_A_TIME
        return self._steps > self._most_steps


# SQLite takes A to Z for a to z in names, but no letters of other alphabets
_SMALL = {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


def _identifier(name: str) -> str:
    """Return a name of a table or column as SQL takes it.

    >>> print(_identifier('a "b" c'))
    "a ""b"" c"
    """
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
