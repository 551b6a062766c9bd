"""Collect the events, objects and relations of an object-centric log, in whatever order a file has them.

A relation may name an object that the file declares later, and an event may have a type that is declared later. So ids and types
are numbered when they first occur, and :meth:`Content.check` looks at the end whether everything was declared.
"""

from array import array
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.errors import LogError, shortened
from actalike.io.object_centric.event_attributes import EventAttributes, SampledAttributes
from actalike.io.timestamps import NO_TIME, parse_series
from actalike.support.memory_estimates import require_memory

_BYTES_AN_ID = 300  # of memory for an id beside its characters, with what belongs to its event or object (measured)
_IDS_AT_A_TIME = 1 << 16  # between two looks at the memory
_CHARACTERS_AT_A_TIME = 1 << 26
_TIMES_AT_A_TIME = 1 << 16  # that are parsed together


class Content:
    """Hold what a file says: types by name, events and objects by id, and which event involves which object.

    ``type_of_event`` and ``type_of_object`` are positions in ``event_types`` and ``object_types``; an object that was only named
    by relations has -1. Relation ``i`` says that event ``related_event[i]`` involves object ``related_object[i]``.
    """

    def __init__(self, path: Path, attributes: EventAttributes | SampledAttributes) -> None:
        self.path, self.attributes = path, attributes
        self.event_types: dict[str, int] = {}
        self.object_types: dict[str, int] = {}
        self.events: dict[str, int] = {}
        self.objects: dict[str, int] = {}
        self.type_of_event, self.type_of_object = array("i"), array("i")
        self.related_event, self.related_object = array("i"), array("i")
        self._declared_events: set[str] = set()
        self._declared_objects: set[str] = set()
        self._new_times: list[str] = []
        self._times: list[NDArray[np.int64]] = []
        self._n_times = self._ids = self._characters = 0
        self._next_look, self._next_characters = _IDS_AT_A_TIME, _CHARACTERS_AT_A_TIME

    def add_event_type(self, name: str) -> None:
        """Declare a type of events."""
        self._declare("event", name, self._declared_events, self.event_types)

    def add_object_type(self, name: str) -> None:
        """Declare a type of objects."""
        self._declare("object", name, self._declared_objects, self.object_types)

    def add_object(self, object_id: str, type_: str) -> None:
        """Add an object; the same id twice is an error."""
        self._require_names("object", object_id, type_)
        number = self._object(object_id)
        if self.type_of_object[number] >= 0:
            raise LogError(f"{self.path} has two objects with the id {_quoted(object_id)}: rename one; nothing was read.")
        self.type_of_object[number] = self.object_types.setdefault(type_, len(self.object_types))

    def add_event(self, event_id: str, type_: str, time: str) -> int:
        """Add an event and return its number; the same id twice is an error."""
        self._require_names("event", event_id, type_)
        number = len(self.events)
        if self.events.setdefault(event_id, number) != number:
            raise LogError(f"{self.path} has two events with the id {_quoted(event_id)}: rename one; nothing was read.")
        self.type_of_event.append(self.event_types.setdefault(type_, len(self.event_types)))
        self._new_times.append(time)
        if len(self._new_times) >= _TIMES_AT_A_TIME:
            self._parse_times()
        self.look_at_memory(event_id)
        return number

    def relate(self, event: int, object_ids: Iterable[str]) -> None:
        """Say which objects an event involves, by its number."""
        for object_id in object_ids:
            self.related_event.append(event)
            self.related_object.append(self._object(object_id))

    def place(self, event: int) -> str:
        """Describe in words which event has a number."""
        return f"event {event + 1:,} ({_quoted(self.event_id(event))})"

    def event_id(self, event: int) -> str:
        """Return the id of the event with a number."""
        return next(islice(self.events, event, None))

    def times(self) -> NDArray[np.int64]:
        """Return the time of each event, in microseconds."""
        self._parse_times()
        return np.concatenate([*self._times, np.empty(0, dtype=np.int64)])

    def check(self) -> None:
        """Raise an error unless all types are declared, and all objects that are named by relations."""
        self._parse_times()
        if not self.events:
            raise LogError(f"{self.path} is empty: it has {len(self.objects):,} objects but no events.")
        for type_, code in self.event_types.items():
            if type_ not in self._declared_events:
                raise self._undeclared("event", self.place(self.type_of_event.index(code)), type_)
        for type_, code in self.object_types.items():
            if type_ not in self._declared_objects:
                object_id = next(islice(self.objects, self.type_of_object.index(code), None))
                raise self._undeclared("object", f"the object {_quoted(object_id)}", type_)
        missing = np.flatnonzero(as_array(self.type_of_object) < 0)
        if len(missing):
            first = int(missing[0])
            event = self.related_event[self.related_object.index(first)]
            raise LogError(
                f"{self.path}: {self.place(event)} involves the object {_quoted(next(islice(self.objects, first, None)))}, which "
                f"the file does not have ({_others(len(missing))}). Add the objects, or remove the relations; nothing was read."
            )

    def _declare(self, what: str, name: str, declared: set[str], codes: dict[str, int]) -> None:
        if name in declared:
            raise LogError(f"{self.path} declares the {what} type {_quoted(name)} twice: remove one; nothing was read.")
        declared.add(name)
        codes.setdefault(name, len(codes))
        self.look_at_memory(name)

    def _require_names(self, what: str, id_: str, type_: str) -> None:
        """Raise an error if an id or a type has nothing but white space: it is missing."""
        if not id_ or id_.isspace():
            number = len(self.events if what == "event" else self.objects) + 1
            raise LogError(f"{self.path}: {what} {number:,} has an empty id {_quoted(id_)}: name it; nothing was read.")
        if not type_ or type_.isspace():
            is_activity = " (its activity)" if what == "event" else ""
            raise LogError(
                f"{self.path}: the {what} {_quoted(id_)} has an empty type {_quoted(type_)}{is_activity}: name it; nothing "
                "was read."
            )

    def _undeclared(self, what: str, place: str, type_: str) -> LogError:
        return LogError(
            f"{self.path}: {place} is of the type {_quoted(type_)}, which the file does not declare among its {what} types: "
            "declare it, or correct the type; nothing was read."
        )

    def _object(self, object_id: str) -> int:
        number = self.objects.setdefault(object_id, len(self.type_of_object))
        if number == len(self.type_of_object):
            self.type_of_object.append(-1)
            self.look_at_memory(object_id)
        return number

    def _parse_times(self) -> None:
        if not self._new_times:
            return
        times, wrong = parse_series(pl.Series(self._new_times, dtype=pl.String))
        if wrong is not None and times[wrong] != NO_TIME:
            raise LogError(
                f"{self.path}: {self.place(self._n_times + wrong)} has the time {_quoted(self._new_times[wrong])}, which is "
                "outside the years 1 to 9999 in UTC: correct it; nothing was read."
            )
        if wrong is not None:
            raise LogError(
                f"{self.path}: {self.place(self._n_times + wrong)} has an unreadable time {_quoted(self._new_times[wrong])}: "
                "write it as 2024-02-29T12:00:00+01:00; nothing was read."
            )
        self._times.append(times)
        self._n_times += len(times)
        self._new_times = []

    def look_at_memory(self, new_id: str) -> None:
        """Raise an error if all ids so far, of which this one is new, are more than fit into memory."""
        self._ids += 1
        self._characters += len(new_id)
        if self._ids < self._next_look and self._characters < self._next_characters:
            return
        self._next_look, self._next_characters = self._ids + _IDS_AT_A_TIME, self._characters + _CHARACTERS_AT_A_TIME
        require_memory(
            self._ids * _BYTES_AN_ID + 8 * len(self.related_event) + self._characters,
            f"{self.path} has {self._ids:,} events and objects already, which",
            "read it on a machine with more memory, or keep fewer objects in the file; nothing was read",
        )


def as_array(numbers: "array[int]") -> NDArray[np.int32]:
    """Return numbers as an array of numpy, which shares their memory."""
    return np.frombuffer(numbers, dtype=np.int32) if numbers else np.empty(0, dtype=np.int32)


def _quoted(text: str) -> str:
    return repr(shortened(text))


def _others(number: int) -> str:
    return "all other objects are there" if number == 1 else f"{number:,} objects in all are missing"
