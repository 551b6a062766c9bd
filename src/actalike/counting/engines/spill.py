"""Limit what an engine takes of this machine: its memory, and a temporary folder for what does not fit into it."""

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from actalike.errors import ActalikeError
from actalike.support.files import new_folder_name, remove_leftovers

_UNITS = {"MB": 1e6, "GB": 1e9, "TB": 1e12, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}


@dataclass(frozen=True)
class EngineLimits:
    """Limit an engine's memory (``"4GB"``; None for its default), and name a folder for data that does not fit into it."""

    memory: str | None = None
    spill: Path | None = None

    def bytes(self) -> int | None:
        """Return the memory limit in bytes.

        >>> EngineLimits("1.5 GB").bytes()
        1500000000
        """
        if self.memory is None:
            return None
        match = re.fullmatch(r"(\d+(?:\.\d+)?) ?([MGT]I?B)", self.memory.strip().upper())
        if match is None or not float(match[1]):
            raise ActalikeError(f"{self.memory!r} is not an amount of memory, such as 4GB or 500MB.")
        return int(float(match[1]) * _UNITS[match[2]])


@contextmanager
def spill_folder(given: Path | None) -> Iterator[Path]:
    """Create a temporary folder for data that does not fit into memory, and remove it afterwards.

    Its name tells the machine and the process, so that the next run can remove the folder of a process that was killed.
    """
    if given is not None and not given.is_dir():
        raise ActalikeError(f"{given} is not a folder: --spill needs an existing folder with space for temporary files.")
    parent = Path(given or tempfile.gettempdir())
    remove_leftovers(parent)
    folder = parent / new_folder_name()
    try:
        folder.mkdir(mode=0o700)
    except OSError as error:
        raise ActalikeError(
            f"No temporary folder can be made in {parent} ({error.strerror or error}): name another with --spill, or with the "
            "environment variable TMPDIR."
        ) from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
