"""Turn a panic of native code into an exception of Python that can be caught, without its report on standard error.

A panic of Polars is no ``Exception`` to Python, and is reported on the standard error of the process by the native code itself.
"""

import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

_lock = threading.Lock()
_users = 0  # how many threads hold standard error back
_terminal = -1
_held: IO[bytes] | None = None


class NativePanic(Exception):
    """Report that native code gave up. The message is the first line of its reason."""


@contextmanager
def catch_panics() -> Iterator[None]:
    """Raise :class:`NativePanic` if native code panics; what else is written to standard error meanwhile is shown afterwards.

    >>> with catch_panics():
    ...     print("calm")
    calm
    """
    from polars.exceptions import PanicException

    panicked = False
    _hold()
    try:
        yield
    except PanicException as error:
        panicked = True
        lines = str(error).splitlines()
        raise NativePanic(lines[0] if lines else "it gave no reason") from None
    finally:
        _release(panicked)


def _hold() -> None:
    """Send standard error to a file, if this is the first thread that asks for it."""
    global _users, _terminal, _held
    with _lock:
        _users += 1
        if _users > 1:
            return
        try:
            if sys.stderr is not None:
                sys.stderr.flush()
            _held = tempfile.TemporaryFile()  # noqa: SIM115 (the last thread closes it)
            _terminal = os.dup(2)
            os.dup2(_held.fileno(), 2)
        except (OSError, ValueError):  # no standard error, or no room for a file
            _held = None


def _release(panicked: bool) -> None:
    """Undo it, if this is the last thread, and show what was held back, unless it is the report of a panic."""
    global _users, _held
    with _lock:
        _users -= 1
        if panicked and _held is not None:
            os.ftruncate(2, 0)
            os.lseek(2, 0, os.SEEK_SET)
        if _users or _held is None:
            return
        os.dup2(_terminal, 2)
        os.close(_terminal)
        with _held as held, suppress(OSError):  # whoever read standard error may be gone
            held.seek(0)
            if text := held.read():
                os.write(2, text)
        _held = None
