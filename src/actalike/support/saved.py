"""Read and write .actalike files: safetensors containers with one JSON header. Opening one never runs code.

docs/file_formats.md describes the format. This module handles the container; who saves something describes its header by a
structure of msgspec, by which it is checked when it is written and when it is read.
"""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import DTypeLike, NDArray

from actalike.errors import ActalikeError, FileFormatError, shortened
from actalike.support.files import cannot_read, write_atomically

T = TypeVar("T")

FORMAT_VERSION = 1
LARGEST_NUMBER = 1e140  # its square is a number, and so are sums of squares: no norm is infinite
MOST_SYMBOLS = 10_000  # of a window or context
MOST_CHARACTERS = 1 << 24  # of a window or context, written out
MOST_HEADER_BYTES = 100_000_000  # as in the safetensors package
_MOST_PART_BYTES = 1 << 22  # of JSON whose structure only its reader knows: in memory, lists take up to 30 times as much
_DTYPES = ("F64", "F32", "F16", "I64", "I32", "I16", "I8", "U64", "U32", "U16", "U8", "BOOL")
_MOST_AXES, _SPARE_AXIS = 8, 1 << 16  # an array without elements may have an axis of this length in any file, however small

_KINDS = {  # for messages
    "embedding": "embedding",
    "window-counts": "table of windows",
    "variants": "table of variants",
    "stream-counter": "state of a stream",
    "predictor": "predictor",
    "odd-model": "model of odd events",
}

Label = Annotated[str, msgspec.Meta(max_length=1 << 20)]
MethodName = Annotated[str, msgspec.Meta(max_length=1000)]
Total = Annotated[int, msgspec.Meta(ge=1, le=1 << 53)]


class Header(msgspec.Struct):
    """Describe the common part of all headers."""

    format: Annotated[int, msgspec.Meta(ge=1, le=(1 << 31) - 1)]
    kind: Annotated[str, msgspec.Meta(max_length=100)]


class LabelledHeader(Header):
    """Describe the header of a kind that has activities."""

    activities: Annotated[list[Label], msgspec.Meta(min_length=1, max_length=10_000_000)]

    def __post_init__(self) -> None:
        """Raise an error if an activity is there twice."""
        if len(set(self.activities)) < len(self.activities):
            raise ValueError("`activities` has an item twice")


@dataclass(frozen=True)
class StoredFile:
    """Hold the contents of a file: its kind ("embedding", "variants"), its header in JSON, and its arrays."""

    path: Path
    kind: str
    header_json: str
    arrays: dict[str, NDArray[Any]]

    def header(self, described: type[T]) -> T:
        """Return the header, or raise an error if it is not as described."""
        return self._decoded(self.header_json, described, "its header")

    def further(self, described: type[msgspec.Struct]) -> list[str]:
        """Return the keys of the header that are not described, and hold anything."""
        known = {field.encode_name for field in msgspec.structs.fields(described)}
        parts = self.header(dict[str, msgspec.Raw])
        return [key for key, value in parts.items() if key not in known and bytes(memoryview(value)) != b"null"]

    def part(self, key: str, described: type[T]) -> T:
        """Return what a key of the header holds, or raise an error if it is not as described, or large."""
        content = self.header(dict[str, msgspec.Raw])[key]
        if memoryview(content).nbytes > _MOST_PART_BYTES:
            raise self.unsound(f"{shortened(key)!r} has more than {_MOST_PART_BYTES:,} bytes")
        return self._decoded(content, described, repr(shortened(key)))

    def _decoded(self, content: str | msgspec.Raw, described: type[T], name: str) -> T:
        try:
            return msgspec.json.decode(content, type=described)
        except (msgspec.DecodeError, RecursionError) as error:
            raise self.unsound(f"{name} cannot be used ({json_fault(error)})") from None

    def array(self, name: str, dtype: DTypeLike, ndim: int) -> NDArray[Any]:
        """Return an array of the file, or raise an error if it is missing or has another type or number of axes."""
        array = self.arrays.get(name)
        if array is None or array.dtype != np.dtype(dtype) or array.ndim != ndim:
            raise FileFormatError(f"{self.path} is damaged: its part {name!r} is missing or of another type. Nothing was read.")
        return array

    def numbers(self, name: str, ndim: int, low: float = -LARGEST_NUMBER, high: float = LARGEST_NUMBER) -> NDArray[np.float64]:
        """Return an array of float64 numbers from ``low`` to ``high``, or raise an error if there are others."""
        array = self.array(name, np.float64, ndim)
        if not are_within(array, low, high):
            raise self.unsound(f"a number of {name!r} is not from {low:g} to {high:g}")
        return array

    def check_names(self, names: Collection[str], prefix: str | None = None) -> None:
        """Raise an error if there is an array that has none of these names and does not begin with the prefix."""
        for name in self.arrays:
            if name not in names and not (prefix is not None and name.startswith(prefix)):
                raise self.unsound(f"it has a part {name[:40]!r}, which is not known")

    def unsound(self, reason: str) -> FileFormatError:
        """Return the error about contents that are rejected."""
        remedy = "Train it again" if self.kind == "predictor" else "Save it again, or give the log itself"
        return FileFormatError(
            f"{self.path} is not a sound {_KINDS.get(self.kind, 'file')}: {reason}. {remedy}; nothing was read."
        )


