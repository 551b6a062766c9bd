"""Write files whole or not at all."""

import errno
import filecmp
import os
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple

from actalike.errors import ActalikeError
from actalike.support.leftovers import new_part_name, remove_leftovers
from actalike.support.places import Name, check_no_input, check_place


class _File(NamedTuple):
    """A file that waits for its name: as the user calls it, where it really is, and the temporary files beside it."""

    path: Name
    target: Path
    part: Path  # the new content
    old: Path  # a second name of the file that is replaced, until all files of the step are in place


_keeps_existing = ContextVar("keeps_existing", default=False)
_inputs: ContextVar[tuple[Name, ...]] = ContextVar("inputs", default=())
_waiting: ContextVar[list[_File] | None] = ContextVar("waiting", default=None)
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


@contextmanager
def inputs_kept(inputs: Iterable[Name]) -> Iterator[None]:
    """Refuse to replace any of these files, by whatever name or link, as long as this lasts."""
    token = _inputs.set((*_inputs.get(), *inputs))
    try:
        yield
    finally:
        _inputs.reset(token)


@contextmanager
def written_together() -> Iterator[list[_File]]:
    """Write several files as one step: what is written as long as this lasts gets its name only when all of it is written.

    A failure leaves all files as they were. If a file cannot be given its name, those that were named before it are taken back.
    """
    waiting = _waiting.get()
    if waiting is not None:  # a part of a larger step
        yield waiting
        return
    files: list[_File] = []
    token = _waiting.set(files)
    try:
        yield files
        _name_all(files)
    finally:
        try:
            _remove_temporary(files)
        except BaseException:  # stopped once more
            _remove_temporary(files)
            raise
        finally:
            _waiting.reset(token)


def write_atomically(path: Name, write: Callable[[Path], object]) -> None:
    """Write a file whole or not at all: ``write`` fills a temporary file, which then becomes ``path``.

    A full disk or a killed process leaves no half-written file. What a killed process left in the folder is removed. A file that
    is replaced keeps its permissions, and one that a link leads to is replaced in its own place.
    """
    target = check_place(path)
    remove_leftovers(target.parent)
    file = _File(path, target, target.with_name(new_part_name()), target.with_name(new_part_name()))
    with written_together() as files, _errors_about(path):
        files.append(file)  # before it is created, so that it is removed whatever happens
        os.close(os.open(file.part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _mode_while_written(target)))
        try:
            write(file.part)
        except KeyboardInterrupt:
            try:  # Polars raises one by itself, and Python's own, still to come, must not stop the cleaning up
                for _ in range(2):
                    pass  # Python looks for signals when a loop begins again
            except KeyboardInterrupt:
                pass
            raise
        with file.part.open("rb") as written:
            os.fsync(written.fileno())


def _remove_temporary(files: Sequence[_File]) -> None:
    for file in files:
        for temporary in (file.part, file.old):
            with suppress(OSError):
                temporary.unlink()


def _exists(path: Name) -> ActalikeError:
    return ActalikeError(
        f"{path} exists already: give --overwrite to replace it, or choose another --output. Nothing was written."
    )


@contextmanager
def _errors_about(path: Name) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ActalikeError(f"{path} cannot be written: {error.strerror or error}. Nothing was written.") from None


def _mode_while_written(target: Path) -> int:
    """Return the permissions of a temporary file: nobody but its owner may do more with it than with the file it becomes."""
    try:
        return stat.S_IMODE(target.stat().st_mode) & 0o777 | stat.S_IRUSR | stat.S_IWUSR
    except FileNotFoundError:
        return 0o666  # less the umask, as for any new file


def _name_all(files: Sequence[_File]) -> None:
    """Give all files their names, or none."""
    for file in files:
        check_no_input(file.path, _inputs.get())
        with _errors_about(file.path):
            if _keeps_existing.get() and file.target.exists() and not filecmp.cmp(file.part, file.target, shallow=False):
                raise _exists(file.path)
    named: list[_File] = []
    try:
        for file in files:
            with _errors_about(file.path):
                if file is not files[-1]:  # after the last nothing can fail
                    _keep_old(file)
                _put_in_place(file)
                named.append(file)
    except BaseException:
        for file in reversed(named):
            with suppress(OSError):
                _take_back(file)
        raise
    for folder in {file.target.parent for file in files}:
        _sync_folder(folder)


def _keep_old(file: _File) -> None:
    """Give the file that is replaced a second name, so that it can be put back."""
    if not file.target.exists():
        return
    try:
        os.link(file.target, file.old)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        shutil.copy2(file.target, file.old)


def _take_back(file: _File) -> None:
    if file.old.exists():
        file.old.replace(file.target)
    else:
        file.target.unlink()


def _put_in_place(file: _File) -> None:
    with suppress(FileNotFoundError):
        file.part.chmod(stat.S_IMODE(file.target.stat().st_mode))
    if not _keeps_existing.get():
        file.part.replace(file.target)
        return
    try:
        _rename_new(file.part, file.target)
    except FileExistsError:
        if not filecmp.cmp(file.part, file.target, shallow=False):
            raise _exists(file.path) from None


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
