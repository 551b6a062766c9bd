"""Read an object-centric log and flatten it by one type of objects: each object with events is a case."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from actalike.errors import LogError
from actalike.io.assemble import Events
from actalike.io.columns import Columns, WantedAttributes
from actalike.io.object_centric.content import Content, as_array
from actalike.io.object_centric.event_attributes import EventAttributes, SampledAttributes
from actalike.io.object_centric.json_log import read_json
from actalike.io.object_centric.object_types import choose_type, distinct_relations, no_events_of
from actalike.io.object_centric.xml_log import read_xml
from actalike.io.source import Progress
from actalike.log import Attribute, Flattening

COLUMNS = {  # where the activity and the time of an event are
    "ocel-json": ("type", "time"),
    "ocel-xml": ("type", "time"),
    "ocel-sqlite": ("ocel_type", "ocel_time"),
}


def read_object_centric(
    path: Path,
    kind: str,
    columns: dict[str, str | None],
    object_type: str | None,
    max_bytes: int,
    progress: Progress | None,
    attributes: WantedAttributes = None,
    name: str | None = None,
) -> Events:
    """Read the events of the objects of a type, case by case, in the order of the file."""
    refuse_columns(path, columns)
    wanted = EventAttributes(path, attributes, name)
    content, n_bytes = read_content(path, kind, wanted, max_bytes, progress)
    chosen = choose_type(content, object_type)
    return replace(flatten(content, kind, chosen, wanted.attributes(len(content.events), content.place)), n_bytes=n_bytes)


def refuse_columns(path: Path, columns: dict[str, str | None]) -> None:
    """Raise an error if a column was named: the format itself says what the activity and the time of an event are."""
    for role, name in columns.items():
        if name is not None:
            fixed = "the objects of a type are the cases, which object_type=... (--object-type) chooses"
            if role != "case":
                fixed = "the activity of an event is its type, its time is its time, and it has no transition"
            raise LogError(f"{path} is an object-centric log, so leave {role}=... (--{role}) out: {fixed}; nothing was read.")


def read_content(
    path: Path, kind: str, attributes: EventAttributes | SampledAttributes, max_bytes: int, progress: Progress | None
) -> tuple[Content, int]:
    """Read and check all of a file; also return its size, unpacked."""
    content = Content(path, attributes)
    if kind == "ocel-sqlite":
        n_bytes = _read_sqlite(path, content, max_bytes)
    else:
        n_bytes = (read_json if kind == "ocel-json" else read_xml)(path, content, max_bytes, progress)
    content.check()
    return content, n_bytes


def _read_sqlite(path: Path, content: Content, max_bytes: int) -> int:
    try:
        from actalike.io.object_centric.sqlite_log import read_sqlite  # a Python may have been built without SQLite
    except ModuleNotFoundError as error:
        raise LogError(
            f"{path} cannot be read, because this Python was built without SQLite ({error}); nothing was read."
        ) from error
    return read_sqlite(path, content, max_bytes)


def flatten(content: Content, kind: str, object_type: str, attributes: dict[str, Attribute]) -> Events:
    """Return the events of all objects of a type. An event that involves several of them is in the case of each.

    An object without events is no case. Cases are in the order of their first event in the file.
    """
    pairs = distinct_relations(content)
    objects = as_array(content.related_object)[pairs]
    of_type = as_array(content.type_of_object)[objects] == content.object_types[object_type]
    objects, rows = objects[of_type], as_array(content.related_event)[pairs[of_type]]
    if not len(rows):
        raise no_events_of(content, object_type)
    distinct, first, number = np.unique(objects, return_index=True, return_inverse=True)
    order = np.argsort(first)
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order))
    ids = list(content.objects)
    activity, time = COLUMNS[kind]
    n_events = len(np.unique(rows))
    counts = np.bincount(rows)
    flattening = Flattening(
        object_type,
        events_elsewhere=len(content.events) - n_events,
        shared_events=int((counts > 1).sum()),
        idle_objects=int((as_array(content.type_of_object) == content.object_types[object_type]).sum()) - len(distinct),
    )
    return Events(
        str(content.path),
        list(content.event_types),
        as_array(content.type_of_event)[rows],
        [ids[i] for i in distinct[order].tolist()],
        position[number],
        content.times()[rows],
        [],
        None,
        lambda row: f"{content.place(int(rows[row]))},",
        Columns(object_type, activity, time, None),
        attributes={name: Attribute(each.values, each.codes[rows]) for name, each in attributes.items()},
        flattening=flattening,
    )
