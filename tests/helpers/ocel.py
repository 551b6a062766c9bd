"""Object-centric logs: a made-up purchase desk, generated ones, writers of all three formats, and naive readers."""

import io
import json
import sqlite3
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from hypothesis import strategies as st

START = datetime(2024, 3, 4, 8, tzinfo=UTC)
KINDS = {"ocel-json": ".jsonocel", "ocel-xml": ".xmlocel", "ocel-sqlite": ".sqlite"}


@dataclass
class Event:
    """An event: ``objects`` are pairs of an object's id and the qualifier of the relation."""

    id: str
    type: str
    time: datetime
    objects: list[tuple[str, str]] = field(default_factory=list)
    attributes: dict[str, object] = field(default_factory=dict)


@dataclass
class ObjectLog:
    """An object-centric log: objects are pairs of id and type."""

    events: list[Event]
    objects: list[tuple[str, str]]
    event_types: list[str]
    object_types: list[str]
    object_relations: list[tuple[str, str, str]] = field(default_factory=list)

    def attribute_names(self, type_: str) -> list[str]:
        return list(dict.fromkeys(name for event in self.events if event.type == type_ for name in event.attributes))


def naive_flattening(log: ObjectLog, object_type: str) -> dict[str, list[tuple[str, str, datetime]]]:
    """The cases by id: the events that involve the object, by time, those of equal time in the order of the file."""
    type_of = dict(log.objects)
    cases: dict[str, list[tuple[str, str, datetime]]] = {}
    for event in log.events:
        for object_id in dict.fromkeys(object_id for object_id, _ in event.objects):
            if type_of[object_id] == object_type:
                cases.setdefault(object_id, []).append((event.id, event.type, event.time))
    return {object_id: sorted(events, key=lambda event: event[2]) for object_id, events in cases.items()}


def purchases() -> ObjectLog:
    """A desk that buys office chairs: requests, orders, deliveries, invoices and payments, some shared, some alone."""
    events: list[Event] = []

    def happens(type_: str, hours: int, *objects: str, **attributes: object) -> None:
        relations = [(object_id, f"{type_.split()[0].lower()}s it") for object_id in objects]
        events.append(Event(f"ev-{len(events) + 1:02d}", type_, START + timedelta(hours=hours), relations, attributes))

    happens("Ask for chairs", 0, "req/1", user="Ines", seats=40)
    happens("Ask for chairs", 1, "req/2", user="Omar", seats=2)
    happens("Agree to request", 5, "req/1", user="Petra")
    happens("Agree to request", 5, "req/2", user="Petra")
    happens("Send order", 20, "req/1", "req/2", "order/A", user="Ines")
    happens("Send order", 20, "order/B", user="Omar")
    happens("Accept delivery", 60, "order/A", "delivery/7", weight=310.5)
    happens("Accept delivery", 84, "order/A", "delivery/8", weight=12.0)
    happens("Book invoice", 90, "order/A", "invoice/x", user="Lea", ok=True)
    happens("Book invoice", 70, "invoice/y", user="Lea", ok=False)  # before its order is known, and not in order of time
    happens("Link invoice", 125, "order/B", "invoice/y", user="Lea")
    happens("Transfer money", 120, "invoice/x", "invoice/y", "payment/1")
    happens("Close the books", 130)
    events[6].objects.append(("order/A", "completes it in part"))  # a second relation to the same object
    names = ["req/1", "req/2", "order/A", "order/B", "order/C", "delivery/7", "delivery/8", "invoice/x", "invoice/y", "payment/1"]
    types = {"req": "request", "order": "purchase order", "delivery": "goods receipt", "invoice": "invoice", "payment": "payment"}
    objects = [(name, types[name.partition("/")[0]]) for name in names]
    related = [("req/1", "order/A", "becomes"), ("order/A", "invoice/x", "is billed by")]
    return ObjectLog(events, objects, sorted({event.type for event in events}), [*types.values(), "contract"], related)


def write(log: ObjectLog, path: Path) -> Path:
    """Write a log in the format that the name of the file tells."""
    if path.suffix == ".sqlite":
        write_sqlite(log, path)
    else:
        path.write_bytes(to_json(log) if ".json" in path.name else to_xml(log))
    return path


