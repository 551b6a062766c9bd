"""The command of each benchmark, made from the options of its task: ``actalike benchmark intrinsic`` and so on."""

import dataclasses
import inspect
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, cast, get_args, get_type_hints

import typer

from actalike.benchmark.task import Task
from actalike.cli.benchmarks.running import AsJson, Logs, Out, Plugin, RetryFailed, print_outcome, run
from actalike.errors import ActalikeError

_Shard = Annotated[str, typer.Option(metavar="I/N", help="Only the I-th of N parts of the work, for N machines.")]


def command_of(kind: type[Task]) -> Callable[..., None]:
    """Return the command of a task, as a function whose parameters typer reads."""
    options = {one.name: one for one in dataclasses.fields(kind.Options)}
    types = get_type_hints(kind.Options)
    methods = Annotated[list[str] | None, typer.Option("--methods", metavar="PATTERN...", help=kind.participants_help)]
    logs: Any = Logs if kind.needs_logs else Annotated[list[Path] | None, get_args(Logs)[1]]
    parameters = [
        _parameter("logs", logs, ... if kind.needs_logs else None),
        _parameter("out", Out),
        _parameter("methods", methods, None),
    ]
    parameters += [_parameter(name, *_flag(one, types[name])) for name, one in options.items()]
    if kind.parallel:
        kind_of_jobs: Any = int if kind.default_jobs else int | None
        jobs = Annotated[kind_of_jobs, typer.Option(min=1, help=kind.jobs_help)]
        parameters.append(_parameter("jobs", jobs, kind.default_jobs))
    if kind.parallel and kind.can_be_split:
        parameters.append(_parameter("shard", _Shard, "1/1"))
    parameters += [
        _parameter("plugin", Plugin, None),
        _parameter("retry_failed", RetryFailed, False),
        _parameter("as_json", AsJson, False),
    ]

    def command(*, out: Path, plugin: list[str] | None, as_json: bool, **given: Any) -> None:
        if "shard" in given:
            given["shard"] = _shard(given["shard"])
        for name, one in options.items():
            given[name] = _value(given[name], one, types[name])
        outcome = run(kind.name, plugin, out, **given)
        print_outcome(outcome, as_json, kind.verb)

    command.__doc__ = inspect.getdoc(kind)
    command.__name__ = kind.name
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return command


def list_options(kind: type[Task]) -> list[str]:
    """Return the options of a command that take several values."""
    types = get_type_hints(kind.Options)
    return ["--logs", "--methods", *(f"--{name.replace('_', '-')}" for name, one in types.items() if _plain(one) == list[str])]


def _parameter(name: str, annotation: Any, default: Any = ...) -> inspect.Parameter:
    given = inspect.Parameter.empty if default is ... else default
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=given)


def _plain(annotation: Any) -> Any:
    """Return the type of an option, without None."""
    kinds = [one for one in get_args(annotation) if one is not NoneType]
    if NoneType in get_args(annotation) and len(kinds) == 1:
        return _plain(kinds[0])
    return {Sequence[int]: list[int], Sequence[str]: list[str]}.get(annotation, annotation)


def _flag(option: "dataclasses.Field[Any]", annotation: Any) -> tuple[Any, Any]:
    """Return the annotation and the default of an option, as typer reads them."""
    kind, facts = _plain(annotation), option.metadata
    flag, default = f"--{option.name.replace('_', '-')}", cast("Any", option.default)
    settings: dict[str, Any] = {"help": facts["help"], "metavar": facts["metavar"]}
    if kind == list[int]:
        return Annotated[str, typer.Option(flag, **settings)], _numbers_text(default)
    if kind == list[str]:
        settings["metavar"] = settings["metavar"] or "NAME..."
        return Annotated[list[str] | None, typer.Option(flag, **settings)], None
    if kind in (int, float):
        settings["min"] = facts["least"]
    shown: Any = kind if default is not None else kind | None
    return Annotated[shown, typer.Option(flag, **settings)], default


def _value(given: Any, option: "dataclasses.Field[Any]", annotation: Any) -> Any:
    """Return the value of an option as its task takes it."""
    kind = _plain(annotation)
    if kind == list[int]:
        return _numbers(given, option.name, least=option.metadata["least"])
    if kind == list[str]:
        return given or (option.default and list(cast("Any", option.default)))
    return given


def _numbers_text(numbers: Sequence[int]) -> str:
    """Return numbers as a flag takes them.

    >>> _numbers_text((2, 3, 4)), _numbers_text((1, 3))
    ('2-4', '1,3')
    """
    is_range = sorted(numbers) == list(range(min(numbers), max(numbers) + 1))
    return f"{min(numbers)}-{max(numbers)}" if is_range else ",".join(map(str, numbers))


def _numbers(text: str, option: str, least: int | None) -> list[int]:
    """Return the numbers of a flag.

    >>> _numbers("1,3-5", "r", 1)
    [1, 3, 4, 5]
    """
    found: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", part)
        if match is None or not (least or 0) <= int(match[1]) <= int(match[2] or match[1]):
            raise ActalikeError(f"--{option} {text!r} is neither a number nor a range such as 2-5, from {least or 0} on.")
        found.update(range(int(match[1]), int(match[2] or match[1]) + 1))
    return sorted(found)


def _shard(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", text)
    if match is None or int(match[1]) > int(match[2]):
        raise ActalikeError(f"--shard {text!r} is not of the form I/N, with I from 1 to N.")
    return int(match[1]), int(match[2])
