"""Read XES strictly and as a stream: the whole log is read, or there is an error.

:mod:`actalike.io.xml` parses the file and calls :class:`XesReader` for each tag. Plain traces, nearly all of most logs, are read
thousands at once by :mod:`actalike.io.plain_traces`. If anything is wrong, the file is read again tag by tag, so that errors name
the right position.
"""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.errors import LogError, shortened
from actalike.io import files
from actalike.io.columns import (
    SAMPLE_ROWS,
    Columns,
    UnusedColumns,
    listing,
    no_attribute,
    reject_second_name,
    reject_taken_column,
)
from actalike.io.frame import ATTRIBUTE, Events, ReadOptions, codes_of, require_values, times_of
from actalike.io.plain_traces import Gaps, PlainTraces, plain_traces, unescaped
from actalike.io.timestamps import NO_TIME, parse_series
from actalike.io.xml import XmlText
from actalike.log import names_people

CASE_NAME = "concept:name"  # the name of a trace, which XES recommends and does not demand
_TRANSITION = "lifecycle:transition"  # inspected in the first events even if it is not needed: they may be start/complete pairs
_OF_TRACE = "case:"  # prefix of trace attributes, as in pm4py's frames
_MOST_KEYS = 100_000  # of events and traces that are remembered for error messages
_MOST_PEOPLE = 100  # attributes of people
_PIECES_AT_ONCE = 4  # of plain traces: fewer take longer, more only need memory (measured)
_TRACE, _TRACE_END = b"<trace>", b"</trace>"

Place = Callable[[int], str]  # describes the position of the trace or event with this number


def read_xes(path: Path, options: ReadOptions) -> Events:
    """Read the events of an XES file, by the keys that were named or the usual ones.

    An attribute of the traces is asked for with ``case:`` before its key, and all events of a trace have it.
    """
    reader = XesReader(path, options)
    try:
        return reader.read(skip_plain=True)
    except LogError:
        if not reader.has_skipped:
            raise
    return XesReader(path, options).read(skip_plain=False)


