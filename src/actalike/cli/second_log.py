"""Read the second of two logs with other options than the first: ``--b NAME=VALUE``."""

from collections.abc import Sequence
from dataclasses import fields, replace
from enum import StrEnum
from typing import Annotated, Any

import typer

from actalike.cli.reading_options import CasesChoice, LifecycleChoice, ReadingOptions
from actalike.errors import ActalikeError, did_you_mean

SecondLogOption = Annotated[
    list[str] | None,
    typer.Option(
        "--b",
        metavar="NAME=VALUE",
        help="Read the second log with this reading option in place of the first log's: --b case=OrderId. Repeat it for more.",
    ),
]
_OF_BOTH = ("quiet", "attributes", "also")  # what cannot be said of the second log alone
_CHOICES: dict[str, type[StrEnum]] = {"lifecycle": LifecycleChoice, "cases": CasesChoice}


def second_reading(reading: ReadingOptions, given: Sequence[str] | None) -> ReadingOptions:
    """Return the reading options of the second of two logs: those of the first, but for what ``--b`` says.

    >>> second_reading(ReadingOptions(case="Order", separator=";"), ["case=Auftrag"]).changed()
    ['--case', '--separator']
    >>> second_reading(ReadingOptions(case="Order"), ["case=Auftrag", "timestamp-format=%d.%m.%Y"]).case
    'Auftrag'
    """
    names = [field.name.replace("_", "-") for field in fields(ReadingOptions) if field.name not in _OF_BOTH]
    changed: dict[str, Any] = {}
    for text in given or ():
        name, sign, value = text.partition("=")
        if not sign or name not in names:
            question = did_you_mean(name, names)
            raise ActalikeError(
                f"--b {text} is no option of the second log: write NAME=VALUE, such as --b case=OrderId.{question} The names are "
                f"{', '.join(names)}. Nothing was read."
            )
        if name in changed:
            raise ActalikeError(f"--b {name} is given twice: give it once. Nothing was read.")
        changed[name] = _value_of(name, value)
    return replace(reading, **{name.replace("-", "_"): value for name, value in changed.items()})


def _value_of(name: str, value: str) -> Any:
    """Return the value of a reading option from its text."""
    if name in _CHOICES:
        allowed = [str(choice.value) for choice in _CHOICES[name]]
        if value not in allowed:
            raise ActalikeError(f"--b {name}={value}: it must be one of {', '.join(allowed)}. Nothing was read.")
        return _CHOICES[name](value)
    if name == "max-bytes":
        if not (value.isascii() and value.isdigit()):
            raise ActalikeError(f"--b {name}={value}: it must be a whole number. Nothing was read.")
        return int(value)
    return [value] if name == "order" else value
