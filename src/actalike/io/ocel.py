"""Read an object-centric log (OCEL 2.0) and flatten it by one type of objects: each object with events is a case.

:mod:`actalike.io.ocel_files` reads the formats into frames of events, objects and relations. They are checked here, and joined.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from actalike.errors import LogError, did_you_mean, shortened
from actalike.io.columns import SAMPLE_ROWS, Columns, no_attribute
from actalike.io.files import Progress
from actalike.io.frame import ATTRIBUTE, Events, ReadOptions, assemble, times_of
from actalike.io.look_facts import Look, ObjectTypeFacts, Proposal, describe_column
from actalike.io.timestamps import NO_TIME, parse_series
from actalike.log import EventLog, Flattening

if TYPE_CHECKING:
    from actalike.io.ocel_files import Attributes

_COLUMNS = {  # where the activity and the time of an event are
    "ocel-json": ("type", "time"),
    "ocel-xml": ("type", "time"),
    "ocel-sqlite": ("ocel_type", "ocel_time"),
}
_LISTED = 10  # types in an error
_SHOWN_ROWS, _PROPOSED = 5, 5  # by look


@dataclass(frozen=True)
class _ObjectLog:
    """Hold a checked log: ``events`` (id, type, time, nanos), ``objects`` (id, type), ``relations`` (event, object).

    Relations are row numbers, distinct (an event may be related to an object twice, with different qualifiers: it happened once),
    and sorted by event.
    """

    path: Path
    kind: str
    object_types: Sequence[str]
    events: pl.DataFrame
    objects: pl.DataFrame
    relations: pl.DataFrame
    attributes: "Attributes"
    n_bytes: int


def read_object_centric(path: Path, kind: str, options: ReadOptions) -> Events:
    """Read the events of the objects of a type, case by case, in the order of the file."""
    _reject_columns(path, options.columns)

    def wants(attribute: str) -> bool:
        return options.wants(attribute) or attribute == options.name

    wants_any = options.attributes is not None or options.name is not None
    required = _required(options)
    log = _read(path, kind, wants if wants_any else None, options.max_bytes, options.progress, frozenset(required))
    return _flatten(log, _choose_type(log, options.object_type), _attribute_columns(log, options))


def look_at_types(path: Path, kind: str, names: dict[str, str | None], object_type: str | None, max_bytes: int) -> Look:
    """Inspect a whole file."""
    _reject_columns(path, names)
    content = _read(path, kind, None, max_bytes, None)
    facts = _facts_of_types(content)
    activity, time = _COLUMNS[kind]
    sample = content.events.head(SAMPLE_ROWS)
    times = np.datetime_as_string(sample["time"].to_numpy(), unit="s").tolist()
    frame = pl.DataFrame([sample["type"].rename(activity), pl.Series(time, times, dtype=pl.String)])
    log, error = _flattened(content, object_type)
    proposals = [] if log is not None else _proposals(facts)
    proposed = _flattened(content, str(proposals[0].value))[0] if proposals else log
    return Look(
        path=str(path),
        kind=kind,
        size=path.stat().st_size,
        looked_at=content.events.height,
        is_whole=True,
        rows=content.events.height,
        columns=(
            describe_column(frame[activity], "event", "activity", "the type of an event is its activity"),
            describe_column(frame[time], "event", "timestamp", "every event has one"),
        ),
        first_rows=tuple(frame.head(_SHOWN_ROWS).iter_rows()),
        reading=None if log is None else log.reading,
        error=error,
        remarks=() if log is None or log.reading is None else tuple(log.reading.remarks()),
        proposals=tuple(proposals),
        proposed_reading=None if proposed is None else proposed.reading,
        sampled_cases=frozenset() if proposed is None else frozenset(proposed.case_ids),
        object_types=tuple(facts),
    )


def _required(options: ReadOptions) -> list[str]:
    """Return the attributes that the user named."""
    named = [] if options.attributes in (None, "people") else list(options.attributes or ())
    return list(dict.fromkeys([*named, *(() if options.name is None else (options.name,))]))


def _read(
    path: Path,
    kind: str,
    wants: Callable[[str], bool] | None,
    max_bytes: int,
    progress: Progress | None,
    required: frozenset[str] = frozenset(),
) -> _ObjectLog:
    """Read and check all of a file; ``wants`` says which attributes of events to keep."""
    from actalike.io import ocel_files  # here: other logs do not need msgspec, expat and SQLite

    attributes = ocel_files.Attributes(wants, required)
    if kind == "ocel-sqlite":
        tables = ocel_files.read_sqlite(path, attributes, max_bytes)
    else:
        read = ocel_files.read_json if kind == "ocel-json" else ocel_files.read_xml
        tables = read(path, attributes, max_bytes, progress)
    events, objects = tables.events, tables.objects
    if not events.height:
        raise LogError(f"{path} is empty: it has {objects.height:,} objects but no events.")
    for what, frame, types in (("event", events, tables.event_types), ("object", objects, tables.object_types)):
        repeated = frame.filter(frame["id"].is_duplicated())
        if repeated.height:
            raise LogError(f"{path} has two {what}s with the id {_quoted(repeated['id'][0])}: rename one; nothing was read.")
        unknown = frame.filter(~frame["type"].is_in(list(types)))
        if unknown.height:
            raise LogError(
                f"{path}: the {what} {_quoted(unknown['id'][0])} is of the type {_quoted(unknown['type'][0])}, which the file "
                f"does not declare among its {what} types: declare it, or correct the type; nothing was read."
            )
    relations = tables.relations.join(
        objects.select(object="id").with_row_index("number"), on="object", how="left", maintain_order="left"
    )
    missing = relations.filter(pl.col("number").is_null())
    if missing.height:
        event, object_id, _ = missing.row(0)
        raise LogError(
            f"{path}: {_place(events, event)} involves the object {_quoted(object_id)}, which the file does not have "
            f"({_counted(missing['object'].n_unique(), 'object')} in all). Add the objects, or remove the relations; "
            "nothing was read."
        )
    relations = relations.select("event", object="number").unique(maintain_order=True).sort("event", maintain_order=True)
    return _ObjectLog(
        path, kind, list(dict.fromkeys(tables.object_types)), _timed(path, events), objects, relations, attributes, tables.n_bytes
    )


def _timed(path: Path, events: pl.DataFrame) -> pl.DataFrame:
    """Return the events with their times in UTC, and the nanoseconds beyond them."""
    times, wrong, nanos = parse_series(events["time"])
    if wrong is not None:
        why = "is outside the years 1 to 9999 in UTC: correct it"
        if times[wrong] == NO_TIME:
            why = "cannot be read: write it as 2024-02-29T12:00:00+01:00"
        raise LogError(f"{path}: the time {_quoted(events['time'][wrong])} of {_place(events, wrong)} {why}; nothing was read.")
    return events.with_columns(times_of(times, nanos))


def _reject_columns(path: Path, columns: dict[str, str | None]) -> None:
    """Raise an error if a column was named: the format defines the activity and the time of an event."""
    for role, name in columns.items():
        if name is not None:
            fixed = "the objects of a type are the cases, which object_type=... (--object-type) chooses"
            if role != "case":
                fixed = "the activity of an event is its type, its time is its time, and it has no transition"
            raise LogError(f"{path} is an object-centric log, so leave {role}=... (--{role}) out: {fixed}; nothing was read.")


def _attribute_columns(log: _ObjectLog, options: ReadOptions) -> list[pl.Series]:
    """Return the values of all events of each attribute; one that no event has is an error, unless all of people are wanted.

    Of these, one that an event has twice, or with a value that cannot be read, is left out.
    """
    schema = {"event": pl.UInt32, "name": pl.String, "value": pl.String}
    found = pl.DataFrame(log.attributes.rows, schema=schema, orient="row")
    required = _required(options)
    of_people = sorted(each for each, is_wanted in log.attributes.seen.items() if is_wanted)
    columns: list[pl.Series] = []
    for each in dict.fromkeys([*of_people, *required]) if options.attributes == "people" else required:
        if each in required and each not in log.attributes.seen:
            given = "as name" if each == options.name else "as an attribute"
            raise no_attribute(str(log.path), each, sorted(log.attributes.seen), "event attribute", given)
        values = found.filter(name=each)
        twice = values.filter(values["event"].is_duplicated())
        if twice.height and each in required:
            place = _place(log.events, twice["event"][0])
            raise LogError(f"{log.path}: {place} has {each!r} twice: remove one; nothing was read.")
        if not twice.height and (values.height or each in required):
            joined = log.events.select(event=pl.int_range(pl.len(), dtype=pl.UInt32)).join(
                values, on="event", how="left", maintain_order="left"
            )
            columns.append(joined["value"].alias(ATTRIBUTE + each))
    return columns


def _flatten(log: _ObjectLog, object_type: str, attributes: list[pl.Series]) -> Events:
    """Return the events of all objects of a type. An event that involves several of them is in the case of each.

    An object without events is not a case. Cases are in the order of their first event in the file.
    """
    of_type = log.objects.with_row_index("object").filter(type=object_type).select("object", case="id")
    related = log.relations.join(of_type, on="object", how="inner", maintain_order="left")
    if not related.height:
        raise LogError(
            f"{log.path} has no event that involves an object of the type {_quoted(object_type)}, so there are no cases. It "
            f"has {_listing(log)}: give another type as object_type=... (--object-type); nothing was read."
        )
    rows = related["event"].to_numpy()
    happened = log.events.with_columns(attributes).select(pl.exclude("id"))[rows].rename({"type": "activity"})
    counts = np.bincount(rows)
    return Events(
        str(log.path),
        happened.insert_column(0, related["case"]),
        Columns(object_type, *_COLUMNS[log.kind], None),
        lambda row: f"{_place(log.events, int(rows[row]))},",
        flattening=Flattening(
            object_type,
            events_elsewhere=log.events.height - int((counts > 0).sum()),
            shared_events=int((counts > 1).sum()),
            idle_objects=of_type.height - related["object"].n_unique(),
        ),
        n_bytes=log.n_bytes,
    )


def _choose_type(log: _ObjectLog, object_type: str | None) -> str:
    """Return the type that was asked for, or the only one; otherwise raise an error that lists them."""
    if object_type is None:
        if len(log.object_types) == 1:
            return log.object_types[0]
        raise LogError(
            f"{log.path} is object-centric: its events involve {_listing(log)}. Say which of them are the cases: "
            "object_type='...' (--object-type NAME); nothing was read."
        )
    if object_type not in log.object_types:
        near = did_you_mean(object_type, log.object_types) if isinstance(object_type, str) else " It must be a string."
        raise LogError(
            f"{log.path} has no object type {shortened(repr(object_type))} (given as object_type).{near} It has {_listing(log)}; "
            "nothing was read."
        )
    return object_type


def _facts_of_types(log: _ObjectLog) -> list[ObjectTypeFacts]:
    """Return the figures of each type, in the order in which the file declares them."""
    related = log.relations.with_columns(type=log.objects["type"][log.relations["object"].to_numpy()])
    figures = related.group_by("type").agg(
        with_events=pl.col("object").n_unique(), events=pl.col("event").n_unique(), relations=pl.len()
    )
    types = pl.DataFrame({"type": list(log.object_types)}, schema={"type": pl.String})
    for frame in (log.objects.group_by("type").agg(objects=pl.len()), figures):
        types = types.join(frame, on="type", how="left", maintain_order="left")
    return [ObjectTypeFacts(*row) for row in types.fill_null(0).iter_rows()]


def _listing(log: _ObjectLog) -> str:
    facts = sorted(_facts_of_types(log), key=lambda each: -each.relations)
    words = [
        f"{_quoted(each.name)} ({_counted(each.with_events, 'case')}, {_counted(each.relations, 'event')})" for each in facts
    ]
    more = f" and {len(words) - _LISTED:,} more" if len(words) > _LISTED else ""
    return f"objects of the types {', '.join(words[:_LISTED])}{more}"


def _flattened(log: _ObjectLog, object_type: str | None) -> tuple[EventLog | None, str | None]:
    """Flatten by a type, and return the log, or why that fails."""
    try:
        return assemble(_flatten(log, _choose_type(log, object_type), []), ReadOptions(), "time"), None
    except LogError as error:
        return None, str(error)


def _proposals(facts: list[ObjectTypeFacts]) -> list[Proposal]:
    """Propose the types with the most events for each object. Those with a single case come last: a log has several."""
    usable = sorted(
        (each for each in facts if each.with_events),
        key=lambda each: (each.with_events == 1, -each.events_per_object, -each.relations),
    )
    return [
        Proposal(
            "--object-type",
            each.name,
            f"{_counted(each.with_events, 'case')} with {each.events_per_object:.1f} events on average",
            True,
        )
        for each in usable[:_PROPOSED]
    ]


def _place(frame: pl.DataFrame, event: int) -> str:
    """Describe an event, given by its number."""
    return f"event {event + 1:,} ({_quoted(frame['id'][event])})"


def _quoted(text: str) -> str:
    return repr(shortened(text))


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
