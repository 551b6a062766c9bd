"""Build an EventLog from the events that were read: apply the lifecycle option, sort, and group by case."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from actalike.errors import ActalikeError, LogError
from actalike.io.columns import Columns
from actalike.io.second_names import choose_names
from actalike.io.timestamps import NO_TIME
from actalike.io.unused_columns import Unread, describe
from actalike.log import Attribute, EventLog, Flattening, Reading

Lifecycle = Literal["ignore", "complete", "append"]
Order = Literal["file", "time"]


@dataclass
class Events:
    """Hold events as codes, in the order of the source; cases are in the order of their first appearance."""

    source: str
    labels: Sequence[str]
    codes: NDArray[np.int32]
    case_ids: Sequence[str]
    cases: NDArray[np.int64]
    times: NDArray[np.int64] | None  # microseconds, NO_TIME for an event without a timestamp; None if no event has one
    transition_labels: Sequence[str]
    transitions: NDArray[np.int32] | None  # -1 for an event without a transition; None if no event has one
    place: Callable[[int], str]  # describes in words where in the source an event is
    columns: Columns  # where the events were read from
    unread: Unread | None = None
    unnamed_cases: int = 0  # cases without a name in the source: their ids are their numbers
    attributes: Mapping[str, Attribute] = field(default_factory=dict)  # values in any order
    second_name: tuple[str, Attribute] | None = None  # the column of the second names, and its values
    n_bytes: int = 0  # of the file, unpacked
    files: tuple[str, ...] = ()  # of which the log is put together, if it is
    other_files: tuple[str, ...] = ()  # in the same folder, not read
    flattening: Flattening | None = None  # of an object-centric log
    joined: str | None = None  # what was said of equal case ids in several files


def check_options(lifecycle: str, order: str | None) -> None:
    """Raise an error if an option has an unknown value, before anything is read."""
    if lifecycle not in ("ignore", "complete", "append"):
        raise ActalikeError(f"lifecycle={lifecycle!r} is none of 'ignore', 'complete', 'append'.")
    if order not in (None, "file", "time"):
        raise ActalikeError(f"order={order!r} is neither 'file' nor 'time' (--order).")


def assemble(events: Events, lifecycle: Lifecycle, order: Order) -> EventLog:
    """Apply the lifecycle option, group the events by case, sort them, and build the log."""
    labels, codes, cases, times = events.labels, events.codes, events.cases, events.times
    attributes = {name: attribute.codes for name, attribute in events.attributes.items()}
    second = None if events.second_name is None else events.second_name[1].codes
    if not len(codes):
        raise LogError(f"{events.source} is empty: it has no events.")
    if order == "time":
        _check_times(events)
    if lifecycle != "ignore":
        transitions = _checked_transitions(events, lifecycle)
        if lifecycle == "append":
            labels, codes = _append(labels, codes, events.transition_labels, transitions)
        else:
            complete = np.array([label.lower() == "complete" for label in events.transition_labels], dtype=bool)
            keep = complete[transitions]
            codes, cases = codes[keep], cases[keep]
            times = None if times is None else times[keep]
            attributes = {name: values[keep] for name, values in attributes.items()}
            second = None if second is None else second[keep]
            if not len(codes):
                raise no_complete_event(events.source, events.transition_labels)
    sort_keys = (cases,) if order == "file" or times is None else (times, cases)
    event_order = np.lexsort(sort_keys)  # stable: ties stay in the order of the source
    offsets = np.concatenate([[0], np.cumsum(np.bincount(cases, minlength=len(events.case_ids)))])
    timestamps = None if times is None else times[event_order].view("datetime64[us]")
    reading = reading_of(events, lifecycle, order, len(codes))
    names: dict[str, str] = {}
    if events.second_name is not None and second is not None:
        column, attribute = events.second_name
        names, facts = choose_names(labels, codes, Attribute(attribute.values, second))
        reading = replace(reading, name=column, **facts)
    sorted_attributes = {
        name: Attribute(events.attributes[name].values, values[event_order]) for name, values in attributes.items()
    }
    return EventLog(labels, codes[event_order], offsets, events.case_ids, timestamps, reading, sorted_attributes, names)


def reading_of(events: Events, lifecycle: Lifecycle, order: Order, kept: int) -> Reading:
    """Return how the events were understood; ``kept`` of them are in the log."""
    columns = events.columns
    return Reading(
        events.source,
        columns.case,
        columns.activity,
        timestamp=columns.timestamp,
        transition=columns.transition,
        order=() if order == "file" or columns.timestamp is None else (columns.timestamp,),
        lifecycle=lifecycle,
        cases=len(events.case_ids),
        events=kept,
        left_out=len(events.codes) - kept,
        unnamed_cases=events.unnamed_cases,
        attributes=tuple(events.attributes),
        files=events.files,
        other_files=events.other_files,
        joined_cases=events.joined,
        flattening=events.flattening,
        **describe(events.unread, events.cases, events.codes),
    )


def _check_times(events: Events) -> None:
    """Raise an error unless every event has a timestamp."""
    if events.times is None:
        raise LogError(f"{events.source} has no timestamps, so its events cannot be sorted by time: use order='file'.")
    missing = np.flatnonzero(events.times == NO_TIME)
    if len(missing):
        raise untimed_event(events.source, events.place(int(missing[0])), len(missing))


def _checked_transitions(events: Events, lifecycle: Lifecycle) -> NDArray[np.int32]:
    """Return the transitions of the events, or raise an error if an event has none."""
    if events.transitions is None:
        raise no_transitions(events.source, lifecycle)
    missing = np.flatnonzero(events.transitions < 0)
    if len(missing):
        raise without_transition(events.source, events.place(int(missing[0])), lifecycle)
    return events.transitions


def untimed_event(source: str, place: str, events: int) -> LogError:
    """Return the error about events that cannot be sorted by time, of which the first is at ``place``."""
    return LogError(
        f"{source}: {place} has no timestamp, and {_have_none(events)}. Add the timestamps, or keep the order of "
        "the file with order='file' (--order file); nothing was read."
    )


def _have_none(events: int) -> str:
    return "no other event lacks one" if events == 1 else f"{events:,} events in all have none"


def no_transitions(source: str, lifecycle: Lifecycle) -> LogError:
    """Return the error about a log without lifecycle transitions, where each event must have one."""
    return LogError(f"{source} has no lifecycle transitions, which lifecycle={lifecycle!r} needs: use lifecycle='ignore'.")


def without_transition(source: str, place: str, lifecycle: Lifecycle) -> LogError:
    """Return the error about an event without a lifecycle transition, where each must have one."""
    return LogError(
        f"{source}: {place} has no lifecycle transition, which lifecycle={lifecycle!r} needs: correct the log, or use "
        "lifecycle='ignore'."
    )


def no_complete_event(source: str, transitions: Iterable[str]) -> LogError:
    """Return the error about a log of which ``lifecycle="complete"`` would leave nothing."""
    return LogError(
        f"{source} has no event whose transition is 'complete': its transitions are "
        f"{', '.join(map(repr, sorted(transitions)[:10]))}. Read it with lifecycle='ignore'."
    )


def _append(
    labels: Sequence[str], codes: NDArray[np.int32], transition_labels: Sequence[str], transitions: NDArray[np.int32]
) -> tuple[list[str], NDArray[np.int32]]:
    """Return labels such as ``Check+complete`` for the pairs of activity and transition that occur, and the events' codes.

    Two pairs can have the same label; they become one activity.
    """
    pairs, pair_of_event = np.unique(codes.astype(np.int64) * len(transition_labels) + transitions, return_inverse=True)
    known: dict[str, int] = {}
    joined = [
        known.setdefault(
            f"{labels[pair // len(transition_labels)]}+{transition_labels[pair % len(transition_labels)]}", len(known)
        )
        for pair in pairs.tolist()
    ]
    return list(known), np.array(joined, dtype=np.int32)[pair_of_event]
