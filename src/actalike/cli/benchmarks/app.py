"""The commands of the benchmarks, joined: ``actalike benchmark ...``."""

import typer

from actalike.cli.benchmarks.anomalies import anomalies
from actalike.cli.benchmarks.efficiency import efficiency
from actalike.cli.benchmarks.intrinsic import intrinsic
from actalike.cli.benchmarks.labels import labels
from actalike.cli.benchmarks.matching import matching
from actalike.cli.benchmarks.plots import plots
from actalike.cli.benchmarks.prediction import prediction
from actalike.cli.benchmarks.report import report
from actalike.cli.benchmarks.table import table
from actalike.cli.help import CommandGroup

app = typer.Typer(
    cls=CommandGroup, no_args_is_help=True, rich_markup_mode=None, help="Judge methods: run a benchmark, tabulate its results."
)
for command in (intrinsic, table, plots, prediction, efficiency, labels, matching, anomalies, report):
    app.command()(command)

_LISTS = (
    "--logs",
    "--methods",
    "--models",
    "--recipes",
    "--kinds",
    "--tasks",
    "--attributes",
)  # options that take several values


def with_lists(arguments: list[str]) -> list[str]:
    """Repeat an option of the benchmarks before each of its values, as typer wants it.

    >>> with_lists(["benchmark", "intrinsic", "--logs", "a", "b", "--seed", "1"])
    ['benchmark', 'intrinsic', '--logs', 'a', '--logs', 'b', '--seed', '1']
    """
    if arguments[:1] != ["benchmark"]:
        return arguments
    repeated: list[str] = []
    option = None
    for word in arguments:
        if word.startswith("-"):
            option = word if word in _LISTS else None
        elif option and repeated[-1] != option:
            repeated.append(option)
        repeated.append(word)
    return repeated
