"""Show the progress of what takes longer than two seconds, on standard error: in notebooks, sessions, and commands.

Functions announce what they do with :func:`tracked`; rich draws it. Scripts and pipes stay silent. The logger ``actalike`` gets
the same messages, with the time it took.
"""

import contextvars
import io
import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress

logger = logging.getLogger("actalike")
logger.addHandler(logging.NullHandler())

PATIENCE = 2.0  # seconds before anything is shown
_EVERY = 0.25  # seconds between updates
_NOTEBOOK_WIDTH = 100  # characters

Advance = Callable[..., None]  # is called with the name of a step that is done, and with how many steps if it is not one
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_is_tracked = contextvars.ContextVar("_is_tracked", default=False)  # inside a call whose progress is shown already
_is_command = contextvars.ContextVar("_is_command", default=False)


@contextmanager
def tracked(what: str, total: int | None = None) -> Iterator[Advance]:
    """Show what is being done, how much of it if ``total`` is known, and for how long.

    Yields a function to call when a step is done, with its name, and with the number of steps if it is not one. Inside another
    tracked call nothing more is shown.

    >>> with tracked("comparing labels", 2) as advance:
    ...     advance("texts")
    ...     advance("contexts")
    """
    if _is_tracked.get():
        yield lambda step, steps=1: None
        return
    with _logged(what), _shown(what, total) if _is_followed() else nullcontext(lambda step, steps=1: None) as advance:
        yield advance


@contextmanager
def _logged(what: str) -> Iterator[None]:
    """Log what begins, and how long it took; not the calls inside it, and not failures, which raise errors."""
    token = _is_tracked.set(True)
    logger.info("%s", what)
    began = time.monotonic()
    try:
        yield
        logger.info("%s: %.1f s", what, time.monotonic() - began)
    finally:
        _is_tracked.reset(token)


@contextmanager
def _shown(what: str, total: int | None) -> Iterator[Advance]:
    """Show what is being done in a thread of its own."""
    work = _Work(what, total)
    # in a copy of the context: a notebook's output belongs to the cell that this thread runs
    watcher = threading.Thread(target=contextvars.copy_context().run, args=(_watch, work), daemon=True)
    watcher.start()
    try:
        yield work.advance
    finally:
        work.is_over.set()
        watcher.join()


@contextmanager
def shown_by_command() -> Iterator[None]:
    """Show progress in a command, if standard error is a terminal."""
    token = _is_command.set(True)
    try:
        yield
    finally:
        _is_command.reset(token)


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
            if name is None or _is_tracked.get():
                return function(*arguments, **options)
            if options.get("progress") is not None or not _is_followed():
                with _logged(f"{verb} {name}"):
                    return function(*arguments, **options)
            with tracked(f"{verb} {name}", 100 * passes) as advance:
                options["progress"] = percentages(advance)
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


def percentages(advance: Advance) -> Callable[[int, int], None]:
    """Return a function that takes the bytes read and their number, and advances by whole percents."""
    last = 0

    def update(done: int, total: int) -> None:
        nonlocal last
        share = 100 * done // max(total, 1)
        advance("", share - last if share >= last else share + 100 - last)  # less than before: the next pass has begun
        last = share

    return update


class _Work:
    """Hold the progress of a call."""

    def __init__(self, what: str, total: int | None) -> None:
        self.what, self.total = what, total
        self.step, self.done, self.started = "", 0, time.monotonic()
        self.is_over = threading.Event()

    def advance(self, step: str, steps: int = 1) -> None:
        """Note that a step is done."""
        self.step, self.done = step, self.done + steps

    def update(self, bar: "Progress") -> None:
        """Update a bar, without unprintable characters."""
        text = f"{self.what}: {self.step}" if self.step else self.what
        share = self.done / self.total if self.total else None
        bar.update(
            bar.task_ids[0],
            description="".join(character if character.isprintable() else "?" for character in text),
            total=None if share is None else 1,
            completed=min(share or 0, 1),
        )


def _is_followed() -> bool:
    """Return whether progress is shown: in a notebook, in an interactive session, or by a command at a terminal."""
    if _notebook_shell() is not None:
        return True
    ipython = sys.modules.get("IPython")
    is_session = hasattr(sys, "ps1") or (ipython is not None and ipython.get_ipython() is not None)
    return (is_session or _is_command.get()) and sys.stderr is not None and sys.stderr.isatty()


def _notebook_shell() -> Any:
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell if hasattr(shell, "kernel") else None


def _watch(work: _Work) -> None:
    """Show work until it is over, if it takes longer than a moment."""
    if work.is_over.wait(PATIENCE):
        return
    from rich.console import Console  # here: most calls are over before anything of it is needed
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    is_notebook = _notebook_shell() is not None
    console = Console(stderr=True)
    if is_notebook:  # text without colours
        console = Console(file=io.StringIO(), width=_NOTEBOOK_WIDTH, color_system=None, force_terminal=False, force_jupyter=False)
    what, share, elapsed = TextColumn("{task.description}", markup=False), TaskProgressColumn(), TimeElapsedColumn()
    bar = Progress(
        *((what, share, elapsed) if is_notebook else (what, BarColumn(), share, elapsed)),
        console=console,
        auto_refresh=False,  # rich's own thread would know nothing of a notebook's cell
        transient=True,
        redirect_stdout=False,  # to standard error it would be
        redirect_stderr=_is_command.get(),  # so that remarks are printed above the bar
    )
    bar.add_task("", total=None)
    bar.tasks[0].start_time = work.started
    with _cell_output(bar) if is_notebook else _terminal_output(bar) as show:
        work.update(bar)
        show()
        while not work.is_over.wait(_EVERY):
            work.update(bar)
            show()


@contextmanager
def _terminal_output(bar: "Progress") -> Iterator[Callable[[], None]]:
    with bar:
        yield bar.refresh


@contextmanager
def _cell_output(bar: "Progress") -> Iterator[Callable[[], None]]:
    """Show a bar below the cell of a notebook, as text: rich alone needs ipywidgets there."""
    handle = sys.modules["IPython.display"].display({"text/plain": ""}, raw=True, display_id=True)

    def show() -> None:
        with bar.console.capture() as text:
            bar.console.print(bar.get_renderable())
        handle.update({"text/plain": text.get().strip()}, raw=True)  # plain text, not HTML

    try:
        yield show
    finally:
        handle.update({"text/plain": ""}, raw=True)
