"""Describe how a log was understood: from which columns, in which order, with which events."""

import shlex
from dataclasses import asdict, dataclass
from typing import Any

from actalike.errors import shortened
from actalike.support.frames import FrameKind
from actalike.support.text import counted

_SHOWN_FILES = 5


@dataclass(frozen=True)
class Flattening:
    """Hold how an object-centric log became cases: by a type of objects, and what that left out or counted more than once."""

    object_type: str
    events_elsewhere: int = 0  # that involve no object of the type, so they are in no case
    shared_events: int = 0  # that involve several, so they are in several cases
    idle_objects: int = 0  # of the type, without events, so they are not cases


@dataclass(frozen=True)
class Reading:
    """Hold how the events of a log were understood, so that a wrong guess is seen.

    ``timestamp`` and ``transition`` are None if there is no such column. ``order`` lists the columns that order the events of a
    case; it is empty if they are in the order of the source. ``cases`` is None if only an engine has seen them.

    >>> reading = Reading("orders.csv", case="OrderId", activity="Step", cases=120, events=840)
    >>> print(reading)
    orders.csv: 120 cases, 840 events; case = OrderId, activity = Step, time = none: events in file order
    """

    source: str
    case: str
    activity: str
    timestamp: str | None = None
    transition: str | None = None
    order: tuple[str, ...] = ()
    lifecycle: str = "ignore"
    cases: int | None = None
    events: int = 0
    left_out: int = 0  # events that are not 'complete', with lifecycle="complete"
    skipped: int = 0  # events that lack what they must have, with missing="skip"
    skipped_for: tuple[str, ...] = ()  # what these lack: "case", "activity", "timestamp"
    skipped_cases: int = 0  # cases of which all events are among these
    labelled: int = 0  # events without an activity, which is called "(no activity)", with missing="label"
    rows_outside: int = 0  # above the names of the columns and at the end, left out with skip and skip_last
    unnamed_cases: int = 0  # traces without a name, which go by their number
    unused_times: tuple[str, ...] = ()  # columns that look like time; empty if a timestamp was read
    time_layout: str | None = None  # how the first of them is written, if it is not ISO 8601
    looked_at: int = 0  # the first events, whose transitions were looked at
    paired: float = 0.0  # the share of these that are the start or the completion of a step that has both
    paired_by: str | None = None  # the column with these transitions
    attributes: tuple[str, ...] = ()  # further attributes of events that were read
    name: str | None = None  # the column of the second names
    named_labels: int = 0  # labels that have a second name
    unnamed_labels: int = 0  # labels that have none
    ambiguous_names: int = 0  # labels with more than one
    ambiguous_example: tuple[str, ...] = ()  # the first of these, and two of its names, the more frequent one first
    files: tuple[str, ...] = ()  # the files of the log, if they are several
    other_files: tuple[str, ...] = ()  # files in the same folder that are not logs by their extension
    joined_cases: str | None = None  # how equal case ids in several files were treated: "joined" or "separate"
    instants_in_files: int = 0  # at which a joined case has events in several files, in the order of the files
    flattening: Flattening | None = None  # how the cases were chosen, if the log is object-centric
    frame_kind: FrameKind = "polars"  # of the frame that was read: results become frames of the same kind

    def __str__(self) -> str:
        figures = counted(self.events, "event")
        if self.cases is not None:
            figures = f"{counted(self.cases, 'case')}, {figures}"
        case = self.case if self.flattening is None else f"{self.case} (object type)"
        parts = [f"{self.source}: {figures}", f"case = {case}, activity = {self.activity}, {self._time()}"]
        if self.transition is not None and self.lifecycle == "ignore":
            parts.append(f"lifecycle = {self.transition}: ignored")
        if self.lifecycle == "complete":
            parts.append(f"lifecycle = {self.transition}: only 'complete', {counted(self.left_out, 'event')} left out")
        if self.lifecycle == "append":
            parts.append(f"lifecycle = {self.transition}: appended to the activity")
        if self.attributes:
            parts.append(f"attributes = {', '.join(self.attributes)}")
        if self.name is not None:
            has = f"{self.named_labels:,} of {counted(self.named_labels + self.unnamed_labels, 'label')}"
            parts.append(f"second name = {self.name} ({has})")
        if self.files:
            parts.append(self._files())
        parts += self.missing_words()
        if self.unnamed_cases:
            theirs = "its number" if self.unnamed_cases == 1 else "their number"
            parts.append(f"{counted(self.unnamed_cases, 'case')} without a name, called by {theirs}")
        return "; ".join(parts)

    def missing_words(self) -> list[str]:
        """Describe how incomplete events were treated.

        >>> Reading("log.xes", "concept:name", "concept:name", skipped=24, skipped_for=("activity",)).missing_words()
        ['24 events without an activity left out']
        """
        words = []
        if self.skipped:
            names = {"case": "a case", "activity": "an activity", "timestamp": "a timestamp"}
            lacking = " or ".join(names[role] for role in self.skipped_for)
            cases = f", and {counted(self.skipped_cases, 'case')} of only such events" if self.skipped_cases else ""
            words.append(f"{counted(self.skipped, 'event')} without {lacking} left out{cases}")
        if self.labelled:
            words.append(f"{counted(self.labelled, 'event')} without an activity called '(no activity)'")
        if self.rows_outside:
            words.append(f"{counted(self.rows_outside, 'row')} above or below the table left out")
        return words

    def _time(self) -> str:
        time = f"time = {self.timestamp or 'none'}"
        if not self.order:
            return f"{time}: events in file order"
        if self.order == (self.timestamp,):
            return f"{time}: events sorted by it"
        return f"{time}: events sorted by {', '.join(self.order)}"

    def _files(self) -> str:
        """Describe the files that the log was read from."""
        shown = ", ".join(self.files[:_SHOWN_FILES]) + (", ..." if len(self.files) > _SHOWN_FILES else "")
        cases = {None: "", "joined": ", equal case ids are one case", "separate": ", cases called by file and id"}
        return f"{counted(len(self.files), 'file')}: {shown}{cases[self.joined_cases]}"

    def remarks(self) -> list[str]:
        """Return what may be wrong with this reading, each with the option that changes it.

        >>> Reading("orders.csv", "OrderId", "Step", unused_times=("Erfasst",)).remarks()
        ["The column 'Erfasst' looks like time and was not used: if it orders the events, give --timestamp Erfasst
        (timestamp=...)."]
        """
        remarks = []
        if self.unused_times:
            first = self.unused_times[0]
            names = " and ".join(map(repr, self.unused_times[:3]))
            looks = "column {} looks like time and was" if len(self.unused_times) == 1 else "columns {} look like time and were"
            it = "it" if len(self.unused_times) == 1 else "one of them"
            layout = "" if self.time_layout is None else f" --timestamp-format {shlex.quote(self.time_layout)}"
            how = f"give --timestamp {shlex.quote(first)}{layout} (timestamp=...)"
            if not first:  # --timestamp '' leaves timestamps out
                how = "name the column in the file"
            remarks.append(f"The {looks.format(names)} not used: if {it} orders the events, {how}.")
        if self.paired >= 0.5 and self.lifecycle == "ignore":
            events = "events" if self.looked_at >= self.events else f"first {self.looked_at:,} events"
            column = "" if self.paired_by == self.transition else f"--transition {shlex.quote(str(self.paired_by))} "
            remarks.append(
                f"{100 * self.paired:.0f} % of the {events} belong to start/complete pairs, so most of these steps count twice: "
                f"{column}--lifecycle complete (lifecycle='complete') keeps one of the two."
            )
        if self.flattening is not None:
            remarks += _flattening_remarks(self.flattening)
        if self.ambiguous_names:
            label, first, second = self.ambiguous_example
            labels = counted(self.ambiguous_names, "label has", "labels have")
            remarks.append(
                f"{labels} more than one name in {self.name}: {shortened(label)} has {shortened(first)!r} and "
                f"{shortened(second)!r}; the more frequent one is shown."
            )
        if self.instants_in_files:
            times = counted(self.instants_in_files, "time a case has", "times a case has")
            remarks.append(f"{times} events of one timestamp in several files: their order is that of the files.")
        if self.other_files:
            shown = ", ".join(map(shortened, self.other_files[:_SHOWN_FILES]))
            more = ", ..." if len(self.other_files) > _SHOWN_FILES else ""
            files = counted(len(self.other_files), "file")
            remarks.append(f"Not read, because the name is not that of a log: {files} in {self.source} ({shown}{more}).")
        return remarks

    def as_dict(self) -> dict[str, Any]:
        """Return the facts and the remarks, for JSON."""
        facts = asdict(self)
        del facts["frame_kind"]
        return {**facts, "remarks": self.remarks()}


def _flattening_remarks(flattening: Flattening) -> list[str]:
    """Return what flattening by a type of objects left out or counted more than once; nothing if it did neither."""
    parts = []
    if flattening.events_elsewhere:
        one, more = "event involves none of these objects and is", "events involve none of these objects and are"
        parts.append(f"{counted(flattening.events_elsewhere, one, more)} left out")
    if flattening.shared_events:
        one, more = "event involves several and counts", "events involve several and count"
        parts.append(f"{counted(flattening.shared_events, one, more)} in the case of each")
    if flattening.idle_objects:
        one, more = "object has no event and is no case", "objects have no events and are no cases"
        parts.append(counted(flattening.idle_objects, one, more))
    type_ = shortened(flattening.object_type)
    return [f"The cases are the objects of the type {type_!r} (--object-type): {'; '.join(parts)}."] if parts else []
