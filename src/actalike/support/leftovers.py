"""Name temporary files and folders after the process that writes them, and remove those whose process is dead.

A name has nothing of the file it becomes, so that a file's own name may be as long as the file system allows.
"""

import hashlib
import os
import re
import secrets
import shutil
import socket
from contextlib import suppress
from functools import cache
from pathlib import Path

_OWNER = r"actalike-([0-9a-f]{8})-([0-9a-f]{8})-(\d+)-(\d+)-[0-9a-f]{8}"  # the machine, boot, process, start, and a random part
_FILE = re.compile(rf"\.{_OWNER}\.part")
_FOLDER = re.compile(rf"{_OWNER}\.spill")  # not hidden: engines pass over what is hidden

_swept: set[tuple[int, str]] = set()  # the process, which may have been forked, and the folder


def new_part_name() -> str:
    """Return a new name for a temporary file of this process."""
    return f".{_new_owner()}.part"


def new_folder_name() -> str:
    """Return a new name for a temporary folder of this process."""
    return f"{_new_owner()}.spill"


def is_part_name(name: str) -> bool:
    """Tell whether a file's name is that of a temporary file, of whichever process.

    >>> is_part_name(new_part_name()), is_part_name("mapping.csv.part")
    (True, False)
    """
    return _FILE.fullmatch(name) is not None


def is_leftover(path: Path) -> bool:
    """Tell whether a file or folder is temporary, by its name, of whichever process.

    >>> is_leftover(Path("logs", new_folder_name())), is_leftover(Path("logs", "orders.csv"))
    (True, False)
    """
    return _FILE.fullmatch(path.name) is not None or _FOLDER.fullmatch(path.name) is not None


def remove_leftovers(folder: Path) -> None:
    """Remove what dead processes of this machine left in a folder. A process looks once into each folder."""
    key = (os.getpid(), str(folder))
    if key in _swept:
        return
    _swept.add(key)
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _is_dead(_FILE.fullmatch(entry.name)) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    os.unlink(entry.path)
            elif _is_dead(_FOLDER.fullmatch(entry.name)) and entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)


def _new_owner() -> str:
    pid = os.getpid()
    return f"actalike-{_machine()}-{_boot()}-{pid}-{_start_of(pid) or 0}-{secrets.token_hex(4)}"


def _is_dead(owner: re.Match[str] | None) -> bool:
    """Tell whether a name is one of ours, and its process surely does not run any more."""
    if owner is None or owner[1] != _machine():  # the processes of another machine, or container, cannot be seen from here
        return False
    return owner[2] != _boot() or not _runs(int(owner[3]), int(owner[4]))


def _runs(pid: int, start: int) -> bool:
    """Tell whether a process runs; a later one that was given the same number does not count. If in doubt, it runs."""
    if Path("/proc/self/stat").exists():
        return _start_of(pid) == start
    if os.name != "posix":  # os.kill would end the process there
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


def _start_of(pid: int) -> int | None:
    """Return when a process started, in ticks since the boot; None if it does not run, or the system does not tell."""
    try:
        status = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    state, *fields = status.rpartition(b")")[2].split()  # the name before it, in parentheses, may hold anything
    return None if state in (b"Z", b"X") else int(fields[18])


@cache
def _machine() -> str:
    """Return a short digest of what tells apart machines, and containers with processes of their own on one machine."""
    try:
        container = os.readlink("/proc/self/ns/pid")
    except OSError:
        container = ""
    return _digest(f"{socket.gethostname()} {_content('/etc/machine-id')} {container}")


@cache
def _boot() -> str:
    """Return a short digest of the boot, after which no earlier process runs; the same for all where the system does not tell."""
    return _digest(_content("/proc/sys/kernel/random/boot_id"))


def _content(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
