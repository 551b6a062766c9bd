"""Memory: how much an embedding takes, and how much the process takes while it is made."""

import ctypes
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

from scipy.sparse import issparse

from actalike.embedding import Embedding

_Result = TypeVar("_Result")
_PROC = Path("/proc/self")  # Linux


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
