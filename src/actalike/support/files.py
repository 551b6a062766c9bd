"""Write files whole or not at all, only where a file may be written, and remove leftovers of dead processes.

A temporary file or folder is named after the process that writes it, and not after the file it becomes, whose name may be as long
as the file system allows.
"""

import filecmp
import hashlib
import os
import re
import secrets
import shutil
import socket
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import NamedTuple

from actalike.errors import ActalikeError

Name = str | Path


class _File(NamedTuple):
    """A file to be renamed: the path given by the user, the real path, and the temporary file."""

    path: Name
    target: Path
    part: Path  # the new content


_keeps_existing = ContextVar("keeps_existing", default=False)
_inputs: ContextVar[tuple[Name, ...]] = ContextVar("inputs", default=())
_waiting: ContextVar[list[_File] | None] = ContextVar("waiting", default=None)
_OWNER = r"actalike-([0-9a-f]{8})-(\d+)-[0-9a-f]{8}"  # the machine, the process, and a random part
_FILE = re.compile(rf"\.{_OWNER}\.part")
_FOLDER = re.compile(rf"{_OWNER}\.spill")  # not hidden: engines pass over what is hidden
_swept: set[tuple[int, str]] = set()  # the process, which may have been forked, and the folder


def write_atomically(path: Name, write: Callable[[Path], object]) -> None:
    """Write a file whole or not at all: ``write`` fills a temporary file, which then becomes ``path``.

    A full disk or a killed process leaves no half-written file. What a killed process left in the folder is removed. A file that
    is replaced keeps its permissions, and one that a link leads to is replaced in its own place.
    """
    target = check_place(path)
    remove_leftovers(target.parent)
    file = _File(path, target, target.with_name(new_part_name()))
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


@contextmanager
def written_together() -> Iterator[list[_File]]:
    """Write several files as one step: in this context, files get their names when all of them are written.

    A failure while they are written leaves all files as they were.
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


@contextmanager
def existing_files_kept() -> Iterator[None]:
    """Do not replace files, other than by the same bytes, in this context.

    The command line does so, unless it is told to overwrite; in Python, writing replaces a file, as ``open(path, "w")`` does.
    """
    token = _keeps_existing.set(True)
    try:
        yield
    finally:
        _keeps_existing.reset(token)


@contextmanager
def inputs_kept(inputs: Iterable[Name]) -> Iterator[None]:
    """Do not replace any of these files, by whatever name or link, in this context."""
    token = _inputs.set((*_inputs.get(), *inputs))
    try:
        yield
    finally:
        _inputs.reset(token)


def check_place(path: Name, *, folders: bool = False) -> Path:
    """Return the real path of a file to write, or raise an error if no file can be written there.

    A symbolic link to a file stands for that file. A folder, a device, a pipe, and a broken link are errors.
    ``folders``: missing folders are no error, because they will be created.

    >>> check_place("/no/folder/out.csv")
    Traceback (most recent call last):
    actalike.errors.ActalikeError: /no/folder/out.csv cannot be written: there is no folder /no/folder. Nothing was written.
    """
    try:
        place = _place(path, folders)
    except (OSError, ValueError) as error:  # such as a name that is too long, or has a NUL
        place = getattr(error, "strerror", None) or str(error)
    if isinstance(place, str):
        raise ActalikeError(f"{path} cannot be written: {place}. Nothing was written.")
    return place


def same_file(output: Name, inputs: Iterable[Name]) -> Name | None:
    """Return which of the inputs an output would replace, by whatever name or link; None if it replaces none."""
    return next((given for given in inputs if _is_same(output, given)), None)


def check_no_input(output: Name, inputs: Iterable[Name], *, option: str = "--output") -> None:
    """Raise an error if an output is one of the inputs, by whatever name or link."""
    taken = same_file(output, inputs)
    if taken is not None:
        named = "the input" if str(taken) == str(output) else f"the same file as the input {taken}"
        raise ActalikeError(f"{output} is {named}, which must stay as it is: choose another {option}. Nothing was written.")


def make_folder(folder: Path) -> None:
    """Create a folder, and those above it, if it does not exist."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ActalikeError(f"{folder} cannot be created: {error.strerror}. Nothing was written.") from None


def cannot_read(path: Name, error: OSError) -> str:
    """Return a message about a file that cannot be opened.

    >>> cannot_read("orders.csv", FileNotFoundError(2, "No such file or directory"))
    'orders.csv cannot be read: No such file or directory. Check the path and the current folder; nothing was read.'
    """
    remedy = " Check the path and the current folder; nothing was read." if isinstance(error, FileNotFoundError) else ""
    return f"{path} cannot be read: {error.strerror or error}.{remedy}"


