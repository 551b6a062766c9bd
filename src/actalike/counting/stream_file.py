"""Write the state of a stream to a file, read it and check it. docs/file_formats.md describes the format in prose."""

from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.counting.window_counts import PAD, contradiction, excess, occurring_codes
from actalike.errors import ActalikeError, FileFormatError
from actalike.support.container import StoredFile, write_file

MOST_STREAM_SYMBOLS = 1_000  # an open case has up to half as many windows of this size that are not counted yet


class StreamState(NamedTuple):
    """Hold all that a stream must remember: the settled windows with their counts, and the open cases.

    Of each open case these are its id, its tail, and how many events it has had.
    """

    activities: list[str]
    windows: NDArray[np.int32]
    counts: NDArray[np.int64]
    cases: list[str]
    tails: NDArray[np.int32]
    lengths: NDArray[np.int64]
    n_events: int


def write_stream(state: StreamState, path: str | Path) -> None:
    """Write a state. Its activities must be sorted and its windows in the order of WindowCounts."""
    problem = excess(state.activities, state.windows.shape[1], MOST_STREAM_SYMBOLS)
    if problem:
        raise ActalikeError(f"{path} cannot be written: {problem}. Nothing was written.")
    order = sorted(range(len(state.cases)), key=state.cases.__getitem__)
    texts = [state.cases[i].encode() for i in order]
    arrays: dict[str, NDArray[Any]] = {
        "windows": state.windows,
        "counts": state.counts,
        "tails": state.tails[order],
        "case_events": state.lengths[order],
        "case_texts": np.frombuffer(b"".join(texts), dtype=np.uint8),  # not in the header, which must not become large
        "case_lengths": np.array([len(text) for text in texts], dtype=np.int64),
    }
    write_file(path, "stream-counter", {"activities": state.activities, "n_events": state.n_events}, arrays)


def read_stream(file: StoredFile) -> StreamState:
    """Return a stored state, or raise an error if it contradicts itself."""
    if "case_events" not in file.arrays and "tails" in file.arrays:
        raise FileFormatError(
            f"{file.path} has a stream of actalike 0.1, which did not save how many events each open case has:"
            " count the events again, or keep its counts by load(...).counts().save(...) in 0.1. Nothing was read."
        )
    file.check_names(("windows", "counts", "tails", "case_events", "case_texts", "case_lengths"))
    windows, tails = (file.array(name, np.int32, 2) for name in ("windows", "tails"))
    counts, lengths, text_lengths = (file.array(name, np.int64, 1) for name in ("counts", "case_events", "case_lengths"))
    activities, n_events = file.labels("activities"), file.header["n_events"]
    window = windows.shape[1]
    problem = excess(activities, window, MOST_STREAM_SYMBOLS) or contradiction(activities, windows, counts)
    problem = problem or _contradiction_of_tails(tails, window, len(activities))
    problem = problem or _contradiction_of_lengths(lengths, tails, n_events)
    if problem:
        raise file.unsound(problem)
    cases = _texts(file.array("case_texts", np.uint8, 1).tobytes(), text_lengths)
    if cases is None or len(cases) != len(tails) or not all(a < b for a, b in pairwise(cases)):
        raise file.unsound("the names of its open cases are not sorted, not distinct or not whole")
    left = (window - 1) // 2
    unsettled = tails[:, left:]
    occurring = occurring_codes(np.append(windows[:, left], unsettled), len(activities))
    if len(occurring) < len(activities):
        raise file.unsound("an activity does not occur")
    if counts.sum(dtype=np.float64) + (unsettled != PAD).sum() > n_events:
        raise file.unsound(f"it counts more than its {n_events:,} events")
    return StreamState(activities, windows, counts, cases, tails, lengths, n_events)


def _contradiction_of_tails(tails: NDArray[np.int32], window: int, n: int) -> str | None:
    """Return why these cannot be the tails of cases with windows of this size and ``n`` activities."""
    if tails.shape[1] != window - 1:
        return f"its windows have {window:,} symbols, and its tails {tails.shape[1]:,}"
    if not tails.size:
        return None
    if tails.min() < PAD or tails.max() >= n:
        return "a tail holds what is not one of the activities"
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


def _texts(joined: bytes, lengths: NDArray[np.int64]) -> list[str] | None:
    """Return the texts that were joined as UTF-8, or None if the lengths or the bytes are wrong."""
    if (lengths < 0).any() or lengths.sum(dtype=np.float64) != len(joined):
        return None
    try:
        return [joined[start:end].decode() for start, end in pairwise([0, *np.cumsum(lengths).tolist()])]
    except UnicodeDecodeError:
        return None
