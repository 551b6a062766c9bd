"""Read the second of two logs with other options than the first: ``--b NAME=VALUE``."""

import re
from collections.abc import Sequence
from dataclasses import fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from actalike.cli.reading_options import CasesChoice, LifecycleChoice, ReadingOptions
from actalike.errors import ActalikeError, did_you_mean
from actalike.log import EventLog

SecondLogOption = Annotated[
    list[str] | None,
    typer.Option(
        "--b",
        metavar="NAME=VALUE",
        help="Read the second log with this reading option in place of the first log's: --b case=OrderId; nothing after the = "
        "takes the option away. Repeat it for more.",
    ),
]
_OF_BOTH = ("quiet", "attributes", "also")  # what cannot be said of the second log alone
_DEFAULTS = {field.name.replace("_", "-"): field.default for field in fields(ReadingOptions) if field.name not in _OF_BOTH}
_OPTION = re.compile(rf"--({'|'.join(sorted(_DEFAULTS, key=len, reverse=True))})\b(?!-)(?: ([^\s();,]+))?")
_SEVERAL = ("timestamp-format",)  # options that may be given several times
_CHOICES: dict[str, type[StrEnum]] = {"lifecycle": LifecycleChoice, "cases": CasesChoice}


def second_reading(reading: ReadingOptions, given: Sequence[str] | None) -> ReadingOptions:
    """Return the reading options of the second of two logs: those of the first, but for what ``--b`` says.

    >>> second_reading(ReadingOptions(case="Order", separator=";"), ["case=Auftrag"]).changed()
    ['--case', '--separator']
    >>> second_reading(ReadingOptions(case="Order"), ["case=Auftrag", "timestamp-format=%d.%m.%Y"]).case
    'Auftrag'
    """
    names = list(_DEFAULTS)
    changed: dict[str, Any] = {}
    for text in given or ():
        name, sign, value = text.partition("=")
        if not sign or name not in names:
            question = did_you_mean(name, names)
            raise ActalikeError(
                f"--b {text} is no option of the second log: write NAME=VALUE, such as --b case=OrderId.{question} The names are "
                f"{', '.join(names)}. Nothing was read."
            )
        if name in changed and name not in _SEVERAL:
            raise ActalikeError(f"--b {name} is given twice: give it once. Nothing was read.")
        value_of_option = _value_of(name, value)
        changed[name] = [*changed[name], *value_of_option] if name in changed else value_of_option
    return replace(reading, **{name.replace("-", "_"): value for name, value in changed.items()})


def read_second(reading: ReadingOptions, path: Path) -> EventLog:
    """Read the second log; an error that names an option names it as one of this log alone."""
    try:
        return reading.read(path)
    except ActalikeError as error:
        raise type(error)(of_second(str(error))) from None


def of_second(text: str) -> str:
    """Return a text about the second log with its reading options as ``--b`` has them.

    >>> of_second("Name its encoding with encoding=... (--encoding; often cp1252)"), of_second("(--order file)")
    ('Name its encoding with encoding=... (--b encoding=...; often cp1252)', '(--b order=file)')
    """
    return _OPTION.sub(lambda found: f"--b {found[1]}={found[2] or '...'}", text)


def _value_of(name: str, value: str) -> Any:
    """Return the value of a reading option from its text; without a text, what holds if the option is not given."""
    if not value and name != "timestamp":  # without timestamps is a way to read a log
        return _DEFAULTS[name]
    if name in _CHOICES:
        allowed = [str(choice.value) for choice in _CHOICES[name]]
        if value not in allowed:
            raise ActalikeError(f"--b {name}={value}: it must be one of {', '.join(allowed)}. Nothing was read.")
        return _CHOICES[name](value)
    if name in ("max-bytes", "skip", "skip-last"):
        if not (value.isascii() and value.isdigit()):
            raise ActalikeError(f"--b {name}={value}: it must be a whole number. Nothing was read.")
        return int(value)
    return [value] if name in ("order", *_SEVERAL) else value