def is_utf8(path: Name) -> bool:
    """Return whether a path is UTF-8, which it need not be on Linux; Polars opens only such paths.

    >>> is_utf8("caf\\xe9.csv"), is_utf8(os.fsdecode(b"caf\\xe9.csv"))
    (True, False)
    """
    try:
        os.fspath(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def new_part_name() -> str:
    """Return a new name for a temporary file of this process."""
    return f".{_new_owner()}.part"


def new_folder_name() -> str:
    """Return a new name for a temporary folder of this process."""
    return f"{_new_owner()}.spill"


def is_part_name(name: str) -> bool:
    """Return whether a file name is that of a temporary file, of any process.

    >>> is_part_name(new_part_name()), is_part_name("mapping.csv.part")
    (True, False)
    """
    return _FILE.fullmatch(name) is not None


def is_leftover(path: Path) -> bool:
    """Return whether a file or folder is temporary, by its name, of any process.

    >>> is_leftover(Path("logs", new_folder_name())), is_leftover(Path("logs", "orders.csv"))
    (True, False)
    """
    return _FILE.fullmatch(path.name) is not None or _FOLDER.fullmatch(path.name) is not None


def remove_leftovers(folder: Path) -> None:
    """Remove leftovers of dead processes of this machine from a folder; a process checks each folder once."""
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


def _remove_temporary(files: Sequence[_File]) -> None:
    for file in files:
        with suppress(OSError):
            file.part.unlink()


@contextmanager
def _errors_about(path: Name) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ActalikeError(f"{path} cannot be written: {error.strerror or error}. Nothing was written.") from None


def _mode_while_written(target: Path) -> int:
    """Return the permissions of a temporary file: those of the file it replaces, and writable by its owner."""
    try:
        return stat.S_IMODE(target.stat().st_mode) & 0o777 | stat.S_IRUSR | stat.S_IWUSR
    except FileNotFoundError:
        return 0o666  # less the umask, as for any new file


def _name_all(files: Sequence[_File]) -> None:
    """Give all files their names, after checking that each may have its name."""
    for file in files:
        check_no_input(file.path, _inputs.get())
        with _errors_about(file.path):
            if _keeps_existing.get() and file.target.exists() and not filecmp.cmp(file.part, file.target, shallow=False):
                raise ActalikeError(
                    f"{file.path} exists already: give --overwrite to replace it, or choose another --output. Nothing was "
                    "written."
                )
    for file in files:
        with _errors_about(file.path):
            if _keeps_existing.get() and file.target.exists():
                continue  # it has the same bytes
            with suppress(FileNotFoundError):
                file.part.chmod(stat.S_IMODE(file.target.stat().st_mode))
            file.part.replace(file.target)
    for folder in {file.target.parent for file in files}:
        _sync_folder(folder)


def _sync_folder(folder: Path) -> None:
    """Make the new name survive a power cut, where the file system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _place(path: Name, folders: bool) -> Path | str:
    """Return the real path of a file to write, or why it cannot be written."""
    absolute = os.path.abspath(path)
    if absolute.startswith(("/dev/", "/proc/", "/sys/")) and not absolute.startswith("/dev/shm/"):
        return "it is a device, and an output is a file"
    if os.path.islink(path) and not os.path.exists(path):
        return f"it is a link to {os.readlink(path)}, which does not exist"
    real = Path(os.path.realpath(path))
    try:
        mode = os.stat(real).st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        return "it is a folder" if stat.S_ISDIR(mode) else "it is a device or a pipe, and an output is a file"
    folder = real.parent
    while folders and not folder.exists():
        folder = folder.parent
    if not folder.is_dir():
        return f"{folder} is not a folder" if folder.exists() else f"there is no folder {folder}"
    return real if os.access(folder, os.W_OK | os.X_OK) else f"the folder {folder} does not allow it"


def _is_same(output: Name, given: Name) -> bool:
    try:
        return os.path.samefile(output, given)
    except (OSError, ValueError):  # one of them does not exist, so they are not the same
        return False


def _new_owner() -> str:
    return f"actalike-{_machine()}-{os.getpid()}-{secrets.token_hex(4)}"


def _is_dead(owner: re.Match[str] | None) -> bool:
    """Return whether a name is one of ours, and its process has certainly ended."""
    # the processes of another machine, or container, cannot be seen from here
    return owner is not None and owner[1] == _machine() and not _runs(int(owner[2]))


def _runs(pid: int) -> bool:
    """Return whether there is a process of this number. If in doubt, there is."""
    if os.name != "posix":  # os.kill would end the process there
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


@cache
def _machine() -> str:
    """Return a short digest that identifies the machine, or the container with its own processes."""
    try:
        container = os.readlink("/proc/self/ns/pid")
    except OSError:
        container = ""
    return hashlib.sha256(f"{socket.gethostname()} {container}".encode()).hexdigest()[:8]
