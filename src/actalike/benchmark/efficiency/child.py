"""The process in which one method is measured on one log: ``python -m actalike.benchmark.efficiency.child``.

It gets method and log by its standard input, and writes lines of JSON to its standard output: one of the first call, with sizes
and memory, then one for each round; or an error. It ends when its parent does: then its standard input is closed.
"""

import copy
import json
import os
import pickle
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.efficiency.memory import peak_during, size_of
from actalike.benchmark.efficiency.parts import Round, as_published, timed_round, whole_call
from actalike.benchmark.folders import error_text
from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods import Method

Arrays = tuple[list[str], NDArray[np.int32], NDArray[np.int64]]  # activities, codes, offsets


def measure(name: str, method: Method, arrays: Arrays, repeats: int, until: float) -> Iterator[dict[str, Any]]:
    """Yield the first call, then as many rounds as were asked for, as long as another is likely to end in time."""

    def fresh() -> EventLog:
        activities, codes, offsets = arrays
        return EventLog(activities, codes, offsets, [""] * (len(offsets) - 1))

    with suppress(Exception, SystemExit):  # loads the packages that the method needs: they are no part of its work
        whole_call(copy.deepcopy(method), EventLog.from_traces([["a", "b", "c"], ["a", "c", "b"]]))
    whole, peak = peak_during(partial(whole_call, copy.deepcopy(method), fresh()))
    _check(whole.embedding, whole.distances, arrays[0])
    likely = whole.laps.total
    yield {
        "first": asdict(Round(likely, whole.laps.processor, whole.laps.seconds, as_published(name, whole, None))),
        "size": size_of(whole.embedding)._asdict(),
        "memory": peak and {"before_bytes": peak.before, "peak_bytes": peak.peak},
    }
    del whole
    for _ in range(repeats):
        started = time.monotonic()
        if started + likely > until:
            return
        yield asdict(timed_round(name, method, fresh))
        likely = time.monotonic() - started


def _check(embedding: Any, distances: Any, activities: list[str]) -> None:
    """Refuse what a method has left if it is no result."""
    if not isinstance(embedding, Embedding):
        raise ActalikeError(f"it left {type(embedding).__name__} in embedding_, not an Embedding")
    if embedding.activities != activities:
        raise ActalikeError("its activities are not those of the log")
    if np.shape(distances) != (len(activities),) * 2 or not np.isfinite(distances).all():
        raise ActalikeError("its distances are not a finite number for each pair of activities")


def main() -> None:
    """Measure what the parent sends."""
    started = time.monotonic()
    channel = _channel()

    def tell(facts: dict[str, Any]) -> None:
        channel.write(json.dumps(facts) + "\n")
        channel.flush()

    try:
        name, method, arrays, repeats, limit = pickle.load(sys.stdin.buffer)  # from our own parent
        threading.Thread(target=_end_with_parent, daemon=True).start()
        for facts in measure(name, method, arrays, repeats, started + limit):
            tell(facts)
    except (Exception, SystemExit) as error:  # a method may be anybody's: whatever it raises is its result
        tell({"error": error_text(error)})


def _channel() -> TextIO:
    """Open the way to the parent; what a method prints goes nowhere."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return channel


def _end_with_parent() -> None:
    while os.read(0, 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    main()
