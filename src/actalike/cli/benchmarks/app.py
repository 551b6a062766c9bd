"""The commands of the benchmarks, joined: ``actalike benchmark ...``. That of a benchmark is made when it is asked for."""

from itertools import pairwise
from typing import Any

import typer

from actalike import benchmark
from actalike.cli.benchmarks.results import plots, report, table
from actalike.cli.benchmarks.running import load_plugins
from actalike.cli.help import CommandGroup

_OF_RESULTS = ("table", "plots", "report")


class BenchmarkCommands(CommandGroup):
    """A command for each benchmark, and those that make something of results."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        return [*benchmark.BENCHMARKS, *_OF_RESULTS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command; that of a task is made from its options."""
        if cmd_name in self.commands or cmd_name not in benchmark.BENCHMARKS:
            return super().get_command(ctx, cmd_name)
        from actalike.cli.benchmarks.tasks import command_of

        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(cmd_name)(command_of(benchmark.get(cmd_name)))
        return typer.main.get_command(alone)


app = typer.Typer(
    cls=BenchmarkCommands,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Judge methods: run a benchmark, tabulate its results.",
)
for command in (table, plots, report):
    app.command()(command)


def with_lists(arguments: list[str]) -> list[str]:
    """Repeat an option of the benchmarks before each of its values, as typer wants it.

    >>> with_lists(["benchmark", "intrinsic", "--logs", "a", "b", "--seed", "1"])
    ['benchmark', 'intrinsic', '--logs', 'a', '--logs', 'b', '--seed', '1']
    """
    if arguments[:1] != ["benchmark"]:
        return arguments
    lists = _list_options(arguments)
    repeated: list[str] = []
    option = None
    for word in arguments:
        if word.startswith("-"):
            option = word if word in lists else None
        elif option and repeated[-1] != option:
            repeated.append(option)
        repeated.append(word)
    return repeated


def _list_options(arguments: list[str]) -> list[str]:
    """Return the options with several values; those of somebody's own benchmark are known once its plugin is loaded."""
    name = arguments[1] if len(arguments) > 1 else ""
    if name in _OF_RESULTS:
        return ["--logs"]
    plugins = [value for word, value in pairwise(arguments) if word == "--plugin"]
    if plugins and not name.startswith("-") and name not in benchmark.BENCHMARKS:
        load_plugins(plugins)
    if name not in benchmark.BENCHMARKS:
        return []
    from actalike.cli.benchmarks.tasks import list_options

    return list_options(benchmark.get(name))
