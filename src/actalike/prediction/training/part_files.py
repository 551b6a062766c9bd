"""Write files whole or not at all, and remove what killed processes left.

actalike.support does the same and more; it is not used here, because this folder runs where actalike is not installed.
"""

import hashlib
import os
import re
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

_SHAPE = re.compile(r"\.training-([0-9a-f]{8})-(\d+)-[0-9a-f]{8}\.part")


def write_whole(path: Path, write: Callable[[Any], object]) -> None:
    """Write a file whole or not at all: ``write`` fills an open temporary file, which then becomes ``path``."""
    part = path.with_name(f".training-{_machine()}-{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        with part.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()


def remove_parts(folder: Path) -> None:
    """Remove the temporary files in a folder whose processes, of this machine, do not run any more."""
    for path in folder.glob(".training-*.part"):
        match = _SHAPE.fullmatch(path.name)
        if match is not None and match[1] == _machine() and not _runs(int(match[2])):
            path.unlink(missing_ok=True)


def _runs(pid: int) -> bool:
    """Tell whether there is a process of this number. If in doubt, there is."""
    if os.name != "posix":  # os.kill would end the process there
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


def _machine() -> str:
    """Return a short digest of what tells apart machines, and containers with processes of their own on one machine."""
    try:
        container = os.readlink("/proc/self/ns/pid")
    except OSError:
        container = ""
    return hashlib.sha256(f"{socket.gethostname()} {container}".encode()).hexdigest()[:8]
