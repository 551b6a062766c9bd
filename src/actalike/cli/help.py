"""The help of the command line: summaries in full, and options under headings, without loading rich."""

from typing import Any

from typer.core import TyperCommand, TyperGroup

# the headings of options, in the order of a help text; options without one come first
EVIDENCE = "Evidence"
OUTPUT = "Output"
READING = "Reading"
SECOND_LOG = "Reading the second log, where it differs from the first"
ENGINE = "Engine: events in a database, on a cluster, or larger than memory"
_PANELS = (EVIDENCE, OUTPUT, READING, SECOND_LOG, ENGINE)


class Command(TyperCommand):
    """List the options of a command under their headings; typer does so only with rich, which takes a tenth of a second."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and options into the help."""
        for heading, records in panels(self, ctx):
            with formatter.section(heading):
                formatter.write_dl(records)


def panels(command: Any, context: Any) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the headings of a command's help, each with its arguments or options and their meaning. Hidden ones are left out."""
    found: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": [], **{panel: [] for panel in _PANELS}}
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            is_argument = parameter.param_type_name == "argument"
            found["Arguments" if is_argument else getattr(parameter, "rich_help_panel", None) or "Options"].append(record)
    return [(heading, records) for heading, records in found.items() if records]


class CommandGroup(TyperGroup):
    """List the commands with the first lines of their descriptions; typer itself cuts them to the width of the terminal."""

    def sections(self, context: Any) -> list[tuple[str, list[tuple[str, str]]]]:
        """Return the headings of the list, each with the names and summaries of its commands."""
        commands = ((name, self.get_command(context, name)) for name in self.list_commands(context))
        summaries = [
            (name, (command.help or "").partition("\n\n")[0].replace("\n", " ")) for name, command in commands if command
        ]
        return [("Commands", summaries)]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands into the help."""
        for heading, summaries in self.sections(ctx):
            with formatter.section(heading):
                formatter.write_dl(summaries)
