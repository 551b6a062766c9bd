"""Print for the command line: aligned tables, notes, JSON, labels with second names, commands that can be copied into a shell."""

import json
import logging
import math
import os
import re
import shlex
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from actalike.support.text import with_signs


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


_IN_PYTHON = re.compile(r"\b[a-z_]+=(?:\.\.\.|'[^']*'|\[[^]]*\]|\d+) \((?=--[a-z])((?:[^()]|\([^()]*\))*)\)")  # skip=2 (--skip 2)
_PYTHON_TOO = re.compile(r"(--[a-z-]+ [^()]*?) \([a-z_]+=(?:\.\.\.|'[^']*')\)")  # --lifecycle complete (lifecycle='complete')
_BARE_PYTHON = re.compile(r"\b(case|activity|timestamp|lifecycle|order|missing)='([a-z]*)'")


def in_options(text: str) -> str:
    """Return a sentence for users of Python in the words of the command line: with its options only.

    >>> in_options("If the first 2 rows are a title, leave them out with skip=2 (--skip 2); or use lifecycle='ignore'.")
    'If the first 2 rows are a title, leave them out with --skip 2; or use --lifecycle ignore.'
    """
    text = _PYTHON_TOO.sub(r"\1", _IN_PYTHON.sub(r"\1", text))
    return _BARE_PYTHON.sub(lambda match: f"--{match[1]} {match[2] or chr(39) * 2}", text)


def print_note(text: str) -> None:
    """Print a remark on standard error."""
    print(plain(f"actalike: {in_options(text)}"), file=sys.stderr)


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


_UNPRINTABLE = re.compile(f"[\x00-\x1f\x7f-\x9f\ud800-\udfff{''.join(map(chr, DIRECTIONS))}]")


def quoted(text: str) -> str:
    r"""Return a text as one word of a shell command.

    Control characters, those that turn the direction of writing, and bytes that are not UTF-8 are written as bash and zsh read
    them, because a terminal cannot show them.

    >>> print(quoted("mapping.csv"), quoted("my log.csv"), quoted("$HOME's"), quoted("two\nlines"))
    mapping.csv 'my log.csv' '$HOME'"'"'s' $'two\x0alines'
    """
    if not _UNPRINTABLE.search(text):
        return shlex.quote(text)
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"$'{_UNPRINTABLE.sub(_escaped, escaped)}'"


def command_line(*words: str | Path, options: Mapping[str, object] | None = None) -> str:
    """Return a command of actalike as one line for the shell. A path stays a path if it begins with a minus; one
    that is a minus is standard input.

    An option with several values is repeated.

    >>> command_line("relabel", Path("-my log.csv"), Path("mapping.csv"), options={"--case": "Order Id"})
    "actalike relabel './-my log.csv' mapping.csv '--case=Order Id'"
    """
    shown = [
        f"./{word}" if isinstance(word, Path) and str(word).startswith("-") and word != Path("-") else str(word) for word in words
    ]
    given = [f"{name}={value}" for name, values in (options or {}).items() for value in several(values)]
    return " ".join(["actalike", *map(quoted, [*shown, *given])])


def several(value: object) -> list[str]:
    """Return the values of an option, as it is written on the command line.

    >>> several(3), several(("iso", "%d.%m.%Y"))
    (['3'], ['iso', '%d.%m.%Y'])
    """
    return [str(each) for each in value] if isinstance(value, list | tuple) else [str(value)]


def _escaped(match: re.Match[str]) -> str:
    return "".join(f"\\x{byte:02x}" for byte in os.fsencode(match.group()))


def with_name(label: str, names: Mapping[str, str]) -> str:
    """Return a label with its second name, if it has one that differs from it.

    >>> with_name("01_HOOFD_010", {"01_HOOFD_010": "register request"}), with_name("Pay", {})
    ('01_HOOFD_010 [register request]', 'Pay')
    """
    name, shown = names.get(label, label), with_signs(label)
    return shown if name == label else f"{shown} [{name}]"


def print_names(labels: Iterable[str], names: Mapping[str, str]) -> None:
    """Print a line for each label that has a second name, and a blank line after them."""
    lines = [plain(f"{label}: {names[label]}") for label in labels if names.get(label, label) != label]
    if lines:
        print("\n".join(lines), end="\n\n")


@contextmanager
def logged_work() -> Iterator[None]:
    """Show on standard error what the library logs."""
    logger, handler = logging.getLogger("actalike"), logging.StreamHandler()
    handler.setFormatter(logging.Formatter("actalike: %(message)s"))
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


class Stopped(KeyboardInterrupt):
    """Say that a signal other than Ctrl-C ended the command. No benchmark takes it for a failure of the method that runs."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


_running = False


def exit_code(stop: KeyboardInterrupt) -> int:
    """Return the exit code after a signal, by the shell's convention: 128 and the number of the signal.

    >>> exit_code(KeyboardInterrupt()), exit_code(Stopped(15))
    (130, 143)
    """
    return 128 + getattr(stop, "number", signal.SIGINT)


def _stop(number: int, frame: object) -> None:
    if _running:
        raise Stopped(number)


@contextmanager
def stop_on_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP stop a command as Ctrl-C does. Afterwards they are ignored: the work is done, and Python ends."""
    global _running
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:  # nohup ignores SIGHUP, and that must stay so
            signal.signal(number, _stop)
    _running = True
    try:
        yield
    finally:
        _running = False
