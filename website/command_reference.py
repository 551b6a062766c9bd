"""Write the reference of all commands from the command line's own help, so that it cannot be another."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import typer

from actalike.cli.help import panels
from actalike.cli.main import app

PLACE = "<!-- every command -->"
SHARED = 4  # an option that so many commands have, in the same words, is explained once


class Option(NamedTuple):
    """An option or argument of a command, with the heading that the help has it under."""

    heading: str
    name: str
    meaning: str


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Put the commands where a page wants them (an event of mkdocs)."""
    return markdown.replace(PLACE, reference()) if PLACE in markdown else markdown


def reference() -> str:
    """Return all commands in Markdown: the options that many have, then how each is called, what it does, and its own options."""
    root: Any = typer.main.get_command(app)
    found = [(path, command, list(_options(command, context)), context) for path, command, context in commands(root)]
    uses = Counter(option for _, _, options, _ in found for option in options)
    shared = {option: None for _, _, options, _ in found for option in options if uses[option] >= SHARED}
    shared_section = "\n\n".join(["## Shared options", *_tables(shared)])
    return "\n\n".join([shared_section, *(_section(*command, set(shared)) for command in found)])


def commands(group: Any, path: str = "actalike", parent: Any = None) -> Iterator[tuple[str, Any, Any]]:
    """Yield each command that can be called: its words, itself, and its context."""
    context = group.context_class(group, info_name=path.rpartition(" ")[2], parent=parent)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        words = f"{path} {name}"
        if hasattr(command, "list_commands"):
            yield from commands(command, words, context)
        else:
            yield words, command, command.context_class(command, info_name=name, parent=context)


def _options(command: Any, context: Any) -> Iterator[Option]:
    for heading, records in panels(command, context):
        yield from (Option(heading, *record) for record in records)


def _section(words: str, command: Any, options: list[Option], context: Any, shared: set[Option]) -> str:
    """Return the section of a command."""
    usage = " ".join(command.collect_usage_pieces(context))
    about, _, examples = (command.help or "").partition("Examples:")
    parts = [f"## {words}", _escaped(about.strip()), _block(f"{words} {usage}")]
    if examples.strip():
        parts.append("Examples:\n\n" + _block("\n".join(" ".join(line.split()) for line in examples.strip().split("\n\n"))))
    parts += _tables(option for option in options if option not in shared)
    if names := [_code(_spelling(option.name)) for option in options if option in shared]:
        parts.append(f"[Shared options](#shared-options): {', '.join(names)}.")
    return "\n\n".join(parts)


def _tables(options: Any) -> list[str]:
    """Return a table for each heading."""
    rows: dict[str, list[str]] = {}
    for option in options:
        rows.setdefault(option.heading, []).append(f"| {_code(option.name)} | {_cell(option.meaning)} |")
    return ["\n".join([f"| {heading} | |", "|---|---|", *found]) for heading, found in rows.items()]


def _spelling(name: str) -> str:
    """Return the long spelling of an option, without what stands for its value.

    >>> _spelling("-m, --method NAME"), _spelling("LOG <str>")
    ('--method', 'LOG')
    """
    return name.rpartition(", ")[2].partition(" ")[0]


def _block(text: str) -> str:
    return f"```\n{text}\n```"


def _code(text: str) -> str:
    """Return a text as code in a cell of a table, each spelling for itself; a bar in code ends no cell.

    >>> _code("-m, --method NAME")
    '`-m`, `--method NAME`'
    """
    return ", ".join(f"`{part}`" for part in text.split(", "))


def _cell(text: str) -> str:
    return _escaped(" ".join(text.split())).replace("|", "\\|")


def _escaped(text: str) -> str:
    """Return a text of the help in Markdown: names of options and quoted words are code, brackets are no links.

    >>> _escaped("Like --json, with 'kin-w5'. [default: 3]")
    "Like `--json`, with 'kin-w5'. \\\\[default: 3\\\\]"
    """
    text = re.sub(r"([\[\]<>*_])", r"\\\1", text)
    return re.sub(r"(?<![\w`-])(--[a-z][a-z-]*)", r"`\1`", text)
