"""What the commands that run a benchmark share: their options, running, and what they print."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from actalike import benchmark
from actalike.cli.console import command_line, exit_code, plain, print_json

if TYPE_CHECKING:
    from actalike.benchmark.record import Outcome, TrainingOutcome

Logs = Annotated[list[Path], typer.Option("--logs", metavar="PATH...", help="Logs, or folders of logs.")]
Out = Annotated[Path, typer.Option("--out", help="The folder of results; what is there is not computed again.")]
Methods = Annotated[
    list[str] | None,
    typer.Option("--methods", metavar="PATTERN...", help="Methods, e.g. 'aa-*' act2vec-cbow-w3. [those that count]"),
]
Plugin = Annotated[list[str] | None, typer.Option(help="A module or .py file that registers methods, or a benchmark.")]
RetryFailed = Annotated[bool, typer.Option("--retry-failed", help="Compute failed methods again.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")]


def run(name: str, plugins: Sequence[str] | None, out: Path, **options: Any) -> "Outcome":
    """Run a benchmark with progress on standard error; when it is stopped, say how to go on, and exit."""
    load_plugins(plugins)
    try:
        return benchmark.run(name, out=out, warn=warn, **options)
    except KeyboardInterrupt as stop:
        warn(f"stopped. What is finished is in {out}; the same command continues from there.")
        raise typer.Exit(exit_code(stop)) from None


def load_plugins(plugins: Sequence[str] | None) -> None:
    """Import modules or files that register methods, or benchmarks."""
    from actalike.benchmark.participants import load_plugin

    for plugin in plugins or []:
        load_plugin(plugin)


def warn(sentence: str) -> None:
    """Print a sentence on standard error."""
    print(plain(f"actalike: {sentence}"), file=sys.stderr)


def warn_of_gaps(gaps: Sequence[str]) -> None:
    """Print what a reader of the results must know on standard error."""
    for gap in gaps:
        warn(f"{gap}.")


def print_outcome(outcome: "Outcome", as_json: bool, verb: str) -> None:
    """Print how many cells were computed, how many of them failed, and how; of a training, what was trained on which device."""
    from actalike.benchmark.record import TrainingOutcome

    if isinstance(outcome, TrainingOutcome):
        _print_training(outcome, as_json)
        return
    if as_json:
        failed = [failure.as_dict() for failure in outcome.failures]
        counts = {"cells": outcome.cells, "computed": outcome.computed, "failed_cells": outcome.failed}
        print_json({"schema": "actalike/benchmark/1", "out": str(outcome.out), **counts, "failed": failed})
        return
    for failure in outcome.failures:
        print(plain(f"{failure.method} failed on {failure.log}: {failure.error}"))
    rest = ", the others were there" if outcome.computed < outcome.cells else ""
    failed_cells = f" ({outcome.failed:,} of them failed: --retry-failed tries again)" if outcome.failed else ""
    print(f"{plain(str(outcome.out))}: {outcome.computed:,} of {outcome.cells:,} cells {verb} now{failed_cells}{rest}.")
    print(f"Next: {command_line('benchmark', 'table', outcome.out)}")


def _print_training(outcome: "TrainingOutcome", as_json: bool) -> None:
    """Print what was trained; a failure ends the command with code 1."""
    out, device, logs, models = outcome.out, outcome.device, outcome.logs, outcome.models
    if as_json:
        failed = [failure.as_dict() for failure in outcome.failures]
        facts = {"out": str(out), "device": device, "setting": "standard", "logs": logs, "models": models}
        print_json({"schema": "actalike/benchmark-prediction/1", **facts, "failed": failed})
    else:
        for failure in outcome.failures:
            print(plain(f"{failure.model} with {failure.method} failed on {failure.log}: {failure.error}"))
        size = f"{len(logs):,} logs, {len(outcome.methods):,} methods, {len(models):,} models, {outcome.seeds} seeds"
        print(f"{plain(str(out))}: {size} ({device}).")
        print(f"Next: {command_line('benchmark', 'table', out)}")
    if outcome.failures:
        raise typer.Exit(1)
