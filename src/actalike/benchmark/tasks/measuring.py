"""Measuring a method on a log, in a process of its own: times and their parts, the size of an embedding, memory.

Every call starts from a log that nobody has looked at yet (its variants are not known), and ends with all distances. The process
(``python -m actalike.benchmark.tasks.measuring``) gets method and log by its standard input, and writes lines of JSON to its
standard output: one of the first call, with sizes and memory, then one for each round; or an error. It ends when its parent does:
then its standard input is closed. It is ended with everything that it started when its time is up.
"""

import copy
import csv
import ctypes
import inspect
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple, TextIO, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from actalike.benchmark.folders import error_text
from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods import Method, MethodName, embed

Arrays = tuple[list[str], NDArray[np.int32], NDArray[np.int64]]  # activities, codes, offsets
WITHOUT_DISCOVERY = " w/o discovery"  # follows the name of a method whose discovery of a model is not counted
FIT, DISTANCES = "fit", "distances"
# the parts of our own methods, in the order of tables; any other part of somebody's method comes before the distances
ITEMS = ("count", "matrix", "weighting", "scores", "rounds", "discovery", "features", "training", FIT, DISTANCES)
_WEIGHTED = ("-pmi", "-ppmi")
_TRAINED = ("act2vec-cbow", "act2vec-skipgram", "autoencoder")
_Result = TypeVar("_Result")
_PROC = Path("/proc/self")  # Linux


def measure_apart(name: str, method: Method, log: EventLog, repeats: int, limit: float) -> dict[str, Any]:
    """Return sizes, memory and times of a method on a log, or its error, from a fresh process that gets so many seconds."""
    from cloudpickle import dumps  # of the extra benchmark: tables of results do without it

    try:
        sent = dumps((name, method, (log.activities, log.codes, log.offsets), repeats, limit))
    except (Exception, SystemExit) as error:  # a method may be anybody's
        return {"error": error_text(error)}
    output, code = _in_a_process(sent, limit)
    lines = output.decode().splitlines(keepends=True)
    facts = [json.loads(line) for line in lines if line.endswith("\n")]  # a process that was ended may leave half a line
    if facts and "error" in facts[-1]:
        return {"error": facts[-1]["error"]}
    if not facts and code is None:
        return {"error": f"more than {limit:g} s", "more_than": limit}
    if not facts or code:
        return {"error": f"its process ended with {_ending(code)}"}
    first, *rounds = facts
    return {"size": first["size"], "memory": first["memory"], "rounds": rounds or [first["first"]]}


def _in_a_process(sent: bytes, limit: float) -> tuple[bytes, int | None]:
    """Return what a fresh process writes, and its exit code; None if it had to be ended because time was up."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "actalike.benchmark.tasks.measuring"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(place or os.getcwd() for place in sys.path)},
        start_new_session=True,  # so that it can be ended with all processes that it may start
    )
    feed, process.stdin = process.stdin, None  # stays open to the end: when it closes, the process knows that we are gone
    assert feed is not None
    try:
        with suppress(BrokenPipeError):
            feed.write(sent)
            feed.flush()
        return process.communicate(timeout=limit)[0], process.returncode
    except subprocess.TimeoutExpired:
        _end(process)
        return process.communicate()[0], None
    finally:
        _end(process)
        process.wait()
        with suppress(BrokenPipeError):
            feed.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process that we started, and those that it started, if it still runs."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _ending(code: int | None) -> str:
    if code == -signal.SIGKILL:
        return "signal 9, which is how a system ends a process that takes too much memory"
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"


# --- in the process ----------------------------------------------------------------------------------------------------------


def measure(name: str, method: Method, arrays: Arrays, repeats: int, until: float) -> Iterator[dict[str, Any]]:
    """Yield the first call, then as many rounds as were asked for, as long as another is likely to end in time."""

    def fresh() -> EventLog:
        activities, codes, offsets = arrays
        return EventLog(activities, codes, offsets, [""] * (len(offsets) - 1))

    with suppress(Exception, SystemExit):  # loads the packages that the method needs: they are not part of its work
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
    """Reject what a method has left if it is not a result."""
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


# --- times and their parts ---------------------------------------------------------------------------------------------------


class Laps:
    """A stopwatch: each call names what was done since the last.

    >>> laps = Laps()
    >>> laps("count")
    >>> list(laps.seconds), laps.total >= 0
    (['count'], True)
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.processor = 0.0  # seconds for which this process was computing: other work of the machine does not count
        self._busy_before = time.process_time()
        self._since = time.perf_counter()

    def __call__(self, part: str) -> None:
        """Note how long a part took."""
        self.seconds[part] = time.perf_counter() - self._since
        self.processor = time.process_time() - self._busy_before
        self._since = time.perf_counter()

    @property
    def total(self) -> float:
        """The seconds of all laps."""
        return sum(self.seconds.values())


