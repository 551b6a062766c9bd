"""Read safetensors files, checked before anything is used: the header's size and JSON, and each array's type, shape and place.

The safetensors package writes our files and can read them; but it trusts more than this does, and its errors are of many kinds.
"""

import math
import os
from io import BufferedReader
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.errors import ActalikeError, FileFormatError
from actalike.support.bounded_json import parse_json
from actalike.support.json_schema import schema, violation
from actalike.support.places import cannot_read

MOST_HEADER_BYTES = 100_000_000  # as in the safetensors package
LEAST_AXIS_LIMIT = 1 << 16  # an array without elements may have an axis of this length in any file, however small

_DTYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "<i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "<u1", "BOOL": "<u1",
}  # fmt: skip


class SafetensorsContent(NamedTuple):
    """Hold what a safetensors file contains: texts by name, and arrays by name."""

    metadata: dict[str, str]
    arrays: dict[str, NDArray[Any]]


class _Place(NamedTuple):
    """Say which bytes after the header are an array, and how to read them."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    start: int
    end: int


def read_safetensors(path: Path) -> SafetensorsContent:
    """Return the content of a file, or raise an error if a byte of it is missing, unused or not what the header says."""
    try:
        if not path.is_file():  # a pipe would wait for a writer, and a device may have no end
            path.stat()  # says why, if there is nothing of this name
            raise ActalikeError(f"{path} cannot be read: it is not a file.")
        with path.open("rb") as file:
            return _read(file, os.fstat(file.fileno()).st_size)
    except OSError as error:
        raise ActalikeError(cannot_read(path, error)) from None
    except ValueError as error:
        raise FileFormatError(
            f"{path} is not a whole .actalike file ({error}): save it again, or give the log itself. Nothing was read."
        ) from None


def _read(file: BufferedReader, size: int) -> SafetensorsContent:
    """Return the content of an open file, or raise a ValueError that says what is wrong with it."""
    length = int.from_bytes(file.read(8), "little")
    if size < 8 or length > size - 8:
        raise ValueError("the file ends within its header")
    if length > MOST_HEADER_BYTES:
        raise ValueError(f"its header has more than {MOST_HEADER_BYTES:,} bytes")
    metadata, places = _layout(file.read(length), size - 8 - length, size)
    content = np.empty(size - 8 - length, dtype=np.uint8)
    if file.readinto(content.data) != len(content):
        raise ValueError("the file became shorter while it was read")
    return SafetensorsContent(metadata, {place.name: _array(content, place) for place in places})


def _layout(header: bytes, n_bytes: int, size: int) -> tuple[dict[str, str], list[_Place]]:
    """Return the texts of a header, and where the arrays are in the bytes after it, once both are checked."""
    if not header.startswith(b"{"):
        raise ValueError("its header is no JSON object")
    try:
        described = parse_json(header.decode("utf-8"))
    except UnicodeDecodeError:
        raise ValueError("its header is not UTF-8") from None
    problem = violation(described, schema("safetensors"), "its header")
    if problem:
        raise ValueError(problem)
    metadata = described.pop("__metadata__", {})
    places = [_Place(name, d["dtype"], tuple(d["shape"]), *d["data_offsets"]) for name, d in described.items()]
    places.sort(key=lambda place: (place.start, place.end))
    used, limit = 0, max(size, LEAST_AXIS_LIMIT)
    for place in places:
        if max(place.shape, default=0) > limit:
            raise ValueError(f"the shape of {place.name[:40]!r} is larger than the file")
        n_expected = math.prod(place.shape) * np.dtype(_DTYPES[place.dtype]).itemsize
        if n_expected != place.end - place.start or place.start != used:
            raise ValueError(f"the bytes of {place.name[:40]!r} are not where its shape and the arrays before it leave them")
        used = place.end
    if used != n_bytes:
        raise ValueError(f"{n_bytes:,} bytes follow its header, and it describes {used:,}")
    return metadata, places


def _array(content: NDArray[np.uint8], place: _Place) -> NDArray[Any]:
    """Return an array, without a copy if its bytes lie as the processor wants them."""
    array: NDArray[Any] = content[place.start : place.end].view(_DTYPES[place.dtype]).reshape(place.shape)
    if place.dtype == "BOOL":
        if array.max(initial=0) > 1:
            raise ValueError(f"{place.name[:40]!r} holds a truth value that is neither 0 nor 1")
        array = array.view(np.bool_)
    return np.require(array.astype(array.dtype.newbyteorder("="), copy=False), requirements=["ALIGNED", "WRITEABLE"])
