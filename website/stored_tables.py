"""Show every stored table on one page, so that other pages show only those that answer their question."""

import csv
import json
import re
from pathlib import Path
from typing import Any

PLACE = "<!-- every stored table -->"
TABLES = Path(__file__).parents[1] / "docs" / "results" / "tables"


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Put the tables where a page wants them (an event of mkdocs)."""
    return markdown.replace(PLACE, every_table()) if PLACE in markdown else markdown


def every_table(folder: Path = TABLES) -> str:
    """Return all stored tables in Markdown, each under its name, with the version and the command that measured it."""
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    return "\n\n".join(_section(name, facts, folder) for name, facts in sorted(index.items()))


def _section(name: str, facts: dict[str, str], folder: Path) -> str:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        heading, *rows = [f"| {' | '.join(row)} |" for row in csv.reader(file)]
    rule = "|" + "---|" * (len(re.findall(r"(?<!\\)\|", heading)) - 1)
    measured = f"*Version {facts['version']}: {facts['command']}*"
    return "\n".join([f"## {name}", "", measured, "", heading, rule, *rows])
