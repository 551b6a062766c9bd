"""Show the progress of Python calls that take longer than two seconds: in notebooks, and in sessions in a terminal.

Scripts stay silent; the commands have progress bars of their own (:mod:`actalike.cli.console`). Nothing goes to standard output.
"""

import contextvars
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, Protocol, TypeVar

PATIENCE = 2.0  # seconds before anything is shown
_EVERY = 0.5  # seconds between updates

Advance = Callable[..., None]  # is called with the name of a step that is done, and with how many steps if it is not one
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_is_tracked = contextvars.ContextVar("_is_tracked", default=False)  # inside a call whose progress is shown already


class _Display(Protocol):
    """Show one line of text, and take it away when the work is done."""

    def show(self, text: str) -> None: ...

    def clear(self) -> None: ...


@contextmanager
def tracked(what: str, total: int | None = None, share: Callable[[], float | None] | None = None) -> Iterator[Advance]:
    """Show what is being done, how much of it if ``total`` is known, and for how long.

    Yields a function to call when a step is done, with its name, and with the number of steps if it is not one. Where there are
    no steps, ``share`` returns how much is done, or None if that is unknown. Inside another tracked call nothing more is shown.

    >>> with tracked("comparing labels", 2) as advance:
    ...     advance("texts")
    ...     advance("contexts")
    """
    display = None if _is_tracked.get() else _find_display()
    if display is None:
        yield lambda step, steps=1: None
        return
    line = _Line(what, total, share)
    stopped = threading.Event()

    def watch() -> None:
        wait = PATIENCE
        while not stopped.wait(wait):
            display.show(line.text())
            wait = _EVERY

    token = _is_tracked.set(True)
    # in a copy of the context: a notebook's output belongs to the cell that this thread runs
    watcher = threading.Thread(target=contextvars.copy_context().run, args=(watch,), daemon=True)
    watcher.start()
    try:
        yield line.advance
    finally:
        _is_tracked.reset(token)
        stopped.set()
        watcher.join()
        display.clear()


def reading_tracked(verb: str, passes: int = 1) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Show the progress of a function that reads the file of its first argument so many times, and takes ``progress``.

    The argument is the path of a file or folder, or a list of paths.
    A caller's own ``progress`` is used in its place.
    """

    def decorate(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        @wraps(function)
        def run(*arguments: Parameters.args, **options: Parameters.kwargs) -> Result:
            source = arguments[0] if arguments else options.get("source")
            name = _name_of(source)
            if options.get("progress") is not None or name is None or _find_display() is None:
                return function(*arguments, **options)
            with tracked(f"{verb} {name}", 100 * passes) as advance:
                options["progress"] = _percentages(advance)
                return function(*arguments, **options)

        return run

    return decorate


def _name_of(source: object) -> str | None:
    """Return the name of a file, or of the first of several and how many more there are; None for anything else."""
    sources = source if isinstance(source, list | tuple) else [source]
    names = [Path(path).name for path in sources if isinstance(path, str | Path)]
    if not names or len(names) < len(sources):
        return None
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more"


def _percentages(advance: Advance) -> Callable[[int, int], None]:
    """Return a function that takes the bytes read and their number, and advances by whole percents."""
    last = 0

    def update(done: int, total: int) -> None:
        nonlocal last
        share = 100 * done // max(total, 1)
        advance("", share - last if share >= last else share + 100 - last)  # less than before: the next pass has begun
        last = share

    return update


class _Line:
    """Hold what is known of a call's progress."""

    def __init__(self, what: str, total: int | None, share: Callable[[], float | None] | None = None) -> None:
        self.what, self.total, self.share = what, total, share
        self.step, self.done, self.started = "", 0, time.monotonic()

    def advance(self, step: str, steps: int = 1) -> None:
        """Note that a step is done."""
        self.step, self.done = step, self.done + steps

    def text(self) -> str:
        """Return the line that is shown, without characters that could do anything but be shown."""
        seconds = f"{time.monotonic() - self.started:.0f} s"
        done = self.share() if self.share else self.done / self.total if self.total and self.done else None
        share = "" if done is None else f"{min(done, 1):.0%}"
        line = f"{self.what}: {', '.join(part for part in (share, self.step, seconds) if part)}"
        return "".join(character if character.isprintable() else "?" for character in line)


class _Notebook:
    """Show a line below the cell of a notebook."""

    def __init__(self, display: Callable[..., Any]) -> None:
        self._display = display
        self._handle: Any = None

    def show(self, text: str) -> None:
        content = {"text/plain": text}  # a text, which no notebook takes for HTML
        if self._handle is None:
            self._handle = self._display(content, raw=True, display_id=True)
        else:
            self._handle.update(content, raw=True)

    def clear(self) -> None:
        if self._handle is not None:
            self._handle.update({"text/plain": ""}, raw=True)


class _Terminal:
    """Show a line at the cursor of a terminal, on standard error."""

    def __init__(self) -> None:
        self._width = 0

    def show(self, text: str) -> None:
        text = text[:79]
        print(f"\r{text:<{self._width}}", end="", file=sys.stderr, flush=True)
        self._width = len(text)

    def clear(self) -> None:
        if self._width:
            print(f"\r{'':<{self._width}}\r", end="", file=sys.stderr, flush=True)


def _find_display() -> _Display | None:
    """Return where a person follows what is done: a notebook, or a session in a terminal; None in scripts and commands."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if hasattr(shell, "kernel"):
        return _Notebook(sys.modules["IPython.display"].display)
    is_session = shell is not None or hasattr(sys, "ps1")
    return _Terminal() if is_session and sys.stderr is not None and sys.stderr.isatty() else None
