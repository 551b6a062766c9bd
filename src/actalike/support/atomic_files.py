"""Write files whole or not at all."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from actalike.errors import ActalikeError


def write_atomically(path: str | Path, write: Callable[[Path], object]) -> None:
    """Write a file whole or not at all: ``write`` fills a temporary file, which then replaces ``path``.

    A full disk or a killed process leaves no half-written file.
    """
    path = Path(path)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        write(part)
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(path)
    except OSError as error:
        raise ActalikeError(f"{path} cannot be written: {error.strerror or error}. Nothing was written.") from None
    finally:
        with suppress(OSError):
            part.unlink()
