"""Write the state of a stream to a file, read it and check it. docs/file_formats.md describes the format in prose."""

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from actalike.counting.stream_events import Clock, Event, Late
from actalike.counting.windows import PAD, contradiction, excess, occurring_codes
from actalike.errors import ActalikeError, FileFormatError
from actalike.support.saved import Label, LabelledHeader, StoredFile, write_file

MOST_STREAM_SYMBOLS = 1_000  # an open case has up to half as many windows of this size that are not counted yet
MOST_OFFSETS = 1 << 16  # characters

_ARRAYS = ("windows", "counts", "tails", "case_events", "case_texts", "case_lengths")
_CLOCK_ARRAYS = ("clock", "case_times", "held_times", "held_texts", "held_lengths")
_NONE = np.iinfo(np.int64).min  # stands for None
_MOST = 1 << 60  # nanoseconds, which are 36 years


class StreamHeader(LabelledHeader, forbid_unknown_fields=True):
    """Describe the header of the state of a stream: there are no activities before the first event."""

    activities: Annotated[list[Label], msgspec.Meta(max_length=10_000_000)]
    n_events: Annotated[int, msgspec.Meta(ge=0, le=1 << 52)]
    late: Late | None = None  # what happens to events that come too late; only where events have timestamps
    offsets: Annotated[str, msgspec.Meta(max_length=MOST_OFFSETS)] | None = None  # JSON, an object that the user gave


class StreamState(NamedTuple):
    """Hold all that a stream must remember: the settled windows with their counts, and the open cases.

    Of each open case these are its id, its tail, and how many events it has had. A stream of events with timestamps has a clock.
    """

    activities: list[str]
    windows: NDArray[np.int32]
    counts: NDArray[np.int64]
    cases: list[str]
    tails: NDArray[np.int32]
    lengths: NDArray[np.int64]
    n_events: int
    clock: Clock | None = None
    offsets: dict[str, Any] = {}  # noqa: RUF012 - it is never changed


