"""Check whether a file can be written at a place, before any work is done for it."""

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from actalike.errors import ActalikeError

Name = str | Path


def check_place(path: Name, *, folders: bool = False) -> Path:
    """Return the real path of a file to write, or raise an error if no file can be written there.

    A symbolic link to a file stands for that file. A folder, a device, a pipe, and a link that leads nowhere are refused.
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
    """Return which of the inputs is the very file that an output would replace, by whatever name or link; None if none is."""
    return next((given for given in inputs if _is_same(output, given)), None)


def check_no_input(output: Name, inputs: Iterable[Name], *, option: str = "--output") -> None:
    """Refuse an output that is one of the inputs, by whatever name or link."""
    taken = same_file(output, inputs)
    if taken is not None:
        named = "the input" if str(taken) == str(output) else f"the same file as the input {taken}"
        raise ActalikeError(f"{output} is {named}, which must stay as it is: choose another {option}. Nothing was written.")


def cannot_read(path: Name, error: OSError) -> str:
    """Return in a sentence or two why a file cannot be opened, and what to do if it is not there.

    >>> cannot_read("orders.csv", FileNotFoundError(2, "No such file or directory"))
    'orders.csv cannot be read: No such file or directory. Check the path and the current folder; nothing was read.'
    """
    remedy = " Check the path and the current folder; nothing was read." if isinstance(error, FileNotFoundError) else ""
    return f"{path} cannot be read: {error.strerror or error}.{remedy}"


def is_utf8(path: Name) -> bool:
    """Tell whether a path is UTF-8, as it need not be on Linux; Polars opens no other.

    >>> is_utf8("caf\\xe9.csv"), is_utf8(os.fsdecode(b"caf\\xe9.csv"))
    (True, False)
    """
    try:
        os.fspath(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def make_folder(folder: Path) -> None:
    """Create a folder, and those above it, if it does not exist."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ActalikeError(f"{folder} cannot be created: {error.strerror}. Nothing was written.") from None


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
        return f"{folder} is no folder" if folder.exists() else f"there is no folder {folder}"
    return real if os.access(folder, os.W_OK | os.X_OK) else f"the folder {folder} does not allow it"


def _is_same(output: Name, given: Name) -> bool:
    try:
        return os.path.samefile(output, given)
    except (OSError, ValueError):  # one of them does not exist, so they are not the same
        return False