@dataclass(frozen=True)
class Round:
    """Seconds of a whole call, and of the processor in it; its parts, in a call of their own; all that the authors timed."""

    seconds: float
    processor: float
    items: dict[str, float]
    as_published: float | None


class Timed(NamedTuple):
    """What a timed call has left: the times, the embedding and the distances."""

    laps: Laps
    embedding: Embedding
    distances: Any


def whole_call(method: Method, log: EventLog) -> Timed:
    """Fit a method and compute all distances."""
    laps = Laps()
    embedding = method.fit(log).embedding_
    laps(method.parts[0] if len(method.parts) == 1 else FIT)
    return _with_distances(laps, embedding)


def call_by_parts(method: Any, log: EventLog) -> Timed:
    """Do the same work with the method's own parts timed."""
    laps = Laps()
    return _with_distances(laps, method.fit(log, laps).embedding_)


def _with_distances(laps: Laps, embedding: Embedding) -> Timed:
    distances = embedding.distances()
    laps(DISTANCES)
    return Timed(laps, embedding, distances)


def has_parts(method: Method) -> bool:
    """Return whether a method names several parts of its work, and its ``fit`` takes a stopwatch for them.

    A class that inherits the parts may have a ``fit`` of its own, which does something else.
    """
    return len(method.parts) > 1 and "lap" in inspect.signature(method.fit).parameters


def timed_round(name: str, method: Method, fresh: Callable[[], EventLog]) -> Round:
    """Time a whole call and the parts, each with a fresh copy of the method and the log."""
    whole = whole_call(copy.deepcopy(method), fresh())
    items = call_by_parts(copy.deepcopy(method), fresh()).laps.seconds if has_parts(method) else whole.laps.seconds
    return Round(whole.laps.total, whole.laps.processor, items, as_published(name, whole, fresh))


def as_published(name: str, whole: Timed, fresh: Callable[[], EventLog] | None) -> float | None:
    """Return the seconds of what the paper's authors timed, given a whole call; None for methods that they did not time.

    Without a fresh log, also None where their protocol needs another embedding.
    """
    seconds = extra_seconds(name, whole.embedding, fresh)
    return None if seconds is None else whole.laps.total + seconds


# --- sizes and memory --------------------------------------------------------------------------------------------------------


class Size(NamedTuple):
    """Of an embedding: its shape, its bytes if every number were written out (8 each), and those that it has."""

    rows: int
    dimension: int
    dense_bytes: int
    stored_bytes: int
    stored: str


def size_of(embedding: Embedding) -> Size:
    """Return the size of an embedding: sparse vectors have their data and two indices, dense ones every number, kin its cosines.

    >>> from actalike import EventLog, embed
    >>> size_of(embed(EventLog.from_traces([["a", "b", "a"]]), "substitution-w3"))
    Size(rows=2, dimension=2, dense_bytes=32, stored_bytes=32, stored='dense')
    """
    vectors = embedding.stored_vectors
    rows, dimension = vectors.shape
    if embedding.cosines is not None:
        stored, n_bytes = "cosines", embedding.cosines.nbytes
    elif issparse(vectors):
        stored, n_bytes = "sparse", vectors.data.nbytes + vectors.indices.nbytes + vectors.indptr.nbytes
    else:
        stored, n_bytes = "dense", vectors.nbytes
    return Size(rows, dimension, rows * dimension * 8, n_bytes, stored)


