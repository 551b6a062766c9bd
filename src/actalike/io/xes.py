"""Read XES strictly and as a stream: either the whole log is read or there is an error.

:mod:`actalike.io.xml_pieces` yields pieces of well-formed XML that hold whole tags. :mod:`actalike.io.xml_tags` finds all tags
of a piece at once. A tag with an unusual layout (other than ``<string key="..." value="..."/>``) is read on its own.
"""

from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.errors import LogError, shortened
from actalike.io.assemble import Events
from actalike.io.columns import Columns, WantedAttributes
from actalike.io.plain_traces import PlainTraces, plain_part
from actalike.io.source import Progress
from actalike.io.timestamps import NO_TIME, parse_series, parse_timestamps
from actalike.io.unused_columns import SAMPLE_ROWS, Unread
from actalike.io.xes_attributes import XesAttributes
from actalike.io.xes_keys import PREFIXES, find_keys
from actalike.io.xes_values import Values, refuse_repeats
from actalike.io.xml_pieces import Piece, XmlText
from actalike.io.xml_tags import Tags, element_name, find_tags, is_element, value_of, word

CASE_NAME = "concept:name"  # the name of a trace, which XES recommends and does not demand
_TRANSITION = "lifecycle:transition"  # looked at in the first events even if it is not needed: they may come in pairs
_USUAL_BEGINNINGS = np.array([word(prefix) for prefix in PREFIXES])


def read_xes(
    path: Path,
    case: str,
    activity: str,
    timestamp: str,
    transition: str | None,
    max_bytes: int,
    progress: Progress | None,
    attributes: WantedAttributes = None,
    second_name: str | None = None,
) -> Events:
    """Read a trace's ``case`` and each event's ``activity``, ``timestamp``, ``transition`` (None: not needed), ``attributes``.

    The attribute ``second_name`` is read as one of them.
    """

    def read(text: XmlText) -> Events:
        reading = XesReading(path, case, activity, timestamp, transition, attributes, second_name)
        n_bytes = 0
        for piece in text.pieces(reading.where):
            reading.take_piece(piece)
            n_bytes += len(piece.text)
        return replace(reading.events(), n_bytes=n_bytes)

    text = XmlText(path, max_bytes, progress, plain_part)  # XesReading notices traces outside the root
    try:
        return read(text)
    except LogError:
        if not text.skipped:
            raise
    return read(XmlText(path, max_bytes, progress))  # the XML parser gets all of it, so that the error names the right place