def checked_offsets(offsets: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return a copy of the offsets that a user gives, or raise an error unless they are a small dict of JSON values."""
    if offsets is None:
        return {}
    try:
        written = json.dumps(dict(offsets), allow_nan=False)
        copied = json.loads(written)
    except (TypeError, ValueError, RecursionError):
        copied = None
    if copied is None or copied != dict(offsets) or len(written) > MOST_OFFSETS:
        raise ActalikeError(
            f"offsets must be a dict of JSON values, such as {{'orders-0': 4711}}, of at most {MOST_OFFSETS:,} characters. "
            "Nothing was written."
        )
    return dict(copied)


def write_stream(state: StreamState, path: str | Path) -> None:
    """Write a state. Its activities and cases must be sorted and its windows in the order of WindowCounts."""
    problem = excess(state.activities, state.windows.shape[1], MOST_STREAM_SYMBOLS)
    if problem:
        raise ActalikeError(f"{path} cannot be written: {problem}. Nothing was written.")
    header: dict[str, Any] = {"activities": state.activities, "n_events": state.n_events}
    case_texts, case_lengths = _joined(state.cases)  # not in the header, which must not become large
    arrays: dict[str, NDArray[Any]] = {
        "windows": state.windows,
        "counts": state.counts,
        "tails": state.tails,
        "case_events": state.lengths,
        "case_texts": case_texts,
        "case_lengths": case_lengths,
    }
    if state.offsets:
        header["offsets"] = json.dumps(state.offsets, sort_keys=True)
    if state.clock is not None:
        clock = state.clock
        numbers = (clock.lateness, clock.idle, clock.latest, clock.n_late)
        header["late"] = clock.late
        arrays["clock"] = np.array([_NONE if number is None else number for number in numbers], dtype=np.int64)
        arrays["case_times"] = np.array([clock.last[case] for case in state.cases], dtype=np.int64)
        arrays["held_times"] = np.array([event.time for event in clock.held], dtype=np.int64)
        arrays["held_texts"], arrays["held_lengths"] = _joined([text for event in clock.held for text in event[1:]])
    write_file(path, "stream-counter", header, arrays, lambda file: file.header(StreamHeader))


def read_stream(file: StoredFile) -> StreamState:
    """Return a stored state, or raise an error if it contradicts itself."""
    if "case_events" not in file.arrays and "tails" in file.arrays:
        raise FileFormatError(
            f"{file.path} has a stream of actalike 0.1, which did not save how many events each open case has:"
            " count the events again, or keep its counts by load(...).counts().save(...) in 0.1. Nothing was read."
        )
    header = file.header(StreamHeader)
    file.check_names(_ARRAYS if header.late is None else (*_ARRAYS, *_CLOCK_ARRAYS))
    windows, tails = (file.array(name, np.int32, 2) for name in ("windows", "tails"))
    counts, lengths = (file.array(name, np.int64, 1) for name in ("counts", "case_events"))
    activities, n_events = header.activities, header.n_events
    window = windows.shape[1]
    problem = excess(activities, window, MOST_STREAM_SYMBOLS) or contradiction(activities, windows, counts)
    problem = problem or _contradiction_of_tails(tails, window, len(activities))
    problem = problem or _contradiction_of_lengths(lengths, tails, n_events)
    if problem:
        raise file.unsound(problem)
    cases = _texts(file, "case_texts", "case_lengths")
    if cases is None or len(cases) != len(tails) or not all(a < b for a, b in pairwise(cases)):
        raise file.unsound("the names of its open cases are not sorted, not distinct or not whole")
    left = (window - 1) // 2
    unsettled = tails[:, left:]
    occurring = occurring_codes(np.append(windows[:, left], unsettled), len(activities))
    if len(occurring) < len(activities):
        raise file.unsound("an activity does not occur")
    clock = None if header.late is None else _read_clock(file, cases, header.late)
    not_counted = 0 if clock is None else len(clock.held) + clock.n_late
    if counts.sum(dtype=np.float64) + (unsettled != PAD).sum() + not_counted > n_events:
        raise file.unsound(f"it counts more than its {n_events:,} events")
    return StreamState(activities, windows, counts, cases, tails, lengths, n_events, clock, _read_offsets(file, header))


def _read_clock(file: StoredFile, cases: Sequence[str], late: Late) -> Clock:
    """Return the stored clock, or raise an error if it contradicts itself or the open cases."""
    numbers, case_times, held_times = (file.array(name, np.int64, 1) for name in ("clock", "case_times", "held_times"))
    texts = _texts(file, "held_texts", "held_lengths")
    if len(numbers) != 4:
        raise file.unsound("its clock is not whole")
    lateness, idle, latest, n_late = (None if number == _NONE else number for number in numbers.tolist())
    if texts is None or len(texts) != 2 * len(held_times) or len(case_times) != len(cases):
        raise file.unsound("the events that it holds back, or the times of its cases, are not whole")
    if lateness is None or n_late is None or not all(0 <= number <= _MOST for number in (lateness, idle or 0, n_late)):
        raise file.unsound("its clock holds a number that is too small or too large")
    clock = Clock(lateness, idle, late, latest, n_late)
    if (held_times[1:] < held_times[:-1]).any() or not _are_times(held_times, clock, after=True):
        raise file.unsound("the events that it holds back are not in the order of time, or not after those that it counted")
    if not _are_times(case_times, clock, after=False):
        raise file.unsound("an open case has an event after the latest event")
    clock.held = [Event(*event) for event in zip(held_times.tolist(), texts[::2], texts[1::2], strict=True)]
    clock.last = dict(sorted(zip(cases, case_times.tolist(), strict=True), key=lambda item: item[1]))
    return clock


def _are_times(times: NDArray[np.int64], clock: Clock, after: bool) -> bool:
    """Return whether times are up to the latest, and after (or not after) the time of the stream."""
    if not len(times):
        return True
    if clock.latest is None or clock.now is None:
        return False
    low, high = int(times.min()), int(times.max())
    return clock.now < low and high <= clock.latest if after else high <= clock.now


def _read_offsets(file: StoredFile, header: StreamHeader) -> dict[str, Any]:
    """Return the offsets of a user that were stored with the state."""
    if header.offsets is None:
        return {}
    try:
        return checked_offsets(json.loads(header.offsets))
    except (ValueError, TypeError, RecursionError, ActalikeError):
        raise file.unsound("its offsets are not a dict of JSON values") from None


def _contradiction_of_tails(tails: NDArray[np.int32], window: int, n: int) -> str | None:
    """Return why these cannot be the tails of cases with windows of this size and ``n`` activities."""
    if tails.shape[1] != window - 1:
        return f"its windows have {window:,} symbols, and its tails {tails.shape[1]:,}"
    if not tails.size:
        return None
    if tails.min() < PAD or tails.max() >= n:
        return "a tail holds an unknown activity"
    if (tails[:, -1] == PAD).any() or ((tails[:, :-1] != PAD) & (tails[:, 1:] == PAD)).any():
        return "a tail does not end with an activity, or has a gap"
    return None


def _contradiction_of_lengths(lengths: NDArray[np.int64], tails: NDArray[np.int32], n_events: int) -> str | None:
    """Return why open cases with these tails cannot have so many events; the tail of a case is whole until it is full."""
    if len(lengths) != len(tails):
        return f"it has {len(tails):,} tails, and the numbers of events of {len(lengths):,} cases"
    in_tail = (tails != PAD).sum(axis=1)
    if (lengths < np.maximum(in_tail, 1)).any() or ((in_tail < tails.shape[1]) & (lengths > in_tail)).any():
        return "the number of events of an open case is not that of its tail"
    if lengths.sum(dtype=np.float64) > n_events:
        return f"its open cases have more than its {n_events:,} events"
    return None


def _joined(texts: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return texts as UTF-8, one after the other, and how many bytes each has."""
    encoded = [text.encode() for text in texts]
    return np.frombuffer(b"".join(encoded), dtype=np.uint8), np.array([len(text) for text in encoded], dtype=np.int64)


def _texts(file: StoredFile, texts: str, lengths: str) -> list[str] | None:
    """Return texts that were joined as UTF-8, or None if the lengths or the bytes are wrong."""
    joined, ends = file.array(texts, np.uint8, 1).tobytes(), file.array(lengths, np.int64, 1)
    if (ends < 0).any() or ends.sum(dtype=np.float64) != len(joined):
        return None
    try:
        return [joined[start:end].decode() for start, end in pairwise([0, *np.cumsum(ends).tolist()])]
    except UnicodeDecodeError:
        return None