class XesReader:
    """Collect the traces and events read so far, and keep track of the position in the document."""

    def __init__(self, path: Path, options: ReadOptions) -> None:
        self.path, self.options = path, options
        self.n_traces = self.n_events = 0
        self.has_skipped = False  # whether the parser was not given everything
        self.depth = 0  # elements that are open
        self.in_trace = self.in_event = False
        self.xml = XmlText(path, options.max_bytes, options.progress, self.where)
        self.xml.parser.StartElementHandler = self.start
        self.xml.parser.EndElementHandler = self.end
        self._gaps = Gaps()
        self._trace_of_event: list[NDArray[np.int64]] = []
        self._new_events: list[int] = []  # the traces of the events after these
        self.case_ids = Values((options.case or CASE_NAME).removeprefix(_OF_TRACE))
        self.activities = Values(options.activity or "concept:name")
        self.times = _Times(options.timestamp or "time:timestamp", path, self._in_trace_of)
        if options.needs_transition:
            self.transitions = Values(options.transition or _TRANSITION)
        else:
            self.transitions = Values(_TRANSITION, limit=SAMPLE_ROWS)
        # keys of events and traces that were seen or are to be read, and what collects their values
        self._of_events: dict[str, list[Values]] = {}
        self._of_traces: dict[str, list[Values]] = {self.case_ids.key: [self.case_ids]}
        for values in (self.activities, self.times, self.transitions):
            self._of_events.setdefault(values.key, []).append(values)
        self._roles = {self.activities.key: "activity", self.times.key: "timestamp", _OF_TRACE + self.case_ids.key: "case"}
        self._attributes: dict[str, Values] = {}
        self._reads_people = options.attributes == "people"
        for name in () if options.attributes is None or options.attributes == "people" else options.attributes:
            reject_taken_column(str(path), name, self._roles.get(name))
            self._read_attribute(name)
        if options.name is not None:
            reject_second_name(str(path), options.name, self._roles.get(options.name))
            self._read_attribute(options.name)

    def read(self, skip_plain: bool) -> Events:
        """Read the whole file; with ``skip_plain`` the parser skips plain traces, and positions in errors may be wrong."""
        rest = b""
        for text in self.xml.texts(at_least=_PIECES_AT_ONCE * files.PIECE):
            if skip_plain:
                rest = self._take_plain(rest + text)
            else:
                self.xml.parse(text)
            self._flush()
        self.xml.parse(rest)
        self.xml.finish()
        self._flush()
        return self._events()

    def pieces(self) -> Iterator[bytes]:
        """Read the file tag by tag, and yield its text as far as it was read."""
        for piece in self.xml.pieces():
            self._flush()
            yield piece

    def where(self) -> str:
        """Describe the current position."""
        if self.in_trace:
            return f"in the middle of trace {self.n_traces:,}"
        return f"after trace {self.n_traces:,}" if self.n_traces else "before the first trace"

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Handle a start tag."""
        depth = self.depth
        self.depth += 1
        if name in ("trace", "event") and depth:
            self._start_container(name, depth)
        elif depth == 3 and self.in_event:
            for values in self._collectors(self._of_events, attributes):
                values.put(self.n_events - 1, attributes["value"])
        elif depth == 1 or depth == 2:
            self._reject_look_alike(name)
            if self.in_trace:
                for values in self._collectors(self._of_traces, attributes):
                    values.put(self.n_traces - 1, attributes["value"])
        elif depth == 0 and name != "log":
            raise LogError(
                f"{self.path} is not an XES log: its first element is <{shortened(name)}>, not <log>; nothing was read."
            )

    def end(self, _: str) -> None:
        """Handle an end tag."""
        self.depth -= 1
        if self.depth == 2:
            self.in_event = False
        elif self.depth == 1:
            self.in_trace = False

    def _start_container(self, name: str, depth: int) -> None:
        """Begin a trace in the log, or an event in a trace; anywhere else they are an error."""
        if name == "trace":
            if depth != 1:
                raise LogError(
                    f"{self.path} has a trace inside another element {self.where()}, which XES does not allow; nothing was read."
                )
            self.in_trace = True
            self.n_traces += 1
            return
        if depth != 2 or not self.in_trace:
            raise LogError(
                f"{self.path} has an event that is not directly in a trace, {self.where()}, so it belongs to no case: move it "
                "into one; nothing was read."
            )
        self.in_event = True
        self.n_events += 1
        self._new_events.append(self.n_traces - 1)

    def _reject_look_alike(self, name: str) -> None:
        """Raise an error for ``<x:event>``, ``<Event>`` and the like, whose events would be lost."""
        meant = name.rpartition(":")[2].lower()
        if meant in ("trace", "event"):
            raise LogError(
                f"{self.path} has an element <{shortened(name)}> {self.where()}: XES calls it <{meant}>; nothing was read."
            )

    def _collectors(self, by_key: dict[str, list["Values"]], attributes: dict[str, str]) -> list["Values"]:
        """Return the collectors of an attribute of an event or a trace, and remember its key."""
        key = attributes.get("key")
        if key is None:
            return []
        found = by_key.get(key)
        if found is None:
            found = self._note_key(by_key, key)
        return found if "value" in attributes else []

    def _note_key(self, by_key: dict[str, list["Values"]], key: str) -> list["Values"]:
        if by_key is self._of_events and self._reads_people and names_people(key) and key not in self._roles:
            self._read_attribute(key)
            if len(self._attributes) > _MOST_PEOPLE:
                self._leave_people_out()
        elif len(by_key) < _MOST_KEYS:
            by_key[key] = []
        return by_key.get(key, [])

    def _leave_people_out(self) -> None:
        """Collect no attributes that are usual for people any more: so many of them are something else."""
        self._reads_people = False
        for name in [name for name in self._attributes if name != self.options.name]:
            del self._attributes[name]
            self._of_events[name] = []

    def _read_attribute(self, name: str) -> None:
        """Collect an attribute of events from now on; one called ``case:KEY`` may be one of traces."""
        if name in self._attributes:
            return
        self._attributes[name] = Values(name, source=str(self.path))
        self._of_events.setdefault(name, []).append(self._attributes[name])
        if name.startswith(_OF_TRACE):
            key = name.removeprefix(_OF_TRACE)
            self._of_traces.setdefault(key, []).append(Values(key, source=str(self.path)))

    def _take_plain(self, text: bytes) -> bytes:
        """Read a piece of the file, in which complete traces may be plain; return its unread end."""
        start, end = text.find(_TRACE), text.rfind(_TRACE_END) + len(_TRACE_END)
        if 0 <= start < end:
            self.xml.parse(text[:start])
            if self.depth == 1 and self.xml.is_between_tags:
                traces = plain_traces(text[start:end], self._gaps)
                if traces is not None:
                    self._add_plain(traces)
                    return text[end:]
            text = text[start:]
        self.xml.parse(text)
        return b""

    def _add_plain(self, traces: PlainTraces) -> None:
        """Read plain traces."""
        self._flush()
        self.has_skipped = True
        self._trace_of_event.append(self.n_traces + traces.trace_of_event)
        if self._reads_people:
            for key in traces.event_keys():
                if key not in self._of_events:
                    self._note_key(self._of_events, key)
        for key, collectors in self._of_events.items():
            wanted = [values for values in collectors if values.limit is None or self.n_events < values.limit]
            if wanted:
                events, texts = traces.of_events(key)
                for values in wanted:
                    values.add(self.n_events + events, texts, traces.has_references)
        for key, collectors in self._of_traces.items():
            if collectors:
                numbers, texts = traces.of_traces(key)
                for values in collectors:
                    values.add(self.n_traces + numbers, texts, traces.has_references)
        self.n_traces += traces.n_traces
        self.n_events += len(traces.trace_of_event)

    def _flush(self) -> None:
        """Encode what was collected tag by tag."""
        if self._new_events:
            self._trace_of_event.append(np.array(self._new_events, dtype=np.int64))
            self._new_events = []
        for by_key in (self._of_events, self._of_traces):
            for collectors in by_key.values():
                for values in collectors:
                    values.flush()

    def _in_trace_of(self, event: int) -> str:
        trace = np.concatenate([*self._trace_of_event, self._new_events])[event]
        return f"in the middle of trace {int(trace) + 1:,}"

    def _events(self) -> Events:
        """Return all events read, or raise an error if one has a key twice or a trace has no id."""
        trace_of_event = np.concatenate([*self._trace_of_event, np.empty(0, dtype=np.int64)])
        first_event = np.searchsorted(trace_of_event, np.arange(self.n_traces))
        case_ids: list[str] = []

        def place(event: int) -> str:
            trace = int(trace_of_event[event])
            name = f" ({shortened(case_ids[trace])!r})" if case_ids else ""
            return f"trace {trace + 1:,}{name}, event {event - first_event[trace] + 1:,},"

        if self.n_events == 0:
            raise LogError(f"{self.path} is empty: it has {self.n_traces:,} traces but no events.")
        case_ids, unnamed_cases = self._case_ids()
        codes = self.activities.of_all(self.path, self.n_events, place)
        frame = [pl.Series("case", trace_of_event), codes_of(self.activities.texts, codes, "activity")]
        if self.times.owners:
            frame += self.times.columns(self.path, self.n_events, place)
        unused = None
        if self.transitions.owners and self.options.needs_transition:
            codes = self.transitions.of_all(self.path, self.n_events, place)
            frame.append(codes_of(self.transitions.texts, codes, "transition"))
        elif self.transitions.owners:
            unused = self._first_transitions()
        frame += self._attribute_columns(trace_of_event, place)
        columns = Columns(
            self.case_ids.key,
            self.activities.key,
            self.times.key if self.times.owners else None,
            self.transitions.key if self.transitions.owners else None,
        )
        return Events(
            str(self.path),
            pl.DataFrame(frame),
            columns,
            place,
            case_ids,
            unused=unused,
            unnamed_cases=unnamed_cases,
            n_bytes=self.xml.n_bytes,
        )

    def _first_transitions(self) -> UnusedColumns:
        """Return the transitions of the first events as a column, null for an event without one."""
        codes = np.full(min(self.n_events, SAMPLE_ROWS), -1)
        for owners, values in zip(self.transitions.owners, self.transitions.codes, strict=True):
            codes[owners] = values
        texts = [*self.transitions.texts, None]  # -1 takes the last one
        column = pl.Series([texts[code] for code in codes.tolist()], dtype=pl.String)
        return UnusedColumns(pl.DataFrame({self.transitions.key: column}), may_have_time=False)

    def _case_ids(self) -> tuple[list[str], int]:
        """Return the id of each trace, and how many traces have no name.

        XES allows a trace without a name. Its id is its number in the file: 7, or "trace 7" if another trace is named 7. Only an
        attribute that the user chose must be in every trace.
        """

        codes = self.case_ids.of_all(self.path, self.n_traces, _trace)
        missing = np.flatnonzero(codes < 0)
        if len(missing) and self.case_ids.key != CASE_NAME:
            raise LogError(
                f"{self.path}: {_trace(int(missing[0]))} has no {self.case_ids.key!r} ({len(missing):,} in all have none). "
                "Correct the log, or name another attribute; nothing was read."
            )
        names = self.case_ids.texts
        taken = set(names)
        ids = [names[code] if code >= 0 else unused_id(number, taken) for number, code in enumerate(codes.tolist(), 1)]
        return ids, len(missing)

    def _attribute_columns(self, trace_of_event: NDArray[np.int64], place: Place) -> Iterator[pl.Series]:
        """Yield the attributes of all events; one that no event has is an error, unless all of people are wanted.

        Of these, one that an event has twice is left out.
        """
        people = self.options.attributes == "people"
        for name in sorted(self._attributes) if people else self._attributes:
            values = self._attributes[name]
            if people and name != self.options.name and (not values.owners or values.has_repeats()):
                continue
            if values.owners:
                codes = values.of_all(self.path, self.n_events, place)
            else:
                values, codes = self._of_its_trace(name, trace_of_event)
            yield codes_of(values.texts, codes, ATTRIBUTE + name)

    def _of_its_trace(self, name: str, trace_of_event: NDArray[np.int64]) -> tuple["Values", NDArray[np.int32]]:
        """Return the values of a trace attribute, and the code of each event; an unknown attribute is an error."""
        if name.startswith(_OF_TRACE):
            values = self._of_traces[name.removeprefix(_OF_TRACE)][-1]
            codes = values.of_all(self.path, self.n_traces, _trace)[trace_of_event]
            if (codes >= 0).any():
                return values, codes
        is_second_name = name == self.options.name
        given = "as name" if is_second_name else "as an attribute"
        error = no_attribute(str(self.path), name, _seen(self._of_events), "event attribute", given)
        of_traces = [f"{_OF_TRACE}{key}" for key in _seen(self._of_traces) if f"{_OF_TRACE}{key}" not in self._roles]
        if is_second_name or not of_traces:
            raise error
        if f"{_OF_TRACE}{name}" in of_traces:
            raise LogError(f"{error} It is a trace attribute: use {shortened(_OF_TRACE + name)!r}.")
        raise LogError(f"{error} {listing(of_traces, 'trace attribute')}")


def _seen(by_key: dict[str, list["Values"]]) -> list[str]:
    """Return the keys that were seen, in alphabetical order."""
    return sorted(key for key, collectors in by_key.items() if not collectors or any(values.owners for values in collectors))


class Values:
    """Collect the values of one key as codes, for their owners (traces or events).

    Owners from ``limit`` on are left out. With ``source``, more distinct values than fit into memory are an error.
    """

    def __init__(self, key: str, limit: int | None = None, source: str | None = None) -> None:
        self.key, self.limit, self._source = key, limit, source
        self.owners: list[NDArray[np.int64]] = []
        self.codes: list[NDArray[np.int32]] = []
        self._known: dict[str, int] = {}
        self._characters = 0
        self._new: list[tuple[int, str]] = []

    @property
    def texts(self) -> list[str]:
        """Return the value of each code."""
        return list(self._known)

    def put(self, owner: int, text: str) -> None:
        """Add one value."""
        if self.limit is None or owner < self.limit:
            self._new.append((owner, text))

    def flush(self) -> None:
        """Encode what was added one by one."""
        if self._new:
            new, self._new = self._new, []
            owners, texts = zip(*new, strict=True)
            self.add(np.array(owners, dtype=np.int64), pl.Series(texts, dtype=pl.String))

    def add(self, owners: NDArray[np.int64], texts: pl.Series, has_references: bool = False) -> None:
        """Add the values of several owners, which are in ascending order and come after all others.

        With ``has_references``, they are values of plain traces as these are written.
        """
        if self.limit is not None:
            seen = owners < self.limit
            owners, texts = owners[seen], texts.filter(pl.Series(seen))
        if len(owners):
            self.owners.append(owners)
            self._encode(owners, texts, has_references)

    def _encode(self, _: NDArray[np.int64], texts: pl.Series, has_references: bool) -> None:
        n_known, known = len(self._known), self._known
        distinct = texts.unique(maintain_order=True)
        labels = map(unescaped, distinct) if has_references else distinct
        codes = np.array([known.setdefault(label, len(known)) for label in labels], dtype=np.int32)
        self.codes.append(codes[texts.cast(pl.Enum(distinct)).to_physical().to_numpy()])
        if self._source is not None and len(known) > n_known:
            self._characters += int(texts.str.len_bytes().sum())
            require_values(self._source, self.key, len(known), self._characters)

    def has_repeats(self) -> bool:
        """Return whether an owner has two values."""
        return bool((np.diff(np.concatenate(self.owners)) == 0).any())

    def of_all(self, path: Path, n_owners: int, place: Place) -> NDArray[np.int32]:
        """Return the code of each owner's value, -1 for none; two values are an error."""
        codes = np.full(n_owners, -1, dtype=np.int32)
        codes[self._owners(path, place)] = np.concatenate([*self.codes, np.empty(0, dtype=np.int32)])
        return codes

    def _owners(self, path: Path, place: Place) -> NDArray[np.int64]:
        """Return all owners, or raise an error if one has two values."""
        owners = np.concatenate([*self.owners, np.empty(0, dtype=np.int64)])
        repeated = np.flatnonzero(np.diff(owners) == 0)
        if len(repeated):
            owner = place(int(owners[repeated[0]])).rstrip(",")
            raise LogError(f"{path}: {owner} has {self.key!r} twice: remove one; nothing was read.")
        return owners