def to_json(log: ObjectLog, indent: int | None = None) -> bytes:
    kinds = {str: "string", bool: "boolean", int: "integer", float: "float"}
    types = {
        name: [{"name": key, "type": _type(log, name, key, kinds)} for key in log.attribute_names(name)]
        for name in log.event_types
    }
    document = {
        "eventTypes": [{"name": name, "attributes": types[name]} for name in log.event_types],
        "objectTypes": [{"name": name, "attributes": []} for name in log.object_types],
        "events": [
            {
                "id": event.id,
                "type": event.type,
                "time": event.time.isoformat(),
                "attributes": [{"name": name, "value": value} for name, value in event.attributes.items()],
                "relationships": [{"objectId": object_id, "qualifier": word} for object_id, word in event.objects],
            }
            for event in log.events
        ],
        "objects": [
            {
                "id": object_id,
                "type": type_,
                "attributes": [],
                "relationships": [{"objectId": b, "qualifier": word} for a, b, word in log.object_relations if a == object_id],
            }
            for object_id, type_ in log.objects
        ],
    }
    return json.dumps(document, indent=indent, ensure_ascii=False).encode()


def _type(log: ObjectLog, type_: str, key: str, kinds: dict[type, str]) -> str:
    return next(kinds[type(event.attributes[key])] for event in log.events if event.type == type_ and key in event.attributes)


def to_xml(log: ObjectLog) -> bytes:
    def attribute(text: str) -> str:
        return quoteattr(text, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})

    def relations(pairs: list[tuple[str, str]]) -> str:
        return "".join(f"<relationship object-id={attribute(other)} qualifier={attribute(word)}/>" for other, word in pairs)

    def value(content: object) -> str:
        return escape(("true" if content else "false") if isinstance(content, bool) else str(content), {"\r": "&#13;"})

    out = ["<?xml version='1.0' encoding='UTF-8'?>\n<log>\n<object-types>"]
    out += [f"<object-type name={attribute(name)}><attributes/></object-type>" for name in log.object_types]
    out.append("</object-types>\n<event-types>")
    out += [f"<event-type name={attribute(name)}><attributes/></event-type>" for name in log.event_types]
    out.append("</event-types>\n<objects>")
    for object_id, type_ in log.objects:
        related = relations([(b, word) for a, b, word in log.object_relations if a == object_id])
        out.append(
            f"<object id={attribute(object_id)} type={attribute(type_)}><attributes/><objects>{related}</objects></object>\n"
        )
    out.append("</objects>\n<events>")
    for event in log.events:
        values = "".join(
            f"<attribute name={attribute(name)}>{value(each)}</attribute>" for name, each in event.attributes.items()
        )
        head = f"<event id={attribute(event.id)} type={attribute(event.type)} time={attribute(event.time.isoformat())}>"
        out.append(f"{head}<attributes>{values}</attributes><objects>{relations(event.objects)}</objects></event>\n")
    return "".join([*out, "</events>\n</log>\n"]).encode()


def write_sqlite(log: ObjectLog, path: Path) -> None:
    """Write the tables of OCEL 2.0; the table of a type is called by its number, as the map of types allows."""
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    tables = {name: f"{''.join(filter(str.isalnum, name))}{number}" for number, name in enumerate(log.event_types)}
    kinds = {name: f"{''.join(filter(str.isalnum, name))}{number}" for number, name in enumerate(log.object_types)}
    run = connection.execute
    run("PRAGMA synchronous = off")  # quick: the files live as long as a test
    run("CREATE TABLE event (ocel_id TEXT PRIMARY KEY, ocel_type TEXT)")
    run("CREATE TABLE object (ocel_id TEXT PRIMARY KEY, ocel_type TEXT)")
    run("CREATE TABLE event_object (ocel_event_id TEXT, ocel_object_id TEXT, ocel_qualifier TEXT)")
    run("CREATE TABLE object_object (ocel_source_id TEXT, ocel_target_id TEXT, ocel_qualifier TEXT)")
    run("CREATE TABLE event_map_type (ocel_type TEXT, ocel_type_map TEXT)")
    run("CREATE TABLE object_map_type (ocel_type TEXT, ocel_type_map TEXT)")
    connection.executemany("INSERT INTO event_map_type VALUES (?, ?)", tables.items())
    connection.executemany("INSERT INTO object_map_type VALUES (?, ?)", kinds.items())
    for type_, table in tables.items():
        names = log.attribute_names(type_)
        columns = "".join(f', "{name}"' for name in names)
        run(f'CREATE TABLE "event_{table}" (ocel_id TEXT, ocel_time TIMESTAMP{columns})')
        rows = [
            (event.id, event.time.replace(tzinfo=None).isoformat(" "), *map(event.attributes.get, names))
            for event in log.events
            if event.type == type_
        ]
        connection.executemany(f'INSERT INTO "event_{table}" VALUES (?, ?{", ?" * len(names)})', rows)
    for type_, table in kinds.items():
        run(f'CREATE TABLE "object_{table}" (ocel_id TEXT, ocel_time TIMESTAMP, ocel_changed_field TEXT)')
        rows = [(object_id, "1970-01-01 00:00:00", None) for object_id, kind in log.objects if kind == type_]
        connection.executemany(f'INSERT INTO "object_{table}" VALUES (?, ?, ?)', rows)
    connection.executemany("INSERT INTO event VALUES (?, ?)", [(event.id, event.type) for event in log.events])
    connection.executemany("INSERT INTO object VALUES (?, ?)", log.objects)
    pairs = [(event.id, object_id, word) for event in log.events for object_id, word in event.objects]
    connection.executemany("INSERT INTO event_object VALUES (?, ?, ?)", pairs)
    connection.executemany("INSERT INTO object_object VALUES (?, ?, ?)", log.object_relations)
    connection.commit()
    connection.close()


