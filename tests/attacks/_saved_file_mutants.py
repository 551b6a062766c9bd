"""Sound saved files of every kind and method, and mutants of them: damaged at random, or so that their parts still agree."""

import copy
import json
import math
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from actalike import Embedding, EventLog, Predictor, StreamCounter, count_windows, embed
from actalike.embedding import CodedShare
from actalike.prediction import HeldOut

HOSTILE_NUMBERS = (
    0, 1, -1, 2, 3, 255, 256, 1000, 10_001, -(2**31), 2**31 - 1, 2**31, 2**32, 2**53, 2**53 + 1, 2**62, 2**63 - 1, 2**63, 2**64,
    -(2**63), 10**30, -(10**30), 10**400, 0.5, 1.0, -0.0, 1e-320, 1e140, 1e150, 1e308, -1e308,
)  # fmt: skip
HOSTILE_TEXTS = ("", "a", "\x00", "\ud800", "📄" * 3, "x" * 5000, "../../etc", "kin", "a\nb", "NaN")
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


def mutant(random: Random, original: Original, originals: list[Original]) -> tuple[str, bytes]:
    """Return what was done, and the bytes of a mutant."""
    way = random.choice((_flip, _cut, _splice, _header, _header, _arrays, _arrays, _mixed))
    return way.__name__, way(random, original, originals)


def _flip(random: Random, original: Original, originals: list[Original]) -> bytes:
    content = bytearray(original.content)
    for _ in range(random.choice((1, 1, 1, 2, 8))):
        at = random.randrange(len(content))
        content[at] = content[at] ^ (1 << random.randrange(8)) if random.random() < 0.7 else random.choice((0, 255, 34, 92, 123))
    return bytes(content)


def _cut(random: Random, original: Original, originals: list[Original]) -> bytes:
    content = original.content
    a, b = sorted(random.randrange(len(content) + 1) for _ in range(2))
    return random.choice((
        content[:a], content[a:], content[:a] + content[b:], content + content[a:b], content[:b] + content[a:],
        content[:a] + bytes(b - a) + content[b:], content + bytes(random.choice((1, 8, 100))),
    ))  # fmt: skip


def _splice(random: Random, original: Original, originals: list[Original]) -> bytes:
    other = random.choice(originals).content
    if random.random() < 0.5:  # the header of one and the arrays of the other
        ends = [8 + int.from_bytes(content[:8], "little") for content in (original.content, other)]
        return original.content[: ends[0]] + other[ends[1] :]
    a, b = random.randrange(len(original.content)), random.randrange(len(other))
    return original.content[:a] + other[b:]


def _header(random: Random, original: Original, originals: list[Original]) -> bytes:
    header = copy.deepcopy(original.header)
    for _ in range(random.choice((1, 1, 2))):
        _change_json(random, header, random.choice(originals).header)
    return packed(header, original.arrays)


def _arrays(random: Random, original: Original, originals: list[Original]) -> bytes:
    arrays = dict(original.arrays)
    for _ in range(random.choice((1, 1, 2, 3))):
        name = random.choice(list(arrays))
        arrays[name] = changed_array(random, arrays[name])
    return packed(original.header, arrays)


def _mixed(random: Random, original: Original, originals: list[Original]) -> bytes:
    header = copy.deepcopy(original.header)
    _change_json(random, header, random.choice(originals).header)
    name = random.choice(list(original.arrays))
    content = packed(header, {**original.arrays, name: changed_array(random, original.arrays[name])})
    return _flip(random, original._replace(content=content), originals) if random.random() < 0.3 else content


def packed(header: dict[str, Any] | str, arrays: dict[str, np.ndarray]) -> bytes:
    """Write a container that is sound, whatever its header and arrays are."""
    names = {"float64": "F64", "int64": "I64", "int32": "I32", "uint8": "U8", "bool": "BOOL", "float32": "F32"}
    outer: dict[str, Any] = {"__metadata__": {"actalike": header if isinstance(header, str) else json.dumps(header)}}
    body = b""
    for name, array in arrays.items():
        raw = np.ascontiguousarray(array).tobytes()
        outer[name] = {
            "dtype": names[array.dtype.name],
            "shape": list(array.shape),
            "data_offsets": [len(body), len(body) + len(raw)],
        }
        body += raw
    text = json.dumps(outer).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + body


def changed_array(random: Random, array: np.ndarray) -> np.ndarray:
    """Return an array with other contents or another shape."""
    array = array.copy()
    way = random.randrange(10)
    if way <= 4 and array.size:
        value: Any
        if array.dtype.kind == "f":
            value = random.choice((0.0, -1.0, 0.5, 2.0, 1e-320, 1e141, math.nan, math.inf, random.random()))
        elif array.dtype.kind == "b":
            value = True
        else:
            limits = np.iinfo(array.dtype)
            value = random.choice((limits.min, limits.max, 0, 1, 2, 3, random.randrange(9), array.size, limits.max // 2))
            value = random.choice((value, -1, -2)) if limits.min < 0 else value
        if way < 3:
            array.flat[random.randrange(array.size)] = value
        elif way == 3:
            array[...] = value
        else:
            array[random.randrange(len(array))] = value
        if array.ndim == 2 and array.shape[0] == array.shape[1] and random.random() < 0.6:  # still symmetric
            array = np.maximum(array, array.T)
        return array
    if way == 5:
        return array[:-1]
    if way == 6:
        return np.concatenate([array, array[-1:]])
    if way == 7 and array.ndim == 2:
        return random.choice(
            (array.T, array[:, :-1], array[:, 1:], array[:, :0], array[::-1], np.concatenate([array, array], axis=1))
        )
    if way == 8:
        order = np.array(random.sample(range(len(array)), len(array)), dtype=np.int64)
        return array[order]
    if way == 9 and array.dtype.kind == "f":
        with np.errstate(all="ignore"):
            return array * random.choice((0.0, -1.0, 1.0000001, 0.9, 1e100, 1e308))
    return array[::-1]


def _change_json(random: Random, tree: Any, donor: Any) -> None:
    """Replace, remove or add one value somewhere in a header."""
    containers = [tree, *_containers(tree)]
    container = random.choice(containers)
    keys = list(container) if isinstance(container, dict) else list(range(len(container)))
    value = random.choice((
        random.choice(HOSTILE_NUMBERS), random.choice(HOSTILE_TEXTS), None, True, [], {}, [[]], {"kind": "x"},
        [random.choice(HOSTILE_TEXTS) for _ in range(3)], copy.deepcopy(random.choice(list(donor.values()))), copy.deepcopy(tree),
    ))  # fmt: skip
    way = random.random()
    if way < 0.15 and keys:
        del container[random.choice(keys)]
    elif way < 0.3 or not keys:
        if isinstance(container, dict):
            container[random.choice((*HOSTILE_TEXTS[:-2], *donor))] = value
        else:
            container.append(value)
    else:
        key = random.choice(keys)
        if isinstance(container[key], int | float) and random.random() < 0.5:
            value = random.choice(
                (container[key] + 1, container[key] - 1, -container[key], container[key] * 2, random.choice(HOSTILE_NUMBERS))
            )
        container[key] = value


def _containers(tree: Any) -> Iterator[Any]:
    for child in tree.values() if isinstance(tree, dict) else tree:
        if isinstance(child, dict | list):
            yield child
            yield from _containers(child)
