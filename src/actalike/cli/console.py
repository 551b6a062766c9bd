"""Print for the command line: aligned tables on standard output, notes on standard error."""

import json
import math
import re
import sys
from collections.abc import Sequence
from typing import Any


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
