"""Read and write .actalike files: safetensors containers with one JSON header. Opening one never runs code.

docs/file_formats.md describes the format in prose, and the JSON Schema documents in ``schemas/`` its headers. This module handles
the container; its callers handle the contents.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from actalike.errors import ActalikeError, FileFormatError
from actalike.support.atomic_files import write_atomically
from actalike.support.bounded_json import parse_json
from actalike.support.json_schema import schema, violation
from actalike.support.safetensors_reader import MOST_HEADER_BYTES, read_safetensors

FORMAT_VERSION = 1
LARGEST_NUMBER = 1e140  # its square is a number, and so are sums of squares: no norm is infinite
MOST_SYMBOLS = 10_000  # of a window or context
MOST_CHARACTERS = 1 << 24  # of a window or context, written out

_KINDS = {  # those that have a schema of their header, and what an error calls them
    "embedding": "embedding",
    "window-counts": "table of windows",
    "stream-counter": "state of a stream",
    "predictor": "predictor",
}


@dataclass(frozen=True)
class StoredFile:
    """Hold the contents of a file: its kind ("embedding", "window-counts"), its header and its arrays."""

    path: Path
    kind: str
    header: dict[str, Any]
    arrays: dict[str, NDArray[Any]]

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

    def labels(self, name: str) -> list[str]:
        """Return a list of texts from the header, or raise an error if it is missing or holds anything else."""
        labels = self.header.get(name)
        if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
            raise FileFormatError(f"{self.path} is damaged: its header has no list of texts {name!r}. Nothing was read.")
        return labels

    def check_names(self, names: Collection[str], prefix: str | None = None) -> None:
        """Raise an error if there is an array that has none of these names and does not begin with the prefix."""
        for name in self.arrays:
            if name not in names and not (prefix is not None and name.startswith(prefix)):
                raise self.unsound(f"it has a part {name[:40]!r}, which is not known")

    def unsound(self, reason: str) -> FileFormatError:
        """Return the error that says why the contents are refused."""
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


def write_file(path: str | Path, kind: str, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a file whole or not at all. The same content gives the same bytes.

    The header is checked as it is when it is read, so that no file is written that cannot be read.
    """
    from safetensors.numpy import save

    # one entry only: safetensors does not keep the order of several, and the bytes would differ from run to run
    full_header = json.dumps({"format": FORMAT_VERSION, "kind": kind, **header}, ensure_ascii=True, sort_keys=True)
    problem = None
    if len(full_header) > MOST_HEADER_BYTES // 4:  # leaves room for another layer of escapes and for the names of the arrays
        problem = f"its labels take more than {MOST_HEADER_BYTES // 4:,} bytes"
    else:
        try:
            described = parse_json(full_header)
            problem = violation(described, schema(kind), "its header") if kind in _KINDS else None
        except ValueError as error:
            problem = str(error)
    if problem:
        raise ActalikeError(f"{path} cannot be written: {problem}. Nothing was written.")
    content = save({name: np.ascontiguousarray(array) for name, array in arrays.items()}, {"actalike": full_header})
    write_atomically(path, lambda part: part.write_bytes(content))


def read_file(path: str | Path) -> StoredFile:
    """Read a file that :func:`write_file` wrote, of this format version or an older one, and check its header."""
    path = Path(path)
    metadata, arrays = read_safetensors(path)
    if "actalike" not in metadata:
        raise FileFormatError(
            f"{path} is a safetensors file, but not one of actalike's: its header is missing. Nothing was read."
        )
    try:
        header = parse_json(metadata["actalike"])
        problem = violation(header, schema("container"), "it")
    except ValueError as error:
        problem = str(error)
    if problem:
        raise FileFormatError(
            f"{path} is damaged: its header cannot be used ({problem}). Save it again, or give the log itself; nothing was read."
        )
    version, kind = header["format"], header["kind"]
    if version > FORMAT_VERSION:
        raise FileFormatError(
            f"{path} has format {version}, and this version reads up to {FORMAT_VERSION}: pip install --upgrade actalike."
        )
    file = StoredFile(path, kind, {key: value for key, value in header.items() if key not in ("format", "kind")}, arrays)
    problem = violation(header, schema(kind), "its header") if kind in _KINDS else None
    if problem:
        raise file.unsound(f"in its header, {problem}" if not problem.startswith("its") else problem)
    return file