class XesReading:
    """Collect the traces and events read so far, and keep track of the place in the document."""

    def __init__(
        self,
        path: Path,
        case: str,
        activity: str,
        timestamp: str | None,
        transition: str | None,
        attributes: WantedAttributes = None,
        second_name: str | None = None,
    ) -> None:
        self.path = path
        self.case, self.activity, self.timestamp = case, activity, timestamp
        self.transition: str | None = transition or _TRANSITION
        self.needs_transition = transition is not None
        self.depth = self.n_traces = self.n_events = 0
        self.in_trace = self.in_event = self.has_root = False
        self.trace_of_event: list[NDArray[np.int64]] = []
        self.case_ids = Values(case)
        self.activities = Values(activity)
        self.transitions = Values(self.transition or "")
        self.times: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        roles = {activity: "activity", timestamp: "timestamp", f"case:{case}": "case"}
        self.attributes = XesAttributes(path, attributes, roles, second_name)

    def where(self, unread: bytes = b"") -> str:
        """Describe in words the place after ``unread``, the text that follows what has been taken."""
        opened, closed = unread.count(b"<trace"), unread.count(b"</trace")
        number = self.n_traces + opened
        if self.in_trace + opened > closed:
            return f"in the middle of trace {number:,}"
        return f"after trace {number:,}" if number else "before the first trace"

    def take_piece(self, piece: Piece) -> None:
        """Read the traces, events and attributes of a piece; those that are known to be plain in half of the time."""
        plain, at = piece.skipped, piece.skipped_at
        if not isinstance(plain, PlainTraces) or self.attributes.are_wanted:
            self.take(piece.text)
            return
        behind = at + plain.end - plain.start
        self.take(piece.text[:at])
        if not self._take_plain(plain):
            self.take(piece.text[at:behind])
        self.take(piece.text[behind:])

    def _take_plain(self, plain: PlainTraces) -> bool:
        """Read traces that are known to be plain; return whether this was possible. If not, nothing was read."""
        keys = [key for key in (self.case, self.activity, self.timestamp, self.transition) if key is not None]
        if self.depth != 1 or not self.has_root or plain.has_escaped_keys() or any(key.split() != [key] for key in keys):
            return False
        found = {key: plain.with_key(key) for key in keys}
        if self.timestamp is not None:
            at = found[self.timestamp].of_events()
            times, wrong = parse_timestamps(plain.octets, at.start, at.end)
            if wrong is not None:
                return False
            if len(times):
                self.times.append((self.n_events - 1 + at.n_events, times))
        at = found[self.activity].of_events()
        self.activities.add_spans(plain.text, self.n_events - 1 + at.n_events, at.start, at.end + 1)
        if self.transition is not None:
            at = found[self.transition].of_events()
            owner = self.n_events - 1 + at.n_events
            seen = self._looks_at(owner)
            self.transitions.add_spans(plain.text, owner[seen], at.start[seen], at.end[seen] + 1)
        at = found[self.case].of_traces()
        self.case_ids.add_spans(plain.text, self.n_traces - 1 + at.n_traces, at.start, at.end + 1)
        trace_of_event = plain.traces_of_events()
        self.trace_of_event.append(self.n_traces + trace_of_event)
        self.n_traces += plain.n_traces
        self._count_events(len(trace_of_event))
        return True

    def _looks_at(self, owner: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return at the transitions of which events is looked: of the first ones if none are needed, wherever pieces end."""
        return owner < (self.n_events + len(owner) + 1 if self.needs_transition else SAMPLE_ROWS)

    def _count_events(self, n: int) -> None:
        self.n_events += n
        if not self.needs_transition and self.n_events >= SAMPLE_ROWS:
            self.transition = None

    def take(self, text: bytes) -> None:
        """Read the traces, events and attributes of a text that has whole tags."""
        tags = find_tags(text, self.depth)
        if not len(tags.start):
            return
        first_bytes = tags.words[tags.start]
        is_trace = is_element(first_bytes, b"<trace")
        is_event = is_element(first_bytes, b"<event")
        if not self.has_root:
            if not is_element(first_bytes[:1], b"<log")[0]:
                name = shortened(element_name(tags, 0))
                raise LogError(f"{self.path} is not a XES log: its first element is <{name}>, not <log>; nothing was read.")
            self.has_root = True
        self._refuse_look_alikes(tags, is_trace | is_event)
        traces, events = np.flatnonzero(is_trace), np.flatnonzero(is_event)
        tops = np.flatnonzero((tags.level == 1) & ~tags.closing)
        middles = np.flatnonzero((tags.level == 2) & ~tags.closing)
        self._check_nesting(tags, traces, events, _parent_is(events, tops, is_trace, self.in_trace))

        keyed = find_keys(tags, first_bytes, is_trace | is_event)
        if self.attributes.are_wanted:
            candidates = np.flatnonzero((tags.level == 3) & ~tags.closing)
            self.attributes.note_keys(keyed, candidates[_parent_is(candidates, middles, is_event, self.in_event)])
            self.attributes.note_trace_keys(keyed, middles[_parent_is(middles, tops, is_trace, self.in_trace)])
        roles = (self.case, self.activity, self.timestamp, self.transition)
        for key in dict.fromkeys((*roles, *self.attributes.values, *self.attributes.trace_values)):
            if key is None:
                continue
            tag, value_at = keyed.with_key(key)
            if key == self.case or key in self.attributes.trace_values:
                of_trace = (tags.level[tag] == 2) & _parent_is(tag, tops, is_trace, self.in_trace)
                owner = self.n_traces - 1 + np.searchsorted(traces, tag[of_trace])
                for values in (self.case_ids if key == self.case else None, self.attributes.trace_values.get(key)):
                    if values is not None:
                        values.add(tags, owner, tag[of_trace], value_at[of_trace])
            of_event = (tags.level[tag] == 3) & _parent_is(tag, middles, is_event, self.in_event)
            owner = self.n_events - 1 + np.searchsorted(events, tag[of_event])
            if key == self.activity:
                self.activities.add(tags, owner, tag[of_event], value_at[of_event])
            if key == self.transition:
                seen = self._looks_at(owner)
                self.transitions.add(tags, owner[seen], tag[of_event][seen], value_at[of_event][seen])
            if key == self.timestamp:
                self._add_times(tags, owner, tag[of_event], value_at[of_event])
            if key in self.attributes.values:
                self.attributes.values[key].add(tags, owner, tag[of_event], value_at[of_event])

        self.trace_of_event.append(self.n_traces - 1 + np.searchsorted(traces, events))
        if len(tops):
            self.in_trace = bool(is_trace[tops[-1]])
        if len(middles):
            self.in_event = bool(is_event[middles[-1]])
        self.in_trace &= tags.depth > 1
        self.in_event &= tags.depth > 2
        self.n_traces += len(traces)
        self.depth = tags.depth
        self._count_events(len(events))

    def _refuse_look_alikes(self, tags: Tags, is_container: NDArray[np.bool_]) -> None:
        """Raise an error for ``<x:event>``, ``<Event>`` and the like: they may hold events that would not be read."""
        others = np.flatnonzero((tags.level >= 1) & (tags.level <= 2) & ~tags.closing & ~is_container)
        usual = np.isin(tags.words[tags.start[others]], _USUAL_BEGINNINGS)
        for tag in others[~usual].tolist():
            name = element_name(tags, tag)
            meant = name.rpartition(":")[2].lower()
            if meant in ("trace", "event"):
                place = self.where(tags.text[: tags.start[tag]])
                raise LogError(
                    f"{self.path} has an element <{shortened(name)}> {place}: in XES it is called <{meant}>; nothing was read."
                )

    def _check_nesting(
        self, tags: Tags, traces: NDArray[np.int64], events: NDArray[np.int64], in_trace: NDArray[np.bool_]
    ) -> None:
        """Raise an error unless all traces are directly in the log and all events directly in a trace."""
        misplaced = traces[tags.level[traces] != 1]
        if len(misplaced):
            place = self.where(tags.text[: tags.start[misplaced[0]]])
            raise LogError(f"{self.path} has a trace inside another element {place}, which XES does not allow; nothing was read.")
        misplaced = events[(tags.level[events] != 2) | ~in_trace]
        if len(misplaced):
            place = self.where(tags.text[: tags.start[misplaced[0]]])
            raise LogError(
                f"{self.path} has an event that is not directly in a trace, {place}, so it belongs to no case: move it into one; "
                "nothing was read."
            )

    def _add_times(self, tags: Tags, owner: NDArray[np.int64], tag: NDArray[np.int64], value_at: NDArray[np.int64]) -> None:
        """Add the timestamps in the values of some tags, or raise an error if one is invalid."""
        end = tags.end[tag] - 2  # where the value ends in value="..."/>
        usual = (value_at >= 0) & (tags.octets[end] == ord('"')) & (tags.octets[end + 1] == ord("/"))
        wrong: int | None = 0
        if usual.all():
            times, wrong = parse_timestamps(tags.octets, value_at, end)
        if wrong is not None and len(tag):  # a value may have spaces around it or contain references: decode each
            texts = [value_of(tags, t, at).strip() for t, at in zip(tag.tolist(), value_at.tolist(), strict=True)]
            times, wrong = parse_series(pl.Series(texts, dtype=pl.String))
            if wrong is not None:
                place = self.where(tags.text[: tags.start[tag[wrong]]])
                if times[wrong] != NO_TIME:
                    raise LogError(
                        f"{self.path} has the date {shortened(texts[wrong])!r} {place}, which is outside the years 1 to 9999 in "
                        "UTC: correct it; nothing was read."
                    )
                raise LogError(
                    f"{self.path} has an unreadable date {shortened(texts[wrong])!r} {place}: write it as "
                    "2024-02-29T12:00:00+01:00; nothing was read."
                )
        if len(tag):
            self.times.append((owner, times))

    def events(self) -> Events:
        """Return all events read, or raise an error if a trace has no id or an event no activity."""
        trace_of_event = np.concatenate([*self.trace_of_event, np.empty(0, dtype=np.int64)])
        first_event = np.searchsorted(trace_of_event, np.arange(self.n_traces))
        case_ids: list[str] = []

        def place(event: int) -> str:
            trace = int(trace_of_event[event])
            name = f" ({shortened(case_ids[trace])!r})" if case_ids else ""
            return f"trace {trace + 1:,}{name}, event {event - first_event[trace] + 1:,},"

        if self.n_events == 0:
            raise LogError(f"{self.path} is empty: it has {self.n_traces:,} traces but no events.")
        case_ids, unnamed_cases = self._case_ids()
        codes = self.activities.one_each(self.path, self.n_events, place)
        times = None
        if self.times:
            owner, values = (np.concatenate(parts) for parts in zip(*self.times, strict=True))
            refuse_repeats(self.path, self.timestamp or "", owner, place)
            times = np.full(self.n_events, NO_TIME, dtype=np.int64)
            times[owner] = values
        transitions = unread = None
        if self.transitions.owners and self.needs_transition:
            transitions = self.transitions.at_most_one_each(self.path, self.n_events, place)
        elif self.transitions.owners:
            unread = self._first_transitions()
        columns = Columns(
            self.case,
            self.activity,
            None if times is None else self.timestamp,
            self.transitions.key if self.transitions.owners else None,
        )
        return Events(
            str(self.path),
            self.activities.texts,
            codes,
            case_ids,
            trace_of_event,
            times,
            self.transitions.texts,
            transitions,
            place,
            columns,
            unread,
            unnamed_cases,
            self.attributes.attributes(trace_of_event, self.n_traces, place),
        )

    def _first_transitions(self) -> Unread:
        """Return the transitions of the first events as a column, null for an event without one."""
        codes = np.full(min(self.n_events, SAMPLE_ROWS), -1)
        for owners, values in zip(self.transitions.owners, self.transitions.codes, strict=True):
            first = owners < len(codes)
            codes[owners[first]] = values[first]
        texts = [*self.transitions.texts, None]  # -1 takes the last one
        column = pl.Series([texts[code] for code in codes.tolist()], dtype=pl.String)
        return Unread(pl.DataFrame({self.transitions.key: column}), may_have_time=False)

    def _case_ids(self) -> tuple[list[str], int]:
        """Return the id of each trace, and how many traces have no name.

        XES allows a trace without a name. Its id is its number in the file: 7, or "trace 7" if another trace is named 7. Only an
        attribute that the user chose must be in every trace.
        """

        def place(trace: int) -> str:
            return f"trace {trace + 1:,}"

        if self.case != CASE_NAME:
            codes = self.case_ids.one_each(self.path, self.n_traces, place)
        else:
            codes = self.case_ids.at_most_one_each(self.path, self.n_traces, place)
        names = self.case_ids.texts
        taken = set(names)
        ids = [names[code] if code >= 0 else unused_id(number, taken) for number, code in enumerate(codes.tolist(), 1)]
        return ids, int((codes < 0).sum())


def unused_id(number: int, taken: set[str]) -> str:
    """Return an id for a trace without a name: its number, in words that are not the name of another trace.

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


def _parent_is(
    tag: NDArray[np.int64], parents: NDArray[np.int64], is_wanted: NDArray[np.bool_], from_before: bool
) -> NDArray[np.bool_]:
    """Return for each tag whether its parent, the last of ``parents`` before it, is wanted.

    ``from_before`` is the answer for tags whose parent is in an earlier piece.
    """
    kinds = np.concatenate([[from_before], is_wanted[parents]])
    return kinds[np.searchsorted(parents, tag)]
