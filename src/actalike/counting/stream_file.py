"""Write the state of a stream to a file, read it and check it. docs/file_formats.md describes the format in prose."""

from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.counting.window_counts import PAD, contexts_first
from actalike.errors import FileFormatError, LogError
from actalike.log import check_characters
from actalike.support.container import StoredFile, write_file
from actalike.support.row_deduplication import group_rows


class StreamState(NamedTuple):
    """Hold all that a stream must remember: the settled windows with their counts, and the open cases with their tails."""

    activities: list[str]
    windows: NDArray[np.int32]
    counts: NDArray[np.int64]
    cases: list[str]
    tails: NDArray[np.int32]
    n_events: int


def write_stream(state: StreamState, path: str | Path) -> None:
    """Write a state. Its activities must be sorted and its windows in the order of WindowCounts."""
    order = sorted(range(len(state.cases)), key=state.cases.__getitem__)
    texts = [state.cases[i].encode() for i in order]
    arrays: dict[str, NDArray[Any]] = {
        "windows": state.windows,
        "counts": state.counts,
        "tails": state.tails[order],
        "case_texts": np.frombuffer(b"".join(texts), dtype=np.uint8),  # not in the header, which must not become large
        "case_lengths": np.array([len(text) for text in texts], dtype=np.int64),
    }
    write_file(path, "stream-counter", {"activities": state.activities, "n_events": state.n_events}, arrays)


def read_stream(file: StoredFile) -> StreamState:
    """Return a stored state, or raise an error if it contradicts itself."""
    broken = FileFormatError(f"{file.path} is not a sound state of a stream: its parts contradict each other.")
    windows, tails = (file.array(name, np.int32, 2) for name in ("windows", "tails"))
    counts, lengths = (file.array(name, np.int64, 1) for name in ("counts", "case_lengths"))
    cases = _texts(file.array("case_texts", np.uint8, 1).tobytes(), lengths)
    activities = file.labels("activities")
    if cases is None or cases != sorted(set(cases)) or activities != sorted(set(activities)):
        raise broken
    width = windows.shape[1]
    if tails.shape != (len(cases), width - 1) or len(windows) != len(counts):
        raise broken
    if (counts < 1).any() or not all(_are_codes(codes, len(activities)) for codes in (windows, tails)):
        raise broken
    if tails.size and ((tails[:, -1] == PAD).any() or ((tails[:, :-1] != PAD) & (tails[:, 1:] == PAD)).any()):
        raise broken  # a tail ends with an activity, and PAD is only to its left
    if len(windows):
        _, group = group_rows(contexts_first(list(windows.T)), len(activities) + 1)
        if not np.array_equal(group, np.arange(len(windows))):
            raise broken
    left = (width - 1) // 2
    unsettled = tails[:, left:]
    occurring = np.append(windows[:, left], unsettled[unsettled != PAD])
    n_events = file.header.get("n_events")
    if PAD in occurring or len(set(occurring.tolist())) != len(activities) or type(n_events) is not int:
        raise broken
    if not counts.sum(dtype=np.float64) + (unsettled != PAD).sum() <= n_events < 2**53:
        raise broken
    try:
        check_characters(activities)
    except LogError:
        raise broken from None
    return StreamState(activities, windows, counts, cases, tails, n_events)


def _texts(joined: bytes, lengths: NDArray[np.int64]) -> list[str] | None:
    """Return the texts that were joined as UTF-8, or None if the lengths or the bytes are wrong."""
    if (lengths < 0).any() or lengths.sum(dtype=np.float64) != len(joined):
        return None
    try:
        return [joined[start:end].decode() for start, end in pairwise([0, *np.cumsum(lengths).tolist()])]
    except UnicodeDecodeError:
        return None


def _are_codes(array: NDArray[np.int32], n: int) -> bool:
    """Return whether an array holds only codes of ``n`` activities and PAD."""
    return bool(array.min(initial=PAD) >= PAD and array.max(initial=PAD) < n)
