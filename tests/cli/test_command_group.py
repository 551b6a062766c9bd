"""The list of commands in a help text."""

import typer
from typer.testing import CliRunner

from actalike.cli.help import CommandGroup

SUMMARY = f"Draw {'very ' * 40}much."
app = typer.Typer(cls=CommandGroup, rich_markup_mode=None, add_completion=False)


@app.command(help=f"{SUMMARY}\n\nMore about it.")
def draw() -> None:
    print("drawn")


@app.command()
def silent() -> None:
    print("nothing")


def test_the_summary_is_the_first_paragraph_in_one_line():
    group = typer.main.get_command(app)
    assert group.summaries(None) == [("draw", SUMMARY), ("silent", "")]


def test_help_shows_summaries_in_full_and_nothing_after_them():
    text = " ".join(CliRunner().invoke(app, ["--help"]).output.partition("Commands:")[2].split())
    assert text == f"draw {SUMMARY} silent"
