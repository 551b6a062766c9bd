"""Print commands that can be copied into a shell."""

import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path

from actalike.cli.console import DIRECTIONS

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
    """Return a command of actalike as one line for the shell. A path stays a path if it begins with a minus.

    An option with several values is repeated.

    >>> command_line("relabel", Path("-my log.csv"), Path("mapping.csv"), options={"--case": "Order Id"})
    "actalike relabel './-my log.csv' mapping.csv '--case=Order Id'"
    """
    shown = [f"./{word}" if isinstance(word, Path) and str(word).startswith("-") else str(word) for word in words]
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
