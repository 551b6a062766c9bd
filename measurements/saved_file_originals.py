"""Sound files of every kind and method, small enough that a mutant of one takes a millisecond."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from actalike import Embedding, EventLog, Predictor, StreamCounter, count_windows, embed
from actalike.embedding import CodedShare
from actalike.prediction import HeldOut

METHODS = (
    "kin-w5", "kin-w2", "kin2-w5", "ac-sequence-pmi-w3", "ac-multiset-raw-w4", "aa-sequence-ppmi-w3", "positional-hellinger-w3",
    "ac-sequence-raw-w1", "one-hot", "substitution-w3", "ac-sequence-ppmi-w3+svd2",
)  # fmt: skip


class Original(NamedTuple):
    """A sound file: its name, its bytes, its header (as parsed) and its arrays, with their names and places."""

    name: str
    content: bytes
    header: dict[str, Any]
    arrays: dict[str, np.ndarray]


class Elsewhere:
    """An explanation of a method that nobody here reads."""

    kind = "elsewhere"

    def shares(self, i: int, j: int, topn: int | None = None) -> list[CodedShare]:
        return [CodedShare("like", 1.0, (i,))][:topn]

    def stored(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        return {"version": 1, "names": ["x", "y"]}, {
            "elsewhere_numbers": np.arange(3.0),
            "elsewhere_flags": np.array([True, False]),
        }


def make_originals(folder: Path) -> list[Original]:
    """Save something of each kind and method, small enough that a mutant takes a millisecond."""
    traces = [["a", "Check invoice", "", "a"], ["a", "📄", "."], ["b", "", "."], ["=1+1"]]
    log = EventLog.from_traces(traces)
    things: dict[str, Any] = {name: embed(log, name) for name in METHODS}
    things["one activity"] = embed(EventLog.from_traces([["a"]]))
    things["dense"] = Embedding(["a", "b"], np.array([[1.0, 2.0], [3.0, 4.0]]))
    things["unread explanation"] = Embedding(["a", "b"], np.eye(2), explanation=Elsewhere())
    things |= {f"window-counts, {window}": count_windows(log, window) for window in (1, 2, 5)}
    for window in (1, 4, 5):
        stream = StreamCounter(window)
        things[f"stream, {window}"] = stream
        for case, trace in enumerate(traces):
            stream.add([f"📄{case}"] * len(trace), trace)
        stream.close(["📄0"])
    things["empty stream"] = StreamCounter(3)
    weights = [np.sin(np.arange(a * b, dtype=float)).reshape(a, b) for a, b in ((3, 8), (2, 8), (2, 4))]
    things["predictor"] = Predictor(["a", "b", "📄"], "kin-w5", *weights, np.array([0.0, 0.5, 1.0, -1.0]), HeldOut(2, 0.5, 0.25))
    return [_original(name, thing, folder) for name, thing in things.items()]


def _original(name: str, thing: Any, folder: Path) -> Original:
    path = folder / "original.actalike"
    thing.save(path)
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    outer = json.loads(content[8 : 8 + length])
    header = json.loads(outer.pop("__metadata__")["actalike"])
    places = {
        key: content[8 + length + value["data_offsets"][0] : 8 + length + value["data_offsets"][1]]
        for key, value in outer.items()
    }
    dtypes = {"F64": "<f8", "I64": "<i8", "I32": "<i4", "U8": "u1", "BOOL": "?"}
    arrays = {
        key: np.frombuffer(places[key], dtypes[value["dtype"]]).reshape(value["shape"]).copy() for key, value in outer.items()
    }
    return Original(name, content, header, arrays)
