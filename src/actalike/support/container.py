"""Read and write .actalike files: safetensors containers with one JSON header. Opening one never runs code.

docs/file_formats.md describes the format in prose. This module handles the container; its callers handle the contents.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from actalike.errors import ActalikeError, FileFormatError
from actalike.support.atomic_files import write_atomically

FORMAT_VERSION = 1


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
            raise FileFormatError(f"{self.path} is damaged: its part {name!r} is missing or of another type.")
        return array

    def labels(self, name: str) -> list[str]:
        """Return a list of texts from the header, or raise an error if it is missing or holds anything else."""
        labels = self.header.get(name)
        if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
            raise FileFormatError(f"{self.path} is damaged: its header has no list of texts {name!r}.")
        return labels


def write_file(path: str | Path, kind: str, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a file whole or not at all. The same content gives the same bytes."""
    from safetensors.numpy import save

    # one entry only: safetensors does not keep the order of several, and the bytes would differ from run to run
    full_header = {"format": FORMAT_VERSION, "kind": kind, **header}
    metadata = {"actalike": json.dumps(full_header, ensure_ascii=True, sort_keys=True)}
    content = save({name: np.ascontiguousarray(array) for name, array in arrays.items()}, metadata)
    write_atomically(path, lambda part: part.write_bytes(content))


def read_file(path: str | Path) -> StoredFile:
    """Read a file that :func:`write_file` wrote, of this format version or an older one."""
    from safetensors import SafetensorError, safe_open

    path = Path(path)
    try:
        with safe_open(path, framework="numpy") as container:
            metadata = container.metadata() or {}
            arrays = {name: container.get_tensor(name) for name in container.keys()}  # noqa: SIM118 (not a dict)
    except OSError as error:
        raise ActalikeError(f"{path} cannot be read: {error.strerror or error}.") from None
    except SafetensorError as error:
        raise FileFormatError(f"{path} is not a whole .actalike file ({error}): save it again, or give the log itself.") from None
    try:
        header = json.loads(metadata.get("actalike", ""))
        version, kind = int(header.pop("format")), str(header.pop("kind"))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise FileFormatError(f"{path} is a safetensors file, but not one of actalike's: its header is missing.") from None
    if version > FORMAT_VERSION:
        raise FileFormatError(
            f"{path} has format {version}, and this version reads up to {FORMAT_VERSION}: pip install --upgrade actalike."
        )
    return StoredFile(path, kind, header, arrays)