def are_within(array: NDArray[Any], low: float, high: float) -> bool:
    """Return whether all numbers are from ``low`` to ``high``, and so none is NaN.

    >>> are_within(np.array([0.5, 1.0]), 0, 1), are_within(np.array([0.5, np.nan]), 0, 1), are_within(np.zeros(0), 0, 1)
    (True, False, True)
    """
    return not array.size or bool(low <= array.min() and array.max() <= high)


def json_fault(error: Exception) -> str:
    """Return what is wrong with JSON, in one line of limited length: errors may quote the file.

    >>> json_fault(RecursionError()), json_fault(ValueError("line 1\\n2"))
    ('it is nested too deep', 'line 1 2')
    """
    return "it is nested too deep" if isinstance(error, RecursionError) else shortened(" ".join(str(error).split()), 200)


def write_file(
    path: str | Path,
    kind: str,
    header: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    check: Callable[[StoredFile], object],
) -> None:
    """Write a file whole or not at all. The same content gives the same bytes.

    ``check`` reads the header as it will be read from the file, so that no file is written that cannot be read.
    """
    from safetensors.numpy import save  # here: who reads a log does not need it

    # one entry only: safetensors does not keep the order of several, and the bytes would differ from run to run
    full_header = json.dumps({"format": FORMAT_VERSION, "kind": kind, **header}, ensure_ascii=True, sort_keys=True)
    if len(full_header) > MOST_HEADER_BYTES // 4:  # leaves room for another layer of escapes and for the names of the arrays
        raise ActalikeError(
            f"{path} cannot be written: its labels take more than {MOST_HEADER_BYTES // 4:,} bytes. Nothing was written."
        )
    try:
        check(StoredFile(Path(path), kind, full_header, {}))
    except FileFormatError as error:
        raise ActalikeError(f"{path} cannot be written, because it could not be read again: {error}") from None
    content = save({name: np.ascontiguousarray(array) for name, array in arrays.items()}, {"actalike": full_header})
    write_atomically(path, lambda part: part.write_bytes(content))


def read_file(path: str | Path) -> StoredFile:
    """Read a file that :func:`write_file` wrote, of this format version or an older one."""
    path = Path(path)
    metadata, arrays = _read_safetensors(path)
    if "actalike" not in metadata:
        raise FileFormatError(
            f"{path} is a safetensors file, but not one of actalike's: its header is missing. Nothing was read."
        )
    header = StoredFile(path, "", metadata["actalike"], arrays).header(Header)
    if header.format > FORMAT_VERSION:
        raise FileFormatError(
            f"{path} has format {header.format}, and this version reads up to {FORMAT_VERSION}: pip install --upgrade actalike."
        )
    return StoredFile(path, header.kind, metadata["actalike"], arrays)


def _read_safetensors(path: Path) -> tuple[dict[str, str], dict[str, NDArray[Any]]]:
    """Return the strings and the arrays of a file. Types and shapes are checked before anything is made of them."""
    from safetensors import SafetensorError, safe_open

    try:
        if not path.is_file():  # a pipe would wait for a writer, and a device may have no end
            path.stat()  # says why, if there is nothing of this name
            raise ActalikeError(f"{path} cannot be read: it is not a file.")
        limit = max(path.stat().st_size, _SPARE_AXIS)
        with safe_open(path, framework="numpy") as file:
            arrays = {}
            for name in file.keys():  # noqa: SIM118  (it is no dictionary)
                part = file.get_slice(name)
                shape = part.get_shape()
                if part.get_dtype() not in _DTYPES or len(shape) > _MOST_AXES or max(shape, default=0) > limit:
                    raise ValueError(f"{shortened(name)!r} has a type or shape that saved files do not have")
                arrays[name] = file.get_tensor(name)
                if part.get_dtype() == "BOOL" and arrays[name].view(np.uint8).max(initial=0) > 1:
                    raise ValueError(f"{shortened(name)!r} holds a Boolean that is neither 0 nor 1")
            return file.metadata() or {}, arrays
    except OSError as error:
        raise ActalikeError(cannot_read(path, error)) from None
    except (SafetensorError, ValueError) as error:
        raise FileFormatError(
            f"{path} is not a whole saved file ({json_fault(error)}). Get an intact copy or save it again; nothing was read."
        ) from None
