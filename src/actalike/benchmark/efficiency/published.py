"""The run times of the paper, in seconds, by log and method, and what its authors timed besides the method itself.

They are averages of 10 calls (3 of the autoencoder on BPIC19) on an Intel Xeon 6254 with an NVIDIA A100. Those of BPIC15_1 and
BPIC19 are in the paper, the others, one-hot ("unit distance") and process discovery in its longer version.
"""

import csv
import time
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from actalike import datasets
from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods import MethodName, embed

WITHOUT_DISCOVERY = " w/o discovery"  # follows the name of a method whose discovery of a model is not counted
_WEIGHTED = ("-pmi", "-ppmi")
_TRAINED = ("act2vec-cbow", "act2vec-skipgram", "autoencoder")


@cache
def published_seconds() -> dict[tuple[str, str], float]:
    """Return all run times of the paper.

    >>> published_seconds()["BPIC15_1", "ac-sequence-pmi-w9"]
    42.22
    """
    text = (files("actalike") / "benchmark" / "efficiency" / "paper_runtimes.csv").read_text(encoding="utf-8")
    return {(row["log"], row["method"]): float(row["seconds"]) for row in csv.DictReader(text.splitlines())}


def is_the_papers(log: Mapping[str, Any]) -> bool:
    """Return whether a log that a folder has noted is the paper's log of that name, and not another one that is called so."""
    try:
        entry = datasets.paper_log(log["log"])
    except ActalikeError:
        return False
    return (log["cases"], log["activities"]) == (entry.cases, entry.activities)


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
