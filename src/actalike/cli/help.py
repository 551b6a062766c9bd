"""The help of the command line: a group of commands shows every summary in full."""

from typing import Any

from typer.core import TyperGroup


class CommandGroup(TyperGroup):
    """List the commands with the first lines of their descriptions; typer itself cuts them to the width of the terminal."""

    def summaries(self, context: Any) -> list[tuple[str, str]]:
        """Return the name and the summary of each command."""
        commands = ((name, self.get_command(context, name)) for name in self.list_commands(context))
        return [(name, (command.help or "").partition("\n\n")[0].replace("\n", " ")) for name, command in commands if command]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands into the help."""
        with formatter.section("Commands"):
            formatter.write_dl(self.summaries(ctx))