class _Times(Values):
    """Collect timestamps; ``near`` describes the position of an event with an invalid one."""

    def __init__(self, key: str, path: Path, near: Place) -> None:
        super().__init__(key)
        self._path, self._near = path, near
        self._times: list[NDArray[np.int64]] = []
        self._nanos: list[NDArray[np.int16]] = []

    def put(self, owner: int, text: str) -> None:
        super().put(owner, text.strip())

    def _encode(self, owners: NDArray[np.int64], texts: pl.Series, has_references: bool) -> None:
        times, wrong, nanos = parse_series(texts)
        if wrong is not None:
            shown, place = shortened(texts[wrong]), self._near(int(owners[wrong]))
            if times[wrong] != NO_TIME:
                raise LogError(
                    f"{self._path} has the date {shown!r} {place}, which is outside the years 1 to 9999 in UTC: correct it; "
                    "nothing was read."
                )
            raise LogError(
                f"{self._path} has an unreadable date {shown!r} {place}: write it as 2024-02-29T12:00:00+01:00; nothing was read."
            )
        self._times.append(times)
        self._nanos.append(nanos)

    def columns(self, path: Path, n_events: int, place: Place) -> list[pl.Series]:
        """Return the time of each event and the nanoseconds beyond it; two times of one event are an error."""
        owners = self._owners(path, place)
        times, nanos = np.full(n_events, NO_TIME, dtype=np.int64), np.zeros(n_events, dtype=np.int16)
        times[owners], nanos[owners] = np.concatenate(self._times), np.concatenate(self._nanos)
        return times_of(times, nanos)


def _trace(number: int) -> str:
    return f"trace {number + 1:,}"


def unused_id(number: int, taken: set[str]) -> str:
    """Return an id for a trace without a name: its number, in a form that no other trace has as its name.

    >>> unused_id(7, set()), unused_id(7, {"7"}), unused_id(7, {"7", "trace 7"})
    ('7', 'trace 7', 'trace 7 (2)')
    """
    name = str(number)
    if name in taken:
        name = f"trace {number}"
    for i in count(2):
        if name not in taken:
            break
        name = f"trace {number} ({i})"
    return name
