"""From events as they were read to an EventLog: lifecycle, order, cases together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from actalike.errors import ActalikeError, LogError
from actalike.io.timestamps import NO_TIME
from actalike.log import EventLog

Lifecycle = Literal["ignore", "complete", "append"]
Order = Literal["file", "time"]


@dataclass
class Events:
    """Events in the order of the source, as codes; cases in the order of their first appearance."""

    source: str
    labels: Sequence[str]
    codes: NDArray[np.int32]
    case_ids: Sequence[str]
    cases: NDArray[np.int64]
    times: NDArray[np.int64] | None  # microseconds, NO_TIME where there is none; None where no event has one
    transition_labels: Sequence[str]
    transitions: NDArray[np.int32] | None  # -1 where there is none; None where no event has one
    place: Callable[[int], str]  # an event's place in the source, in words


def check_options(lifecycle: str, order: str | None) -> None:
    """Refuse unknown choices before anything is read."""
    if lifecycle not in ("ignore", "complete", "append"):
        raise ActalikeError(f"lifecycle={lifecycle!r} is none of 'ignore', 'complete', 'append'.")
    if order not in (None, "file", "time"):
        raise ActalikeError(f"order={order!r} is neither 'file' nor 'time'.")


def assemble(events: Events, lifecycle: Lifecycle, order: Order) -> EventLog:
    """Apply the lifecycle option, put each case's events together and in order, and build the log."""
    labels, codes, cases, times = events.labels, events.codes, events.cases, events.times
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
            if not len(codes):
                raise LogError(
                    f"{events.source} has no event whose transition is 'complete': its transitions are "
                    f"{', '.join(map(repr, sorted(events.transition_labels)[:10]))}. Read it with lifecycle='ignore'."
                )
    by = (cases,) if order == "file" or times is None else (times, cases)
    arranged = np.lexsort(by)  # stable: ties stay in the order of the source
    offsets = np.concatenate([[0], np.cumsum(np.bincount(cases, minlength=len(events.case_ids)))])
    timestamps = None if times is None else times[arranged].view("datetime64[us]")
    return EventLog(labels, codes[arranged], offsets, events.case_ids, timestamps)


def _check_times(events: Events) -> None:
    if events.times is None:
        raise LogError(f"{events.source} has no timestamps, so its events cannot be put in order of time: use order='file'.")
    missing = np.flatnonzero(events.times == NO_TIME)
    if len(missing):
        raise LogError(
            f"{events.source}: {events.place(int(missing[0]))} has no timestamp, and {len(missing):,} events in all have none. "
            "Mend them, or keep the order of the file with order='file' (--order file); nothing was read."
        )


def _checked_transitions(events: Events, lifecycle: Lifecycle) -> NDArray[np.int32]:
    if events.transitions is None:
        raise LogError(
            f"{events.source} has no lifecycle transitions, which lifecycle={lifecycle!r} needs: use lifecycle='ignore'."
        )
    missing = np.flatnonzero(events.transitions < 0)
    if len(missing):
        raise LogError(
            f"{events.source}: {events.place(int(missing[0]))} has no lifecycle transition, which lifecycle={lifecycle!r} "
            "needs: mend the log, or use lifecycle='ignore'."
        )
    return events.transitions


def _append(
    labels: Sequence[str], codes: NDArray[np.int32], transition_labels: Sequence[str], transitions: NDArray[np.int32]
) -> tuple[list[str], NDArray[np.int32]]:
    """Labels like ``Check+complete``, one for each pair that occurs. Two pairs may read the same; then they are one."""
    pairs, pair_of_event = np.unique(codes.astype(np.int64) * len(transition_labels) + transitions, return_inverse=True)
    known: dict[str, int] = {}
    joined = [
        known.setdefault(
            f"{labels[pair // len(transition_labels)]}+{transition_labels[pair % len(transition_labels)]}", len(known)
        )
        for pair in pairs.tolist()
    ]
    return list(known), np.array(joined, dtype=np.int32)[pair_of_event]