def with_cost(call: Callable[[], _Result]) -> tuple[_Result, dict[str, float | None]]:
    """Call a function and return its result, and its ``seconds`` of the processor and the ``bytes`` that the process grew by."""
    began = time.process_time()
    result, peak = peak_during(call)
    seconds = time.process_time() - began
    return result, {"seconds": seconds, "bytes": None if peak is None else float(peak.peak - peak.before)}


class Peak(NamedTuple):
    """Resident bytes of this process: before a call, and the most there were during it."""

    before: int
    peak: int


def peak_during(call: Callable[[], _Result]) -> tuple[_Result, Peak | None]:
    """Call a function and return its result, and how far the resident memory rose; None where a system does not tell.

    Where the highest mark cannot be set back (that takes Linux), it is what counts as before: then a call that stays below what
    was needed earlier seems to need nothing.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)  # what is free already goes back, or it would be used without being noticed
    try:
        (_PROC / "clear_refs").write_text("5")
        before = _proc_bytes("VmRSS")
    except OSError:
        before = _highest()
    result = call()
    highest = _highest()
    return result, None if before is None or highest is None else Peak(before, max(before, highest))


def _highest() -> int | None:
    """Return the most resident bytes so far."""
    with suppress(OSError):
        return _proc_bytes("VmHWM")
    try:
        import resource
    except ImportError:  # Windows
        return None
    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return highest if sys.platform == "darwin" else highest * 1024


def _proc_bytes(field: str) -> int | None:
    for line in (_PROC / "status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) * 1024
    return None


# --- what the authors of the paper timed -------------------------------------------------------------------------------------


@cache
def published_seconds() -> dict[tuple[str, str], float]:
    """Return all run times of the paper, in seconds, by log and method.

    They are averages of 10 calls (3 of the autoencoder on BPIC19) on an Intel Xeon 6254 with an NVIDIA A100. Those of BPIC15_1
    and BPIC19 are in the paper, the others, one-hot ("unit distance") and process discovery in its longer version.

    >>> published_seconds()["BPIC15_1", "ac-sequence-pmi-w9"]
    42.22
    """
    text = (files("actalike") / "benchmark" / "tasks" / "paper_runtimes.csv").read_text(encoding="utf-8")
    return {(row["log"], row["method"]): float(row["seconds"]) for row in csv.DictReader(text.splitlines())}


def is_timed(name: str) -> bool:
    """Return whether the authors timed a method, with whatever window.

    >>> is_timed("act2vec-cbow-w7"), is_timed("act2vec-cbow-span7"), is_timed("ac-multiset-pmi-w3+svd8")
    (True, False, False)
    """
    parsed = MethodName.parse(name)
    return not parsed.refinements and parsed.pattern in _timed_patterns()


@cache
def _timed_patterns() -> frozenset[str]:
    return frozenset(MethodName.parse(method.removesuffix(WITHOUT_DISCOVERY)).pattern for _, method in published_seconds())


def extra_seconds(name: str, embedding: Embedding, fresh: Callable[[], EventLog] | None) -> float | None:
    """Return the seconds of what the authors timed besides a method's own work; None for methods that they did not time.

    With PMI and PPMI, that is the distances of the raw counts (which takes a fresh log, else None); with act2vec and the
    autoencoder, all distances once more.
    """
    if not is_timed(name):
        return None
    stem, marker, window, _ = MethodName.parse(name)
    if stem.endswith(_WEIGHTED):
        raw = f"{stem.rpartition('-')[0]}-raw-{marker}{window}"
        return None if fresh is None else _seconds_of_distances(embed(fresh(), raw))
    return _seconds_of_distances(embedding) if stem in _TRAINED else 0.0


def _seconds_of_distances(embedding: Embedding) -> float:
    renewed = Embedding(embedding.activities, embedding.stored_vectors)  # an embedding remembers some of its work
    started = time.perf_counter()
    renewed.distances()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
