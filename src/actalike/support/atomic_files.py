"""Write files whole or not at all."""

import errno
import filecmp
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from actalike.errors import ActalikeError
from actalike.support.leftovers import new_part_name, remove_leftovers
from actalike.support.places import check_place

_keeps_existing = ContextVar("keeps_existing", default=False)
_NO_LINKS = {errno.EPERM, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.EACCES}


@contextmanager
def existing_files_kept() -> Iterator[None]:
    """Refuse to replace files, other than by the same bytes, as long as this lasts.

    The command line does so, unless it is told to overwrite; in Python, writing replaces a file, as ``open(path, "w")`` does.
    """
    token = _keeps_existing.set(True)
    try:
        yield
    finally:
        _keeps_existing.reset(token)


def write_atomically(path: str | Path, write: Callable[[Path], object]) -> None:
    """Write a file whole or not at all: ``write`` fills a temporary file, which then becomes ``path``.

    A full disk or a killed process leaves no half-written file. What a killed process left in the folder is removed. A file that
    is replaced keeps its permissions, and one that a link leads to is replaced in its own place.
    """
    target = check_place(path)
    remove_leftovers(target.parent)
    part = target.with_name(new_part_name())
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        write(part)
        with part.open("rb") as written:
            os.fsync(written.fileno())
        _put_in_place(part, target, path)
        _sync_folder(target.parent)
    except OSError as error:
        raise ActalikeError(f"{path} cannot be written: {error.strerror or error}. Nothing was written.") from None
    finally:
        with suppress(OSError):
            part.unlink()


def refuse_existing(paths: Iterable[Path]) -> None:
    """Refuse files that exist and would be kept, before the first of several is written."""
    for path in paths:
        if _keeps_existing.get() and path.exists():
            raise _exists(path)


def _exists(path: str | Path) -> ActalikeError:
    return ActalikeError(
        f"{path} exists already: give --overwrite to replace it, or choose another --output. Nothing was written."
    )


def _put_in_place(part: Path, target: Path, path: str | Path) -> None:
    with suppress(FileNotFoundError):
        part.chmod(stat.S_IMODE(target.stat().st_mode))
    if not _keeps_existing.get():
        part.replace(target)
        return
    try:
        _rename_new(part, target)
    except FileExistsError:
        if not filecmp.cmp(part, target, shallow=False):
            raise _exists(path) from None


def _rename_new(part: Path, target: Path) -> None:
    """Give a file its name, unless there is a file of that name; no moment passes between the check and the renaming."""
    if os.name == "nt":
        part.rename(target)  # refuses to replace a file there
        return
    try:
        os.link(part, target)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY))  # a file system without hard links: take the name first
        part.replace(target)


def _sync_folder(folder: Path) -> None:
    """Make the new name survive a power cut, where the file system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
