"""Read an object-centric log in SQLite: the tables ``event``, ``object``, ``event_object``, and one for each type of events."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from actalike.errors import LogError, shortened
from actalike.io.object_centric.content import Content
from actalike.io.object_centric.event_attributes import value_text
from actalike.io.object_centric.sqlite_file import SqliteFile

_NEEDED = {  # tables and their columns
    "event": ("ocel_id", "ocel_type"),
    "object": ("ocel_id", "ocel_type"),
    "event_object": ("ocel_event_id", "ocel_object_id"),
    "event_map_type": ("ocel_type", "ocel_type_map"),
    "object_map_type": ("ocel_type", "ocel_type_map"),
}
_OWN_COLUMNS = ("ocel_id", "ocel_time", "ocel:activity")  # of the table of a type; the last is a copy that pm4py writes


def read_sqlite(path: Path, content: Content, max_bytes: int) -> int:
    """Read all of a file into ``content``, and return its size."""
    with SqliteFile(path, max_bytes) as file:
        _SqliteReading(file, content).read()
    return path.stat().st_size


class _SqliteReading:
    """Read table by table, and say of what does not fit in which row of which table it is."""

    def __init__(self, file: SqliteFile, content: Content) -> None:
        self.file, self.content = file, content
        self.path = content.path
        self.tables: dict[str, str] = {}  # of each type of events

    def read(self) -> None:
        """Read all tables. The order of the events is that of the rows of the table ``event``."""
        for table, columns in _NEEDED.items():
            self.file.require(table, columns)
        self.tables = tables = self._tables_of_types()
        for _, type_, _ in self._texts("object_map_type", _NEEDED["object_map_type"]):
            self.content.add_object_type(type_)
        for _, id_, type_ in self._texts("object", _NEEDED["object"]):
            self.content.add_object(id_, type_)
        times = self._times(tables)
        for row, id_, type_ in self._texts("event", _NEEDED["event"]):
            if type_ not in tables:
                raise self._fault("event", row, f"the type {shortened(type_)!r} is not in the table 'event_map_type'")
            time = times[tables[type_]].get(id_)
            if time is None:
                raise self._fault(
                    "event", row, f"the event {shortened(id_)!r} is not in the table {tables[type_]!r}, so it has no time"
                )
            self.content.add_event(id_, type_, time)
        if sum(map(len, times.values())) > len(self.content.events):
            raise self._unknown(times)
        for row, event_id, object_id in self._texts("event_object", _NEEDED["event_object"]):
            event = self.content.events.get(event_id)
            if event is None:
                raise self._fault("event_object", row, f"the event {shortened(event_id)!r} is not in the table 'event'")
            self.content.relate(event, (object_id,))
        self._read_attributes(tables)

    def _tables_of_types(self) -> dict[str, str]:
        """Return the table of each type of events."""
        tables: dict[str, str] = {}
        for row, type_, suffix in self._texts("event_map_type", _NEEDED["event_map_type"]):
            self.content.add_event_type(type_)
            table = f"event_{suffix}"
            if table in tables.values():
                raise self._fault("event_map_type", row, f"two types are mapped to {shortened(suffix)!r}")
            self.file.require(table, _OWN_COLUMNS[:2])
            tables[type_] = table
        return tables

    def _times(self, tables: dict[str, str]) -> dict[str, dict[str, str]]:
        """Return the time of each event, by the table of its type and by its id."""
        times: dict[str, dict[str, str]] = {}
        for table in tables.values():
            times[table] = of_table = {}
            for row, id_, time in self._texts(table, _OWN_COLUMNS[:2]):
                if id_ in of_table:
                    raise self._fault(table, row, f"the event {shortened(id_)!r} is there twice")
                of_table[id_] = time
                self.content.look_at_memory(id_)
        return times

    def _unknown(self, times: dict[str, dict[str, str]]) -> LogError:
        """Return the error about an event that is in the table of a type and not in the table ``event`` with that type."""
        types, content = list(self.content.event_types), self.content

        def is_there(id_: str, type_: str) -> bool:
            number = content.events.get(id_)
            return number is not None and types[content.type_of_event[number]] == type_

        ids = ((id_, type_, table) for type_, table in self.tables.items() for id_ in times[table])
        id_, table = next((id_, table) for id_, type_, table in ids if not is_there(id_, type_))
        return LogError(
            f"{self.path}: the event {shortened(id_)!r} is in the table {shortened(table)!r}, and not with that type in the "
            "table 'event': correct one of them; nothing was read."
        )

    def _read_attributes(self, tables: dict[str, str]) -> None:
        attributes = self.content.attributes
        if not attributes.are_wanted:
            return
        for table in tables.values():
            names = [name for name in self.file.columns(table) if name.lower() not in _OWN_COLUMNS]
            wanted = [name for name in names if attributes.wants(name)]
            if not wanted:
                continue
            for row, (id_, *values) in self.file.rows(table, ("ocel_id", *wanted)):
                event = self.content.events[id_]
                for name, value in zip(wanted, values, strict=True):
                    where = f"{self.path}, row {row:,} of the table {shortened(table)!r}: the value of {shortened(name)!r}"
                    text = value_text(value, where, attributes.is_strict)
                    if text is not None:
                        attributes.add(event, name, text)

    def _texts(self, table: str, columns: tuple[str, ...]) -> Iterator[tuple[int, str, str]]:
        """Yield the number and the two texts of each row; anything but a text is an error."""
        for row, values in self.file.rows(table, columns):
            for name, value in zip(columns, values, strict=True):
                if not isinstance(value, str):
                    raise self._fault(table, row, f"{name!r} is {_kind(value)} in place of a text")
            yield row, values[0], values[1]

    def _fault(self, table: str, row: int, why: str) -> LogError:
        return LogError(f"{self.path}, row {row:,} of the table {shortened(table)!r}: {why}. Correct the file; nothing was read.")


def _kind(value: Any) -> str:
    return "empty (NULL)" if value is None else "bytes" if isinstance(value, bytes) else "a number"
