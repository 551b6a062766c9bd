"""Write the reference of all commands from the command line's own help, so that it cannot be another."""

import re
from collections.abc import Iterator
from typing import Any

import typer

from actalike.cli.help import panels
from actalike.cli.main import app

PLACE = "<!-- every command -->"


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Put the commands where a page wants them (an event of mkdocs)."""
    return markdown.replace(PLACE, reference()) if PLACE in markdown else markdown


def reference() -> str:
    """Return all commands in Markdown: how each is called, what it does, examples, arguments and options."""
    root: Any = typer.main.get_command(app)
    return "\n\n".join(_section(path, command, context) for path, command, context in commands(root))


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


def _section(words: str, command: Any, context: Any) -> str:
    """Return the section of a command."""
    usage = " ".join(command.collect_usage_pieces(context))
    about, _, examples = (command.help or "").partition("Examples:")
    parts = [f"## {words}", _escaped(about.strip()), _block(f"{words} {usage}")]
    if examples.strip():
        parts.append("Examples:\n\n" + _block("\n".join(" ".join(line.split()) for line in examples.strip().split("\n\n"))))
    for heading, records in panels(command, context):
        rows = [f"| {_code(name)} | {_cell(meaning)} |" for name, meaning in records]
        parts.append("\n".join([f"| {heading} | |", "|---|---|", *rows]))
    return "\n\n".join(parts)


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
