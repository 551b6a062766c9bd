"""The options that every command which reads a log has, written down once."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from actalike.console import reading_progress
from actalike.io import read_log
from actalike.io.source import DEFAULT_MAX_BYTES
from actalike.log import EventLog


class LifecycleChoice(StrEnum):
    """What to do with lifecycle transitions."""

    ignore = "ignore"
    complete = "complete"
    append = "append"


class OrderChoice(StrEnum):
    """The order of a case's events."""

    file = "file"
    time = "time"


def _option(help_: str, **extra: Any) -> Any:
    return typer.Option(help=help_, rich_help_panel="How the log is read", **extra)


@dataclass
class ReadingOptions:
    """The keyword arguments of :func:`actalike.read_log`, as options."""

    case: Annotated[str | None, _option("Column of the case, if it is not recognised.", metavar="COLUMN")] = None
    activity: Annotated[str | None, _option("Column of the activity.", metavar="COLUMN")] = None
    timestamp: Annotated[str | None, _option("Column of the timestamp.", metavar="COLUMN")] = None
    transition: Annotated[str | None, _option("Column of the lifecycle transition.", metavar="COLUMN")] = None
    lifecycle: Annotated[
        LifecycleChoice, _option("Ignore lifecycle transitions, keep only 'complete', or append them to the label.")
    ] = LifecycleChoice.ignore
    order: Annotated[OrderChoice | None, _option("Keep the file's order, or sort by time. [XES: file; else: time]")] = None
    separator: Annotated[str | None, _option("Separator of a CSV, if it is not recognised.")] = None
    encoding: Annotated[str | None, _option("Encoding of a CSV. [UTF-8]")] = None
    timestamp_format: Annotated[
        str | None, _option("Layout of timestamps in a CSV: '%d.%m.%Y %H:%M'. [ISO 8601]", metavar="FORMAT")
    ] = None
    max_bytes: Annotated[int, _option("The most that a file may hold once unpacked.")] = DEFAULT_MAX_BYTES

    def changed(self) -> list[str]:
        """The options that were given."""
        return [f"--{field.name.replace('_', '-')}" for field in fields(self) if getattr(self, field.name) != field.default]

    def read(self, path: Path) -> EventLog:
        """Read a log with these options, with a progress bar."""
        options = {field.name: getattr(self, field.name) for field in fields(self)}
        with reading_progress(path.name) as progress:
            return read_log(path, progress=progress, **options)


def with_reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the reading options; it receives them together, as its argument ``reading``."""
    own = [p for p in inspect.signature(command).parameters.values() if p.name != "reading"]
    hints = get_type_hints(ReadingOptions, include_extras=True)
    added = [
        inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name])
        for field in fields(ReadingOptions)
    ]

    @wraps(command)
    def run(**arguments: Any) -> Any:
        reading = ReadingOptions(**{field.name: arguments.pop(field.name) for field in fields(ReadingOptions)})
        return command(reading=reading, **arguments)

    keywords = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own]
    run.__signature__ = inspect.Signature([*keywords, *added])  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in (*own, *added)}
    return run
