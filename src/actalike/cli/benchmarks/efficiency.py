"""actalike benchmark efficiency."""

from pathlib import Path
from typing import Annotated

import typer

from actalike.cli.benchmarks.running import AsJson, Out, Plugin, print_outcome, run


def efficiency(
    out: Out,
    logs: Annotated[list[Path] | None, typer.Option("--logs", metavar="PATH...", help="Logs, or folders of logs.")] = None,
    patterns: Annotated[
        list[str] | None,
        typer.Option("--methods", metavar="PATTERN...", help="Methods, e.g. 'aa-*' act2vec-cbow-w3. [all that can run here]"),
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="How often each method is timed on each log.")] = 10,
    time_limit: Annotated[
        float, typer.Option(min=1, metavar="SECONDS", help="What a method gets for a log: fewer calls if all would take longer.")
    ] = 600,
    growth: Annotated[
        bool, typer.Option("--growth", help="Made-up logs of growing size, and windows from 3 to 15; with or without --logs.")
    ] = False,
    plugin: Plugin = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Measure failed methods again.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run the efficiency benchmark: measure seconds from a log to all distances, with their parts, and memory.

    Each method on each log runs in a process of its own, one after the other. Stop it at any time; the same command goes on
    where it stopped. Then: actalike benchmark table DIR

    Examples:

    actalike benchmark efficiency --logs orders.xes.gz --methods 'aa-*' kin-w5 --out results

    actalike benchmark efficiency --growth --methods kin-w5 aa-sequence-pmi-w3 --out results
    """
    outcome = run(
        "efficiency",
        plugin,
        out,
        logs=logs,
        methods=patterns,
        repeats=repeats,
        time_limit=time_limit,
        growth=growth,
        retry_failed=retry_failed,
    )
    print_outcome(outcome, as_json, "measured")
