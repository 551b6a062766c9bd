"""Print for the command line: aligned tables on standard output, notes and progress on standard error."""

import json
import math
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

_PATIENCE = 1.0  # seconds before a progress bar appears
_LINES_EVERY = 30.0  # seconds between lines of progress where there is no terminal


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> None:
    """Print rows aligned in columns, those numbered in ``right`` to the right. Labels are never cut."""
    from rich.cells import cell_len  # here, as everywhere in this file: --help needs nothing of rich

    shown = [[cell.translate(_CONTROLS) for cell in row] for row in (header, *rows)]
    widths = [max(cell_len(row[i]) for row in shown) for i in range(len(header))]
    for row in shown:
        gaps = [" " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)]
        cells = [gap + cell if i in right else cell + gap for i, (cell, gap) in enumerate(zip(row, gaps, strict=True))]
        print("  ".join(cells).rstrip())


# a label may hold control characters, and those may do anything to a terminal; these turn the direction of writing, so that a
# line reads as another one, or end a line
DIRECTIONS = (0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))} | {code: f"\\u{code:04x}" for code in DIRECTIONS}
_JSON_CONTROLS = {code: f"\\u{code:04x}" for code in (*range(127, 160), *DIRECTIONS)}  # JSON escapes those below 32 itself


_PASSWORD = re.compile(r"(\b[a-z][a-z0-9+.-]*:/{1,2}[^\s:/@]*:)\S*@", re.IGNORECASE)  # up to the last @: a password may hold one
_TOKEN = re.compile(r"([;?&\s](?:[a-z-]*(?:token|signature)|password|pwd|secret)=)[^\s;&,)'\"]+", re.IGNORECASE)


def plain(text: str) -> str:
    """Return a text that a terminal can safely show."""
    return text.translate(_CONTROLS)


def hide_secrets(text: str) -> str:
    """Return a text with three stars in place of passwords and tokens in addresses.

    >>> hide_secrets("s3a://KEY:SECRET@bucket/events and sc://host:15002/;token=abc;x=1")
    's3a://KEY:***@bucket/events and sc://host:15002/;token=***;x=1'
    >>> hide_secrets("Got unexpected extra argument (postgres://u:one@two/x@host/db?password=three)")
    'Got unexpected extra argument (postgres://u:***@host/db?password=***)'
    """
    return _TOKEN.sub(r"\1***", _PASSWORD.sub(r"\1***@", text))


def print_note(text: str) -> None:
    """Print a remark on standard error."""
    print(plain(f"actalike: {text}"), file=sys.stderr)


def print_json(facts: Any) -> None:
    """Print facts as JSON, with null in place of NaN."""
    text = json.dumps(_without_nan(facts), ensure_ascii=False, indent=2, allow_nan=False)
    print(text.translate(_JSON_CONTROLS))


def _without_nan(facts: Any) -> Any:
    if isinstance(facts, dict):
        return {key: _without_nan(value) for key, value in facts.items()}
    if isinstance(facts, list | tuple):
        return [_without_nan(value) for value in facts]
    return None if isinstance(facts, float) and not math.isfinite(facts) else facts


@contextmanager
def reading_progress(name: str) -> Iterator[Callable[[int, int], None] | None]:
    """Show a progress bar while a file is read, if there is a terminal and it takes more than a moment."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    bar = Bar(
        TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True,
    )  # fmt: skip
    task = bar.add_task(f"reading {plain(name)}", total=None)
    with _after_a_moment(bar):
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def query_progress(what: str, done: Callable[[], float | None]) -> Iterator[None]:
    """Show how much of an engine's query is done: a bar in a terminal, else a line now and then.

    ``done`` returns the share, or None if the engine does not tell it.
    """
    stopped = threading.Event()
    started = time.monotonic()

    def show_bar() -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
        with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(plain(what), total=None)
            while not stopped.wait(0.5):
                share = done()
                bar.update(task, completed=share or 0, total=None if share is None else 1)

    def print_lines() -> None:
        while not stopped.wait(_LINES_EVERY):
            share = done()
            known = "" if share is None else f"{share:.0%} of this pass, "
            print(f"{plain(what)}: {known}{_time_words(time.monotonic() - started)} so far", file=sys.stderr, flush=True)

    def watch() -> None:
        if not stopped.wait(_PATIENCE):
            (show_bar if sys.stderr.isatty() else print_lines)()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        stopped.set()
        watcher.join()


def _time_words(seconds: float) -> str:
    """Return a time in words.

    >>> _time_words(42.3), _time_words(130)
    ('42 s', '2 min 10 s')
    """
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes:,} min {rest} s" if minutes else f"{rest} s"


@contextmanager
def fitting_progress(method: str) -> Iterator[None]:
    """Show which method is fitted, and for how long: in a terminal after a moment, else in a line now and then."""
    if not sys.stderr.isatty():
        with query_progress(f"fitting {method}", lambda: None):
            yield
        return
    from rich.console import Console
    from rich.progress import Progress as Bar
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    bar = Bar(
        SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), console=Console(stderr=True), transient=True
    )
    bar.add_task(f"fitting {plain(method)}", total=None)
    with _after_a_moment(bar):
        yield


@contextmanager
def _after_a_moment(bar: Any) -> Iterator[None]:
    """Show a bar while something takes more than a moment, also if not even its first step is done by then."""
    timer = threading.Timer(_PATIENCE, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()  # or else it could start the bar after its end
        bar.stop()


@contextmanager
def working_progress(what: str, total: int | None) -> Iterator[Callable[..., None]]:
    """Show progress through so many pieces of work, and the time so far: a bar in a terminal, else a line now and then.

    ``total`` is None if nobody knows how many there will be. Pieces may take very different times, so nothing is said of the
    time that remains. Yields a function to call when a piece is done, with its name, and with the number of pieces if it is not
    one.
    """
    started = last_printed = time.monotonic()
    done = 0
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        counted = () if total is None else (MofNCompleteColumn(),)
        columns = (TextColumn("{task.description}"), BarColumn(), *counted, TimeElapsedColumn())
        bar = Bar(*columns, console=Console(stderr=True), transient=True)
        task = bar.add_task(what, total=total)

        def update(piece: str, steps: int = 1) -> None:
            bar.update(task, advance=steps, description=f"{what}: {plain(piece)}")

        with _after_a_moment(bar):
            yield update
        return

    def advance(piece: str, steps: int = 1) -> None:
        nonlocal done, last_printed
        done += steps
        now = time.monotonic()
        if done and now - last_printed > _LINES_EVERY:
            last_printed = now
            so_far = _time_words(now - started)
            words = plain(piece) if total is None else f"{done:,} of {total:,} done ({plain(piece)})"
            print(f"{what}: {words}, {so_far} so far", file=sys.stderr, flush=True)

    yield advance