def written(log: ObjectLog, kind: str) -> bytes:
    """The file of a log in a format, as bytes."""
    if kind != "ocel-sqlite":
        return to_json(log) if kind == "ocel-json" else to_xml(log)
    with tempfile.TemporaryDirectory() as folder:
        return write(log, Path(folder, "log.sqlite")).read_bytes()


def as_cases(log) -> dict[str, list[tuple[str, datetime]]]:
    """A log that was read, as the labels and times of each case by its id."""
    bounds = list(zip(log.offsets[:-1].tolist(), log.offsets[1:].tolist(), strict=True))
    times = [time.replace(tzinfo=UTC) for time in log.timestamps.tolist()]
    labels = [log.activities[code] for code in log.codes.tolist()]
    return {case: list(zip(labels[a:b], times[a:b], strict=True)) for case, (a, b) in zip(log.case_ids, bounds, strict=True)}


def expected_cases(log: ObjectLog, object_type: str) -> dict[str, list[tuple[str, datetime]]]:
    """What ``as_cases`` should return."""
    return {case: [event[1:] for event in events] for case, events in naive_flattening(log, object_type).items()}


def naive_json(document: bytes) -> ObjectLog:
    """Read JSON with the standard library, all at once; what is not there raises KeyError and the like."""
    content = json.loads(document)
    return ObjectLog(
        [
            Event(each["id"], each["type"], _moment(each["time"]), [(r["objectId"], "") for r in each.get("relationships", [])])
            for each in content["events"]
        ],
        [(each["id"], each["type"]) for each in content["objects"]],
        [each["name"] for each in content["eventTypes"]],
        [each["name"] for each in content["objectTypes"]],
    )


def naive_xml(document: bytes) -> ObjectLog:
    """Read XML with ElementTree, all at once."""
    root = ElementTree.parse(io.BytesIO(document)).getroot()
    return ObjectLog(
        [
            Event(
                each.attrib["id"],
                each.attrib["type"],
                _moment(each.attrib["time"]),
                [(other.attrib["object-id"], "") for part in each.findall("objects") for other in part],
            )
            for each in root.findall("events/event")
        ],
        [(each.attrib["id"], each.attrib["type"]) for each in root.findall("objects/object")],
        [each.attrib["name"] for each in root.findall("event-types/event-type")],
        [each.attrib["name"] for each in root.findall("object-types/object-type")],
    )


def is_well_formed(document: bytes) -> bool:
    """Whether a document is well-formed XML without a thought of namespaces, which say nothing about events."""
    try:
        expat.ParserCreate().Parse(document, True)
    except expat.ExpatError:
        return False
    return True


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text.strip())
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


ids = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff") | st.sampled_from("&<>'\""),
    min_size=1,
    max_size=6,
).filter(str.strip)


@st.composite
def object_logs(draw, names=ids) -> ObjectLog:
    """Generated logs: few distinct times, so that many are equal; every relation names an object of the log."""
    object_types = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    event_types = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    objects = [(id_, draw(st.sampled_from(object_types))) for id_ in draw(st.lists(names, min_size=1, max_size=6, unique=True))]
    relation = st.tuples(st.sampled_from([id_ for id_, _ in objects]), st.sampled_from(["", "first", "second"]))
    events = [
        Event(
            id_,
            draw(st.sampled_from(event_types)),
            START + timedelta(microseconds=draw(st.integers(0, 3)), days=draw(st.integers(0, 1))),
            draw(st.lists(relation, max_size=4)),
        )
        for id_ in draw(st.lists(names, min_size=1, max_size=8, unique=True))
    ]
    return ObjectLog(events, objects, event_types, object_types)
