"""The commands for the public logs of the paper."""

from pathlib import Path
from typing import Annotated

import typer

from actalike import datasets
from actalike.cli.command_group import CommandGroup
from actalike.cli.console import print_json, print_table
from actalike.cli.sources import JsonOption
from actalike.errors import ActalikeError
from actalike.support.progress import tracked

app = typer.Typer(cls=CommandGroup, rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def list_datasets(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the 29 public logs of the paper, or check your copies of them.

    The list says what each log contains and where it is published.

    Examples:

    actalike datasets

    actalike datasets check FOLDER
    """
    if context.invoked_subcommand is not None:
        return
    logs = datasets.paper_logs()
    if as_json:
        print_json([entry.as_dict() for entry in logs])
        return
    rows = [
        [
            entry.name,
            f"{entry.cases:,}",
            f"{entry.events:,}" if entry.events else "",
            str(entry.activities),
            entry.doi or "",
        ]
        for entry in logs
    ]
    print_table(["log", "cases", "events", "activities", "DOI (of the log or its collection)"], rows, right=(1, 2, 3))


@app.command("check")
def check_datasets(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder with logs, named as in 'actalike datasets'.")],
    as_json: JsonOption = False,
) -> None:
    """Check the logs of a folder by their statistics.

    The exit code is 1 if a log differs or cannot be read.

    Example: actalike datasets check ~/event_logs
    """
    checks = []
    with tracked("checking", len(datasets.paper_logs())) as advance:
        for check in datasets.check_folder(folder):
            checks.append(check)
            advance(check.name)
    if as_json:
        print_json([check.as_dict() for check in checks])
    else:
        print_table(["log", "verdict", "file"], [[c.name, c.verdict, c.file or ""] for c in checks])
    if any(check.failed for check in checks):
        raise typer.Exit(1)
    if not any(check.file for check in checks):
        raise ActalikeError(f"{folder} holds none of the logs: name the files as 'actalike datasets' does, e.g. Helpdesk.xes.gz.")
